//! Commands of the user in a game against a network or in the rehearsal of a story.

use crate::durations::parse_span;
use crate::narrative::near;

/// A command of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Let this number of microseconds pass.
    Wait(i64),
    /// Make an event happen, now or at a moment in microseconds.
    Happen(usize, Option<i64>),
    /// Make a choice of the players: indices of choice and option.
    Pick(usize, usize),
    /// Print the current state.
    Status,
    /// List the commands.
    Help,
    /// Play on to the end without the user.
    End,
    /// Nothing: an empty line or a comment.
    Nothing,
}

/// What commands may name.
pub trait Named {
    /// Ids of the events.
    fn events(&self) -> &[String];

    /// Ids of choices, each with those of its options. Default: there is nothing to pick.
    fn forks(&self) -> Vec<(&str, Vec<&str>)> {
        Vec::new()
    }
}

/// Reads a command: `wait 10m`, `happen EVENT`, `happen EVENT 12m`, `pick CHOICE OPTION`, `status`
/// or `show`, `help`, `end`.
///
/// # Errors
/// What is wrong, for people.
pub fn parse_move(line: &str, named: &impl Named) -> Result<Move, String> {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (verb, rest) {
        ("", _) => Ok(Move::Nothing),
        (verb, _) if verb.starts_with('#') => Ok(Move::Nothing),
        ("wait" | "w", span) => Ok(Move::Wait(parse_span(span)?)),
        ("happen" | "h", rest) => happen(rest, named.events()),
        ("pick" | "p", rest) if !named.forks().is_empty() => pick(rest, &named.forks()),
        ("status" | "show" | "s", "") => Ok(Move::Status),
        ("help" | "?", "") => Ok(Move::Help),
        ("end" | "quit" | "q", "") => Ok(Move::End),
        _ => Err(format!("`{line}` is no command: try `help`")),
    }
}

/// An event, whose id may have blanks, and perhaps a moment.
fn happen(rest: &str, events: &[String]) -> Result<Move, String> {
    let find = |id: &str| events.iter().position(|known| known == id);
    if let Some(event) = find(rest) {
        return Ok(Move::Happen(event, None));
    }
    if let Some((id, moment)) = rest.rsplit_once(char::is_whitespace)
        && let Some(event) = find(id.trim())
    {
        return Ok(Move::Happen(event, Some(parse_span(moment)?)));
    }
    let known = events.iter().map(String::as_str);
    Err(unknown("event", rest, &near(rest, known)))
}

/// A choice and an option of it, whose ids may have blanks.
fn pick(rest: &str, forks: &[(&str, Vec<&str>)]) -> Result<Move, String> {
    let mut wrong = None;
    for (at, (id, options)) in forks.iter().enumerate() {
        // Another id may begin as this one does.
        let option = rest.strip_prefix(id).filter(|option| {
            let mut letters = option.chars();
            letters.next().is_none_or(char::is_whitespace)
        });
        let Some(option) = option.map(str::trim) else {
            continue;
        };
        if let Some(found) = options.iter().position(|known| *known == option) {
            return Ok(Move::Pick(at, found));
        }
        wrong = Some(unknown("option", option, options));
    }
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let ids: Vec<_> = forks.iter().map(|(id, _)| *id).collect();
    let choice = rest.split_whitespace().next().unwrap_or_default();
    Err(unknown("choice", choice, &ids))
}

fn unknown(what: &str, id: &str, known: &[&str]) -> String {
    match known {
        [] => format!("there is no {what} `{id}`"),
        known => format!("there is no {what} `{id}`; there is {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Quest;

    impl Named for Quest {
        fn events(&self) -> &[String] {
            &[]
        }

        fn forks(&self) -> Vec<(&str, Vec<&str>)> {
            vec![
                ("way", vec!["left"]),
                ("way-back", vec!["left", "far right"]),
                ("way home", vec!["none"]),
            ]
        }
    }

    #[test]
    fn a_choice_is_found_though_another_begins_as_it_does() {
        let pick = |line: &str| parse_move(line, &Quest);
        assert_eq!(pick("pick way left"), Ok(Move::Pick(0, 0)));
        assert_eq!(pick("p way-back  far right"), Ok(Move::Pick(1, 1)));
        assert_eq!(pick("pick way home none"), Ok(Move::Pick(2, 0)));
        let error = |line| pick(line).unwrap_err();
        assert!(error("pick way-back up").contains("option `up`"));
        assert!(error("pick ways left").contains("choice `ways`"));
    }
}
