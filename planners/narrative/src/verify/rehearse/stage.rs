//! The dispatcher, and the others that it sees.

use super::super::coverage::{Coverage, Past};
use super::super::joint::Joint;
use super::super::story::Moment;
use super::cast::Role;
use super::front::Front;
use super::{Breakdown, Run, Script};
use crate::plan::Plan;
use crate::problem::{Chooser, Micros, Narrative, Node, Picks};

/// A story in progress.
#[derive(Clone)]
pub(super) struct Stage<'a> {
    narrative: &'a Narrative,
    plan: &'a Plan,
    joint: &'a Joint,
    /// How long each contingent link takes: seen when it is over.
    durations: &'a [Micros],
    /// What players pick: seen when they do.
    picks: &'a [Option<usize>],
    script: &'a Script<'a>,
    /// By node: whether we decide about it.
    ours: Vec<bool>,
    times: Vec<Option<Micros>>,
    now: Micros,
    /// By story how it went so far.
    acts: Vec<Act<'a>>,
    /// Policies none of whose outcomes a link that goes on can have any more.
    expired: Vec<bool>,
    /// The policies whose rules make the front.
    followed: Vec<usize>,
    front: Front,
}

/// One story in progress, with its own policies.
#[derive(Clone)]
struct Act<'a> {
    role: &'a Role<'a>,
    coverage: Coverage<'a>,
    past: Past,
}

impl<'a> Stage<'a> {
    /// As it is now, for all durations and picks that can still be.
    pub(super) fn new(script: &'a Script<'a>) -> Self {
        let (narrative, plan, joint) = (script.cast.narrative, script.cast.plan, &script.joint);
        let spec = narrative.spec();
        let mut ours = vec![true; narrative.nodes()];
        for link in &spec.contingent {
            ours[link.to] = false;
        }
        let times: Vec<_> = (0..narrative.nodes())
            .map(|node| narrative.happened(node))
            .collect();
        let acts = script.cast.roles.iter().map(|role| Act::new(role, &times));
        let acts: Vec<Act<'a>> = acts.collect();
        let own = acts.iter();
        let own = own.flat_map(|act| act.past.alive.iter().map(|policy| act.role.at[*policy]));
        let followed: Vec<usize> = own.collect();
        let mut stage = Self {
            narrative,
            plan,
            joint,
            durations: &[],
            picks: &[],
            script,
            acts,
            front: Front::new(script.rules(&followed), &times, &ours),
            followed,
            ours,
            times,
            now: spec.progress.now_us,
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
        let picks = |act: &Act<'_>| act.past.picks.clone();
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
            if !self.script.cast.goes_on() {
                // Nobody reads how it went.
                return Ok(());
            }
            let time_us = self.now;
            if !self.is_told() {
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
    fn possible(&self) -> Vec<usize> {
        let own = self.acts.iter().flat_map(|act| self.alive(act));
        let mut all: Vec<usize> = own.collect();
        if !self.script.cast.pairs.is_empty() {
            let mut is_alive = vec![false; self.expired.len()];
            all.iter().for_each(|policy| is_alive[*policy] = true);
            let pairs = self.script.cast.pairs.iter();
            let pairs = pairs.filter(|(_, of)| of.iter().all(|policy| is_alive[*policy]));
            all.extend(pairs.map(|(policy, _)| *policy));
        }
        all
    }

    /// The policies of one story that are.
    fn alive(&self, act: &Act<'a>) -> impl Iterator<Item = usize> {
        let alive = act.past.alive.iter().map(|policy| act.role.at[*policy]);
        alive.filter(|policy| !self.expired[*policy])
    }

    /// Whether there is a policy for each story.
    fn is_told(&self) -> bool {
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
        let concerned = concerned.filter(|policy| self.script.concerns[*policy].holds(node));
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
                let longest = self.script.outcomes[*policy][contingent].1;
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
    fn goes_on(&mut self, contingent: usize) {
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
        for at in 0..self.acts.len() {
            while self.acts[at].past.picks.len() < choices {
                let (story, past) = (self.acts[at].role.story, &self.acts[at].past);
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
                self.renew();
            }
        }
        Ok(())
    }

    /// Whether all events of a moment have happened. What depends on a choice of ours, and comes
    /// at the very end of its moment, we choose before.
    fn has_come(&self, act: &Act<'_>, moment: &Moment) -> bool {
        let ours = act.role.story.chooser(&act.past.picks) == Chooser::System;
        let mut events = moment.events.members();
        events.all(|node| {
            let forked = ours && self.ours[node] && !self.is_agreed(node);
            self.times[node].is_some() || forked
        })
    }

    fn pick(&mut self, at: usize, options: &[Option<usize>]) -> Result<Option<usize>, Breakdown> {
        let act = &mut self.acts[at];
        let choice = act.past.picks.len();
        if act.role.story.chooser(&act.past.picks) == Chooser::Player {
            let asked = self.picks.get(choice).copied().flatten();
            let known = options.iter().find(|option| **option == asked);
            return Ok(known.copied().unwrap_or(options[0]));
        }
        let time_us = self.now;
        let picked = act.coverage.pick(&act.past);
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
        for act in &mut self.acts {
            let mut kept: Vec<usize> = Vec::new();
            for &policy in &act.past.alive {
                let at = &act.role.at;
                if !kept.iter().any(|other| alike(at[*other], at[policy])) {
                    kept.push(policy);
                }
            }
            act.past.alive = kept;
        }
        let possible = self.possible();
        if possible != self.followed {
            let rules = self.script.rules(&possible);
            self.front = Front::new(rules, &self.times, &self.ours);
            self.followed = possible;
        }
    }
}

impl<'a> Act<'a> {
    /// `times`: of what has happened.
    fn new(role: &'a Role<'a>, times: &[Option<Micros>]) -> Self {
        let coverage = Coverage::new(role.story, role.plan);
        let mut past = Past {
            alive: (0..role.plan.policies.len()).collect(),
            ..Past::default()
        };
        for (contingent, link) in role.story.narrative.spec().contingent.iter().enumerate() {
            if let (Some(start), Some(end)) = (times[link.from], times[link.to]) {
                past = coverage.lasted(&past, contingent, end - start);
            }
        }
        Self {
            role,
            coverage,
            past,
        }
    }
}
