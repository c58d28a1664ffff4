//! The engine from outside, on small worlds whose optimum brute force knows.

mod bounding;
mod digits;
mod growing;
mod iterating;
mod property;
mod searching;
mod tour;
mod trapping;
mod variations;

use anytime::{Conclusion, Control, Limits};
use mcts::{Bound, Domain, Guide, Search, Settings, Step, forest};

/// The least cost of all terminal states, by looking at every one.
fn least_cost<D: Domain>(domain: &D) -> D::Cost {
    fn below<D: Domain>(domain: &D, state: &D::State) -> Option<D::Cost> {
        let mut actions = Vec::new();
        domain.actions(state, &mut actions);
        if actions.is_empty() {
            return Some(domain.outcome(state).cost);
        }
        let costs = actions.into_iter().filter_map(|action| {
            let mut next = state.clone();
            domain.apply(&mut next, action);
            below(domain, &next)
        });
        costs.min()
    }
    below(domain, &domain.root()).expect("every state leads to a terminal one")
}

/// Steps until the root is closed, or `iterations` are made; says whether it was closed.
fn run<D, G, B>(search: &mut Search<'_, D, G, B>, iterations: u64) -> bool
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    (0..iterations).any(|_| search.step(None) == Step::Finished)
}

/// The cost of the best terminal state found.
fn found<D, G, B>(search: &Search<'_, D, G, B>) -> Option<D::Cost>
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    search.best().map(|(_, cost)| cost)
}

/// Plans and their costs.
type Offers<P> = Vec<(P, u32)>;

/// What `solve` concludes and offers under `limits`.
fn listen<P: Clone>(
    limits: Limits,
    solve: impl FnOnce(&mut Control<'_, P, u32>) -> Conclusion,
) -> (Conclusion, Offers<P>) {
    let mut offers = Vec::new();
    let mut sink = |plan: &P, cost: u32| offers.push((plan.clone(), cost));
    let conclusion = solve(&mut Control::new(limits, 11, &mut sink));
    (conclusion, offers)
}

/// Trees on `domain` that share the limits of `control`.
fn plant<'d, D: Domain<Cost = u32>, G: Guide<D> + Clone, B: Bound<D> + Copy, P>(
    control: &Control<'_, P, u32>,
    domain: &'d D,
    guide: &G,
    bound: B,
    trees: usize,
) -> Vec<Search<'d, D, G, B>> {
    forest(control, &Settings::default(), trees)
        .into_iter()
        .map(|settings| Search::new(domain, guide.clone(), bound, settings))
        .collect()
}
