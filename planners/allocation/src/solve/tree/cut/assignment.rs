//! The arrival bound, made tighter where few tasks are left.

use super::{Cut, LEFT_MAX, add, fixed, times};
use crate::plan::Cost;
use crate::solve::model::{FAR, NONE, Worker};
use crate::solve::tree::rules::World;
use crate::solve::tree::state::State;

impl Cut {
    /// The same, and what the way onward from each task, and from where the agent is, costs more
    /// than the cheapest way to where it leads; and what that leaves: an assignment problem, rows
    /// and columns reduced once each.
    ///
    /// With any u(b) for where ways lead to and v(a) for where they start from, such that c(a, b) -
    /// u(b) - v(a) is never below 0, the ways of a plan cost at least the sum of u and v over what
    /// is done. Here u(b) is at first the cheapest way to b (`ways`; 0 for end places), v(a) the
    /// least that remains, and then u(b) grows by the least that still does.
    pub(super) fn assignment(
        &self,
        world: &World<'_>,
        state: &State,
        (worker, ways): ((usize, &Worker), &[i64; LEFT_MAX]),
    ) -> Cost {
        let (turn, count) = (state.turn as usize, state.left.len());
        let mut sum = fixed(&world.scene.model, state);
        let mut onward_micro = [0; LEFT_MAX];
        let mut slack_micro = [FAR; LEFT_MAX];
        // An agent that has not left its start yet is like those whose turn comes later: it may
        // stay.
        let starts = &self.starts[turn + usize::from(state.last != NONE)];
        for (at, &task) in state.left.iter().enumerate() {
            slack_micro[at] = starts[task as usize] - ways[at];
        }
        let mut home_micro = FAR;
        // All tasks left, and where the agent is.
        for from in 0..count + usize::from(state.last != NONE) {
            if from < count && ways[from] >= FAR {
                continue;
            }
            let task = state.left.get(from).copied();
            let mut row = [FAR; LEFT_MAX];
            self.row(world, state, (worker, task, &mut row));
            let end_micro = match task {
                Some(task) => self.ends[turn][task as usize],
                None => world.scene.model.cost_micro(state.here, worker.1.end),
            };
            let open = || (0..count).filter(|to| ways[*to] < FAR);
            let least_micro = open()
                .map(|to| row[to] - ways[to])
                .fold(end_micro, i64::min)
                .max(0);
            for to in open() {
                slack_micro[to] = slack_micro[to].min(row[to] - ways[to] - least_micro);
            }
            home_micro = home_micro.min(end_micro - least_micro);
            if from < count {
                onward_micro[from] = least_micro;
            } else if least_micro < FAR / 2 {
                add(&mut sum, &times(&self.travel, least_micro));
            }
        }
        for (at, &task) in state.left.iter().enumerate() {
            let more_micro = onward_micro[at] + slack_micro[at].max(0);
            add(&mut sum, &self.part(task, (ways[at] + more_micro).min(FAR)));
        }
        if state.last != NONE && home_micro < FAR / 2 {
            add(&mut sum, &times(&self.travel, home_micro.max(0)));
        }
        sum
    }

    /// Costs of the ways from a task that is left, or from where the agent is, to the tasks left,
    /// in their order.
    fn row(
        &self,
        world: &World<'_>,
        state: &State,
        (worker, from, row): ((usize, &Worker), Option<u32>, &mut [i64; LEFT_MAX]),
    ) {
        let model = &world.scene.model;
        for (&task, cost_micro) in state.left.iter().zip(row) {
            *cost_micro = match from {
                Some(from) => self.onward[from as usize][task as usize],
                None if world.start_us(state, worker, task).is_some() => {
                    model.cost_micro(state.here, model.jobs[task as usize].location)
                }
                None => FAR,
            };
        }
    }
}
