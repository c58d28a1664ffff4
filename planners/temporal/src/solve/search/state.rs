//! The state of a search: decisions, what follows from them, and the trail to undo both.

use super::Ticker;
use super::decision_levels::DecisionLevels;
use super::nogoods::Nogoods;
use crate::problem::{Micros, ORIGIN};
use crate::solve::reduce::{Difference, System, Timepoint};
use crate::solve::tropical::Window;

/// A choice of a disjunction, by indices.
pub(super) type Literal = (usize, usize);

/// An entry of the trail.
#[derive(Debug)]
enum Undo {
    /// An entry of the closure, with what it was.
    Bound(usize, Micros, DecisionLevels),
    /// A choice was removed.
    Removed(usize, usize),
    /// A disjunction took a choice.
    Taken(usize),
    /// A disjunction was found to be satisfied.
    Satisfied(usize),
}

#[derive(Debug)]
struct Domain {
    /// For each choice: what rules it out.
    removed: Vec<Option<DecisionLevels>>,
    left: usize,
    /// The choice taken, and what it follows from.
    taken: Option<(usize, DecisionLevels)>,
    /// Nothing is left to decide.
    satisfied: bool,
}

/// A search at work.
#[derive(Debug)]
pub(super) struct State<'s> {
    system: &'s System,
    size: usize,
    /// The closure of all differences decided, and what each entry follows from.
    bounds: Vec<Micros>,
    because: Vec<DecisionLevels>,
    domains: Vec<Domain>,
    trail: Vec<Undo>,
    /// The decision of each level from 1 on, and the length of the trail before it.
    decisions: Vec<(Literal, usize)>,
    /// The last decision contradicts what was known, by these levels.
    contradiction: Option<DecisionLevels>,
    nogoods: Nogoods,
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
        let domain = |disjunction: &crate::solve::reduce::Disjunction| Domain {
            removed: vec![None; disjunction.choices.len()],
            left: disjunction.choices.len(),
            taken: None,
            satisfied: false,
        };
        Some(Self {
            system,
            size,
            because: vec![DecisionLevels::default(); bounds.len()],
            bounds,
            domains: system.disjunctions.iter().map(domain).collect(),
            trail: Vec::new(),
            decisions: Vec::new(),
            contradiction: None,
            nogoods: Nogoods::default(),
        })
    }

    /// Propagates all conclusions. `None`: stopped. An error: a contradiction between the decisions
    /// of these levels.
    pub(super) fn propagate(
        &mut self,
        ticker: &mut impl Ticker,
    ) -> Option<Result<(), DecisionLevels>> {
        if let Some(culprits) = self.contradiction {
            return Some(Err(culprits));
        }
        loop {
            let mark = self.trail.len();
            for disjunction in 0..self.domains.len() {
                if self.domains[disjunction].satisfied {
                    continue;
                }
                if let Err(culprits) = self.filter(disjunction) {
                    return Some(Err(culprits));
                }
                if self.trail.len() > mark && !ticker.go_on() {
                    return None;
                }
            }
            if let Err(culprits) = self.apply_nogoods() {
                return Some(Err(culprits));
            }
            if self.trail.len() == mark {
                return Some(Ok(()));
            }
        }
    }

    /// Removes impossible choices of a disjunction, takes the only one left, or finds that it is
    /// satisfied.
    fn filter(&mut self, disjunction: usize) -> Result<(), DecisionLevels> {
        if self.is_satisfied(disjunction) {
            self.domains[disjunction].satisfied = true;
            self.trail.push(Undo::Satisfied(disjunction));
            return Ok(());
        }
        for choice in 0..self.domains[disjunction].removed.len() {
            if self.domains[disjunction].removed[choice].is_none()
                && let Some(culprits) = self.clash(disjunction, choice)
            {
                self.remove(disjunction, choice, culprits);
            }
        }
        self.conclude(disjunction)
    }

    /// Takes the last choice of a disjunction, or fails if there is none.
    fn conclude(&mut self, disjunction: usize) -> Result<(), DecisionLevels> {
        let domain = &self.domains[disjunction];
        if domain.left > 1 || domain.taken.is_some() && domain.left == 1 {
            return Ok(());
        }
        let why = domain.removed.iter().flatten();
        let why = why.fold(DecisionLevels::default(), |all, one| all.union(*one));
        match domain.removed.iter().position(Option::is_none) {
            None => Err(why),
            Some(choice) => self.take(disjunction, choice, why),
        }
    }

    /// What makes a choice impossible: a difference of it closes a negative cycle.
    fn clash(&self, disjunction: usize, choice: usize) -> Option<DecisionLevels> {
        let spec = &self.system.disjunctions[disjunction];
        (0..spec.targets.len()).find_map(|target| {
            let Difference { from, to, weight } = spec.difference(choice, target);
            let back = to * self.size + from;
            (self.bounds[back] + weight < 0).then(|| self.because[back])
        })
    }

    /// Whether every target has a choice that is implied. In a solution the choice that gives the
    /// end of the range is at least as good as any other, so that one serves all.
    fn is_satisfied(&self, disjunction: usize) -> bool {
        let spec = &self.system.disjunctions[disjunction];
        (0..spec.targets.len()).all(|target| {
            (0..spec.choices.len()).any(|choice| {
                let Difference { from, to, weight } = spec.difference(choice, target);
                self.bounds[from * self.size + to] <= weight
            })
        })
    }

    fn take(
        &mut self,
        disjunction: usize,
        choice: usize,
        why: DecisionLevels,
    ) -> Result<(), DecisionLevels> {
        self.domains[disjunction].taken = Some((choice, why));
        self.trail.push(Undo::Taken(disjunction));
        let spec = &self.system.disjunctions[disjunction];
        for target in 0..spec.targets.len() {
            self.add(spec.difference(choice, target), why)?;
        }
        Ok(())
    }

    /// Adds a difference to the closure.
    fn add(&mut self, difference: Difference, why: DecisionLevels) -> Result<(), DecisionLevels> {
        let Difference { from, to, weight } = difference;
        let size = self.size;
        if self.bounds[from * size + to] <= weight {
            return Ok(());
        }
        if self.bounds[to * size + from] + weight < 0 {
            return Err(self.because[to * size + from].union(why));
        }
        // Columns whose bound from the tail improves; no other entry can change.
        let columns: Vec<(Timepoint, Micros, DecisionLevels)> = (0..size)
            .filter_map(|q| {
                let next = weight + self.bounds[to * size + q];
                let improves = next < self.bounds[from * size + q];
                improves.then(|| (q, next, why.union(self.because[to * size + q])))
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
                    self.because[entry] = first_why.union(rest_why);
                }
            }
        }
        Ok(())
    }

    fn remove(&mut self, disjunction: usize, choice: usize, why: DecisionLevels) {
        let domain = &mut self.domains[disjunction];
        domain.removed[choice] = Some(why);
        domain.left -= 1;
        self.trail.push(Undo::Removed(disjunction, choice));
    }

    /// Draws conclusions from nogoods: sets of choices that cannot all be taken.
    fn apply_nogoods(&mut self) -> Result<(), DecisionLevels> {
        let nogoods = std::mem::take(&mut self.nogoods);
        let applied = nogoods.sets().try_for_each(|set| self.apply(set));
        self.nogoods = nogoods;
        applied
    }

    fn apply(&mut self, set: &[Literal]) -> Result<(), DecisionLevels> {
        let mut why = DecisionLevels::default();
        let mut missing = None;
        for &(disjunction, choice) in set {
            let domain = &self.domains[disjunction];
            match domain.taken {
                _ if domain.removed[choice].is_some() => return Ok(()),
                Some((taken, because)) if taken == choice => why = why.union(because),
                _ if missing.is_some() => return Ok(()),
                _ => missing = Some((disjunction, choice)),
            }
        }
        let Some((disjunction, choice)) = missing else {
            return Err(why);
        };
        self.remove(disjunction, choice, why);
        self.conclude(disjunction)
    }

    /// Learns from a contradiction: goes back to where the last decision involved is impossible,
    /// and drops it.
    pub(super) fn learn(&mut self, culprits: DecisionLevels) {
        let levels: Vec<usize> = (1..=self.decisions.len())
            .filter(|level| culprits.contains(*level))
            .collect();
        let (&last, earlier) = levels.split_last().expect("some decision is to blame");
        let set: Vec<Literal> = levels
            .iter()
            .map(|level| self.decisions[level - 1].0)
            .collect();
        let (disjunction, choice) = self.decisions[last - 1].0;
        self.back_to(earlier.last().copied().unwrap_or(0));
        let why = earlier.iter().map(|level| DecisionLevels::single(*level));
        let why = why.fold(DecisionLevels::default(), DecisionLevels::union);
        if self.domains[disjunction].removed[choice].is_none() {
            self.remove(disjunction, choice, why);
        }
        if set.len() > 1 {
            self.nogoods.add(set);
        }
    }

    /// Removes a choice that was shown impossible without any decision.
    pub(super) fn remove_permanently(&mut self, disjunction: usize, choice: usize) {
        debug_assert!(self.decisions.is_empty());
        self.remove(disjunction, choice, DecisionLevels::default());
    }

    /// Takes a choice on a new level.
    pub(super) fn decide(&mut self, disjunction: usize, choice: usize) {
        self.decisions
            .push(((disjunction, choice), self.trail.len()));
        let why = DecisionLevels::single(self.decisions.len());
        for other in 0..self.domains[disjunction].removed.len() {
            if other != choice && self.domains[disjunction].removed[other].is_none() {
                self.remove(disjunction, other, why);
            }
        }
        self.contradiction = self.take(disjunction, choice, why).err();
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
                Undo::Removed(disjunction, choice) => {
                    self.domains[disjunction].removed[choice] = None;
                    self.domains[disjunction].left += 1;
                }
                Undo::Taken(disjunction) => self.domains[disjunction].taken = None,
                Undo::Satisfied(disjunction) => self.domains[disjunction].satisfied = false,
            }
        }
    }

    /// The disjunction with the fewest choices left, and its choice with the most room; ties to the
    /// first.
    pub(super) fn branch(&self) -> Option<Literal> {
        let open = self
            .domains
            .iter()
            .enumerate()
            .filter(|(_, domain)| !domain.satisfied);
        let (disjunction, domain) = open.min_by_key(|(_, domain)| domain.left)?;
        let left = (0..domain.removed.len()).filter(|choice| domain.removed[*choice].is_none());
        let choice = left.min_by_key(|choice| -self.room(disjunction, *choice))?;
        Some((disjunction, choice))
    }

    /// How far the tightest difference of a choice is from closing a negative cycle.
    fn room(&self, disjunction: usize, choice: usize) -> Micros {
        let spec = &self.system.disjunctions[disjunction];
        let rooms = (0..spec.targets.len()).map(|target| {
            let Difference { from, to, weight } = spec.difference(choice, target);
            self.bounds[to * self.size + from] + weight
        });
        rooms.min().unwrap_or(Micros::MAX)
    }

    /// All choices of undecided disjunctions.
    pub(super) fn open(&self) -> Vec<Literal> {
        let disjunctions = 0..self.domains.len();
        let all = disjunctions.flat_map(|disjunction| {
            (0..self.domains[disjunction].removed.len()).map(move |c| (disjunction, c))
        });
        all.filter(|&(disjunction, choice)| self.is_open(disjunction, choice))
            .collect()
    }

    pub(super) fn is_open(&self, disjunction: usize, choice: usize) -> bool {
        let domain = &self.domains[disjunction];
        !domain.satisfied && domain.left > 1 && domain.removed[choice].is_none()
    }

    /// The earliest times that satisfy all differences decided, by timepoint.
    pub(super) fn earliest(&self) -> Vec<Micros> {
        let times = (0..self.size).map(|p| -self.bounds[p * self.size + ORIGIN]);
        times.collect()
    }
}
