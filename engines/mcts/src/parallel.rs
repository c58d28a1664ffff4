//! The driver that grows several trees at once.

use crate::{Bound, Domain, Guide, Search, Settings, Step};
use anytime::{Conclusion, Control, Pulse, Stop};
use std::panic::resume_unwind;
use std::thread;

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

/// One tree's part of a round.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    share: u64,
    made: u64,
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
    mut trees: Vec<Search<'_, D, G, B>>,
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
    let mut round = 1;
    // A proof reads every node; at doubling intervals that is O(1) an iteration.
    let mut prove_at = 1;
    let mut turns = vec![Turn::default(); trees.len()];
    loop {
        if let Some(conclusion) = conclusion(control, &trees) {
            return conclusion;
        }
        deal(&mut turns, &trees, round, control.remaining());
        let incumbent = control.best();
        let (threads, pulse) = (control.limits().threads, control.fork());
        let grow = |tree: &mut Search<'_, D, G, B>, turn: &mut Turn| {
            grow(tree, turn, incumbent, &pulse);
        };
        on_threads(threads, &mut trees, &mut turns, grow);
        control.count(turns.iter().map(|turn| turn.made).sum());
        for ((tree, turn), label) in trees.iter().zip(&turns).zip(&labels) {
            if let (true, Some((state, cost))) = (turn.improved, tree.best()) {
                control.offer(&export(state), cost, label);
            }
        }
        if control.iterations() >= prove_at {
            prove(control, &trees);
            prove_at = control.iterations().saturating_mul(2);
        }
        round = (2 * round).min(settings.round_max.max(1));
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

fn conclusion<D, G, B, P>(
    control: &mut Control<'_, P, D::Cost>,
    trees: &[Search<'_, D, G, B>],
) -> Option<Conclusion>
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    // An exhausted tree was pruned by incumbents that were all offered, so the last offer is the
    // optimum.
    if trees.iter().any(Search::is_exhausted) {
        prove(control, trees);
        return Some(Conclusion::Optimal);
    }
    if trees.iter().all(Search::is_finished) {
        return Some(Conclusion::Stopped(Stop::Exhausted));
    }
    // A tick that fails records why; with iterations left it is not asked, because it would count
    // one.
    let go = control.go_on() && (control.remaining() > 0 || control.tick());
    (!go).then(|| Conclusion::Stopped(control.stop().unwrap_or(Stop::Iterations)))
}

fn prove<D, G, B, P>(control: &mut Control<'_, P, D::Cost>, trees: &[Search<'_, D, G, B>])
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    let incumbent = control.best();
    let bounds = trees.iter().map(|tree| tree.proved_bound(incumbent));
    if let Some(bound) = bounds.max().flatten() {
        control.prove(bound, "tree search");
    }
}

/// Deals `round` iterations to every tree that can go on, or what remains in equal parts, the first
/// trees getting the rest.
fn deal<D, G, B>(turns: &mut [Turn], trees: &[Search<'_, D, G, B>], round: u64, remaining: u64)
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    let able = trees.iter().filter(|tree| !tree.is_finished()).count() as u64;
    let total = round.saturating_mul(able).min(remaining);
    let mut rank = 0;
    for (turn, tree) in turns.iter_mut().zip(trees) {
        *turn = Turn::default();
        if !tree.is_finished() {
            turn.share = total / able + u64::from(rank < total % able);
            rank += 1;
        }
    }
}

fn grow<D, G, B>(
    tree: &mut Search<'_, D, G, B>,
    turn: &mut Turn,
    incumbent: Option<D::Cost>,
    pulse: &Pulse,
) where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    while turn.made < turn.share && pulse.beats() {
        let step = tree.step(incumbent);
        if step == Step::Finished {
            return;
        }
        turn.made += 1;
        turn.improved |= step == Step::Improved;
    }
}

/// Calls `work` for all pairs, each thread with a stretch of neighbours, the first on this thread.
fn on_threads<S: Send, T: Send>(
    threads: usize,
    searches: &mut [S],
    turns: &mut [T],
    work: impl Fn(&mut S, &mut T) + Sync,
) {
    let stretch = searches.len().div_ceil(threads.max(1)).max(1);
    let run = |searches: &mut [S], turns: &mut [T]| {
        for (search, turn) in searches.iter_mut().zip(turns) {
            work(search, turn);
        }
    };
    let mut parts = searches.chunks_mut(stretch).zip(turns.chunks_mut(stretch));
    let first = parts.next();
    thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|(searches, turns)| scope.spawn(|| run(searches, turns)))
            .collect();
        if let Some((searches, turns)) = first {
            run(searches, turns);
        }
        for other in others {
            // A panic there is a panic here, with the same payload.
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
