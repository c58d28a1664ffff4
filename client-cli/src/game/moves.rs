//! Commands of the player.

use super::bounds::Rules;
use crate::durations::parse_span;

/// What the player wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Let so many microseconds go by.
    Wait(i64),
    /// Make an event happen, now or at a moment in microseconds.
    Happen(usize, Option<i64>),
    /// Tell how things stand.
    Show,
    /// List the commands.
    Help,
    /// Play on to the end without the player.
    End,
    /// Nothing: an empty line or a comment.
    Nothing,
}

/// Reads a command: `wait 2s`, `happen EVENT`, `happen EVENT 12s`, `show`, `help`, `end`.
///
/// # Errors
/// What is wrong, for people.
pub fn parse_move(line: &str, rules: &Rules) -> Result<Move, String> {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (verb, rest) {
        ("", _) => Ok(Move::Nothing),
        (verb, _) if verb.starts_with('#') => Ok(Move::Nothing),
        ("wait" | "w", span) => Ok(Move::Wait(parse_span(span)?)),
        ("happen" | "h", rest) => happen(rest, rules),
        ("show" | "s", "") => Ok(Move::Show),
        ("help" | "?", "") => Ok(Move::Help),
        ("end" | "quit" | "q", "") => Ok(Move::End),
        _ => Err(format!("`{line}` is no command: try `help`")),
    }
}

/// An event, whose id may have blanks, and perhaps a moment.
fn happen(rest: &str, rules: &Rules) -> Result<Move, String> {
    let find = |id: &str| rules.events.iter().position(|known| known == id);
    if let Some(event) = find(rest) {
        return Ok(Move::Happen(event, None));
    }
    if let Some((id, moment)) = rest.rsplit_once(char::is_whitespace)
        && let Some(event) = find(id.trim())
    {
        return Ok(Move::Happen(event, Some(parse_span(moment)?)));
    }
    Err(format!("there is no event `{rest}`"))
}
