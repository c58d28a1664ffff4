//! Policies that go together: decisions shared before policies are distinguished are made once for
//! all of them.
//!
//! A depth-first search over the choices of ours, each for a box of outcomes that it has seen: one
//! option for the whole box, or two boxes in place of one, divided where the reach of an option
//! ends. Options that no policy supports alone are not tried. When everything is covered, orders
//! are searched for in the joint network. If there are none, those policies that cannot go together
//! whatever the others are (a *core*) are noted for all rounds, and the search goes back to the
//! last decision that made one of them: conflict-directed backjumping, after Prosser, "Hybrid
//! algorithms for the constraint satisfaction problem", Computational Intelligence 9 (1993). Where
//! no box can be divided the space is finite, and exhausting it is a proof. Where boxes can, a few
//! single outcomes may be one ([`worlds`]). Choices are made one after the other for all boxes;
//! before the next one, the common part of all continuations is checked ([`early`]).

mod check;
mod core;
mod early;
mod ways;
mod worlds;

use super::cover::{Cover, Gap, Ranges};
use super::joint::{Joint, Skeleton};
use super::story::{Story, Tree};
use crate::plan::{Member, Why};
use crate::problem::Chooser;
use check::Checked;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use stn::Edge;
use stn::uncertain::Strategy;
use ways::{Way, seen_by};

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
pub(super) struct Kept {
    pub(super) skeletons: Vec<Skeleton>,
    pub(super) joint: Joint,
    pub(super) orders: Vec<Edge>,
    pub(super) strategy: Box<Strategy>,
}

/// Why there are no policies.
pub(super) enum Failure {
    /// Proved: whatever we choose, some of the policies do not go together.
    None,
    /// Not everything was tried, for this reason among others.
    Unknown(Why),
    /// Told to stop.
    Stopped,
}

/// A part of the story that has to be covered.
#[derive(Clone)]
struct Task<'t> {
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
struct Chosen {
    skeleton: Skeleton,
    ranges: Ranges,
    made: BTreeSet<usize>,
}

/// Policies that do not go together: for one of these storylines each, with these outcomes.
type Core = Vec<(Range<usize>, Ranges)>;

/// Decisions that cannot all stay as they are.
struct Clash {
    decisions: BTreeSet<usize>,
    /// Whether this is sure.
    proved: bool,
}

enum Failed {
    Clash(Clash),
    Stopped,
}

pub(super) struct Together<'t, 'c, 'k> {
    story: &'t Story<'t>,
    pub(super) cover: Cover<'c, 't, 'k>,
    chosen: Vec<Chosen>,
    /// Policies that do not go together: in plans, and in worlds. What is known stays known from
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
    /// Whether each box is a world, in which nothing is left open.
    in_worlds: bool,
}

impl<'t, 'c, 'k> Together<'t, 'c, 'k> {
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
            in_worlds: false,
        }
    }

    /// Policies that cover everything and go together: looked for, and then refuted, with more and
    /// more effort.
    ///
    /// `first` cover everything, each alone with outcomes as wide as can be, and often go together
    /// as they are.
    pub(super) fn find(&mut self, first: &[Skeleton], rounds: u32) -> Result<Kept, Failure> {
        self.left = WORK;
        match self.check(first, CONFLICTS) {
            Checked::Kept(kept) => return Ok(*kept),
            Checked::Stopped => return Err(Failure::Stopped),
            Checked::Refuted(_) | Checked::Unknown => {}
        }
        let open = self.story.open.iter();
        let ranges: Ranges = open.map(|open| (open.lower, open.upper)).collect();
        for round in 0..rounds.min(ROUNDS) {
            self.round = round;
            match self.begin(&ranges) {
                Ok(kept) => return Ok(kept),
                Err(Failed::Stopped) => return Err(Failure::Stopped),
                Err(Failed::Clash(clash)) if clash.proved => return Err(Failure::None),
                Err(Failed::Clash(_)) => {}
            }
            self.in_worlds = true;
            let refuted = self.begin(&ranges);
            self.in_worlds = false;
            match refuted {
                Err(Failed::Stopped) => return Err(Failure::Stopped),
                Err(Failed::Clash(clash)) if clash.proved => return Err(Failure::None),
                _ => {}
            }
        }
        Err(Failure::Unknown(if self.is_large {
            Why::TooLarge
        } else {
            Why::Rounds
        }))
    }

    /// Tells the whole story for a box of outcomes.
    fn begin(&mut self, ranges: &Ranges) -> Result<Kept, Failed> {
        self.depth = 0;
        self.chosen.clear();
        self.left = WORK << (2 * self.round);
        let task = Task {
            tree: &self.story.tree,
            ranges: ranges.clone(),
            made: BTreeSet::new(),
            splits: 0,
            known: BTreeSet::new(),
        };
        self.next(vec![task], None)
    }

    /// Counts a piece of work; false: enough of it, or told to stop.
    fn work(&mut self) -> Result<bool, Failed> {
        if !self.cover.control.tick() {
            return Err(Failed::Stopped);
        }
        self.left = self.left.saturating_sub(1);
        Ok(self.left > 0)
    }

    /// Covers all that is left to cover, choice by choice: `layer` is the last one that was decided
    /// about.
    fn next(&mut self, mut agenda: Vec<Task<'t>>, layer: Option<usize>) -> Result<Kept, Failed> {
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
                    agenda.extend(options.map(|tree| Task {
                        tree,
                        splits: 0,
                        ..task.clone()
                    }));
                }
                Tree::Fork(fork) => {
                    let worlds = self.worlds(fork, &task, agenda.len());
                    if worlds.len() > 1 {
                        agenda.extend(worlds);
                        continue;
                    }
                    let task = worlds.into_iter().next().unwrap_or(task);
                    if layer.is_some_and(|layer| layer < fork.choice) {
                        let tasks: Vec<&Task<'t>> = agenda.iter().chain([&task]).collect();
                        match self.early(&tasks) {
                            Ok(None) => {}
                            Ok(Some(clash)) => break Err(Failed::Clash(clash)),
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
    fn add(&mut self, line: usize, task: &Task<'t>) -> Result<(), Failed> {
        let skeleton = Skeleton::within(self.story, line, &task.ranges);
        let alone = match self.cover.holds(&skeleton, &task.ranges) {
            Ok(true) => None,
            Ok(false) => Some(true),
            Err(Gap::Stopped) => return Err(Failed::Stopped),
            Err(_) => Some(false),
        };
        if let Some(proved) = alone {
            let decisions = task.made.clone();
            return Err(Failed::Clash(Clash { decisions, proved }));
        }
        self.chosen.push(Chosen {
            skeleton,
            ranges: task.ranges.clone(),
            made: task.made.clone(),
        });
        match self.known() {
            Some(clash) => Err(Failed::Clash(clash)),
            None => Ok(()),
        }
    }

    /// Tries one way after the other to cover a box by a choice of ours.
    fn decide(&mut self, task: &Task<'t>, agenda: &[Task<'t>]) -> Result<Kept, Failed> {
        let level = self.depth;
        self.depth += 1;
        let tried = self.ways(task, level, agenda);
        self.depth = level;
        tried
    }

    fn ways(&mut self, task: &Task<'t>, level: usize, agenda: &[Task<'t>]) -> Result<Kept, Failed> {
        let Tree::Fork(fork) = task.tree else {
            unreachable!("only forks are decided about");
        };
        let mut clash = Clash {
            decisions: task.made.clone(),
            proved: !self.divides(fork, task),
        };
        let mut ways = self.options(fork);
        let mut are_whole = true;
        loop {
            let Some(way) = ways.pop_front() else {
                if !are_whole {
                    return Err(Failed::Clash(clash));
                }
                are_whole = false;
                ways = self.splits(fork, task)?;
                continue;
            };
            if !self.work()? {
                return Err(Failed::Clash(Clash {
                    decisions: BTreeSet::new(),
                    proved: false,
                }));
            }
            if let Way::Option(at) = way {
                self.cover.divided = seen_by(fork, task);
                match self.cover.tree(&fork.options[at], &task.ranges) {
                    Ok(_) => {}
                    Err(Gap::Uncovered(_)) => continue,
                    Err(Gap::Stopped) => return Err(Failed::Stopped),
                    Err(Gap::TooLarge) => {
                        clash.proved = false;
                        continue;
                    }
                }
            }
            let agenda = [agenda, &self.tasks(task, level, &way)].concat();
            match self.next(agenda, Some(fork.choice)) {
                Err(Failed::Clash(found)) => {
                    if !found.decisions.contains(&level) {
                        return Err(Failed::Clash(found));
                    }
                    if let Way::Option(at) = way {
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
    fn keep(&mut self) -> Result<Kept, Failed> {
        let skeletons: Vec<Skeleton> = self.chosen.iter().map(|c| c.skeleton.clone()).collect();
        match self.check(&skeletons, CONFLICTS << (2 * self.round)) {
            Checked::Kept(kept) => Ok(*kept),
            Checked::Stopped => Err(Failed::Stopped),
            Checked::Unknown => {
                let made = self.chosen.iter().flat_map(|chosen| chosen.made.clone());
                Err(Failed::Clash(Clash {
                    decisions: made.collect(),
                    proved: false,
                }))
            }
            Checked::Refuted(policies) => Err(self.learn(policies)?),
        }
    }
}

/// What comes next: what is decided, what players pick, and of our choices the first in the story.
fn take<'t>(agenda: &mut Vec<Task<'t>>) -> Option<Task<'t>> {
    let rank = |task: &Task<'t>| match task.tree {
        Tree::Line(_) => 0,
        Tree::Fork(fork) if fork.chooser == Chooser::Player => 1,
        Tree::Fork(fork) => 2 + fork.choice,
    };
    let ranks = agenda.iter().map(rank).enumerate().rev();
    let (at, _) = ranks.min_by_key(|(_, rank)| *rank)?;
    Some(agenda.remove(at))
}
