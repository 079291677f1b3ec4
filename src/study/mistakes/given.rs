//! Values of a declaration as serde's readers take them, with [`Fault`] for what they do not understand.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer, StringDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use toml::{Table, Value};

use super::fault::Fault;

/// A value that is read.
pub(super) struct Given(pub(super) Value);

impl IntoDeserializer<'_, Fault> for Given {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

type Members<'de> = MapDeserializer<'de, Box<dyn Iterator<Item = (String, Given)>>, Fault>;

fn members<'de>(table: Table) -> Members<'de> {
    MapDeserializer::new(Box::new(table.into_iter().map(|(key, value)| (key, Given(value)))))
}

impl<'de> Deserializer<'de> for Given {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::Boolean(flag) => visitor.visit_bool(flag),
            Value::Datetime(_) => Err(Fault::invalid_type(Unexpected::Other("date"), &visitor)),
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter().map(Given));
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Value::Table(table) => {
                let mut members = members(table);
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
        }
    }

    /// Every member that is written has a value; absent ones are never asked for.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => {
                let text: StringDeserializer<Fault> = text.into_deserializer();
                text.deserialize_enum(name, variants, visitor)
            }
            Value::Table(table) => visitor.visit_enum(MapAccessDeserializer::new(members(table))),
            other => Given(other).deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}
