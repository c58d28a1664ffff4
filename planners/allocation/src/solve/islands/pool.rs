//! A pool of routes for set partitioning.

use super::arcs::Arcs;
use super::genome::Genome;
use super::instance::{Instance, NIL};
use super::penalties::Penalties;
use super::route_set::RouteSet;
use std::collections::BTreeMap;

/// Largest number of routes.
const ROUTES_MAX: usize = 20_000;

/// A set of tasks and a class of vehicles.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    class: u16,
    tasks: Box<[u64]>,
}

#[derive(Debug, Clone)]
struct Entry {
    /// How much more the route costs than its vehicle without tasks.
    cost: i64,
    order: Box<[u16]>,
    /// When it was seen last, in routes.
    age: u64,
}

/// Feasible routes of local optima; of each set of tasks the cheapest.
#[derive(Debug, Clone, Default)]
pub(super) struct RoutePool {
    routes: BTreeMap<Key, Entry>,
    seen: u64,
    bits: Vec<u64>,
    order: Vec<u16>,
}

/// The columns of the set partitioning problem, in a flat shape.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) costs: Vec<i64>,
    /// Class of the vehicle; [`NIL`] for a task left unassigned.
    pub(super) classes: Vec<u16>,
    tasks: Vec<u16>,
    ends: Vec<u32>,
}

impl Columns {
    pub(super) fn push(&mut self, cost: i64, class: u16, tasks: &[u16]) {
        self.costs.push(cost);
        self.classes.push(class);
        self.tasks.extend_from_slice(tasks);
        self.ends.push(self.tasks.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    pub(super) fn tasks(&self, column: usize) -> &[u16] {
        let begin = column.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.tasks[begin as usize..self.ends[column] as usize]
    }
}

impl RoutePool {
    /// Adds the feasible ones of the routes of some vehicles.
    pub(super) fn add_feasible(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        vehicles: impl IntoIterator<Item = usize>,
    ) {
        for vehicle in vehicles {
            let sums = &solution.routes[vehicle];
            let is_feasible = sums.time_warp_us == 0
                && sums.overload == 0
                && sums.cost < instance.forbidden_cost();
            if sums.tasks == 0 || !is_feasible {
                continue;
            }
            self.order.clear();
            let mut node = solution.next(instance.start(vehicle));
            while (node as usize) < instance.tasks {
                self.order.push(node);
                node = solution.next(node);
            }
            let late_cost = solution.lateness_cost(instance, sums.lateness_us);
            let cost = sums.cost + late_cost - instance.empty_cost(vehicle);
            self.add(instance, instance.vehicles[vehicle].class, cost);
        }
    }

    /// Adds the route in `order`.
    fn add(&mut self, instance: &Instance<'_, impl Arcs>, class: u16, cost: i64) {
        self.bits.clear();
        self.bits.resize(instance.tasks.div_ceil(64), 0);
        for &task in &self.order {
            self.bits[task as usize / 64] |= 1 << (task % 64);
        }
        let key = Key {
            class,
            tasks: self.bits.as_slice().into(),
        };
        self.seen += 1;
        let age = self.seen;
        let order = &self.order;
        self.routes
            .entry(key)
            .and_modify(|known| {
                known.age = age;
                if cost < known.cost {
                    (known.cost, known.order) = (cost, order.as_slice().into());
                }
            })
            .or_insert_with(|| Entry {
                cost,
                order: order.as_slice().into(),
                age,
            });
        if self.routes.len() > ROUTES_MAX {
            self.evict();
        }
    }

    /// Drops the half that was not seen for longest.
    fn evict(&mut self) {
        let mut ages: Vec<u64> = self.routes.values().map(|entry| entry.age).collect();
        let half = ages.len() / 2;
        let (_, middle, _) = ages.select_nth_unstable(half);
        let middle = *middle;
        self.routes.retain(|_, entry| entry.age >= middle);
    }

    /// Moves the routes of another pool to this one.
    pub(super) fn merge(&mut self, other: &mut Self) {
        for (key, entry) in std::mem::take(&mut other.routes) {
            let known = self.routes.get(&key);
            if known.is_none_or(|known| entry.cost < known.cost) {
                // No two ages are equal, so that half of the routes can be dropped.
                self.seen += 1;
                let age = self.seen;
                self.routes.insert(key, Entry { age, ..entry });
            }
        }
        if self.routes.len() > ROUTES_MAX {
            self.evict();
        }
    }

    /// The routes, and for each optional task the column that leaves it unassigned.
    pub(super) fn columns(&self, instance: &Instance<'_, impl Arcs>) -> Columns {
        let mut columns = Columns::default();
        for (key, entry) in &self.routes {
            columns.push(entry.cost, key.class, &entry.order);
        }
        for (task, unserved_penalty) in (0..).zip(&instance.unserved_penalties) {
            if let Some(unserved_penalty) = unserved_penalty {
                columns.push(*unserved_penalty, NIL, &[task]);
            }
        }
        columns
    }
}

/// The solution that consists of some columns.
pub(super) fn assemble(
    instance: &Instance<'_, impl Arcs>,
    columns: &Columns,
    chosen: &[u32],
    penalties: Penalties,
) -> Genome {
    let mut solution = RouteSet::new(instance, penalties);
    for &column in chosen {
        let class = columns.classes[column as usize];
        let free = |vehicle: &usize| {
            solution.routes[*vehicle].tasks == 0 && instance.vehicles[*vehicle].class == class
        };
        let Some(vehicle) = (0..instance.vehicle_count())
            .find(free)
            .filter(|_| class != NIL)
        else {
            continue;
        };
        let mut last = instance.start(vehicle);
        for &task in columns.tasks(column as usize) {
            solution.insert(instance, task, last);
            last = task;
        }
        solution.refresh(instance, vehicle);
    }
    Genome::from_solution(instance, &solution)
}
