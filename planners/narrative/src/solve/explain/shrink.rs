//! Fewer rules that still contradict each other.

use super::super::joint::{Joint, NOWHERE};
use super::super::orders::{Forbidden, Order, Outcome, apart};
use super::super::story::Story;
use crate::plan::{Answer, Conflict, Cost, Member};
use crate::problem::Source;
use anytime::Control;
use std::collections::BTreeSet;
use stn::Edge;
use stn::uncertain::Contingent;

/// Most parts of a conflict that are looked at.
const TRIES_MAX: usize = 500;
/// Most conflicts of the search for each, and for all together.
const CONFLICTS_MAX: u64 = 100;
const WORK_MAX: u64 = 3_000;

/// A conflict of a storyline with as few of its rules as can be found: rules are left out, many at once and
/// then fewer, as long as the rest cannot be kept. It is minimal when at last none can be left out.
pub(crate) fn shrunk(
    (story, line): (&Story<'_>, usize),
    conflict: &Conflict,
    control: &mut Control<'_, Answer, Cost>,
) -> Conflict {
    let mut shrink = Shrink {
        end: control.iterations() + WORK_MAX,
        story,
        line,
        control,
        tries: super::tries(story.narrative.nodes(), TRIES_MAX),
    };
    let mut members = conflict.members.clone();
    if let Some(Some(fewer)) = shrink.fails(&members) {
        members = fewer;
    }
    let mut size = members.len().div_ceil(2).max(1);
    let mut minimal;
    loop {
        minimal = true;
        let mut at = 0;
        while at < members.len() {
            let end = (at + size).min(members.len());
            let rest = [&members[..at], &members[end..]].concat();
            match shrink.fails(&rest) {
                Some(Some(fewer)) => {
                    // What is known to be needed stays where it is, since sets are sorted.
                    let kept = members[..at].iter().filter(|member| fewer.contains(member));
                    at = kept.count();
                    members = fewer;
                    minimal &= size == 1;
                }
                Some(None) => at = end,
                None => {
                    minimal = false;
                    at = end;
                }
            }
        }
        if size == 1 || shrink.tries == 0 {
            minimal &= size == 1;
            break;
        }
        size = (size / 2).max(1);
    }
    Conflict {
        members,
        minimal,
        uncovered: None,
    }
}

struct Shrink<'s, 'n, 'c, 'k> {
    story: &'s Story<'n>,
    line: usize,
    control: &'c mut Control<'k, Answer, Cost>,
    tries: usize,
    /// Iterations at which it ends.
    end: u64,
}

impl Shrink<'_, '_, '_, '_> {
    /// Some of these rules that cannot be kept; none inside: they can be. `None`: unknown.
    fn fails(&mut self, members: &[Member]) -> Option<Option<Vec<Member>>> {
        if self.tries == 0 || self.control.iterations() >= self.end || !self.control.tick() {
            self.tries = 0;
            return None;
        }
        self.tries -= 1;
        let rules: BTreeSet<&Member> = members.iter().collect();
        let joint = part(self.story, self.line, &rules);
        let sets = members
            .iter()
            .filter_map(|member| set(self.story, &joint, member));
        let sets: Vec<Forbidden> = sets.collect();
        match apart((&joint, CONFLICTS_MAX), sets, self.control) {
            Outcome::Found(..) => Some(None),
            Outcome::Uncontrollable(proof) => {
                let found = super::uncontrollable(&joint, &proof).members;
                // A duration of which one bound is left is both bounds at once.
                let named = found
                    .into_iter()
                    .map(|member| match rules.contains(&member) {
                        true => member,
                        false => other_end(member),
                    });
                let mut named: Vec<Member> = named.collect();
                named.sort_unstable();
                named.dedup();
                Some(Some(named))
            }
            Outcome::Overloaded(_) => Some(Some(members.to_vec())),
            Outcome::TooLarge | Outcome::Stopped => None,
        }
    }
}

/// The other bound of the same duration.
fn other_end(member: Member) -> Member {
    match member {
        Member::Bound(Source::ContingentLower(link)) => {
            Member::Bound(Source::ContingentUpper(link))
        }
        Member::Bound(Source::ContingentUpper(link)) => {
            Member::Bound(Source::ContingentLower(link))
        }
        other => other,
    }
}

/// The network of a storyline with some of its rules. A duration of which one bound is left always takes as long
/// as that; one without any is ours.
fn part(story: &Story<'_>, line: usize, rules: &BTreeSet<&Member>) -> Joint {
    let has = |source: Source| rules.contains(&Member::Bound(source));
    let present = &story.lines[line].present;
    let nodes = story.narrative.nodes();
    let name = |node: usize| if present[node] { node as u32 } else { NOWHERE };
    let place: Vec<u32> = (0..nodes).map(name).collect();
    let bounds = story.bounds.iter();
    let bounds = bounds.filter(|bound| {
        present[bound.from] && present[bound.to] && bound.from != bound.to && has(bound.source)
    });
    let mut requirements = Vec::new();
    let mut sources = Vec::new();
    for bound in bounds {
        let id = requirements.len() as u32;
        requirements.push(Edge::new(
            bound.from as u32,
            bound.to as u32,
            bound.most,
            id,
        ));
        sources.push(bound.source);
    }
    let mut contingents = Vec::new();
    for open in &story.open {
        let link = story.narrative.spec().contingent[open.contingent];
        if !present[link.from] || !present[link.to] {
            continue;
        }
        let ends = (
            has(Source::ContingentLower(open.contingent)),
            has(Source::ContingentUpper(open.contingent)),
        );
        let (lower, upper) = match ends {
            (true, true) => (open.lower, open.upper),
            (true, false) => (open.lower, open.lower),
            (false, true) => (open.upper, open.upper),
            (false, false) => continue,
        };
        contingents.push(Contingent {
            from: link.from as u32,
            to: link.to as u32,
            lower,
            upper,
            id: open.contingent as u32,
        });
    }
    Joint {
        nodes,
        place: vec![place],
        requirements,
        sources,
        contingents,
    }
}

/// Activities that cannot all run at once, and the orders that would keep them apart.
fn set(story: &Story<'_>, joint: &Joint, member: &Member) -> Option<Forbidden> {
    let Member::Capacity {
        resource,
        activities,
    } = member
    else {
        return None;
    };
    let given = &story.narrative.spec().activities;
    let gives_back = |activity: &&usize| {
        let mut demands = given[**activity].demands.iter();
        demands.any(|demand| demand.resource == *resource && !demand.consumed)
    };
    let place = &joint.place[0];
    let mut orders = Vec::new();
    for first in activities.iter().filter(gives_back) {
        for second in activities.iter().filter(|second| *second != first) {
            orders.push(Order {
                end: place[given[*first].end],
                start: place[given[*second].start],
            });
        }
    }
    Some(Forbidden {
        resource: *resource,
        activities: activities.clone(),
        orders,
    })
}
