//! The max-plus fixed points once more, this time with a memory: what raised which time.
//!
//! Each time that is raised is an entry of a log, with the rule that raised it. The walk goes back
//! from a contradiction: a raised time needs the entries that its rule was applied to, and only the
//! first of those that was high enough. The rules that it meets cannot all be satisfied.

use super::rules::{Rule, Rules};
use crate::problem::{Micros, ORIGIN};
use crate::solve::reduce::{Side, Slot};
use std::collections::{BTreeMap, VecDeque};

/// Entries that are written at most, times slots and rules: fixed points may creep by microseconds.
const ENTRIES_MAX: usize = 32;

/// What the fixed points of some rules say.
#[derive(Debug)]
pub(super) enum Chased {
    /// These of the rules cannot all be kept; by how much they clash.
    Refuted(Vec<Rule>, Micros),
    /// They can.
    Kept,
    /// Neither was found.
    Open,
}

/// Chases `rules`. `closed`: they have the differences between all slots, as the system has them,
/// so one step shows all that follows from a raised time. `go_on` is called once a round.
pub(super) fn chase(
    rules: &Rules<'_>,
    given: &[Rule],
    closed: bool,
    go_on: &mut impl FnMut() -> bool,
) -> Chased {
    let mut late = Log::new(rules, given, Side::Late);
    match late.run(closed, go_on) {
        Run::Contradiction => return late.refuted(),
        Run::Open => return Chased::Open,
        Run::Fixed if rules.keeps(given, &late.times) => return Chased::Kept,
        Run::Fixed => {}
    }
    let mut early = Log::new(rules, given, Side::Early);
    match early.run(closed, go_on) {
        Run::Contradiction => return early.refuted(),
        Run::Open => return Chased::Open,
        Run::Fixed => {}
    }
    let mut pairs = late.times.iter().zip(&early.times);
    if let Some(slot) = pairs.position(|(low, negated)| low + negated > 0) {
        let low = late.times[slot];
        let mut reasons = late.reasons(&[(slot, low)]);
        for rule in early.reasons(&[(slot, 1 - low)]) {
            if !reasons.contains(&rule) {
                reasons.push(rule);
            }
        }
        return Chased::Refuted(reasons, low + early.times[slot]);
    }
    let latest: Vec<Micros> = early.times.iter().map(|time| -time).collect();
    if rules.keeps(given, &latest) {
        return Chased::Kept;
    }
    Chased::Open
}

enum Run {
    Fixed,
    Contradiction,
    Open,
}

/// A time that was raised.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slot: Slot,
    value: Micros,
    cause: Option<Cause>,
}

#[derive(Debug, Clone, Copy)]
enum Cause {
    /// From a slot, by a difference.
    Step(Slot, Rule),
    /// From all choices of a duty, by what a target owes.
    Owed(usize, usize),
}

/// What a target owes: duty, target, slot, offset.
type Owed = (usize, usize, Slot, Micros);

/// The least solution of differences and the duties of one side; for [`Side::Early`] that of the
/// system turned round, whose times are negated.
struct Log<'r> {
    rules: &'r Rules<'r>,
    times: Vec<Micros>,
    entries: Vec<Entry>,
    /// The entries of each slot.
    of_slot: Vec<Vec<usize>>,
    /// From each slot: to which, how much earlier that may be, by which rule.
    steps: Vec<Vec<(Slot, Micros, Rule)>>,
    duties: BTreeMap<usize, Vec<Owed>>,
    waiting: VecDeque<Slot>,
    entries_max: usize,
}

impl<'r> Log<'r> {
    fn new(rules: &'r Rules<'r>, given: &[Rule], side: Side) -> Self {
        let system = rules.system();
        let mut steps = vec![Vec::new(); system.size];
        let mut duties: BTreeMap<usize, Vec<Owed>> = BTreeMap::new();
        for &rule in given {
            match rule {
                Rule::Difference(p, q) => {
                    let (from, to) = match side {
                        Side::Late => (q, p),
                        Side::Early => (p, q),
                    };
                    steps[from].push((to, system.bound(p, q), rule));
                }
                Rule::Owed(duty, target) if system.duties[duty].side == side => {
                    let (slot, offset) = system.duties[duty].targets[target];
                    let owed = duties.entry(duty).or_default();
                    owed.push((duty, target, slot, offset));
                }
                Rule::Owed(..) => {}
            }
        }
        let mut log = Self {
            rules,
            // Nothing is earlier than that, so that it needs no reason.
            times: vec![-rules.far(); system.size],
            entries: Vec::new(),
            of_slot: vec![Vec::new(); system.size],
            steps,
            duties,
            waiting: (1..system.size).collect(),
            entries_max: ENTRIES_MAX * (system.size + given.len()),
        };
        log.raise(ORIGIN, 0, None);
        log
    }

    fn raise(&mut self, slot: Slot, value: Micros, cause: Option<Cause>) {
        self.times[slot] = value;
        self.of_slot[slot].push(self.entries.len());
        self.entries.push(Entry { slot, value, cause });
        self.waiting.push_back(slot);
    }

    fn run(&mut self, closed: bool, go_on: &mut impl FnMut() -> bool) -> Run {
        loop {
            if !self.spread(closed) || self.times[ORIGIN] > 0 {
                return Run::Contradiction;
            }
            if !go_on() || self.entries.len() > self.entries_max {
                return Run::Open;
            }
            let before = self.entries.len();
            self.pay();
            if self.entries.len() == before {
                return Run::Fixed;
            }
        }
    }

    /// Raises what follows from raised times by differences. False when the origin would move.
    fn spread(&mut self, closed: bool) -> bool {
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

    /// Raises what duties ask for.
    fn pay(&mut self) {
        let duties = std::mem::take(&mut self.duties);
        for (&duty, owed) in &duties {
            let choices = &self.rules.system().duties[duty].choices;
            let ends = choices.iter().map(|&(k, a)| self.times[k] + a);
            let end = ends.min().expect("the origin is always a choice");
            for &(duty, target, slot, offset) in owed {
                if self.times[slot] < end - offset {
                    self.raise(slot, end - offset, Some(Cause::Owed(duty, target)));
                }
            }
        }
        self.duties = duties;
    }

    /// The rules by which the origin was moved.
    fn refuted(&self) -> Chased {
        Chased::Refuted(self.reasons(&[(ORIGIN, 1)]), self.times[ORIGIN])
    }

    /// The rules by which times of these slots were raised at least so far.
    fn reasons(&self, goals: &[(Slot, Micros)]) -> Vec<Rule> {
        let mut needed: Vec<Option<Micros>> = vec![None; self.entries.len()];
        for &(slot, value) in goals {
            self.need(slot, value, &mut needed);
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
                Some(Cause::Owed(duty, target)) => {
                    let spec = &self.rules.system().duties[duty];
                    let (_, offset) = spec.targets[target];
                    for &(k, a) in &spec.choices {
                        self.need(k, value + offset - a, &mut needed);
                    }
                    rules.push(Rule::Owed(duty, target));
                }
            }
        }
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The first entry of a slot that is high enough is needed, if it had to be raised at all. That
    /// entry is older than what needs it: the time was as high when it was used.
    fn need(&self, slot: Slot, value: Micros, needed: &mut [Option<Micros>]) {
        if value <= -self.rules.far() {
            return;
        }
        let entries = &self.of_slot[slot];
        let first = entries.partition_point(|at| self.entries[*at].value < value);
        let at = entries[first];
        debug_assert_eq!(self.entries[at].slot, slot);
        needed[at] = needed[at].max(Some(value));
    }
}
