//! A conflict in one sentence: its negative cycle, or the rule that a candidate violates.

use super::names::Names;
use crate::values::{Time, shown};
use temporal::plan::{Conflict, Member, MemberKind};
use temporal::problem::{Micros, Node};

/// Longest cycle that is written step by step.
const STEPS_MAX: usize = 12;

/// The conflict in one sentence; `rule` formats a member.
pub(super) fn summary(
    names: &Names,
    conflict: &Conflict,
    rule: impl Fn(&Member) -> String,
) -> String {
    let Conflict {
        members, minimal, ..
    } = conflict;
    if let Some(steps) = cycle(members) {
        return cycle_text(names, &steps);
    }
    if let Some((member, needed)) = broken(names, conflict) {
        return format!("{}; {needed}", rule(member));
    }
    let without = if *minimal {
        "; without any one of them the others can be"
    } else {
        ""
    };
    match members.as_slice() {
        [] => "no times satisfy all rules".into(),
        [one] => format!("{}, which cannot be satisfied", rule(one)),
        [one, other] => format!("{}, but {}", rule(one), rule(other)),
        members => format!(
            "these {} rules cannot all be satisfied{without}",
            members.len()
        ),
    }
}

/// `time(to) - time(from) >= least_us`.
#[derive(Clone, Copy)]
struct Step {
    from: Node,
    to: Node,
    least_us: Micros,
    /// Whether Nature picks it.
    natures: bool,
}

/// A member as a step; obligations to teammates are none.
fn step(member: &Member) -> Option<Step> {
    let (from, to, least_us) = match member.kind {
        MemberKind::Bound | MemberKind::ContingentLower => {
            (member.to, member.from, -member.bound_us)
        }
        MemberKind::ContingentUpper => (member.from, member.to, member.bound_us),
        MemberKind::LateEnough | MemberKind::EarlyEnough => return None,
    };
    Some(Step {
        from,
        to,
        least_us,
        natures: member.kind != MemberKind::Bound,
    })
}

/// The members as a cycle of steps that add up to more than 0, if they are one. Such steps cannot
/// all be satisfied.
fn cycle(members: &[Member]) -> Option<Vec<Step>> {
    let mut left = Vec::new();
    for member in members {
        let count = usize::try_from(member.count).ok()?;
        if left.len() + count > STEPS_MAX {
            return None;
        }
        left.extend(std::iter::repeat_n(step(member)?, count));
    }
    let begin = left.first()?.from;
    // Source: Hierholzer, "Über die Möglichkeit, einen Linienzug ohne Wiederholung und ohne
    // Unterbrechung zu umfahren", Mathematische Annalen 6 (1873).
    let mut open: Vec<(Node, Option<Step>)> = vec![(begin, None)];
    let mut walk = Vec::new();
    while let Some((at, by)) = open.last().copied() {
        if let Some(next) = left.iter().position(|step| step.from == at) {
            let step = left.remove(next);
            open.push((step.to, Some(step)));
        } else {
            open.pop();
            walk.extend(by);
        }
    }
    walk.reverse();
    let joined = walk.windows(2).all(|two| two[0].to == two[1].from);
    let closed = walk.last().is_some_and(|last| last.to == begin);
    let sum = sum(&walk);
    if !(left.is_empty() && joined && closed && sum > 0) {
        return None;
    }
    // Reads best when it goes forward first and comes back last.
    let turns = |i: &usize| {
        let before = walk[(*i + walk.len() - 1) % walk.len()];
        before.least_us < 0 && walk[*i].least_us >= 0
    };
    if let Some(first) = (0..walk.len()).find(turns) {
        walk.rotate_left(first);
    }
    Some(walk)
}

fn sum(steps: &[Step]) -> i128 {
    steps.iter().map(|step| i128::from(step.least_us)).sum()
}

/// The text of a cycle.
fn cycle_text(names: &Names, steps: &[Step]) -> String {
    let words = |step: &Step| {
        let (to, length) = (shown(names.node(step.to)), Time(step.least_us.abs()));
        match (step.natures, step.least_us < 0) {
            (false, false) => format!("at least {length} to {to}"),
            (false, true) => format!("at most {length} back to {to}"),
            (true, false) => format!("as long as {length} to {to}"),
            (true, true) => format!("as little as {length} back to {to}"),
        }
    };
    let from = shown(names.node(steps[0].from));
    let words: Vec<String> = steps.iter().map(words).collect();
    // At most `STEPS_MAX` times ten years: fits.
    let over = Time(i64::try_from(sum(steps)).unwrap_or(i64::MAX));
    format!("from {from} {}: {over} too long", words.join(", "))
}

/// The first rule that the candidate violates when the others behave as given, with its times.
fn broken<'c>(names: &Names, conflict: &'c Conflict) -> Option<(&'c Member, String)> {
    let (ours, others) = conflict.candidate.as_ref()?;
    let violation = |member: &'c Member| {
        let time_us = ours.times_us.get(member.to).copied().flatten()?;
        let when_us = *others.get(member.from)?;
        let (limit_us, is_broken, side) = match member.kind {
            MemberKind::LateEnough => {
                let needed_us = when_us - member.bound_us;
                (needed_us, time_us < needed_us, "later")
            }
            MemberKind::EarlyEnough => {
                let needed_us = when_us + member.bound_us;
                (needed_us, time_us > needed_us, "earlier")
            }
            _ => return None,
        };
        let (event, other) = (shown(names.node(member.to)), shown(names.node(member.from)));
        let (time, when, limit) = (Time(time_us), Time(when_us), Time(limit_us));
        let text = format!(
            "with {other} at {when} that is {limit} or {side}, and the best that was tried is \
             {event} at {time}"
        );
        is_broken.then_some((member, text))
    };
    conflict.members.iter().find_map(violation)
}

#[cfg(test)]
mod tests {
    use super::summary;
    use crate::mistakes::Mistakes;
    use crate::temporal::names::Names;
    use anytime::Path;
    use temporal::Schedule;
    use temporal::plan::{Conflict, Member, MemberKind as K};

    fn names() -> Names {
        let at = Path::root("problem");
        let mut wrong = Mistakes::default();
        let mut names = Names::new(String::new());
        for id in ["leave", "arrive", "rest"] {
            names.take(&at, id.into(), &mut wrong);
        }
        names
    }

    fn text(members: &[(K, usize, usize, i64)], candidate: Option<(Schedule, Vec<i64>)>) -> String {
        let member = |&(kind, from, to, s): &(K, usize, usize, i64)| Member {
            kind,
            from,
            to,
            bound_us: s * 1_000_000,
            sources: Vec::new(),
            count: 1,
        };
        let conflict = Conflict {
            members: members.iter().map(member).collect(),
            minimal: true,
            candidate,
            durations_us: Vec::new(),
        };
        summary(&names(), &conflict, |member| format!("rule {}", member.to))
    }

    #[test]
    fn bounds_that_contradict_each_other_are_a_walk() {
        let bounds = [
            (K::Bound, 1, 3, 5),
            (K::Bound, 3, 2, -1),
            (K::Bound, 2, 1, -10),
        ];
        let wanted = "from \"leave\" at least 10 s to \"arrive\", at least 1 s to \"rest\", \
                      at most 5 s back to \"leave\": 6 s too long";
        assert_eq!(text(&bounds, None), wanted);
    }

    #[test]
    fn a_walk_goes_by_what_nature_may_take() {
        let members = [
            (K::Bound, 2, 3, 3),
            (K::Bound, 3, 2, -1),
            (K::ContingentLower, 1, 2, 10),
            (K::ContingentUpper, 1, 2, 20),
        ];
        let wanted = "from \"leave\" as long as 20 s to \"arrive\", at least 1 s to \"rest\", \
                      at most 3 s back to \"arrive\", \
                      as little as 10 s back to \"leave\": 8 s too long";
        assert_eq!(text(&members, None), wanted);
    }

    #[test]
    fn bounds_that_make_no_cycle_are_counted() {
        let members = [
            (K::Bound, 1, 2, -1),
            (K::Bound, 2, 3, -1),
            (K::Bound, 3, 2, -1),
            (K::Bound, 1, 2, 9),
        ];
        assert!(text(&members, None).starts_with("these 4 rules"));
        // This cycle can be satisfied.
        assert!(!text(&[(K::Bound, 1, 2, 5), (K::Bound, 2, 1, -5)], None).contains("too long"));
    }

    #[test]
    fn obligations_to_teammates_come_with_the_candidate_that_breaks_them() {
        let members = [(K::LateEnough, 2, 3, -3), (K::EarlyEnough, 2, 3, 10)];
        let ours = Schedule {
            times_us: vec![Some(0), Some(0), None, Some(8_000_000)],
        };
        let candidate = Some((ours, vec![0, 0, 20_000_000, 8_000_000]));
        let wanted = "rule 3; with \"arrive\" at 20 s that is 23 s or later, and the best that was \
                      tried is \"rest\" at 8 s";
        assert_eq!(text(&members, candidate), wanted);
        assert_eq!(text(&members, None), "rule 3, but rule 3");
    }
}
