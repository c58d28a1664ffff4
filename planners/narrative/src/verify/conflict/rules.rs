//! Some rules of a narrative, without the others.

use super::super::joint_network::JointNetwork;
use super::super::network::storyline_of;
use super::super::story_tree::StoryTree;
use crate::plan::{Member, Plan, Policy};
use crate::problem::{Narrative, Picks, Source};
use stn::check::{ContingentLink, Network, controllable};

/// Most nodes of all networks that are checked for one set of rules.
const WORK_MAX: usize = 20_000;

/// All storylines, each with all outcomes: who shares what.
pub(super) struct Rules<'a> {
    narrative: &'a Narrative,
    go_on: &'a dyn Fn() -> bool,
    /// `None`: there are too many, or the check was stopped.
    joint: Option<JointNetwork>,
}

/// An activity of a pair that is over before the other starts.
type Pair = (usize, usize);

impl<'a> Rules<'a> {
    pub(super) fn new(narrative: &'a Narrative, go_on: &'a dyn Fn() -> bool) -> Self {
        let nodes = narrative.nodes() * narrative.storylines().len();
        let joint = (nodes <= WORK_MAX).then_some(()).and_then(|()| {
            let policies = narrative.storylines().iter().map(|picks| Policy {
                picks: picks.clone(),
                ..Policy::default()
            });
            let plan = Plan {
                policies: policies.collect(),
                ..Plan::default()
            };
            JointNetwork::new(&StoryTree::until(narrative, go_on)?, &plan)
        });
        Self {
            narrative,
            go_on,
            joint,
        }
    }

    /// Whether some order keeps these rules in all storylines; `None`: that would take long to see.
    pub(super) fn can_be_kept(&self, members: &[Member]) -> Option<bool> {
        let joint = self.joint.as_ref()?;
        let sets: Vec<Vec<Pair>> = members
            .iter()
            .filter_map(|member| self.pairs(member))
            .collect();
        let ways = sets
            .iter()
            .try_fold(1_usize, |ways, set| ways.checked_mul(set.len()))?;
        if ways.checked_mul(joint.nodes)? > WORK_MAX {
            return None;
        }
        let lines = self.narrative.storylines().iter();
        let own: Vec<Network> = lines.map(|picks| self.network(picks, members)).collect();
        let kept = (0..ways).take_while(|_| (self.go_on)()).any(|way| {
            let mut left = way;
            let mut order = Vec::new();
            for set in &sets {
                order.push(set[left % set.len()]);
                left /= set.len();
            }
            let own: Vec<Network> = own
                .iter()
                .zip(self.narrative.storylines())
                .map(|(own, picks)| self.ordered(own, picks, &order))
                .collect();
            controllable(&joint.network(own.iter(), self.go_on), self.go_on).is_ok()
        });
        Some(kept)
    }

    /// The ways in which a capacity can be respected: one of its activities ends before another
    /// starts.
    fn pairs(&self, member: &Member) -> Option<Vec<Pair>> {
        let Member::Capacity {
            resource,
            activities,
        } = member
        else {
            return None;
        };
        let gives_back = |activity: usize| {
            let mut demands = self.narrative.spec().activities[activity].demands.iter();
            demands.any(|demand| demand.resource == *resource && !demand.consumed)
        };
        let firsts = activities.iter().filter(|first| gives_back(**first));
        let pairs = firsts.flat_map(|first| {
            let others = activities.iter().filter(move |second| *second != first);
            others.map(|second| (*first, *second))
        });
        Some(pairs.collect())
    }

    /// A storyline with some of its rules. Of a duration the bounds that are no members are as
    /// others would pick them to please us; without either its end is an event of ours.
    fn network(&self, picks: &Picks, members: &[Member]) -> Network {
        let has = |source: Source| members.contains(&Member::Bound(source));
        let mut network = storyline_of(self.narrative, picks, &has);
        network
            .contingents
            .retain_mut(|ContingentLink { contingent, link }| {
                let lower = has(Source::ContingentLower(*contingent));
                let upper = has(Source::ContingentUpper(*contingent));
                if !lower {
                    link.lower_us = link.upper_us;
                } else if !upper {
                    link.upper_us = link.lower_us;
                }
                lower || upper
            });
        network
    }

    fn ordered(&self, own: &Network, picks: &Picks, order: &[Pair]) -> Network {
        let mut network = own.clone();
        let activities = &self.narrative.spec().activities;
        for &(first, second) in order {
            let (end, start) = (activities[first].end, activities[second].start);
            let both = [end, start].map(|node| self.narrative.present(picks, node));
            if both == [true, true] {
                network.constrain(end, start, Some(0), None);
            }
        }
        network
    }
}
