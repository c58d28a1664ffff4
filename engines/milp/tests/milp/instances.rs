//! Models of known kinds.

use anytime::derive_seed;
use milp::{Expression, Model, Variable, constraint, variable};

/// Random numbers for instances: the same on all machines.
pub(crate) struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A number from `low` to `high`, ends included.
    pub(crate) fn draw(&mut self, low: i32, high: i32) -> i32 {
        self.drawn += 1;
        let width = u64::from(low.abs_diff(high)) + 1;
        let step = derive_seed(self.seed, self.drawn) % width;
        low + i32::try_from(step).unwrap()
    }
}

/// Agents do each job exactly once, within their capacities, as cheaply as possible.
pub(crate) struct Assignment {
    pub(crate) costs: Vec<Vec<i32>>,
    pub(crate) works: Vec<Vec<i32>>,
    pub(crate) capacities: Vec<i32>,
}

impl Assignment {
    /// Costly where it is little work: type D of Chu and Beasley, "A genetic algorithm for the
    /// generalised assignment problem", Computers and Operations Research 24 (1997). Ten agents and
    /// 60 jobs take seconds to minutes.
    pub(crate) fn new(seed: u64, agents: usize, jobs: usize) -> Self {
        let mut random = Random::new(seed);
        let mut row = || (0..jobs).map(|_| random.draw(1, 100)).collect::<Vec<_>>();
        let works: Vec<_> = (0..agents).map(|_| row()).collect();
        let mut random = Random::new(seed + 1);
        let cost = |work: &i32| 111 - work + random.draw(-10, 10);
        let costs = works.concat().iter().map(cost).collect::<Vec<_>>();
        let costs = costs.chunks(jobs).map(<[i32]>::to_vec).collect();
        let share = |works: &Vec<i32>| {
            let all: i32 = works.iter().sum();
            all * 4 / (5 * i32::try_from(agents).unwrap())
        };
        let capacities = works.iter().map(share).collect();
        Self {
            costs,
            works,
            capacities,
        }
    }

    pub(crate) fn model(&self) -> (Model, Vec<Vec<Variable>>) {
        let mut model = Model::new();
        let mut binary = |_: &i32| model.add(variable().binary());
        let does: Vec<Vec<Variable>> = (self.costs.iter())
            .map(|costs| costs.iter().map(&mut binary).collect())
            .collect();
        for job in 0..self.costs[0].len() {
            let all: Expression = does.iter().map(|agent| agent[job]).sum();
            model.require(constraint!(all == 1));
        }
        for (agent, capacity) in self.capacities.iter().enumerate() {
            let work = weighted(&does[agent], &self.works[agent]);
            model.require(constraint!(work <= *capacity));
        }
        let agents = does.iter().zip(&self.costs);
        let costs = agents.map(|(does, costs)| weighted(does, costs));
        model.minimise(costs.sum::<Expression>());
        (model, does)
    }

    /// The least cost, by trying everything.
    pub(crate) fn brute_force(&self) -> Option<i32> {
        self.cheapest(0, &mut self.capacities.clone())
    }

    fn cheapest(&self, job: usize, left: &mut [i32]) -> Option<i32> {
        if job == self.costs[0].len() {
            return Some(0);
        }
        let mut best: Option<i32> = None;
        for agent in 0..left.len() {
            let work = self.works[agent][job];
            if work <= left[agent] {
                left[agent] -= work;
                let rest = self.cheapest(job + 1, left);
                left[agent] += work;
                let cost = rest.map(|rest| rest + self.costs[agent][job]);
                best = best.into_iter().chain(cost).min();
            }
        }
        best
    }
}

/// A problem that takes seconds to minutes to prove, and has solutions at once.
pub(crate) fn long() -> Model {
    Assignment::new(7, 10, 60).model().0
}

pub(crate) fn weighted(variables: &[Variable], factors: &[i32]) -> Expression {
    let terms = variables.iter().zip(factors);
    terms.map(|(variable, factor)| *factor * *variable).sum()
}
