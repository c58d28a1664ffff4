//! Answers for people and programs, and what a terminal can show.

pub mod answer;
pub mod check;
pub mod context;
pub mod files;
pub mod heist;
pub mod job;
pub mod narrative;
pub mod numbers;
pub mod objective;
pub mod progress;
pub mod puzzle;
pub mod server;
pub mod size;
pub mod solve;
pub mod story;
pub mod table;
pub mod temporal;

mod fields;
mod report;
mod unserved;

pub use size::{heading, heading_of};

use crate::args::{ColorChoice, DisplayArgs, OutputFormat};
use crate::exit::{Exit, Failure};
use formats::{Described, json, messages, yaml};
use prost_reflect::DynamicMessage;
use serde::Serialize;
use std::env;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};

/// Columns of pictures where there is no terminal.
const WIDTH_DEFAULT: usize = 100;

/// How answers look here and now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Display {
    /// The format that was asked for, if any.
    pub format: Option<OutputFormat>,
    /// ANSI colours on stdout.
    pub colour: bool,
    /// ANSI colours on stderr.
    pub progress_colour: bool,
    /// Columns of stdout where it is a terminal.
    pub terminal_width: Option<usize>,
    /// A line that is painted over and over makes sense on stderr.
    pub live: bool,
    /// Only ASCII characters in drawings.
    pub ascii: bool,
    /// No progress.
    pub quiet: bool,
}

/// Rules that cannot be satisfied together: a title, a sentence for each, and whether all are
/// needed.
fn clash(display: &Display, title: &str, rules: &[String], minimal: bool) -> String {
    let mut out = format!("\n{}\n", display.styled(Style::Bad, title));
    for (n, rule) in rules.iter().enumerate() {
        let _ = writeln!(out, "{:>3}. {}", n + 1, table::printable(rule));
    }
    let need = ["Not all of these rules may be", "Each of these rules is"];
    if !rules.is_empty() {
        let _ = writeln!(out, "{} needed for the clash.", need[usize::from(minimal)]);
    }
    out
}

impl Display {
    /// No terminal, no wishes.
    pub const PLAIN: Self = Self {
        format: None,
        colour: false,
        progress_colour: false,
        terminal_width: None,
        live: false,
        ascii: false,
        quiet: false,
    };

    /// Looks at the terminal and the environment.
    #[must_use]
    pub fn new(args: &DisplayArgs) -> Self {
        let plain = env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || env::var_os("TERM").is_some_and(|v| v == "dumb");
        let colour = |terminal: bool| match args.color {
            ColorChoice::Auto => terminal && !plain,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
        let size = console::Term::stdout().size_checked();
        let columns = size.map(|(_, columns)| usize::from(columns));
        Self {
            format: args.output,
            colour: colour(stdout.is_terminal()),
            progress_colour: colour(stderr.is_terminal()),
            terminal_width: columns.filter(|_| stdout.is_terminal()),
            live: stderr.is_terminal() && env::var_os("TERM").is_none_or(|v| v != "dumb"),
            ascii: args.ascii,
            quiet: args.quiet,
        }
    }

    /// The format that was asked for, or the table.
    #[must_use]
    pub fn format(&self) -> OutputFormat {
        self.format.unwrap_or(OutputFormat::Table)
    }

    /// Refuses formats for programs where a command has text only; `other` is one that has data.
    ///
    /// # Errors
    /// Such a format was asked for.
    pub fn refuse_data(&self, command: &str, other: &str) -> Result<(), Failure> {
        if self.format() == OutputFormat::Table {
            return Ok(());
        }
        let message = format!("`{command}` prints text; for data see `{other}`");
        Err(Failure::usage(message))
    }

    /// Columns for pictures.
    #[must_use]
    pub fn width(&self) -> usize {
        self.terminal_width.unwrap_or(WIDTH_DEFAULT)
    }

    /// A text in an ANSI style, where there are colours.
    #[must_use]
    pub fn styled(&self, style: Style, text: &str) -> String {
        if self.colour {
            format!("\u{1b}[{}m{text}\u{1b}[0m", style.code())
        } else {
            text.to_owned()
        }
    }
}

/// Styles by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A heading.
    Heading,
    /// All is well.
    Good,
    /// Not what one hopes for.
    Doubtful,
    /// It went wrong.
    Bad,
    /// Of less importance.
    Faint,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Heading => "1",
            Self::Good => "32",
            Self::Doubtful => "33",
            Self::Bad => "31",
            Self::Faint => "2",
        }
    }
}

/// Writes a message to stdout in a format other than the table; `Ok(false)` for the table, which is
/// the caller's.
///
/// # Errors
/// Stdout does not take it.
pub fn message<M: Described>(format: OutputFormat, message: &M) -> Result<bool, Failure> {
    let is_asked_for = format != OutputFormat::Table;
    if is_asked_for {
        dynamic(format, &messages::described(message))?;
    }
    Ok(is_asked_for)
}

/// Several messages as one JSON document, a line each.
///
/// # Errors
/// A message that JSON cannot express.
pub fn json_list<M: Described>(messages: &[M]) -> Result<String, Failure> {
    let lines: Result<Vec<_>, _> = messages.iter().map(json::line).collect();
    let lines = lines.map_err(|m| Failure::new(Exit::IO, m.message))?;
    Ok(format!("[\n  {}\n]\n", lines.join(",\n  ")))
}

/// Writes a message of any type as it was asked for; as JSON where a table was.
///
/// # Errors
/// Stdout does not take it.
pub(crate) fn dynamic(format: OutputFormat, message: &DynamicMessage) -> Result<(), Failure> {
    let text = match format {
        OutputFormat::Table | OutputFormat::Json => json::write_dynamic(message),
        OutputFormat::Yaml => yaml::write_dynamic(message),
        OutputFormat::Ndjson => json::line_dynamic(message).map(|line| line + "\n"),
    };
    print(&text.map_err(|m| Failure::new(Exit::IO, m.message))?)
}

/// Writes what is no message of the contract as it was asked for; as JSON where a table was.
///
/// # Errors
/// Stdout does not take it.
pub fn plain(format: OutputFormat, value: &impl Serialize) -> Result<(), Failure> {
    let failed = |e: &dyn std::fmt::Display| Failure::new(Exit::IO, e.to_string());
    let text = match format {
        OutputFormat::Yaml => serde_saphyr::to_string(value).map_err(|e| failed(&e))?,
        OutputFormat::Ndjson => serde_json::to_string(value).map_err(|e| failed(&e))? + "\n",
        OutputFormat::Table | OutputFormat::Json => {
            serde_json::to_string_pretty(value).map_err(|e| failed(&e))? + "\n"
        }
    };
    print(&text)
}

/// Writes a text to stdout at once.
///
/// # Errors
/// Stdout does not take it.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// The same of bytes.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
