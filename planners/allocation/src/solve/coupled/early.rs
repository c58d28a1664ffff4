//! Starts that are too early wait, as far as that pays.

use super::ground::Ground;
use super::state::State;

/// Halvings of a wait that is too long.
const HALVINGS: u32 = 12;

/// Lets starts that are too early wait, the last first, each as long as that makes the plan
/// cheaper.
///
/// The earliest times are best for all else. A start that waits pushes others back; what that costs
/// counts. The answer is as good as waits of one task at a time can make it, not always the best.
pub(super) fn wait(ground: &Ground<'_>, state: &mut State) {
    if !ground.counts.early {
        return;
    }
    let wishes = |task: &u32| {
        let wish = ground.wishes[*task as usize];
        state.is_done(*task) && wish.is_some_and(|wish| wish.early_micro > 0)
    };
    let mut tasks: Vec<u32> = (0..ground.tasks() as u32).filter(wishes).collect();
    tasks.sort_by_key(|task| (std::cmp::Reverse(state.times_us[*task as usize]), *task));
    state.work.log.clear();
    for task in tasks {
        let Some(wish) = ground.wishes[task as usize] else {
            continue;
        };
        let mut wait_us = wish.from_us - state.times_us[task as usize];
        let before = state.scale.energy(&state.all_terms(ground));
        for _ in 0..HALVINGS {
            if wait_us <= 0 {
                break;
            }
            let mark = state.mark();
            let until_us = state.times_us[task as usize] + wait_us;
            let waits = state.delay(ground, task, until_us).is_ok() && state.may_end(ground);
            if waits && state.scale.energy(&state.all_terms(ground)) < before {
                break;
            }
            state.restore(mark);
            wait_us /= 2;
        }
    }
}
