//! Deletion filter for a story with choices.

use super::super::feasible;
use super::super::story::Story;
use crate::plan::{Answer, Conflict, Cost, Member};
use crate::problem::{Chooser, Micros, Narrative, Source};
use anytime::{Control, Limits};
use std::collections::BTreeSet;

/// Most parts of a conflict that are looked at.
const TRIES_MAX: usize = 400;
/// Limit of iterations for each; when the proof with all rules took more, `TIMES` times its
/// iterations.
const ITERATIONS: u64 = 200;
const TIMES: u64 = 4;
/// Most iterations for all together, and for the proof with all rules.
const WORK_MAX: u64 = 8_000;
const FIRST_MAX: u64 = 4_000;
/// Rounds of effort in which the proof with all rules is looked for.
const ROUNDS: [u32; 3] = [1, 2, 4];

/// A conflict of a story with choices with as few of its rules as can be found: rules are left out
/// as long as the rest is proved infeasible. It is minimal when none can be left out: each time
/// there is a plan for the rest.
///
/// Rules that matter little or a lot are tried first, kind by kind: that nothing is before the
/// start, the horizon, whole choices, resources. The fewer choices there are, the fewer other rules
/// are needed. Then many rules are tried together and then fewer.
///
/// Which links are seen, and when policies are distinguished, stays as it is with all rules. A
/// resource only forbids that the activities of each named set all overlap; others may, also those
/// of two sets. A duration with one bound left always takes as long as that; one without any is
/// ours. A choice that is left out need not be part of a storyline.
///
/// `effort`: how many times as much may be done as at first. Rules that an answer already shows to
/// be needed stay.
pub(crate) fn minimised_with_choices(
    narrative: &Narrative,
    conflict: &Conflict,
    effort: u32,
    needed: &mut BTreeSet<Member>,
    control: &mut Control<'_, Answer, Cost>,
) -> Conflict {
    let times = u64::from(effort);
    let mut search = Search {
        narrative,
        tries: super::tries_max(narrative.nodes(), TRIES_MAX) * effort as usize,
        work: WORK_MAX * times,
        most: FIRST_MAX * times,
        times,
        rounds: 1,
        control,
    };
    let mut members = conflict.members.clone();
    if !search.begin(&members) {
        return conflict.clone();
    }
    search.leave_out(&mut members, needed);
    // For a single storyline another search finds which rules are needed, without regard to what
    // choices see.
    let needed = match narrative.storylines().len() {
        1 => 0,
        _ => members.iter().filter(|one| needed.contains(one)).count(),
    };
    Conflict {
        minimal: needed > 0 && needed == members.len(),
        needed,
        members,
        uncovered: conflict.uncovered.clone(),
    }
}

/// Without a choice it is another story, in which other rules may be needed: whether that is so.
fn forget<'m>(
    left_out: impl IntoIterator<Item = &'m Member>,
    needed: &mut BTreeSet<Member>,
) -> bool {
    let mut left_out = left_out.into_iter();
    let is_other = left_out.any(|member| matches!(member, Member::Choice { .. }));
    if is_other {
        needed.clear();
    }
    is_other
}

/// Rules that are left out together, those first that others can hardly do without.
fn kinds(members: &[Member]) -> Vec<BTreeSet<Member>> {
    let of = |is: &dyn Fn(&Member) -> bool| -> BTreeSet<Member> {
        members
            .iter()
            .filter(|member| is(member))
            .cloned()
            .collect()
    };
    let starts = of(&|member| matches!(member, Member::Bound(Source::Start(_))));
    let horizon = of(&|member| matches!(member, Member::Bound(Source::Horizon(_))));
    let mut all = vec![starts, horizon];
    let choices = members.iter().rev();
    let choices = choices.filter(|member| matches!(member, Member::Choice { .. }));
    all.extend(choices.map(|choice| BTreeSet::from([choice.clone()])));
    let mut resources = BTreeSet::new();
    for member in members {
        if let Member::Capacity { resource, .. } = member {
            resources.insert(*resource);
        }
    }
    all.extend(resources.into_iter().map(|ours| {
        of(&|member| matches!(member, Member::Capacity { resource, .. } if *resource == ours))
    }));
    all.retain(|kind| !kind.is_empty());
    all
}

struct Search<'s, 'c, 'k> {
    narrative: &'s Narrative,
    tries: usize,
    /// Iterations that are left.
    work: u64,
    /// Most iterations for one.
    most: u64,
    /// How many times as many as at first.
    times: u64,
    /// Rounds of effort for one.
    rounds: u32,
    control: &'c mut Control<'k, Answer, Cost>,
}

impl Search<'_, '_, '_> {
    /// Leaves out what is not needed, and notes what is.
    fn leave_out(&mut self, members: &mut Vec<Member>, needed: &mut BTreeSet<Member>) {
        for kind in kinds(members) {
            let is_kind = |member: &Member| kind.contains(member);
            let rest: Vec<Member> = members.iter().filter(|m| !is_kind(m)).cloned().collect();
            if kind.is_disjoint(needed) && self.fails(&rest) == Some(true) {
                forget(&kind, needed);
                *members = rest;
            }
        }
        let mut size = members.len().div_ceil(2).max(1);
        while size > 0 && self.tries > 0 {
            let (mut at, mut is_other) = (0, false);
            while at < members.len() {
                let end = (at + size).min(members.len());
                if members[at..end].iter().any(|one| needed.contains(one)) {
                    // Smaller parts have their turn later.
                    at = end;
                    continue;
                }
                let rest = [&members[..at], &members[end..]].concat();
                match self.fails(&rest) {
                    Some(true) => {
                        is_other |= forget(&members[at..end], needed);
                        *members = rest;
                    }
                    Some(false) => {
                        if size == 1 {
                            needed.insert(members[at].clone());
                        }
                        at = end;
                    }
                    None => at = end,
                }
            }
            size = if is_other {
                members.len().div_ceil(2)
            } else {
                size / 2
            };
        }
    }

    /// Repeats the proof that these rules cannot be kept, and learns what it takes.
    fn begin(&mut self, members: &[Member]) -> bool {
        for rounds in ROUNDS {
            let before = self.work;
            self.rounds = rounds;
            if self.fails(members) == Some(true) {
                self.most = self.times * ITERATIONS.max(TIMES * (before - self.work));
                return true;
            }
        }
        false
    }

    /// Whether it is proved that these rules cannot be kept; false: they can. `None`: unknown.
    fn fails(&mut self, members: &[Member]) -> Option<bool> {
        if members.is_empty() {
            return Some(false);
        }
        if self.tries == 0 || self.work == 0 || !self.control.tick() {
            self.tries = 0;
            return None;
        }
        self.tries -= 1;
        let rules: BTreeSet<&Member> = members.iter().collect();
        let narrative = without_choices(self.narrative, &rules)?;
        let limits = Limits {
            iterations_max: Some(self.most.min(self.work)),
            ..self.control.limits().clone()
        };
        let mut ignore = |_: &Answer, _: Cost| {};
        let mut control = Control::new(limits, self.control.seed(0), &mut ignore);
        let go_on = &mut || control.go_on();
        let mut story = Story::new(&narrative, go_on)?.with_strands(go_on)?;
        leave_out(&mut story, &rules);
        let mut is_feasible = feasible::is_feasible(&story, self.rounds, &mut control);
        if is_feasible == Some(true) && !story.strands.is_empty() {
            // What is not refuted by strands need not have a plan.
            story.strands.clear();
            let found = feasible::is_feasible(&story, self.rounds, &mut control);
            is_feasible = found.filter(|is_feasible| *is_feasible);
        }
        self.work = self.work.saturating_sub(control.iterations());
        is_feasible.map(|is_feasible| !is_feasible)
    }
}

/// The narrative without its choices that are no rules.
fn without_choices(narrative: &Narrative, rules: &BTreeSet<&Member>) -> Option<Narrative> {
    let mut spec = narrative.spec().clone();
    let mut all = true;
    for (choice, given) in spec.choices.iter_mut().enumerate() {
        let is_here = given
            .options
            .iter()
            .flatten()
            .all(|node| narrative.contains(*node));
        if is_here && !rules.contains(&Member::Choice { choice }) {
            given.chooser = Chooser::System;
            given.options.push(Vec::new());
            all = false;
        }
    }
    if all {
        Some(narrative.clone())
    } else {
        narrative.with_spec(spec).ok()
    }
}

/// Leaves bounds, durations and capacities out of a story.
fn leave_out(story: &mut Story<'_>, rules: &BTreeSet<&Member>) {
    let has = |source: Source| rules.contains(&Member::Bound(source));
    story.bounds.retain(|bound| has(bound.source));
    let ends = |at: usize, lower: Micros, upper: Micros| {
        let both = (
            has(Source::ContingentLower(at)),
            has(Source::ContingentUpper(at)),
        );
        match both {
            (true, true) => Some((lower, upper)),
            (true, false) => Some((lower, lower)),
            (false, true) => Some((upper, upper)),
            (false, false) => None,
        }
    };
    let open = std::mem::take(&mut story.open).into_iter();
    let open = open.filter_map(|mut open| {
        (open.lower, open.upper) = ends(open.contingent, open.lower, open.upper)?;
        Some(open)
    });
    story.open = open.collect();
    let short = rules.iter().filter_map(|member| match member {
        Member::Capacity {
            resource,
            activities,
        } => Some((*resource, activities.clone())),
        _ => None,
    });
    story.short = Some(short.collect());
}
