//! The dispatcher: executes a plan and observes durations and picks.

use super::super::coverage::{Coverage, Past};
use super::super::joint_network::JointNetwork;
use super::super::story_tree::Moment;
use super::enabled::EnabledEvents;
use super::plan_parts::PlanPart;
use super::{Breakdown, Run, Simulator};
use crate::plan::Plan;
use crate::problem::{Chooser, Micros, Narrative, Node, Picks};

/// A story in progress.
#[derive(Clone)]
pub(super) struct Dispatcher<'a> {
    narrative: &'a Narrative,
    plan: &'a Plan,
    joint: &'a JointNetwork,
    /// How long each contingent link takes: seen when it is over.
    durations: &'a [Micros],
    /// What players pick: seen when they do.
    picks: &'a [Option<usize>],
    simulator: &'a Simulator<'a>,
    /// By node: whether we decide about it.
    ours: Vec<bool>,
    times: Vec<Option<Micros>>,
    now: Micros,
    /// By story how it went so far.
    acts: Vec<PartState<'a>>,
    /// Policies none of whose outcomes a link that goes on can have any more.
    expired: Vec<bool>,
    /// The policies whose rules make the front.
    followed: Vec<usize>,
    front: EnabledEvents,
}

/// One story in progress, with its own policies.
#[derive(Clone)]
struct PartState<'a> {
    part: &'a PlanPart<'a>,
    coverage: Coverage<'a>,
    past: Past,
}

impl<'a> Dispatcher<'a> {
    /// As it is now, for all durations and picks that can still be.
    pub(super) fn new(simulator: &'a Simulator<'a>) -> Self {
        let (narrative, plan, joint) = (
            simulator.parts.narrative,
            simulator.parts.plan,
            &simulator.joint,
        );
        let spec = narrative.spec();
        let mut ours = vec![true; narrative.nodes()];
        for link in &spec.contingent {
            ours[link.to] = false;
        }
        let times: Vec<_> = (0..narrative.nodes())
            .map(|node| narrative.happened(node))
            .collect();
        let acts = simulator
            .parts
            .parts
            .iter()
            .map(|part| PartState::new(part, &times));
        let acts: Vec<PartState<'a>> = acts.collect();
        let own = acts.iter();
        let own = own.flat_map(|act| act.past.alive.iter().map(|policy| act.part.at[*policy]));
        let followed: Vec<usize> = own.collect();
        let mut stage = Self {
            narrative,
            plan,
            joint,
            durations: &[],
            picks: &[],
            simulator,
            acts,
            front: EnabledEvents::new(simulator.rules(&followed), &times, &ours),
            followed,
            ours,
            times,
            now: spec.progress.now_us,
            expired: vec![false; plan.policies.len()],
        };
        stage.follow_possible();
        stage
    }

    /// The same, with what others will decide.
    pub(super) fn with_outcomes(
        &self,
        durations: &'a [Micros],
        picks: &'a [Option<usize>],
    ) -> Self {
        Self {
            durations,
            picks,
            ..self.clone()
        }
    }

    /// How it went.
    pub(super) fn run(self) -> Run {
        let picks = self.picked();
        Run {
            policies: self.possible(),
            times_us: self.times,
            picks,
            breakdown: None,
        }
    }

    /// What was picked, by choice, as far as all stories went.
    fn picked(&self) -> Picks {
        let picks = |act: &PartState<'_>| act.past.picks.clone();
        let mut acts = self.acts.iter().map(picks);
        let first = acts.next().unwrap_or_default();
        acts.fold(first, |all, next| {
            let most = all.len().max(next.len());
            let at = |picks: &Picks, choice: usize| picks.get(choice).copied().flatten();
            let both = (0..most).map(|choice| at(&all, choice).or(at(&next, choice)));
            both.collect()
        })
    }

    /// Plays to the end.
    pub(super) fn play(&mut self) -> Result<(), Breakdown> {
        loop {
            self.choose()?;
            if !self.simulator.parts.goes_on() {
                // Nobody reads how it went.
                return Ok(());
            }
            let time_us = self.now;
            if !self.has_policies() {
                return Err(Breakdown::NoPolicy { time_us });
            }
            let theirs = self.next_of_theirs();
            match (self.next_of_ours(), theirs) {
                (None, None) => return Ok(()),
                // At one moment the others go first: we see what they do.
                (ours, Some((time, link))) if ours.is_none_or(|(ours, _)| time <= ours) => {
                    self.now = time;
                    self.advance_link(link);
                }
                (Some((time, node)), _) => self.happen(node, time)?,
                (None, Some(_)) => return Ok(()),
            }
        }
    }

    /// Policies that are still possible.
    fn possible(&self) -> Vec<usize> {
        let own = self.acts.iter().flat_map(|act| self.alive(act));
        let mut all: Vec<usize> = own.collect();
        if !self.simulator.parts.pairs.is_empty() {
            let mut is_alive = vec![false; self.expired.len()];
            all.iter().for_each(|policy| is_alive[*policy] = true);
            let pairs = self.simulator.parts.pairs.iter();
            let pairs = pairs.filter(|(_, of)| of.iter().all(|policy| is_alive[*policy]));
            all.extend(pairs.map(|(policy, _)| *policy));
        }
        all
    }

    /// The policies of one story that are.
    fn alive(&self, act: &PartState<'a>) -> impl Iterator<Item = usize> {
        let alive = act.past.alive.iter().map(|policy| act.part.at[*policy]);
        alive.filter(|policy| !self.expired[*policy])
    }

    /// Whether there is a policy for each story.
    fn has_policies(&self) -> bool {
        let mut acts = self.acts.iter();
        acts.all(|act| self.alive(act).next().is_some())
    }

    /// What of ours can happen first, and when.
    fn next_of_ours(&self) -> Option<(Micros, Node)> {
        let links = &self.narrative.spec().contingent;
        let next = self.front.next(&self.times, links);
        next.map(|(time, node)| (time.max(self.now), node)).min()
    }

    /// Whether a node is the same one in all policies that are possible.
    fn is_agreed(&self, node: Node) -> bool {
        let concerned = self.followed.iter().copied();
        let concerned = concerned.filter(|policy| self.simulator.concerns[*policy].holds(node));
        let mut nodes = concerned.map(|policy| self.joint.node(policy, node));
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
            let lengths = self.followed.iter().map(|policy| {
                let longest = self.simulator.outcomes[*policy][contingent].1;
                longest.min(self.durations[contingent])
            });
            let mut policies = self.followed.iter();
            let present = policies.any(|policy| self.joint.node(*policy, link.to).is_some());
            lengths
                .min()
                .filter(|_| present)
                .map(|length| (start + length, contingent))
        });
        next.min()
    }

    /// A link has ended, or goes on and rules out policies.
    fn advance_link(&mut self, contingent: usize) {
        let link = self.narrative.spec().contingent[contingent];
        let start = self.times[link.from].unwrap_or(self.now);
        let lasted = self.now - start;
        if lasted == self.durations[contingent] {
            self.times[link.to] = Some(self.now);
            self.front.happens(link.to, self.now);
            for act in &mut self.acts {
                act.past = act.coverage.lasted(&act.past, contingent, lasted);
            }
        } else {
            for policy in 0..self.expired.len() {
                self.expired[policy] |= self.simulator.outcomes[policy][contingent].1 <= lasted;
            }
        }
        self.follow_possible();
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
        for at in 0..self.acts.len() {
            while self.acts[at].past.picks.len() < choices {
                let (story, past) = (self.acts[at].part.story, &self.acts[at].past);
                let options = story.options(&past.picks);
                let option = match (options.as_slice(), story.moment(&past.picks)) {
                    ([only], _) => *only,
                    (_, Some(moment)) if self.has_come(&self.acts[at], moment) => {
                        self.pick(at, &options)?
                    }
                    _ => break,
                };
                let act = &mut self.acts[at];
                act.past = act.coverage.picked(&act.past, option);
                self.follow_possible();
            }
        }
        Ok(())
    }

    /// Whether all events of a moment have happened. What depends on a choice of ours, and comes
    /// at the very end of its moment, we choose before.
    fn has_come(&self, act: &PartState<'_>, moment: &Moment) -> bool {
        let ours = act.part.story.chooser(&act.past.picks) == Chooser::System;
        let mut events = moment.events.members();
        events.all(|node| {
            let forked = ours && self.ours[node] && !self.is_agreed(node);
            self.times[node].is_some() || forked
        })
    }

    fn pick(&mut self, at: usize, options: &[Option<usize>]) -> Result<Option<usize>, Breakdown> {
        let act = &mut self.acts[at];
        let choice = act.past.picks.len();
        if act.part.story.chooser(&act.past.picks) == Chooser::Player {
            let asked = self.picks.get(choice).copied().flatten();
            let known = options.iter().find(|option| **option == asked);
            return Ok(known.copied().unwrap_or(options[0]));
        }
        let time_us = self.now;
        let picked = act.coverage.pick(&act.past);
        picked.ok_or(Breakdown::NoPolicy { time_us })
    }

    /// After policies were ruled out: one of several that have become alike is enough.
    fn follow_possible(&mut self) {
        let (policies, times) = (&self.plan.policies, &self.times);
        let ended = |contingent: usize| {
            let link = self.narrative.spec().contingent[contingent];
            times[link.to].is_some()
        };
        let outcomes = &self.simulator.outcomes;
        let alike = |first: usize, second: usize| {
            let (one, other) = (&policies[first], &policies[second]);
            let mut named = one.outcomes.iter().chain(&other.outcomes);
            one.picks == other.picks
                && named.all(|named| {
                    let of = |policy: usize| outcomes[policy][named.contingent];
                    ended(named.contingent) || of(first) == of(second)
                })
        };
        for act in &mut self.acts {
            let mut distinct: Vec<usize> = Vec::new();
            for &policy in &act.past.alive {
                let at = &act.part.at;
                if !distinct.iter().any(|other| alike(at[*other], at[policy])) {
                    distinct.push(policy);
                }
            }
            act.past.alive = distinct;
        }
        let possible = self.possible();
        if possible != self.followed {
            let rules = self.simulator.rules(&possible);
            self.front = EnabledEvents::new(rules, &self.times, &self.ours);
            self.followed = possible;
        }
    }
}

impl<'a> PartState<'a> {
    /// `times`: of what has happened.
    fn new(part: &'a PlanPart<'a>, times: &[Option<Micros>]) -> Self {
        let coverage = Coverage::new(part.story, part.plan);
        let mut past = Past {
            alive: (0..part.plan.policies.len()).collect(),
            ..Past::default()
        };
        for (contingent, link) in part.story.narrative.spec().contingent.iter().enumerate() {
            if let (Some(start), Some(end)) = (times[link.from], times[link.to]) {
                past = coverage.lasted(&past, contingent, end - start);
            }
        }
        Self {
            part,
            coverage,
            past,
        }
    }
}
