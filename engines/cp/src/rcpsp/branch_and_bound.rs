//! Branch and bound by clause learning: better and better schedules, until there is none.

use super::model::{Model, View, scaled};
use super::modes::amount;
use super::post::post;
use super::propagators::Propagators;
use super::{
    Activity, Checkpoint, Effort, Listener, Outcome, Project, Schedule, model, serial_generation,
};
use crate::clause_learning::{Found, Settings, Solver};

/// Conflicts of the first round of search for a better schedule; each round has as many more. Half
/// as many are spent on the bound.
const ROUND: u64 = 1_000;

/// What part of the gap a better schedule has to close, at first.
const SHARE: i64 = 16;

/// Sizes of the next rounds.
struct RoundSizes {
    /// Each round has as many times the conflicts of the first.
    round: u64,
    /// What part of the gap a better schedule has to close, if one is found soon.
    share: i64,
    /// How far above the bound a makespan is hoped for.
    hope: i64,
}

/// How part of a search ends.
enum Ended {
    /// With a better schedule.
    Better,
    /// With proof that there is none as good as was hoped for.
    Refuted,
    /// It reached its limit of conflicts.
    Budget,
    /// The listener stopped it.
    Stopped,
}

/// A project in its own unit, with all that is known about it.
struct Search<'t, 'l> {
    project: &'t Project,
    unit: i64,
    solver: Solver<Propagators>,
    model: Model,
    best: Option<Schedule>,
    bound: i64,
    listener: &'l mut dyn Listener,
}

pub(super) fn solve(
    project: &Project,
    warm: Option<&Schedule>,
    listener: &mut dyn Listener,
) -> (Outcome, Effort) {
    model::check(project);
    let (scaled, unit) = scaled(project);
    let mut effort = Effort::default();
    let mut solver = Solver::new(Propagators::new(), Settings::default());
    let Some(model) = Model::new(&scaled, &mut solver) else {
        return (Outcome::Infeasible, effort);
    };
    let mut go_on = || listener.go_on(Checkpoint::Work);
    if !post(&scaled, &model, &mut solver, &mut go_on) {
        return (Outcome::Infeasible, effort);
    }
    let mut search = Search {
        project: &scaled,
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
        if !self.listener.go_on(Checkpoint::Work) {
            return Outcome::Unknown(0);
        }
        if !self.settle() {
            return Outcome::Infeasible;
        }
        self.raise(energy_bound(self.project, self.bound));
        effort.root = self.bound * self.unit;
        if let Some(schedule) =
            serial_generation::best(self.project, &mut || self.listener.go_on(Checkpoint::Work))
        {
            effort.first = Some(schedule.makespan * self.unit);
            self.improve(schedule);
        }
        if let Some(warm) = warm {
            self.begin_with(warm);
        }
        let mut sizes = RoundSizes {
            round: 1,
            share: SHARE,
            hope: i64::MAX,
        };
        while self.open() {
            if !self.step(&mut sizes) {
                return self.stopped();
            }
            if self.open() {
                self.take_suggestion();
            }
        }
        match self.best.take() {
            Some(best) => Outcome::Optimal(self.grown(&best)),
            None => Outcome::Infeasible,
        }
    }

    fn take_suggestion(&mut self) {
        let best = self.best.as_ref().map(|best| self.grown(best));
        if let Some(suggested) = self.listener.suggest(best.as_ref()) {
            self.begin_with(&suggested);
        }
    }

    /// One round: a schedule that is better by a step, any that is better, a bound that is higher.
    /// False: stopped.
    fn step(&mut self, sizes: &mut RoundSizes) -> bool {
        let gap = |search: &Self| {
            let best = search.best.as_ref();
            best.map_or(i64::MAX, |best| best.makespan - search.bound)
        };
        let aim = self
            .best
            .as_ref()
            .map(|best| best.makespan - 1 - gap(self) / sizes.share);
        if let Some(aim) = aim.filter(|_| gap(self) / sizes.share > 0) {
            match self.look(Some(aim), ROUND * sizes.round / 2) {
                Ended::Stopped => return false,
                Ended::Better | Ended::Refuted => return true,
                Ended::Budget => sizes.share = sizes.share.saturating_mul(4),
            }
        }
        match self.look(None, ROUND * sizes.round) {
            Ended::Stopped => return false,
            Ended::Refuted => return true,
            Ended::Better => {
                sizes.share = (sizes.share / 2).max(SHARE);
                return true;
            }
            Ended::Budget => {}
        }
        sizes.hope = sizes.hope.min(gap(self) / 4);
        match self.look(
            Some(self.bound.saturating_add(sizes.hope)),
            ROUND * sizes.round / 2,
        ) {
            Ended::Stopped => return false,
            Ended::Budget => sizes.hope /= 2,
            Ended::Better | Ended::Refuted => {}
        }
        sizes.round += 1;
        true
    }

    /// Looks for a better schedule, of at most this makespan if one is given, for some conflicts.
    fn look(&mut self, most: Option<i64>, conflicts: u64) -> Ended {
        let hope = most.map(|most| self.model.makespan.at_most(most));
        let mut stopped = false;
        let listener = &mut *self.listener;
        let mut go_on = |checkpoint| {
            stopped |= !listener.go_on(checkpoint);
            !stopped
        };
        match self
            .solver
            .solve_within(hope.as_slice(), conflicts, &mut go_on)
        {
            Found::Model => {
                let schedule = self.model.schedule(self.solver.trail());
                let listener = &mut *self.listener;
                let mut go_on = || listener.go_on(Checkpoint::Work);
                let better = serial_generation::better(self.project, &schedule, &mut go_on);
                self.improve(better.unwrap_or(schedule));
                Ended::Better
            }
            Found::Refuted(core) => {
                if let (Some(most), false) = (most, core.is_empty()) {
                    self.raise(most + 1);
                }
                Ended::Refuted
            }
            Found::Stopped if stopped => Ended::Stopped,
            Found::Stopped => Ended::Budget,
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
        debug_assert_eq!(super::broken(self.project, &schedule), None);
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
        for (activity, start) in schedule.starts.iter().enumerate() {
            self.solver
                .prefer_value(self.model.starts[activity], *start);
            let View { var, plus } = self.model.ends[activity];
            self.solver
                .prefer_value(var, schedule.ends[activity] - plus);
            for (mode, chosen) in self.model.modes[activity].iter().enumerate() {
                let is_chosen = schedule.modes.get(activity) == Some(&mode);
                self.solver.prefer_value(*chosen, i64::from(is_chosen));
            }
        }
    }

    fn begin_with(&mut self, warm: &Schedule) {
        let shrink = |time: &i64| time.div_euclid(self.unit);
        let starts: Vec<i64> = warm.starts.iter().map(shrink).collect();
        let ends: Vec<i64> = warm.ends.iter().map(shrink).collect();
        let makespan = ends.iter().copied().max().unwrap_or(0);
        let modes = if warm.modes.is_empty() {
            vec![0; starts.len()]
        } else {
            warm.modes.clone()
        };
        let warm = Schedule {
            starts,
            ends,
            modes,
            makespan,
        };
        let count = self.project.activities.len();
        if warm.starts.len() != count || warm.ends.len() != count {
            return;
        }
        if super::broken(self.project, &warm).is_none() {
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
            modes: schedule.modes.clone(),
            makespan: schedule.makespan * self.unit,
        }
    }
}

/// No makespan is below what all resources need to be held for in all, from the first release on.
fn energy_bound(project: &Project, bound: i64) -> i64 {
    let mut best = bound;
    for (resource, capacity) in project.capacities.iter().enumerate() {
        let mut held: i128 = 0;
        let mut first = i64::MAX;
        for activity in &project.activities {
            let work = least_work(activity, resource);
            if work > 0 {
                held += work;
                first = first.min(activity.release);
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

/// Amount times duration that an activity holds of a resource at least, in any mode.
fn least_work(activity: &Activity, resource: usize) -> i128 {
    let own = i128::from(amount(&activity.demands, resource));
    let modes = activity.modes.iter().map(|mode| {
        let held = own + i128::from(amount(&mode.demands, resource));
        held * i128::from(mode.duration)
    });
    modes.min().unwrap_or(own * i128::from(activity.shortest))
}
