//! Search for compatible policies: decisions shared before policies are distinguished are made once
//! for all of them.
//!
//! A depth-first search over the choices of ours, each for a box of outcomes that it has seen: one
//! option for the whole box, or two boxes in place of one, divided where the reach of an option
//! ends. Options that no policy supports alone are not tried. When everything is covered, orders
//! are searched for in the joint network. If there are none, those policies that cannot go together
//! whatever the others are (a *core*) are noted for all rounds, and the search goes back to the
//! last decision that made one of them: conflict-directed backjumping, after Prosser, "Hybrid
//! algorithms for the constraint satisfaction problem", Computational Intelligence 9 (1993). Where
//! no box can be divided the space is finite, and exhausting it is a proof. Where boxes can, a few
//! single outcomes may be one ([`scenarios`]). Choices are made one after the other for all boxes;
//! before the next one, the common part of all continuations is checked ([`partial_policies`]).

mod branching;
mod check;
mod core;
mod partial_policies;
mod scenarios;

use super::cover::{Cover, CoverageGap, Ranges};
use super::joint_network::{JointNetwork, PolicyOutline};
use super::story::{Story, Tree};
use crate::plan::{Member, UndecidedReason};
use crate::problem::Chooser;
use branching::{Decision, seen_by};
use check::Checked;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use stn::Edge;
use stn::uncertain::Strategy;

/// Pieces of work in the first round, for and against each; four times as many in each next one.
const WORK: u64 = 200;
/// How often the search begins again, each time with more effort.
const ROUNDS: u32 = 4;
/// How often a box is divided in the first round, and by how much more in each next one.
const SPLITS: usize = 4;
/// Conflicts about the orders of a set of policies in the first round; four times as many in each
/// next one.
const CONFLICTS: u64 = 250;

/// Policies, orders of their joint network, and how to keep them.
pub(super) struct JointPolicies {
    pub(super) skeletons: Vec<PolicyOutline>,
    pub(super) joint: JointNetwork,
    pub(super) orders: Vec<Edge>,
    pub(super) strategy: Box<Strategy>,
}

/// Why there are no policies.
pub(super) enum Failure {
    /// Proved: whatever we choose, some of the policies do not go together.
    None,
    /// Not everything was tried, for this reason among others.
    Unknown(UndecidedReason),
    /// Stopped.
    Stopped,
}

/// A part of the story that has to be covered.
#[derive(Clone)]
struct OpenBranch<'t> {
    tree: &'t Tree,
    ranges: Ranges,
    /// Decisions that made it.
    made: BTreeSet<usize>,
    /// How often its box was divided since the last choice.
    splits: usize,
    /// Links that earlier choices of ours have seen: their outcomes are divided there.
    known: BTreeSet<usize>,
}

/// A policy that was decided for.
struct DecidedPolicy {
    skeleton: PolicyOutline,
    ranges: Ranges,
    made: BTreeSet<usize>,
}

/// Policies that do not go together: for one of these storylines each, with these outcomes.
type Core = Vec<(Range<usize>, Ranges)>;

/// Decisions that cannot all stay as they are.
struct Nogood {
    decisions: BTreeSet<usize>,
    /// Whether this is sure.
    proved: bool,
}

enum SearchEnd {
    Nogood(Nogood),
    Stopped,
}

pub(super) struct PolicySearch<'t, 'c, 'k> {
    story: &'t Story<'t>,
    pub(super) cover: Cover<'c, 't, 'k>,
    chosen: Vec<DecidedPolicy>,
    /// Policies that do not go together: in plans, and in scenarios. What is known stays known from
    /// round to round.
    cores: [Vec<Core>; 2],
    /// How often an option, of a choice after some picks, was part of a clash.
    blame: BTreeMap<(usize, usize), u32>,
    /// Rules that clashes were about.
    pub(super) blamed: BTreeSet<Member>,
    depth: usize,
    round: u32,
    /// Work that is left in this round.
    left: u64,
    /// Whether policies were found that are too much for the engine.
    is_large: bool,
    /// Whether each box is a scenario, in which nothing is left open.
    in_scenarios: bool,
}

impl<'t, 'c, 'k> PolicySearch<'t, 'c, 'k> {
    pub(super) fn new(story: &'t Story<'t>, cover: Cover<'c, 't, 'k>) -> Self {
        Self {
            story,
            cover,
            chosen: Vec::new(),
            cores: [Vec::new(), Vec::new()],
            blame: BTreeMap::new(),
            blamed: BTreeSet::new(),
            depth: 0,
            round: 0,
            left: 0,
            is_large: false,
            in_scenarios: false,
        }
    }

    /// Policies that cover everything and go together: looked for, and then refuted, with more and
    /// more effort.
    ///
    /// `first` cover everything, each alone with outcomes as wide as can be, and often go together
    /// as they are.
    pub(super) fn find(
        &mut self,
        first: &[PolicyOutline],
        rounds: u32,
    ) -> Result<JointPolicies, Failure> {
        self.left = WORK;
        match self.check(first, CONFLICTS) {
            Checked::JointPolicies(kept) => return Ok(*kept),
            Checked::Stopped => return Err(Failure::Stopped),
            Checked::Refuted(_) | Checked::Unknown => {}
        }
        let open = self.story.open.iter();
        let ranges: Ranges = open.map(|open| (open.lower, open.upper)).collect();
        for round in 0..rounds.min(ROUNDS) {
            self.round = round;
            match self.begin(&ranges) {
                Ok(kept) => return Ok(kept),
                Err(SearchEnd::Stopped) => return Err(Failure::Stopped),
                Err(SearchEnd::Nogood(clash)) if clash.proved => return Err(Failure::None),
                Err(SearchEnd::Nogood(_)) => {}
            }
            self.in_scenarios = true;
            let refuted = self.begin(&ranges);
            self.in_scenarios = false;
            match refuted {
                Err(SearchEnd::Stopped) => return Err(Failure::Stopped),
                Err(SearchEnd::Nogood(clash)) if clash.proved => return Err(Failure::None),
                _ => {}
            }
        }
        Err(Failure::Unknown(if self.is_large {
            UndecidedReason::TooLarge
        } else {
            UndecidedReason::Rounds
        }))
    }

    /// Covers the whole story for a box of outcomes.
    fn begin(&mut self, ranges: &Ranges) -> Result<JointPolicies, SearchEnd> {
        self.depth = 0;
        self.chosen.clear();
        self.left = WORK << (2 * self.round);
        let task = OpenBranch {
            tree: &self.story.tree,
            ranges: ranges.clone(),
            made: BTreeSet::new(),
            splits: 0,
            known: BTreeSet::new(),
        };
        self.next(vec![task], None)
    }

    /// Counts a piece of work; false: enough of it, or stopped.
    fn work(&mut self) -> Result<bool, SearchEnd> {
        if !self.cover.control.tick() {
            return Err(SearchEnd::Stopped);
        }
        self.left = self.left.saturating_sub(1);
        Ok(self.left > 0)
    }

    /// Covers all that is left to cover, choice by choice: `layer` is the last one that was decided
    /// about.
    fn next(
        &mut self,
        mut agenda: Vec<OpenBranch<'t>>,
        layer: Option<usize>,
    ) -> Result<JointPolicies, SearchEnd> {
        let before = self.chosen.len();
        let found = loop {
            let Some(task) = take(&mut agenda) else {
                break self.keep();
            };
            match task.tree {
                Tree::Line(line) => {
                    if let Err(failed) = self.add(*line, &task) {
                        break Err(failed);
                    }
                }
                Tree::Fork(fork) if fork.chooser == Chooser::Player => {
                    let options = fork.options.iter().rev();
                    agenda.extend(options.map(|tree| OpenBranch {
                        tree,
                        splits: 0,
                        ..task.clone()
                    }));
                }
                Tree::Fork(fork) => {
                    let scenarios = self.scenarios(fork, &task, agenda.len());
                    if scenarios.len() > 1 {
                        agenda.extend(scenarios);
                        continue;
                    }
                    let task = scenarios.into_iter().next().unwrap_or(task);
                    if layer.is_some_and(|layer| layer < fork.choice) {
                        let tasks: Vec<&OpenBranch<'t>> = agenda.iter().chain([&task]).collect();
                        match self.partial_nogood(&tasks) {
                            Ok(None) => {}
                            Ok(Some(clash)) => break Err(SearchEnd::Nogood(clash)),
                            Err(failed) => break Err(failed),
                        }
                    }
                    break self.decide(&task, &agenda);
                }
            }
        };
        if found.is_err() {
            self.chosen.truncate(before);
        }
        found
    }

    /// Adds a policy, if it is not known that it does not go with those that are there.
    fn add(&mut self, line: usize, task: &OpenBranch<'t>) -> Result<(), SearchEnd> {
        let skeleton = PolicyOutline::narrowed(self.story, line, &task.ranges);
        let alone = match self.cover.holds(&skeleton, &task.ranges) {
            Ok(true) => None,
            Ok(false) => Some(true),
            Err(CoverageGap::Stopped) => return Err(SearchEnd::Stopped),
            Err(_) => Some(false),
        };
        if let Some(proved) = alone {
            let decisions = task.made.clone();
            return Err(SearchEnd::Nogood(Nogood { decisions, proved }));
        }
        self.chosen.push(DecidedPolicy {
            skeleton,
            ranges: task.ranges.clone(),
            made: task.made.clone(),
        });
        match self.known() {
            Some(clash) => Err(SearchEnd::Nogood(clash)),
            None => Ok(()),
        }
    }

    /// Tries one decision after the other to cover a box by a choice of ours.
    fn decide(
        &mut self,
        task: &OpenBranch<'t>,
        agenda: &[OpenBranch<'t>],
    ) -> Result<JointPolicies, SearchEnd> {
        let level = self.depth;
        self.depth += 1;
        let tried = self.decisions(task, level, agenda);
        self.depth = level;
        tried
    }

    fn decisions(
        &mut self,
        task: &OpenBranch<'t>,
        level: usize,
        agenda: &[OpenBranch<'t>],
    ) -> Result<JointPolicies, SearchEnd> {
        let Tree::Fork(fork) = task.tree else {
            unreachable!("only forks are decided about");
        };
        let mut clash = Nogood {
            decisions: task.made.clone(),
            proved: !self.divides(fork, task),
        };
        let mut decisions = self.options(fork);
        let mut are_whole = true;
        loop {
            let Some(decision) = decisions.pop_front() else {
                if !are_whole {
                    return Err(SearchEnd::Nogood(clash));
                }
                are_whole = false;
                decisions = self.splits(fork, task)?;
                continue;
            };
            if !self.work()? {
                return Err(SearchEnd::Nogood(Nogood {
                    decisions: BTreeSet::new(),
                    proved: false,
                }));
            }
            if let Decision::Option(at) = decision {
                self.cover.divided = seen_by(fork, task);
                match self.cover.tree(&fork.options[at], &task.ranges) {
                    Ok(_) => {}
                    Err(CoverageGap::Uncovered(_)) => continue,
                    Err(CoverageGap::Stopped) => return Err(SearchEnd::Stopped),
                    Err(CoverageGap::TooLarge) => {
                        clash.proved = false;
                        continue;
                    }
                }
            }
            let agenda = [agenda, &self.tasks(task, level, &decision)].concat();
            match self.next(agenda, Some(fork.choice)) {
                Err(SearchEnd::Nogood(found)) => {
                    if !found.decisions.contains(&level) {
                        return Err(SearchEnd::Nogood(found));
                    }
                    if let Decision::Option(at) = decision {
                        *self.blame.entry((fork.lines.start, at)).or_default() += 1;
                    }
                    clash.decisions.extend(found.decisions);
                    clash.decisions.remove(&level);
                    clash.proved &= found.proved;
                }
                other => return other,
            }
        }
    }

    /// Looks for orders of all policies.
    fn keep(&mut self) -> Result<JointPolicies, SearchEnd> {
        let skeletons: Vec<PolicyOutline> =
            self.chosen.iter().map(|c| c.skeleton.clone()).collect();
        match self.check(&skeletons, CONFLICTS << (2 * self.round)) {
            Checked::JointPolicies(kept) => Ok(*kept),
            Checked::Stopped => Err(SearchEnd::Stopped),
            Checked::Unknown => {
                let made = self.chosen.iter().flat_map(|chosen| chosen.made.clone());
                Err(SearchEnd::Nogood(Nogood {
                    decisions: made.collect(),
                    proved: false,
                }))
            }
            Checked::Refuted(policies) => Err(self.learn(policies)?),
        }
    }
}

/// What comes next: what is decided, what players pick, and of our choices the first in the story.
fn take<'t>(agenda: &mut Vec<OpenBranch<'t>>) -> Option<OpenBranch<'t>> {
    let rank = |task: &OpenBranch<'t>| match task.tree {
        Tree::Line(_) => 0,
        Tree::Fork(fork) if fork.chooser == Chooser::Player => 1,
        Tree::Fork(fork) => 2 + fork.choice,
    };
    let ranks = agenda.iter().map(rank).enumerate().rev();
    let (at, _) = ranks.min_by_key(|(_, rank)| *rank)?;
    Some(agenda.remove(at))
}
