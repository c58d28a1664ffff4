//! The game itself, played in all ways on whole microseconds: what dynamic controllability means,
//! with no reduction, wait or graph.
//!
//! At every moment the others go first: links that have lasted long enough may end, those that
//! cannot last longer have to. We see it, and let any of our events happen. A link of no time that
//! begins may end at once, which we see as well. Then time goes on. We win when all bounds hold at
//! the end.

pub(crate) mod forked;

use narrative::Narrative;
use narrative::problem::{Micros, Node};
use std::collections::BTreeMap;

type Times = Vec<Option<Micros>>;

/// A narrative without choices, ready for play until its horizon.
pub(crate) struct Game<'a> {
    narrative: &'a Narrative,
    horizon: Micros,
    ours: Vec<Node>,
    known: BTreeMap<(Micros, Times), bool>,
}

impl<'a> Game<'a> {
    pub(crate) fn new(narrative: &'a Narrative) -> Self {
        let spec = narrative.spec();
        let theirs = |node: &Node| spec.contingent.iter().any(|link| link.to == *node);
        Self {
            narrative,
            horizon: spec.horizon_us.expect("the game needs an end"),
            ours: (1..narrative.nodes())
                .filter(|node| !theirs(node))
                .collect(),
            known: BTreeMap::new(),
        }
    }

    /// Whether we can win whatever the others do.
    pub(crate) fn is_won(&mut self) -> bool {
        let mut times = vec![None; self.narrative.nodes()];
        times[0] = Some(0);
        self.theirs(0, &times, 0)
    }

    /// The others end links, from the one with index `next` on; then it is our turn.
    fn theirs(&mut self, now: Micros, times: &Times, next: usize) -> bool {
        let links = &self.narrative.spec().contingent;
        let Some(link) = links.get(next).copied() else {
            return self.ours(now, times);
        };
        let lasted = times[link.from].map(|start| now - start);
        let (Some(lasted), None) = (lasted, times[link.to]) else {
            return self.theirs(now, times, next + 1);
        };
        let goes_on = lasted >= link.upper_us || self.theirs(now, times, next + 1);
        // What begins with this end may have an index that was passed.
        goes_on && (lasted < link.lower_us || self.theirs(now, &after(times, link.to, now), 0))
    }

    /// We let some events happen.
    fn ours(&mut self, now: Micros, times: &Times) -> bool {
        if now > self.horizon || !self.is_fine(times) {
            return false;
        }
        if let Some(won) = self.known.get(&(now, times.clone())) {
            return *won;
        }
        let open: Vec<Node> = self
            .ours
            .iter()
            .copied()
            .filter(|node| times[*node].is_none())
            .collect();
        let won = (0..1_u32 << open.len()).any(|some| {
            let mut after = times.clone();
            for (at, node) in open.iter().enumerate() {
                if some >> at & 1 == 1 {
                    after[*node] = Some(now);
                }
            }
            self.at_once(now, times, &after, 0)
        });
        self.known.insert((now, times.clone()), won);
        won
    }

    /// Links that began just now may end at once, if they may take no time.
    fn at_once(&mut self, now: Micros, before: &Times, times: &Times, next: usize) -> bool {
        let links = &self.narrative.spec().contingent;
        let Some(link) = links.get(next).copied() else {
            return self.later(now, before, times);
        };
        let begins = times[link.from].is_some() && before[link.from].is_none();
        if !begins || times[link.to].is_some() || link.lower_us > 0 {
            return self.at_once(now, before, times, next + 1);
        }
        let goes_on = link.upper_us == 0 || self.at_once(now, before, times, next + 1);
        goes_on && self.at_once(now, before, &after(times, link.to, now), 0)
    }

    /// Time goes on, unless something ended that we may want to answer at once.
    fn later(&mut self, now: Micros, before: &Times, times: &Times) -> bool {
        if times.iter().all(Option::is_some) {
            return self.is_fine(times);
        }
        let mut links = self.narrative.spec().contingent.iter();
        if links.any(|link| times[link.to].is_some() && before[link.to].is_none()) {
            return self.ours(now, times);
        }
        self.theirs(now + 1, times, 0)
    }

    /// Whether all bounds between what has happened hold.
    fn is_fine(&self, times: &Times) -> bool {
        let spec = self.narrative.spec();
        spec.links
            .iter()
            .all(|link| match (times[link.from], times[link.to]) {
                (Some(from), Some(to)) => {
                    let taken = to - from;
                    link.lower_us.is_none_or(|lower| taken >= lower)
                        && link.upper_us.is_none_or(|upper| taken <= upper)
                }
                _ => true,
            })
    }
}

fn after(times: &Times, node: Node, now: Micros) -> Times {
    let mut times = times.clone();
    times[node] = Some(now);
    times
}
