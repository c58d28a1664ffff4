//! Fields of the request that parts of a domain came from.

use story::Reason;
use story::language::Form;
use stratagem_proto::v1 as pb;

/// A field, and which part of its text is meant, if it is a text of the language.
pub(super) struct Field<'g> {
    /// Path from the problem on; empty for the problem itself.
    pub path: String,
    pub text: Option<(&'g str, Form, String)>,
}

impl Field<'_> {
    fn plain(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: None,
        }
    }
}

/// The first step of a path: its name, its index, and what comes after it.
fn step(path: &str) -> (&str, usize, &str) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let (name, index) = first.split_once('[').unwrap_or((first, ""));
    let index = index.trim_end_matches(']').parse().unwrap_or(0);
    (name, index, rest)
}

/// The field that a mistake of a domain at this path is about.
pub(super) fn field<'g>(path: &str, reason: &Reason, given: &'g pb::StoryProblem) -> Field<'g> {
    let (name, index, rest) = step(path);
    let is_one = path.starts_with(&format!("{name}["));
    match name {
        "" => Field::plain(match reason {
            Reason::TooMany { what, .. } => list_of(what),
            _ => "",
        }),
        "types" if is_one => Field::plain(match rest {
            "" => format!("types[{index}].name"),
            entity => format!("types[{index}].{entity}.id"),
        }),
        "attributes" if is_one => {
            Field::plain(format!("attributes[{index}].{}", of_attribute(rest)))
        }
        "init" if is_one => {
            let text = given.settings.get(index).map(String::as_str);
            let text = text.map(|text| (text, Form::Setting, rest.to_owned()));
            let path = format!("settings[{index}]");
            Field { path, text }
        }
        "tables" if is_one => Field::plain(format!("tables[{index}]{}", of_table(rest, reason))),
        "actions" if is_one => of_action(index, rest, (reason, given)),
        "goals" if is_one => of_goal(index, rest, (reason, given)),
        "events" if is_one => Field::plain(format!("events[{index}]{}", of_event(rest, reason))),
        "sliders" => Field::plain(match reason {
            Reason::SliderRange { .. } => format!("sliders[{index}].factor"),
            _ => format!("sliders[{index}].action"),
        }),
        "actions_max" => Field::plain("max_acts"),
        "init" => Field::plain("settings"),
        other => Field::plain(other),
    }
}

/// The list that is too long, as the wire calls it.
fn list_of(what: &str) -> &'static str {
    match what {
        "types" => "types",
        "attributes" => "attributes",
        "values at the start" => "settings",
        "tables" => "tables",
        "actions" => "actions",
        "goals" => "goals",
        "params" => "parameters",
        "preconditions" => "preconditions",
        "effects" => "effects",
        "rules" => "rules",
        "texts" => "texts",
        _ => "events",
    }
}

fn of_attribute(rest: &str) -> &'static str {
    match step(rest).0 {
        "owner" => "type_name",
        "kind" => "values",
        "default" => "default_value",
        _ => "name",
    }
}

fn of_table(rest: &str, reason: &Reason) -> String {
    match (step(rest).0, reason) {
        ("default", _) => ".default_number".into(),
        ("entries", Reason::Believability { .. }) => format!(".{rest}.number"),
        ("entries", _) => format!(".{rest}.entity_id"),
        (_, Reason::TooMany { .. }) => ".entries".into(),
        _ => ".name".into(),
    }
}

fn of_event(rest: &str, reason: &Reason) -> String {
    match (step(rest), reason) {
        (("action", ..), _) => ".action".into(),
        (("args", index, _), _) => format!(".entity_ids[{index}]"),
        (_, Reason::EventArgs { .. }) => ".entity_ids".into(),
        _ => String::new(),
    }
}

type Context<'r, 'g> = (&'r Reason, &'g pb::StoryProblem);

fn of_action<'g>(index: usize, rest: &str, (reason, given): Context<'_, 'g>) -> Field<'g> {
    let action = given.actions.get(index);
    let at = format!("actions[{index}]");
    let (name, part, inner) = step(rest);
    let text = |list: Option<&'g Vec<String>>, form, inner: &str| {
        let text = list.and_then(|list| list.get(part));
        text.map(|text| (text.as_str(), form, inner.to_owned()))
    };
    match name {
        "preconditions" => Field {
            path: format!("{at}.preconditions[{part}]"),
            text: text(action.map(|a| &a.preconditions), Form::Expression, inner),
        },
        "effects" => Field {
            path: format!("{at}.effects[{part}]"),
            text: text(action.map(|a| &a.effects), Form::Effect, inner),
        },
        "believability" => {
            let (name, rule, inner) = step(inner);
            if name == "rules" {
                let text = action.and_then(|action| action.rules.get(rule));
                return Field {
                    path: format!("{at}.rules[{rule}]"),
                    text: text.map(|text| (text.as_str(), Form::Rule, inner.to_owned())),
                };
            }
            let text = action.map(|action| action.believability.as_str());
            Field {
                path: format!("{at}.believability"),
                text: text.map(|text| (text, Form::Expression, inner.to_owned())),
            }
        }
        "params" => Field::plain(match reason {
            Reason::Unknown { .. } => format!("{at}.parameters[{part}].type_name"),
            _ => format!("{at}.parameters[{part}].name"),
        }),
        "texts" => Field::plain(format!("{at}.texts[{part}]")),
        _ => Field::plain(match reason {
            Reason::TooMany { what, .. } => format!("{at}.{}", list_of(what)),
            _ => format!("{at}.name"),
        }),
    }
}

fn of_goal<'g>(index: usize, rest: &str, (reason, given): Context<'_, 'g>) -> Field<'g> {
    let at = format!("goals[{index}]");
    let (name, _, inner) = step(rest);
    let text = given.goals.get(index).map(|goal| goal.condition.as_str());
    match (name, reason) {
        ("weight", _) => Field::plain(format!("{at}.weight")),
        ("expr", _) => Field {
            path: format!("{at}.condition"),
            text: text.map(|text| (text, Form::Expression, inner.to_owned())),
        },
        (_, Reason::NeverHolds { .. }) => Field::plain(format!("{at}.condition")),
        _ => Field::plain(format!("{at}.name")),
    }
}
