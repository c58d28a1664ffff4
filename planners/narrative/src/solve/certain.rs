//! Stories in which nothing varies and nothing is chosen: project scheduling, with proof.
//!
//! The makespan of such a story is minimised by the search over times of [`cp::rcpsp`], which
//! finds schedules sooner and proves them best where a search over orders alone does not. A
//! schedule becomes a plan by the orders that it keeps.

mod tasks;

use super::joint_network::JointNetwork;
use super::precedences::{self, OrderingProblem, Outcome};
use super::{Detail, Extra, minimal_makespan, offer_plan, stopped};
use crate::plan::{Answer, Cost};
use crate::problem::{Micros, ORIGIN};
use anytime::{Conclusion, Control};
use cp::rcpsp::{self, Checkpoint, Listener, Schedule};
use stn::Edge;
use stn::uncertain::{self, Contingent};
use tasks::Certain;

/// Conflicts after which a search without any schedule gives way to one over orders.
const FIRST_CONFLICTS: u64 = 2_000;

/// What came of a story.
pub(super) enum Verdict {
    /// That is all there is to say.
    Done(Conclusion),
    /// Not a story of this kind, or infeasible: others find out why, from the result for orders if
    /// the search came that far.
    Other(Option<Outcome>),
}

/// Minimises the makespan of a story without choices, if nothing varies and nothing else counts.
pub(super) fn certain(
    question: &OrderingProblem<'_>,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Verdict {
    let objective = &question.story.narrative.spec().objective;
    let varies = |link: &Contingent| link.lower < link.upper;
    let other = objective.makespan == 0 || objective.idle > 0;
    if other || question.joint.contingents.iter().any(varies) {
        return Verdict::Other(None);
    }
    let Some(certain) = Certain::new(question, &mut || control.go_on()) else {
        return Verdict::Other(None);
    };
    let mut stage = Stage {
        question,
        certain: &certain,
        weight: i128::from(objective.makespan),
        detail,
        control,
        patience: Some(FIRST_CONFLICTS),
    };
    let (outcome, _) = rcpsp::solve(&certain.project, None, &mut stage);
    if !stage.gave_up() {
        return stage.conclude(&outcome);
    }
    // Hard to begin with: orders say more about lags than times do.
    let times = match precedences::find_precedences(question, stage.control) {
        Outcome::Found(orders, _) => earliest(question.joint, &orders),
        outcome => return Verdict::Other(Some(outcome)),
    };
    let warm = times.map(|times| certain.schedule(&times));
    stage.patience = None;
    let (outcome, _) = rcpsp::solve(&certain.project, warm.as_ref(), &mut stage);
    stage.conclude(&outcome)
}

/// When each node happens at the earliest with these orders.
fn earliest(joint: &JointNetwork, orders: &[Edge]) -> Option<Vec<Micros>> {
    let mut edges = [&joint.requirements[..], orders].concat();
    for link in &joint.contingents {
        edges.push(Edge::new(link.from, link.to, link.upper, 0));
        edges.push(Edge::new(link.to, link.from, -link.lower, 0));
    }
    let times = stn::earliest(joint.nodes, &edges, ORIGIN).ok()?;
    times.into_iter().collect()
}

/// Where schedules become plans.
struct Stage<'s, 'q, 'k> {
    question: &'s OrderingProblem<'q>,
    certain: &'s Certain,
    /// Of the makespan.
    weight: i128,
    detail: Detail,
    control: &'s mut Control<'k, Answer, Cost>,
    /// Conflicts that are left for the first schedule.
    patience: Option<u64>,
}

impl Stage<'_, '_, '_> {
    /// Whether it took too long to find any schedule.
    fn gave_up(&self) -> bool {
        self.patience == Some(0)
    }

    fn cost(&self, makespan: Micros) -> Cost {
        Cost::Weighted(self.weight * i128::from(makespan))
    }

    fn conclude(&mut self, outcome: &rcpsp::Outcome) -> Verdict {
        match outcome {
            rcpsp::Outcome::Optimal(best) => {
                let least = self.cost(best.makespan);
                match self.control.best() {
                    Some(cost) if cost <= least => {
                        self.control.prove(least, "constraint propagation");
                        Verdict::Done(Conclusion::Optimal)
                    }
                    // Stopped before it was offered.
                    _ => Verdict::Done(stopped(self.control)),
                }
            }
            rcpsp::Outcome::Feasible(..) | rcpsp::Outcome::Unknown(_) => {
                Verdict::Done(stopped(self.control))
            }
            rcpsp::Outcome::Infeasible => Verdict::Other(None),
        }
    }

    /// Offers the plan with the orders of a schedule and the same makespan; `None`: stopped.
    fn offer(&mut self, schedule: &Schedule) -> Option<()> {
        let joint = self.question.joint;
        let orders = self.certain.orders(&self.certain.times(schedule));
        let over = earliest(joint, &orders)?.into_iter().max()?;
        let edges = [&orders[..], &minimal_makespan::horizon_edges(joint, over)].concat();
        let network = joint.network(&edges).ok()?;
        let strategy = uncertain::strategy(&network, &mut || self.control.go_on()).witness()?;
        let extra = Extra {
            slack: 0,
            flexibilities: self.detail.flexibilities.then_some(joint),
        };
        offer_plan(
            self.question,
            &orders,
            &strategy,
            extra,
            "auto",
            self.control,
        )
    }
}

impl Listener for Stage<'_, '_, '_> {
    fn go_on(&mut self, beat: Checkpoint) -> bool {
        if beat == Checkpoint::Work {
            return self.control.go_on();
        }
        if let Some(left) = &mut self.patience {
            *left = left.saturating_sub(1);
        }
        !self.gave_up() && self.control.tick()
    }

    fn improved(&mut self, schedule: &Schedule) {
        self.patience = None;
        // The search itself looks whether it has to stop.
        let _ = self.offer(schedule);
    }

    fn proved(&mut self, bound: i64) {
        let bound = self.cost(bound);
        self.control.prove(bound, "constraint propagation");
    }
}
