//! What is known about heists, for people.

mod analysis;

pub use analysis::{analysis, hints};

use super::table::{pairs, printable};
use super::{Display, numbers};
use stratagem_proto::v1::{DesignHeistResponse, HeistAnalysis, HeistIntervention, HeistLevel};
use stratagem_render::heist::deed_word;

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
        let bound = level.help_cost_bound.filter(|it| *it < level.help_cost);
        rows.push(("help", cost_line(level.help_cost, bound)));
    }
    for deed in &level.help {
        rows.push(("", printable(&deed_line(deed))));
    }
    rows
}

/// What help costs; with a bound, another may cost less.
fn cost_line(cost: i32, bound: Option<i32>) -> String {
    let cost = numbers::count(cost.into());
    let bound = bound.map(|bound| numbers::count(bound.into()));
    match bound {
        Some(bound) => format!("this costs {cost}; none costs less than {bound}"),
        None => format!("the cheapest costs {cost}"),
    }
}

/// What the player is to do, and when.
fn deed_line(deed: &HeistIntervention) -> String {
    let (verb, id) = (deed_word(deed.verb()), &deed.target_id);
    format!("before tick {} the player {verb} {id}", deed.tick)
}
