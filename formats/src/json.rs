//! proto3 JSON.

use super::messages::{Described, compact, described, descriptor, deserialize, typed};
use super::tree::Tree;
use super::words::unmarked;
use super::{Mistake, path_text, spans};
use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde::de::DeserializeOwned;
use serde_path_to_error::Track;

/// Columns that an object or list may take to stand on one line.
const LINE_MAX: usize = 100;

/// Reads a message.
///
/// # Errors
/// The first mistake, with line and column: no JSON, a field that does not exist or is there twice,
/// a value of the wrong type.
pub fn read<M: Described>(text: &str) -> Result<M, Mistake> {
    read_dynamic(&descriptor::<M>(), text).map(|message| typed(&message))
}

/// The same of a message of any type.
pub(super) fn read_dynamic(
    kind: &MessageDescriptor,
    text: &str,
) -> Result<DynamicMessage, Mistake> {
    let text = unmarked(text);
    // Twice: the reader of messages lets the last of two equal keys win.
    let tree = tree(text)?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    let message = match deserialize(kind, tracked) {
        Ok(message) => message,
        Err(e) => {
            let wrong = Mistake {
                path: path_text(&track.path()),
                ..mistake(&e)
            };
            // The reader of messages knows durations in seconds only.
            return spans::read(kind, tree).unwrap_or(Err(wrong));
        }
    };
    deserializer.end().map_err(|e| mistake(&e))?;
    Ok(message)
}

/// Writes a message for people: indented, with what fits on a line on one line.
///
/// # Errors
/// A duration beyond ten thousand years.
pub fn write<M: Described>(message: &M) -> Result<String, Mistake> {
    write_dynamic(&described(message))
}

/// The same of a message of any type.
pub fn write_dynamic(message: &DynamicMessage) -> Result<String, Mistake> {
    let mut text = String::new();
    pretty(&mut text, &written(message)?, 0, 0);
    text.push('\n');
    Ok(text)
}

/// Writes a document that is no message, as [`write()`] does: keys with their values, in this
/// order.
#[must_use]
pub fn object(keys: Vec<(&str, serde_json::Value)>) -> String {
    let tree = |value: serde_json::Value| tree(&value.to_string()).unwrap_or(Tree::Null);
    let keys = keys
        .into_iter()
        .map(|(key, value)| (key.to_owned(), tree(value)));
    let mut text = String::new();
    pretty(&mut text, &Tree::Map(keys.collect()), 0, 0);
    text.push('\n');
    text
}

/// Writes a message on one line, without a line end.
///
/// # Errors
/// A duration beyond ten thousand years.
pub fn line<M: Described>(message: &M) -> Result<String, Mistake> {
    line_dynamic(&described(message))
}

/// The same of a message of any type.
pub fn line_dynamic(message: &DynamicMessage) -> Result<String, Mistake> {
    Ok(flat(&written(message)?))
}

/// A document that is no message, by its type.
pub(super) fn document<T: DeserializeOwned>(text: &str) -> Result<T, Mistake> {
    let mut deserializer = serde_json::Deserializer::from_str(unmarked(text));
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    T::deserialize(tracked).map_err(|e| Mistake {
        path: path_text(&track.path()),
        ..mistake(&e)
    })
}

/// A document in the order of its keys.
pub(super) fn tree(text: &str) -> Result<Tree, Mistake> {
    serde_json::from_str(text).map_err(|e| mistake(&e))
}

/// A message as the tree that is written, in JSON and in YAML.
pub(super) fn written(message: &DynamicMessage) -> Result<Tree, Mistake> {
    let text = compact(message).map_err(|e| mistake(&e))?;
    let mut tree = tree(&text)?;
    whole_numbers(&mut tree);
    Ok(tree)
}

/// Floating-point numbers that are whole are written without a point: 35, not 35.0.
fn whole_numbers(tree: &mut Tree) {
    match tree {
        // Whole numbers below 2^53 are the same as integers; there is no integer for -0.
        Tree::Float(f)
            if f.fract() == 0.0 && f.abs() < 9e15 && (*f != 0.0 || f.is_sign_positive()) =>
        {
            *tree = Tree::Int(*f as i128);
        }
        Tree::List(items) => items.iter_mut().for_each(whole_numbers),
        Tree::Map(entries) => entries.iter_mut().for_each(|(_, v)| whole_numbers(v)),
        _ => {}
    }
}

/// Writes a tree at an indentation, after `used` columns of its first line.
fn pretty(text: &mut String, tree: &Tree, indent: usize, used: usize) {
    let simple = |t: &Tree| !matches!(t, Tree::List(_) | Tree::Map(_));
    let flat_enough = match tree {
        Tree::List(items) => items.len() == 1 || items.iter().all(simple),
        Tree::Map(entries) => indent > 0 && entries.len() <= 4,
        _ => true,
    };
    let line = flat(tree);
    // One column for the comma.
    if flat_enough && used + line.chars().count() < LINE_MAX || simple(tree) {
        text.push_str(&line);
        return;
    }
    let (open, close) = match tree {
        Tree::List(_) => ('[', ']'),
        _ => ('{', '}'),
    };
    let inner = indent + 2;
    text.push(open);
    let mut first = true;
    let mut item = |text: &mut String, key: Option<&str>, value: &Tree| {
        text.push_str(if first { "\n" } else { ",\n" });
        first = false;
        let key = key.map_or(String::new(), |k| format!("{}: ", quoted(k)));
        text.push_str(&" ".repeat(inner));
        text.push_str(&key);
        pretty(text, value, inner, inner + key.chars().count());
    };
    match tree {
        Tree::List(items) if items.iter().all(simple) => packed(text, items, inner),
        Tree::List(items) => items.iter().for_each(|v| item(text, None, v)),
        Tree::Map(entries) => entries.iter().for_each(|(k, v)| item(text, Some(k), v)),
        _ => {}
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

/// Numbers or texts, as many on a line as fit.
fn packed(text: &mut String, items: &[Tree], indent: usize) {
    let mut used = LINE_MAX;
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { "" };
        let item = flat(item) + comma;
        let columns = item.chars().count();
        if used + 1 + columns > LINE_MAX {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            used = indent;
        } else {
            text.push(' ');
            used += 1;
        }
        text.push_str(&item);
        used += columns;
    }
}

/// A tree on one line.
pub(super) fn flat(tree: &Tree) -> String {
    match tree {
        Tree::List(items) => {
            let items: Vec<_> = items.iter().map(flat).collect();
            format!("[{}]", items.join(", "))
        }
        Tree::Map(entries) if entries.is_empty() => "{}".into(),
        Tree::Map(entries) => {
            let entry = |(k, v): &(String, Tree)| format!("{}: {}", quoted(k), flat(v));
            let entries: Vec<_> = entries.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Tree::Text(text) => quoted(text),
        scalar => serde_json::to_string(scalar).unwrap_or_else(|_| "null".into()),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// An error of serde as ours: its own text ends in the position.
pub(super) fn mistake(error: &serde_json::Error) -> Mistake {
    let message = error.to_string();
    let at = (error.line() > 0).then(|| (error.line(), error.column().max(1)));
    let position = at.map(|_| format!(" at line {} column {}", error.line(), error.column()));
    let message = position
        .and_then(|p| message.strip_suffix(&p).map(str::to_owned))
        .unwrap_or(message);
    Mistake {
        message,
        at,
        path: String::new(),
    }
}
