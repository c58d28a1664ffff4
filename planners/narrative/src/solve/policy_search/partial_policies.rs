//! Nogoods from partial policies: only the first picks are decided.
//!
//! A *part* stands for all continuations after some picks, with some outcomes. It has the events
//! that all of them have. Policies for all continuations are also one strategy for the part, which
//! follows the continuation that fits what was seen. Up to the nodes that may be more than one,
//! once the continuation is known, all of them do the same. So if parts are infeasible together,
//! with orders only of activities whose nodes are one, they refute all their continuations, and the
//! clash is about the decisions for their first picks alone.

use super::super::cover::Ranges;
use super::super::explain;
use super::super::joint_network::{ABSENT, JointNetwork, PolicyOutline, unshared_nodes};
use super::super::precedences::{OrderingProblem, Outcome, find_precedences_within};
use super::super::story::{Story, Tree};
use super::{CONFLICTS, Core, Nogood, OpenBranch, PolicySearch, SearchEnd, core, scenarios};
use crate::problem::{Chooser, Node, ORIGIN};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most pairs of storylines that are compared.
const PAIRS_MAX: usize = 10_000;

/// All continuations.
#[derive(Clone)]
pub(super) struct Part {
    lines: Range<usize>,
    ranges: Ranges,
    made: BTreeSet<usize>,
    /// The policies, storyline by storyline.
    skeletons: Vec<PolicyOutline>,
    /// By node: whether all of them have it.
    present: Vec<bool>,
    /// By node: whether it may be more than one.
    loose: Vec<bool>,
}

/// The storylines of a part of the story.
pub(super) fn lines(tree: &Tree) -> Range<usize> {
    match tree {
        Tree::Line(line) => *line..line + 1,
        Tree::Fork(fork) => fork.lines.clone(),
    }
}

/// Links that choices of ours see.
fn seen(tree: &Tree, all: &mut BTreeSet<usize>) {
    if let Tree::Fork(fork) = tree {
        if fork.chooser == Chooser::System {
            all.extend(&fork.seen);
        }
        fork.options.iter().for_each(|option| seen(option, all));
    }
}

impl<'t> PolicySearch<'t, '_, '_> {
    /// A clash of what is decided with itself, whatever is decided later; none: none is known.
    pub(super) fn partial_nogood(
        &mut self,
        tasks: &[&OpenBranch<'t>],
    ) -> Result<Option<Nogood>, SearchEnd> {
        let counts = tasks.iter().map(|task| lines(task.tree).len());
        let pairs = (counts.sum::<usize>() + self.chosen.len()).pow(2);
        if tasks.len() + self.chosen.len() < 2 || pairs > PAIRS_MAX {
            return Ok(None);
        }
        let mut parts: Vec<Part> = Vec::new();
        for task in tasks {
            let mut later = BTreeSet::new();
            seen(task.tree, &mut later);
            later.retain(|link| !task.known.contains(link));
            parts.push(self.part(task.tree, &task.ranges, &task.made, &later)?);
        }
        let chosen: Vec<(usize, Ranges, BTreeSet<usize>)> = self
            .chosen
            .iter()
            .map(|chosen| {
                (
                    chosen.skeleton.line,
                    chosen.ranges.clone(),
                    chosen.made.clone(),
                )
            })
            .collect();
        for (line, ranges, made) in chosen {
            parts.push(self.part(&Tree::Line(line), &ranges, &made, &BTreeSet::new())?);
        }
        if let Some(clash) = self.remembered(&parts) {
            return Ok(Some(clash));
        }
        let all: Vec<usize> = (0..parts.len()).collect();
        let Some(named) = self.refutes(&parts, &all, CONFLICTS)? else {
            return Ok(None);
        };
        let is_core = named.len() < all.len() && self.refutes(&parts, &named, CONFLICTS)?.is_some();
        let mut core = if is_core { named } else { all };
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let mut rest = core.clone();
            rest.remove(at);
            match self.refutes(&parts, &rest, CONFLICTS)? {
                Some(_) => core = rest,
                None => at += 1,
            }
        }
        let parts = core.iter().map(|at| &parts[*at]);
        let decisions = parts.clone().flat_map(|part| part.made.iter().copied());
        let clash = Nogood {
            decisions: decisions.collect(),
            proved: true,
        };
        let core: Core = parts
            .map(|part| (part.lines.clone(), part.ranges.clone()))
            .collect();
        self.cores[usize::from(self.in_scenarios)].push(core);
        Ok(Some(clash))
    }

    /// A clash of parts of which it is known.
    fn remembered(&self, parts: &[Part]) -> Option<Nogood> {
        let cores = self.cores[usize::from(self.in_scenarios)].iter();
        let mut clashes = cores.filter_map(|core| {
            let mut decisions = BTreeSet::new();
            for (lines, ranges) in core {
                let within =
                    |part: &&Part| lines.start <= part.lines.start && part.lines.end <= lines.end;
                let mut here = parts.iter().filter(within);
                let found = here.find(|part| part.ranges == *ranges)?;
                decisions.extend(&found.made);
            }
            Some(Nogood {
                decisions,
                proved: true,
            })
        });
        clashes.next()
    }

    fn part(
        &mut self,
        tree: &Tree,
        ranges: &Ranges,
        made: &BTreeSet<usize>,
        later: &BTreeSet<usize>,
    ) -> Result<Part, SearchEnd> {
        let story = self.story;
        let lines = lines(tree);
        let nodes = story.narrative.nodes();
        let has = |node: Node| {
            let mut all = lines.clone();
            all.all(|line| story.lines[line].present[node])
        };
        let present: Vec<bool> = (0..nodes).map(has).collect();
        let skeletons: Vec<PolicyOutline> = lines
            .clone()
            .map(|line| PolicyOutline::narrowed(self.story, line, ranges))
            .collect();
        let mut loose = vec![false; nodes];
        // What later choices may divide.
        let links = &story.narrative.spec().contingent;
        for (open, range) in story.open.iter().zip(ranges) {
            let end = links[open.contingent].to;
            if !later.contains(&open.contingent) || range.0 == range.1 {
                continue;
            }
            for (node, loose) in loose.iter_mut().enumerate() {
                let mut all = lines.clone();
                *loose |= all.any(|line| {
                    node == end
                        || story.lines[line].present[end] && story.at_or_before(line, end, node)
                });
            }
        }
        for one in 0..skeletons.len() {
            for other in 0..one {
                if !self.cover.control.go_on() {
                    return Err(SearchEnd::Stopped);
                }
                let apart = sides(
                    self.story,
                    self.in_scenarios,
                    &skeletons[one],
                    &skeletons[other],
                );
                mark(&mut loose, &apart);
            }
        }
        loose[ORIGIN] = false;
        while let Some(link) = links.iter().find(|l| loose[l.from] && !loose[l.to]) {
            loose[link.to] = true;
        }
        Ok(Part {
            lines,
            ranges: ranges.clone(),
            made: made.clone(),
            skeletons,
            present,
            loose,
        })
    }

    /// Whether parts are known not to go together after this number of conflicts: probably these
    /// already do not.
    fn refutes(
        &mut self,
        parts: &[Part],
        which: &[usize],
        conflicts: u64,
    ) -> Result<Option<Vec<usize>>, SearchEnd> {
        if !self.work()? {
            return Ok(None);
        }
        let story: &Story<'_> = self.story;
        let here: Vec<&Part> = which.iter().map(|at| &parts[*at]).collect();
        let skeletons: Vec<PolicyOutline> =
            here.iter().map(|part| part.skeletons[0].clone()).collect();
        let present = |policy: usize, node: Node| here[policy].present[node];
        let in_scenarios = self.in_scenarios;
        let control = RefCell::new(&mut *self.cover.control);
        let goes_on = || control.borrow_mut().go_on();
        let is_apart = |one: usize, other: usize| {
            let (one, other) = (here[one], here[other]);
            let mut all = one.loose.clone();
            mark(&mut all, &other.loose);
            for a in one.skeletons.iter().take_while(|_| goes_on()) {
                for b in &other.skeletons {
                    mark(&mut all, &sides(story, in_scenarios, a, b));
                }
            }
            all[ORIGIN] = false;
            all
        };
        let joint = JointNetwork::build(story, &skeletons, &present, &is_apart, &mut || goes_on());
        let joint = joint.ok_or(SearchEnd::Stopped)?;
        // Orders only of what is one node for all.
        let mut tight = joint.clone();
        for (place, part) in tight.place.iter_mut().zip(&here) {
            let nodes = place.iter_mut().zip(&part.loose);
            nodes
                .filter(|(_, loose)| **loose)
                .for_each(|(place, _)| *place = ABSENT);
        }
        let question = OrderingProblem::new(story, &skeletons, &tight);
        let named = match find_precedences_within(&question, conflicts, self.cover.control) {
            Outcome::Uncontrollable(proof) => {
                self.blamed
                    .extend(explain::uncontrollable(&joint, &proof).members);
                core::named(&joint, &proof)
            }
            Outcome::Overloaded(sets) => {
                self.blamed
                    .extend(explain::overloaded(&joint, &sets).members);
                (0..which.len()).collect()
            }
            Outcome::Stopped if self.cover.control.stop().is_some() => {
                return Err(SearchEnd::Stopped);
            }
            _ => return Ok(None),
        };
        Ok(Some(named.into_iter().map(|at| which[at]).collect()))
    }
}

/// The nodes of which two policies may have one each.
fn sides(
    story: &Story<'_>,
    in_scenarios: bool,
    one: &PolicyOutline,
    other: &PolicyOutline,
) -> Vec<bool> {
    if in_scenarios {
        scenarios::distinguishable_nodes(story, one, other)
    } else {
        unshared_nodes(story, one, other)
    }
}

fn mark(all: &mut [bool], more: &[bool]) {
    all.iter_mut()
        .zip(more)
        .for_each(|(all, more)| *all |= more);
}
