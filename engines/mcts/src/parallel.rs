//! The driver that grows several trees at once.

use crate::{Bound, Domain, Guide, Search, Settings, Step};
use anytime::{Conclusion, Control, Pulse, Rounds, Stop};
use std::mem::take;

/// How [`parallel`] divides its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParallelSettings {
    /// What the offers say found them; the number of the tree, from 1, is appended where there are
    /// several.
    pub found_by: &'static str,
    /// Iterations of one tree between two barriers, at least 1. Rounds start at one iteration and
    /// double up to this. Plans wait for the barrier before they are offered, so: small enough for
    /// a round of all the trees of a thread to take some milliseconds.
    pub round_max: u64,
}

impl Default for ParallelSettings {
    fn default() -> Self {
        Self {
            found_by: "mcts",
            round_max: 128,
        }
    }
}

/// The exploration constants of `k` trees: {2C/k, 4C/k, ..., C, 2C, 3C, ..., (k/2 + 1)C}.
///
/// Source: Kartal 2016, section 4.6, which defines it for even k. An odd k is rounded up and the
/// last constant dropped; so one tree gets C.
///
/// # Examples
/// ```
/// assert_eq!(mcts::exploration_constants(1, 1.5), [1.5]);
/// assert_eq!(mcts::exploration_constants(2, 1.5), [1.5, 3.0]);
/// assert_eq!(mcts::exploration_constants(4, 1.0), [0.5, 1.0, 2.0, 3.0]);
/// assert_eq!(mcts::exploration_constants(3, 1.0), [0.5, 1.0, 2.0]);
/// ```
#[must_use]
pub fn exploration_constants(k: usize, c: f64) -> Vec<f64> {
    let half = k.div_ceil(2);
    let low = (1..=half).map(|i| c * i as f64 / half as f64);
    let high = (2..=half + 1).map(|i| c * i as f64);
    low.chain(high).take(k).collect()
}

/// Settings of `trees` trees that share the limits of `control`: their own exploration constants
/// around `base.exploration`, their own seeds, an equal share of `control.limits().nodes_max`
/// (`base` is not asked for seed and nodes).
#[must_use]
pub fn forest<P, C: Ord + Copy>(
    control: &Control<'_, P, C>,
    base: &Settings,
    trees: usize,
) -> Vec<Settings> {
    let nodes_max = control.limits().nodes_max / trees.max(1);
    (0..)
        .zip(exploration_constants(trees, base.exploration))
        .map(|(tree, exploration)| Settings {
            exploration,
            nodes_max,
            seed: control.seed(tree),
            ..*base
        })
        .collect()
}

/// A tree, and whether the last round improved its best plan.
struct Tree<S> {
    search: S,
    improved: bool,
}

/// Grows all `trees` in rounds, on as many threads as `control` allows; costs of incumbents are
/// exchanged between rounds. Parameterised root parallelism, Kartal 2016, section 4.6; see
/// [`forest`] for the trees.
///
/// Under an iteration limit the answer does not depend on the number of threads: a round is counted
/// in iterations, trees see each other's incumbents only at the barrier after it, and offers are
/// made there, in the order of the trees. (The thesis shares at once.) How many trees there are is
/// a parameter and does change the answer.
///
/// Proves bounds on the way, where there is a [`Bound`], from the nodes that are still open.
///
/// Ends as `Optimal` as soon as one tree is exhausted; as `Stopped(Exhausted)` when no tree can go
/// on; else as `control` says. A stop is heard at every iteration, and what was found until then is
/// still offered.
///
/// # Panics
/// When the domain, a guide, a bound or `export` does, in any thread, with the same payload.
pub fn parallel<D, G, B, P>(
    control: &mut Control<'_, P, D::Cost>,
    trees: Vec<Search<'_, D, G, B>>,
    export: impl Fn(&D::State) -> P,
    settings: ParallelSettings,
) -> Conclusion
where
    D: Domain + Sync,
    D::State: Send,
    D::Action: Send,
    D::Cost: Send + Sync,
    G: Guide<D> + Send,
    B: Bound<D> + Send,
{
    let labels = labels(settings.found_by, trees.len());
    let mut trees: Vec<_> = trees
        .into_iter()
        .map(|search| Tree {
            search,
            improved: false,
        })
        .collect();
    let mut rounds = Rounds::new(1, settings.round_max);
    // A proof reads every node; at doubling intervals that is O(1) an iteration.
    let mut prove_at = 1;
    loop {
        // An exhausted tree was pruned by incumbents that were all offered, so the last offer is
        // the optimum.
        if trees.iter().any(|tree| tree.search.is_exhausted()) {
            prove(control, &trees);
            return Conclusion::Optimal;
        }
        let incumbent = control.best();
        let able = trees.iter_mut().filter(|tree| !tree.search.is_finished());
        let grow = |tree: &mut Tree<_>, share, pulse: &Pulse| tree.grow(share, incumbent, pulse);
        if !rounds.run(control, able, grow) {
            return Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted));
        }
        for (tree, label) in trees.iter_mut().zip(&labels) {
            if let (true, Some((state, cost))) = (take(&mut tree.improved), tree.search.best()) {
                control.offer(&export(state), cost, label);
            }
        }
        if control.iterations() >= prove_at {
            prove(control, &trees);
            prove_at = control.iterations().saturating_mul(2);
        }
    }
}

fn labels(found_by: &str, trees: usize) -> Vec<String> {
    if trees == 1 {
        return vec![found_by.to_owned()];
    }
    (1..=trees)
        .map(|tree| format!("{found_by} tree {tree}"))
        .collect()
}

fn prove<D, G, B, P>(control: &mut Control<'_, P, D::Cost>, trees: &[Tree<Search<'_, D, G, B>>])
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    let incumbent = control.best();
    let bounds = trees.iter().map(|tree| tree.search.proved_bound(incumbent));
    if let Some(bound) = bounds.max().flatten() {
        control.prove(bound, "tree search");
    }
}

impl<D: Domain, G: Guide<D>, B: Bound<D>> Tree<Search<'_, D, G, B>> {
    /// Makes at most `share` iterations; returns how many it made.
    fn grow(&mut self, share: u64, incumbent: Option<D::Cost>, pulse: &Pulse) -> u64 {
        let mut made = 0;
        while made < share && pulse.beats() {
            let step = self.search.step(incumbent);
            if step == Step::Finished {
                break;
            }
            made += 1;
            self.improved |= step == Step::Improved;
        }
        made
    }
}
