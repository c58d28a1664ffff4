//! How a choice of ours can cover a box of outcomes.

use super::super::cover::{CoverageGap, Ranges};
use super::super::joint_network::PolicyOutline;
use super::super::story::{Fork, Tree};
use super::{OpenBranch, PolicySearch, SPLITS, SearchEnd};
use crate::problem::Micros;
use std::collections::{BTreeSet, VecDeque};

/// How a box is covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// By the option with this index.
    Option(usize),
    /// By two boxes: durations of a link, by its index among those that are open, up to a time, and
    /// longer ones.
    Split(usize, Micros),
}

impl<'t> PolicySearch<'t, '_, '_> {
    /// Indices of the links that a choice is the first to have seen, and that have more than one
    /// outcome.
    fn seen(&self, fork: &Fork, task: &OpenBranch<'t>) -> Vec<usize> {
        let is_new = |link: &usize| fork.seen.contains(link) && !task.known.contains(link);
        let open = self.story.open.iter().enumerate().zip(&task.ranges);
        let seen = open.filter(|((_, open), range)| is_new(&open.contingent) && range.0 < range.1);
        seen.map(|((at, _), _)| at).collect()
    }

    /// Whether a box can be divided at all. What an earlier choice could have divided it has, where
    /// that helps.
    pub(super) fn divides(&self, fork: &Fork, task: &OpenBranch<'t>) -> bool {
        !self.seen(fork, task).is_empty()
    }

    /// All options, the least blamed first.
    pub(super) fn options(&self, fork: &Fork) -> VecDeque<Decision> {
        let blame = |at: &usize| self.blame.get(&(fork.lines.start, *at));
        let mut options: Vec<usize> = (0..fork.options.len()).collect();
        options.sort_by_key(|at| (blame(at).copied().unwrap_or(0), *at));
        options.into_iter().map(Decision::Option).collect()
    }

    /// Where to divide a box: where the reach of an option ends, from either side, and in the
    /// middle; only where both parts can be covered by policies that are controllable alone.
    pub(super) fn splits(
        &mut self,
        fork: &Fork,
        task: &OpenBranch<'t>,
    ) -> Result<VecDeque<Decision>, SearchEnd> {
        if task.splits >= SPLITS + 2 * self.round as usize {
            return Ok(VecDeque::new());
        }
        let mut decisions = VecDeque::new();
        let seen = self.seen(fork, task);
        for link in seen {
            let (low, high) = task.ranges[link];
            let mut ends: Vec<Micros> = Vec::new();
            self.cover.divided = seen_by(fork, task);
            for option in &fork.options {
                ends.extend(self.reach_up(option, &task.ranges, link)?);
                ends.extend(self.reach_down(option, &task.ranges, link)?);
            }
            self.cover.divided.clone_from(&task.known);
            ends.sort_unstable_by(|one, other| other.cmp(one));
            let unit = self.cover.unit;
            ends.push((low + (high - low) / 2) / unit * unit);
            let mut known: Vec<Micros> = Vec::new();
            for end in ends {
                if end < low || end >= high || known.contains(&end) {
                    continue;
                }
                known.push(end);
                if self.is_covered(fork, &task.ranges, link, end)? {
                    decisions.push_back(Decision::Split(link, end));
                }
            }
        }
        Ok(decisions)
    }

    /// Whether both parts of a box can be covered by policies that can be kept alone.
    fn is_covered(
        &mut self,
        fork: &Fork,
        ranges: &Ranges,
        link: usize,
        end: Micros,
    ) -> Result<bool, SearchEnd> {
        for part in halves(ranges, link, end) {
            if !sure(self.cover.fork(fork, &part))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The longest duration of a link up to which an option can cover a box.
    fn reach_up(
        &mut self,
        option: &Tree,
        ranges: &Ranges,
        link: usize,
    ) -> Result<Option<Micros>, SearchEnd> {
        let (low, high) = ranges[link];
        let mut part = ranges.clone();
        part[link] = (low, low);
        if !sure(self.cover.tree(option, &part))? {
            return Ok(None);
        }
        let reach = self.cover.reach(low, high, &mut |cover, to| {
            part[link] = (low, to);
            is_covered(cover.tree(option, &part))
        });
        sure_of(reach)
    }

    /// The duration before the shortest one of a link from which on an option can cover a box.
    fn reach_down(
        &mut self,
        option: &Tree,
        ranges: &Ranges,
        link: usize,
    ) -> Result<Option<Micros>, SearchEnd> {
        let (low, high) = ranges[link];
        let mut part = ranges.clone();
        part[link] = (high, high);
        if !sure(self.cover.tree(option, &part))? {
            return Ok(None);
        }
        // The same with time turned round.
        let reach = self.cover.reach(-high, -low, &mut |cover, to| {
            part[link] = (-to, high);
            is_covered(cover.tree(option, &part))
        });
        Ok(sure_of(reach)?.map(|from| -from - 1))
    }

    /// What is left to do about a box when a decision was made.
    pub(super) fn tasks(
        &self,
        task: &OpenBranch<'t>,
        level: usize,
        decision: &Decision,
    ) -> Vec<OpenBranch<'t>> {
        let mut made = task.made.clone();
        made.insert(level);
        let Tree::Fork(fork) = task.tree else {
            unreachable!("only forks are decided about");
        };
        match *decision {
            Decision::Option(at) => vec![OpenBranch {
                tree: &fork.options[at],
                ranges: task.ranges.clone(),
                made,
                splits: 0,
                known: seen_by(fork, task),
            }],
            Decision::Split(link, end) => {
                let halves = halves(&task.ranges, link, end).into_iter().rev();
                let halves = halves.map(|ranges| OpenBranch {
                    tree: task.tree,
                    ranges,
                    made: made.clone(),
                    splits: task.splits + 1,
                    known: task.known.clone(),
                });
                halves.collect()
            }
        }
    }
}

/// Links that choices of ours have seen, this one and those before it.
pub(super) fn seen_by(fork: &Fork, task: &OpenBranch<'_>) -> BTreeSet<usize> {
    task.known.iter().chain(&fork.seen).copied().collect()
}

fn halves(ranges: &Ranges, link: usize, end: Micros) -> [Ranges; 2] {
    let (low, high) = ranges[link];
    [(low, end), (end + 1, high)].map(|part| {
        let mut half = ranges.clone();
        half[link] = part;
        half
    })
}

/// Whether something is covered; what is too large is not.
fn is_covered(covered: Result<Vec<PolicyOutline>, CoverageGap>) -> Result<bool, CoverageGap> {
    match covered.map(drop) {
        Ok(()) => Ok(true),
        Err(CoverageGap::Uncovered(_) | CoverageGap::TooLarge) => Ok(false),
        Err(CoverageGap::Stopped) => Err(CoverageGap::Stopped),
    }
}

fn sure(covered: Result<Vec<PolicyOutline>, CoverageGap>) -> Result<bool, SearchEnd> {
    is_covered(covered).map_err(|_| SearchEnd::Stopped)
}

fn sure_of(reach: Result<Micros, CoverageGap>) -> Result<Option<Micros>, SearchEnd> {
    reach.map(Some).map_err(|_| SearchEnd::Stopped)
}
