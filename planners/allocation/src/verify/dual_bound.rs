//! Independent check of bounds by dual values. It shares no code with [`crate::bound`].
//!
//! Plain forward labelling by rising time, from the data of the problem alone. Every label is
//! compared with those of its task that came before.

use super::certificate::Refuted;
use super::certificate::times::next_start;
use crate::certificate::{DualBound, PricedClass};
use crate::plan::Cost;
use crate::problem::{DIMENSIONS_MAX, MICRO, Micros, Problem, Term};
use anytime::{Pulse, Ticker};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most labels of all classes together: some 400 MB.
const LABELS_MAX: usize = 1_500_000;
/// Comparisons between two looks at the stop signal.
const PERIOD: u64 = 20_000;
/// Most tasks: those that a route remembers are bits.
const TASKS_MAX: usize = 128;

type Verdict = Result<(), Refuted>;

/// Checks that every valid plan of the problem costs at least the bound.
///
/// # Errors
/// The first part that does not hold; [`Refuted::Unfinished`] where the check was stopped or is
/// too large, so that the bound may be right.
pub fn dual_bound(problem: &Problem, given: &DualBound, pulse: &Pulse) -> Verdict {
    let uncoupled = (!problem.couplings().is_empty()).then(|| problem.uncoupled());
    let problem = uncoupled.as_ref().unwrap_or(problem);
    if problem.tasks().len() > TASKS_MAX {
        return Err(Refuted::Unfinished);
    }
    let level = usize::from(problem.is_strict());
    let terms = problem.levels().get(level);
    let terms = terms.ok_or(Refuted::Shape("the cost has no such level"))?;
    let weight = |term| {
        let own = terms.terms.iter().filter(|one| one.0 == term);
        own.map(|one| one.1).sum::<i64>()
    };
    let mut check = Check {
        problem,
        given,
        travel: weight(Term::TravelCost),
        lateness: weight(Term::Lateness),
        agent: weight(Term::AgentsUsed),
        unserved: weight(Term::Unserved),
        penalty: weight(Term::DropPenalty),
        memories: Vec::new(),
        ticker: Ticker::new(pulse.clone(), PERIOD),
        labels: 0,
    };
    check.shape()?;
    check.sum(level)?;
    for class in &given.classes {
        check.class(class)?;
    }
    Ok(())
}

fn require(holds: bool, what: &'static str) -> Verdict {
    if holds {
        Ok(())
    } else {
        Err(Refuted::Shape(what))
    }
}

struct Check<'c> {
    problem: &'c Problem,
    given: &'c DualBound,
    /// Weights of terms.
    travel: i64,
    lateness: i64,
    agent: i64,
    unserved: i64,
    penalty: i64,
    /// By task, what a route remembers of what it knew when it serves the task.
    memories: Vec<u128>,
    ticker: Ticker,
    /// Labels so far.
    labels: usize,
}

/// A beginning of a route.
#[derive(Debug, Clone, Copy)]
struct Label {
    task: usize,
    start_us: Micros,
    cost: i128,
    load: [i64; DIMENSIONS_MAX],
    memory: u128,
}

/// Labels of a class, and those to be extended by rising start.
struct Labels {
    all: Vec<Label>,
    open: BinaryHeap<Reverse<Key>>,
    /// By task, labels that were extended, by rising cost.
    done: Vec<Vec<usize>>,
}

/// Start, cost and index of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    start_us: Micros,
    cost: i128,
    index: usize,
}

impl Check<'_> {
    /// The lists, and the limits of dual values.
    fn shape(&mut self) -> Verdict {
        let (problem, given) = (self.problem, self.given);
        let tasks = problem.tasks();
        let agents = problem.agents();
        let is_free = (0..agents.len()).all(|agent| problem.committed(agent).is_empty());
        require(is_free, "there are tasks under way")?;
        let is_whole = given.duals.len() == tasks.len() && given.neighbours.len() == tasks.len();
        require(is_whole, "it is not about all tasks")?;
        for (task, dual) in given.duals.iter().enumerate() {
            let is_allowed = *dual >= 0 && self.drop_cost(task).is_none_or(|cost| *dual <= cost);
            require(
                is_allowed,
                "a dual value is more than leaving the task out costs",
            )?;
        }
        for (task, own) in given.neighbours.iter().enumerate() {
            let is_list = own.iter().all(|other| *other < tasks.len()) && own.contains(&task);
            require(is_list, "what routes remember")?;
            self.memories
                .push(own.iter().fold(0, |all, other| all | 1 << other));
        }
        let mut seen = vec![false; agents.len()];
        for class in &given.classes {
            require(class.least <= 0, "a least reduced cost above 0")?;
            let first = *class
                .agents
                .first()
                .ok_or(Refuted::Shape("an empty class"))?;
            for &agent in &class.agents {
                let is_new = seen.get(agent) == Some(&false);
                require(is_new, "an agent that does not exist, or is listed twice")?;
                seen[agent] = true;
                let is_same = agents[agent] == agents[first];
                require(is_same, "agents of a class that differ")?;
            }
        }
        require(seen.iter().all(|seen| *seen), "an agent is missing")
    }

    /// Cost of leaving out a task; `None`: plans that count do it.
    fn drop_cost(&self, task: usize) -> Option<i64> {
        match self.problem.tasks()[task].drop_penalty_micro {
            Some(penalty_micro) => Some(self.penalty * penalty_micro),
            None => (!self.problem.is_strict()).then_some(self.unserved * MICRO),
        }
    }

    /// The bound is what follows from the dual values and the least reduced costs.
    fn sum(&self, level: usize) -> Verdict {
        let given = self.given;
        let duals: i128 = given.duals.iter().map(|dual| i128::from(*dual)).sum();
        let classes = given.classes.iter();
        let classes = classes.map(|one| i128::from(one.least) * one.agents.len() as i128);
        let sum = duals + classes.sum::<i128>();
        let step = i128::from(self.step());
        let most = if step > 0 {
            (sum + step - 1).div_euclid(step) * step
        } else {
            0
        };
        let mut only = Cost::default();
        only.0[level] = given.bound.0[level];
        require(given.bound == only, "it bounds another level")?;
        if i128::from(given.bound.0[level]) <= most {
            Ok(())
        } else {
            Err(Refuted::Number("the bound"))
        }
    }

    /// All costs at the level are multiples of this.
    fn step(&self) -> i64 {
        let problem = self.problem;
        let travel = problem.travel();
        let places = 0..travel.locations;
        let mut amounts = vec![self.agent * MICRO];
        for from in places.clone() {
            let arcs = places
                .clone()
                .filter(|to| travel.duration_us(from, *to).is_some());
            let cost = |to| self.travel.checked_mul(travel.cost_micro(from, to));
            amounts.extend(arcs.map(|to| cost(to).unwrap_or(1)));
        }
        amounts.extend((0..problem.tasks().len()).filter_map(|task| self.drop_cost(task)));
        let is_counted = |term| {
            let one = [
                Term::Unserved,
                Term::DropPenalty,
                Term::TravelCost,
                Term::AgentsUsed,
            ];
            one.contains(&term)
        };
        let level = &problem.levels()[usize::from(problem.is_strict())];
        let others = level.terms.iter().filter(|one| !is_counted(one.0));
        amounts.extend(others.map(|one| one.1));
        amounts.into_iter().fold(0, |mut one, mut other| {
            while other != 0 {
                (one, other) = (other, one % other);
            }
            one
        })
    }

    /// No route of a class has a reduced cost below the least.
    fn class(&mut self, class: &PricedClass) -> Verdict {
        let tasks = self.problem.tasks().len();
        let mut labels = Labels {
            all: Vec::new(),
            open: BinaryHeap::new(),
            done: vec![Vec::new(); tasks],
        };
        let agent = class.agents[0];
        (0..tasks).for_each(|task| self.extend(&mut labels, agent, None, task));
        while let Some(Reverse(Key { index, .. })) = labels.open.pop() {
            let label = labels.all[index];
            let own = &labels.done[label.task];
            self.work(own.len() as u64 + 1)?;
            let others = own.iter().map(|other| &labels.all[*other]);
            let mut cheaper = others.take_while(|other| other.cost <= label.cost);
            if cheaper.any(|other| other.continues(&label)) {
                continue;
            }
            let total = self.end_cost(agent, &label);
            if total.is_some_and(|total| total < i128::from(class.least)) {
                return Err(Refuted::Number("a least reduced cost"));
            }
            let place = own.partition_point(|other| labels.all[*other].cost <= label.cost);
            labels.done[label.task].insert(place, index);
            for task in 0..tasks {
                self.extend(&mut labels, agent, Some(label), task);
            }
            if self.labels + labels.all.len() > LABELS_MAX {
                return Err(Refuted::Unfinished);
            }
        }
        self.labels += labels.all.len();
        Ok(())
    }

    fn work(&self, units: u64) -> Verdict {
        self.ticker.step(units).map_err(|_| Refuted::Unfinished)
    }

    /// The label of a task after another one, or after the start place, if the agent can do it.
    fn extend(&self, labels: &mut Labels, agent: usize, before: Option<Label>, task: usize) {
        let (own, one) = (&self.problem.agents()[agent], &self.problem.tasks()[task]);
        let travel = self.problem.travel();
        let is_known = before.is_some_and(|before| before.memory >> task & 1 == 1);
        if is_known || one.skills & !own.skills != 0 {
            return;
        }
        let (from, free_us, cost) = match &before {
            None => {
                let fixed = i128::from(self.agent) * i128::from(MICRO);
                (own.start, self.problem.leaves_us(agent), fixed)
            }
            Some(before) => {
                let last = &self.problem.tasks()[before.task];
                (
                    last.location,
                    before.start_us + last.service_us,
                    before.cost,
                )
            }
        };
        let mut load = before.map_or([0; DIMENSIONS_MAX], |before| before.load);
        for (sum, demand) in load.iter_mut().zip(&one.demands) {
            *sum += demand;
        }
        let room = |d: usize| own.capacities.get(d).copied().unwrap_or(0);
        if (0..DIMENSIONS_MAX).any(|d| load[d] > room(d)) {
            return;
        }
        let travel_us = travel.duration_at_us(from, one.location, own.speed_micro);
        let start_us = travel_us.and_then(|travel_us| next_start(one, free_us + travel_us));
        let Some(start_us) = start_us.filter(|us| us + one.service_us <= own.shift_end_us) else {
            return;
        };
        let closed_us = one.windows.last().map_or(start_us, |last| last.close_us);
        let late_us = (start_us - closed_us).max(0);
        let arc_cost = travel.cost_micro(from, one.location);
        let more = i128::from(self.travel) * i128::from(arc_cost)
            + i128::from(self.lateness) * i128::from(late_us)
            - i128::from(self.given.duals[task]);
        let memory = before.map_or(0, |before| before.memory) & self.memories[task];
        let label = Label {
            task,
            start_us,
            cost: cost + more,
            load,
            memory: memory | 1 << task,
        };
        let index = labels.all.len();
        labels.all.push(label);
        labels.open.push(Reverse(Key {
            start_us,
            cost: label.cost,
            index,
        }));
    }

    /// Reduced cost of the route that ends with a label; `None`: the agent cannot end there.
    fn end_cost(&self, agent: usize, label: &Label) -> Option<i128> {
        let (own, task) = (
            &self.problem.agents()[agent],
            &self.problem.tasks()[label.task],
        );
        let Some(end) = own.end else {
            return Some(label.cost);
        };
        let travel = self.problem.travel();
        let travel_us = travel.duration_at_us(task.location, end, own.speed_micro)?;
        let end_us = label.start_us + task.service_us + travel_us;
        let arc_cost = i128::from(travel.cost_micro(task.location, end));
        (end_us <= own.shift_end_us).then_some(label.cost + i128::from(self.travel) * arc_cost)
    }
}

impl Label {
    /// Whether this label, which starts no later, can be continued as `other` can.
    fn continues(&self, other: &Self) -> bool {
        let loads = self.load.iter().zip(&other.load);
        self.memory & !other.memory == 0 && loads.clone().all(|(own, other)| own <= other)
    }
}
