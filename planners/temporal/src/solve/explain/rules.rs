//! The rules of a reduction one by one, and systems of some of them.

use crate::problem::{Micros, ORIGIN};
use crate::solve::decide::{Decided, decide};
use crate::solve::reduce::{Duty, Side, Slot, System};
use crate::solve::search::Pace;

/// Largest time in a system of some rules: sums of three stay within 64 bits.
const FAR_MAX: Micros = 1 << 60;

/// One rule of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// The closed difference between two slots.
    Difference(Slot, Slot),
    /// What one target owes, by the indices of duty and target.
    Owed(usize, usize),
}

impl Rule {
    /// The side of a duty of which `times` break this rule.
    pub(super) fn broken_side(&self, system: &System, times: &[Micros]) -> Option<Side> {
        let Self::Owed(duty, target) = *self else {
            return None;
        };
        let duty = &system.duties[duty];
        let (end, _) = duty.end(times);
        let (j, b) = duty.targets[target];
        let broken = match duty.side {
            Side::Late => times[j] + b < end,
            Side::Early => times[j] - b > end,
        };
        broken.then_some(duty.side)
    }
}

/// The rules of a reduction, none of which another implies.
#[derive(Debug)]
pub(super) struct Rules<'s> {
    system: &'s System,
    /// If some of the rules can be kept, they can within this of the origin.
    far: Micros,
}

impl<'s> Rules<'s> {
    /// `None` when times are so long that sums would not fit.
    pub(super) fn new(system: &'s System) -> Option<Self> {
        let arcs = system
            .duties
            .iter()
            .flat_map(|duty| duty.choices.iter().chain(&duty.targets));
        let offsets = arcs.map(|(_, offset)| offset.abs());
        let bounds = system.bounds.iter().map(|bound| bound.abs());
        // A solution of differences needs no more than their sum: one choice decided for each duty,
        // a connected part of the differences is a tree of at most `size` arcs, each of two
        // offsets.
        let longest = 2 * bounds.chain(offsets).max().unwrap_or(0) + 1;
        let size = Micros::try_from(system.size).expect("events are limited");
        let far = longest.checked_mul(size + 1)?;
        (far <= FAR_MAX / 4).then_some(Self { system, far })
    }

    pub(super) fn system(&self) -> &'s System {
        self.system
    }

    /// If some of the rules can be kept, they can within this of the origin.
    pub(super) fn far(&self) -> Micros {
        self.far
    }

    /// Every difference there is, and all that is owed: more than is needed, but closed.
    pub(super) fn closed(&self) -> Vec<Rule> {
        let pairs = (0..self.system.size).flat_map(|p| (0..self.system.size).map(move |q| (p, q)));
        let pairs = pairs.filter(|(p, q)| p != q);
        let mut rules: Vec<Rule> = pairs.map(|(p, q)| Rule::Difference(p, q)).collect();
        for (at, duty) in self.system.duties.iter().enumerate() {
            rules.extend((0..duty.targets.len()).map(|target| Rule::Owed(at, target)));
        }
        rules
    }

    /// Whether `times` keep some of the rules.
    pub(super) fn keeps(&self, rules: &[Rule], times: &[Micros]) -> bool {
        // Duties come with all that is owed to them in a row: the end is looked up once.
        let mut last: Option<(usize, Micros)> = None;
        times[ORIGIN] == 0
            && rules.iter().all(|rule| match *rule {
                Rule::Difference(p, q) => times[q] - times[p] <= self.system.bound(p, q),
                Rule::Owed(at, target) => {
                    let duty = &self.system.duties[at];
                    let end = match last {
                        Some((known, end)) if known == at => end,
                        _ => duty.end(times).0,
                    };
                    last = Some((at, end));
                    let (j, b) = duty.targets[target];
                    match duty.side {
                        Side::Late => times[j] + b >= end,
                        Side::Early => times[j] - b <= end,
                    }
                }
            })
    }

    /// Rules that fail together, of a system that fails: all differences that others do not imply,
    /// and what is owed as far as a solution of the rest broke it. `None` when there is no time.
    pub(super) fn failing(&self, pace: &mut impl Pace) -> Option<Vec<Rule>> {
        let mut part = System {
            duties: Vec::new(),
            ..self.system.clone()
        };
        let mut owed: Vec<Vec<usize>> = vec![Vec::new(); self.system.duties.len()];
        loop {
            part.duties = self.duties(&owed);
            let times = match decide(&part, pace) {
                Decided::Fails => break,
                Decided::Holds(times) => times,
                Decided::Open(_) => return None,
            };
            let mut more = false;
            for (duty, owed) in self.system.duties.iter().zip(&mut owed) {
                if let Some(target) = duty.failed(&times) {
                    owed.push(target);
                    more = true;
                }
            }
            if !more {
                // The whole holds after all: not what the caller said.
                return None;
            }
        }
        let mut rules = self.differences(&mut || pace.go_on())?;
        for (at, owed) in owed.iter().enumerate() {
            rules.extend(owed.iter().map(|target| Rule::Owed(at, *target)));
        }
        Some(rules)
    }

    /// Duties as far as something is owed.
    fn duties(&self, owed: &[Vec<usize>]) -> Vec<Duty> {
        let duties = self.system.duties.iter().zip(owed);
        let duties = duties.filter(|(_, owed)| !owed.is_empty());
        let duties = duties.map(|(duty, owed)| Duty {
            node: duty.node,
            side: duty.side,
            choices: duty.choices.clone(),
            targets: owed.iter().map(|target| duty.targets[*target]).collect(),
        });
        duties.collect()
    }

    /// Differences that no path of others equals. Events bound rigidly to each other form a chain
    /// in file order, of which only the first has differences to others.
    fn differences(&self, go_on: &mut impl FnMut() -> bool) -> Option<Vec<Rule>> {
        let system = self.system;
        let rigid = |p, q| system.bound(p, q) + system.bound(q, p) == 0;
        let first = |p: Slot| (0..p).find(|q| rigid(p, *q)).unwrap_or(p);
        let firsts: Vec<Slot> = (0..system.size).map(first).collect();
        let heads: Vec<Slot> = (0..system.size).filter(|p| firsts[*p] == *p).collect();
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
                let via = |r: &Slot| {
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

    /// The system of some rules, over no other slots than they are about: the rest may happen at
    /// any time. `go_on` is called once for each slot.
    pub(super) fn part(&self, rules: &[Rule], go_on: &mut impl FnMut() -> bool) -> Part {
        let mut owed: Vec<Vec<usize>> = vec![Vec::new(); self.system.duties.len()];
        let mut about = vec![false; self.system.size];
        about[ORIGIN] = true;
        for rule in rules {
            match *rule {
                Rule::Difference(p, q) => (about[p], about[q]) = (true, true),
                Rule::Owed(duty, target) => owed[duty].push(target),
            }
        }
        let mut duties = self.duties(&owed);
        for (slot, _) in duties
            .iter()
            .flat_map(|duty| duty.choices.iter().chain(&duty.targets))
        {
            about[*slot] = true;
        }
        let mut renamed = vec![0; self.system.size];
        let mut size = 0;
        for slot in (0..about.len()).filter(|slot| about[*slot]) {
            renamed[slot] = size;
            size += 1;
        }
        for duty in &mut duties {
            for (slot, _) in duty.choices.iter_mut().chain(&mut duty.targets) {
                *slot = renamed[*slot];
            }
        }
        let mut bounds = self.free(size);
        for rule in rules {
            if let Rule::Difference(p, q) = *rule {
                bounds[renamed[p] * size + renamed[q]] = self.system.bound(p, q);
            }
        }
        match close(&mut bounds, size, go_on) {
            None => Part::Stopped,
            Some(false) => Part::Contradiction,
            Some(true) => Part::System(System {
                size,
                bounds,
                duties,
            }),
        }
    }

    /// Slots that are only bound not to be far away.
    fn free(&self, size: usize) -> Vec<Micros> {
        let mut bounds = vec![2 * self.far; size * size];
        for slot in 0..size {
            bounds[ORIGIN * size + slot] = self.far;
            bounds[slot * size + ORIGIN] = self.far;
        }
        for slot in 0..size {
            bounds[slot * size + slot] = 0;
        }
        bounds
    }
}

/// What some rules come to.
pub(super) enum Part {
    /// A system to be decided.
    System(System),
    /// Their differences alone contradict each other.
    Contradiction,
    /// There was no time to tell.
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
