//! Transitive reduction: networks without redundant bounds. A plan may have a bound between any
//! two nodes.

use crate::problem::{Micros, Node};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use stn::Difference;
use stn::check::{FAR, Network, potentials, strictest_bounds};

/// Leaves out bounds that follow from other bounds and durations.
///
/// A bound goes when two others by a third node, no fixed time away from either end, are as strict
/// together. Between two nodes, take the shortest path over the most groups of nodes that are a
/// fixed time apart (cycles over several groups are not of length 0): none of its bounds goes. So
/// exactly the same times satisfy the network as before. O(nodes^3) time, less where most bounds
/// follow from those of nodes nearby. Once `go_on` returns false, no more are left out.
pub(super) fn reduce(network: &mut Network, go_on: &dyn Fn() -> bool) {
    let all: Vec<Difference> = network.all_bounds().collect();
    let Some(potential) = potentials(network.nodes, &all, go_on) else {
        return;
    };
    let nodes = network.nodes;
    let groups = groups(network, &potential);
    let most = strictest_bounds(nodes, all.into_iter());
    let row = |node: Node| &most[node * nodes..(node + 1) * nodes];
    network.bounds.sort_unstable();
    let mut kept = Vec::new();
    for bounds in network.bounds.chunk_by(|one, next| one.from == next.from) {
        let from = bounds[0].from;
        let mut left = bounds.to_vec();
        left.dedup_by_key(|bound| bound.to);
        if !go_on() {
            kept.extend(left);
            continue;
        }
        let third = (0..nodes).filter(|by| row(from)[*by] < FAR && groups[*by] != groups[from]);
        let mut third: Vec<Node> = third.collect();
        // Those nearby leave least.
        third.sort_unstable_by_key(|by| row(from)[*by].abs());
        for by in third {
            let (first, second) = (row(from)[by], row(by));
            left.retain(|bound| {
                let second = second[bound.to];
                let follows = second < FAR && first + second <= bound.weight;
                !follows || groups[by] == groups[bound.to]
            });
        }
        kept.extend(left);
    }
    network.bounds = kept;
}

/// For each node the group of those that are a fixed time before or after it.
///
/// Where times keep bounds exactly, cycles of these have length 0: the groups are the strongly
/// connected components of exactly kept bounds.
fn groups(network: &Network, times: &[Micros]) -> Vec<Node> {
    let exact = |bound: &Difference| times[bound.from] + bound.weight == times[bound.to];
    let exact = network.all_bounds().filter(exact);
    let exact = exact.map(|bound| (bound.from, bound.to));
    let mut groups: Vec<Node> = (0..network.nodes).collect();
    for group in kosaraju_scc(&DiGraph::<(), (), Node>::from_edges(exact)) {
        for node in &group {
            groups[node.index()] = group[0].index();
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{Difference, Network, reduce};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use stn::check::Closure;

    #[test]
    fn what_is_left_out_follows_from_what_is_kept() {
        let mut least_left = usize::MAX;
        for seed in 0..40 {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let times: Vec<i64> = (0..32).map(|_| random.random_range(0..20)).collect();
            // Many bounds are kept exactly, so that there are groups of nodes a fixed time apart.
            let room = random.random_range(1..30);
            let mut network = Network {
                nodes: times.len(),
                ..Network::default()
            };
            for from in 0..times.len() {
                for to in (0..times.len()).filter(|to| *to != from) {
                    let weight = times[to] - times[from] + random.random_range(0..room);
                    network.bounds.push(Difference { from, to, weight });
                }
            }
            let closure = Closure::new(&network, &|| true);
            reduce(&mut network, &|| true);
            assert!(
                closure.is_some() && closure == Closure::new(&network, &|| true),
                "{seed}"
            );
            least_left = least_left.min(network.bounds.len());
        }
        assert!(least_left < 32 * 8, "{least_left}");
    }
}
