//! The hardest level of a small board, with proof.

use super::super::draft::Draft;
use super::super::retrograde::{Cells, Position, Retrograde};
use super::Run;
use crate::plan::{Cost, EFFORT_MAX, Features};
use crate::problem::{Goal, Problem, Weights};
use anytime::{Conclusion, Stop};

/// Most levels to look at for one set of goals, where the hardest ones push a box too rarely or are
/// too hard to be rated.
const CANDIDATES_MAX: u32 = 200;

/// Whether one level of most pushes is wanted, and nothing else: the search of all positions
/// decides only that.
pub(super) fn is_wanted(problem: &Problem) -> bool {
    let spec = problem.spec();
    let lone = Weights {
        pushes: spec.weights.pushes,
        divisor: spec.weights.divisor,
        ..Weights::default()
    };
    spec.goal == Goal::Most && spec.levels == 1 && spec.weights.pushes > 0 && spec.weights == lone
}

/// Summary of all levels looked at.
#[derive(Debug, Default)]
struct Known {
    /// Pushes of the best level.
    best: u16,
    /// Most pushes of a level that may keep all rules, and was not offered.
    open: u16,
}

impl Run<'_, '_, '_> {
    /// Looks at all levels: for each set of goals at all positions, the hardest first.
    pub(super) fn exhaust(&mut self, retrograde: Retrograde) -> Conclusion {
        let mut retrograde = retrograde;
        let mut known = Known::default();
        let spec = self.problem.spec();
        for count in spec.boxes_min.max(self.ground.goals.len())..=spec.boxes_max {
            for goals in retrograde.goal_sets(count) {
                if !self.control.tick() {
                    return Conclusion::Stopped(self.control.stop().unwrap_or(Stop::Iterations));
                }
                let control = &mut *self.control;
                if retrograde.explore(goals, &mut || control.go_on()) {
                    self.hardest(&retrograde, goals, &mut known);
                }
                if let Some(stop) = self.control.stop() {
                    return Conclusion::Stopped(stop);
                }
            }
        }
        if known.best.max(known.open) == 0 {
            // A level without a push is none where boxes have to be pushed.
            return match spec.box_pushes_min {
                0 => Conclusion::Stopped(Stop::Exhausted),
                _ => Conclusion::Infeasible,
            };
        }
        let hardest = Features {
            pushes: known.best.max(known.open).into(),
            ..Features::default()
        };
        let bound = Cost {
            missing: 0,
            miss_micro: hardest.value_micro(&spec.weights).saturating_neg(),
        };
        self.control.prove(bound, "exhaustive search");
        if self.control.best() == Some(bound) {
            Conclusion::Optimal
        } else {
            Conclusion::Stopped(Stop::Exhausted)
        }
    }

    /// Offers the hardest level for some goals, if it is harder than what is known.
    fn hardest(&mut self, retrograde: &Retrograde, goals: Cells, known: &mut Known) {
        let mut tried = 0;
        for &position in retrograde.found().iter().rev() {
            if position.depth <= known.best {
                return;
            }
            let Some(mut draft) = self.draft(retrograde, goals, position) else {
                continue;
            };
            tried += 1;
            if tried <= CANDIDATES_MAX
                && let Some(rated) = self.weigh(&mut draft, EFFORT_MAX)
                && self.consider(&draft, &rated)
            {
                known.best = position.depth;
                return;
            }
            known.open = known.open.max(position.depth);
            if tried > CANDIDATES_MAX || self.control.stop().is_some() {
                return;
            }
        }
    }

    /// The level that begins with a position; none where the template wants something else.
    fn draft(&self, retrograde: &Retrograde, goals: Cells, position: Position) -> Option<Draft> {
        let boxes = retrograde.cells(position.boxes);
        if self.ground.boxes.iter().any(|cell| !boxes.contains(cell)) {
            return None;
        }
        let part = retrograde.cells(retrograde.reach(position.player.into(), position.boxes));
        let player = self.ground.player.unwrap_or(part[0]);
        part.contains(&player).then(|| Draft {
            is_wall: self.ground.solid().to_vec(),
            goals: retrograde.cells(goals),
            boxes,
            player,
        })
    }
}
