//! Crossover by selective route exchange (SREX): some routes of one parent are replaced by similar
//! routes of the other.

use super::genome::Genome;
use super::instance::{Instance, NIL};
use super::optional::{best_insertion, best_insertion_overall};
use super::route_set::RouteSet;
use mcts::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Selective route exchange with its scratch space: Nagata, Bräysy, Dullaert 2010; Kool et al.,
/// "Hybrid genetic search for the vehicle routing problem with time windows: a high-performance
/// implementation", DIMACS 2022. Difference: the routes to replace are neighbours by their tasks,
/// not by angle, as there need not be coordinates.
#[derive(Debug, Clone)]
pub(super) struct SelectiveRouteExchange {
    /// By task: whether it is on a route of the first parent that is replaced.
    removed: Vec<bool>,
    /// By task: whether it is on a route of the second parent that replaces one.
    added: Vec<bool>,
    routes_out: Vec<u16>,
    routes_in: Vec<u16>,
    vehicle_of: Vec<u16>,
    unassigned: Vec<u16>,
    empty: Vec<u16>,
}

impl SelectiveRouteExchange {
    pub(super) fn new(instance: &Instance<'_>) -> Self {
        let (tasks, vehicles) = (instance.tasks, instance.vehicle_count());
        Self {
            removed: vec![false; tasks],
            added: vec![false; tasks],
            routes_out: Vec::with_capacity(vehicles),
            routes_in: Vec::with_capacity(vehicles),
            vehicle_of: vec![NIL; tasks],
            unassigned: Vec::with_capacity(tasks),
            empty: Vec::with_capacity(vehicles),
        }
    }

    /// Makes `solution` a child of two parents.
    pub(super) fn crossover(
        &mut self,
        instance: &Instance<'_>,
        a: &Genome,
        b: &Genome,
        solution: &mut RouteSet,
        rng: &mut Rng,
    ) {
        self.choose_removed(instance, a, rng);
        self.choose_added(instance, b);
        // Tasks of added routes that the first parent has elsewhere: two children, of which the
        // cheaper survives.
        self.recombine(instance, a, b, solution, true);
        let first_cost = solution.penalised_cost();
        let first_child = Genome::from_solution(instance, solution);
        self.recombine(instance, a, b, solution, false);
        let second_cost = solution.penalised_cost();
        if first_cost < second_cost {
            first_child.decode(instance, solution);
        }
        self.insert_unassigned(instance, solution, rng);
    }

    /// Selects up to half of the routes of `a`, around a random task.
    fn choose_removed(&mut self, instance: &Instance<'_>, a: &Genome, rng: &mut Rng) {
        self.vehicle_of.fill(NIL);
        let mut used = 0;
        for vehicle in 0..instance.vehicle_count() {
            used += usize::from(a.first[vehicle] != NIL);
            a.route(vehicle)
                .for_each(|task| self.vehicle_of[task as usize] = vehicle as u16);
        }
        self.routes_out.clear();
        self.removed.fill(false);
        if used == 0 {
            return;
        }
        let count = rng.random_range(1..=used.div_ceil(2));
        let seed = rng.random_range(0..instance.tasks) as u32;
        let mut nearest = std::iter::once(&seed).chain(instance.neighbourhood.neighbours(seed));
        while self.routes_out.len() < count
            && let Some(task) = nearest.next()
        {
            let vehicle = self.vehicle_of[*task as usize];
            if vehicle != NIL && !self.routes_out.contains(&vehicle) {
                self.routes_out.push(vehicle);
                a.route(vehicle as usize)
                    .for_each(|task| self.removed[task as usize] = true);
            }
        }
    }

    /// Selects as many routes of `b`, those that share most tasks with the removed ones.
    fn choose_added(&mut self, instance: &Instance<'_>, b: &Genome) {
        self.routes_in.clear();
        self.added.fill(false);
        let score = |vehicle: usize| {
            let (mut same, mut other) = (0_i64, 0_i64);
            for task in b.route(vehicle) {
                if self.removed[task as usize] {
                    same += 1;
                } else {
                    other += 1;
                }
            }
            same * 2 - other
        };
        let mut ranked: Vec<(i64, usize)> = (0..instance.vehicle_count())
            .filter(|vehicle| b.first[*vehicle] != NIL)
            .map(|vehicle| (-score(vehicle), vehicle))
            .collect();
        ranked.sort_unstable();
        for &(_, vehicle) in ranked.iter().take(self.routes_out.len()) {
            self.routes_in.push(vehicle as u16);
            b.route(vehicle)
                .for_each(|task| self.added[task as usize] = true);
        }
    }

    /// Combines the routes of `a` that stay with those of `b` that are added. A task of both stays
    /// on its route of `a` if `keeps`.
    fn recombine(
        &mut self,
        instance: &Instance<'_>,
        a: &Genome,
        b: &Genome,
        solution: &mut RouteSet,
        keeps: bool,
    ) {
        solution.clear(instance);
        for vehicle in 0..instance.vehicle_count() {
            if self.routes_out.contains(&(vehicle as u16)) {
                continue;
            }
            let mut last = instance.start(vehicle);
            for task in a.route(vehicle) {
                if keeps || !self.added[task as usize] {
                    solution.insert(instance, task, last);
                    last = task;
                }
            }
            solution.refresh(instance, vehicle);
        }
        for index in 0..self.routes_in.len() {
            let vehicle = self.routes_in[index] as usize;
            let Some(to) = self.empty_vehicle(instance, solution, instance.vehicles[vehicle].class)
            else {
                continue;
            };
            let mut last = instance.start(to);
            for task in b.route(vehicle) {
                if !solution.is_assigned(task) && (!keeps || self.removed[task as usize]) {
                    solution.insert(instance, task, last);
                    last = task;
                }
            }
            solution.refresh(instance, to);
        }
    }

    /// A vehicle of a class with an empty route, agents first.
    fn empty_vehicle(
        &self,
        instance: &Instance<'_>,
        solution: &RouteSet,
        class: u16,
    ) -> Option<usize> {
        (0..instance.vehicle_count()).find(|vehicle| {
            solution.routes[*vehicle].tasks == 0 && instance.vehicles[*vehicle].class == class
        })
    }

    /// Inserts unassigned tasks in random order, each at its best position; optional tasks only
    /// where that lowers the penalised cost.
    pub(super) fn insert_unassigned(
        &mut self,
        instance: &Instance<'_>,
        solution: &mut RouteSet,
        rng: &mut Rng,
    ) {
        self.unassigned.clear();
        self.unassigned
            .extend((0..instance.tasks as u16).filter(|task| !solution.is_assigned(*task)));
        self.unassigned.shuffle(rng);
        for index in 0..self.unassigned.len() {
            let task = self.unassigned[index];
            solution.empty_vehicles(instance, &mut self.empty);
            let limit = instance.unserved_penalties[task as usize].unwrap_or(i64::MAX);
            let position = best_insertion(instance, solution, task, limit, &self.empty);
            let position =
                position.or_else(|| best_insertion_overall(instance, solution, task, limit));
            if let Some(after) = position {
                solution.insert(instance, task, after);
                solution.refresh(instance, solution.vehicle(after));
            }
        }
    }
}
