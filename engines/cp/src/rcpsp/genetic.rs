//! Genetic algorithm over activity lists, with double justification.
//!
//! An individual is a list of activities and a mode for each; the serial schedule generation scheme
//! turns it into a schedule, which a backward and a forward pass justify. After Hartmann, "A
//! competitive genetic algorithm for resource-constrained project scheduling", Naval Research
//! Logistics 45 (1998), and Valls, Ballestin, Quintanilla, "A hybrid genetic algorithm for the
//! resource-constrained project scheduling problem", European Journal of Operational Research 185
//! (2008). Difference: serial generation ignores maximal lags and deadlines, so fitness is first
//! the sum of what they are exceeded by, then the makespan.

use super::modes::{self, fixed};
use super::serial_generation::{PrecedenceGraph, Time, mirrored, rules};
use super::{Checkpoint, Point, Project, Schedule};
use crate::clause_learning::GoOn;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Individuals of a population.
const SIZE: usize = 40;
/// A population is replaced by a new one after this number of children without a better best.
const STALE_MAX: u64 = 1_000;
/// One in this number of positions, and of modes, mutates.
const MUTATION: u32 = 20;

/// Fitness, less is better: the sum of excesses over maximal lags and deadlines, and the makespan.
type Fitness = (i128, i64);

#[derive(Debug, Clone)]
struct Individual {
    /// Activities by rising start.
    list: Vec<usize>,
    modes: Vec<usize>,
    starts: Vec<i64>,
    fitness: Fitness,
}

/// A population of schedules of one project, which evolves as long as its owner likes.
#[derive(Debug)]
pub struct Population<'p> {
    project: &'p Project,
    /// Modes that each activity may have.
    usable: Vec<Vec<usize>>,
    individuals: Vec<Individual>,
    random: Xoshiro256PlusPlus,
    best: Option<Individual>,
    stale: u64,
}

impl<'p> Population<'p> {
    /// An empty population. `None`: minimal lags form a cycle, so that no list orders activities.
    ///
    /// # Panics
    /// In debug builds, when [`super::solve`] panics for the project.
    #[must_use]
    pub fn new(project: &'p Project, seed: u64) -> Option<Self> {
        let usable = modes::usable(project);
        let shortest: Vec<usize> = usable.iter().map(|modes| modes[0]).collect();
        PrecedenceGraph::new(&fixed(project, &shortest)).topological()?;
        Some(Self {
            project,
            usable,
            individuals: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            best: None,
            stale: 0,
        })
    }

    /// Adds a schedule of the project.
    pub fn insert(&mut self, schedule: &Schedule) {
        let mut list: Vec<usize> = (0..schedule.starts.len()).collect();
        list.sort_by_key(|activity| (schedule.starts[*activity], *activity));
        let modes = if schedule.modes.len() == list.len() {
            schedule.modes.clone()
        } else {
            vec![0; list.len()]
        };
        let fitness = fitness(&fixed(self.project, &modes), &schedule.starts);
        self.admit(Individual {
            list,
            modes,
            starts: schedule.starts.clone(),
            fitness,
        });
    }

    /// Makes a number of children while `go_on` returns true; each is one iteration
    /// ([`Checkpoint::Conflict`]). Returns a schedule
    /// of a makespan below `below`, if one was found. Time: O(activities * profile) per child.
    pub fn evolve(&mut self, children: u64, below: i64, go_on: GoOn<'_>) -> Option<Schedule> {
        for _ in 0..children {
            if !go_on(Checkpoint::Conflict) {
                break;
            }
            let mut go_on = || go_on(Checkpoint::Work);
            let child = if self.individuals.len() < SIZE {
                self.founder(&mut go_on)
            } else {
                self.child(&mut go_on)
            };
            let Some(child) = child else {
                break;
            };
            self.admit(child);
            if self.stale > STALE_MAX {
                self.individuals.clear();
                self.stale = 0;
            }
        }
        let best = self.best.as_ref();
        let best = best.filter(|best| best.fitness.0 == 0 && best.fitness.1 < below)?;
        let project = fixed(self.project, &best.modes);
        let ends = best.starts.iter().zip(&project.activities);
        let schedule = Schedule {
            starts: best.starts.clone(),
            ends: ends
                .map(|(start, activity)| start + activity.shortest)
                .collect(),
            modes: best.modes.clone(),
            makespan: best.fitness.1,
        };
        super::broken(self.project, &schedule)
            .is_none()
            .then_some(schedule)
    }

    /// An individual by a priority rule with random noise.
    fn founder(&mut self, go_on: &mut dyn FnMut() -> bool) -> Option<Individual> {
        let random = &mut self.random;
        let modes: Vec<usize> = { self.usable.iter() }
            .map(|usable| usable[random.random_range(0..usable.len())])
            .collect();
        let project = fixed(self.project, &modes);
        let graph = PrecedenceGraph::new(&project);
        let mut keys = match graph.topological() {
            Some(order) => rules(&graph, &order).swap_remove(self.individuals.len() % 4),
            None => vec![0; modes.len()],
        };
        let (min, max) = (keys.iter().min(), keys.iter().max());
        let spread = min
            .zip(max)
            .map_or(0, |(min, max)| max.saturating_sub(*min))
            / 4;
        for key in &mut keys {
            *key = key.saturating_add(self.random.random_range(0..=spread.max(1)));
        }
        let mut list: Vec<usize> = (0..keys.len()).collect();
        list.sort_by_key(|activity| (keys[*activity], *activity));
        self.decoded(&list, modes, go_on)
    }

    /// A child of two parents by two-point crossover and mutation.
    fn child(&mut self, go_on: &mut dyn FnMut() -> bool) -> Option<Individual> {
        let (mother, father) = (self.parent(), self.parent());
        let count = self.individuals[mother].list.len();
        let (one, other) = (self.cut(count), self.cut(count));
        let (first, second) = (one.min(other), one.max(other));
        let mut list = Vec::with_capacity(count);
        let mut modes = vec![0; count];
        let mut taken = vec![false; count];
        for (parent, until) in [(mother, first), (father, second), (mother, count)] {
            let parent = &self.individuals[parent];
            for activity in &parent.list {
                if list.len() < until && !taken[*activity] {
                    taken[*activity] = true;
                    modes[*activity] = parent.modes[*activity];
                    list.push(*activity);
                }
            }
        }
        for at in 1..count {
            if self.random.random_ratio(1, MUTATION) {
                list.swap(at - 1, at);
            }
        }
        for (mode, usable) in modes.iter_mut().zip(&self.usable) {
            if usable.len() > 1 && self.random.random_ratio(1, MUTATION) {
                *mode = usable[self.random.random_range(0..usable.len())];
            }
        }
        self.decoded(&list, modes, go_on)
    }

    /// The fitter of two random individuals.
    fn parent(&mut self) -> usize {
        let one = self.random.random_range(0..self.individuals.len());
        let other = self.random.random_range(0..self.individuals.len());
        let fitness = |index: usize| self.individuals[index].fitness;
        if fitness(one) <= fitness(other) {
            one
        } else {
            other
        }
    }

    fn cut(&mut self, count: usize) -> usize {
        self.random.random_range(0..=count)
    }

    /// Serial generation in the order of a list, justified backward and forward.
    fn decoded(
        &self,
        list: &[usize],
        modes: Vec<usize>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Individual> {
        let project = fixed(self.project, &modes);
        let graph = PrecedenceGraph::new(&project);
        // Durations decide which lags order activities: in some modes they form a cycle.
        if self.usable.iter().any(|modes| modes.len() > 1) && graph.topological().is_none() {
            return Some(Individual {
                list: list.to_vec(),
                modes,
                starts: vec![0; list.len()],
                fitness: (i128::MAX, i64::MAX),
            });
        }
        let mut keys = vec![0_i64; list.len()];
        for (position, activity) in (0_i64..).zip(list) {
            keys[*activity] = position;
        }
        let serial = graph.serial(&keys, Time::Forward, go_on)?;
        let backward = graph.serial(&mirrored(&graph, &serial), Time::Backward, go_on)?;
        let justified = graph.serial(&mirrored(&graph, &backward), Time::Forward, go_on)?;
        let mut starts = serial;
        let mut fitness = fitness(&project, &starts);
        let better = self::fitness(&project, &justified);
        if better <= fitness {
            (starts, fitness) = (justified, better);
        }
        let mut list = list.to_vec();
        list.sort_by_key(|activity| (starts[*activity], keys[*activity]));
        Some(Individual {
            list,
            modes,
            starts,
            fitness,
        })
    }

    /// Takes an individual in, in place of the worst once there are enough.
    fn admit(&mut self, individual: Individual) {
        self.stale += 1;
        let best = self.best.as_ref();
        if best.is_none_or(|best| individual.fitness < best.fitness) {
            self.best = Some(individual.clone());
            self.stale = 0;
        }
        let same = |other: &Individual| {
            other.fitness == individual.fitness && other.starts == individual.starts
        };
        if self.individuals.iter().any(same) {
            return;
        }
        if self.individuals.len() < SIZE {
            self.individuals.push(individual);
            return;
        }
        let worst = (0..SIZE).max_by_key(|index| (self.individuals[*index].fitness, *index));
        if let Some(worst) = worst
            && individual.fitness <= self.individuals[worst].fitness
        {
            self.individuals[worst] = individual;
        }
    }
}

/// The fitness of starts of a project in which modes are fixed.
fn fitness(project: &Project, starts: &[i64]) -> Fitness {
    let end = |activity: usize| starts[activity] + project.activities[activity].shortest;
    let time = |point: Point| match point {
        Point::Start(activity) => starts[activity],
        Point::End(activity) => end(activity),
    };
    let mut excess: i128 = 0;
    for lag in &project.lags {
        let short = i128::from(lag.least) - i128::from(time(lag.to)) + i128::from(time(lag.from));
        excess += short.max(0);
    }
    let mut makespan = 0;
    for (index, activity) in project.activities.iter().enumerate() {
        let latest = activity.deadline.unwrap_or(project.horizon);
        excess += i128::from(end(index))
            .saturating_sub(i128::from(latest.min(project.horizon)))
            .max(0);
        makespan = makespan.max(end(index));
    }
    (excess, makespan)
}
