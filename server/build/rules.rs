//! Makes the checks of single fields from the rules in the contract: options `buf.validate`.
//!
//! A rule that has no check here fails the build.

use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor,
    OneofDescriptor, Value,
};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Rust code: `impl Check` for all messages that have rules, or have messages in them that do.
pub(crate) fn checks(pool: &DescriptorPool) -> Result<String> {
    let rules = Rules::new(pool)?;
    let mut code = String::new();
    for message in pool.all_messages() {
        if rules.checked.contains(message.full_name()) {
            rules.message(&message, &mut code)?;
        }
    }
    Ok(code)
}

/// The rules of all messages.
struct Rules {
    pool: DescriptorPool,
    /// Names of the messages that are checked.
    checked: BTreeSet<String>,
}

impl Rules {
    fn new(pool: &DescriptorPool) -> Result<Self> {
        let mut rules = Self {
            pool: pool.clone(),
            checked: BTreeSet::new(),
        };
        let ours = |it: &MessageDescriptor| it.package_name() == "stratagem.v1";
        let all: Vec<_> = pool.all_messages().filter(ours).collect();
        // Until nothing is added: messages contain each other.
        loop {
            let known = rules.checked.len();
            for message in &all {
                if rules.has_rules(message)? {
                    rules.checked.insert(message.full_name().to_owned());
                }
            }
            if rules.checked.len() == known {
                return Ok(rules);
            }
        }
    }

    fn has_rules(&self, message: &MessageDescriptor) -> Result<bool> {
        for field in message.fields() {
            if self.of(&field)?.is_some() || self.is_checked(&field) {
                return Ok(true);
            }
        }
        for oneof in message.oneofs() {
            if self.is_required(&oneof)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a field holds messages that are checked.
    fn is_checked(&self, field: &FieldDescriptor) -> bool {
        matches!(field.kind(), Kind::Message(it) if self.checked.contains(it.full_name()))
    }

    fn of(&self, field: &FieldDescriptor) -> Result<Option<DynamicMessage>> {
        self.option(&field.options(), "buf.validate.field")
    }

    fn is_required(&self, oneof: &OneofDescriptor) -> Result<bool> {
        let rules = self.option(&oneof.options(), "buf.validate.oneof")?;
        Ok(rules.is_some_and(|rules| flag(&rules, "required")))
    }

    fn option(&self, options: &DynamicMessage, name: &str) -> Result<Option<DynamicMessage>> {
        let extension = self.pool.get_extension_by_name(name).ok_or(name)?;
        if !options.has_extension(&extension) {
            return Ok(None);
        }
        let value = options.get_extension(&extension);
        Ok(value.as_message().cloned())
    }

    fn message(&self, message: &MessageDescriptor, code: &mut String) -> Result<()> {
        writeln!(
            code,
            "impl Check for {} {{\nfn check(&mut self, at: &Path<'_>, wrong: &mut Mistakes) {{",
            rust_path(message.full_name())
        )?;
        for field in message.fields() {
            if field.containing_oneof().is_none_or(|it| is_synthetic(&it)) {
                self.field(&field, code)?;
            }
        }
        for oneof in message.oneofs().filter(|it| !is_synthetic(it)) {
            self.oneof(message, &oneof, code)?;
        }
        code.push_str("}\n}\n");
        Ok(())
    }

    /// One field that is no part of a oneof.
    fn field(&self, field: &FieldDescriptor, code: &mut String) -> Result<()> {
        let rules = self.of(field)?;
        if rules.is_none() && !self.is_checked(field) {
            return Ok(());
        }
        let name = field.name();
        writeln!(code, "let field = at.field({name:?});")?;
        let rules = FieldRules::new(field, rules)?;
        let is_checked = self.is_checked(field);
        if field.is_list() {
            return list(name, &rules, is_checked, code);
        }
        let is_optional = field.supports_presence();
        if is_optional && rules.required {
            writeln!(code, "wrong.filled(&field, self.{name}.is_some());")?;
        } else if rules.required {
            required(&format!("self.{name}"), field, code)?;
        }
        let checks = rules.checks("value", is_checked, "field")?;
        match (checks.is_empty(), is_optional) {
            (true, _) => {}
            (false, true) => {
                writeln!(code, "if let Some(value) = &mut self.{name} {{\n{checks}}}")?;
            }
            (false, false) => {
                writeln!(code, "let value = &mut self.{name};\n{checks}")?;
            }
        }
        Ok(())
    }

    fn oneof(
        &self,
        message: &MessageDescriptor,
        oneof: &OneofDescriptor,
        code: &mut String,
    ) -> Result<()> {
        let name = oneof.name();
        if self.is_required(oneof)? {
            writeln!(code, "wrong.filled(at, self.{name}.is_some());")?;
        }
        let mut arms = String::new();
        for field in oneof.fields() {
            let rules = self.of(&field)?;
            let is_checked = self.is_checked(&field);
            if rules.is_none() && !is_checked {
                continue;
            }
            let rules = FieldRules::new(&field, rules)?;
            if rules.required {
                return Err(format!("{}: required in a oneof", field.full_name()).into());
            }
            let outer = rust_path(message.full_name());
            let outer = outer.rsplit_once("::").map_or("", |it| it.0).to_owned();
            writeln!(
                arms,
                "Some({outer}::{}::{}::{}(value)) => {{\nlet field = at.field({:?});\n{}}}",
                snake(message.name()),
                camel(name),
                camel(field.name()),
                field.name(),
                rules.checks("value", is_checked, "field")?,
            )?;
        }
        if !arms.is_empty() {
            writeln!(code, "match &mut self.{name} {{\n{arms}_ => {{}}\n}}")?;
        }
        Ok(())
    }
}

/// A list: its size, then its elements.
fn list(name: &str, rules: &FieldRules, is_checked: bool, code: &mut String) -> Result<()> {
    match rules.min_items.max(rules.required.into()) {
        0 => {}
        1 => writeln!(code, "wrong.filled(&field, !self.{name}.is_empty());")?,
        min => writeln!(code, "wrong.few(&field, self.{name}.len(), {min});")?,
    }
    let checks = rules.checks("value", is_checked, "item")?;
    let elements = match checks.is_empty() {
        true => String::new(),
        false => format!(
            "for (index, value) in self.{name}.iter_mut().enumerate() {{\n\
             let item = field.index(index);\n{checks}}}\n"
        ),
    };
    match rules.max_items {
        Some(max) => writeln!(
            code,
            "if wrong.size(&field, self.{name}.len(), {max}) {{\n{elements}}}"
        )?,
        None => code.push_str(&elements),
    }
    Ok(())
}

/// A scalar without presence that has to be given.
fn required(value: &str, field: &FieldDescriptor, code: &mut String) -> Result<()> {
    match field.kind() {
        Kind::String | Kind::Bytes => {
            writeln!(code, "wrong.filled(&field, !{value}.is_empty());")?;
        }
        Kind::Enum(_) => writeln!(code, "wrong.filled(&field, {value} != 0);")?,
        _ => return Err(format!("{}: required, but 0 is a value", field.full_name()).into()),
    }
    Ok(())
}

/// What is checked of one field, or of each element of a list.
struct FieldRules {
    kind: Kind,
    name: String,
    required: bool,
    min_items: u64,
    max_items: Option<u64>,
    /// Rules of the value, by name.
    value: Vec<(String, Value)>,
}

impl FieldRules {
    fn new(field: &FieldDescriptor, rules: Option<DynamicMessage>) -> Result<Self> {
        let mut all = Self {
            kind: field.kind(),
            name: field.full_name().to_owned(),
            required: false,
            min_items: 0,
            max_items: None,
            value: Vec::new(),
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
                    let named = |(rule, value): (FieldDescriptor, &Value)| {
                        (rule.name().to_owned(), value.clone())
                    };
                    self.value = rules.fields().map(named).collect();
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
                ("items", _, Some(rules)) => self.read(rules)?,
                (other, ..) => return self.unknown(other),
            }
        }
        Ok(())
    }

    fn unknown<T>(&self, rule: &str) -> Result<T> {
        Err(format!("{}: the rule `{rule}` has no check", self.name).into())
    }

    /// The checks of one value: a mutable reference of this name.
    fn checks(&self, value: &str, is_checked: bool, at: &str) -> Result<String> {
        let mut code = match &self.kind {
            Kind::Message(_) if is_checked => format!("{value}.check(&{at}, wrong);\n"),
            _ => String::new(),
        };
        if self.value.is_empty() {
            return Ok(code);
        }
        code += &match &self.kind {
            Kind::Message(it) if it.full_name() == "google.protobuf.Duration" => {
                let (least, most) = self.range(micros)?;
                format!("wrong.keep_micros(&{at}, {value}, {least}..={most});\n")
            }
            Kind::String => self.text(value, at)?,
            Kind::Int32 | Kind::Int64 => {
                let (least, most) = self.whole_range()?;
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
        for (rule, max) in &self.value {
            let max = max.as_u64().unwrap_or_default();
            match rule.as_str() {
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
                ("not_in", Some([Value::I32(0)])) => {
                    writeln!(code, "wrong.filled(&{at}, *{value} != 0);")?;
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

    /// The ends of a range of whole numbers.
    fn whole_range(&self) -> Result<(i64, i64)> {
        let (least, most) = self.ends(whole)?;
        Ok((least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX)))
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

fn flag(rules: &DynamicMessage, name: &str) -> bool {
    let value = rules.get_field_by_name(name);
    value.and_then(|it| it.as_bool()) == Some(true)
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

/// The `oneof` that the compiler makes for an `optional` field.
fn is_synthetic(oneof: &OneofDescriptor) -> bool {
    oneof.fields().count() == 1 && oneof.name().starts_with('_')
}

/// The type of a message or an enum in Rust.
fn rust_path(full_name: &str) -> String {
    let name = full_name.trim_start_matches("stratagem.v1.");
    let mut parts: Vec<_> = name.split('.').map(str::to_owned).collect();
    let last = parts.len() - 1;
    for outer in &mut parts[..last] {
        *outer = snake(outer);
    }
    format!("pb::{}", parts.join("::"))
}

/// `HeistGoal` as `heist_goal`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}

/// `travel_cost` as `TravelCost`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut text = String::new();
    for word in &mut words {
        let mut characters = word.chars();
        text.extend(characters.next().map(|it| it.to_ascii_uppercase()));
        text.push_str(characters.as_str());
    }
    text
}
