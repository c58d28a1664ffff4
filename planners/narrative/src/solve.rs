//! How plans are found.

mod antichain;
pub mod cdcl;
mod cover;
mod explain;
mod joint;
mod orders;
pub mod rcpsp;
mod span;
mod story;
mod tell;

use crate::plan::{Answer, Conflict, Cost, Plan};
use crate::problem::Narrative;
use anytime::{Conclusion, Control, SolveError, Stop};
use cover::{Cover, Gap};
use joint::{Joint, Skeleton};
use orders::{Outcome, Question};
use story::{Story, Tree};

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// A check of dynamic controllability with conflicts, clauses over orders, coverage by sweeps over outcomes.
    #[default]
    Auto,
    /// The paper's mixed-integer program, corrected. Not built in.
    Milp,
}

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {
    /// The strategy.
    pub strategy: Strategy,
}

/// Looks for a plan: offers better and better ones, or the reasons why there is none.
///
/// One iteration is one conflict of the search for orders, or one policy that is looked at. The same narrative,
/// parameters and seed have the same answer, under an iteration limit.
///
/// # Errors
/// [`SolveError::Unsupported`]: the strategy is not built in.
pub fn solve(
    narrative: &Narrative,
    params: &Params,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, SolveError> {
    if params.strategy == Strategy::Milp {
        return Err(SolveError::Unsupported {
            strategy: "milp",
            feature: "any narrative: it is not part of this build".into(),
        });
    }
    let Some(story) = Story::new(narrative, &mut || control.go_on()) else {
        return Ok(stopped(control));
    };
    Ok(match &story.tree {
        Tree::Line(line) => single(&story, *line, control),
        Tree::Fork(_) => forked(&story, control),
    })
}

/// A story without choices.
fn single(story: &Story<'_>, line: usize, control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    let skeletons = [Skeleton {
        line,
        outcomes: Vec::new(),
    }];
    let joint = Joint::new(story, &skeletons);
    let question = Question {
        story,
        skeletons: &skeletons,
        joint: &joint,
    };
    match orders::orders(&question, control) {
        Outcome::Found(orders, strategy) => offer(&question, (&orders, *strategy), control),
        Outcome::Uncontrollable(proof) => refuse(explain::uncontrollable(&joint, &proof), control),
        Outcome::Overloaded(sets) => refuse(explain::overloaded(&joint, &sets), control),
        Outcome::TooLarge => Conclusion::Stopped(Stop::Exhausted),
        Outcome::Stopped => stopped(control),
    }
}

/// A story with choices: policies one by one, then all together.
fn forked(story: &Story<'_>, control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    let mut cover = Cover::new(story, control);
    let skeletons = match cover.cover() {
        Ok(skeletons) => skeletons,
        Err(Gap::Uncovered(uncovered)) => {
            let conflict = explain::uncovered(story, cover.blamed, uncovered);
            return refuse(conflict, control);
        }
        Err(Gap::TooLarge) => return Conclusion::Stopped(Stop::Exhausted),
        Err(Gap::Stopped) => return stopped(control),
    };
    let joint = Joint::new(story, &skeletons);
    let question = Question {
        story,
        skeletons: &skeletons,
        joint: &joint,
    };
    match orders::orders(&question, control) {
        Outcome::Found(orders, strategy) => offer(&question, (&orders, *strategy), control),
        Outcome::Stopped => stopped(control),
        // That these policies do not go together proves nothing about others.
        Outcome::Uncontrollable(_) | Outcome::Overloaded(_) | Outcome::TooLarge => {
            Conclusion::Stopped(Stop::Exhausted)
        }
    }
}

fn refuse(conflict: Conflict, control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    let cost = Cost::None(conflict.members.len());
    let answer = Answer::Infeasible {
        conflict,
        relaxations: Vec::new(),
    };
    control.offer(&answer, cost, "auto");
    Conclusion::Infeasible
}

fn offer(
    question: &Question<'_>,
    (orders, strategy): (&[stn::Edge], stn::uncertain::Strategy),
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let Some(plan) = told(question, (orders, strategy), control) else {
        return stopped(control);
    };
    let cost = cost(question.story.narrative, &plan);
    control.offer(&Answer::Plan(plan), cost, "auto");
    if question.story.narrative.spec().objective == Default::default() {
        Conclusion::Optimal
    } else {
        Conclusion::Stopped(Stop::Exhausted)
    }
}

fn cost(narrative: &Narrative, plan: &Plan) -> Cost {
    let objective = &narrative.spec().objective;
    let part = |weight: u32, time: i64| i128::from(weight) * i128::from(time);
    let makespan = part(objective.makespan, plan.makespan_us);
    let slack = part(objective.slack, plan.slack_us);
    Cost::Weighted(makespan - slack + part(objective.idle, plan.idle_us))
}

fn told(
    question: &Question<'_>,
    (orders, strategy): (&[stn::Edge], stn::uncertain::Strategy),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Plan> {
    let go_on = &mut || control.go_on();
    let (strategy, makespan) = match tell::deadline(&strategy) {
        Some(makespan) => (strategy, makespan),
        None => {
            let least = span::least(question.joint, orders, go_on)?;
            let edges = [orders, &span::horizon(question.joint, least)].concat();
            let network = question.joint.network(&edges).ok()?;
            let strategy = stn::uncertain::strategy(&network, go_on).witness()?;
            (strategy, least)
        }
    };
    let draft = tell::Draft {
        question,
        orders,
        strategy: &strategy,
        makespan,
    };
    draft.plan(go_on)
}

fn stopped(control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    control.go_on();
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}
