//! Which options cover which outcomes.
//!
//! The outcomes that a choice of ours has seen are covered by boxes. From the least open outcome
//! (link by link) a program searches for an option and for the largest box of outcomes that begins
//! there. Its objective is the slack of equation 13; its switches turn off unused storylines, as
//! the covering cycle of equations 11 and 12 does. If there is no box, not even of one outcome,
//! nothing covers that one: a proof. Where later choices see more, options are tried for the first
//! outcome alone, and then for as many more as the same division of the rest covers.

use super::controllability::{ControllabilityRows, End};
use super::indicators::add_indicators;
use super::network::Scale;
use super::open_corner::uncovered;
use super::program::{Id, Program, Sum, When};
use super::resource_flow::Flow;
use super::{Checked, is_refuted, keep, micros, solved};
use crate::plan::{Answer, Cost, Uncovered};
use crate::problem::{Chooser, Micros, Node};
use crate::solve::joint_network::{JointNetwork, PolicyOutline};
use crate::solve::precedences::{OrderingProblem, Precedence, shares};
use crate::solve::story::{Fork, Story, Tree};
use anytime::Control;

/// Why there are no policies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing covers these outcomes, after these picks.
    Uncovered(Uncovered),
    /// Unknown.
    Open,
    /// Stopped.
    Stopped,
}

/// A policy with orders: pairs of nodes of the narrative, the first not after the second.
#[derive(Debug, Clone)]
pub(super) struct FoundPolicy {
    pub(super) skeleton: PolicyOutline,
    pub(super) orders: Vec<(Node, Node)>,
}

/// Policies, and the longest durations of links seen for which they do.
type Grown = (Vec<FoundPolicy>, Vec<Micros>);

/// The durations of all links that can still vary, in the order of [`Story::open`].
pub(super) type Ranges = Vec<(Micros, Micros)>;

/// Looks for policies that can each be kept alone, and cover everything together.
pub(super) struct OutcomeBoxes<'c, 'n, 'k> {
    pub(super) story: &'c Story<'n>,
    pub(super) scale: Scale,
    pub(super) control: &'c mut Control<'k, Answer, Cost>,
}

/// A storyline of a program, with the outcomes that it should bear.
struct Part {
    line: usize,
    ranges: Ranges,
    /// Indicator of the storyline. `None`: it is always used.
    found: Option<Id>,
}

impl OutcomeBoxes<'_, '_, '_> {
    /// Policies that cover everything.
    pub(super) fn cover_story(&mut self) -> Result<Vec<FoundPolicy>, Gap> {
        let open = self.story.open.iter();
        let ranges = open.map(|open| (open.lower, open.upper)).collect();
        let story = self.story;
        self.tree(&story.tree, &ranges)
    }

    fn tree(&mut self, tree: &Tree, ranges: &Ranges) -> Result<Vec<FoundPolicy>, Gap> {
        match tree {
            Tree::Line(line) => {
                let picks = &self.story.narrative.storylines()[*line];
                let found = self.grow(tree, ranges, &[])?.map(|(found, _)| found);
                found.ok_or_else(|| {
                    Gap::Uncovered(Uncovered {
                        durations_us: Vec::new(),
                        picks: picks.clone(),
                    })
                })
            }
            Tree::Fork(fork) if fork.chooser == Chooser::Player => {
                let mut all = Vec::new();
                for option in &fork.options {
                    all.extend(self.tree(option, ranges)?);
                }
                Ok(all)
            }
            Tree::Fork(fork) => self.cover(tree, fork, ranges),
        }
    }

    /// Covers what a choice of ours has seen, box by box.
    fn cover(
        &mut self,
        tree: &Tree,
        fork: &Fork,
        ranges: &Ranges,
    ) -> Result<Vec<FoundPolicy>, Gap> {
        let seen = self.seen(fork, ranges);
        let more = fork
            .options
            .iter()
            .any(|o| self.sees_more(o, &seen, ranges));
        let mut boxes: Vec<Vec<(Micros, Micros)>> = Vec::new();
        let mut all = Vec::new();
        while let Some(corner) = uncovered(&seen, ranges, &boxes)? {
            let mut part = ranges.clone();
            for (link, least) in seen.iter().zip(&corner) {
                part[*link].0 = *least;
            }
            let grown = if more {
                self.option(fork, &part, &seen)?
            } else {
                self.next(tree, &part, &seen, ranges)?
            };
            let Some((found, most)) = grown else {
                if !more {
                    part = self.between(&part, &seen, ranges);
                    // Perhaps some option bears a single outcome, and nothing before it.
                    if self.grow(tree, &part, &[])?.is_some() {
                        return Err(Gap::Open);
                    }
                }
                return Err(self.gap(fork, &part));
            };
            all.extend(found);
            boxes.push(corner.into_iter().zip(most).collect());
        }
        Ok(all)
    }

    /// The largest box from a corner: the first, or one microsecond after the end of another box.
    /// With larger steps it begins at that end, for small numbers, and covers half a step more.
    fn next(
        &mut self,
        tree: &Tree,
        part: &Ranges,
        seen: &[usize],
        ranges: &Ranges,
    ) -> Result<Option<Grown>, Gap> {
        let mut from = part.clone();
        for link in seen.iter().filter(|_| self.scale.unit > 1) {
            if part[*link].0 > ranges[*link].0 {
                from[*link].0 -= 1;
            }
        }
        let shifted = from != *part;
        let half = if shifted { self.scale.unit / 2 } else { 0 };
        let is_later = |link: usize| from[link].0 < part[link].0;
        let step = |link: usize| {
            if is_later(link) {
                half.min(from[link].1 - from[link].0)
            } else {
                0
            }
        };
        let least: Vec<Micros> = (0..from.len()).map(step).collect();
        let grown = self.grow_by(tree, &from, seen, &least)?;
        Ok(grown.map(|(mut found, most)| {
            let outcomes = found
                .iter_mut()
                .flat_map(|found| &mut found.skeleton.outcomes);
            for outcomes in outcomes {
                let mut open = self.story.open.iter();
                let at = open.position(|open| open.contingent == outcomes.contingent);
                let at = at.expect("outcomes are those of links that can vary");
                outcomes.lower_us = outcomes.lower_us.max(part[at].0);
            }
            (found, most)
        }))
    }

    /// The first option that covers the least outcome, if any, and for how many more it does.
    fn option(&mut self, fork: &Fork, part: &Ranges, seen: &[usize]) -> Result<Option<Grown>, Gap> {
        let mut point = part.clone();
        for link in seen {
            point[*link].1 = point[*link].0;
        }
        for option in &fork.options {
            match self.tree(option, &point) {
                Ok(found) if seen.is_empty() => return Ok(Some((found, Vec::new()))),
                Ok(found) => return self.widen(&found, part, seen),
                Err(Gap::Uncovered(_)) => {}
                Err(gap) => return Err(gap),
            }
        }
        Ok(None)
    }

    /// The same policies for as many outcomes as they bear together.
    fn widen(
        &mut self,
        found: &[FoundPolicy],
        part: &Ranges,
        seen: &[usize],
    ) -> Result<Option<Grown>, Gap> {
        let parts = found.iter().map(|found| {
            let ranges = self
                .story
                .open
                .iter()
                .map(|open| found.skeleton.range(open));
            let mut ranges: Ranges = ranges.collect();
            for link in seen {
                ranges[*link] = part[*link];
            }
            Part {
                line: found.skeleton.line,
                ranges,
                found: None,
            }
        });
        let parts: Vec<Part> = parts.collect();
        let least = vec![0; part.len()];
        self.solve(Program::default(), &parts, seen, &least)
    }

    /// The largest box from the least outcomes on that one option of each choice covers, if any.
    fn grow(&mut self, tree: &Tree, ranges: &Ranges, seen: &[usize]) -> Result<Option<Grown>, Gap> {
        let least = vec![0; ranges.len()];
        self.grow_by(tree, ranges, seen, &least)
    }

    /// The same, if it is at least so large.
    fn grow_by(
        &mut self,
        tree: &Tree,
        ranges: &Ranges,
        seen: &[usize],
        least: &[Micros],
    ) -> Result<Option<Grown>, Gap> {
        let mut program = Program::default();
        let mut parts = Vec::new();
        add_indicators(&mut program, tree, None, &mut |line, found| {
            parts.push(Part {
                line,
                ranges: ranges.clone(),
                found,
            });
        });
        self.solve(program, &parts, seen, least)
    }

    /// Solves the program of these storylines; it finds the ends of the outcomes of links seen.
    fn solve(
        &mut self,
        mut program: Program,
        parts: &[Part],
        seen: &[usize],
        least: &[Micros],
    ) -> Result<Option<Grown>, Gap> {
        let times = parts.iter().flat_map(|part| &part.ranges);
        let times = times.flat_map(|range| [range.0, range.1]);
        let scale = self.scale.divided_by(times.chain(least.iter().copied()));
        if scale.horizon() > super::UNITS_MAX {
            return Err(Gap::Open);
        }
        let range = |link: &usize| {
            let (lower, upper) = parts[0].ranges[*link];
            (scale.units(lower + least[*link]), scale.units(upper))
        };
        let ends: Vec<Id> = seen
            .iter()
            .map(|link| program.number(range(link), scale.unit == 1))
            .collect();
        let mut flows = Vec::new();
        for part in parts {
            flows.push(self.write(&mut program, part, scale, seen, &ends)?);
        }
        let total = ends.iter().fold(Sum::default(), |sum, end| sum - *end);
        program.minimise(total);
        let outcome = solved(&program, self.control, &mut |_, _| {});
        let outcome = outcome.ok_or_else(|| self.ended())?;
        let Some(solution) = &outcome.solution else {
            let nothing = is_refuted(&outcome).then_some(None);
            return nothing.ok_or_else(|| self.ended());
        };
        let most = ends.iter();
        let most = most.map(|end| micros(program.value(solution, *end), scale.unit));
        let most: Vec<Micros> = most.collect();
        let mut found = Vec::new();
        for (part, (joint, flow)) in parts.iter().zip(&flows) {
            if part.found.is_none_or(|name| program.is_one(solution, name)) {
                let orders = flow.found(&program, solution);
                found.push(self.checked_policy(part, seen, &most, joint, &orders)?);
            }
        }
        Ok(Some((found, most)))
    }

    fn ended(&mut self) -> Gap {
        if self.control.go_on() {
            Gap::Open
        } else {
            Gap::Stopped
        }
    }

    /// Writes the rows of a storyline.
    fn write(
        &mut self,
        program: &mut Program,
        part: &Part,
        scale: Scale,
        seen: &[usize],
        ends: &[Id],
    ) -> Result<(JointNetwork, Flow), Gap> {
        let (story, line) = (self.story, part.line);
        let whole = PolicyOutline::whole(line);
        let skeletons = std::slice::from_ref(&whole);
        let joint = JointNetwork::new(story, skeletons);
        let outcomes = |link: usize| {
            let id = joint.contingents[link].id as usize;
            let at = story.open.iter().position(|open| open.contingent == id)?;
            let (lower, upper) = part.ranges[at];
            let upper = match seen.iter().position(|seen| *seen == at) {
                Some(index) => End::Open(ends[index]),
                None => End::Fixed(scale.units(upper)),
            };
            Some((End::Fixed(scale.units(lower)), upper))
        };
        let network = scale.network(&joint, outcomes);
        let when: Vec<When> = part.found.iter().map(|found| When::Is(*found)).collect();
        let block =
            ControllabilityRows::write(program, &network, &when, &mut || self.control.go_on());
        let block = block.ok_or(Gap::Stopped)?;
        let shares = shares(story, &joint, skeletons);
        let flow = Flow::write(program, &block, &shares[0], &when);
        Ok((joint, flow))
    }

    /// A policy of a solution, if the exact engine agrees that it can be kept.
    fn checked_policy(
        &mut self,
        part: &Part,
        seen: &[usize],
        most: &[Micros],
        whole: &JointNetwork,
        orders: &[Precedence],
    ) -> Result<FoundPolicy, Gap> {
        let mut ranges = part.ranges.clone();
        for (link, most) in seen.iter().zip(most) {
            ranges[*link].1 = *most;
        }
        let skeleton = PolicyOutline::narrowed(self.story, part.line, &ranges);
        let skeletons = std::slice::from_ref(&skeleton);
        let joint = JointNetwork::new(self.story, skeletons);
        let question = OrderingProblem::new(self.story, skeletons, &joint);
        // The nodes of a policy alone do not depend on its outcomes.
        match keep(&question, orders.to_vec(), self.control) {
            Checked::Holds(..) => {}
            Checked::Fails => return Err(Gap::Open),
            Checked::Stopped => return Err(Gap::Stopped),
        }
        let place = &whole.place[0];
        let node = |of: u32| place.iter().position(|place| *place == of);
        let node = |of: u32| node(of).expect("each node of a policy is one of the narrative");
        let orders = orders.iter();
        let orders = orders.map(|order| (node(order.end), node(order.start)));
        Ok(FoundPolicy {
            orders: orders.collect(),
            skeleton,
        })
    }
}
