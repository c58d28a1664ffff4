//! Boxes that can never move again.

use super::field::Task;
use super::{NOWHERE, Spot};

/// Whether a push to `spot` froze a box that is on no goal. `is_taken` marks the cells of boxes,
/// including that one.
///
/// Frozen are the boxes of the largest set of which each is blocked along rows and along columns:
/// by a wall or a box of the set on one side, or by dead cells on both. A set without the box that
/// was pushed would have been frozen before.
pub(super) fn is_stuck(task: &Task, boxes: &[Spot], is_taken: &[bool], spot: Spot) -> bool {
    if !may_be_frozen(task, is_taken, spot) {
        return false;
    }
    let mut set = [NOWHERE; crate::board::BOXES_MAX];
    set[..boxes.len()].copy_from_slice(boxes);
    let mut count = boxes.len();
    loop {
        let before = count;
        let mut at = 0;
        while at < count {
            if is_blocked(task, &set[..count], set[at]) {
                at += 1;
                continue;
            }
            if set[at] == spot {
                return false;
            }
            count -= 1;
            set.swap(at, count);
        }
        if count == before {
            break;
        }
    }
    set[..count]
        .iter()
        .any(|spot| !task.is_goal[usize::from(*spot)])
}

/// A quick look: whether the box is blocked along its row and its column if all boxes next to it
/// were frozen.
fn may_be_frozen(task: &Task, is_taken: &[bool], spot: Spot) -> bool {
    blocked(task, spot, |side| is_taken[usize::from(side)])
}

fn is_blocked(task: &Task, set: &[Spot], spot: Spot) -> bool {
    blocked(task, spot, |side| set.contains(&side))
}

/// Whether a box is blocked along rows and along columns, where `stops` returns whether a floor
/// cell holds a frozen box.
fn blocked(task: &Task, spot: Spot, stops: impl Fn(Spot) -> bool) -> bool {
    let neighbours = task.field.next[usize::from(spot)];
    let blocks = |side: Spot| side == NOWHERE || stops(side);
    [[0, 2], [1, 3]].iter().all(|[one, other]| {
        let (one, other) = (neighbours[*one], neighbours[*other]);
        blocks(one) || blocks(other) || (is_dead(task, one) && is_dead(task, other))
    })
}

fn is_dead(task: &Task, spot: Spot) -> bool {
    spot == NOWHERE || task.is_dead[usize::from(spot)]
}

/// Whether any box is frozen off the goals.
pub(super) fn is_stuck_at_all(task: &Task, boxes: &[Spot], is_taken: &[bool]) -> bool {
    boxes
        .iter()
        .any(|&spot| is_stuck(task, boxes, is_taken, spot))
}
