//! Coverage: a policy for all outcomes and all picks of players.

use super::OUTCOMES_MAX;
use super::network::{outcomes, possible};
use super::story_tree::StoryTree;
use crate::plan::{Plan, Policy, Uncovered};
use crate::problem::{Chooser, Micros, Picks};

/// Why not everything is covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gap {
    /// This has no policy.
    Uncovered(Uncovered),
    /// There are too many cases to look at.
    TooMany,
}

/// Goes through a story, choice by choice and link by link.
///
/// Between the ends of the outcomes that policies name all durations are alike: of each such part
/// the shortest is looked at.
#[derive(Clone)]
pub(super) struct Coverage<'a> {
    story: &'a StoryTree<'a>,
    policies: &'a [Policy],
    cases: usize,
}

/// What has happened so far, and the policies that are meant for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Past {
    pub(crate) picks: Picks,
    /// Durations by contingent link, in the order in which they are looked at.
    pub(crate) durations: Vec<(usize, Micros)>,
    pub(crate) alive: Vec<usize>,
}

impl<'a> Coverage<'a> {
    pub(super) fn new(story: &'a StoryTree<'a>, plan: &'a Plan) -> Self {
        Self {
            story,
            policies: &plan.policies,
            cases: 0,
        }
    }

    /// Checks the whole story.
    pub(super) fn check(&mut self) -> Result<(), Gap> {
        self.next(&Past {
            alive: (0..self.policies.len()).collect(),
            ..Past::default()
        })
    }

    /// Checks everything that may happen after this.
    fn next(&mut self, past: &Past) -> Result<(), Gap> {
        self.cases += 1;
        if self.cases > OUTCOMES_MAX || !self.story.goes_on() {
            return Err(Gap::TooMany);
        }
        if past.alive.is_empty() {
            return Err(gap(past));
        }
        if past.picks.len() == self.story.narrative.spec().choices.len() {
            return Ok(());
        }
        let Some(moment) = self.story.moment(&past.picks) else {
            return self.next(&self.picked(past, None));
        };
        let seen = |contingent: &usize| {
            let mut known = past.durations.iter();
            known.all(|(other, _)| other != contingent)
        };
        let links = 0..self.story.narrative.spec().contingent.len();
        let links = links.filter(|link| moment.seen.holds(*link));
        let links: Vec<usize> = links.filter(seen).collect();
        self.outcomes(past, &links)
    }

    /// For all durations of these links, and then the choice.
    fn outcomes(&mut self, past: &Past, links: &[usize]) -> Result<(), Gap> {
        let Some((&link, rest)) = links.split_first() else {
            return self.choice(past);
        };
        for duration in self.parts(past, link) {
            self.cases += 1;
            if self.cases > OUTCOMES_MAX {
                return Err(Gap::TooMany);
            }
            let now = self.lasted(past, link, duration);
            self.outcomes(&now, rest)?;
        }
        Ok(())
    }

    /// The shortest duration of each part in which no policy begins or ends.
    fn parts(&self, past: &Past, link: usize) -> Vec<Micros> {
        let (shortest, longest) = possible(self.story.narrative, link);
        let mut parts = vec![shortest];
        for &policy in &past.alive {
            let (lower, upper) = outcomes(self.story.narrative, &self.policies[policy], link);
            parts.extend([lower, upper + 1]);
        }
        parts.retain(|part| (shortest..=longest).contains(part));
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn choice(&mut self, past: &Past) -> Result<(), Gap> {
        let mut first = None;
        for option in self.story.options(&past.picks) {
            let checked = self.next(&self.picked(past, option));
            match (self.story.chooser(&past.picks), checked) {
                (Chooser::System, Ok(())) => return Ok(()),
                (Chooser::System, Err(Gap::Uncovered(_))) => first = Some(gap(past)),
                (Chooser::Player, Ok(())) => {}
                (_, Err(failed)) => return Err(failed),
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// The option that the system picks after this: that of the first policy for which everything
    /// that may come is covered. All links that the choice has seen are known.
    pub(super) fn pick(&mut self, past: &Past) -> Option<Option<usize>> {
        let mut tried = Vec::new();
        for &policy in &past.alive {
            let option = self.policies[policy].picks[past.picks.len()];
            if tried.contains(&option) {
                continue;
            }
            tried.push(option);
            self.cases = 0;
            if self.next(&self.picked(past, option)).is_ok() {
                return Some(option);
            }
        }
        None
    }

    /// What is left when this is picked.
    pub(super) fn picked(&self, past: &Past, option: Option<usize>) -> Past {
        let mut now = past.clone();
        let choice = now.picks.len();
        now.alive
            .retain(|policy| self.policies[*policy].picks[choice] == option);
        now.picks.push(option);
        now
    }

    /// What is left when a link took so long.
    pub(super) fn lasted(&self, past: &Past, link: usize, duration: Micros) -> Past {
        let mut now = past.clone();
        now.alive.retain(|policy| {
            let (lower, upper) = outcomes(self.story.narrative, &self.policies[*policy], link);
            (lower..=upper).contains(&duration)
        });
        now.durations.push((link, duration));
        now
    }
}

fn gap(past: &Past) -> Gap {
    let mut durations_us = past.durations.clone();
    durations_us.sort_unstable();
    Gap::Uncovered(Uncovered {
        durations_us,
        picks: past.picks.clone(),
    })
}
