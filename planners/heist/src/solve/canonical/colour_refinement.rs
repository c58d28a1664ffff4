//! Colour refinement (Weisfeiler and Leman 1968): elements of a museum with different neighbours
//! get different colours.

use crate::museum::{Thing, set_bits};
use crate::solve::agent_task::AgentTask;
use crate::world::{LockState, Place};
use anytime::derive_seed;
use std::ops::Range;

/// Maximal work, in elements and edges: some milliseconds. Elements of the same colour then keep
/// the order given.
const WORK_MAX: usize = 1_500_000;

/// Rounds of mixing between two counts of colours, as a count takes longer than a round.
const ROUNDS: usize = 4;

/// Kinds of edges: a door and its room, a container and its room, an item and its container, a lock
/// and a fitting key, a key and a copy., a container with its room, an item with what it lies in, a
/// lock with a key that fits, a key with a copy.
const DOOR: u64 = 1;
const STANDS: u64 = 2;
const LIES: u64 = 3;
const FITS: u64 = 4;
const COPY: u64 = 5;

/// The graph of a task. Rooms, keys, artifacts, doors and containers are numbered one after the
/// other.
pub(super) struct ColourRefinement {
    kinds: [Range<usize>; 5],
    edges: Vec<(usize, usize, u64)>,
    colours: Vec<u64>,
    distinct: usize,
    work: usize,
}

/// Indices of elements in another order: by canonical index the one given, or the inverse.
pub(super) struct Order {
    pub rooms: Vec<usize>,
    /// Keys, then artifacts.
    pub items: Vec<usize>,
    pub doors: Vec<usize>,
    pub containers: Vec<usize>,
}

impl Order {
    /// The inverse permutation.
    pub(super) fn inverse(&self) -> Self {
        Self {
            rooms: inverse(&self.rooms),
            items: inverse(&self.items),
            doors: inverse(&self.doors),
            containers: inverse(&self.containers),
        }
    }

    /// A thing by its other index. Machines keep theirs.
    pub(super) fn thing(&self, thing: Thing) -> Thing {
        match thing {
            Thing::Door(door) => Thing::Door(self.doors[door]),
            Thing::Container(thing) => Thing::Container(self.containers[thing]),
            Thing::Machine(machine) => Thing::Machine(machine),
        }
    }
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for (number, it) in order.iter().enumerate() {
        inverse[*it] = number;
    }
    inverse
}

impl ColourRefinement {
    pub(super) fn new(task: &AgentTask<'_>) -> Self {
        let layout = task.museum.layout();
        let mut end = 0;
        let counts = [
            layout.rooms,
            layout.keys,
            layout.artifacts,
            layout.doors.len(),
            layout.containers.len(),
        ];
        let kinds = counts.map(|count| {
            let begin = end;
            end += count;
            begin..end
        });
        let mut it = Self {
            kinds,
            edges: Vec::new(),
            colours: Vec::new(),
            distinct: 0,
            work: 0,
        };
        it.add_edges(task);
        it.set_initial_colours(task);
        it
    }

    fn add_edges(&mut self, task: &AgentTask<'_>) {
        let layout = task.museum.layout();
        let [rooms, keys, _, doors, containers] = self.kinds.clone().map(|kind| kind.start);
        let fits = |lock: usize, fit: &[usize]| -> Vec<_> {
            fit.iter().map(|key| (lock, keys + key, FITS)).collect()
        };
        for (index, door) in layout.doors.iter().enumerate() {
            let ends = door.ends.map(|room| (doors + index, rooms + room, DOOR));
            self.edges.extend(ends);
            self.edges.extend(fits(doors + index, &door.keys));
        }
        for (index, container) in layout.containers.iter().enumerate() {
            let at = containers + index;
            self.edges.push((at, rooms + container.room, STANDS));
            self.edges.extend(fits(at, &container.keys));
        }
        for (item, place) in task.facts.items.iter().enumerate() {
            if let Place::In(container) = *place {
                self.edges.push((keys + item, containers + container, LIES));
            }
            let copies = set_bits(task.museum.copies(item)).filter(|copy| *copy < item);
            let copies = copies.map(|copy| (keys + item, keys + copy, COPY));
            self.edges.extend(copies);
        }
    }

    /// The colour of each element by its own attributes.
    fn set_initial_colours(&mut self, task: &AgentTask<'_>) {
        let layout = task.museum.layout();
        let (facts, goal, position) = (task.facts, task.goal, task.position);
        let state = |thing: Thing| {
            let LockState { open, locked } = facts.lock_state(thing);
            let at = position.at == Some(thing);
            1 + u64::from(open) + 2 * u64::from(locked) + 4 * u64::from(at)
        };
        let mut own = Vec::with_capacity(self.kinds[4].end);
        own.extend((0..layout.rooms).map(|room| {
            let marks = [
                room == position.room,
                goal.room == Some(room),
                task.is_trap(room),
            ];
            marks
                .iter()
                .fold(1, |bits, mark| 2 * bits + u64::from(*mark))
        }));
        own.extend(facts.items.iter().enumerate().map(|(item, place)| {
            let wanted = u64::from(goal.items.contains(&item));
            let held = u64::from(*place == Place::With(task.agent));
            1 + wanted + 2 * held
        }));
        own.extend((0..layout.doors.len()).map(|door| state(Thing::Door(door))));
        own.extend((0..layout.containers.len()).map(|thing| state(Thing::Container(thing))));
        for (visit, room) in goal.visits.iter().enumerate() {
            // Rooms in an order may come several times.
            let turn = if goal.in_order { visit as u64 } else { 0 };
            own[*room] = derive_seed(own[*room], turn);
        }
        for (kind, range) in self.kinds.iter().enumerate() {
            for colour in &mut own[range.clone()] {
                *colour = derive_seed(*colour, kind as u64);
            }
        }
        self.colours = own;
    }

    /// The canonical order, by colours once all elements have different ones. Elements of the same
    /// colour keep their order where the work limit is reached, or `go_on` returns false.
    pub(super) fn order(mut self, go_on: &mut dyn FnMut() -> bool) -> Order {
        while self.refine(go_on) {
            let Some(ambiguous_element) = self.ambiguous_element() else {
                break;
            };
            // Most often a symmetry exchanges them: each may be marked.
            self.colours[ambiguous_element] = derive_seed(self.colours[ambiguous_element], 1);
        }
        let [rooms, keys, artifacts, doors, containers] = self.kinds.clone();
        let order = |kind: &Range<usize>, before: usize| -> Vec<usize> {
            let sorted = self.sorted(kind.clone()).into_iter();
            sorted.map(|it| it - before).collect()
        };
        let items = [order(&keys, keys.start), order(&artifacts, keys.start)];
        Order {
            rooms: order(&rooms, rooms.start),
            items: items.concat(),
            doors: order(&doors, doors.start),
            containers: order(&containers, containers.start),
        }
    }

    /// Refines until the number of colours is stable. False: the work limit was reached, or `go_on`
    /// returned false.
    fn refine(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        loop {
            for _ in 0..ROUNDS {
                if self.work >= WORK_MAX || !go_on() {
                    return false;
                }
                self.mix();
            }
            let mut colours = self.colours.clone();
            colours.sort_unstable();
            colours.dedup();
            if colours.len() <= self.distinct {
                return true;
            }
            self.distinct = colours.len();
        }
    }

    /// Mixes into the colour of each element those of its neighbours.
    fn mix(&mut self) {
        self.work += self.edges.len() + self.colours.len();
        let mut sums = vec![0_u64; self.colours.len()];
        for (a, b, kind) in &self.edges {
            let to_a = derive_seed(self.colours[*b], *kind);
            let to_b = derive_seed(self.colours[*a], *kind);
            sums[*a] = sums[*a].wrapping_add(to_a);
            sums[*b] = sums[*b].wrapping_add(to_b);
        }
        for (colour, sum) in self.colours.iter_mut().zip(sums) {
            *colour = derive_seed(*colour, sum);
        }
    }

    /// An element with the colour of another one, of the first kind that has such.
    fn ambiguous_element(&self) -> Option<usize> {
        self.kinds.iter().find_map(|kind| {
            let sorted = self.sorted(kind.clone());
            let mut pairs = sorted.windows(2);
            let pair = pairs.find(|pair| self.colours[pair[0]] == self.colours[pair[1]]);
            pair.map(|pair| pair[0])
        })
    }

    fn sorted(&self, kind: Range<usize>) -> Vec<usize> {
        let mut sorted: Vec<usize> = kind.collect();
        sorted.sort_by_key(|it| (self.colours[*it], *it));
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{MuseumParams, solvable};
    use crate::problem::Problem;
    use crate::world::BURGLAR;

    fn problem() -> Problem {
        let mut worlds = (0..100).filter_map(|seed| solvable(&MuseumParams::default(), seed));
        let world = worlds.next().expect("no world can be solved");
        Problem::new(world, BURGLAR, &[]).expect("the world is refused")
    }

    #[test]
    fn the_limit_of_work_holds_within_one_round_of_mixing() {
        let problem = problem();
        let mut colours = ColourRefinement::new(&AgentTask::new(&problem));
        let each = colours.edges.len() + colours.colours.len();
        colours.work = WORK_MAX - 1;
        assert!(!colours.refine(&mut || true));
        assert_eq!(colours.work, WORK_MAX - 1 + each);
    }

    #[test]
    fn colours_are_refined_until_the_search_has_to_stop() {
        let problem = problem();
        for rounds in 0..3_usize {
            let mut colours = ColourRefinement::new(&AgentTask::new(&problem));
            let each = colours.edges.len() + colours.colours.len();
            let mut left = 0..rounds;
            assert!(!colours.refine(&mut || left.next().is_some()));
            assert_eq!(colours.work, rounds * each);
        }
        // Then it is an order all the same.
        let order = ColourRefinement::new(&AgentTask::new(&problem)).order(&mut || false);
        let twice = order.inverse().inverse();
        assert_eq!(twice.rooms, order.rooms);
        assert_eq!(twice.items, order.items);
    }
}
