//! Plans of burglars and guards for people.

mod analysis;

pub use analysis::{analysis, hints};

use super::table::{pairs, printable};
use super::temporal::text_options;
use super::{Display, Style, heading, numbers, solve, unserved};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    DesignHeistResponse, HeistAnalysis, HeistIntervention, HeistLevel, HeistOutcomeKind, HeistPlan,
    HeistProblem, PlanBurglarResponse,
};
use stratagem_render::heist::{
    Drawn, Scene, deed_word, outcome_words, rooms as map, sections, step_list,
};

/// Rooms of an unavoidable way that are named, at most.
const ROOMS_MAX: usize = 30;

/// The names of the terms that decide between plans.
#[must_use]
pub fn deciding(_: &HeistProblem) -> Vec<String> {
    vec!["actions".into()]
}

/// Summary, map and steps of an answer.
#[must_use]
pub fn answer(display: &Display, problem: &HeistProblem, answer: &PlanBurglarResponse) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let scene = Scene::new(problem);
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &deciding(problem));
    if let Some(plan) = &answer.plan {
        let mut rows = vec![("plan", walked(&scene, plan))];
        if let Some(outcome) = &answer.outcome {
            let words = printable(&outcome_words(&scene, plan, outcome));
            let style = match outcome.kind() {
                HeistOutcomeKind::Holds => Style::Good,
                HeistOutcomeKind::Unspecified => Style::Doubtful,
                _ => Style::Bad,
            };
            rows.push(("in fact", display.styled(style, &words)));
        }
        if let Some(rooms) = rooms(&answer.unavoidable_room_ids) {
            rows.push(("no way round", rooms));
        }
        let _ = write!(out, "\n{}", pairs(&rows, display.terminal_width));
        let options = text_options(display);
        let drawn = Drawn {
            plan: Some(plan),
            outcome: answer.outcome.as_ref(),
        };
        let _ = write!(out, "\n{}", map(problem, drawn).text(&options));
        let _ = write!(out, "\n{}", step_list(&scene, plan).text(&options));
        for other in &answer.alternatives {
            let without = printable(&other.without_room_id);
            let title = display.styled(Style::Heading, &format!("Without {without}"));
            let plan = other.plan.clone().unwrap_or_default();
            let _ = write!(out, "\n{title}: {}\n", walked(&scene, &plan));
            out += &step_list(&scene, &plan).text(&options);
        }
    }
    out + &unserved::list(display, &[], report.explanation.as_ref())
}

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

/// Traps that are wanted where nothing is said.
pub const TRAPS: i32 = 3;

/// The names of the terms that decide between levels.
#[must_use]
pub fn level_terms() -> Vec<String> {
    ["missing_traps", "help_cost"].map(String::from).into()
}

/// Summary, traps, help and map of a level, with the wanted number of traps.
#[must_use]
pub fn level(display: &Display, answer: &DesignHeistResponse, wanted: i32) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let mut out = String::new();
    if let Some(level) = &answer.plan {
        let problem = HeistProblem {
            world: level.world.clone(),
            ..HeistProblem::default()
        };
        out += &(heading(display, &problem) + "\n");
        out += &solve::summary(display, &report, &level_terms());
        out.push('\n');
        out += &pairs(&level_rows(level, wanted), display.terminal_width);
        if let Some(found) = &answer.analysis {
            // What helps is in the rows.
            let shown = HeistAnalysis {
                help: None,
                ..found.clone()
            };
            out += &analysis(display, &shown);
        }
        out.push('\n');
        out += &map(&problem, Drawn::default()).text(&text_options(display));
    } else {
        out += &solve::summary(display, &report, &level_terms());
    }
    out + &unserved::list(display, &[], report.explanation.as_ref())
}

fn level_rows(level: &HeistLevel, wanted: i32) -> Vec<(&'static str, String)> {
    let count = level.traps.len() as i64;
    let short = if count < i64::from(wanted) {
        format!(", of {wanted} that were wanted")
    } else {
        String::new()
    };
    let mut rows = vec![("traps", numbers::things(count, "traps") + &short)];
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

/// How long a plan is, and through how many rooms it goes.
fn walked(scene: &Scene<'_>, plan: &HeistPlan) -> String {
    let walk = scene.walk(plan);
    let moves = walk.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let steps = numbers::things(plan.steps.len() as i64, "steps");
    let doors = numbers::things(moves as i64, "doors");
    format!("{} does {steps}, through {doors}", printable(scene.name()))
}

/// Rooms that every plan enters.
fn rooms(ids: &[String]) -> Option<String> {
    if ids.is_empty() {
        return None;
    }
    let shown: Vec<_> = ids.iter().take(ROOMS_MAX).map(|id| printable(id)).collect();
    let more = match ids.len().saturating_sub(ROOMS_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("every plan enters {}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        HeistAgent, HeistAlternative, HeistDoor, HeistLockState, HeistOutcome, HeistRoom,
        HeistStep, HeistVerb, HeistWorld,
    };

    const PLAIN: Display = Display::PLAIN;

    fn corridor() -> (HeistProblem, HeistPlan) {
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
        let problem = HeistProblem {
            world: Some(world),
            ..HeistProblem::default()
        };
        let step = |verb: HeistVerb| HeistStep {
            verb: verb.into(),
            target_id: "d".into(),
            ..HeistStep::default()
        };
        let plan = HeistPlan {
            steps: vec![step(HeistVerb::Approach), step(HeistVerb::Enter)],
        };
        (problem, plan)
    }

    #[test]
    fn an_answer_tells_steps_outcome_and_other_plans() {
        let (problem, plan) = corridor();
        let whole = PlanBurglarResponse {
            plan: Some(plan.clone()),
            outcome: Some(HeistOutcome {
                kind: HeistOutcomeKind::Fails.into(),
                step: Some(1),
                by_id: "d".into(),
            }),
            unavoidable_room_ids: vec!["hall".into()],
            alternatives: vec![HeistAlternative {
                without_room_id: "x".into(),
                plan: Some(plan),
            }],
            ..PlanBurglarResponse::default()
        };
        let text = answer(&PLAIN, &problem, &whole);
        for part in [
            "Heist  (2 rooms, 1 door)\n",
            "plan          burglar does 2 steps, through 1 door\n",
            "in fact       it fails at step 2: in hall",
            "no way round  every plan enters hall\n",
            "\nhall\n  1  goes to the door d, to den?[2J\n  2  enters den?[2J\n",
            "\nWithout x: burglar does 2 steps, through 1 door\nhall\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn a_problem_is_told_in_sections() {
        let (problem, _) = corridor();
        let expected = "\
Heist  (2 rooms, 1 door)

The errand
  burglar is in hall
  wants to end in hall

Locks and keys
  the door d (hall - den?[2J) is locked; no key fits
";
        assert_eq!(sheet(&PLAIN, &problem), expected);
    }
}
