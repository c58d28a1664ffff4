//! Messages of any type for people: names and values of fields, and lists as tables.

use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, numbers, objective};
use formats::messages;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use stratagem_proto::v1::Objective;
use stratagem_render::time::{micros, span_text};

/// Rows of a table that are shown.
const ROWS_MAX: usize = 200;
/// Ids in a cell that are shown.
const IDS_MAX: usize = 60;
/// How deep messages are shown.
const DEPTH_MAX: usize = 4;

/// How messages about a problem are shown.
pub(super) struct Shown<'a> {
    display: &'a Display,
    /// Labels of what has an id in the problem, where no two have the same.
    labels: HashMap<String, String>,
    /// What a plan costs that others are compared with.
    kept: Option<Objective>,
    /// Without lists in messages of messages.
    brief: bool,
}

impl<'a> Shown<'a> {
    /// With the names of a problem.
    pub(super) fn new(display: &'a Display, problem: &DynamicMessage) -> Self {
        let mut labels = HashMap::new();
        let mut seen = BTreeSet::new();
        label(problem, &mut seen, &mut labels);
        Self {
            display,
            labels,
            kept: None,
            brief: false,
        }
    }

    /// Names and values of a message, then what it has lists of; empty where nothing is set.
    pub(super) fn message(&mut self, message: &DynamicMessage, without: &[&str]) -> String {
        self.brief = message.has_field_by_name("plan");
        self.kept = crate::reflect::part(message, "kept_objective");
        self.fields(message, without, 0)
    }

    /// Names and values of a plan that are neither terms of its cost nor lists.
    pub(super) fn facts(&self, plan: &DynamicMessage, objective: Option<&Objective>) -> String {
        let terms = objective.map_or(&[][..], |objective| &objective.terms);
        let is_term = |name: &str| terms.iter().any(|it| it.name.replace('_', " ") == name);
        let rows = plan.fields().filter_map(|(field, value)| {
            let name = words(&field);
            let text = self.value(&field, value).filter(|_| !field.is_list())?;
            (!is_term(&name)).then_some((name, text))
        });
        let rows: Vec<_> = rows.collect();
        self.pairs(&rows)
    }

    fn pairs(&self, rows: &[(String, String)]) -> String {
        let rows = rows
            .iter()
            .map(|(name, text)| (name.as_str(), text.clone()));
        pairs(&rows.collect::<Vec<_>>(), self.display.terminal_width)
    }

    fn fields(&self, message: &DynamicMessage, without: &[&str], depth: usize) -> String {
        let mut rows: Vec<(String, String)> = Vec::new();
        let mut blocks = String::new();
        for (field, value) in message.fields() {
            if without.contains(&field.name()) {
                continue;
            }
            let name = words(&field);
            if let Some(text) = self.value(&field, value) {
                rows.push((name, text));
                continue;
            }
            let block = match value {
                Value::List(_) if self.brief && depth > 0 => String::new(),
                Value::List(items) => self.list(items),
                Value::Message(inner) if depth < DEPTH_MAX => self.fields(inner, &[], depth + 1),
                _ => String::new(),
            };
            if !block.is_empty() {
                let title = self.display.styled(Style::Heading, &name);
                let _ = write!(blocks, "\n{title}\n{}", indented(&block));
            }
        }
        self.pairs(&rows) + &blocks
    }

    /// The lists of a message as tables, the names of lists above where there are several.
    pub(super) fn tables(&self, message: &DynamicMessage) -> String {
        let lists = message.fields().filter_map(|(field, value)| {
            let table = self.list(value.as_list()?);
            (!table.is_empty()).then(|| (words(&field), table))
        });
        let lists: Vec<_> = lists.collect();
        if let [(_, table)] = lists.as_slice() {
            return table.clone();
        }
        let title = |name: &str| self.display.styled(Style::Heading, name);
        let texts = lists
            .iter()
            .map(|(name, table)| format!("{}\n{table}", title(name)));
        texts.collect::<Vec<_>>().join("\n")
    }

    /// A list of messages: their texts, or a table of what any of them has.
    pub(super) fn list(&self, items: &[Value]) -> String {
        let items: Vec<&DynamicMessage> = items.iter().filter_map(Value::as_message).collect();
        let Some(first) = items.first() else {
            return String::new();
        };
        let texts: Vec<String> = items.iter().filter_map(|item| own_text(item)).collect();
        let mut out = String::new();
        if texts.len() == items.len() {
            for text in texts.iter().take(ROWS_MAX) {
                let _ = writeln!(out, "{text}");
            }
        } else {
            let mut fields: Vec<_> = first.descriptor().fields().collect();
            fields.retain(|field| items.iter().any(|it| it.has_field(field)));
            // What is long comes last.
            fields.sort_by_key(FieldDescriptor::is_list);
            out = self.table(&fields, &items);
        }
        if items.len() > ROWS_MAX {
            let _ = writeln!(out, "and {} more: see -o json", items.len() - ROWS_MAX);
        }
        out
    }

    fn table(&self, fields: &[FieldDescriptor], items: &[&DynamicMessage]) -> String {
        let columns = fields.iter().map(|field| {
            let heading = words(field).to_uppercase();
            let is_text = matches!(field.kind(), Kind::String | Kind::Enum(_)) || field.is_list();
            if is_text {
                text(heading)
            } else {
                figures(heading)
            }
        });
        let mut table = Table::new(columns.collect());
        for item in items.iter().take(ROWS_MAX) {
            let cells = fields.iter().map(|field| {
                let is_set = item.has_field(field) || !field.supports_presence();
                let value = is_set.then(|| item.get_field(field));
                let cell = value.map(|value| self.cell(field, &value));
                cell.unwrap_or_default()
            });
            table.push(&cells.collect::<Vec<_>>());
        }
        table.text(self.display)
    }

    fn cell(&self, field: &FieldDescriptor, value: &Value) -> String {
        if let Some(text) = self.value(field, value) {
            return text;
        }
        match value {
            Value::List(items) => self.chain(items),
            Value::Message(inner) => {
                let values = inner.fields().filter_map(|(field, value)| {
                    let text = self.value(&field, value)?;
                    Some(format!("{} {text}", words(&field)))
                });
                values.collect::<Vec<_>>().join(", ")
            }
            _ => String::new(),
        }
    }

    /// What a list consists of: ids in a row, or their number where they have none.
    fn chain(&self, items: &[Value]) -> String {
        let arrow = if self.display.ascii { " > " } else { " → " };
        let ids: Vec<String> = items.iter().filter_map(|item| self.id_of(item)).collect();
        if ids.is_empty() || ids.len() < items.len() {
            return items.len().to_string();
        }
        let rest = ids.len().saturating_sub(IDS_MAX);
        let shown = ids[..ids.len() - rest].join(arrow);
        if rest > 0 {
            return format!("{shown} and {rest} more");
        }
        shown
    }

    /// The id of what a message is about.
    fn id_of(&self, item: &Value) -> Option<String> {
        let message = item.as_message()?;
        let mut fields = message.fields();
        let (_, id) = fields.find(|(field, _)| is_id(field))?;
        Some(printable(id.as_str()?))
    }

    /// A value in a word or a few; `None` for what consists of parts.
    fn value(&self, field: &FieldDescriptor, value: &Value) -> Option<String> {
        Some(match value {
            Value::Bool(holds) => {
                let words = ["no", "yes"];
                words[usize::from(*holds)].to_owned()
            }
            Value::I32(number) => numbers::count((*number).into()),
            Value::I64(number) => numbers::count(*number),
            Value::U32(number) => numbers::count((*number).into()),
            Value::F64(number) if is_share(field) => numbers::percent(*number),
            Value::F64(number) => numbers::number(*number),
            Value::String(text) => {
                let label = self.labels.get(text).filter(|_| is_id(field));
                printable(label.unwrap_or(text))
            }
            Value::EnumNumber(number) => enum_word(field, *number).replace('_', " "),
            Value::List(items) if field.kind().as_message().is_none() => {
                let all = items.iter().filter_map(|item| self.value(field, item));
                all.collect::<Vec<_>>().join(", ")
            }
            Value::Message(message) => return self.message_text(message),
            _ => return None,
        })
    }

    fn message_text(&self, message: &DynamicMessage) -> Option<String> {
        match message.descriptor().full_name() {
            "google.protobuf.Duration" => {
                let duration: prost_types::Duration = message.transcode_to().ok()?;
                Some(span_text(micros(Some(&duration))))
            }
            "stratagem.v1.Objective" => {
                let cost: Objective = messages::typed(message);
                Some(match self.kept.as_ref().filter(|kept| **kept != cost) {
                    Some(kept) => objective::change(kept, &cost),
                    None => objective::full(&cost, &[]).0,
                })
            }
            _ => own_text(message),
        }
    }
}

/// What a message states about itself.
fn own_text(message: &DynamicMessage) -> Option<String> {
    let text = ["message", "summary"].iter().find_map(|name| {
        let value = message.get_field_by_name(name)?;
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(printable)
    });
    text.filter(|_| !message.fields().any(|(_, value)| value.as_list().is_some()))
}

/// The name of a field in words.
fn words(field: &FieldDescriptor) -> String {
    let name = field.name();
    let suffixes = ["_offset", "_ids", "_id"];
    let bare = suffixes.iter().find_map(|it| name.strip_suffix(it));
    bare.unwrap_or(name).replace('_', " ")
}

fn is_id(field: &FieldDescriptor) -> bool {
    field.kind() == Kind::String
        && (field.name().ends_with("_id") || field.name().ends_with("_ids"))
}

fn is_share(field: &FieldDescriptor) -> bool {
    let name = field.name();
    let ends = ["probability", "share", "predictability"];
    name.starts_with("rate_") || ends.iter().any(|end| name.ends_with(end))
}

/// A member of an enum without what all names of that begin with.
pub(super) fn enum_word(field: &FieldDescriptor, number: i32) -> String {
    let kind = field.kind();
    let Some(of) = kind.as_enum() else {
        return number.to_string();
    };
    let none = of.default_value();
    let before = none.name().trim_end_matches("UNSPECIFIED");
    let value = of.get_value(number);
    value.map_or(number.to_string(), |value| {
        let name = value.name();
        name.strip_prefix(before)
            .unwrap_or(name)
            .to_ascii_lowercase()
    })
}

fn indented(text: &str) -> String {
    let line = |line: &str| match line {
        "" => "\n".to_owned(),
        line => format!("  {line}\n"),
    };
    text.lines().map(line).collect()
}

/// Collects labels of messages that have an id.
fn label(
    message: &DynamicMessage,
    seen: &mut BTreeSet<String>,
    labels: &mut HashMap<String, String>,
) {
    let of = |name: &str| {
        let value = message.get_field_by_name(name)?;
        value
            .as_str()
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
    };
    if let Some(id) = of("id") {
        let is_new = seen.insert(id.clone());
        match of("label") {
            Some(label) if is_new => {
                labels.insert(id, label);
            }
            _ => {
                labels.remove(&id);
            }
        }
    }
    for (_, value) in message.fields() {
        match value {
            Value::Message(inner) => label(inner, seen, labels),
            Value::List(items) => {
                let items = items.iter().filter_map(Value::as_message);
                items.for_each(|item| label(item, seen, labels));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        CompareCrewMovesResponse, CrewMover, CrewTimeLoss, ScheduleActivity, SchedulePlan,
        ScheduleProblem, ScheduledActivity,
    };
    use stratagem_render::time::from_micros;

    #[test]
    fn lists_are_tables_with_labels_and_durations_in_units() {
        let problem = ScheduleProblem {
            activities: vec![ScheduleActivity {
                id: "a".into(),
                label: "Dig".into(),
                ..ScheduleActivity::default()
            }],
            ..ScheduleProblem::default()
        };
        let placed = |id: &str, seconds: i64| ScheduledActivity {
            activity_id: id.into(),
            start_offset: Some(from_micros(seconds * 1_000_000)),
            ..ScheduledActivity::default()
        };
        let plan = SchedulePlan {
            activities: vec![placed("a", 0), placed("b\u{1b}", 90)],
            ..SchedulePlan::default()
        };
        let shown = Shown::new(&Display::PLAIN, &messages::described(&problem));
        let expected = "ACTIVITY  START\nDig          0s\nb?        1m30s\n";
        assert_eq!(shown.tables(&messages::described(&plan)), expected);
    }

    #[test]
    fn fields_are_named_and_messages_in_them_are_indented() {
        let answer = CompareCrewMovesResponse {
            worst_duration: Some(from_micros(17_000_000)),
            time_loss: Some(CrewTimeLoss {
                way_duration: Some(from_micros(4_000_000)),
                ..CrewTimeLoss::default()
            }),
            movers: vec![CrewMover {
                player_id: "p1".into(),
                walk_damage: 2.5,
                ..CrewMover::default()
            }],
            ..CompareCrewMovesResponse::default()
        };
        let none = messages::described(&ScheduleProblem::default());
        let text = Shown::new(&Display::PLAIN, &none).message(&messages::described(&answer), &[]);
        let expected = "\
worst duration  17s

time loss
  way duration  4s

movers
  PLAYER  WALK DAMAGE
  p1              2.5
";
        assert_eq!(text, expected);
    }
}
