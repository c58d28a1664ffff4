//! The rules of a reduction one by one, and systems of some of them.

use crate::problem::{Micros, ORIGIN};
use crate::solve::decide::{Decided, decide};
use crate::solve::reduce::{Disjunction, Side, System, Timepoint};
use crate::solve::search::Ticker;

/// Largest time in a system of some rules: sums of three stay within 64 bits.
const HORIZON_MAX: Micros = 1 << 60;

/// One rule of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// The closed difference between two timepoints.
    Difference(Timepoint, Timepoint),
    /// The obligation of one target, by the indices of disjunction and target.
    Obligation(usize, usize),
}

impl Rule {
    /// The side of the disjunction, if `times` violate this rule.
    pub(super) fn violated_side(&self, system: &System, times: &[Micros]) -> Option<Side> {
        let Self::Obligation(disjunction, target) = *self else {
            return None;
        };
        let disjunction = &system.disjunctions[disjunction];
        let (end, _) = disjunction.end(times);
        let (j, b) = disjunction.targets[target];
        let violated = match disjunction.side {
            Side::Late => times[j] + b < end,
            Side::Early => times[j] - b > end,
        };
        violated.then_some(disjunction.side)
    }
}

/// The rules of a reduction, none of which another implies.
#[derive(Debug)]
pub(super) struct Rules<'s> {
    system: &'s System,
    /// A horizon: rules that can be satisfied at all, can be within this of the origin.
    horizon: Micros,
}

impl<'s> Rules<'s> {
    /// `None` when times are so long that sums would not fit.
    pub(super) fn new(system: &'s System) -> Option<Self> {
        let arcs = system
            .disjunctions
            .iter()
            .flat_map(|disjunction| disjunction.choices.iter().chain(&disjunction.targets));
        let offsets = arcs.map(|(_, offset)| offset.abs());
        let bounds = system.bounds.iter().map(|bound| bound.abs());
        // A solution of differences needs no more than their sum: one choice decided for each
        // disjunction, a connected part of the differences is a tree of at most `size` arcs, each
        // of two offsets.
        let longest = 2 * bounds.chain(offsets).max().unwrap_or(0) + 1;
        let size = Micros::try_from(system.size).expect("events are limited");
        let horizon = longest.checked_mul(size + 1)?;
        (horizon <= HORIZON_MAX / 4).then_some(Self { system, horizon })
    }

    pub(super) fn system(&self) -> &'s System {
        self.system
    }

    /// A horizon: rules that can be satisfied at all, can be within this of the origin.
    pub(super) fn horizon(&self) -> Micros {
        self.horizon
    }

    /// All differences and all obligations: more than is needed, but closed.
    pub(super) fn closed(&self) -> Vec<Rule> {
        let pairs = (0..self.system.size).flat_map(|p| (0..self.system.size).map(move |q| (p, q)));
        let pairs = pairs.filter(|(p, q)| p != q);
        let mut rules: Vec<Rule> = pairs.map(|(p, q)| Rule::Difference(p, q)).collect();
        for (at, disjunction) in self.system.disjunctions.iter().enumerate() {
            rules.extend((0..disjunction.targets.len()).map(|target| Rule::Obligation(at, target)));
        }
        rules
    }

    /// Whether `times` satisfy some of the rules.
    pub(super) fn satisfies(&self, rules: &[Rule], times: &[Micros]) -> bool {
        // The obligations of a disjunction come in a row: the end is looked up once.
        let mut last: Option<(usize, Micros)> = None;
        times[ORIGIN] == 0
            && rules.iter().all(|rule| match *rule {
                Rule::Difference(p, q) => times[q] - times[p] <= self.system.bound(p, q),
                Rule::Obligation(at, target) => {
                    let disjunction = &self.system.disjunctions[at];
                    let end = match last {
                        Some((known, end)) if known == at => end,
                        _ => disjunction.end(times).0,
                    };
                    last = Some((at, end));
                    let (j, b) = disjunction.targets[target];
                    match disjunction.side {
                        Side::Late => times[j] + b >= end,
                        Side::Early => times[j] - b <= end,
                    }
                }
            })
    }

    /// Rules that fail together, of a system that fails: all differences that others do not imply,
    /// and obligations that a solution of the rest violated. `None`: stopped.
    pub(super) fn failing(&self, ticker: &mut impl Ticker) -> Option<Vec<Rule>> {
        let mut part = System {
            disjunctions: Vec::new(),
            ..self.system.clone()
        };
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.system.disjunctions.len()];
        loop {
            part.disjunctions = self.disjunctions(&targets);
            let times = match decide(&part, ticker) {
                Decided::Fails => break,
                Decided::Holds(times) => times,
                Decided::Open(_) => return None,
            };
            let mut more = false;
            for (disjunction, targets) in self.system.disjunctions.iter().zip(&mut targets) {
                if let Some(target) = disjunction.violated(&times) {
                    targets.push(target);
                    more = true;
                }
            }
            if !more {
                // The whole holds after all, against the precondition.
                return None;
            }
        }
        let mut rules = self.differences(&mut || ticker.go_on())?;
        for (at, targets) in targets.iter().enumerate() {
            rules.extend(targets.iter().map(|target| Rule::Obligation(at, *target)));
        }
        Some(rules)
    }

    /// The disjunctions with some of their targets.
    fn disjunctions(&self, targets: &[Vec<usize>]) -> Vec<Disjunction> {
        let disjunctions = self.system.disjunctions.iter().zip(targets);
        let disjunctions = disjunctions.filter(|(_, targets)| !targets.is_empty());
        let disjunctions = disjunctions.map(|(disjunction, targets)| Disjunction {
            node: disjunction.node,
            side: disjunction.side,
            choices: disjunction.choices.clone(),
            targets: targets
                .iter()
                .map(|target| disjunction.targets[*target])
                .collect(),
        });
        disjunctions.collect()
    }

    /// Differences that no path of others equals. Events bound rigidly to each other form a chain
    /// in file order, of which only the first has differences to others.
    fn differences(&self, go_on: &mut impl FnMut() -> bool) -> Option<Vec<Rule>> {
        let system = self.system;
        let rigid = |p, q| system.bound(p, q) + system.bound(q, p) == 0;
        let first = |p: Timepoint| (0..p).find(|q| rigid(p, *q)).unwrap_or(p);
        let firsts: Vec<Timepoint> = (0..system.size).map(first).collect();
        let heads: Vec<Timepoint> = (0..system.size).filter(|p| firsts[*p] == *p).collect();
        let mut rules = Vec::new();
        for q in (0..system.size).filter(|q| firsts[*q] != *q) {
            let before = (0..q).rfind(|p| firsts[*p] == firsts[q]);
            let before = before.expect("the first of the group is before");
            rules.extend([Rule::Difference(before, q), Rule::Difference(q, before)]);
        }
        for &p in &heads {
            if !go_on() {
                return None;
            }
            for &q in heads.iter().filter(|q| **q != p) {
                let via = |r: &Timepoint| {
                    *r != p
                        && *r != q
                        && system.bound(p, *r) + system.bound(*r, q) == system.bound(p, q)
                };
                if !heads.iter().any(via) {
                    rules.push(Rule::Difference(p, q));
                }
            }
        }
        Some(rules)
    }

    /// The system of some rules, over no other timepoints than they are about: the rest may happen
    /// at any time. `go_on` is called once for each timepoint.
    pub(super) fn subsystem(&self, rules: &[Rule], go_on: &mut impl FnMut() -> bool) -> Subsystem {
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.system.disjunctions.len()];
        let mut about = vec![false; self.system.size];
        about[ORIGIN] = true;
        for rule in rules {
            match *rule {
                Rule::Difference(p, q) => (about[p], about[q]) = (true, true),
                Rule::Obligation(disjunction, target) => targets[disjunction].push(target),
            }
        }
        let mut disjunctions = self.disjunctions(&targets);
        for (timepoint, _) in disjunctions
            .iter()
            .flat_map(|disjunction| disjunction.choices.iter().chain(&disjunction.targets))
        {
            about[*timepoint] = true;
        }
        let mut renamed = vec![0; self.system.size];
        let mut size = 0;
        for timepoint in (0..about.len()).filter(|timepoint| about[*timepoint]) {
            renamed[timepoint] = size;
            size += 1;
        }
        for disjunction in &mut disjunctions {
            for (timepoint, _) in disjunction
                .choices
                .iter_mut()
                .chain(&mut disjunction.targets)
            {
                *timepoint = renamed[*timepoint];
            }
        }
        let mut bounds = self.unconstrained(size);
        for rule in rules {
            if let Rule::Difference(p, q) = *rule {
                bounds[renamed[p] * size + renamed[q]] = self.system.bound(p, q);
            }
        }
        match close(&mut bounds, size, go_on) {
            None => Subsystem::Stopped,
            Some(false) => Subsystem::Contradiction,
            Some(true) => Subsystem::System(System {
                size,
                bounds,
                disjunctions,
            }),
        }
    }

    /// Bounds of timepoints that nothing but the horizon constrains.
    fn unconstrained(&self, size: usize) -> Vec<Micros> {
        let mut bounds = vec![2 * self.horizon; size * size];
        for timepoint in 0..size {
            bounds[ORIGIN * size + timepoint] = self.horizon;
            bounds[timepoint * size + ORIGIN] = self.horizon;
        }
        for timepoint in 0..size {
            bounds[timepoint * size + timepoint] = 0;
        }
        bounds
    }
}

/// The system of some rules.
pub(super) enum Subsystem {
    /// A system to be decided.
    System(System),
    /// Their differences alone contradict each other.
    Contradiction,
    /// The construction was stopped.
    Stopped,
}

/// Floyd-Warshall; false when there is a negative cycle, `None` when stopped.
fn close(bounds: &mut [Micros], size: usize, go_on: &mut impl FnMut() -> bool) -> Option<bool> {
    let mut via = vec![0; size];
    for k in 0..size {
        if !go_on() {
            return None;
        }
        via.copy_from_slice(&bounds[k * size..][..size]);
        for row in bounds.chunks_exact_mut(size) {
            let first = row[k];
            for (known, rest) in row.iter_mut().zip(&via) {
                *known = (*known).min(first + rest);
            }
        }
        if (0..size).any(|p| bounds[p * size + p] < 0) {
            return Some(false);
        }
    }
    Some(true)
}
