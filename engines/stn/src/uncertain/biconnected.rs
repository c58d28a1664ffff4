//! Biconnected components: the parts of a network that share no simple cycle.

/// The block of each link, numbered from 0: two links are in one block when a cycle visits both
/// and no node twice, whatever the directions. `ends` are the two nodes of each link.
///
/// Every simple cycle lies within one block. Source: Hopcroft and Tarjan, "Algorithm 447: efficient
/// algorithms for graph manipulation", CACM 16 (1973), biconnected components; here without
/// recursion. O(nodes + links) time.
pub(super) fn biconnected_components(nodes: usize, ends: &[(u32, u32)]) -> (Vec<usize>, usize) {
    let mut search = Search {
        links_at: vec![Vec::new(); nodes],
        order: vec![0; nodes],
        low: vec![0; nodes],
        met: 0,
        open: Vec::new(),
        block: vec![0; ends.len()],
        blocks: 0,
    };
    for (link, (one, other)) in ends.iter().enumerate() {
        search.links_at[*one as usize].push((*other as usize, link));
        search.links_at[*other as usize].push((*one as usize, link));
    }
    for root in 0..nodes {
        if search.order[root] == 0 {
            search.walk_from(root);
        }
    }
    (search.block, search.blocks)
}

/// A node on the path from the root.
struct Visit {
    node: usize,
    /// The link it was reached by; none at the root.
    by: Option<usize>,
    /// How many of its links were followed.
    followed: usize,
}

struct Search {
    links_at: Vec<Vec<(usize, usize)>>,
    /// When each node was met, from 1; 0: not yet.
    order: Vec<usize>,
    /// The earliest node that can be reached from below by one link upwards.
    low: Vec<usize>,
    met: usize,
    /// Links that have no block yet, in the order they were followed.
    open: Vec<usize>,
    block: Vec<usize>,
    blocks: usize,
}

impl Search {
    fn walk_from(&mut self, root: usize) {
        let mut path = vec![self.meet(root, None)];
        while let Some(top) = path.last_mut() {
            let node = top.node;
            let Some((next, link)) = self.links_at[node].get(top.followed).copied() else {
                let Visit { by, .. } = path.pop().expect("just looked at");
                if let (Some(link), Some(above)) = (by, path.last()) {
                    self.leave(node, link, above.node);
                }
                continue;
            };
            top.followed += 1;
            if top.by == Some(link) {
                continue;
            }
            if self.order[next] == 0 {
                self.open.push(link);

                path.push(self.meet(next, Some(link)));
            } else if self.order[next] < self.order[node] {
                self.open.push(link);
                self.low[node] = self.low[node].min(self.order[next]);
            }
        }
    }

    fn meet(&mut self, node: usize, by: Option<usize>) -> Visit {
        self.met += 1;
        self.order[node] = self.met;
        self.low[node] = self.met;
        let followed = 0;
        Visit { node, by, followed }
    }

    /// Goes back over `link` from `node` to `above`. If nothing below reaches beyond, all links
    /// followed since are a block.
    fn leave(&mut self, node: usize, link: usize, above: usize) {
        self.low[above] = self.low[above].min(self.low[node]);
        if self.low[node] < self.order[above] {
            return;
        }
        while let Some(open) = self.open.pop() {
            self.block[open] = self.blocks;
            if open == link {
                break;
            }
        }
        self.blocks += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether some cycle visits both links: by search at all simple cycles.
    fn on_one_cycle(ends: &[(u32, u32)], one: usize, other: usize) -> bool {
        let (goal, start) = ends[one];
        let mut paths = vec![(start, vec![one], vec![start])];
        while let Some((at, links, nodes)) = paths.pop() {
            for (link, (a, b)) in ends.iter().enumerate() {
                let next = if *a == at { *b } else { *a };
                if links.contains(&link) || (*a != at && *b != at) {
                    continue;
                }
                if next == goal && (links.contains(&other) || link == other) {
                    return true;
                }
                if next != goal && !nodes.contains(&next) {
                    let longer = [&links[..], &[link]].concat();
                    paths.push((next, longer, [&nodes[..], &[next]].concat()));
                }
            }
        }
        false
    }

    #[test]
    fn links_share_a_block_exactly_when_they_share_a_cycle() {
        let mut state = 12_345_u64;
        let mut pick = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            (state >> 33) % below
        };
        let mut on_shared_cycle = 0;
        for _ in 0..300 {
            let nodes = 2 + pick(6) as u32;
            let pairs =
                (0..pick(9)).map(|_| (pick(nodes.into()) as u32, pick(nodes.into()) as u32));
            let ends: Vec<(u32, u32)> = pairs.filter(|(one, other)| one != other).collect();
            let (block, count) = biconnected_components(nodes as usize, &ends);
            for one in 0..ends.len() {
                assert!(block[one] < count);
                for other in 0..one {
                    let same = block[one] == block[other];
                    assert_eq!(same, on_one_cycle(&ends, one, other), "{ends:?} {block:?}");
                    on_shared_cycle += usize::from(same);
                }
            }
        }
        assert!(on_shared_cycle > 100, "{on_shared_cycle}");
    }
}
