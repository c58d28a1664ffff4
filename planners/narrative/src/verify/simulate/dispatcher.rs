//! The dispatcher: executes a plan and observes durations and picks.

use super::super::coverage::{Coverage, Past};
use super::super::story_tree::Moment;
use super::enabled::EnabledEvents;
use super::plan_parts::PlanPart;
use super::{Breakdown, Run, Simulator};
use crate::problem::{Chooser, Contingent, Micros, Node, Picks};

/// A story in progress.
#[derive(Clone)]
pub(crate) struct Dispatcher<'a> {
    pub(crate) simulator: Simulator<'a>,
    /// How long each contingent link takes: seen when it is over.
    durations: &'a [Micros],
    /// Whether players take the first option where their pick is not known. Otherwise the choice
    /// stays open.
    are_picks_known: bool,
    pub(crate) state: State,
}

/// How far a story has come.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) times: Vec<Option<Micros>>,
    pub(crate) now: Micros,
    /// By choice what is picked, as far as it is known: seen at its moment.
    pub(crate) picks: Picks,
    /// Choices with several options that were made, with these.
    made: Vec<(usize, usize)>,
    /// By part what was picked and seen there.
    pub(crate) pasts: Vec<Past>,
    /// Policies that links rule out which go on: they have lasted as long as these policies allow.
    pub(crate) expired: Vec<bool>,
    /// The policies whose rules make the front.
    pub(crate) followed: Vec<usize>,
    pub(crate) front: EnabledEvents,
}

impl State {
    /// What was picked, by choice, as far as all stories went.
    pub(crate) fn picked(&self) -> Picks {
        let mut pasts = self.pasts.iter().map(|past| past.picks.clone());
        let first = pasts.next().unwrap_or_default();
        pasts.fold(first, |all, next| {
            let most = all.len().max(next.len());
            let at = |picks: &Picks, choice: usize| picks.get(choice).copied().flatten();
            let both = (0..most).map(|choice| at(&all, choice).or(at(&next, choice)));
            both.collect()
        })
    }

    /// Whether another option was picked than one that was the only one.
    pub(crate) fn has_other_picks(&self) -> bool {
        let picks = self.picked();
        let mut both = picks.iter().zip(&self.picks);
        both.any(|(picked, given)| given.is_some() && picked.is_some() && picked != given)
    }

    /// Choices with several options that were made, with their options.
    pub(crate) fn made(&self) -> &[(usize, usize)] {
        &self.made
    }
}

impl<'a> Dispatcher<'a> {
    /// As it is at the beginning, for all durations and picks that can be.
    pub(crate) fn new(simulator: Simulator<'a>) -> Self {
        let (parts, plan) = (simulator.parts, simulator.parts.plan);
        let narrative = parts.narrative;
        let nodes = 0..narrative.nodes();
        let times: Vec<_> = nodes.map(|node| narrative.happened(node)).collect();
        let pasts = parts.parts.iter().map(|part| begin(part, &times));
        let pasts: Vec<Past> = pasts.collect();
        let own = parts.parts.iter().zip(&pasts);
        let own = own.flat_map(|(part, past)| past.alive.iter().map(|policy| part.at[*policy]));
        let followed: Vec<usize> = own.collect();
        let front = EnabledEvents::new(simulator.rules(&followed), &times, &simulator.known.ours);
        let mut dispatcher = Self {
            simulator,
            durations: &[],
            are_picks_known: false,
            state: State {
                times,
                now: narrative.spec().progress.now_us,
                picks: vec![None; narrative.spec().choices.len()],
                made: Vec::new(),
                pasts,
                expired: vec![false; plan.policies.len()],
                followed,
                front,
            },
        };
        dispatcher.follow_possible();
        dispatcher
    }

    /// As it is now.
    pub(crate) fn with_state(simulator: Simulator<'a>, state: State) -> Self {
        Self {
            simulator,
            durations: &[],
            are_picks_known: false,
            state,
        }
    }

    /// The same, with what others will decide.
    pub(super) fn with_outcomes(&self, durations: &'a [Micros], picks: &[Option<usize>]) -> Self {
        let mut of_players = picks.to_vec();
        let choices = &self.simulator.parts.narrative.spec().choices;
        of_players.resize(choices.len(), None);
        for (pick, choice) in of_players.iter_mut().zip(choices) {
            *pick = pick.filter(|_| choice.chooser == Chooser::Player);
        }
        let mut dispatcher = self.clone();
        dispatcher.durations = durations;
        dispatcher.are_picks_known = true;
        dispatcher.state.picks = of_players;
        dispatcher
    }

    /// How it went.
    pub(super) fn run(self) -> Run {
        let picks = self.state.picked();
        Run {
            policies: self.possible(),
            times_us: self.state.times,
            picks,
            breakdown: None,
        }
    }

    /// Plays to the end.
    pub(super) fn play(&mut self) -> Result<(), Breakdown> {
        loop {
            self.choose()?;
            if !self.simulator.parts.goes_on() {
                // Nobody reads how it went.
                return Ok(());
            }
            let time_us = self.state.now;
            if !self.has_policies() {
                return Err(Breakdown::NoPolicy { time_us });
            }
            let theirs = self.next_of_theirs();
            match (self.next_of_ours(), theirs) {
                (None, None) => return Ok(()),
                // At one moment the others go first: we see what they do.
                (ours, Some((time, link))) if ours.is_none_or(|(ours, _)| time <= ours) => {
                    self.state.now = time;
                    self.advance_link(link);
                }
                (Some((time, node)), _) => self.happen(node, time)?,
                (None, Some(_)) => return Ok(()),
            }
        }
    }

    /// Policies that are still possible.
    fn possible(&self) -> Vec<usize> {
        let parts = 0..self.state.pasts.len();
        let mut all: Vec<usize> = parts.flat_map(|part| self.alive(part)).collect();
        let pairs = &self.simulator.parts.pairs;
        if !pairs.is_empty() {
            let mut is_alive = vec![false; self.state.expired.len()];
            all.iter().for_each(|policy| is_alive[*policy] = true);
            let pairs = pairs.iter();
            let pairs = pairs.filter(|(_, of)| of.iter().all(|policy| is_alive[*policy]));
            all.extend(pairs.map(|(policy, _)| *policy));
        }
        all
    }

    /// The policies of one story that are.
    fn alive(&self, part: usize) -> impl Iterator<Item = usize> {
        let at = &self.simulator.parts.parts[part].at;
        let alive = self.state.pasts[part].alive.iter();
        let alive = alive.map(|policy| at[*policy]);
        alive.filter(|policy| !self.state.expired[*policy])
    }

    /// Whether there is a policy for each story.
    pub(crate) fn has_policies(&self) -> bool {
        let mut parts = 0..self.state.pasts.len();
        parts.all(|part| self.alive(part).next().is_some())
    }

    /// The contingent links.
    pub(crate) fn links(&self) -> &'a [Contingent] {
        &self.simulator.parts.narrative.spec().contingent
    }

    /// What of ours can happen first, and when.
    pub(crate) fn next_of_ours(&self) -> Option<(Micros, Node)> {
        let next = self.state.front.next(&self.state.times, self.links());
        let next = next.map(|(time, node)| (time.max(self.state.now), node));
        next.min()
    }

    /// Whether a node is the same one in all policies that are possible.
    fn is_agreed(&self, node: Node) -> bool {
        let known = self.simulator.known;
        let concerned = self.state.followed.iter().copied();
        let concerned = concerned.filter(|policy| known.concerns[*policy].holds(node));
        let mut nodes = concerned.map(|policy| known.joint.node(policy, node));
        match nodes.next() {
            Some(Some(first)) => nodes.all(|other| other == Some(first)),
            _ => false,
        }
    }

    /// When a link ends first, or has lasted longer than a policy has outcomes for.
    fn next_of_theirs(&self) -> Option<(Micros, usize)> {
        let next = (0..self.links().len()).filter_map(|contingent| {
            let start = self.running_since(contingent)?;
            let lengths = self.state.followed.iter().map(|policy| {
                let longest = self.simulator.known.outcomes[*policy][contingent].1;
                longest.min(self.durations[contingent])
            });
            Some((start + lengths.min()?, contingent))
        });
        next.min()
    }

    /// When a link began that some policy has, and that goes on.
    pub(crate) fn running_since(&self, contingent: usize) -> Option<Micros> {
        let (link, times) = (self.links()[contingent], &self.state.times);
        let start = times[link.from].filter(|_| times[link.to].is_none())?;
        let joint = &self.simulator.known.joint;
        let mut policies = self.state.followed.iter();
        let is_present = policies.any(|policy| joint.node(*policy, link.to).is_some());
        is_present.then_some(start)
    }

    /// A link has ended, or goes on and rules out policies.
    fn advance_link(&mut self, contingent: usize) {
        let start = self.state.times[self.links()[contingent].from];
        let lasted = self.state.now - start.unwrap_or(self.state.now);
        if lasted == self.durations[contingent] {
            self.end(contingent, self.state.now);
        } else {
            for policy in 0..self.state.expired.len() {
                let longest = self.simulator.known.outcomes[policy][contingent].1;
                self.state.expired[policy] |= longest <= lasted;
            }
        }
        self.follow_possible();
    }

    /// A link that has begun ends.
    pub(crate) fn end(&mut self, contingent: usize, time: Micros) {
        let link = self.links()[contingent];
        let lasted = time - self.state.times[link.from].unwrap_or(time);
        self.state.times[link.to] = Some(time);
        self.state.front.happens(link.to, time);
        for (part, past) in self.simulator.parts.parts.iter().zip(&mut self.state.pasts) {
            *past = coverage(part).lasted(past, contingent, lasted);
        }
    }

    /// Something of ours happens.
    pub(crate) fn happen(&mut self, node: Node, time_us: Micros) -> Result<(), Breakdown> {
        self.state.now = time_us;
        let latest_us = self.state.front.latest(node);
        if time_us > latest_us {
            return Err(Breakdown::Late {
                node,
                time_us,
                latest_us,
            });
        }
        self.state.times[node] = Some(time_us);
        self.state.front.happens(node, time_us);
        Ok(())
    }

    /// Makes all choices whose moment has come.
    pub(crate) fn choose(&mut self) -> Result<(), Breakdown> {
        for part in 0..self.state.pasts.len() {
            while let Some(option) = self.next_pick(part)? {
                let own = &self.simulator.parts.parts[part];
                let past = &mut self.state.pasts[part];
                if let Some(picked) = option.filter(|_| own.story.options(&past.picks).len() > 1) {
                    self.state.made.push((past.picks.len(), picked));
                }
                *past = coverage(own).picked(past, option);
                self.follow_possible();
            }
        }
        Ok(())
    }

    /// The next pick in a part; `None`: all are made, or its moment has not come, or the players
    /// have not picked.
    fn next_pick(&self, part: usize) -> Result<Option<Option<usize>>, Breakdown> {
        let story = self.simulator.parts.parts[part].story;
        let past = &self.state.pasts[part];
        if past.picks.len() == self.simulator.parts.narrative.spec().choices.len() {
            return Ok(None);
        }
        let options = story.options(&past.picks);
        match (options.as_slice(), story.moment(&past.picks)) {
            ([only], _) => Ok(Some(*only)),
            (_, Some(moment)) if self.has_come(part, moment) => self.pick(part, &options),
            _ => Ok(None),
        }
    }

    /// Whether all events of a moment have happened. What depends on a choice of ours, and comes
    /// at the very end of its moment, we choose before.
    pub(crate) fn has_come(&self, part: usize, moment: &Moment) -> bool {
        let picks = &self.state.pasts[part].picks;
        let story = self.simulator.parts.parts[part].story;
        let ours = story.chooser(picks) == Chooser::System;
        let mut events = moment.events.members();
        events.all(|node| {
            let forked = ours && self.simulator.known.ours[node] && !self.is_agreed(node);
            self.state.times[node].is_some() || forked
        })
    }

    /// What is picked at the moment of a choice; `None`: the players have not picked yet.
    fn pick(
        &self,
        part: usize,
        options: &[Option<usize>],
    ) -> Result<Option<Option<usize>>, Breakdown> {
        let own = &self.simulator.parts.parts[part];
        let past = &self.state.pasts[part];
        let time_us = self.state.now;
        let lost = Breakdown::NoPolicy { time_us };
        let given = self.state.picks[past.picks.len()];
        match given {
            Some(_) if options.contains(&given) => Ok(Some(given)),
            _ if own.story.chooser(&past.picks) == Chooser::Player => match given {
                _ if self.are_picks_known => Ok(Some(options[0])),
                Some(_) => Err(lost),
                None => Ok(None),
            },
            Some(_) => Err(lost),
            None => coverage(own).pick(past).map(Some).ok_or(lost),
        }
    }

    /// After policies were ruled out: one of several that have become alike is enough.
    pub(crate) fn follow_possible(&mut self) {
        let policies = &self.simulator.parts.plan.policies;
        let links = self.links();
        let times = &self.state.times;
        let ended = |contingent: usize| times[links[contingent].to].is_some();
        let outcomes = &self.simulator.known.outcomes;
        let alike = |first: usize, second: usize| {
            let (one, other) = (&policies[first], &policies[second]);
            let mut named = one.outcomes.iter().chain(&other.outcomes);
            one.picks == other.picks
                && named.all(|named| {
                    let of = |policy: usize| outcomes[policy][named.contingent];
                    ended(named.contingent) || of(first) == of(second)
                })
        };
        for (part, past) in self.simulator.parts.parts.iter().zip(&mut self.state.pasts) {
            let mut distinct: Vec<usize> = Vec::new();
            for &policy in &past.alive {
                let at = &part.at;
                if !distinct.iter().any(|other| alike(at[*other], at[policy])) {
                    distinct.push(policy);
                }
            }
            past.alive = distinct;
        }
        let possible = self.possible();
        if possible != self.state.followed {
            let rules = self.simulator.rules(&possible);
            let ours = &self.simulator.known.ours;
            self.state.front = EnabledEvents::new(rules, &self.state.times, ours);
            self.state.followed = possible;
        }
    }
}

/// The choices and policies of a part.
fn coverage<'a>(part: &PlanPart<'a>) -> Coverage<'a> {
    Coverage::new(part.story, part.plan)
}

/// A part at its beginning. `times`: of what has happened.
fn begin(part: &PlanPart<'_>, times: &[Option<Micros>]) -> Past {
    let mut past = Past {
        alive: (0..part.plan.policies.len()).collect(),
        ..Past::default()
    };
    for (contingent, link) in part.story.narrative.spec().contingent.iter().enumerate() {
        if let (Some(start), Some(end)) = (times[link.from], times[link.to]) {
            past = coverage(part).lasted(&past, contingent, end - start);
        }
    }
    past
}
