//! What the user gives: a file, stdin or an example, in any format, as a message of the contract.

mod heist;
mod job;
mod levels;
mod plan;
mod problem;

pub use heist::deeds_of_file;
pub use job::job;
pub use levels::{Levels, avoided, levels, template, weights};
pub use plan::{drawn_for, message, message_of, plan, plan_for};
pub use problem::{Kind, built_in, example, problem, problem_for, problem_of};
pub(crate) use problem::{refuse_foreign, remote};

use crate::exit::{Exit, Failure};
use formats::{Format, Mistake};
use std::io::Read;
use std::path::Path;

/// Largest file that is read.
const BYTES_MAX: u64 = 256 << 20;
/// Most mistakes of a file that are listed.
const MISTAKES_MAX: usize = 20;
/// Columns of a line that are shown with a mistake.
const EXCERPT: usize = 76;

/// A text, and where it came from.
pub struct Text {
    /// For messages: the file's name, `stdin` or the example's name.
    pub name: String,
    /// The text.
    pub text: String,
    /// How it is written.
    pub format: Format,
}

/// Reads a file or, for `-`, stdin, whatever is in it.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is no text.
pub fn plain(source: &str) -> Result<String, Failure> {
    text(source).map(|text| text.text)
}

/// Refuses to read more than one thing from stdin.
///
/// # Errors
/// [`Exit::USAGE`] where several of them are `-`.
pub fn one_stdin(sources: &[Option<&str>]) -> Result<(), Failure> {
    if sources.iter().filter(|one| **one == Some("-")).count() > 1 {
        return Err(Failure::usage("only one file can be stdin"));
    }
    Ok(())
}

/// Reads a file or, for `-`, stdin.
fn text(source: &str) -> Result<Text, Failure> {
    let (name, bytes) = if source == "-" {
        ("stdin".to_owned(), bounded(std::io::stdin().lock()))
    } else {
        let file = std::fs::File::open(source);
        (source.to_owned(), file.and_then(bounded))
    };
    let bytes = bytes.map_err(|e| Failure::usage(format!("cannot read {name}: {e}")))?;
    let mut text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..at].iter().filter(|b| **b == b'\n').count();
        Failure::new(
            Exit::INVALID,
            format!("{name}:{line}: no UTF-8 text after byte {at}"),
        )
    })?;
    // Some editors begin files with a mark, which is no part of any format.
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    let known = (source != "-")
        .then(|| Format::of_name(Path::new(source)))
        .flatten();
    // A .txt file may hold anything; other names are taken at their word.
    let format = match known {
        Some(format @ (Format::Json | Format::Yaml)) => format,
        _ if text.trim().is_empty() => {
            return Err(Failure::new(Exit::INVALID, format!("{name} is empty")));
        }
        Some(Format::Solomon) if Format::of_text(&text) != Format::Yaml => Format::of_text(&text),
        Some(format) => format,
        None => Format::of_text(&text),
    };
    Ok(Text { name, text, format })
}

fn bounded(reader: impl Read) -> std::io::Result<Vec<u8>> {
    at_most(BYTES_MAX, reader)
}

/// All bytes of a reader; more than the limit are an error, since a truncated part would go
/// unnoticed.
fn at_most(bytes_max: u64, reader: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let size = match bytes_max >> 20 {
            0 => format!("{} KiB", bytes_max >> 10),
            mib => format!("{mib} MiB"),
        };
        return Err(std::io::Error::other(format!("larger than {size}")));
    }
    Ok(bytes)
}

/// The same as a text.
pub(crate) fn text_at_most(bytes_max: u64, reader: impl Read) -> std::io::Result<String> {
    String::from_utf8(at_most(bytes_max, reader)?).map_err(std::io::Error::other)
}

/// Mistakes with their places and the lines they are in, at most [`MISTAKES_MAX`].
fn all_invalid(text: &Text, mistakes: &[Mistake]) -> Failure {
    let lines = mistakes.iter().take(MISTAKES_MAX);
    let mut lines: Vec<_> = lines.map(|m| invalid(text, m).message).collect();
    if mistakes.len() > MISTAKES_MAX {
        lines.push(format!("and {} more", mistakes.len() - MISTAKES_MAX));
    }
    Failure::new(Exit::INVALID, lines.join("\n"))
}

/// A mistake with its place and the line it is in.
fn invalid(text: &Text, mistake: &Mistake) -> Failure {
    let name = &text.name;
    let path = match mistake.path.as_str() {
        "" => String::new(),
        path => format!(" (in {path})"),
    };
    let Some((line, column)) = mistake.at else {
        return Failure::new(Exit::INVALID, format!("{name}: {}{path}", mistake.message));
    };
    let mut message = format!("{name}:{line}:{column}: {}{path}", mistake.message);
    if let Some(source) = text.text.lines().nth(line - 1) {
        let (excerpt, column) = excerpt(source, column);
        let gutter = line.to_string();
        let blank = " ".repeat(gutter.len());
        let space = " ".repeat(column - 1);
        message.push_str(&format!("\n {gutter} | {excerpt}\n {blank} | {space}^"));
    }
    Failure::new(Exit::INVALID, message)
}

/// The part of a line around a column that fits on a terminal, and the column in it.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    let letters: Vec<char> = line.chars().collect();
    let column = column.min(letters.len() + 1);
    let first = if letters.len() > EXCERPT {
        column.saturating_sub(EXCERPT / 2)
    } else {
        0
    };
    let safe = |c: &char| if c.is_control() { ' ' } else { *c };
    let part = letters.iter().skip(first).take(EXCERPT).map(safe).collect();
    (part, (column - first).max(1))
}

#[cfg(test)]
mod tests {
    use stratagem_proto::v1::any_plan::Kind;

    #[test]
    fn what_is_too_large_is_refused_and_not_cut() {
        let read = |bytes: &[u8]| super::text_at_most(1 << 10, bytes).map_err(|e| e.to_string());
        assert_eq!(read(&[b'a'; 1 << 10]), Ok("a".repeat(1 << 10)));
        assert_eq!(read(&[b'a'; 1025]), Err("larger than 1 KiB".into()));
        assert!(read(b"\xff").is_err());
    }

    #[test]
    fn stdin_is_read_once() {
        assert!(super::one_stdin(&[Some("-"), None, Some("a")]).is_ok());
        assert!(super::one_stdin(&[Some("-"), None, Some("-")]).is_err());
    }

    #[test]
    fn the_mark_that_editors_begin_files_with_hides_nothing() {
        let name = format!("stratagem-marked-{}.json", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, "\u{feff}{\"policies\": [{}]}").unwrap();
        let read = super::plan(&path.to_string_lossy());
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(read, Ok(Kind::Narrative(_))), "{read:?}");
    }
}
