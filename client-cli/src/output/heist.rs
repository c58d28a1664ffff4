//! What is known about heists, for people.

mod analysis;

pub use analysis::{analysis, hints};

use super::table::{pairs, printable};
use super::{Display, Style, heading, numbers};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    DesignHeistResponse, HeistAnalysis, HeistIntervention, HeistLevel, HeistProblem,
};
use stratagem_render::heist::{Scene, deed_word, sections};

/// An explained problem.
#[must_use]
pub fn sheet(display: &Display, problem: &HeistProblem) -> String {
    let mut out = heading(display, problem) + "\n";
    let sections = sections(&Scene::new(problem));
    for (n, section) in sections.iter().enumerate() {
        let space = if n > 0 { "\n" } else { "" };
        let title = display.styled(Style::Heading, section.title);
        let _ = writeln!(out, "{space}{title}");
        for line in &section.lines {
            let _ = writeln!(out, "  {}", printable(line));
        }
    }
    out
}

/// Traps and help of a level, and what is known about it.
#[must_use]
pub fn level(display: &Display, answer: &DesignHeistResponse) -> String {
    let Some(level) = &answer.plan else {
        return String::new();
    };
    let rows = pairs(&level_rows(level), display.terminal_width);
    let found = answer.analysis.clone().unwrap_or_default();
    // What helps is in the rows.
    let shown = HeistAnalysis {
        help: None,
        ..found
    };
    rows + &analysis(display, &shown)
}

fn level_rows(level: &HeistLevel) -> Vec<(&'static str, String)> {
    let count = level.traps.len() as i64;
    let mut rows = vec![("traps", numbers::things(count, "traps"))];
    for trap in &level.traps {
        let (room, by) = (printable(&trap.room_id), printable(&trap.by_id));
        rows.push(("", format!("{by} in {room}")));
    }
    if !level.help.is_empty() {
        let cost = numbers::count(i64::from(level.help_cost));
        let bound = level.help_cost_bound.filter(|it| *it < level.help_cost);
        let help = match bound {
            Some(bound) => {
                let bound = numbers::count(i64::from(bound));
                format!("this costs {cost}; none costs less than {bound}")
            }
            None => format!("the cheapest costs {cost}"),
        };
        rows.push(("help", help));
    }
    for deed in &level.help {
        rows.push(("", printable(&deed_line(deed))));
    }
    rows
}

/// What the player is to do, and when.
fn deed_line(deed: &HeistIntervention) -> String {
    let (verb, id) = (deed_word(deed.verb()), &deed.target_id);
    format!("before tick {} the player {verb} {id}", deed.tick)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{HeistAgent, HeistDoor, HeistLockState, HeistRoom, HeistWorld};

    fn corridor() -> HeistProblem {
        let room = |id: &str| HeistRoom {
            id: id.into(),
            ..HeistRoom::default()
        };
        let world = HeistWorld {
            rooms: vec![room("hall"), room("den\u{1b}[2J")],
            doors: vec![HeistDoor {
                id: "d".into(),
                a_room_id: "hall".into(),
                b_room_id: "den\u{1b}[2J".into(),
                lock_state: HeistLockState::Locked.into(),
                ..HeistDoor::default()
            }],
            burglar: Some(HeistAgent {
                room_id: "hall".into(),
                ..HeistAgent::default()
            }),
            ..HeistWorld::default()
        };
        HeistProblem {
            world: Some(world),
            ..HeistProblem::default()
        }
    }

    #[test]
    fn a_problem_is_told_in_sections() {
        let problem = corridor();
        let expected = "\
Heist  (2 rooms, 1 door)

The errand
  burglar is in hall
  wants to end in hall

Locks and keys
  the door d (hall - den?[2J) is locked; no key fits
";
        assert_eq!(sheet(&Display::PLAIN, &problem), expected);
    }
}
