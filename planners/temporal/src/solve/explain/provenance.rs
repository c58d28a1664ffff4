//! Max-plus fixed points with provenance: which rule raised which time.
//!
//! Each time that is raised is an entry of a log, with the rule that raised it. Conflict analysis
//! goes back from a contradiction: a raised time needs the entries that its rule was applied to,
//! and only the first of those that was high enough. The rules on the walk cannot all be satisfied.

use super::rules::{Rule, Rules};
use crate::problem::{Micros, ORIGIN};
use crate::solve::reduce::{Side, Timepoint};
use std::collections::{BTreeMap, VecDeque};

/// Entries that are written at most, times timepoints and rules: fixed points may creep by
/// microseconds.
const ENTRIES_MAX: usize = 32;

/// The result of the fixed points of some rules.
#[derive(Debug)]
pub(super) enum Propagation {
    /// These of the rules cannot all be satisfied; the magnitude of their negative cycle.
    Refuted(Vec<Rule>, Micros),
    /// All rules can be satisfied.
    Satisfiable,
    /// Undecided.
    Open,
}

/// Propagates `rules` to both fixed points. `closed`: they have the differences between all
/// timepoints, as the system has them, so one step shows all that follows from a raised time.
/// `go_on` is called once a round.
pub(super) fn propagate(
    rules: &Rules<'_>,
    given: &[Rule],
    closed: bool,
    go_on: &mut impl FnMut() -> bool,
) -> Propagation {
    let mut late = Log::new(rules, given, Side::Late);
    match late.run(closed, go_on) {
        Run::Contradiction => return late.refuted(),
        Run::Open => return Propagation::Open,
        Run::Fixed if rules.satisfies(given, &late.times) => return Propagation::Satisfiable,
        Run::Fixed => {}
    }
    let mut early = Log::new(rules, given, Side::Early);
    match early.run(closed, go_on) {
        Run::Contradiction => return early.refuted(),
        Run::Open => return Propagation::Open,
        Run::Fixed => {}
    }
    let mut pairs = late.times.iter().zip(&early.times);
    if let Some(timepoint) = pairs.position(|(low, negated)| low + negated > 0) {
        let low = late.times[timepoint];
        let mut reasons = late.reasons(&[(timepoint, low)]);
        for rule in early.reasons(&[(timepoint, 1 - low)]) {
            if !reasons.contains(&rule) {
                reasons.push(rule);
            }
        }
        return Propagation::Refuted(reasons, low + early.times[timepoint]);
    }
    let latest: Vec<Micros> = early.times.iter().map(|time| -time).collect();
    if rules.satisfies(given, &latest) {
        return Propagation::Satisfiable;
    }
    Propagation::Open
}

enum Run {
    Fixed,
    Contradiction,
    Open,
}

/// A time that was raised.
#[derive(Debug, Clone, Copy)]
struct Entry {
    timepoint: Timepoint,
    value: Micros,
    cause: Option<Cause>,
}

#[derive(Debug, Clone, Copy)]
enum Cause {
    /// From a timepoint, by a difference.
    Step(Timepoint, Rule),
    /// From all choices of a disjunction, by the obligation of a target.
    Obligation(usize, usize),
}

/// The obligation of one target of a disjunction.
#[derive(Debug, Clone, Copy)]
struct Obligation {
    target: usize,
    timepoint: Timepoint,
    offset: Micros,
}

/// The least solution of differences and the disjunctions of one side; for [`Side::Early`] that of
/// the system turned round, whose times are negated.
struct Log<'r> {
    rules: &'r Rules<'r>,
    times: Vec<Micros>,
    entries: Vec<Entry>,
    /// The entries of each timepoint.
    of_slot: Vec<Vec<usize>>,
    /// From each timepoint: to which, how much earlier that may be, by which rule.
    steps: Vec<Vec<(Timepoint, Micros, Rule)>>,
    disjunctions: BTreeMap<usize, Vec<Obligation>>,
    waiting: VecDeque<Timepoint>,
    entries_max: usize,
}

impl<'r> Log<'r> {
    fn new(rules: &'r Rules<'r>, given: &[Rule], side: Side) -> Self {
        let system = rules.system();
        let mut steps = vec![Vec::new(); system.size];
        let mut disjunctions: BTreeMap<usize, Vec<Obligation>> = BTreeMap::new();
        for &rule in given {
            match rule {
                Rule::Difference(p, q) => {
                    let (from, to) = match side {
                        Side::Late => (q, p),
                        Side::Early => (p, q),
                    };
                    steps[from].push((to, system.bound(p, q), rule));
                }
                Rule::Obligation(disjunction, target)
                    if system.disjunctions[disjunction].side == side =>
                {
                    let (timepoint, offset) = system.disjunctions[disjunction].targets[target];
                    let obligations = disjunctions.entry(disjunction).or_default();
                    obligations.push(Obligation {
                        target,
                        timepoint,
                        offset,
                    });
                }
                Rule::Obligation(..) => {}
            }
        }
        let mut log = Self {
            rules,
            // Nothing is earlier than that, so that it needs no reason.
            times: vec![-rules.horizon(); system.size],
            entries: Vec::new(),
            of_slot: vec![Vec::new(); system.size],
            steps,
            disjunctions,
            waiting: (1..system.size).collect(),
            entries_max: ENTRIES_MAX * (system.size + given.len()),
        };
        log.raise(ORIGIN, 0, None);
        log
    }

    fn raise(&mut self, timepoint: Timepoint, value: Micros, cause: Option<Cause>) {
        self.times[timepoint] = value;
        self.of_slot[timepoint].push(self.entries.len());
        self.entries.push(Entry {
            timepoint,
            value,
            cause,
        });
        self.waiting.push_back(timepoint);
    }

    fn run(&mut self, closed: bool, go_on: &mut impl FnMut() -> bool) -> Run {
        loop {
            if !self.raise_differences(closed) || self.times[ORIGIN] > 0 {
                return Run::Contradiction;
            }
            if !go_on() || self.entries.len() > self.entries_max {
                return Run::Open;
            }
            let before = self.entries.len();
            self.raise_obligations();
            if self.entries.len() == before {
                return Run::Fixed;
            }
        }
    }

    /// Raises what follows from raised times by differences. False when the origin would move.
    fn raise_differences(&mut self, closed: bool) -> bool {
        let steps = std::mem::take(&mut self.steps);
        let mut left = self.waiting.len();
        while let Some(from) = self.waiting.pop_front() {
            // What a closed step raised raises nothing more: it need not wait.
            if closed && left == 0 {
                continue;
            }
            left = left.saturating_sub(1);
            for &(to, gap, rule) in &steps[from] {
                let value = self.times[from] - gap;
                if self.times[to] < value {
                    self.raise(to, value, Some(Cause::Step(from, rule)));
                }
            }
            if self.times[ORIGIN] > 0 || self.entries.len() > self.entries_max {
                break;
            }
        }
        self.steps = steps;
        self.times[ORIGIN] <= 0
    }

    /// Raises what obligations demand.
    fn raise_obligations(&mut self) {
        let disjunctions = std::mem::take(&mut self.disjunctions);
        for (&disjunction, obligations) in &disjunctions {
            let choices = &self.rules.system().disjunctions[disjunction].choices;
            let ends = choices.iter().map(|&(k, a)| self.times[k] + a);
            let end = ends.min().expect("the origin is always a choice");
            for &Obligation {
                target,
                timepoint,
                offset,
            } in obligations
            {
                if self.times[timepoint] < end - offset {
                    self.raise(
                        timepoint,
                        end - offset,
                        Some(Cause::Obligation(disjunction, target)),
                    );
                }
            }
        }
        self.disjunctions = disjunctions;
    }

    /// The rules by which the origin was moved.
    fn refuted(&self) -> Propagation {
        Propagation::Refuted(self.reasons(&[(ORIGIN, 1)]), self.times[ORIGIN])
    }

    /// The rules by which times of these timepoints were raised at least so far.
    fn reasons(&self, goals: &[(Timepoint, Micros)]) -> Vec<Rule> {
        let mut needed: Vec<Option<Micros>> = vec![None; self.entries.len()];
        for &(timepoint, value) in goals {
            self.need(timepoint, value, &mut needed);
        }
        let mut rules = Vec::new();
        for at in (0..self.entries.len()).rev() {
            let Some(value) = needed[at] else { continue };
            match self.entries[at].cause {
                None => {}
                Some(Cause::Step(from, rule)) => {
                    let Rule::Difference(p, q) = rule else {
                        unreachable!("steps are differences");
                    };
                    self.need(from, value + self.rules.system().bound(p, q), &mut needed);
                    rules.push(rule);
                }
                Some(Cause::Obligation(disjunction, target)) => {
                    let spec = &self.rules.system().disjunctions[disjunction];
                    let (_, offset) = spec.targets[target];
                    for &(k, a) in &spec.choices {
                        self.need(k, value + offset - a, &mut needed);
                    }
                    rules.push(Rule::Obligation(disjunction, target));
                }
            }
        }
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The first entry of a timepoint that is high enough is needed, if it had to be raised at all.
    /// That entry is older than what needs it: the time was as high when it was used.
    fn need(&self, timepoint: Timepoint, value: Micros, needed: &mut [Option<Micros>]) {
        if value <= -self.rules.horizon() {
            return;
        }
        let entries = &self.of_slot[timepoint];
        let first = entries.partition_point(|at| self.entries[*at].value < value);
        let at = entries[first];
        debug_assert_eq!(self.entries[at].timepoint, timepoint);
        needed[at] = needed[at].max(Some(value));
    }
}
