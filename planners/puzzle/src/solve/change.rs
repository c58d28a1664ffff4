//! Small changes of drafts.

use super::draft::{Draft, Ground};
use mcts::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Changes a draft a little, once or a few times.
pub(super) fn change(ground: &Ground<'_>, draft: &mut Draft, rng: &mut Rng) {
    let times = if rng.random_bool(0.3) { 2 } else { 1 };
    for _ in 0..times {
        change_once(ground, draft, rng);
    }
}

fn change_once(ground: &Ground<'_>, draft: &mut Draft, rng: &mut Rng) {
    match rng.random_range(0..20) {
        0..=7 => wall(ground, draft, rng),
        8..=10 => move_one(ground, draft, true, rng),
        11..=13 => move_one(ground, draft, false, rng),
        14..=15 => player(ground, draft, rng),
        16..=18 => {
            if ground.boxes.is_empty() && ground.player.is_none() {
                let pulls = rng.random_range(1..=6);
                draft.pull(ground, pulls, rng);
            }
        }
        _ => count(ground, draft, rng),
    }
}

/// Opens or closes a cell and those alike; rather next to what is floor already.
fn wall(ground: &Ground<'_>, draft: &mut Draft, rng: &mut Rng) {
    for _ in 0..8 {
        let Some(orbit) = ground.orbits.choose(rng) else {
            return;
        };
        let is_used = |cell: &usize| {
            draft.boxes.contains(cell) || draft.goals.contains(cell) || draft.player == *cell
        };
        let is_wall = draft.is_wall[orbit[0]];
        let has_floor = ground
            .neighbours(orbit[0])
            .iter()
            .any(|&next| !draft.is_wall[next]);
        if orbit.iter().any(is_used) || (is_wall && !has_floor) {
            continue;
        }
        for &cell in orbit {
            draft.is_wall[cell] = !is_wall;
        }
        return;
    }
}

/// Moves a box or a goal: to a neighbour, or anywhere.
fn move_one(ground: &Ground<'_>, draft: &mut Draft, is_box: bool, rng: &mut Rng) {
    let (pieces, fixed) = if is_box {
        (&draft.boxes, &ground.boxes)
    } else {
        (&draft.goals, &ground.goals)
    };
    let index = rng.random_range(0..pieces.len());
    if fixed.contains(&pieces[index]) {
        return;
    }
    let to = if rng.random_bool(0.6) {
        ground.neighbours(pieces[index]).choose(rng).copied()
    } else {
        floor(draft, rng)
    };
    let Some(to) = to else {
        return;
    };
    if draft.is_wall[to] || pieces.contains(&to) || (is_box && draft.player == to) {
        return;
    }
    if is_box {
        draft.boxes[index] = to;
    } else {
        draft.goals[index] = to;
    }
}

fn player(ground: &Ground<'_>, draft: &mut Draft, rng: &mut Rng) {
    if ground.player.is_none()
        && let Some(to) = floor(draft, rng)
        && !draft.boxes.contains(&to)
    {
        draft.player = to;
    }
}

/// One box and one goal more or less, where that is allowed.
fn count(ground: &Ground<'_>, draft: &mut Draft, rng: &mut Rng) {
    let spec = ground.problem.spec();
    let boxes = draft.boxes.len();
    if rng.random() {
        if boxes < spec.boxes_max
            && let (Some(start), Some(goal)) = (floor(draft, rng), floor(draft, rng))
            && !draft.boxes.contains(&start)
            && !draft.goals.contains(&goal)
            && draft.player != start
        {
            draft.boxes.push(start);
            draft.goals.push(goal);
        }
    } else if boxes > spec.boxes_min {
        let start = rng.random_range(0..boxes);
        let goal = rng.random_range(0..boxes);
        if !ground.boxes.contains(&draft.boxes[start]) && !ground.goals.contains(&draft.goals[goal])
        {
            draft.boxes.swap_remove(start);
            draft.goals.swap_remove(goal);
        }
    }
}

/// Any floor cell.
fn floor(draft: &Draft, rng: &mut Rng) -> Option<usize> {
    let cells = 0..draft.is_wall.len();
    (0..32)
        .map(|_| rng.random_range(cells.clone()))
        .find(|&cell| !draft.is_wall[cell])
}
