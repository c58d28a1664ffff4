//! What is decided, what follows, and how to take it back.

use super::Pace;
use super::facts::Levels;
use super::learn::Learned;
use crate::problem::{Micros, ORIGIN};
use crate::solve::reduce::{Slot, System};
use crate::solve::tropical::Window;

/// A choice of a duty, by indices.
pub(super) type Literal = (usize, usize);

/// Something to take back.
#[derive(Debug)]
enum Undo {
    /// An entry of the closure, with what it was.
    Bound(usize, Micros, Levels),
    /// A choice was dropped.
    Dropped(usize, usize),
    /// A duty took a choice.
    Taken(usize),
    /// A duty was found to be kept.
    Kept(usize),
}

#[derive(Debug)]
struct Domain {
    /// For each choice: what rules it out.
    out: Vec<Option<Levels>>,
    left: usize,
    /// The choice taken, and what it follows from.
    taken: Option<(usize, Levels)>,
    /// Nothing is left to decide.
    kept: bool,
}

/// A search at work.
#[derive(Debug)]
pub(super) struct State<'s> {
    system: &'s System,
    size: usize,
    /// The closure of all differences decided, and what each entry follows from.
    bounds: Vec<Micros>,
    because: Vec<Levels>,
    domains: Vec<Domain>,
    trail: Vec<Undo>,
    /// The decision of each level from 1 on, and the length of the trail before it.
    decisions: Vec<(Literal, usize)>,
    /// The last decision contradicts what was known, by these levels.
    contradiction: Option<Levels>,
    learned: Learned,
}

impl<'s> State<'s> {
    /// The state before any decision; `None` when the box is empty.
    pub(super) fn new(system: &'s System, within: Option<&Window>) -> Option<Self> {
        let size = system.size;
        let mut bounds = system.bounds.clone();
        if let Some(Window { least, greatest }) = within {
            // Both fixed points obey the closed differences: the new paths lead through the origin
            // once.
            for (p, low) in least.iter().enumerate() {
                for (q, high) in greatest.iter().enumerate() {
                    let known = &mut bounds[p * size + q];
                    *known = (*known).min(high - low);
                }
            }
            if (0..size).any(|p| bounds[p * size + p] < 0) {
                return None;
            }
        }
        let domain = |duty: &crate::solve::reduce::Duty| Domain {
            out: vec![None; duty.choices.len()],
            left: duty.choices.len(),
            taken: None,
            kept: false,
        };
        Some(Self {
            system,
            size,
            because: vec![Levels::default(); bounds.len()],
            bounds,
            domains: system.duties.iter().map(domain).collect(),
            trail: Vec::new(),
            decisions: Vec::new(),
            contradiction: None,
            learned: Learned::default(),
        })
    }

    /// Draws all conclusions. `None`: stopped. An error: a contradiction between the decisions of
    /// these levels.
    pub(super) fn propagate(&mut self, pace: &mut impl Pace) -> Option<Result<(), Levels>> {
        if let Some(culprits) = self.contradiction {
            return Some(Err(culprits));
        }
        loop {
            let mark = self.trail.len();
            for duty in 0..self.domains.len() {
                if self.domains[duty].kept {
                    continue;
                }
                if let Err(culprits) = self.filter(duty) {
                    return Some(Err(culprits));
                }
                if self.trail.len() > mark && !pace.go_on() {
                    return None;
                }
            }
            if let Err(culprits) = self.apply_learned() {
                return Some(Err(culprits));
            }
            if self.trail.len() == mark {
                return Some(Ok(()));
            }
        }
    }

    /// Drops impossible choices of a duty, takes the only one left, or finds that it is kept.
    fn filter(&mut self, duty: usize) -> Result<(), Levels> {
        if self.is_kept(duty) {
            self.domains[duty].kept = true;
            self.trail.push(Undo::Kept(duty));
            return Ok(());
        }
        for choice in 0..self.domains[duty].out.len() {
            if self.domains[duty].out[choice].is_none()
                && let Some(culprits) = self.clash(duty, choice)
            {
                self.drop(duty, choice, culprits);
            }
        }
        self.conclude(duty)
    }

    /// Takes the last choice of a duty, or fails if there is none.
    fn conclude(&mut self, duty: usize) -> Result<(), Levels> {
        let domain = &self.domains[duty];
        if domain.left > 1 || domain.taken.is_some() && domain.left == 1 {
            return Ok(());
        }
        let why = domain.out.iter().flatten();
        let why = why.fold(Levels::default(), |all, one| all.with(*one));
        match domain.out.iter().position(Option::is_none) {
            None => Err(why),
            Some(choice) => self.take(duty, choice, why),
        }
    }

    /// What makes a choice impossible: a difference of it closes a negative cycle.
    fn clash(&self, duty: usize, choice: usize) -> Option<Levels> {
        let spec = &self.system.duties[duty];
        (0..spec.targets.len()).find_map(|target| {
            let (from, to, weight) = spec.arc(choice, target);
            let back = to * self.size + from;
            (self.bounds[back] + weight < 0).then(|| self.because[back])
        })
    }

    /// Whether every target has a choice that is implied. In a solution the choice that gives the
    /// end of the range is at least as good as any other, so that one serves all.
    fn is_kept(&self, duty: usize) -> bool {
        let spec = &self.system.duties[duty];
        (0..spec.targets.len()).all(|target| {
            (0..spec.choices.len()).any(|choice| {
                let (from, to, weight) = spec.arc(choice, target);
                self.bounds[from * self.size + to] <= weight
            })
        })
    }

    fn take(&mut self, duty: usize, choice: usize, why: Levels) -> Result<(), Levels> {
        self.domains[duty].taken = Some((choice, why));
        self.trail.push(Undo::Taken(duty));
        let spec = &self.system.duties[duty];
        for target in 0..spec.targets.len() {
            self.add(spec.arc(choice, target), why)?;
        }
        Ok(())
    }

    /// Adds a difference to the closure.
    fn add(&mut self, (from, to, weight): (Slot, Slot, Micros), why: Levels) -> Result<(), Levels> {
        let size = self.size;
        if self.bounds[from * size + to] <= weight {
            return Ok(());
        }
        if self.bounds[to * size + from] + weight < 0 {
            return Err(self.because[to * size + from].with(why));
        }
        // Columns whose bound from the tail improves; no other entry can change.
        let columns: Vec<(Slot, Micros, Levels)> = (0..size)
            .filter_map(|q| {
                let next = weight + self.bounds[to * size + q];
                let improves = next < self.bounds[from * size + q];
                improves.then(|| (q, next, why.with(self.because[to * size + q])))
            })
            .collect();
        for p in 0..size {
            let (first, first_why) = (self.bounds[p * size + from], self.because[p * size + from]);
            if first + weight >= self.bounds[p * size + to] {
                continue;
            }
            for &(q, rest, rest_why) in &columns {
                let entry = p * size + q;
                if first + rest < self.bounds[entry] {
                    let (old, old_why) = (self.bounds[entry], self.because[entry]);
                    self.trail.push(Undo::Bound(entry, old, old_why));
                    self.bounds[entry] = first + rest;
                    self.because[entry] = first_why.with(rest_why);
                }
            }
        }
        Ok(())
    }

    fn drop(&mut self, duty: usize, choice: usize, why: Levels) {
        let domain = &mut self.domains[duty];
        domain.out[choice] = Some(why);
        domain.left -= 1;
        self.trail.push(Undo::Dropped(duty, choice));
    }

    /// Draws conclusions from learned sets of choices that cannot all be taken.
    fn apply_learned(&mut self) -> Result<(), Levels> {
        let learned = std::mem::take(&mut self.learned);
        let applied = learned.sets().try_for_each(|set| self.apply(set));
        self.learned = learned;
        applied
    }

    fn apply(&mut self, set: &[Literal]) -> Result<(), Levels> {
        let mut why = Levels::default();
        let mut missing = None;
        for &(duty, choice) in set {
            let domain = &self.domains[duty];
            match domain.taken {
                _ if domain.out[choice].is_some() => return Ok(()),
                Some((taken, because)) if taken == choice => why = why.with(because),
                _ if missing.is_some() => return Ok(()),
                _ => missing = Some((duty, choice)),
            }
        }
        let Some((duty, choice)) = missing else {
            return Err(why);
        };
        self.drop(duty, choice, why);
        self.conclude(duty)
    }

    /// Learns from a contradiction: goes back to where the last decision involved is impossible,
    /// and drops it.
    pub(super) fn learn(&mut self, culprits: Levels) {
        let levels: Vec<usize> = (1..=self.decisions.len())
            .filter(|level| culprits.has(*level))
            .collect();
        let (&last, earlier) = levels.split_last().expect("some decision is to blame");
        let set: Vec<Literal> = levels
            .iter()
            .map(|level| self.decisions[level - 1].0)
            .collect();
        let (duty, choice) = self.decisions[last - 1].0;
        self.back_to(earlier.last().copied().unwrap_or(0));
        let why = earlier.iter().map(|level| Levels::of(*level));
        let why = why.fold(Levels::default(), Levels::with);
        if self.domains[duty].out[choice].is_none() {
            self.drop(duty, choice, why);
        }
        if set.len() > 1 {
            self.learned.add(set);
        }
    }

    /// Drops a choice that was shown impossible without any decision.
    pub(super) fn drop_for_good(&mut self, duty: usize, choice: usize) {
        debug_assert!(self.decisions.is_empty());
        self.drop(duty, choice, Levels::default());
    }

    /// Takes a choice on a new level.
    pub(super) fn decide(&mut self, duty: usize, choice: usize) {
        self.decisions.push(((duty, choice), self.trail.len()));
        let why = Levels::of(self.decisions.len());
        for other in 0..self.domains[duty].out.len() {
            if other != choice && self.domains[duty].out[other].is_none() {
                self.drop(duty, other, why);
            }
        }
        self.contradiction = self.take(duty, choice, why).err();
    }

    /// Takes back all decisions above `level`.
    pub(super) fn back_to(&mut self, level: usize) {
        let Some(&(_, length)) = self.decisions.get(level) else {
            return;
        };
        self.decisions.truncate(level);
        self.contradiction = None;
        while self.trail.len() > length {
            match self.trail.pop().expect("it is longer than that") {
                Undo::Bound(entry, bound, why) => {
                    self.bounds[entry] = bound;
                    self.because[entry] = why;
                }
                Undo::Dropped(duty, choice) => {
                    self.domains[duty].out[choice] = None;
                    self.domains[duty].left += 1;
                }
                Undo::Taken(duty) => self.domains[duty].taken = None,
                Undo::Kept(duty) => self.domains[duty].kept = false,
            }
        }
    }

    /// The duty with the fewest choices left, and its choice with the most room; ties to the first.
    pub(super) fn branch(&self) -> Option<Literal> {
        let open = self
            .domains
            .iter()
            .enumerate()
            .filter(|(_, domain)| !domain.kept);
        let (duty, domain) = open.min_by_key(|(_, domain)| domain.left)?;
        let left = (0..domain.out.len()).filter(|choice| domain.out[*choice].is_none());
        let choice = left.min_by_key(|choice| -self.room(duty, *choice))?;
        Some((duty, choice))
    }

    /// How far the tightest difference of a choice is from closing a negative cycle.
    fn room(&self, duty: usize, choice: usize) -> Micros {
        let spec = &self.system.duties[duty];
        let rooms = (0..spec.targets.len()).map(|target| {
            let (from, to, weight) = spec.arc(choice, target);
            self.bounds[to * self.size + from] + weight
        });
        rooms.min().unwrap_or(Micros::MAX)
    }

    /// All choices of undecided duties.
    pub(super) fn open(&self) -> Vec<Literal> {
        let duties = 0..self.domains.len();
        let all = duties.flat_map(|duty| (0..self.domains[duty].out.len()).map(move |c| (duty, c)));
        all.filter(|&(duty, choice)| self.is_open(duty, choice))
            .collect()
    }

    pub(super) fn is_open(&self, duty: usize, choice: usize) -> bool {
        let domain = &self.domains[duty];
        !domain.kept && domain.left > 1 && domain.out[choice].is_none()
    }

    /// The earliest times that keep all differences decided, by slot.
    pub(super) fn earliest(&self) -> Vec<Micros> {
        let times = (0..self.size).map(|p| -self.bounds[p * self.size + ORIGIN]);
        times.collect()
    }
}
