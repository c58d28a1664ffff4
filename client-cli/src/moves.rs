//! Commands of the user in the rehearsal of a narrative.

use crate::durations::parse_span;
use crate::narrative::near;
use crate::stage::{Fork, Script};

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

/// Reads a command: `wait 10m`, `happen EVENT`, `happen EVENT 12m`, `pick CHOICE OPTION`, `status`
/// or `show`, `help`, `end`.
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
        ("happen" | "h", rest) => happen(rest, &script.events),
        ("pick" | "p", rest) if !script.forks.is_empty() => pick(rest, &script.forks),
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
fn pick(rest: &str, forks: &[Fork]) -> Result<Move, String> {
    let mut wrong = None;
    for (at, Fork { id, options, .. }) in forks.iter().enumerate() {
        // Another id may begin as this one does.
        let option = rest.strip_prefix(id.as_str()).filter(|option| {
            let mut letters = option.chars();
            letters.next().is_none_or(char::is_whitespace)
        });
        let Some(option) = option.map(str::trim) else {
            continue;
        };
        if let Some(found) = options.iter().position(|known| known == option) {
            return Ok(Move::Pick(at, found));
        }
        let known: Vec<&str> = options.iter().map(String::as_str).collect();
        wrong = Some(unknown("option", option, &known));
    }
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let ids: Vec<&str> = forks.iter().map(|fork| fork.id.as_str()).collect();
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
    use stratagem_proto::v1::{NarrativeChoice, NarrativeEvent, NarrativeOption, NarrativeProblem};

    /// Choices with these ids and options.
    fn script(forks: &[(&str, &[&str])]) -> Script {
        let choice = |(id, options): &(&str, &[&str])| NarrativeChoice {
            id: (*id).into(),
            options: options.iter().map(|id| option(id)).collect(),
            ..NarrativeChoice::default()
        };
        let problem = NarrativeProblem {
            choices: forks.iter().map(choice).collect(),
            ..NarrativeProblem::default()
        };
        Script::new(&problem)
    }

    fn option(id: &str) -> NarrativeOption {
        NarrativeOption {
            id: id.into(),
            ..NarrativeOption::default()
        }
    }

    #[test]
    fn commands_are_read() {
        const MINUTE: i64 = 60_000_000;
        let problem = NarrativeProblem {
            events: vec![NarrativeEvent {
                id: "found".into(),
                ..NarrativeEvent::default()
            }],
            ..NarrativeProblem::default()
        };
        let mut story = script(&[("way", &["long", "short"])]);
        story.events = Script::new(&problem).events;
        for (line, wanted) in [
            ("wait 10m", Move::Wait(10 * MINUTE)),
            ("happen found", Move::Happen(0, None)),
            ("happen found 25m", Move::Happen(0, Some(25 * MINUTE))),
            ("pick way short", Move::Pick(0, 1)),
            ("status", Move::Status),
            ("help", Move::Help),
            ("end", Move::End),
            ("# a note", Move::Nothing),
        ] {
            assert_eq!(parse_move(line, &story), Ok(wanted), "{line}");
        }
        let near = parse_move("happen fuond", &story).unwrap_err();
        assert_eq!(near, "there is no event `fuond`; there is found");
        let options = parse_move("pick way high", &story).unwrap_err();
        assert_eq!(options, "there is no option `high`; there is long, short");
        assert!(parse_move("pick nothing", &story).is_err());
    }

    #[test]
    fn a_choice_is_found_though_another_begins_as_it_does() {
        let script = script(&[
            ("way", &["left"]),
            ("way-back", &["left", "far right"]),
            ("way home", &["none"]),
        ]);
        let pick = |line: &str| parse_move(line, &script);
        assert_eq!(pick("pick way left"), Ok(Move::Pick(0, 0)));
        assert_eq!(pick("p way-back  far right"), Ok(Move::Pick(1, 1)));
        assert_eq!(pick("pick way home none"), Ok(Move::Pick(2, 0)));
        let error = |line| pick(line).unwrap_err();
        assert!(error("pick way-back up").contains("option `up`"));
        assert!(error("pick ways left").contains("choice `ways`"));
    }
}
