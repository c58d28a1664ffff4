//! Values of flags: from words of the command line to values of fields.

use super::flags::{Flag, Kind, kebab};
use super::{comment, range};
use crate::durations::parse_span;
use formats::messages::described;
use prost_reflect::{EnumDescriptor, EnumValueDescriptor, Kind as FieldKind, Value};
use stratagem_render::time::from_micros;

impl Flag {
    /// The value of the field, or the number.
    ///
    /// # Errors
    /// What is wrong with the word.
    pub fn read(&self, word: &str) -> Result<Value, String> {
        match self.kind {
            Kind::Words(read) | Kind::Own(read) => read(word),
            Kind::Percent => {
                let [least, most] = self.range().map(|end| end.map(|end| end * 100.0));
                whole(word, [least, most]).map(|number| Value::F64(number as f64 / 100.0))
            }
            Kind::Part => whole(word, [Some(1.0), None]).map(Value::I64),
            Kind::Text(_) => whole(word, [Some(1.0), Some(4.0)]).map(Value::I64),
            Kind::Field => self.value(word),
            _ => Ok(Value::String(word.to_owned())),
        }
    }

    fn range(&self) -> [Option<f64>; 2] {
        self.field.as_ref().map_or([None, None], range)
    }

    fn value(&self, word: &str) -> Result<Value, String> {
        let Some(field) = &self.field else {
            return Err("nothing takes it".into());
        };
        match field.kind() {
            FieldKind::Int32 | FieldKind::Sint32 => {
                let number = whole(word, self.range())?;
                let number = i32::try_from(number).map_err(|e| e.to_string())?;
                Ok(Value::I32(number))
            }
            FieldKind::Int64 | FieldKind::Sint64 => whole(word, self.range()).map(Value::I64),
            FieldKind::Double => number(word, self.range()).map(Value::F64),
            FieldKind::Enum(kind) => {
                let mut choices = choices(&kind).into_iter();
                let found = choices.find(|it| it.name == word);
                let found = found.ok_or("is none of them")?;
                Ok(Value::EnumNumber(found.number))
            }
            FieldKind::Message(_) => {
                let time = from_micros(parse_span(word)?);
                Ok(Value::Message(described(&time)))
            }
            _ => Ok(Value::String(word.to_owned())),
        }
    }
}

/// A member of an enum.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Its word on the command line.
    pub name: String,
    /// Its number.
    pub number: i32,
    /// What the contract states about it.
    pub about: String,
}

/// The members of an enum but the first, which is none, without what all names begin with.
#[must_use]
pub fn choices(of: &EnumDescriptor) -> Vec<Choice> {
    let values: Vec<_> = of.values().skip(1).collect();
    let none = of.default_value();
    let before = none.name().trim_end_matches("UNSPECIFIED");
    let bare = values.iter().map(|value| {
        let name = value.name();
        name.strip_prefix(before).unwrap_or(name)
    });
    let is_cause = bare.clone().all(|name| name.starts_with("ON_"));
    let choice = |name: &str, value: &EnumValueDescriptor| {
        let cause = name.strip_prefix("ON_").filter(|_| is_cause);
        Choice {
            name: kebab(&cause.unwrap_or(name).to_ascii_lowercase()),
            number: value.number(),
            about: comment(&of.parent_file(), value.path()),
        }
    };
    let choices = bare.zip(&values);
    choices.map(|(name, value)| choice(name, value)).collect()
}

pub(super) fn whole(word: &str, range: [Option<f64>; 2]) -> Result<i64, String> {
    let number: i64 = word.parse().map_err(|_| "a whole number is wanted")?;
    check_range(number as f64, range)?;
    Ok(number)
}

fn number(word: &str, range: [Option<f64>; 2]) -> Result<f64, String> {
    let number: f64 = word.parse().map_err(|_| "a number is wanted")?;
    if !number.is_finite() {
        return Err("a finite number is wanted".into());
    }
    check_range(number, range)?;
    Ok(number)
}

fn check_range(number: f64, [least, most]: [Option<f64>; 2]) -> Result<(), String> {
    let is_inside = least.is_none_or(|it| it <= number) && most.is_none_or(|it| number <= it);
    if is_inside {
        return Ok(());
    }
    Err(match (least, most) {
        (Some(least), Some(most)) => format!("must be between {least} and {most}, got {number}"),
        (Some(least), None) => format!("must be at least {least}, got {number}"),
        (_, most) => format!("must be at most {}, got {number}", most.unwrap_or_default()),
    })
}
