//! Why there is no plan.
//!
//! Infeasibility is the solver's claim. The exact engine finds the reasons, as for the other
//! strategy.

use crate::plan::{Answer, Conflict, Cost, Member, Relaxation, Uncovered};
use crate::solve::joint_network::{JointNetwork, PolicyOutline};
use crate::solve::precedences::{
    OrderingProblem, Outcome, ResourceUsers, find_precedences, shares,
};
use crate::solve::story::Story;
use crate::solve::{Detail, cover, explain};
use anytime::{Conclusion, Control, Stop};
use std::collections::BTreeSet;

/// A storyline that cannot be kept.
pub(super) fn unkept(
    question: &OrderingProblem<'_>,
    line: usize,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let joint = question.joint;
    let conflict = match find_precedences(question, control) {
        // The solver was wrong, within its tolerances or beyond.
        Outcome::Found(..) => return Conclusion::Stopped(Stop::Exhausted),
        Outcome::Uncontrollable(proof) => explain::uncontrollable(joint, &proof),
        Outcome::Overloaded(sets) => explain::overloaded(joint, &sets),
        Outcome::TooLarge | Outcome::Stopped => explain::overloaded(joint, &crowds(question)),
    };
    offer_conflict(conflict.clone(), Vec::new(), control);
    let conflict = if detail.shrink {
        explain::minimised(question.story, line, &conflict, control)
    } else {
        conflict
    };
    helped(question.story, conflict, detail, control)
}

/// What happens that no policy bears.
pub(super) fn uncovered(
    story: &Story<'_>,
    witness: Uncovered,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let bounds = story.bounds.iter();
    let mut all: BTreeSet<Member> = bounds.map(|bound| Member::Bound(bound.source)).collect();
    for line in 0..story.lines.len() {
        let skeletons = [PolicyOutline::whole(line)];
        let joint = JointNetwork::new(story, &skeletons);
        let question = OrderingProblem::new(story, &skeletons, &joint);
        let conflict = explain::overloaded(&joint, &crowds(&question));
        all.extend(conflict.members);
    }
    let conflict = explain::uncovered(story, all, witness);
    offer_conflict(conflict.clone(), Vec::new(), control);
    helped(story, conflict, detail, control)
}

/// Offers a conflict and its relaxations.
fn helped(
    story: &Story<'_>,
    conflict: Conflict,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let unit = cover::unit(story);
    let most = detail.relaxations_max;
    let (found, _) = explain::relaxations(story.narrative, &conflict, unit, most, 1, control);
    offer_conflict(conflict, found, control);
    Conclusion::Infeasible
}

fn offer_conflict(
    conflict: Conflict,
    relaxations: Vec<Relaxation>,
    control: &mut Control<'_, Answer, Cost>,
) {
    let cost = Cost::infeasible(&conflict, &relaxations);
    let answer = Answer::Infeasible {
        conflict,
        relaxations,
    };
    control.offer(&answer, cost, "milp");
}

/// All users of each resource with too little capacity for all of them, and pairs of users that
/// exceed it by themselves.
fn crowds(question: &OrderingProblem<'_>) -> Vec<(usize, Vec<usize>)> {
    let shares = shares(question.story, question.joint, question.skeletons);
    let mut all = Vec::new();
    for share in shares.iter().flatten().filter(|share| !share.fits()) {
        let users = share.users.iter().map(|user| user.activity);
        all.push((share.resource, users.collect::<Vec<usize>>()));
        all.extend(pairs(share).map(|pair| (share.resource, pair)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn pairs(share: &ResourceUsers) -> impl Iterator<Item = Vec<usize>> + '_ {
    let users = share.users.iter().enumerate();
    users.flat_map(move |(at, one)| {
        let later = share.users[at + 1..].iter();
        let too_much = later.filter(|two| one.amount + two.amount > share.capacity);
        too_much.map(|two| vec![one.activity, two.activity])
    })
}
