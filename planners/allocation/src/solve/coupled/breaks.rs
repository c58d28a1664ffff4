//! Positions of breaks on routes.

use super::instance::CoupledInstance;
use super::state::State;
use super::timing::TooLate;
use crate::problem::Micros;

impl State {
    /// Inserts the breaks that agents have to take, each where it costs least. `rests` gets the
    /// inserted nodes in this order, also after an error.
    pub(super) fn insert_breaks(
        &mut self,
        instance: &CoupledInstance<'_>,
        rests: &mut Vec<u32>,
    ) -> Result<(), TooLate> {
        while let Some((agent, index)) = self.missing(instance) {
            let node = instance.node_of(index);
            let behind = self
                .best_break_position(instance, agent, node)
                .ok_or(TooLate)?;
            self.link(instance, node, behind);
            rests.push(node);
            self.propagate(instance, node)?;
        }
        Ok(())
    }

    /// The first break that an agent misses; of an agent the one with the earliest latest start.
    fn missing(&self, instance: &CoupledInstance<'_>) -> Option<(usize, u32)> {
        let of = |agent: &usize| {
            let end_us = self.times_us[instance.last(*agent) as usize];
            let is_missing = |index: &&u32| {
                let is_taken = self.is_assigned(instance.node_of(**index));
                let latest_us = instance.breaks[**index as usize].latest_us;
                !is_taken && end_us > latest_us && !self.is_over(instance, *agent, latest_us)
            };
            instance.breaks_of[*agent].iter().find(is_missing)
        };
        let used = instance
            .agents_with_breaks
            .iter()
            .filter(|a| self.is_used(instance, **a));
        let mut all = used.filter_map(|agent| Some((*agent, *of(agent)?)));
        all.next()
    }

    /// Whether a break with this latest start is in the past: its agent had ended its committed
    /// prefix by then.
    fn is_over(&self, instance: &CoupledInstance<'_>, agent: usize, latest_us: Micros) -> bool {
        let last = instance.model.workers[agent].committed.last();
        let done_us = last.map(|last| self.times_us[*last as usize] + instance.length_us(*last));
        latest_us < instance.now_us && done_us.is_none_or(|done_us| done_us <= latest_us)
    }

    /// Whether no agent misses a break.
    pub(super) fn takes_all_breaks(&self, instance: &CoupledInstance<'_>) -> bool {
        self.missing(instance).is_none()
    }

    /// The node of an agent's route behind which a break costs least.
    fn best_break_position(
        &mut self,
        instance: &CoupledInstance<'_>,
        agent: usize,
        rest: u32,
    ) -> Option<u32> {
        let last = instance.last(agent);
        let mut best: Option<(f64, i64, u32)> = None;
        let mut behind = instance.first(agent);
        while behind != last {
            let mark = self.mark();
            self.link(instance, rest, behind);
            if self.propagate(instance, rest).is_ok() {
                let (penalised_cost, end_us) =
                    (self.penalised_cost(instance), self.times_us[last as usize]);
                let is_better = best.is_none_or(|(least, least_us, _)| {
                    penalised_cost < least || (penalised_cost <= least && end_us < least_us)
                });
                if is_better {
                    best = Some((penalised_cost, end_us, behind));
                }
            }
            self.unlink(instance, rest);
            self.restore(mark);
            behind = self.next[behind as usize];
        }
        best.map(|(.., behind)| behind)
    }
}
