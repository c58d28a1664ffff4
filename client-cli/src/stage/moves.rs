//! Commands of the actor.

use super::Script;
use crate::durations::parse_span;
use crate::narrative::near;

/// What the actor wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Let so many microseconds go by.
    Wait(i64),
    /// Make an event happen, now or at a moment in microseconds.
    Happen(usize, Option<i64>),
    /// Make a choice of the players: indices of choice and option.
    Pick(usize, usize),
    /// Tell how things stand.
    Status,
    /// List the commands.
    Help,
    /// Play on to the end without the actor.
    End,
    /// Nothing: an empty line or a comment.
    Nothing,
}

/// Reads a command: `wait 10m`, `happen EVENT`, `happen EVENT 12m`, `pick CHOICE OPTION`, `status`,
/// `help`, `end`.
///
/// # Errors
/// What is wrong, for people.
pub fn parse_move(line: &str, script: &Script) -> Result<Move, String> {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (verb, rest) {
        ("", _) => Ok(Move::Nothing),
        (verb, _) if verb.starts_with('#') => Ok(Move::Nothing),
        ("wait" | "w", span) => Ok(Move::Wait(parse_span(span)?)),
        ("happen" | "h", rest) => happen(rest, script),
        ("pick" | "p", rest) => pick(rest, script),
        ("status" | "s", "") => Ok(Move::Status),
        ("help" | "?", "") => Ok(Move::Help),
        ("end" | "quit" | "q", "") => Ok(Move::End),
        _ => Err(format!("`{line}` is no command: try `help`")),
    }
}

/// An event, whose id may have blanks, and perhaps a moment.
fn happen(rest: &str, script: &Script) -> Result<Move, String> {
    let find = |id: &str| script.events.iter().position(|known| known == id);
    if let Some(event) = find(rest) {
        return Ok(Move::Happen(event, None));
    }
    if let Some((id, moment)) = rest.rsplit_once(char::is_whitespace)
        && let Some(event) = find(id.trim())
    {
        return Ok(Move::Happen(event, Some(parse_span(moment)?)));
    }
    let known = script.events.iter().map(String::as_str);
    Err(unknown("event", rest, &near(rest, known)))
}

fn pick(rest: &str, script: &Script) -> Result<Move, String> {
    for (at, fork) in script.forks.iter().enumerate() {
        let Some(option) = rest.strip_prefix(&fork.id) else {
            continue;
        };
        let options = fork.options.iter().map(|(id, _)| id.as_str());
        if let Some(found) = options.clone().position(|id| id == option.trim()) {
            return Ok(Move::Pick(at, found));
        }
        let ids: Vec<_> = options.collect();
        return Err(unknown("option", option.trim(), &ids));
    }
    let ids: Vec<_> = script.forks.iter().map(|f| f.id.as_str()).collect();
    let choice = rest.split_whitespace().next().unwrap_or_default();
    Err(unknown("choice", choice, &ids))
}

fn unknown(what: &str, id: &str, known: &[&str]) -> String {
    match known {
        [] => format!("there is no {what} `{id}`"),
        known => format!("there is no {what} `{id}`; there is {}", known.join(", ")),
    }
}
