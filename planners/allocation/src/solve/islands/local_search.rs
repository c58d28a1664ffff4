//! Local search over penalised solutions: relocate, swap, 2-opt* and 2-opt, in granular
//! neighbourhoods.

use super::arcs::Arcs;
use super::instance::Instance;
use super::moves::{SEGMENT_MAX, Segment, relocate, swap};
use super::optional;
use super::route_set::RouteSet;
use super::two_opt::{two_opt, two_opt_star};
use anytime::{Pulse, Stop, Ticker};
use mcts::Rng;
use rand::seq::SliceRandom;

/// Size of a granular neighbourhood.
const NEAR: usize = 20;
/// Tasks between two looks at the stop signal.
const PERIOD: u64 = 16;

/// Local search with its scratch space.
///
/// Moves: relocate segments of one to three tasks, swap two tasks, 2-opt*, 2-opt, insert or remove
/// optional tasks, relocate to the beginning of a route that is empty or that goes on nearby after
/// begun tasks. Every other move makes two tasks adjacent of which one is in the granular
/// neighbourhood of the other. First improvement, in random order; a pair is evaluated again only
/// after one of its routes has changed, beginnings only after the route of the task has.
///
/// Granular neighbourhoods by waiting and time warp: Vidal et al. 2013, section 4.4.
#[derive(Debug)]
pub(super) struct LocalSearch {
    /// The tasks that [`LocalSearch::run_promising`] evaluates.
    promising: Vec<u16>,
    is_promising: Vec<bool>,
    /// By task: number of changes when it was evaluated last.
    tested: Vec<u32>,
    /// A fresh vehicle with an empty route of each class.
    empty: Vec<u16>,
    /// Value of [`RouteSet::idle_changes`] when `empty` was computed.
    idle_changes: u32,
    pub(super) ticker: Ticker,
}

impl LocalSearch {
    pub(super) fn new(instance: &Instance<'_, impl Arcs>, pulse: Pulse) -> Self {
        Self {
            promising: Vec::with_capacity(instance.tasks),
            is_promising: vec![false; instance.tasks],
            tested: vec![0; instance.tasks],
            empty: Vec::with_capacity(instance.vehicle_count()),
            idle_changes: u32::MAX,
            ticker: Ticker::new(pulse, PERIOD),
        }
    }

    /// Marks a task as promising; other nodes are ignored.
    pub(super) fn mark(&mut self, task: u16) {
        if let Some(is_promising) = self.is_promising.get_mut(task as usize)
            && !std::mem::replace(is_promising, true)
        {
            self.promising.push(task);
        }
    }

    /// Marks no task.
    pub(super) fn clear_marks(&mut self) {
        for task in self.promising.drain(..) {
            self.is_promising[task as usize] = false;
        }
    }

    /// Makes the next run evaluate every promising task with all its neighbours.
    pub(super) fn forget_tests(&mut self, solution: &mut RouteSet) {
        self.tested.fill(0);
        solution.reset_clock();
    }

    /// Searches for a local optimum by moves of promising tasks, and of those that moves touch.
    ///
    /// # Errors
    /// When it was stopped before.
    pub(super) fn run_promising(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &mut RouteSet,
        rng: &mut Rng,
    ) -> Result<(), Stop> {
        self.promising.shuffle(rng);
        self.idle_changes = solution.idle_changes;
        solution.empty_vehicles(instance, &mut self.empty);
        self.descend(instance, solution)
    }

    /// Evaluates all promising tasks until no move improves.
    fn descend(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &mut RouteSet,
    ) -> Result<(), Stop> {
        let mut before = 0;
        while before != solution.clock {
            before = solution.clock;
            let mut index = 0;
            while let Some(&task) = self.promising.get(index) {
                self.ticker.step(1)?;
                self.improve_task(instance, solution, task);
                index += 1;
            }
        }
        Ok(())
    }

    /// Applies improving moves of a task.
    fn improve_task(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &mut RouteSet,
        task: u16,
    ) {
        let tested = std::mem::replace(&mut self.tested[task as usize], solution.clock + 1);
        if !solution.is_assigned(task) {
            if optional::include(instance, solution, task, &self.empty) {
                self.mark_adjacent(instance, solution, [task, solution.next(task)]);
            }
            return;
        }
        for (neighbour, near_cost) in instance.neighbours(task).take(NEAR) {
            if !solution.is_assigned(neighbour) {
                continue;
            }
            let (own, other) = (
                &solution.nodes[task as usize],
                &solution.nodes[neighbour as usize],
            );
            let routes = [own, other].map(|node| &solution.routes[node.vehicle as usize]);
            if routes[0].stamp.max(routes[1].stamp) < tested {
                continue;
            }
            // A heuristic: the arc between the two is not cheaper than any of their arcs. Moves
            // that gain only by arcs to depots, by their other new arcs or by reversed arcs are
            // missed.
            if near_cost >= own.longest_arc.max(other.longest_arc)
                && routes[0].penalty + routes[1].penalty == 0
            {
                continue;
            }
            while improve_pair(instance, solution, task, neighbour) {
                self.mark_adjacent(instance, solution, [task, neighbour]);
            }
        }
        if solution.routes[solution.vehicle(task)].stamp >= tested {
            while solution.is_assigned(task) {
                let adjacent = solution.prev(task);
                if !self.relocate_to_start_or_remove(instance, solution, task) {
                    return;
                }
                self.mark_adjacent(instance, solution, [task, adjacent]);
            }
        }
    }

    /// Marks what is adjacent to nodes that a move has changed.
    fn mark_adjacent(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        nodes: [u16; 2],
    ) {
        if self.idle_changes != solution.idle_changes {
            self.idle_changes = solution.idle_changes;
            solution.empty_vehicles(instance, &mut self.empty);
        }
        for node in nodes {
            self.mark(node);
            self.mark(solution.prev(node));
            self.mark(solution.next(node));
        }
    }

    /// Relocates a task to the beginning of a route that is empty or begins nearby, alone or with
    /// its successors, or removes it.
    fn relocate_to_start_or_remove(
        &self,
        instance: &Instance<'_, impl Arcs>,
        solution: &mut RouteSet,
        task: u16,
    ) -> bool {
        let near = instance.free.near_agents(task);
        for &vehicle in self.empty.iter().chain(near) {
            let start = instance.start(vehicle as usize);
            for count in 1..=SEGMENT_MAX {
                let segment = Segment::starting_at(instance, solution, task, count);
                if segment.is_some_and(|segment| relocate(instance, solution, &segment, start)) {
                    return true;
                }
            }
            if two_opt_star(instance, solution, solution.prev(task), start) {
                return true;
            }
        }
        optional::exclude(instance, solution, task)
    }
}

/// Applies the first improving move that makes two tasks adjacent. Returns whether there was one.
/// Swaps of longer segments than one task are hardly ever worth their time.
fn improve_pair(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    u: u16,
    v: u16,
) -> bool {
    let before = solution.prev(v);
    for count in 1..=SEGMENT_MAX {
        let Some(segment) = Segment::starting_at(instance, solution, u, count) else {
            break;
        };
        // Behind v.
        if relocate(instance, solution, &segment, v) {
            return true;
        }
        if count > 1 {
            continue;
        }
        if relocate(instance, solution, &segment, before) {
            return true;
        }
        // In place of what follows v, and of v itself.
        for other in [solution.next(v), v] {
            let other = Segment::starting_at(instance, solution, other, 1);
            if other.is_some_and(|other| swap(instance, solution, &segment, &other)) {
                return true;
            }
        }
    }
    two_opt_star(instance, solution, u, before)
        || two_opt_star(instance, solution, v, solution.prev(u))
        || two_opt(instance, solution, u, v)
        || two_opt(instance, solution, v, u)
}
