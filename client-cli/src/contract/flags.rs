//! What of a request can be given by flags: its fields, and what the table lists.

use super::table::{OWN_PLANNER, ROWS, Row, VARIANTS};
use super::values::{Choice, choices};
use super::{Planner, about_field, is_plan, is_required};
use crate::exit::Failure;
use crate::input::Kind as Problem;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind as FieldKind, MessageDescriptor, MethodDescriptor, Value,
};

/// Writes a part of an answer as a text.
pub type Output = fn(&Problem, &DynamicMessage) -> Result<Option<String>, Failure>;

/// Reads the value of a field from a word of the command line.
pub(super) type Words = fn(&str) -> Result<Value, String>;

/// What a flag does.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Sets its field.
    Field,
    /// Sets its field to a hundredth of the value.
    Percent,
    /// Sets its field to what a function makes of the value.
    Words(Words),
    /// Is for the command itself: what a function makes of the value.
    Own(Words),
    /// Sets these fields to these values, in JSON, and takes no value.
    Set(&'static [(&'static str, &'static str)]),
    /// Sets its field to what is in a file.
    File(fn(&str) -> Result<Value, Failure>),
    /// Reads the request without its problem from a file.
    Rest,
    /// Which part of the plan is drawn, from 1.
    Part,
    /// Time goes by in the SVG picture.
    Animate,
    /// Writes a part of the answer to a file.
    Output(Output),
    /// Prints this for a number in place of the answer.
    Text(fn(&DynamicMessage, i64) -> String),
}

/// Something that can be given.
#[derive(Debug, Clone)]
pub struct Flag {
    /// Its name, as in `max-ties`.
    pub long: String,
    /// Earlier names.
    pub aliases: Vec<&'static str>,
    /// What the contract or the table states about it.
    pub help: String,
    /// What it does.
    pub kind: Kind,
    /// Names of fields from the request on; `problem` is the planner's.
    pub path: String,
    /// The last of them.
    pub field: Option<FieldDescriptor>,
    /// The flag without which it means nothing.
    pub requires: Option<&'static str>,
    /// Flags that exclude it.
    pub conflicts: Vec<&'static str>,
}

/// The flags of a method.
pub(super) fn flags(planner: &Planner, verb: &str, method: &MethodDescriptor) -> Vec<Flag> {
    let request = method.input();
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.is_of(planner, verb)).collect();
    let mut flags = if planner.name == OWN_PLANNER.0 {
        Vec::new()
    } else {
        of_fields(planner, &request, "", &rows)
    };
    let resolved = rows.iter().filter_map(|row| of_row(row, planner, &request));
    flags.extend(resolved);
    if let Some(variant) = VARIANTS.iter().find(|it| it.method == method.name()) {
        if !flags.iter().any(|flag| flag.long == variant.flag) {
            flags.push(Flag::new(variant.flag, variant.help, Kind::Set(&[])));
        }
        for flag in &mut flags {
            if flag.long == variant.flag {
                flag.conflicts = variant.conflicts.into();
            } else if !flag.path.starts_with("problem.") && !flag.path.starts_with("style.") {
                flag.requires = Some(variant.flag);
            }
        }
    }
    let is_drawn = ["plan", "plans"].map(|name| method.output().get_field_by_name(name));
    if is_drawn.iter().all(Option::is_none) {
        flags.retain(|flag| !flag.is_about_pictures());
    }
    flags
}

/// The flags of `render`.
pub(crate) fn of_pictures(planner: &Planner) -> Vec<Flag> {
    let rows = ROWS.iter().filter(|row| row.is_of(planner, "render"));
    let flags = rows.filter_map(|row| of_row(row, planner, &planner.problem));
    let drawn = |flag: &Flag| flag.is_about_pictures() || flag.path.starts_with("problem.");
    flags.filter(drawn).collect()
}

/// A flag for each field of a message that has a value of its own and is in no row.
fn of_fields(
    planner: &Planner,
    message: &MessageDescriptor,
    before: &str,
    rows: &[&Row],
) -> Vec<Flag> {
    let mut flags = Vec::new();
    for field in message.fields() {
        let path = format!("{before}{}", field.name());
        let is_common =
            ["problem", "options"].contains(&field.name()) || is_plan(&field, &planner.plans);
        if is_common || rows.iter().any(|row| row.sets(&path)) {
            continue;
        }
        let kind = field.kind();
        let is_value = kind.as_message().is_none_or(is_duration);
        if is_value && (!field.is_list() || kind.as_message().is_none()) {
            flags.push(of_field(&field, path));
        } else if let Some(inner) = kind.as_message().filter(|_| !field.is_list()) {
            flags.extend(of_fields(planner, inner, &format!("{path}."), rows));
        } else if before.is_empty() && is_required(&field) {
            let about = format!(
                "A JSON or YAML file with a `{}` without its problem, or `-` for stdin",
                message.name()
            );
            flags.push(Flag {
                field: Some(field.clone()),
                ..Flag::new(&kebab(field.name()), &about, Kind::Rest)
            });
        }
    }
    flags
}

/// The flag of a field: its name without what each name of its kind begins or ends with.
fn of_field(field: &FieldDescriptor, path: String) -> Flag {
    let name = field.name();
    let name = name.strip_suffix("_ids").unwrap_or(name);
    let name = name.strip_suffix("_id").unwrap_or(name);
    let is_flag = field.kind() == FieldKind::Bool;
    let bare = ["with_", "allow_", "use_"];
    let bare = bare.iter().find_map(|it| name.strip_prefix(it));
    let name = bare.filter(|_| is_flag).unwrap_or(name);
    // What is optional holds unless it is switched off.
    let is_off = is_flag && field.supports_presence();
    let long = kebab(&if is_off {
        format!("no_{name}")
    } else {
        name.to_owned()
    });
    Flag {
        path,
        field: Some(field.clone()),
        ..Flag::new(&long, &about_field(field), Kind::Field)
    }
}

fn of_row(row: &Row, planner: &Planner, request: &MessageDescriptor) -> Option<Flag> {
    let mut names = row.flag.split(' ');
    let long = names.next()?;
    let field = match row.path {
        "" | "problem" => None,
        path => Some(resolved(planner, request, path)?),
    };
    let reached = match row.kind {
        Kind::Set(fields) => fields.iter().all(|(path, _)| {
            let found = resolved(planner, request, path);
            found.is_some()
        }),
        _ => true,
    };
    let help = match (row.help, &field) {
        ("", Some(field)) => about_field(field),
        (help, _) => help.to_owned(),
    };
    reached.then(|| Flag {
        aliases: names.collect(),
        path: row.path.to_owned(),
        field,
        requires: matches!(row.kind, Kind::Animate).then_some("svg"),
        ..Flag::new(long, &help, row.kind)
    })
}

/// The field at the end of a path.
fn resolved(planner: &Planner, request: &MessageDescriptor, path: &str) -> Option<FieldDescriptor> {
    let mut names = path.split('.').peekable();
    let mut message = request.clone();
    if names.peek() == Some(&"problem") {
        names.next();
        message = planner.problem.clone();
    }
    let mut field = message.get_field_by_name(names.next()?)?;
    for name in names {
        field = field.kind().as_message()?.get_field_by_name(name)?;
    }
    Some(field)
}

impl Flag {
    fn new(long: &str, help: &str, kind: Kind) -> Self {
        Self {
            long: long.to_owned(),
            aliases: Vec::new(),
            help: help.to_owned(),
            kind,
            path: String::new(),
            field: None,
            requires: None,
            conflicts: Vec::new(),
        }
    }

    fn is_about_pictures(&self) -> bool {
        matches!(self.kind, Kind::Part | Kind::Animate | Kind::Output(_))
    }

    /// Whether it has a value.
    #[must_use]
    pub fn takes_value(&self) -> bool {
        match self.kind {
            Kind::Set(_) | Kind::Animate => false,
            Kind::Field => self.field.as_ref().map(FieldDescriptor::kind) != Some(FieldKind::Bool),
            _ => true,
        }
    }

    /// Whether it can be given several times.
    #[must_use]
    pub fn is_list(&self) -> bool {
        let Some(field) = &self.field else {
            return false;
        };
        let kind = field.kind();
        let message = kind.as_message();
        match self.kind {
            // Of a message with a choice, the second would replace the first.
            Kind::Words(_) => message.is_some_and(|it| it.oneofs().all(|it| it.is_synthetic())),
            Kind::File(_) => field.is_list() && message.is_some(),
            Kind::Field => field.is_list(),
            _ => false,
        }
    }

    /// Whether nothing can be asked without it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        let is_inner = self.path.contains('.') || self.requires.is_some();
        !is_inner && self.field.as_ref().is_some_and(is_required)
    }

    /// The words that it can be, where they are few.
    #[must_use]
    pub fn choices(&self) -> Option<Vec<Choice>> {
        let kind = self.field.as_ref()?.kind();
        kind.as_enum().map(choices)
    }

    /// The name of its value in the help.
    #[must_use]
    pub fn value_name(&self) -> &'static str {
        let field = self.field.as_ref();
        match (self.kind, field.map(FieldDescriptor::kind)) {
            (Kind::Rest | Kind::Output(_) | Kind::File(_), _) => "FILE",
            (Kind::Percent, _) => "PERCENT",
            (Kind::Words(_) | Kind::Own(_), _) => "VALUE",
            (_, Some(FieldKind::Enum(_))) => "KIND",
            (_, Some(FieldKind::Message(_))) => "TIME",
            (_, Some(FieldKind::String)) => "ID",
            _ => "N",
        }
    }
}

fn is_duration(kind: &MessageDescriptor) -> bool {
    kind.full_name() == "google.protobuf.Duration"
}

pub(super) fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::super::planner;
    use super::*;

    fn flag(noun: &str, verb: &str, long: &str) -> Flag {
        let verb = planner(noun).unwrap().verb_of(verb).unwrap();
        let mut flags = verb.flags.iter();
        flags.find(|flag| flag.long == long).unwrap().clone()
    }

    #[test]
    fn ranges_and_choices_are_those_of_the_contract() {
        let ties = flag("crew", "plan", "max-ties");
        assert_eq!(ties.read("1000"), Ok(Value::I32(1_000)));
        let wrong = "must be between 0 and 1000, got 1001";
        assert_eq!(ties.read("1001"), Err(wrong.into()));
        assert!(ties.read("1.5").is_err());
        assert!(ties.help.contains("0 to 1,000"), "{}", ties.help);
        let kinds = flag("heist", "design", "kinds");
        let choices = kinds.choices().unwrap().into_iter();
        let choices: Vec<_> = choices.map(|it| it.name).collect();
        assert_eq!(choices, ["cameras", "guards", "both", "patrols"]);
        let slack = flag("heist", "plan", "slack");
        assert_eq!(slack.read("1000"), Ok(Value::F64(10.0)));
        assert!(slack.read("1001").is_err());
    }

    #[test]
    fn what_a_method_needs_is_required() {
        assert!(flag("allocation", "insert", "task").is_required());
        assert!(!flag("allocation", "insert", "max-insertions").is_required());
        let moves = flag("crew", "compare", "moves");
        assert!(moves.is_required() && matches!(moves.kind, Kind::Rest));
    }

    #[test]
    fn a_row_of_the_table_stands_for_its_field() {
        for row in ROWS {
            let of = row.of_planner();
            let planner = planner(of).unwrap();
            let verbs = planner.verbs();
            let mut flags = verbs.iter().flat_map(|verb| &verb.flags);
            let name = row.flag.split(' ').next().unwrap();
            let is_there = flags.any(|flag| flag.long == name);
            let drawn = of_pictures(planner);
            assert!(
                is_there || drawn.iter().any(|it| it.long == name),
                "{of} --{name}"
            );
        }
    }
}
