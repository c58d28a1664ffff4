//! Durations as people write them, `18m` or `1.5h`, where the proto3 JSON mapping has seconds only.

use super::json::mistake;
use super::messages::deserialize;
use super::tree::Tree;
use super::{Mistake, path_text};
use crate::durations::parse_span;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};
use serde_path_to_error::Track;

/// Reads a document again in which durations are not all in seconds; `None`: they are.
pub(super) fn read(
    kind: &MessageDescriptor,
    mut tree: Tree,
) -> Option<Result<DynamicMessage, Mistake>> {
    if !in_seconds(kind, &mut tree) {
        return None;
    }
    let text = serde_json::to_string(&tree).ok()?;
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let message = deserialize(kind, tracked);
    // Lines and columns would be those of another text.
    Some(message.map_err(|e| Mistake {
        path: path_text(&track.path()),
        at: None,
        ..mistake(&e)
    }))
}

/// Writes all durations of a message in seconds; whether there were others.
fn in_seconds(kind: &MessageDescriptor, tree: &mut Tree) -> bool {
    let Tree::Map(entries) = tree else {
        return false;
    };
    let mut changed = false;
    for (key, value) in entries {
        let field = kind.get_field_by_name(key);
        if let Some(field) = field.or_else(|| kind.get_field_by_json_name(key)) {
            changed |= of_field(&field, value);
        }
    }
    changed
}

fn of_field(field: &FieldDescriptor, value: &mut Tree) -> bool {
    let Kind::Message(kind) = field.kind() else {
        return false;
    };
    let mut changed = false;
    match value {
        Tree::List(items) => {
            for item in items {
                changed |= of_value(&kind, item);
            }
        }
        Tree::Map(entries) if field.is_map() => {
            let of = kind.map_entry_value_field().kind();
            for (_, value) in entries {
                changed |= of.as_message().is_some_and(|kind| of_value(kind, value));
            }
        }
        value => changed = of_value(&kind, value),
    }
    changed
}

fn of_value(kind: &MessageDescriptor, value: &mut Tree) -> bool {
    if kind.full_name() != "google.protobuf.Duration" {
        return in_seconds(kind, value);
    }
    let seconds = match value {
        Tree::Text(text) => seconds(text),
        _ => None,
    };
    let changed = seconds.is_some();
    if let Some(seconds) = seconds {
        *value = Tree::Text(seconds);
    }
    changed
}

/// A span with another unit than seconds, in seconds; `None`: it is none.
fn seconds(text: &str) -> Option<String> {
    let (sign, span) = match text.trim().strip_prefix('-') {
        Some(span) => ("-", span),
        None => ("", text.trim()),
    };
    let unit = span.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if unit.is_empty() || unit == "s" {
        return None;
    }
    let micros = parse_span(span).ok()?;
    Some(format!(
        "{sign}{}.{:06}s",
        micros / 1_000_000,
        micros % 1_000_000
    ))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn spans_become_seconds() {
        let wanted = [
            ("18m", "1080.000000s"),
            ("1.5h", "5400.000000s"),
            ("250ms", "0.250000s"),
            ("-2 min", "-120.000000s"),
            ("1 day", "86400.000000s"),
        ];
        for (text, plain) in wanted {
            assert_eq!(seconds(text).as_deref(), Some(plain), "{text}");
        }
        for text in ["18s", "18", "soon", "", "1 moon", "-", "m"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
