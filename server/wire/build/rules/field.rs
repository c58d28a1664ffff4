//! The rules of one field, and the checks that they ask for.

use super::{DURATION, Result, is_name, rust_path};
use prost_reflect::{DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, Value};
use std::fmt::Write as _;

/// What is checked of one field, or of each element of a list.
pub(super) struct FieldRules {
    kind: Kind,
    name: String,
    pub(super) required: bool,
    pub(super) min_items: u64,
    pub(super) max_items: Option<u64>,
    /// Rules of the value, by name.
    value: Vec<(String, Value)>,
    /// Whether it names something.
    is_name: bool,
}

impl FieldRules {
    pub(super) fn new(field: &FieldDescriptor, rules: Option<DynamicMessage>) -> Result<Self> {
        let mut all = Self {
            kind: field.kind(),
            name: field.full_name().to_owned(),
            required: false,
            min_items: 0,
            max_items: None,
            value: Vec::new(),
            is_name: is_name(field),
        };
        if let Some(rules) = rules {
            all.read(&rules)?;
        }
        Ok(all)
    }

    fn read(&mut self, rules: &DynamicMessage) -> Result<()> {
        for (rule, value) in rules.fields() {
            match (rule.name(), value.as_message()) {
                ("required", _) => self.required = value.as_bool() == Some(true),
                ("repeated", Some(rules)) => self.read_list(rules)?,
                ("string" | "int32" | "int64" | "double" | "enum" | "duration", Some(rules)) => {
                    let fields = rules.fields();
                    let named = fields.map(|(rule, value)| (rule.name().to_owned(), value.clone()));
                    self.value = named.collect();
                }
                (other, _) => return self.unknown(other),
            }
        }
        Ok(())
    }

    fn read_list(&mut self, rules: &DynamicMessage) -> Result<()> {
        for (rule, value) in rules.fields() {
            match (rule.name(), value.as_u64(), value.as_message()) {
                ("min_items", Some(min), _) => self.min_items = min,
                ("max_items", max @ Some(_), _) => self.max_items = max,
                ("items", _, Some(rules))
                    if rules.fields().all(|(it, _)| it.name() != "required") =>
                {
                    self.read(rules)?;
                }
                (other, ..) => return self.unknown(other),
            }
        }
        Ok(())
    }

    fn unknown<T>(&self, rule: &str) -> Result<T> {
        Err(format!("{}: the rule `{rule}` has no check", self.name).into())
    }

    /// The checks of one value: a mutable reference of this name.
    pub(super) fn checks(&self, value: &str, is_checked: bool, at: &str) -> Result<String> {
        let mut code = match &self.kind {
            Kind::Message(_) if is_checked => format!("{value}.check(&{at}, wrong);\n"),
            _ => String::new(),
        };
        code += &match &self.kind {
            Kind::Message(it) if it.full_name() == DURATION => {
                let (least, most) = self.ends(micros)?;
                let (least, most) = (bound(least, "MIN"), bound(most, "MAX"));
                format!("wrong.keep_micros(&{at}, {value}, {least}..={most});\n")
            }
            Kind::String => self.text(value, at)?,
            _ if self.value.is_empty() => String::new(),
            Kind::Int32 | Kind::Int64 => {
                let (least, most) = self.ends(whole)?;
                let (least, most) = (bound(least, "MIN"), bound(most, "MAX"));
                format!("wrong.keep_whole(&{at}, {value}, {least}..={most});\n")
            }
            Kind::Double if self.is_only_finite() => {
                format!("wrong.keep_number(&{at}, {value}, f64::MIN..=f64::MAX);\n")
            }
            Kind::Double => {
                let (least, most) = self.range(Value::as_f64)?;
                format!("wrong.keep_number(&{at}, {value}, {least:?}..={most:?});\n")
            }
            Kind::Enum(it) => self.choice(it, value, at)?,
            _ => return self.unknown("of this type"),
        };
        Ok(code)
    }

    fn text(&self, value: &str, at: &str) -> Result<String> {
        let mut code = String::new();
        if self.is_name {
            writeln!(code, "wrong.visible(&{at}, {value});")?;
        }
        for (rule, max) in &self.value {
            let max = max.as_u64().unwrap_or_default();
            match rule.as_str() {
                "min_len" if max == 1 => {
                    writeln!(code, "wrong.filled(&{at}, !{value}.is_empty());")?;
                }
                "max_len" => writeln!(code, "wrong.text(&{at}, {value}, {max});")?,
                "max_bytes" => writeln!(code, "wrong.bytes(&{at}, {value}, {max});")?,
                _ => return self.unknown(rule),
            }
        }
        Ok(code)
    }

    fn choice(&self, of: &EnumDescriptor, value: &str, at: &str) -> Result<String> {
        let mut code = String::new();
        for (rule, given) in &self.value {
            match (rule.as_str(), given.as_list()) {
                // First: what is unknown becomes 0.
                ("not_in", Some([Value::I32(0)])) => {
                    code.insert_str(0, &format!("wrong.filled(&{at}, *{value} != 0);\n"));
                }
                ("defined_only", _) => {
                    let of = rust_path(of.full_name());
                    writeln!(code, "wrong.keep_choice::<{of}>(&{at}, {value});")?;
                }
                _ => return self.unknown(rule),
            }
        }
        Ok(code)
    }

    fn is_only_finite(&self) -> bool {
        matches!(self.value.as_slice(), [(rule, Value::Bool(true))] if rule == "finite")
    }

    /// The ends of a range.
    fn range<T: Copy>(&self, read: impl Fn(&Value) -> Option<T>) -> Result<(T, T)> {
        match self.ends(read)? {
            (Some(least), Some(most)) => Ok((least, most)),
            _ => self.unknown("range without an end"),
        }
    }

    /// The ends of a range, both included, as far as it has some.
    fn ends<T: Copy>(&self, read: impl Fn(&Value) -> Option<T>) -> Result<(Option<T>, Option<T>)> {
        let (mut least, mut most) = (None, None);
        for (rule, value) in &self.value {
            match rule.as_str() {
                "gte" => least = read(value),
                "lte" => most = read(value),
                // Numbers in a range are.
                "finite" => {}
                other => return self.unknown(other),
            }
        }
        Ok((least, most))
    }
}

/// One end of a range of whole numbers, which may be open.
fn bound(end: Option<i64>, open: &str) -> String {
    end.map_or_else(|| format!("i64::{open}"), |end| end.to_string())
}

fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_i32().map(i64::from))
}

/// A `google.protobuf.Duration` in microseconds.
fn micros(value: &Value) -> Option<i64> {
    let value = value.as_message()?;
    let part = |name| value.get_field_by_name(name).and_then(|it| whole(&it));
    Some(part("seconds")? * 1_000_000 + part("nanos")? / 1_000)
}
