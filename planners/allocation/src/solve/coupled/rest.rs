//! Where breaks are taken.

use super::ground::Ground;
use super::state::State;
use super::timing::Late;
use crate::problem::Micros;

impl State {
    /// Puts the breaks that agents cannot leave out any more where they cost least. `rests` gets
    /// the nodes that were linked, in this order, also after an error.
    pub(super) fn rest(&mut self, ground: &Ground<'_>, rests: &mut Vec<u32>) -> Result<(), Late> {
        while let Some((agent, index)) = self.missing(ground) {
            let node = ground.node_of(index);
            let behind = self.best_rest(ground, (agent, node)).ok_or(Late)?;
            self.link(ground, node, behind);
            rests.push(node);
            self.settle(ground, node)?;
        }
        Ok(())
    }

    /// The first break that an agent misses; of one agent those that have to start first.
    fn missing(&self, ground: &Ground<'_>) -> Option<(usize, u32)> {
        let of = |agent: &usize| {
            let end_us = self.times_us[ground.last(*agent) as usize];
            let is_missing = |index: &&u32| {
                let is_taken = self.is_done(ground.node_of(**index));
                let latest_us = ground.breaks[**index as usize].latest_us;
                !is_taken && end_us > latest_us && !self.is_over(ground, *agent, latest_us)
            };
            ground.breaks_of[*agent].iter().find(is_missing)
        };
        let used = ground.resting.iter().filter(|a| self.is_used(ground, **a));
        let mut all = used.filter_map(|agent| Some((*agent, *of(agent)?)));
        all.next()
    }

    /// Whether a break is past that had to start at `latest_us`: the agent had done what it has
    /// under way by then.
    fn is_over(&self, ground: &Ground<'_>, agent: usize, latest_us: Micros) -> bool {
        let last = ground.model.workers[agent].started.last();
        let done_us = last.map(|last| self.times_us[*last as usize] + ground.length_us(*last));
        latest_us < ground.now_us && done_us.is_none_or(|done_us| done_us <= latest_us)
    }

    /// Whether nobody misses a break.
    pub(super) fn may_end(&self, ground: &Ground<'_>) -> bool {
        self.missing(ground).is_none()
    }

    /// Behind which node of an agent's route a break costs least.
    fn best_rest(&mut self, ground: &Ground<'_>, (agent, rest): (usize, u32)) -> Option<u32> {
        let last = ground.last(agent);
        let mut best: Option<(f64, i64, u32)> = None;
        let mut behind = ground.first(agent);
        while behind != last {
            let mark = self.mark();
            self.link(ground, rest, behind);
            if self.settle(ground, rest).is_ok() {
                let (energy, end_us) = (self.energy(ground), self.times_us[last as usize]);
                let is_better = best.is_none_or(|(least, least_us, _)| {
                    energy < least || (energy <= least && end_us < least_us)
                });
                if is_better {
                    best = Some((energy, end_us, behind));
                }
            }
            self.unlink(ground, rest);
            self.restore(mark);
            behind = self.next[behind as usize];
        }
        best.map(|(.., behind)| behind)
    }
}
