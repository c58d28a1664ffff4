//! The dispatcher, and the others that it sees.

use super::super::coverage::{Coverage, Past};
use super::super::joint::Joint;
use super::super::story::{Moment, Story};
use super::front::Front;
use super::{Breakdown, Run, Script};
use crate::plan::Plan;
use crate::problem::{Chooser, Micros, Narrative, Node};

/// A story in progress.
#[derive(Clone)]
pub(super) struct Stage<'a> {
    narrative: &'a Narrative,
    story: &'a Story<'a>,
    plan: &'a Plan,
    joint: &'a Joint,
    /// How long each contingent link takes: seen when it is over.
    durations: &'a [Micros],
    /// What players pick: seen when they do.
    picks: &'a [Option<usize>],
    coverage: Coverage<'a>,
    script: &'a Script<'a>,
    /// By node: whether we decide about it.
    ours: Vec<bool>,
    times: Vec<Option<Micros>>,
    now: Micros,
    past: Past,
    /// Policies none of whose outcomes a link that goes on can have any more.
    expired: Vec<bool>,
    /// The policies whose rules make the front.
    followed: Vec<usize>,
    front: Front,
}

impl<'a> Stage<'a> {
    /// As it is now, for all durations and picks that can still be.
    pub(super) fn new(script: &'a Script<'a>) -> Self {
        let (story, plan, joint) = (script.story, script.plan, &script.joint);
        let narrative = story.narrative;
        let spec = narrative.spec();
        let mut ours = vec![true; narrative.nodes()];
        for link in &spec.contingent {
            ours[link.to] = false;
        }
        let times: Vec<_> = (0..narrative.nodes())
            .map(|node| narrative.happened(node))
            .collect();
        let coverage = Coverage::new(story, plan);
        let mut past = Past {
            alive: (0..plan.policies.len()).collect(),
            ..Past::default()
        };
        for (contingent, link) in spec.contingent.iter().enumerate() {
            if let (Some(start), Some(end)) = (times[link.from], times[link.to]) {
                past = coverage.lasted(&past, (contingent, end - start));
            }
        }
        let followed = past.alive.clone();
        let mut stage = Self {
            narrative,
            story,
            plan,
            joint,
            durations: &[],
            picks: &[],
            script,
            coverage,
            front: Front::new(script.rules(&followed), &times, &ours),
            followed,
            ours,
            times,
            now: spec.progress.now_us,
            past,
            expired: vec![false; plan.policies.len()],
        };
        stage.renew();
        stage
    }

    /// The same, with what others will decide.
    pub(super) fn with(&self, durations: &'a [Micros], picks: &'a [Option<usize>]) -> Self {
        Self {
            durations,
            picks,
            ..self.clone()
        }
    }

    /// How it went.
    pub(super) fn run(self) -> Run {
        let possible = self.possible().collect();
        Run {
            times_us: self.times,
            picks: self.past.picks,
            policies: possible,
            breakdown: None,
        }
    }

    /// Plays to the end.
    pub(super) fn play(&mut self) -> Result<(), Breakdown> {
        loop {
            self.choose()?;
            if !self.story.goes_on() {
                // Nobody reads how it went.
                return Ok(());
            }
            let time_us = self.now;
            if self.possible().next().is_none() {
                return Err(Breakdown::NoPolicy { time_us });
            }
            let theirs = self.next_of_theirs();
            match (self.next_of_ours(), theirs) {
                (None, None) => return Ok(()),
                // At one moment the others go first: we see what they do.
                (ours, Some((time, link))) if ours.is_none_or(|(ours, _)| time <= ours) => {
                    self.now = time;
                    self.goes_on(link);
                }
                (Some((time, node)), _) => self.happen(node, time)?,
                (None, Some(_)) => return Ok(()),
            }
        }
    }

    /// Policies that are still possible.
    fn possible(&self) -> impl Iterator<Item = usize> {
        let alive = self.past.alive.iter().copied();
        alive.filter(|policy| !self.expired[*policy])
    }

    /// What of ours can happen first, and when.
    fn next_of_ours(&self) -> Option<(Micros, Node)> {
        let links = &self.narrative.spec().contingent;
        let next = self.front.next(&self.times, links);
        next.map(|(time, node)| (time.max(self.now), node)).min()
    }

    /// Whether a node is the same one in all policies that are possible.
    fn is_agreed(&self, node: Node) -> bool {
        let mut nodes = self.possible().map(|policy| self.joint.node(policy, node));
        match nodes.next() {
            Some(Some(first)) => nodes.all(|other| other == Some(first)),
            _ => false,
        }
    }

    /// When a link ends first, or has lasted longer than a policy has outcomes for.
    fn next_of_theirs(&self) -> Option<(Micros, usize)> {
        let links = self.narrative.spec().contingent.iter().enumerate();
        let next = links.filter_map(|(contingent, link)| {
            let start = self.times[link.from].filter(|_| self.times[link.to].is_none())?;
            let lengths = self.possible().map(|policy| {
                let longest = self.script.outcomes[policy][contingent].1;
                longest.min(self.durations[contingent])
            });
            let present = self
                .possible()
                .any(|policy| self.joint.node(policy, link.to).is_some());
            lengths
                .min()
                .filter(|_| present)
                .map(|length| (start + length, contingent))
        });
        next.min()
    }

    /// A link has ended, or goes on and rules out policies.
    fn goes_on(&mut self, contingent: usize) {
        let link = self.narrative.spec().contingent[contingent];
        let start = self.times[link.from].unwrap_or(self.now);
        let lasted = self.now - start;
        if lasted == self.durations[contingent] {
            self.times[link.to] = Some(self.now);
            self.front.happens(link.to, self.now);
            self.past = self.coverage.lasted(&self.past, (contingent, lasted));
        } else {
            for policy in 0..self.expired.len() {
                self.expired[policy] |= self.script.outcomes[policy][contingent].1 <= lasted;
            }
        }
        self.renew();
    }

    /// Something of ours happens.
    fn happen(&mut self, node: Node, time_us: Micros) -> Result<(), Breakdown> {
        self.now = time_us;
        let latest_us = self.front.latest(node);
        if time_us > latest_us {
            return Err(Breakdown::Late {
                node,
                time_us,
                latest_us,
            });
        }
        self.times[node] = Some(time_us);
        self.front.happens(node, time_us);
        Ok(())
    }

    /// Makes all choices whose moment has come.
    fn choose(&mut self) -> Result<(), Breakdown> {
        let choices = self.narrative.spec().choices.len();
        while self.past.picks.len() < choices {
            let options = self.story.options(&self.past.picks);
            let option = match (options.as_slice(), self.story.moment(&self.past.picks)) {
                ([only], _) => *only,
                (_, Some(moment)) if self.has_come(moment) => self.pick(&options)?,
                _ => return Ok(()),
            };
            self.past = self.coverage.picked(&self.past, option);
            self.renew();
        }
        Ok(())
    }

    /// Whether all events of a moment have happened. What depends on a choice of ours, and comes
    /// at the very end of its moment, we choose before.
    fn has_come(&self, moment: &Moment) -> bool {
        let ours = self.story.chooser(&self.past.picks) == Chooser::System;
        let mut events = moment.events.members();
        events.all(|node| {
            let forked = ours && self.ours[node] && !self.is_agreed(node);
            self.times[node].is_some() || forked
        })
    }

    fn pick(&mut self, options: &[Option<usize>]) -> Result<Option<usize>, Breakdown> {
        let choice = self.past.picks.len();
        if self.story.chooser(&self.past.picks) == Chooser::Player {
            let asked = self.picks.get(choice).copied().flatten();
            let known = options.iter().find(|option| **option == asked);
            return Ok(known.copied().unwrap_or(options[0]));
        }
        let time_us = self.now;
        let picked = self.coverage.pick(&self.past);
        picked.ok_or(Breakdown::NoPolicy { time_us })
    }

    /// After policies were ruled out: one of several that have become alike is enough.
    fn renew(&mut self) {
        let (policies, times) = (&self.plan.policies, &self.times);
        let ended = |contingent: usize| {
            let link = self.narrative.spec().contingent[contingent];
            times[link.to].is_some()
        };
        let outcomes = &self.script.outcomes;
        let alike = |first: usize, second: usize| {
            let (one, other) = (&policies[first], &policies[second]);
            let mut named = one.outcomes.iter().chain(&other.outcomes);
            one.picks == other.picks
                && named.all(|named| {
                    let of = |policy: usize| outcomes[policy][named.contingent];
                    ended(named.contingent) || of(first) == of(second)
                })
        };
        let mut kept: Vec<usize> = Vec::new();
        for &policy in &self.past.alive {
            if !kept.iter().any(|other| alike(*other, policy)) {
                kept.push(policy);
            }
        }
        self.past.alive = kept;
        let possible: Vec<usize> = self.possible().collect();
        if possible != self.followed {
            let rules = self.script.rules(&possible);
            self.front = Front::new(rules, &self.times, &self.ours);
            self.followed = possible;
        }
    }
}
