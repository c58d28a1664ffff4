//! Plans of heists: ours, answers with one in it, lists of actions, and what PDDL planners write.

use super::{Text, all_invalid, invalid, plan, text};
use crate::exit::Failure;
use crate::formats::heist::{deeds, moves};
use crate::formats::{self, Mistake};
use stratagem_proto::v1::any_plan::Kind;
use stratagem_proto::v1::{
    HeistIntervention, HeistOutcome, HeistPlan, HeistProblem, PlanBurglarResponse,
};

/// A plan, and what comes of it where that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct HeistFound {
    /// The plan.
    pub plan: HeistPlan,
    /// What comes of it as things are.
    pub outcome: Option<HeistOutcome>,
}

/// Reads a plan of a heist, as [`plan()`](super::plan()) does, with its outcome if an answer has
/// it; or a list of actions in JSON, or a plan file of a PDDL planner with the names of the
/// problem.
///
/// # Errors
/// Those of [`plan()`](super::plan()), all mistakes in foreign formats, and
/// [`Exit::USAGE`](crate::exit::Exit::USAGE) for a plan of another planner.
pub fn heist_plan(source: &str, problem: &HeistProblem) -> Result<HeistFound, Failure> {
    let read = text(source)?;
    let alone = |plan: Result<HeistPlan, Vec<Mistake>>| match plan {
        Ok(plan) => Ok(HeistFound {
            plan,
            outcome: None,
        }),
        Err(mistakes) => Err(all_invalid(&read, &mistakes)),
    };
    if moves::looks_like(&read.text) {
        return alone(moves::read(&read.text, problem));
    }
    if moves::is_list(&read.text) {
        return alone(moves::read_list(&read.text));
    }
    let Kind::Heist(plan) = plan::of_text(&read)? else {
        return Err(Failure::usage(format!("{source} is no plan of a heist")));
    };
    Ok(HeistFound {
        outcome: outcome(&read)?,
        plan,
    })
}

/// Reads what a player does in a game.
///
/// # Errors
/// [`Exit::USAGE`](crate::exit::Exit::USAGE) for what cannot be read,
/// [`Exit::INVALID`](crate::exit::Exit::INVALID) for what is neither a list of deeds nor a level.
pub fn heist_deeds(source: &str) -> Result<Vec<HeistIntervention>, Failure> {
    let read = text(source)?;
    let deeds = deeds::read(&read.text, read.format);
    deeds.map_err(|m| all_invalid(&read, &m))
}

/// The result of a plan, where an answer has it.
fn outcome(read: &Text) -> Result<Option<HeistOutcome>, Failure> {
    let keys = formats::top_keys(&read.text, read.format);
    if !keys.iter().any(|k| k == "outcome") {
        return Ok(None);
    }
    let answer = formats::read::<PlanBurglarResponse>(&read.text, read.format);
    Ok(answer.map_err(|m| invalid(read, &m))?.outcome)
}
