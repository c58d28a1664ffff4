//! A point from a solution of the program, in whole numbers.

use super::program::{Program, Worst};
use super::scale::Scales;
use crate::plan::{Point, Role};
use crate::problem::Problem;
use milp::Solution;
use std::collections::VecDeque;

/// A problem, its program, and units of time and damage.
pub(super) type Context<'c> = (&'c Problem, &'c Program, Scales);

/// The point of a solution with `size` players, with its worst damage in units; `None` where its
/// legs do not match the solver's values: better ones would mean an overlooked point.
pub(super) fn point(
    (problem, program, scales): Context<'_>,
    size: usize,
    best: &Solution,
) -> Option<(Point, u32)> {
    let spec = problem.spec();
    let event = &spec.events[0];
    let mut roles = Vec::with_capacity(size);
    let (mut worst_time, mut worst_damage) = (0, 0);
    for (player, &start) in spec.players.iter().enumerate() {
        let Some(tool) = program.taken(best, player) else {
            continue;
        };
        let [fetches, carries] = program.walked(best, player);
        let at = spec.tools[tool];
        let (fetch, to_tool) = path(problem, start, at, &fetches)?;
        let (carry, to_event) = path(problem, at, event.vertex, &carries)?;
        let (mut time, mut damage) = (0, 0);
        for arc in to_tool {
            time += spec.arcs[arc].time_us;
            damage += spec.arcs[arc].fetch_micro;
        }
        for arc in to_event {
            time += spec.arcs[arc].time_us;
            damage += spec.arcs[arc].carry_micro;
        }
        worst_time = worst_time.max(time);
        worst_damage = worst_damage.max(damage);
        roles.push(Role {
            player,
            tool,
            fetch,
            carry,
        });
    }
    let effort = event.efforts[size - 1];
    let Worst { time, damage } = program.worst(best)?;
    let point = Point {
        time_us: worst_time + effort.time_us,
        damage_micro: worst_damage + effort.damage_micro,
        fewer_do: false,
        roles,
        others: Vec::new(),
        more: false,
    };
    let claimed = (scales.time.amount(time), scales.damage.amount(damage));
    let holds = claimed == (point.time_us, point.damage_micro) && point.roles.len() == size;
    holds.then_some((point, damage))
}

/// A path within arcs that are walked, as vertices and as arcs. Equations 11 and 13 allow cycles
/// too, apart from the path or on it: they are left out, which makes nothing worse.
fn path(
    problem: &Problem,
    start: usize,
    end: usize,
    walked: &[bool],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let arcs = &problem.spec().arcs;
    let mut came_by = vec![None; problem.spec().vertices];
    let mut open = VecDeque::from([start]);
    while let Some(here) = open.pop_front() {
        let on = problem.arcs_from(here).iter().map(|arc| *arc as usize);
        for arc in on.filter(|arc| walked[*arc]) {
            let to = arcs[arc].to;
            if to != start && came_by[to].is_none() {
                came_by[to] = Some(arc);
                open.push_back(to);
            }
        }
    }
    let (mut vertices, mut path) = (vec![end], Vec::new());
    let mut here = end;
    while here != start {
        let arc = came_by[here]?;
        path.push(arc);
        here = arcs[arc].from;
        vertices.push(here);
    }
    vertices.reverse();
    Some((vertices, path))
}
