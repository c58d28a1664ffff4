//! Orders without a search: a schedule for durations that are all longest, and orders that hand on
//! what it leaves.
//!
//! Whether they can be satisfied for all durations is checked as after any search; mostly they can,
//! and are found much sooner. Where they cannot, the search tries them first for a few conflicts.
//! Once the story has begun nothing is guessed: less is open then, and failed guesses cost more
//! than the others save.

mod chaining;
mod levelling;

use super::joint_network::JointNetwork;
use super::precedences::{self, OrderingProblem, Outcome, Precedence, Prepared};
use crate::plan::{Answer, Cost};
use anytime::Control;
use chaining::Chaining;
use levelling::Levelling;
use stn::Edge;
use stn::uncertain::{self, Strategy, strategy};

/// How often orders are chained in one way or another until they can be kept.
const CHAINS_MAX: usize = 3;
/// What comes of a guess.
enum Guess {
    /// Orders that can be kept, as edges of the joint network.
    Kept(Vec<Edge>, Box<Strategy>),
    /// Orders that cannot be kept as they are; none where there was no schedule.
    Hint(Vec<Edge>),
}

/// Guesses orders, or looks for them. One iteration is one conflict.
pub(super) fn find_precedences(
    question: &OrderingProblem<'_>,
    control: &mut Control<'_, Answer, Cost>,
) -> Outcome {
    let has_begun = question.story.narrative.spec().progress.now_us > 0;
    if has_begun || question.story.short.is_some() {
        return precedences::find_precedences(question, control);
    }
    let mut prepared = match precedences::prepared(question, control) {
        Ok(prepared) => prepared,
        Err(outcome) => return outcome,
    };
    match guess(question.joint, &mut prepared, control) {
        Guess::Kept(orders, strategy) => Outcome::Found(orders, strategy),
        Guess::Hint(hint) => precedences::hinted(question.joint, &hint, prepared, control),
    }
}

fn guess(
    joint: &JointNetwork,
    prepared: &mut Prepared,
    control: &mut Control<'_, Answer, Cost>,
) -> Guess {
    let mut hint = Vec::new();
    let Some(times) = Levelling::new(&mut prepared.clocks, &prepared.shares).level(control) else {
        return Guess::Hint(hint);
    };
    let mut chains = Chaining::new(&prepared.shares, times, &prepared.clocks);
    for _ in 0..CHAINS_MAX {
        let Some(orders) = chains.orders().filter(|orders| *orders != hint) else {
            break;
        };
        let network = joint.network(&orders).expect("checked without orders");
        let verdict = strategy(&network, &mut || control.go_on());
        if let uncertain::Verdict::Holds(strategy) = verdict {
            return Guess::Kept(orders, Box::new(strategy));
        }
        if let uncertain::Verdict::Fails(conflict) = &verdict {
            chains.blame(orders_of(joint, conflict, &orders));
        }
        hint = orders;
        if !control.tick() {
            break;
        }
    }
    Guess::Hint(hint)
}

/// The orders that a conflict is about.
fn orders_of(
    joint: &JointNetwork,
    conflict: &uncertain::Conflict,
    orders: &[Edge],
) -> Vec<Precedence> {
    let named = conflict.terms.iter().filter_map(|term| match term.bound {
        uncertain::Bound::Requirement(at) => orders.get(at.checked_sub(joint.requirements.len())?),
        _ => None,
    });
    named.map(Precedence::from_edge).collect()
}
