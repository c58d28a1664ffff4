//! Plans by strands: what happens to each group depends only on what is picked and seen there.
//!
//! A *strand* is a storyline of one group. Policies of each group are searched for alone, then
//! orders in one network of all groups. In this network each event has one node for each strand of
//! its own group, not one for each storyline of all groups. Strands of two groups happen whatever a
//! third group does, so activities that compete are ordered for each pair of strands. Where a
//! resource has more capacity, they are ordered for each set of strands that can exceed it. A
//! strategy for this network is a strategy for each storyline, whose nodes are some of the
//! network's. No strategy is no proof of infeasibility.

#[cfg(test)]
mod tests;

use super::improve::Improvement;
use super::joint_network::{Compete, JointNetwork, PolicyOutline};
use super::policy_search::JointPolicies;
use super::precedences::{self, OrderingProblem, Outcome, shares};
use super::story::{Line, Story};
use super::{Detail, Extra, NoPolicies, concluded, cover, offer_plan, policies, stopped};
use crate::plan::{Answer, Cost, Undecided, UndecidedReason};
use crate::problem::{Chooser, Narrative, Objective};
use crate::verify::{PAIRS_MAX, cross_pairs};
use anytime::{Conclusion, Control, Stop};
use stn::Edge;
use stn::uncertain::Strategy;

/// Most attempts with other options of ours first.
const ATTEMPTS_MAX: usize = 12;
/// Most conflicts about the orders of each.
const CONFLICTS_MAX: u64 = 4_000;

/// Looks for a plan by strands of a narrative that has too many storylines for anything else.
pub(super) fn solve(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let why = match planned(narrative, detail, control) {
        Ok(conclusion) => return conclusion,
        Err(why) => why,
    };
    let open = Undecided {
        reason: why,
        combinations_tried: 0,
        combinations: 0,
    };
    control.offer(&Answer::Undecided(open), Cost::Undecided, "auto");
    Conclusion::Stopped(Stop::Exhausted)
}

/// Searches for a plan by strands where no other was found; `None`: there are no groups, or no
/// result.
pub(super) fn conclude(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Conclusion> {
    match narrative.groups() {
        [] => None,
        _ => planned(narrative, detail, control).ok(),
    }
}

/// A plan, a proof that there is none, or why it is not known.
fn planned(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, UndecidedReason> {
    // What would help one group need not help all.
    let detail = Detail {
        relaxations_max: 0,
        flexibilities: false,
        ..detail
    };
    let mut why = UndecidedReason::Strands;
    for turns in turns(narrative) {
        match attempt(narrative, &turns, detail, control) {
            Err(other) => why = other,
            known => return known,
        }
    }
    match why {
        UndecidedReason::Strands => refuse(narrative, detail, control),
        why => Err(why),
    }
}

/// One attempt: a plan, a proof that there is none, or why it is not known.
fn attempt(
    narrative: &Narrative,
    turns: &[usize],
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, UndecidedReason> {
    let found = match groups(narrative, turns, detail, control)? {
        Ok(found) => found,
        Err(conclusion) => return Ok(conclusion),
    };
    match Strands::new(narrative, found, &mut || control.go_on()) {
        Some(strands) => strands?.plan(detail, control),
        None => Ok(stopped(control)),
    }
}

/// By group the option of ours that is tried first, for one attempt after the other: all alike, and
/// then in turn.
fn turns(narrative: &Narrative) -> Vec<Vec<usize>> {
    let choices = narrative.spec().choices.iter();
    let ours = choices.filter(|choice| choice.chooser == Chooser::System);
    let options = ours.map(|choice| choice.options.len()).max().unwrap_or(1);
    let groups = 0..narrative.groups().len();
    let attempts = (0..2).flat_map(|step| (0..options).map(move |first| (first, step)));
    let attempts = attempts.take(if options > 1 { ATTEMPTS_MAX } else { 1 });
    let turns = |(first, step)| {
        groups
            .clone()
            .map(move |group| first + step * group)
            .collect()
    };
    attempts.map(turns).collect()
}

/// Groups with their storylines and policies.
type Parts = Vec<(usize, (Vec<Line>, JointPolicies))>;

/// Policies for each group alone; a conclusion where one has none, or the search is stopped.
///
/// # Errors
/// Why it is not known whether there are any.
fn groups(
    narrative: &Narrative,
    turns: &[usize],
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Result<Parts, Conclusion>, UndecidedReason> {
    let mut found = Vec::new();
    for (group, turn) in narrative.groups().iter().zip(turns) {
        let alone = narrative.restricted_to(&[*group]);
        match alone_kept(&alone, *turn, detail, control)? {
            Ok(kept) => found.push((*group, kept)),
            Err(conclusion) => return Ok(Err(conclusion)),
        }
    }
    Ok(Ok(found))
}

/// The storylines of some groups, and policies for them; a conclusion where infeasibility is
/// proved, or the search is stopped.
type Found = Result<(Vec<Line>, JointPolicies), Conclusion>;

/// Policies of some groups alone.
///
/// # Errors
/// Why it is not known whether there are any.
fn alone_kept(
    alone: &Narrative,
    turn: usize,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Found, UndecidedReason> {
    let Some(story) = Story::new(alone, &mut || control.go_on()) else {
        return Ok(Err(stopped(control)));
    };
    match policies(&story, turn, control) {
        Ok(kept) => Ok(Ok((story.lines, kept))),
        Err(refused) => concluded(&story, refused, detail, control).map(Err),
    }
}

/// The strands of all groups, side by side.
struct Strands<'n> {
    story: Story<'n>,
    skeletons: Vec<PolicyOutline>,
    joint: JointNetwork,
}

impl<'n> Strands<'n> {
    /// `found`: groups with their storylines and policies. `None`: stopped.
    fn new(
        narrative: &'n Narrative,
        found: Parts,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Result<Self, UndecidedReason>> {
        let sizes = found.iter().map(|(_, (_, kept))| kept.skeletons.len());
        if cross_pairs(sizes) > PAIRS_MAX {
            return Some(Err(UndecidedReason::Pairs));
        }
        let (mut lines, mut skeletons, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for (group, (own, kept)) in found {
            let before = lines.len();
            skeletons.extend(kept.skeletons.into_iter().map(|skeleton| PolicyOutline {
                line: before + skeleton.line,
                ..skeleton
            }));
            lines.extend(own);
            parts.push((group, kept.joint));
        }
        let mut strands = Self {
            story: Story::of_strands(narrative, lines),
            joint: JointNetwork::side_by_side(&parts),
            skeletons,
        };
        let shares = shares(&strands.story, &strands.joint, &strands.skeletons);
        let groups = strands.joint.strands.as_mut();
        let groups = groups.expect("networks side by side have groups");
        match groups.compete(&shares, go_on) {
            Compete::All => Some(Ok(strands)),
            Compete::TooMany => Some(Err(UndecidedReason::Pairs)),
            Compete::Stopped => None,
        }
    }

    fn question(&self) -> OrderingProblem<'_> {
        OrderingProblem::new(&self.story, &self.skeletons, &self.joint)
    }

    /// Looks for orders of all strands.
    fn plan(
        &self,
        detail: Detail,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Result<Conclusion, UndecidedReason> {
        match precedences::find_precedences_within(&self.question(), CONFLICTS_MAX, control) {
            Outcome::Found(orders, strategy) => Ok(self.offer(&orders, &strategy, detail, control)),
            Outcome::TooLarge => Err(UndecidedReason::TooLarge),
            Outcome::Stopped if control.stop().is_some() => Ok(stopped(control)),
            Outcome::Stopped | Outcome::Uncontrollable(_) | Outcome::Overloaded(_) => {
                Err(UndecidedReason::Strands)
            }
        }
    }

    fn offer(
        &self,
        orders: &[Edge],
        strategy: &Strategy,
        detail: Detail,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Conclusion {
        let question = self.question();
        let extra = Extra::without_slack(question.joint, detail.flexibilities);
        if offer_plan(&question, orders, strategy, extra, "auto", control).is_none() {
            return stopped(control);
        }
        if self.story.narrative.spec().objective == Objective::default() {
            return Conclusion::Optimal;
        }
        if self.prove(control).is_none() {
            return stopped(control);
        }
        self.improve(&question, orders, control).run()
    }

    fn improve<'i, 'q, 'k>(
        &self,
        question: &'i OrderingProblem<'q>,
        orders: &[Edge],
        control: &'i mut Control<'k, Answer, Cost>,
    ) -> Improvement<'i, 'q, 'k> {
        Improvement {
            question,
            orders: orders.to_vec(),
            is_whole: false,
            is_part: true,
            unit: cover::unit(&self.story),
            flexibilities: false,
            control,
        }
    }

    /// Proves that no plan costs less than any of the groups needs alone; `None`: stopped.
    fn prove(&self, control: &mut Control<'_, Answer, Cost>) -> Option<()> {
        let narrative = self.story.narrative;
        for group in narrative.groups() {
            let alone = narrative.restricted_to(&[*group]);
            let story = Story::new(&alone, &mut || control.go_on())?;
            let question = OrderingProblem {
                story: &story,
                ..self.question()
            };
            let mut improve = self.improve(&question, &[], control);
            improve.prove_lower_bound().then_some(())?;
        }
        Some(())
    }
}

/// Whether two groups that follow each other have no plan either.
fn refuse(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, UndecidedReason> {
    for two in narrative.groups().windows(2) {
        let two = narrative.restricted_to(two);
        if two.storylines().is_empty() {
            continue;
        }
        let Some(story) = Story::new(&two, &mut || control.go_on()) else {
            return Ok(stopped(control));
        };
        match policies(&story, 0, control) {
            Ok(_) | Err(NoPolicies::Undecided(_)) => {}
            Err(refused) => return concluded(&story, refused, detail, control),
        }
    }
    Err(UndecidedReason::Strands)
}
