//! Heists as text for terminals.

use super::Drawn;
use super::explain::sections;
use super::map_text::map_text;
use super::scene::Scene;
use super::words::{outcome_words, steps};
use crate::label::printable;
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::{HeistPlan, HeistProblem};

/// Steps that are listed: more are only counted.
const STEPS_MAX: usize = 2_000;

/// Returns a heist for terminals: its title, the map, and the plan step by step, or, without one,
/// the explained problem.
#[must_use]
pub fn text(problem: &HeistProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let scene = Scene::new(problem);
    let title = match printable(&scene.world.title) {
        title if title.is_empty() => "Heist".into(),
        title => title,
    };
    let mut out = format!("{}\n\n", options.styled("1", &title));
    out += &map_text(problem, drawn, options);
    out.push('\n');
    match drawn.plan {
        Some(plan) => {
            out += &step_lines(&scene, plan, options);
            if let Some(outcome) = drawn.outcome {
                let words = printable(&outcome_words(&scene, plan, outcome));
                let _ = writeln!(out, "\nin fact {words}");
            }
        }
        None => {
            for section in sections(&scene) {
                let _ = writeln!(out, "{}", options.styled("1", section.title));
                for line in section.lines {
                    let _ = writeln!(out, "  {}", printable(&line));
                }
            }
        }
    }
    out
}

/// Returns a plan as lines: one for each room that the agent is in, with the steps there, numbered;
/// at most 2,000 steps.
#[must_use]
pub fn step_lines(scene: &Scene<'_>, plan: &HeistPlan, options: &TextOptions) -> String {
    let texts = steps(scene, plan);
    if texts.is_empty() {
        return "nothing is to be done\n".into();
    }
    let digits = texts.len().min(STEPS_MAX).to_string().len();
    let mut out = String::new();
    let mut here = None;
    for (n, step) in texts.iter().take(STEPS_MAX).enumerate() {
        if here != Some(&step.room) {
            let room = match printable(&step.room) {
                room if room.is_empty() => "somewhere".into(),
                room => room,
            };
            let _ = writeln!(out, "{}", options.styled("36", &room));
            here = Some(&step.room);
        }
        let _ = writeln!(out, "  {:>digits$}  {}", n + 1, printable(&step.words));
    }
    if texts.len() > STEPS_MAX {
        let _ = writeln!(out, "and {} more steps", texts.len() - STEPS_MAX);
    }
    out
}
