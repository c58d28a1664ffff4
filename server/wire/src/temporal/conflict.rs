//! Conflicts for the wire.

use super::names::Names;
use super::schedule::times;
use super::summary::summary;
use crate::values::{Time, duration_of_micros, shown};
use stratagem_proto::v1 as pb;
use temporal::Network;
use temporal::plan::{Conflict, Member, MemberKind};
use temporal::problem::{Micros, Node, ORIGIN, Owner, Progress, Source};

/// A conflict for the wire.
pub(super) fn conflict(
    network: &Network,
    names: &Names,
    conflict: &Conflict,
) -> pb::TemporalConflict {
    let summary = summary(names, conflict, |member| text(names, member));
    let Conflict {
        members,
        minimal,
        candidate,
        durations_us,
    } = conflict;
    let (candidate, behaviour) = match candidate {
        None => (Vec::new(), Vec::new()),
        Some((ours, all)) => {
            let others = all.iter().enumerate().map(|(node, time)| {
                let owner = network.owner(node)?;
                (owner != Owner::Controllable).then_some(*time)
            });
            let others: Vec<Option<Micros>> = others.collect();
            (times(names, &ours.times_us), times(names, &others))
        }
    };
    let lengths = names.contingent.iter().zip(durations_us);
    let durations = lengths.map(|(link, duration_us)| pb::TemporalContingentDuration {
        link_id: link.clone(),
        duration: Some(duration_of_micros(*duration_us)),
    });
    pb::TemporalConflict {
        summary,
        members: members
            .iter()
            .map(|one| member(names, one, network.spec().progress.as_ref()))
            .collect(),
        minimal: *minimal,
        candidate,
        behavior: behaviour,
        durations: durations.collect(),
    }
}

fn member(
    names: &Names,
    member: &Member,
    progress: Option<&Progress>,
) -> pb::TemporalConflictMember {
    use pb::TemporalConflictMemberKind as Kind;
    let kind = match member.kind {
        MemberKind::Bound => Kind::Bound,
        MemberKind::LateEnough => Kind::LateEnough,
        MemberKind::EarlyEnough => Kind::EarlyEnough,
        MemberKind::ContingentLower => Kind::ContingentLower,
        MemberKind::ContingentUpper => Kind::ContingentUpper,
    };
    let links = member.sources.iter();
    let links = links.filter_map(|source| names.link(*source));
    let link_ids: Vec<String> = links.map(|(id, _)| id.to_owned()).collect();
    pb::TemporalConflictMember {
        kind: kind.into(),
        from_event_id: names.node(member.from).into(),
        to_event_id: names.node(member.to).into(),
        bound: Some(duration_of_micros(member.bound_us)),
        message: format!(
            "{}{}",
            text(names, member),
            origins(&link_ids, member, progress)
        ),
        link_ids,
        count: i32::try_from(member.count).unwrap_or(i32::MAX),
    }
}

/// The sources of a rule.
fn origins(links: &[String], member: &Member, progress: Option<&Progress>) -> String {
    let mut origins: Vec<String> = links.iter().map(|id| shown(id)).collect();
    if origins.len() < member.sources.len() {
        let has_happened = |node: Node| {
            let times = progress.map(|progress| &progress.times_us);
            times.is_some_and(|times| matches!(times.get(node - 1), Some(Some(_))))
        };
        let origin = member.sources.iter().find_map(|source| match *source {
            Source::Horizon(node) | Source::Start(node) if has_happened(node) => {
                Some("it has happened")
            }
            Source::Start(_) if progress.is_some() => Some("the current time"),
            _ => None,
        });
        origins.push(origin.unwrap_or("the horizon").into());
    }
    match origins.as_slice() {
        [] => String::new(),
        [one] => format!(" ({one})"),
        several => format!(" ({})", several.join(", ")),
    }
}

/// The text of a rule.
fn text(names: &Names, member: &Member) -> String {
    let (from, to) = (shown(names.node(member.from)), shown(names.node(member.to)));
    let bound = member.bound_us;
    let length = Time(bound.abs());
    match member.kind {
        MemberKind::Bound => bounded(names, member),
        MemberKind::LateEnough if bound == 0 => {
            format!("{to} may not happen before {from}, however late that happens")
        }
        MemberKind::LateEnough => {
            format!("{to} must happen at least {length} after {from}, however late that happens")
        }
        MemberKind::EarlyEnough if bound < 0 => {
            format!("{to} must happen at least {length} before {from}, however early that happens")
        }
        MemberKind::EarlyEnough => {
            format!("{to} must happen at most {length} after {from}, however early that happens")
        }
        MemberKind::ContingentLower => {
            format!("from {from} to {to} Nature may take only {length}")
        }
        MemberKind::ContingentUpper => {
            format!("from {from} to {to} Nature may take as long as {length}")
        }
    }
}

/// The text of `time(to) - time(from) <= bound`.
fn bounded(names: &Names, member: &Member) -> String {
    let (from, to) = (shown(names.node(member.from)), shown(names.node(member.to)));
    let bound = member.bound_us;
    let length = Time(bound.abs());
    match (member.from, member.to, bound < 0) {
        (ORIGIN, _, _) => format!("{to} must happen by {}", Time(bound)),
        (_, ORIGIN, _) => format!("{from} may not happen before {}", Time(-bound)),
        (_, _, true) => format!("{from} must happen at least {length} after {to}"),
        (_, _, false) if bound == 0 => format!("{to} may not happen after {from}"),
        (_, _, false) => format!("{to} must happen at most {length} after {from}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, member};
    use crate::mistakes::Mistakes;
    use anytime::Path;
    use temporal::plan::{Member, MemberKind};
    use temporal::problem::{Progress, Source};

    fn names() -> Names {
        let at = Path::root("problem");
        let mut wrong = Mistakes::default();
        let mut names = Names::new(String::new());
        names.take(&at, "chest".into(), &mut wrong);
        names.take(&at, "alarm".into(), &mut wrong);
        names.links = vec!["surprise".into()];
        names.contingent = vec!["ride".into()];
        names
    }

    fn message(kind: MemberKind, from: usize, to: usize, bound_us: i64, source: Source) -> String {
        let one = Member {
            kind,
            from,
            to,
            bound_us,
            sources: vec![source],
            count: 1,
        };
        member(&names(), &one, None).message
    }

    #[test]
    fn rules_use_the_ids_of_the_caller_and_seconds() {
        use MemberKind as K;
        let link = Source::LinkUpper(0);
        for (kind, from, to, bound_us, wanted) in [
            (
                K::Bound,
                1,
                2,
                1_500_000,
                "\"alarm\" must happen at most 1.5 s after \"chest\"",
            ),
            (
                K::Bound,
                2,
                1,
                -3_000_000,
                "\"alarm\" must happen at least 3 s after \"chest\"",
            ),
            (K::Bound, 0, 2, 60_000_000, "\"alarm\" must happen by 1 min"),
            (
                K::Bound,
                2,
                0,
                -1,
                "\"alarm\" may not happen before 0.000001 s",
            ),
            (
                K::Bound,
                1,
                2,
                0,
                "\"alarm\" may not happen after \"chest\"",
            ),
            (
                K::LateEnough,
                1,
                2,
                -3_000_000,
                "\"alarm\" must happen at least 3 s after \"chest\", however late that happens",
            ),
            (
                K::EarlyEnough,
                1,
                2,
                10_000_000,
                "\"alarm\" must happen at most 10 s after \"chest\", however early that happens",
            ),
        ] {
            let text = message(kind, from, to, bound_us, link);
            assert_eq!(text, format!("{wanted} (\"surprise\")"));
        }
    }

    #[test]
    fn rules_of_nature_and_of_the_horizon_say_so() {
        use MemberKind as K;
        let nature = message(
            K::ContingentUpper,
            1,
            2,
            5_000_000,
            Source::ContingentUpper(0),
        );
        let wanted = "from \"chest\" to \"alarm\" Nature may take as long as 5 s (\"ride\")";
        assert_eq!(nature, wanted);
        let horizon = message(K::Bound, 0, 2, 1_000_000, Source::Horizon(2));
        assert_eq!(horizon, "\"alarm\" must happen by 1 s (the horizon)");
    }

    #[test]
    fn what_has_happened_is_no_horizon() {
        let progress = Progress {
            now_us: 5_000_000,
            times_us: vec![None, Some(1_000_000)],
        };
        let message = |from, to, bound_us, source| {
            let one = Member {
                kind: MemberKind::Bound,
                from,
                to,
                bound_us,
                sources: vec![source],
                count: 1,
            };
            member(&names(), &one, Some(&progress)).message
        };
        assert_eq!(
            message(0, 2, 1_000_000, Source::Horizon(2)),
            "\"alarm\" must happen by 1 s (it has happened)"
        );
        assert_eq!(
            message(1, 0, -5_000_000, Source::Start(1)),
            "\"chest\" may not happen before 5 s (the current time)"
        );
    }
}
