//! Deletion filter for a storyline: minimal conflicts (minimal unsatisfiable subsets of rules).

use super::super::joint_network::{ABSENT, JointNetwork};
use super::super::precedences::{CriticalSet, Outcome, ResourceCore, resolve_conflicts};
use super::super::story::Story;
use crate::plan::{Answer, Conflict, Cost, Member};
use crate::problem::{Node, Source};
use anytime::Control;
use std::collections::BTreeSet;
use stn::Edge;
use stn::uncertain::Contingent;

/// Most parts of a conflict that are looked at.
const TRIES_MAX: usize = 500;
/// Limit of conflicts of the search for each; when the proof before took more, `TIMES` times its
/// conflicts.
const CONFLICTS: u64 = 100;
const TIMES: u64 = 2;
/// Most conflicts for all together, of large stories and of small ones: each takes longer in large
/// ones.
const WORK: (u64, u64) = (3_000, 30_000);

/// A conflict of a storyline with as few of its rules as can be found: rules are left out, many
/// together and then fewer, as long as the rest is infeasible. It is minimal when at last none can
/// be left out.
///
/// First bounds that rarely matter: what ends is not before the start, what begins is not after the
/// horizon. Then capacities: one search is called again and again, with all that it has learnt, and
/// each proof names the capacities that it used. Then all the rest.
pub(crate) fn minimised(
    story: &Story<'_>,
    line: usize,
    conflict: &Conflict,
    control: &mut Control<'_, Answer, Cost>,
) -> Conflict {
    let nodes = story.narrative.nodes();
    let work = (10_000_000 / (nodes * nodes) as u64).clamp(WORK.0, WORK.1);
    let mut shrink = Shrink {
        end: control.iterations() + work,
        most: work / 8,
        story,
        line,
        control,
        tries: super::tries_max(nodes, TRIES_MAX),
        needed: BTreeSet::new(),
    };
    let mut members = conflict.members.clone();
    shrink.leave_out_kinds(&mut members);
    members = shrink.capacities(members);
    let mut size = members.len().div_ceil(2).max(1);
    let mut minimal;
    loop {
        minimal = true;
        let mut at = 0;
        while at < members.len() {
            let end = (at + size).min(members.len());
            let mut part = members[at..end].iter();
            if part.any(|member| shrink.needed.contains(member)) {
                at = end;
                continue;
            }
            let rest = [&members[..at], &members[end..]].concat();
            match shrink.fails(&rest) {
                Some(Some(fewer)) => {
                    // What is known to be needed stays where it is, since sets are sorted.
                    let kept = members[..at].iter().filter(|member| fewer.contains(member));
                    at = kept.count();
                    members = fewer;
                    minimal &= size == 1;
                }
                Some(None) => {
                    if size == 1 {
                        shrink.needed.insert(members[at].clone());
                    }
                    at = end;
                }
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
    conflict_of(members, minimal, &shrink.needed)
}

fn conflict_of(members: Vec<Member>, minimal: bool, needed: &BTreeSet<Member>) -> Conflict {
    let known = members.iter().filter(|member| needed.contains(member));
    Conflict {
        needed: if minimal {
            members.len()
        } else {
            known.count()
        },
        members,
        minimal,
        uncovered: None,
    }
}

/// Bounds that rarely matter, kind by kind: what ends is not before the start, what begins is not
/// after the horizon, the longest durations.
fn kinds(story: &Story<'_>, members: &[Member]) -> Vec<BTreeSet<Member>> {
    let activities = &story.narrative.spec().activities;
    let begins = |node: &Node| activities.iter().any(|given| given.start == *node);
    let kind = |is: &dyn Fn(&Source) -> bool| -> BTreeSet<Member> {
        let some = members
            .iter()
            .filter(|member| matches!(member, Member::Bound(source) if is(source)));
        some.cloned().collect()
    };
    vec![
        kind(&|source| matches!(source, Source::Start(node) if !begins(node))),
        kind(&|source| matches!(source, Source::Horizon(node) if begins(node))),
        kind(&|source| matches!(source, Source::LinkUpper(_))),
    ]
}

struct Shrink<'s, 'n, 'c, 'k> {
    story: &'s Story<'n>,
    line: usize,
    control: &'c mut Control<'k, Answer, Cost>,
    tries: usize,
    /// Iterations at which it ends.
    end: u64,
    /// Most conflicts of the next search.
    most: u64,
    /// Capacities without which the others can be kept, whatever else is left out.
    needed: BTreeSet<Member>,
}

impl Shrink<'_, '_, '_, '_> {
    /// Conflicts that the next search may have.
    fn conflicts(&self, most: u64) -> u64 {
        most.min(self.end.saturating_sub(self.control.iterations()))
    }

    /// Leaves out bounds of kinds that mostly say nothing: all of them, or else kind by kind.
    fn leave_out_kinds(&mut self, members: &mut Vec<Member>) {
        let kinds = kinds(self.story, members);
        let all: BTreeSet<Member> = kinds.iter().flatten().cloned().collect();
        for kind in [vec![all], kinds].concat() {
            let rest = members.iter().filter(|member| !kind.contains(member));
            let rest: Vec<Member> = rest.cloned().collect();
            if rest.len() == members.len() {
                continue;
            }
            if let Some(Some(fewer)) = self.fails(&rest) {
                *members = fewer;
            }
        }
    }

    /// These rules with fewer capacities, if all of them are proved to be too much.
    fn capacities(&mut self, members: Vec<Member>) -> Vec<Member> {
        let rules: BTreeSet<&Member> = members.iter().collect();
        let joint = part(self.story, self.line, &rules);
        let sets = members
            .iter()
            .filter_map(|member| Some((member, set(self.story, &joint, member)?)));
        let (names, sets) = sets.unzip::<_, _, Vec<&Member>, Vec<CriticalSet>>();
        let Some(mut search) = ResourceCore::new(&joint, &sets, self.control) else {
            return members;
        };
        let all: Vec<usize> = (0..sets.len()).collect();
        let before = self.control.iterations();
        let most = self.conflicts(u64::MAX) / 4;
        let Some(Some(mut core)) = search.among(&all, most, self.control) else {
            return members;
        };
        let most = CONFLICTS.max(TIMES * (self.control.iterations() - before));
        self.most = most;
        // What was learnt may name fewer.
        while let Some(Some(fewer)) = search.among(&core, self.conflicts(most), self.control)
            && fewer.len() < core.len()
        {
            core = fewer;
        }
        let mut size = core.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < core.len() {
                let end = (at + size).min(core.len());
                let rest = [&core[..at], &core[end..]].concat();
                match search.among(&rest, self.conflicts(most), self.control) {
                    Some(Some(fewer)) => {
                        // Those before are needed: all are there, since they keep their order.
                        at = core[..at].iter().filter(|s| fewer.contains(s)).count();
                        core = fewer;
                    }
                    Some(None) if size == 1 => {
                        self.needed.insert(names[core[at]].clone());
                        at = end;
                    }
                    _ => at = end,
                }
            }
            size /= 2;
        }
        let core: BTreeSet<&Member> = core.into_iter().map(|at| names[at]).collect();
        let is_left =
            |member: &&Member| !matches!(member, Member::Capacity { .. }) || core.contains(member);
        members.iter().filter(is_left).cloned().collect()
    }

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
        let sets: Vec<CriticalSet> = sets.collect();
        let before = self.control.iterations();
        let most = self.conflicts(self.most);
        match resolve_conflicts(&joint, most, sets, self.control) {
            Outcome::Found(..) => Some(None),
            Outcome::Uncontrollable(proof) => {
                let found = super::uncontrollable(&joint, &proof).members;
                // A duration of which one bound is left is both bounds at once.
                let named = found.into_iter().map(|member| {
                    if rules.contains(&member) {
                        member
                    } else {
                        other_end(member)
                    }
                });
                let mut named: Vec<Member> = named.collect();
                named.sort_unstable();
                named.dedup();
                Some(Some(named))
            }
            Outcome::Overloaded(_) => {
                self.most = CONFLICTS.max(TIMES * (self.control.iterations() - before));
                Some(Some(members.to_vec()))
            }
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

/// The network of a storyline with some of its rules. A duration of which one bound is left always
/// takes as long as that; one without any is ours.
fn part(story: &Story<'_>, line: usize, rules: &BTreeSet<&Member>) -> JointNetwork {
    let has = |source: Source| rules.contains(&Member::Bound(source));
    let present = &story.lines[line].present;
    let nodes = story.narrative.nodes();
    let name = |node: usize| if present[node] { node as u32 } else { ABSENT };
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
    JointNetwork {
        finest: None,
        strands: None,
        nodes,
        place: vec![place],
        requirements,
        sources,
        contingents,
    }
}

/// Activities that cannot all run at once, and the orders that would keep them apart.
fn set(story: &Story<'_>, joint: &JointNetwork, member: &Member) -> Option<CriticalSet> {
    let Member::Capacity {
        resource,
        activities,
    } = member
    else {
        return None;
    };
    CriticalSet::named(story, &joint.place[0], *resource, activities)
}
