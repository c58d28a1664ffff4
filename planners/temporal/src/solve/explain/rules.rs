//! The rules of a reduction one by one, and systems of some of them.

use crate::problem::{Micros, ORIGIN};
use crate::solve::reduce::{Duty, Side, Slot, System};

/// Largest time in a system of some rules: sums of three stay within 64 bits.
const FAR_MAX: Micros = 1 << 60;

/// One rule of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        // A solution of differences needs no more than their sum: one choice decided for each duty, a
        // connected part of the differences is a tree of at most `size` arcs, each of two offsets.
        let longest = 2 * bounds.chain(offsets).max().unwrap_or(0) + 1;
        let size = Micros::try_from(system.size).expect("events are limited");
        let far = longest.checked_mul(size + 1)?;
        (far <= FAR_MAX / 4).then_some(Self { system, far })
    }

    /// All of them, differences first. `None` when stopped; `go_on` is asked once for each of our events
    /// and each duty.
    pub(super) fn all(&self, go_on: &mut impl FnMut() -> bool) -> Option<Vec<Rule>> {
        let mut rules = self.differences(go_on)?;
        for (at, duty) in self.system.duties.iter().enumerate() {
            if !go_on() {
                return None;
            }
            let targets = 0..duty.targets.len();
            let needed = targets.filter(|target| !self.is_implied(duty, *target));
            rules.extend(needed.map(|target| Rule::Owed(at, target)));
        }
        Some(rules)
    }

    /// Differences that no path of others equals. Events bound rigidly to each other form a chain in
    /// file order, of which only the first has differences to others.
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

    /// Whether a target owes no more than what follows from another target and the difference to it.
    fn is_implied(&self, duty: &Duty, target: usize) -> bool {
        let gap = |from, to| match duty.side {
            Side::Late => self.system.bound(from, to),
            Side::Early => self.system.bound(to, from),
        };
        let (j, b) = duty.targets[target];
        duty.targets.iter().any(|&(other, c)| {
            other != j
                && b == gap(j, other) + c
                && (other < j || gap(j, other) + gap(other, j) != 0)
        })
    }

    /// The system of some rules. `go_on` is asked once for each of our events.
    pub(super) fn part(&self, rules: &[Rule], go_on: &mut impl FnMut() -> bool) -> Part {
        let size = self.system.size;
        let mut bounds = vec![2 * self.far; size * size];
        for slot in 0..size {
            bounds[ORIGIN * size + slot] = self.far;
            bounds[slot * size + ORIGIN] = self.far;
        }
        for slot in 0..size {
            bounds[slot * size + slot] = 0;
        }
        let mut targets: Vec<Vec<(Slot, Micros)>> = vec![Vec::new(); self.system.duties.len()];
        for rule in rules {
            match *rule {
                Rule::Difference(p, q) => bounds[p * size + q] = self.system.bound(p, q),
                Rule::Owed(duty, target) => {
                    targets[duty].push(self.system.duties[duty].targets[target]);
                }
            }
        }
        match close(&mut bounds, size, go_on) {
            None => return Part::Stopped,
            Some(false) => return Part::Contradiction,
            Some(true) => {}
        }
        let duties = self.system.duties.iter().zip(targets);
        let duties = duties.filter(|(_, targets)| !targets.is_empty());
        let duties = duties.map(|(duty, targets)| Duty {
            node: duty.node,
            side: duty.side,
            choices: duty.choices.clone(),
            targets,
        });
        Part::System(System {
            size,
            bounds,
            duties: duties.collect(),
        })
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
