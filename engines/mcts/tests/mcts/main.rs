//! The engine from outside, on small worlds whose optimum brute force knows.

mod digits;
mod driven;
mod property;
mod searching;
mod tour;
mod variations;

use mcts::{Bound, Domain, Guide, Search, Step};

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
