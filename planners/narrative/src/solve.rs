//! How plans are found.

mod antichain;
pub mod cdcl;
mod certain;
mod cover;
mod explain;
mod feasible;
mod guess;
mod improve;
mod joint;
#[cfg(feature = "milp")]
mod milp;
mod orders;
pub mod rcpsp;
mod span;
mod story;
mod tell;
mod together;
mod turn;

use crate::plan::{Answer, Conflict, Cost, Member, Plan, Relaxation, Uncovered};
use crate::problem::{Micros, Narrative, Objective};
use anytime::{Conclusion, Control, SolveError, Stop};
use cover::{Cover, Gap};
use feasible::{feasible, is_feasible, plan};
use improve::Improve;
use joint::{Joint, Skeleton};

use orders::{Outcome, Question};
use std::collections::BTreeSet;
use stn::Edge;
use stn::uncertain;
use story::{Story, Tree};
use together::{Failure, Together};

/// How many sets of policies are tried to be over sooner, each with another option first.
const TURNS: usize = 4;

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// A check of dynamic controllability with conflicts, clauses over orders, coverage by sweeps over outcomes.
    /// Where nothing varies and nothing is chosen, and the makespan counts, constraint propagation over times.
    #[default]
    Auto,
    /// The paper's mixed-integer program, corrected, by HiGHS: exact within its tolerances, and slower. For small stories whose
    /// times have a coarse common step, and not for slack and idle time in one objective. With choices it proves the
    /// least makespan, within that step; other objectives it improves for the policies that it finds.
    Milp,
}

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {
    /// The strategy.
    pub strategy: Strategy,
    /// What else is wanted.
    pub detail: Detail,
}

/// What else is wanted besides a plan or the verdict that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Detail {
    /// Whether to leave out of a conflict what is not needed.
    pub shrink: bool,
    /// Most relaxations to look for.
    pub relaxations_max: usize,
    /// Whether to say how far durations could stretch; takes as long as some dozens of checks for each.
    pub stretches: bool,
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            shrink: true,
            relaxations_max: 3,
            stretches: false,
        }
    }
}

/// Looks for a plan: offers better and better ones, or the reasons why there is none.
///
/// One iteration is one conflict of the search for orders, or one policy that is looked at. The same narrative,
/// parameters and seed have the same answer, under an iteration limit.
///
/// # Errors
/// [`SolveError::Unsupported`]: the strategy is not built in, or cannot say what is asked.
pub fn solve(
    narrative: &Narrative,
    params: &Params,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, SolveError> {
    if params.strategy == Strategy::Milp {
        return programmed(narrative, params, control);
    }
    let Some(story) = Story::new(narrative, &mut || control.go_on()) else {
        return Ok(stopped(control));
    };
    Ok(match &story.tree {
        Tree::Line(line) => single(&story, (*line, params.detail), control),
        Tree::Fork(_) => forked(&story, params.detail, control),
    })
}

/// The paper's program, where the solver for it is built in.
#[cfg(not(feature = "milp"))]
fn programmed(
    _: &Narrative,
    _: &Params,
    _: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, SolveError> {
    Err(SolveError::Unsupported {
        strategy: "milp",
        feature: "any narrative: it is not part of this build".into(),
    })
}

#[cfg(feature = "milp")]
use self::milp::run as programmed;

/// A story without choices.
fn single(
    story: &Story<'_>,
    (line, detail): (usize, Detail),
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let skeletons = [Skeleton::whole(line)];
    let joint = Joint::new(story, &skeletons);
    let question = Question {
        story,
        skeletons: &skeletons,
        joint: &joint,
    };
    let outcome = match certain::certain(&question, (detail, control)) {
        certain::Verdict::Done(conclusion) => return conclusion,
        certain::Verdict::Other(outcome) => outcome,
    };
    let outcome = outcome.unwrap_or_else(|| guess::orders(&question, control));
    let conflict = match outcome {
        Outcome::Found(orders, strategy) => {
            return offer(&question, (&orders, *strategy, detail), control);
        }
        Outcome::Uncontrollable(proof) => {
            // The verdict first, with more rules than are needed.
            refuse(explain::overloaded(&joint, &[]), Vec::new(), control);
            explain::uncontrollable(&joint, &proof)
        }
        Outcome::Overloaded(sets) => {
            let conflict = explain::overloaded(&joint, &sets);
            refuse(conflict.clone(), Vec::new(), control);
            conflict
        }
        Outcome::TooLarge => return Conclusion::Stopped(Stop::Exhausted),
        Outcome::Stopped => return stopped(control),
    };
    let conflict = match detail.shrink {
        true => explain::shrunk((story, line), &conflict, control),
        false => conflict,
    };
    explained(story, (conflict, detail), control)
}

/// A story with choices: policies one by one, then all together.
fn forked(
    story: &Story<'_>,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let mut cover = Cover::new(story, control, cover::Notes::new(story));
    let first = match cover.cover(0) {
        Ok(first) => first,
        Err(Gap::Uncovered(uncovered)) => {
            let refuted = cover.is_refuted();
            let blamed = cover.notes.blamed;
            return match refuted {
                Ok(true) => unbearable(story, (blamed, uncovered, detail), control),
                Err(Gap::Stopped) => stopped(control),
                _ => Conclusion::Stopped(Stop::Exhausted),
            };
        }
        Err(Gap::TooLarge) => return Conclusion::Stopped(Stop::Exhausted),
        Err(Gap::Stopped) => return stopped(control),
    };
    let mut together = Together::new(story, cover);
    match together.find(&first, u32::MAX) {
        Ok(kept) => {
            let Some(kept) = turn::in_turn(story, kept, control) else {
                return stopped(control);
            };
            let question = Question {
                story,
                skeletons: &kept.skeletons,
                joint: &kept.joint,
            };
            offer(&question, (&kept.orders, *kept.strategy, detail), control)
        }
        // Choices that may know more could be made in other ways.
        Err(Failure::None) if story.tree.is_narrow() => Conclusion::Stopped(Stop::Exhausted),
        Err(Failure::None) => {
            let conflict = explain::apart(story, together.blamed);
            refuse(conflict.clone(), Vec::new(), control);
            let conflict = fewer(story, (conflict, detail), control);
            explained(story, (conflict, detail), control)
        }
        Err(Failure::Unknown) => Conclusion::Stopped(Stop::Exhausted),
        Err(Failure::Stopped) => stopped(control),
    }
}

/// Tells what happens that no policy bears.
fn unbearable(
    story: &Story<'_>,
    (blamed, uncovered, detail): (BTreeSet<Member>, Uncovered, Detail),
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    // The verdict first, with more rules than are needed.
    let bounds = story.bounds.iter();
    let bounds = bounds.map(|bound| Member::Bound(bound.source));
    let all = blamed.iter().cloned().chain(bounds).collect();
    let conflict = explain::uncovered(story, all, uncovered.clone());
    refuse(conflict, Vec::new(), control);
    let conflict = explain::uncovered(story, blamed, uncovered);
    let conflict = fewer(story, (conflict, detail), control);
    explained(story, (conflict, detail), control)
}

/// A conflict with what is not needed left out, if that is wanted.
fn fewer(
    story: &Story<'_>,
    (conflict, detail): (Conflict, Detail),
    control: &mut Control<'_, Answer, Cost>,
) -> Conflict {
    match detail.shrink {
        true => explain::fewer(story.narrative, &conflict, control),
        false => conflict,
    }
}

/// Tells a conflict, and what would help.
fn explained(
    story: &Story<'_>,
    (conflict, detail): (Conflict, Detail),
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let unit = cover::unit(story);
    let most = detail.relaxations_max;
    let found = explain::relaxations(story.narrative, (&conflict, unit), most, control);
    refuse(conflict, found, control)
}

fn refuse(
    conflict: Conflict,
    relaxations: Vec<Relaxation>,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let cost = Cost::none(&conflict, &relaxations);
    let answer = Answer::Infeasible {
        conflict,
        relaxations,
    };
    control.offer(&answer, cost, "auto");
    Conclusion::Infeasible
}

fn offer(
    question: &Question<'_>,
    (orders, strategy, detail): (&[Edge], uncertain::Strategy, Detail),
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let extra = Extra {
        slack: 0,
        stretches: detail.stretches.then_some(question.joint),
    };
    if offered(question, (orders, strategy), (extra, control)).is_none() {
        return stopped(control);
    }
    if question.story.narrative.spec().objective == Objective::default() {
        return Conclusion::Optimal;
    }
    let improve = Improve {
        question,
        orders: orders.to_vec(),
        is_whole: matches!(question.story.tree, Tree::Line(_)),
        unit: cover::unit(question.story),
        stretches: detail.stretches,
        control,
    };
    improve.run()
}

fn cost(narrative: &Narrative, plan: &Plan) -> Cost {
    let objective = &narrative.spec().objective;
    let part = |weight: u32, time: i64| i128::from(weight) * i128::from(time);
    let makespan = part(objective.makespan, plan.makespan_us);
    let slack = part(objective.slack, plan.slack_us);
    Cost::Weighted(makespan - slack + part(objective.idle, plan.idle_us))
}

/// What a plan has besides the story.
#[derive(Debug, Clone, Copy)]
struct Extra<'j> {
    /// By how much more its durations may vary.
    slack: Micros,
    /// The network in which it tells how far they could, each by itself, with all durations as they are given; `None`: it does not.
    stretches: Option<&'j Joint>,
}

/// Offers a plan with these orders; `None`: told to stop.
fn offered(
    question: &Question<'_>,
    kept: (&[Edge], uncertain::Strategy),
    last: (Extra<'_>, &mut Control<'_, Answer, Cost>),
) -> Option<()> {
    offered_by("auto", question, kept, last)
}

/// The same, found by a strategy.
fn offered_by(
    by: &'static str,
    question: &Question<'_>,
    (orders, strategy): (&[Edge], uncertain::Strategy),
    (extra, control): (Extra<'_>, &mut Control<'_, Answer, Cost>),
) -> Option<()> {
    let (mut plan, sure) = drafted(question, (orders, strategy, extra.slack), control)?;
    if let Some(joint) = extra.stretches {
        let question = &Question { joint, ..*question };
        // Told to stop: a plan without them is better than none.
        let stretches = tell::stretches(question, sure, &mut || control.go_on());
        plan.stretches = stretches.unwrap_or_default();
    }
    let cost = cost(question.story.narrative, &plan);
    control.offer(&Answer::Plan(plan), cost, by);
    Some(())
}

/// The plan with these orders; `None`: told to stop. `slack`: by how much more its durations may vary.
fn told(
    question: &Question<'_>,
    kept: (&[Edge], uncertain::Strategy, Micros),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Plan> {
    let (plan, _) = drafted(question, kept, control)?;
    Some(plan)
}

/// The same with the order of activities that it can count on.
fn drafted(
    question: &Question<'_>,
    (orders, strategy, slack): (&[Edge], uncertain::Strategy, Micros),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<(Plan, tell::Sure)> {
    let go_on = &mut || control.go_on();
    let (strategy, makespan) = match tell::deadline(&strategy) {
        Some(makespan) => (strategy, makespan),
        None => {
            let least = span::least(question.joint, orders, go_on)?;
            let edges = [orders, &span::horizon(question.joint, least)].concat();
            let network = question.joint.network(&edges).ok()?;
            let strategy = uncertain::strategy(&network, go_on).witness()?;
            (strategy, least)
        }
    };
    let draft = tell::Draft {
        question,
        orders,
        strategy: &strategy,
        makespan,
        slack,
    };
    draft.plan(go_on)
}

fn stopped(control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    control.go_on();
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}
