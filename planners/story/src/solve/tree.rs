//! Monte Carlo tree search, in one go or one action at a time.

use super::history::{Bias, History};
use super::mcts_domain::{BelievabilityBound, StoryDomain};
use super::params::{Params, Strategy};
use crate::compiled::CompiledDomain;
use crate::plan::{Cost, Plan};
use anytime::{Conclusion, Control, Stop};
use mcts::{Search, Settings, Step};

/// Searches for some iterations, until stopped or until the tree is exhausted.
pub(super) fn search(
    compiled: &CompiledDomain,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
    iterations: u64,
) -> Conclusion {
    let domain = StoryDomain { compiled };
    let mut search = TreeSearch::new(&domain, params, control);
    for _ in 0..iterations {
        if let Some(conclusion) = search.step(control) {
            return conclusion;
        }
    }
    Conclusion::Stopped(Stop::Exhausted)
}

/// A tree, and when it commits to an action.
pub(super) struct TreeSearch<'d, 'm> {
    search: Search<'d, StoryDomain<'m>, History, BelievabilityBound>,
    compiled: &'m CompiledDomain,
    commit_after: Option<u64>,
    since: u64,
    found_by: &'static str,
}

impl<'d, 'm> TreeSearch<'d, 'm> {
    pub(super) fn new(
        domain: &'d StoryDomain<'m>,
        params: &Params,
        control: &Control<'_, Plan, Cost>,
    ) -> Self {
        let strategy = params.strategy;
        let bias = Bias {
            selection: (strategy == Strategy::MctsSelection).then_some(params.history_visits),
            rollout: matches!(
                strategy,
                Strategy::MctsRollout | Strategy::Auto | Strategy::Iterative
            ),
        };
        let settings = Settings {
            exploration: params.exploration,
            nodes_max: control.limits().nodes_max,
            seed: control.seed(0),
            ..Settings::default()
        };
        let history = History::new(bias, domain.compiled.action_count());
        Self {
            search: Search::new(domain, history, BelievabilityBound, settings),
            compiled: domain.compiled,
            commit_after: (strategy == Strategy::Iterative).then_some(params.commit_after.max(1)),
            since: 0,
            found_by: match strategy {
                Strategy::MctsSelection => "mcts, selection bias",
                Strategy::Mcts => "mcts",
                Strategy::Iterative => "iterative mcts",
                _ => "mcts, rollout bias",
            },
        }
    }

    /// One iteration; what the search came to, if that was the last.
    pub(super) fn step(&mut self, control: &mut Control<'_, Plan, Cost>) -> Option<Conclusion> {
        if self.search.is_exhausted() {
            // Every story was tried or is no better than the best, whose cost is therefore the
            // least.
            return Some(match control.best() {
                Some(best) => {
                    control.prove(best, "tree search");
                    Conclusion::Optimal
                }
                None => Conclusion::Infeasible,
            });
        }
        if self.search.is_finished() {
            return Some(Conclusion::Stopped(Stop::Exhausted));
        }
        if !control.tick() {
            return Some(Conclusion::Stopped(
                control.stop().unwrap_or(Stop::Iterations),
            ));
        }
        if self.search.step(control.best()) == Step::Improved
            && let Some((story, _)) = self.search.best()
            && let Some((plan, cost)) = story.plan(self.compiled)
        {
            control.offer(&plan, cost, self.found_by);
        }
        self.since += 1;
        if self.commit_after.is_some_and(|after| self.since >= after) {
            self.since = 0;
            self.search.commit();
        }
        None
    }
}
