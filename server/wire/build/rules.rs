//! Makes the checks of single fields from the rules in the contract: options `buf.validate`.
//!
//! A rule of a field that has no check here fails the build.

use field::FieldRules;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor,
};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

mod field;

const DURATION: &str = "google.protobuf.Duration";
/// Fields that name things, by name or full name: control characters and marks of text direction
/// are refused. A field that refers to a thing has a name that exists, or is a mistake anyway.
const NAMES: [&str; 7] = [
    "id",
    "job_id",
    "location_ids",
    "name",
    "origin_id",
    "stratagem.v1.HeistWorld.artifact_ids",
    "stratagem.v1.HeistWorld.key_ids",
];

fn is_name(field: &FieldDescriptor) -> bool {
    NAMES.contains(&field.name()) || NAMES.contains(&field.full_name())
}

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
    /// Names of the messages that requests are or have in them.
    asked: BTreeSet<String>,
    /// Names of the messages that are checked.
    checked: BTreeSet<String>,
}

impl Rules {
    fn new(pool: &DescriptorPool) -> Result<Self> {
        let mut rules = Self {
            pool: pool.clone(),
            asked: BTreeSet::new(),
            checked: BTreeSet::new(),
        };
        for method in pool
            .services()
            .flat_map(|service| service.methods().collect::<Vec<_>>())
        {
            rules.ask(&method.input());
        }
        let asked = |it: &MessageDescriptor| rules.asked.contains(it.full_name());
        let all: Vec<_> = pool.all_messages().filter(asked).collect();
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

    /// Notes a message, and those in it.
    fn ask(&mut self, message: &MessageDescriptor) {
        let is_ours = message.package_name() == "stratagem.v1";
        if is_ours && self.asked.insert(message.full_name().to_owned()) {
            for field in message.fields() {
                if let Kind::Message(inner) = field.kind() {
                    self.ask(&inner);
                }
            }
        }
    }

    fn has_rules(&self, message: &MessageDescriptor) -> Result<bool> {
        for field in message.fields() {
            if self.rules_of(&field)?.is_some() || self.is_checked(&field) || has_form(&field) {
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

    fn rules_of(&self, field: &FieldDescriptor) -> Result<Option<DynamicMessage>> {
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
            if field.containing_oneof().is_none_or(|it| it.is_synthetic()) {
                self.field(&field, code)?;
            }
        }
        for oneof in message.oneofs().filter(|it| !it.is_synthetic()) {
            self.oneof(message, &oneof, code)?;
        }
        code.push_str("}\n}\n");
        Ok(())
    }

    /// One field that is no part of a oneof.
    fn field(&self, field: &FieldDescriptor, code: &mut String) -> Result<()> {
        let rules = self.rules_of(field)?;
        if rules.is_none() && !self.is_checked(field) && !has_form(field) {
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
            let rules = self.rules_of(&field)?;
            let is_checked = self.is_checked(&field);
            if rules.is_none() && !is_checked && !has_form(&field) {
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
        min => writeln!(
            code,
            "wrong.require_elements(&field, self.{name}.len(), {min});"
        )?,
    }
    let checks = rules.checks("value", is_checked, "item")?;
    let elements = if checks.is_empty() {
        String::new()
    } else {
        format!(
            "for (index, value) in self.{name}.iter_mut().enumerate() {{\n\
             let item = field.index(index);\n{checks}}}\n"
        )
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

fn flag(rules: &DynamicMessage, name: &str) -> bool {
    let value = rules.get_field_by_name(name);
    value.and_then(|it| it.as_bool()) == Some(true)
}

/// Whether values of a field can be malformed, whatever its rules are.
fn has_form(field: &FieldDescriptor) -> bool {
    match field.kind() {
        Kind::Message(it) => it.full_name() == DURATION,
        Kind::String => is_name(field),
        _ => false,
    }
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
pub(super) fn snake(name: &str) -> String {
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
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut text = String::new();
    for word in &mut words {
        let mut characters = word.chars();
        text.extend(characters.next().map(|it| it.to_ascii_uppercase()));
        text.push_str(characters.as_str());
    }
    text
}
