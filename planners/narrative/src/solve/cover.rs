//! Which storyline covers which outcomes, each policy by itself.
//!
//! In story order: where a player picks, every option has to be covered. Where we pick, the
//! outcomes that were seen are swept, link by link: from the shortest duration the interval that
//! one option (or, for the links that follow, a division of their outcomes) can cover is made as
//! long as possible, then the next one begins. The longest interval is never a mistake, since a
//! cover of an interval covers its parts. When not even one outcome can be covered, no policies
//! cover it.

mod known;

use super::explain;
use super::joint_network::{JointNetwork, PolicyOutline};
use super::precedences::{OrderingProblem, Outcome, find_precedences};
use super::story::{Fork, Story, Tree};
use crate::plan::{Answer, Cost, Member, Uncovered};
use crate::problem::{Chooser, Micros};
use anytime::Control;
use known::BoxCache;
use std::collections::BTreeSet;

/// Units of work between two looks at the stop signal: some 0.1 ms. A unit is a box that is
/// compared with another, or a step of the recursion.
const UNITS_BETWEEN: usize = 2_048;

/// Why outcomes are not covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CoverageGap {
    /// Proved: for these outcomes, after these picks.
    Uncovered(Uncovered),
    /// Stopped.
    Stopped,
    /// More than the engine allows.
    TooLarge,
}

/// The durations of all links that can still vary, in the order of [`Story::open`].
pub(super) type Ranges = Vec<(Micros, Micros)>;

/// Looks for policies that can each be kept alone.
pub(super) struct Cover<'c, 'n, 'k> {
    story: &'c Story<'n>,
    pub(super) control: &'c mut Control<'k, Answer, Cost>,
    pub(super) notes: PolicyCache,
    /// What all times are multiples of.
    pub(super) unit: Micros,
    /// Which option is tried first.
    turn: usize,
    /// Whether choices may use all that has ended by then, whatever later choices see.
    wide: bool,
    /// Links whose outcomes are divided no more: earlier choices have seen them.
    pub(super) divided: BTreeSet<usize>,
    /// Units of work since the last look at the stop signal.
    units: usize,
}

/// What is known about single policies.
pub(super) struct PolicyCache {
    /// By storyline.
    known: Vec<BoxCache>,
    /// What proofs were about.
    pub(super) blamed: BTreeSet<Member>,
}

impl PolicyCache {
    pub(super) fn new(story: &Story<'_>) -> Self {
        Self {
            known: story.lines.iter().map(|_| BoxCache::default()).collect(),
            blamed: BTreeSet::new(),
        }
    }
}

impl<'c, 'n, 'k> Cover<'c, 'n, 'k> {
    pub(super) fn new(
        story: &'c Story<'n>,
        control: &'c mut Control<'k, Answer, Cost>,
        notes: PolicyCache,
    ) -> Self {
        Self {
            unit: unit(story),
            turn: 0,
            wide: false,
            divided: BTreeSet::new(),
            units: 0,
            story,
            control,
            notes,
        }
    }

    /// Policies that together cover everything; where several options do, another one for each
    /// `turn`.
    pub(super) fn cover(&mut self, turn: usize) -> Result<Vec<PolicyOutline>, CoverageGap> {
        self.turn = turn;
        let open = self.story.open.iter();
        let ranges: Ranges = open.map(|open| (open.lower, open.upper)).collect();
        let story = self.story;
        self.tree(&story.tree, &ranges)
    }

    /// Whether nothing covers everything either where choices use all that has ended by then: what
    /// [`Self::cover`] found to be uncovered is so in truth.
    pub(super) fn is_refuted(&mut self) -> Result<bool, CoverageGap> {
        if !self.story.tree.is_narrow() {
            return Ok(true);
        }
        self.wide = true;
        let covered = self.cover(0);
        self.wide = false;
        match covered {
            Ok(_) => Ok(false),
            Err(CoverageGap::Uncovered(_)) => Ok(true),
            Err(gap) => Err(gap),
        }
    }

    /// Policies that together cover these outcomes of a part of the story.
    pub(super) fn tree(
        &mut self,
        tree: &Tree,
        ranges: &Ranges,
    ) -> Result<Vec<PolicyOutline>, CoverageGap> {
        match tree {
            Tree::Line(line) => {
                let skeleton = PolicyOutline::narrowed(self.story, *line, ranges);
                if self.holds(&skeleton, ranges)? {
                    Ok(vec![skeleton])
                } else {
                    let picks = &self.story.narrative.storylines()[*line];
                    Err(self.uncovered(&[], picks, picks.len(), ranges))
                }
            }
            Tree::Fork(fork) if fork.chooser == Chooser::Player => {
                let mut all = Vec::new();
                for option in &fork.options {
                    all.extend(self.tree(option, ranges)?);
                }
                Ok(all)
            }
            Tree::Fork(fork) => self.fork(fork, ranges),
        }
    }

    /// The same for a choice of ours.
    pub(super) fn fork(
        &mut self,
        fork: &Fork,
        ranges: &Ranges,
    ) -> Result<Vec<PolicyOutline>, CoverageGap> {
        let known = if self.wide { &fork.ended } else { &fork.seen };
        let seen = |at: &usize| {
            let link = self.story.open[*at].contingent;
            known.contains(&link) && !self.divided.contains(&link)
        };
        let seen: Vec<usize> = (0..ranges.len()).filter(seen).collect();
        self.sweep(fork, &seen, 0, ranges)
    }

    /// Covers the outcomes of links from the one with index `next` of those seen on.
    fn sweep(
        &mut self,
        fork: &Fork,
        seen: &[usize],
        next: usize,
        ranges: &Ranges,
    ) -> Result<Vec<PolicyOutline>, CoverageGap> {
        // What is known is found without an iteration, which would look.
        self.work(1)?;
        let Some(&link) = seen.get(next) else {
            return self.pick(fork, seen, ranges);
        };
        // Often one option does for all.
        match self.sweep(fork, seen, next + 1, ranges) {
            Err(CoverageGap::Uncovered(_)) => {}
            other => return other,
        }
        let (mut from, last) = ranges[link];
        let mut all = Vec::new();
        while from <= last {
            let mut part = ranges.clone();
            part[link] = (from, from);
            let mut found = self.sweep(fork, seen, next + 1, &part)?;
            let reach = self.reach(from, last, &mut |cover, to| {
                part[link] = (from, to);
                match cover.sweep(fork, seen, next + 1, &part) {
                    Ok(longer) => found = longer,
                    Err(CoverageGap::Uncovered(_)) => return Ok(false),
                    Err(gap) => return Err(gap),
                }
                Ok(true)
            })?;
            all.append(&mut found);
            from = reach + 1;
        }
        Ok(all)
    }

    /// The largest time up to `last` for which `holds`, which it does for `from`, and not for more
    /// than for less.
    pub(super) fn reach(
        &mut self,
        from: Micros,
        last: Micros,
        holds: &mut dyn FnMut(&mut Self, Micros) -> Result<bool, CoverageGap>,
    ) -> Result<Micros, CoverageGap> {
        if from == last || holds(self, last)? {
            return Ok(last);
        }
        let (mut low, mut high) = (from, last);
        // First among whole units, of which most answers are one.
        let unit = self.unit;
        loop {
            let (least, most) = (low.div_euclid(unit) + 1, (high - 1).div_euclid(unit));
            if least > most {
                break;
            }
            let middle = (least + most + 1).div_euclid(2) * unit;
            if holds(self, middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        while low + 1 < high {
            // Just above a unit: mostly it is the unit itself.
            let middle = if low % unit == 0 {
                low + 1
            } else {
                low + (high - low) / 2
            };
            if holds(self, middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// An option that covers all of these outcomes.
    fn pick(
        &mut self,
        fork: &Fork,
        seen: &[usize],
        ranges: &Ranges,
    ) -> Result<Vec<PolicyOutline>, CoverageGap> {
        let count = fork.options.len();
        for at in 0..count {
            let option = &fork.options[(at + self.turn) % count];
            match self.tree(option, ranges) {
                Err(CoverageGap::Uncovered(_)) => {}
                other => return other,
            }
        }
        let picks = &self.story.narrative.storylines()[fork.lines.start];
        Err(self.uncovered(seen, picks, fork.choice, ranges))
    }

    /// Counts units of work, and now and then an iteration: what is known costs none, but there can
    /// be a lot of it.
    fn work(&mut self, units: usize) -> Result<(), CoverageGap> {
        self.units += 1 + units;
        if self.units < UNITS_BETWEEN {
            return Ok(());
        }
        self.units = 0;
        if self.control.tick() {
            Ok(())
        } else {
            Err(CoverageGap::Stopped)
        }
    }

    fn uncovered(
        &self,
        seen: &[usize],
        picks: &[Option<usize>],
        choices: usize,
        ranges: &Ranges,
    ) -> CoverageGap {
        let durations = seen
            .iter()
            .map(|at| (self.story.open[*at].contingent, ranges[*at].0));
        CoverageGap::Uncovered(Uncovered {
            durations_us: durations.collect(),
            picks: picks[..choices].to_vec(),
        })
    }

    /// Whether a policy can be kept by itself.
    pub(super) fn holds(
        &mut self,
        skeleton: &PolicyOutline,
        ranges: &Ranges,
    ) -> Result<bool, CoverageGap> {
        self.work(self.notes.known[skeleton.line].boxes())?;
        if let Some(holds) = self.notes.known[skeleton.line].lookup(ranges) {
            return Ok(holds);
        }
        if !self.control.tick() {
            return Err(CoverageGap::Stopped);
        }
        let skeletons = std::slice::from_ref(skeleton);
        let joint = JointNetwork::new(self.story, skeletons);
        let question = OrderingProblem::new(self.story, skeletons, &joint);
        let holds = match find_precedences(&question, self.control) {
            Outcome::Found(..) => true,
            Outcome::Uncontrollable(proof) => {
                let conflict = explain::uncontrollable(&joint, &proof);
                self.notes.blamed.extend(conflict.members);
                false
            }
            Outcome::Overloaded(sets) => {
                let conflict = explain::overloaded(&joint, &sets);
                self.notes.blamed.extend(conflict.members);
                false
            }
            Outcome::TooLarge => return Err(CoverageGap::TooLarge),
            Outcome::Stopped => return Err(CoverageGap::Stopped),
        };
        self.notes.known[skeleton.line].insert(ranges, holds);
        Ok(holds)
    }
}

/// The largest time of which all times of the story are multiples.
pub(super) fn unit(story: &Story<'_>) -> Micros {
    fn divisor(a: Micros, b: Micros) -> Micros {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let bounds = story.bounds.iter().map(|bound| bound.most.abs());
    let open = story.open.iter().flat_map(|open| [open.lower, open.upper]);
    bounds.chain(open).fold(0, divisor).max(1)
}
