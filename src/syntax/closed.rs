//! Expressions that read no name: literals, displays and operators, whose value needs no interpreter.

use ruff_python_ast::{Expr, Number, Operator, UnaryOp};

use super::plain::Plain;

/// Items or characters beyond which a repeated value is left to an interpreter.
const LARGEST: usize = 100_000;

/// True when evaluating an expression calls nothing and reads no name.
pub(super) fn is_closed(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(_)
        | Expr::StringLiteral(_)
        | Expr::BytesLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_) => true,
        Expr::List(list) => list.elts.iter().all(is_closed),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_closed),
        Expr::Set(set) => set.elts.iter().all(is_closed),
        Expr::Dict(dict) => {
            dict.items.iter().all(|item| item.key.as_ref().is_some_and(is_closed) && is_closed(&item.value))
        }
        Expr::UnaryOp(unary) => is_closed(&unary.operand),
        Expr::BinOp(operation) => is_closed(&operation.left) && is_closed(&operation.right),
        _ => false,
    }
}

/// The value of a closed expression; `None` for what is not closed, raises, or is beyond the arithmetic here.
pub(super) fn value(expression: &Expr) -> Option<Plain> {
    let all = |items: &[Expr]| items.iter().map(value).collect::<Option<Vec<_>>>();
    Some(match expression {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(integer) => Plain::Int(match integer.as_u64() {
                Some(small) => small.to_string(),
                None => decimal(&integer.to_string())?,
            }),
            Number::Float(value) => Plain::Float(*value),
            Number::Complex { real, imag } => Plain::Complex(*real, *imag),
        },
        Expr::StringLiteral(text) => Plain::Text(text.value.to_str().to_owned()),
        Expr::BytesLiteral(bytes) => Plain::Bytes(bytes.value.bytes().map(|byte| format!("{byte:02x}")).collect()),
        Expr::BooleanLiteral(literal) => Plain::Bool(literal.value),
        Expr::NoneLiteral(_) => Plain::None,
        Expr::List(list) => Plain::List(all(&list.elts)?),
        Expr::Tuple(tuple) => Plain::Tuple(all(&tuple.elts)?),
        Expr::Set(set) => Plain::Set(all(&set.elts)?),
        Expr::Dict(dict) => {
            let pair = |item: &ruff_python_ast::DictItem| Some((value(item.key.as_ref()?)?, value(&item.value)?));
            Plain::Dict(dict.items.iter().map(pair).collect::<Option<Vec<_>>>()?)
        }
        Expr::UnaryOp(unary) => signed(unary.op, value(&unary.operand)?)?,
        Expr::BinOp(operation) => operate(&value(&operation.left)?, operation.op, &value(&operation.right)?)?,
        _ => return None,
    })
}

/// Digits of an integer literal beyond 64 bits; other bases are left to an interpreter.
fn decimal(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    (!digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

fn signed(sign: UnaryOp, operand: Plain) -> Option<Plain> {
    Some(match (sign, operand) {
        (UnaryOp::USub, Plain::Int(digits)) => Plain::Int(match digits.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None if digits == "0" => digits,
            None => format!("-{digits}"),
        }),
        (UnaryOp::USub, Plain::Float(value)) => Plain::Float(-value),
        (UnaryOp::USub, Plain::Complex(real, imaginary)) => Plain::Complex(-real, -imaginary),
        (UnaryOp::UAdd, operand @ (Plain::Int(_) | Plain::Float(_))) => operand,
        (UnaryOp::Not, operand) => Plain::Bool(!operand.truth()?),
        _ => return None,
    })
}

fn operate(left: &Plain, operator: Operator, right: &Plain) -> Option<Plain> {
    match (left, right) {
        (Plain::Text(text), count) if operator == Operator::Mult => {
            let count = times(count, text.len())?;
            return Some(Plain::Text(text.repeat(count)));
        }
        (Plain::List(items), count) if operator == Operator::Mult => {
            let count = times(count, items.len())?;
            return Some(Plain::List(items.iter().cloned().cycle().take(items.len() * count).collect()));
        }
        (Plain::Text(left), Plain::Text(right)) if operator == Operator::Add => {
            return Some(Plain::Text(format!("{left}{right}")));
        }
        (Plain::List(left), Plain::List(right)) if operator == Operator::Add => {
            return Some(Plain::List([left.as_slice(), right].concat()));
        }
        (Plain::Tuple(left), Plain::Tuple(right)) if operator == Operator::Add => {
            return Some(Plain::Tuple([left.as_slice(), right].concat()));
        }
        (Plain::Complex(real, imaginary), other) | (other, Plain::Complex(real, imaginary))
            if operator == Operator::Add =>
        {
            return Some(Plain::Complex(real + other.as_f64()?, *imaginary));
        }
        _ => {}
    }
    if let (Some(left), Some(right)) = (left.as_i128(), right.as_i128())
        && operator != Operator::Div
    {
        let result = match operator {
            Operator::Add => left.checked_add(right),
            Operator::Sub => left.checked_sub(right),
            Operator::Mult => left.checked_mul(right),
            Operator::Pow => left.checked_pow(u32::try_from(right).ok()?),
            // Python rounds towards minus infinity.
            Operator::FloorDiv if right > 0 => Some(left.div_euclid(right)),
            Operator::Mod if right > 0 => Some(left.rem_euclid(right)),
            _ => None,
        };
        return result.map(|result| Plain::Int(result.to_string()));
    }
    let (left, right) = (exact(left)?, exact(right)?);
    let result = match operator {
        Operator::Add => left + right,
        Operator::Sub => left - right,
        Operator::Mult => left * right,
        Operator::Div if right != 0.0 => left / right,
        _ => return None,
    };
    Some(Plain::Float(result))
}

/// A number as the double that Python's arithmetic would make of it without rounding first.
fn exact(operand: &Plain) -> Option<f64> {
    match operand.as_i128() {
        Some(integer) => (integer.unsigned_abs() <= 1 << 53).then_some(integer as f64),
        None => operand.as_f64(),
    }
}

fn times(count: &Plain, size: usize) -> Option<usize> {
    let count = usize::try_from(count.as_i128()?.max(0)).ok()?;
    (count.checked_mul(size.max(1))? <= LARGEST).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::super::assertions::literal;

    #[test]
    fn literals_and_operators_have_the_values_python_gives_them() {
        // Left as written, right as `repr` writes what Python 3 makes of it.
        let known = [
            ("0x10 + 1_000", "1016"),
            ("-3 // 2, -3 % 2", "(-2, 1)"),
            ("2 ** 70", "1180591620717411303424"),
            ("6.0 / 5.0", "1.2"),
            ("1 / 3", "0.3333333333333333"),
            ("[0] * 3 + [1]", "[0, 0, 0, 1]"),
            ("'ab' * 2 'c'", ""),
            ("('a' 'b') + 'c'", "\"abc\""),
            ("{1: (2,), 'a': None}", "{1: (2,), \"a\": None}"),
            ("-0.0", "-0.0"),
            ("-0", "0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("b'1'", "bytes.fromhex('31')"),
            ("1 + 2j", "(1.0+2.0j)"),
            ("not 0", "True"),
        ];
        for (text, repr) in known {
            assert_eq!(literal(text).map_or(String::new(), |value| value.text()), repr, "{text}");
        }
        for open in ["x", "f(1)", "[i for i in [1]]", "1 / 0", "'a' * 10 ** 9", "1 if 2 else 3", "{**{}}", "2 ** 10000"]
        {
            assert!(literal(open).is_none(), "{open}");
        }
    }
}
