//! Files: proto3 JSON, the same as YAML, and the formats of others.
//!
//! JSON and YAML follow the proto3 JSON mapping: durations are strings such as `"12.5s"`, enums are
//! names. Read are also durations such as `18m`, `1.5h` and `250ms`. Both spellings of a field are
//! read (`service_duration`, `serviceDuration`), and 64-bit integers as numbers or strings. Written
//! are the names of the `.proto` files, which are those of the server's error messages, and plain
//! numbers. Fields that do not exist and keys that are there twice are mistakes, with the line and
//! column.

pub mod durations;
pub mod heist;
pub mod json;
pub mod levels;
pub mod messages;
pub mod narrative;
pub mod patrol;
pub mod psplib;
pub mod solomon;
pub mod temporal;
pub mod vrplib;
pub mod yaml;

pub mod plans;
mod spans;
mod tree;

pub use messages::Described;

use prost_reflect::{DynamicMessage, MessageDescriptor};
use std::path::Path;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// proto3 JSON.
    Json,
    /// proto3 JSON, as YAML.
    Yaml,
    /// Solomon's text format for vehicle routing with time windows.
    Solomon,
    /// VRPLIB's text format for vehicle routing, which is only read.
    Vrplib,
    /// PSPLIB's or ProGen/max's text format for project scheduling, which is only read.
    Psplib,
    /// A map of tiles that is patrolled.
    Tiles,
    /// An instance of the literature on patrols, which is JSON with bare numbers.
    Literature,
}

impl Format {
    /// Those that problems are written in.
    pub const WRITTEN: [Self; 5] = [
        Self::Json,
        Self::Yaml,
        Self::Solomon,
        Self::Tiles,
        Self::Literature,
    ];

    /// The name, as in `convert --to`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Solomon => "solomon",
            Self::Vrplib => "vrplib",
            Self::Psplib => "psplib",
            Self::Tiles => "tiles",
            Self::Literature => "literature",
        }
    }

    /// The format that a file name ends in: `.json`, `.yaml`, `.yml`, `.txt`, `.vrp`, `.sm`,
    /// `.mm`, `.sch` or `.map`.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            "txt" => Some(Self::Solomon),
            "vrp" => Some(Self::Vrplib),
            "sm" | "mm" | "sch" => Some(Self::Psplib),
            "map" => Some(Self::Tiles),
            _ => None,
        }
    }

    /// The format that a text looks like. JSON is YAML too, so what is nothing else is YAML.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with(['{', '[']) {
            Self::Json
        } else if solomon::looks_like(text) {
            Self::Solomon
        } else if vrplib::looks_like(text) {
            Self::Vrplib
        } else if psplib::looks_like(text) {
            Self::Psplib
        } else if patrol::tiles::looks_like(text) {
            Self::Tiles
        } else {
            Self::Yaml
        }
    }
}

/// Why a text is not what it should be, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong; a lower-case sentence without a full stop.
    pub message: String,
    /// Line and column, both from 1, where they are known.
    pub at: Option<(usize, usize)>,
    /// Where in the document, as in `tasks[3].windows[0]`; empty at its top or where it is not
    /// known.
    pub path: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match self.at {
            Some((line, column)) => write!(f, " at line {line} column {column}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mistake {}

/// The text of a path: empty at the top of a document. What the reader does not know the name of (a
/// key that is refused) is left out.
fn path_text(path: &serde_path_to_error::Path) -> String {
    let text = path.to_string();
    text.trim_end_matches('?').trim_end_matches('.').to_owned()
}

/// Reads a message from JSON or YAML.
///
/// # Errors
/// The first mistake. Solomon's format says nothing but allocation problems: see [`solomon::read`].
pub fn read<M: Described>(text: &str, format: Format) -> Result<M, Mistake> {
    let message = read_dynamic(&messages::descriptor::<M>(), text, format)?;
    Ok(messages::typed(&message))
}

/// The same of a message of any type.
pub fn read_dynamic(
    kind: &MessageDescriptor,
    text: &str,
    format: Format,
) -> Result<DynamicMessage, Mistake> {
    match format {
        Format::Json => json::read_dynamic(kind, text),
        Format::Yaml => yaml::read_dynamic(kind, text),
        Format::Solomon => Err(foreign(
            "a Solomon file can only be a problem of allocation",
        )),
        Format::Vrplib => Err(foreign("a VRPLIB file can only be a problem of allocation")),
        Format::Psplib => Err(foreign("a PSPLIB file can only be a schedule")),
        Format::Tiles => Err(foreign("a map of tiles can only be a patrol problem")),
        Format::Literature => Err(foreign(
            "an instance of the literature can only be a patrol problem",
        )),
    }
}

/// The message that a document is, of several; the first where it cannot be read.
pub fn best_match<T>(
    kinds: Vec<(MessageDescriptor, T)>,
    text: &str,
    format: Format,
) -> Option<(MessageDescriptor, T)> {
    let tree = tree(text, format).unwrap_or(tree::Tree::Null);
    plans::best_match(kinds, &tree)
}

/// A mistake that has no place.
pub fn foreign(message: &str) -> Mistake {
    Mistake {
        message: message.into(),
        at: None,
        path: String::new(),
    }
}

/// The keys at the top of a JSON or YAML document; none where it is not a mapping.
#[must_use]
pub fn top_keys(text: &str, format: Format) -> Vec<String> {
    keys(tree(text, format))
}

/// The keys of what stands at the end of a path of keys, of a list in its first item; none where
/// that is not a mapping.
#[must_use]
pub fn keys_under(path: &[&str], text: &str, format: Format) -> Vec<String> {
    let mut found = tree(text, format);
    for key in path {
        let Some(tree::Tree::Map(entries)) = found else {
            return Vec::new();
        };
        let value = entries.into_iter().find(|(k, _)| k == key).map(|(_, v)| v);
        found = match value {
            Some(tree::Tree::List(items)) => items.into_iter().next(),
            other => other,
        };
    }
    keys(found)
}

fn tree(text: &str, format: Format) -> Option<tree::Tree> {
    match format {
        Format::Json | Format::Literature => json::tree(text).ok(),
        Format::Yaml => yaml::tree(text).ok(),
        Format::Solomon | Format::Vrplib | Format::Psplib | Format::Tiles => None,
    }
}

fn keys(tree: Option<tree::Tree>) -> Vec<String> {
    match tree {
        Some(tree::Tree::Map(entries)) => entries.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}
