//! The three things an answer format decides, side by side: options, programs, fabricated executions.

use super::choice::ChoiceGap;
use super::fabrication::Fabrication;
use super::protocol::ProtocolGap;
use crate::number;
use crate::statistics::moments::extremes;
use crate::statistics::{About, Basis, Estimate, Evidence, Fact, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `three-axes`.
pub(crate) struct ThreeAxes;

const ID: &str = "three-axes";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Three axes",
    unit: "points",
    meaning: "How large the effects of the answer format are beside one another: picking an option instead of computing, \
              running a program instead of writing prose, and claiming a run that never was.",
    formula: "format = smallest and largest mcq-gap over the models; protocol = mean protocol-gap; fabrication = confirmed \
              records. The printed range is rounded outward.",
    source: "Table of the study; every entry is a value of the statistics mcq-gap, protocol-gap and fabrication-rate.",
    edge_cases: "Each entry is undefined where its statistic is. The weakest basis of the values behind an entry is its \
                 basis.",
    example: "Gaps of 30.55 to 44.76 points print as +30 to +45.",
    keys: &[KeyDoc { key: "axis", meaning: "format, protocol or fabrication" }],
    measures: &[
        ("low", "smallest gap between the formats"),
        ("high", "largest gap between the formats"),
        ("models", "models or configurations behind it"),
        ("gap", "mean gap between the protocols"),
        ("confirmed", "confirmed records"),
    ],
};

impl Statistic for ThreeAxes {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let axes = Axes {
            format: format_axis(&ChoiceGap.compute(evidence).facts),
            protocol: protocol_axis(&ProtocolGap.compute(evidence).facts),
            confirmed: confirmed_axis(&Fabrication.compute(evidence).facts),
        };
        axes.add_facts(&mut output);
        if axes.format.is_ok() || axes.protocol.is_ok() || axes.confirmed.is_ok() {
            output.tables.push(axes.table());
        }
        output
    }
}

struct Axes {
    /// Smallest, largest, number of models.
    format: Result<(f64, f64, usize, Basis), String>,
    /// Mean, number of configurations.
    protocol: Result<(f64, usize, Basis), String>,
    confirmed: Result<(usize, Basis), String>,
}

fn format_axis(facts: &[Fact]) -> Result<(f64, f64, usize, Basis), String> {
    let all: Vec<&Fact> = facts.iter().filter(|fact| !fact.keys.contains_key("subset")).collect();
    let mut gaps = Vec::new();
    for fact in &all {
        match &fact.estimate {
            Estimate::Value { value, .. } => gaps.push(*value),
            Estimate::Undefined(reason) => return Err(reason.clone()),
        }
    }
    let (low, high) = extremes(&gaps).ok_or("no model was asked in both formats")?;
    let basis = all.iter().map(|fact| fact.basis).max().unwrap_or(Basis::Records);
    Ok((low, high, gaps.len(), basis))
}

fn protocol_axis(facts: &[Fact]) -> Result<(f64, usize, Basis), String> {
    let find = |measure: &str, model: Option<&str>| {
        facts.iter().find(|f| f.measure == measure && f.keys.get("model").map(String::as_str) == model)
    };
    let average = find("gap", Some("mean")).ok_or("no configuration was asked under both protocols")?;
    match &average.estimate {
        Estimate::Value { value, .. } => {
            let compared = find("compared", None).and_then(|fact| fact.estimate.point()).unwrap_or(0.0);
            Ok((*value, compared as usize, average.basis))
        }
        Estimate::Undefined(reason) => Err(reason.clone()),
    }
}

fn confirmed_axis(facts: &[Fact]) -> Result<(usize, Basis), String> {
    let total = facts.iter().find(|fact| fact.measure == "confirmed" && fact.keys.is_empty());
    match total.map(|fact| (&fact.estimate, fact.basis)) {
        Some((Estimate::Value { value, .. }, basis)) => Ok((*value as usize, basis)),
        Some((Estimate::Undefined(reason), _)) => Err(reason.clone()),
        None => Err("no adjudication is archived".to_owned()),
    }
}

impl Axes {
    fn add_facts(&self, output: &mut Output) {
        let format = [("axis", "format")];
        match &self.format {
            Ok((low, high, models, basis)) => {
                let mut writer = output.on(ID, *basis, &format);
                writer.put("low", Estimate::value(*low)).put("high", Estimate::value(*high));
                writer.put("models", Estimate::count(*models));
            }
            Err(reason) => output.fact(ID, "low", &format, Estimate::undefined(reason), Basis::Records),
        }
        let protocol = [("axis", "protocol")];
        match &self.protocol {
            Ok((gap, models, basis)) => {
                let mut writer = output.on(ID, *basis, &protocol);
                writer.put("gap", Estimate::value(*gap)).put("models", Estimate::count(*models));
            }
            Err(reason) => output.fact(ID, "gap", &protocol, Estimate::undefined(reason), Basis::Records),
        }
        let fabrication = [("axis", "fabrication")];
        match &self.confirmed {
            Ok((count, basis)) => output.fact(ID, "confirmed", &fabrication, Estimate::count(*count), *basis),
            Err(reason) => output.fact(ID, "confirmed", &fabrication, Estimate::undefined(reason), Basis::Records),
        }
    }

    /// The published layout. How often executions are fabricated is not on one scale with the gaps, so the
    /// third row has words for a magnitude.
    fn table(&self) -> Table {
        let columns = [
            ("axis", Kind::Text, ""),
            ("magnitude", Kind::Text, ""),
            ("unit", Kind::Text, ""),
            ("note", Kind::Text, ""),
        ];
        let mut table = Table::new("F5b_three_axes", "Effects of the answer format", &[ID], &columns);
        let or = |text: Result<String, &String>| match text {
            Ok(text) => Cell::text(text),
            Err(reason) => Cell::Undefined(reason.as_str().into()),
        };
        let format = self.format.as_ref();
        table.push(vec![
            Cell::text("format (option vs code, same problems)"),
            or(format.map(|(low, high, ..)| {
                format!("{} to {}", number::signed(low.floor(), 0), number::signed(high.ceil(), 0))
            })),
            Cell::text("points"),
            or(format.map(|(_, _, models, _)| format!("MCQ10, {models} models"))),
        ]);
        let protocol = self.protocol.as_ref();
        table.push(vec![
            Cell::text("protocol (code vs direct)"),
            or(protocol.map(|(gap, ..)| number::signed(*gap, 2))),
            Cell::text("points"),
            or(protocol.map(|(_, models, _)| format!("mean over {models} paired configs"))),
        ]);
        table.push(vec![
            Cell::text("fabricated execution"),
            Cell::text("existence, not rate"),
            Cell::text("—"),
            or(self
                .confirmed
                .as_ref()
                .map(|(count, _)| format!("{count} confirmed records; do NOT plot as a frequency"))),
        ]);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_rounded_outward_and_the_weakest_basis_counts() {
        let fact = |value: f64, basis| Fact {
            statistic: "mcq-gap",
            measure: "gap",
            keys: [("model".to_owned(), value.to_string())].into(),
            estimate: Estimate::value(value),
            basis,
        };
        let format = format_axis(&[fact(30.55, Basis::Records), fact(44.76, Basis::Published)]);
        assert_eq!(format, Ok((30.55, 44.76, 2, Basis::Published)));
        let axes = Axes { format, protocol: Err("no runs".into()), confirmed: Ok((10, Basis::Records)) };
        let rows: Vec<Vec<String>> =
            axes.table().rows.iter().map(|row| row.iter().map(Cell::printed).collect()).collect();
        assert_eq!(rows[0][1..], ["+30 to +45", "points", "MCQ10, 2 models"]);
        assert_eq!((rows[1][1].as_str(), rows[2][3].starts_with("10 ")), ("", true));
    }
}
