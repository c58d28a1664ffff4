//! The paper's programs: equations 1 to 6 with integers, 1 to 4 with 7 and 8 without.
//!
//! Index sets as printed, where the origin, at 0, precedes everything: without it equation 5 of an
//! event without predecessor would be empty. Maximum and minimum are written with one binary for
//! each term, of which one is 1; M is the width of the pair's own interval, which is enough since
//! no solution has a pair further apart. Equation 8 is read over i that precede j or are unordered
//! with it, as 6 is. Weights give the last event 0 and do not sum to one, as printed; see
//! [`Weights`].

use super::decide::Decided;
use super::reduce::Reduction;
use crate::problem::{Micros, Node, ORIGIN, Owner};
use anytime::{Pulse, Stop};
use milp::{Expression, Model, Params, Variable, Verdict, constraint, solve, variable};

/// How the linear program weights teammates' events, x-th earliest of y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weights {
    /// As printed: (y - x) / (y (1 + y)).
    Printed,
    /// 2 (y - x + 1) / (y (y + 1)), which sums to one.
    Normalised,
}

/// The result of a program, and the number of its branch-and-bound nodes.
pub(super) struct Answer {
    pub(super) decided: Decided,
    pub(super) nodes: u64,
    pub(super) stop: Option<Stop>,
}

/// Solves equations 1 to 6. Infeasible is a proof as far as the solver's tolerance goes: the data
/// are integers after division by their common divisor.
pub(super) fn exact(reduction: &Reduction<'_>, params: &Params, pulse: &Pulse) -> Answer {
    let mut program = Program::new(reduction);
    program.obligations();
    program.extremes();
    program.run(params, pulse, true)
}

/// Solves equations 1 to 4, 7 and 8: a candidate, never a proof.
pub(super) fn approximate(
    reduction: &Reduction<'_>,
    weights: Weights,
    params: &Params,
    pulse: &Pulse,
) -> Answer {
    let mut program = Program::new(reduction);
    program.obligations();
    program.relaxed_extremes();
    program.widest(weights);
    program.run(params, pulse, false)
}

struct Program<'r> {
    reduction: &'r Reduction<'r>,
    model: Model,
    /// Microseconds in a unit of the program.
    unit: Micros,
    /// t- and t+ of each node; the same variable for ours (equation 1), none for the origin.
    ends: Vec<Option<(Variable, Variable)>>,
}

impl<'r> Program<'r> {
    fn new(reduction: &'r Reduction<'r>) -> Self {
        let mut program = Self {
            reduction,
            model: Model::new(),
            unit: super::relax::unit(reduction.network),
            ends: vec![None],
        };
        for node in 1..reduction.network.nodes() {
            let (low, high) = (-program.bound(node, ORIGIN), program.bound(ORIGIN, node));
            let mut add = || program.model.add(variable().clamp(low, high));
            let first = add();
            let second = if is_ours(reduction, node) {
                first
            } else {
                add()
            };
            program.ends.push(Some((first, second)));
        }
        program
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "units of more than 2^53 would be too fine for any solver; witnesses are checked"
    )]
    fn bound(&self, from: Node, to: Node) -> f64 {
        (self.reduction.bound(from, to) / self.unit) as f64
    }

    fn earliest(&self, node: Node) -> Expression {
        self.ends[node].map_or_else(Expression::default, |(earliest, _)| earliest.into())
    }

    fn latest(&self, node: Node) -> Expression {
        self.ends[node].map_or_else(Expression::default, |(_, latest)| latest.into())
    }

    /// Whether i precedes j, and whether i precedes j or they are unordered.
    fn order(&self, i: Node, j: Node) -> (bool, bool) {
        (
            self.reduction.precedes(i, j),
            !self.reduction.precedes(j, i),
        )
    }

    fn pairs(&self, ours: bool) -> Vec<(Node, Node)> {
        let nodes = self.reduction.network.nodes();
        let to = (1..nodes).filter(|j| is_ours(self.reduction, *j) == ours);
        to.flat_map(|j| (0..nodes).filter(move |i| *i != j).map(move |i| (i, j)))
            .collect()
    }

    /// Equations 2, 3 and 4.
    fn obligations(&mut self) {
        for (i, j) in self.pairs(true) {
            let (precedes, follows_not) = self.order(i, j);
            if precedes {
                let least = self.bound(j, i);
                self.model
                    .require(constraint!(self.latest(i) - self.earliest(j) <= least));
            }
            if follows_not {
                let most = self.bound(i, j);
                self.model
                    .require(constraint!(self.latest(j) - self.earliest(i) <= most));
            }
        }
        for &node in &self.reduction.theirs {
            self.model
                .require(constraint!(self.earliest(node) <= self.latest(node)));
        }
    }

    /// Equations 5 and 6: one term of each maximum and minimum is met.
    fn extremes(&mut self) {
        let mut met: Vec<(Expression, Expression)> =
            vec![(Expression::default(), Expression::default()); self.ends.len()];
        for (i, j) in self.pairs(false) {
            let (precedes, follows_not) = self.order(i, j);
            let (most, least) = (self.bound(i, j), self.bound(j, i));
            let width = most + least;
            if precedes {
                let one = self.model.add(variable().binary());
                met[j].0 += one;
                let term = self.earliest(i) - least;
                self.model
                    .require(constraint!(self.earliest(j) >= term.clone()));
                self.model
                    .require(constraint!(self.earliest(j) <= term + width * (1 - one)));
            }
            if follows_not {
                let one = self.model.add(variable().binary());
                met[j].1 += one;
                let term = self.latest(i) + most;
                self.model
                    .require(constraint!(self.latest(j) <= term.clone()));
                self.model
                    .require(constraint!(self.latest(j) >= term - width * (1 - one)));
            }
        }
        for &node in &self.reduction.theirs {
            let (earliest, latest) = std::mem::take(&mut met[node]);
            self.model.require(constraint!(earliest == 1));
            self.model.require(constraint!(latest == 1));
        }
    }

    /// Equations 7 and 8.
    fn relaxed_extremes(&mut self) {
        for (i, j) in self.pairs(false) {
            let (precedes, follows_not) = self.order(i, j);
            if precedes {
                let least = self.bound(j, i);
                self.model
                    .require(constraint!(self.earliest(j) >= self.earliest(i) - least));
            }
            if follows_not {
                let most = self.bound(i, j);
                self.model
                    .require(constraint!(self.latest(j) <= self.latest(i) + most));
            }
        }
    }

    /// The objective of the linear program. Windows without width count 0.
    fn widest(&mut self, weights: Weights) {
        let mut theirs = self.reduction.theirs.clone();
        theirs.sort_by_key(|node| (-self.reduction.bound(*node, ORIGIN), *node));
        #[expect(clippy::cast_precision_loss, reason = "at most EVENTS_MAX")]
        let count = theirs.len() as f64;
        // Costs have a smallest size: the widest window counts as one.
        let width = |node| self.bound(ORIGIN, node) + self.bound(node, ORIGIN);
        let widest = theirs.iter().map(|node| width(*node)).fold(0.0, f64::max);
        let mut objective = Expression::default();
        let mut rank = 0.0;
        for &node in &theirs {
            rank += 1.0;
            let weight = match weights {
                Weights::Printed => (count - rank) / (count * (1.0 + count)),
                Weights::Normalised => 2.0 * (count - rank + 1.0) / (count * (count + 1.0)),
            };
            if width(node) > 0.0 {
                let share = weight * widest / width(node);
                objective += share * (self.latest(node) - self.earliest(node));
            }
        }
        self.model.maximise(objective);
    }

    /// Solves, rounds the times of ours, and checks them.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "values lie between bounds, which came from integers"
    )]
    fn run(&self, params: &Params, pulse: &Pulse, exact: bool) -> Answer {
        let Ok(outcome) = solve(&self.model, params, pulse, &mut ()) else {
            // Bounds beyond the range of the solver: undecided.
            return Answer {
                decided: Decided::Open(None),
                nodes: 0,
                stop: None,
            };
        };
        let times = outcome.solution.as_ref().map(|solution| {
            let time = |node: &Node| {
                let variable = self.ends[*node].map(|(variable, _)| variable);
                variable.map_or(0.0, |variable| solution.value(&self.model, variable))
            };
            let whole = self
                .reduction
                .ours
                .iter()
                .map(|node| time(node).round() as Micros);
            whole.map(|time| time * self.unit).collect::<Vec<_>>()
        });
        let decided = match times {
            Some(times) if self.reduction.system.accepts(&times) => Decided::Holds(times),
            Some(times) => Decided::Open(Some(times)),
            None if exact && outcome.verdict == Verdict::Infeasible => Decided::Fails,
            None => Decided::Open(None),
        };
        let stop = match outcome.verdict {
            Verdict::Stopped(stop) => Some(stop),
            _ => None,
        };
        Answer {
            decided,
            nodes: outcome.effort.nodes,
            stop,
        }
    }
}

fn is_ours(reduction: &Reduction<'_>, node: Node) -> bool {
    reduction.network.owner(node) == Some(Owner::Controllable)
}
