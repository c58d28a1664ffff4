//! Branch and bound: better and better schedules, until there is none.

use super::model::{Model, View, edges, scaled};
use super::theory::Rules;
use super::{Effort, Listener, Outcome, Schedule, Task, Tasks, model, serial};
use crate::solve::cdcl::{Found, Settings, Solver};

/// Most pairs of tasks that get a Boolean for their order.
const PAIRS_MAX: usize = 20_000;

/// Tasks in their own unit, with all that is known about them.
struct Search<'t, 'l> {
    tasks: &'t Tasks,
    unit: i64,
    solver: Solver<Rules>,
    model: Model,
    best: Option<Schedule>,
    bound: i64,
    listener: &'l mut dyn Listener,
}

pub(super) fn solve(
    tasks: &Tasks,
    warm: Option<&Schedule>,
    listener: &mut dyn Listener,
) -> (Outcome, Effort) {
    model::check(tasks);
    let (scaled, unit) = scaled(tasks);
    let mut effort = Effort::default();
    let mut solver = Solver::new(Rules::new(), Settings::default());
    let Some(model) = Model::new(&scaled, &mut solver) else {
        return (Outcome::Infeasible, effort);
    };
    if !state(&scaled, &model, &mut solver) {
        return (Outcome::Infeasible, effort);
    }
    let mut search = Search {
        tasks: &scaled,
        unit,
        solver,
        model,
        best: None,
        bound: 0,
        listener,
    };
    let outcome = search.run(warm, &mut effort);
    effort.conflicts = search.solver.conflicts();
    (outcome, effort)
}

impl Search<'_, '_> {
    fn run(&mut self, warm: Option<&Schedule>, effort: &mut Effort) -> Outcome {
        if !self.settle() {
            return Outcome::Infeasible;
        }
        self.raise(energy(self.tasks, self.bound));
        effort.root = self.bound * self.unit;
        if let Some(schedule) = serial::best(self.tasks) {
            effort.first = Some(schedule.makespan * self.unit);
            self.improve(schedule);
        }
        if let Some(warm) = warm {
            self.begin_with(warm);
        }
        while self.open() {
            let listener = &mut *self.listener;
            match self.solver.solve(&[], &mut |beat| listener.go_on(beat)) {
                Found::Model => {
                    let schedule = self.model.schedule(self.solver.trail());
                    self.improve(schedule);
                }
                Found::Refuted(_) => break,
                Found::Stopped => return self.stopped(),
            }
        }
        match self.best.take() {
            Some(best) => Outcome::Optimal(self.grown(&best)),
            None => Outcome::Infeasible,
        }
    }

    /// Whether a better schedule may exist, as far as is known.
    fn open(&mut self) -> bool {
        !self.solver.refuted()
            && self
                .best
                .as_ref()
                .is_none_or(|best| best.makespan > self.bound)
    }

    fn stopped(&mut self) -> Outcome {
        self.settle();
        let bound = self.bound * self.unit;
        match self.best.take() {
            Some(best) if best.makespan <= self.bound => Outcome::Optimal(self.grown(&best)),
            Some(best) => Outcome::Feasible(self.grown(&best), bound),
            None => Outcome::Unknown(bound),
        }
    }

    /// Sets what follows without decisions, the bound among it.
    fn settle(&mut self) -> bool {
        let ok = self.solver.settle();
        if ok {
            let min = self.solver.trail().min(self.model.makespan);
            self.raise(min);
        }
        ok
    }

    fn raise(&mut self, bound: i64) {
        if bound > self.bound {
            self.bound = bound;
            let no_earlier = self.model.makespan.at_least(bound);
            self.solver.add_clause(&[no_earlier]);
            if self.best.as_ref().is_none_or(|best| best.makespan >= bound) {
                self.listener.proved(bound * self.unit);
            }
        }
    }

    /// A schedule in the unit of the search, which is kept if it is better.
    fn improve(&mut self, schedule: Schedule) {
        debug_assert_eq!(super::broken(self.tasks, &schedule), None);
        if self
            .best
            .as_ref()
            .is_some_and(|best| best.makespan <= schedule.makespan)
        {
            return;
        }
        let better = self.model.makespan.at_most(schedule.makespan - 1);
        self.solver.add_clause(&[better]);
        self.hint(&schedule);
        self.listener.improved(&self.grown(&schedule));
        self.best = Some(schedule);
    }

    fn hint(&mut self, schedule: &Schedule) {
        for (task, start) in schedule.starts.iter().enumerate() {
            self.solver.prefer_value(self.model.starts[task], *start);
            let View { var, plus } = self.model.ends[task];
            self.solver.prefer_value(var, schedule.ends[task] - plus);
        }
    }

    fn begin_with(&mut self, warm: &Schedule) {
        let shrink = |time: &i64| time.div_euclid(self.unit);
        let starts: Vec<i64> = warm.starts.iter().map(shrink).collect();
        let ends: Vec<i64> = warm.ends.iter().map(shrink).collect();
        let makespan = ends.iter().copied().max().unwrap_or(0);
        let warm = Schedule {
            starts,
            ends,
            makespan,
        };
        let count = self.tasks.tasks.len();
        if warm.starts.len() != count || warm.ends.len() != count {
            return;
        }
        if super::broken(self.tasks, &warm).is_none() {
            self.improve(warm);
        } else if self.best.is_none() {
            self.hint(&warm);
        }
    }

    /// In the unit of the problem.
    fn grown(&self, schedule: &Schedule) -> Schedule {
        let grow = |time: &i64| time * self.unit;
        Schedule {
            starts: schedule.starts.iter().map(grow).collect(),
            ends: schedule.ends.iter().map(grow).collect(),
            makespan: schedule.makespan * self.unit,
        }
    }
}

/// Tells a search all rules; false when one cannot be kept.
fn state(tasks: &Tasks, model: &Model, solver: &mut Solver<Rules>) -> bool {
    for (task, start) in model.starts.iter().enumerate() {
        solver.theory.add_var(*start);
        if model.ends[task].var != *start {
            solver.theory.add_var(model.ends[task].var);
        }
    }
    solver.theory.add_var(model.makespan);
    for (from, to, least) in edges(tasks, model) {
        solver.theory.add_edge(from, to, (least, None));
    }
    for capacity in &tasks.capacities {
        solver.theory.table.add_resource(*capacity);
    }
    for (index, task) in tasks.tasks.iter().enumerate() {
        let start = View {
            var: model.starts[index],
            plus: 0,
        };
        for demand in task.demands.iter().filter(|demand| demand.amount > 0) {
            if demand.amount > tasks.capacities[demand.resource] {
                if demand.consumed || task.shortest > 0 {
                    return false;
                }
                solver.theory.add_edge(model.ends[index], start, (0, None));
            } else if demand.consumed || task.longest > 0 {
                let span = (model.starts[index], model.until(index, demand));
                solver
                    .theory
                    .table
                    .add_use(demand.resource, span, demand.amount);
            }
        }
    }
    exclude(tasks, model, solver);
    true
}

/// Orders pairs of tasks that exclude each other by Booleans.
fn exclude(tasks: &Tasks, model: &Model, solver: &mut Solver<Rules>) {
    let mut pairs = 0;
    let count = tasks.tasks.len();
    for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (other, one))) {
        if pairs < PAIRS_MAX && exclusive(tasks, &tasks.tasks[one], &tasks.tasks[other]) {
            pairs += 1;
            let first = solver.new_bool();
            let start = |task: usize| View {
                var: model.starts[task],
                plus: 0,
            };
            let rules = &mut solver.theory;
            rules.add_edge(model.ends[one], start(other), (0, Some(first.yes())));
            rules.add_edge(model.ends[other], start(one), (0, Some(first.no())));
        }
    }
}

/// Whether two tasks can never run at once.
fn exclusive(tasks: &Tasks, one: &Task, other: &Task) -> bool {
    let back =
        |task: &Task| task.shortest > 0 && !task.demands.iter().any(|demand| demand.consumed);
    back(one)
        && back(other)
        && one.demands.iter().any(|a| {
            let mut same = other.demands.iter().filter(|b| b.resource == a.resource);
            same.any(|b| a.amount + b.amount > tasks.capacities[a.resource])
        })
}

/// No makespan is below what all resources need to be held for in all, from the first release on.
fn energy(tasks: &Tasks, bound: i64) -> i64 {
    let mut best = bound;
    for (resource, capacity) in tasks.capacities.iter().enumerate() {
        let mut held: i128 = 0;
        let mut first = i64::MAX;
        for task in &tasks.tasks {
            for demand in task.demands.iter().filter(|d| d.resource == resource) {
                if demand.amount > 0 && task.shortest > 0 {
                    held += i128::from(demand.amount) * i128::from(task.shortest);
                    first = first.min(task.release);
                }
            }
        }
        if held > 0 && *capacity > 0 {
            let capacity = i128::from(*capacity);
            let lasts = i64::try_from((held + capacity - 1) / capacity).unwrap_or(i64::MAX);
            best = best.max(first.saturating_add(lasts));
        }
    }
    best
}
