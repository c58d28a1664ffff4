//! Waiting: delays of starts that are earlier than preferred.

use super::instance::CoupledInstance;
use super::state::State;

/// Halvings of a wait that is too long.
const HALVINGS: u32 = 12;

/// Delays starts that are earlier than preferred, the last first, each as long as that makes the
/// plan cheaper.
///
/// Earliest times are optimal for all other terms. A delay is propagated, and its cost counts. The
/// result is as good as delays of one task at a time can make it, not always optimal.
pub(super) fn wait(instance: &CoupledInstance<'_>, state: &mut State) {
    if !instance.counts.early {
        return;
    }
    let preferences = |task: &u32| {
        let preference = instance.preferences[*task as usize];
        state.is_assigned(*task) && preference.is_some_and(|preference| preference.early_micro > 0)
    };
    let mut tasks: Vec<u32> = (0..instance.tasks() as u32).filter(preferences).collect();
    tasks.sort_by_key(|task| (std::cmp::Reverse(state.times_us[*task as usize]), *task));
    state.work.log.clear();
    for task in tasks {
        let Some(preference) = instance.preferences[task as usize] else {
            continue;
        };
        let mut wait_us = preference.from_us - state.times_us[task as usize];
        let before = state.scale.penalised_cost(&state.all_terms(instance));
        for _ in 0..HALVINGS {
            if wait_us <= 0 {
                break;
            }
            let mark = state.mark();
            let until_us = state.times_us[task as usize] + wait_us;
            let waits =
                state.delay(instance, task, until_us).is_ok() && state.takes_all_breaks(instance);
            if waits && state.scale.penalised_cost(&state.all_terms(instance)) < before {
                break;
            }
            state.restore(mark);
            wait_us /= 2;
        }
    }
}
