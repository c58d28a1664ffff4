//! Why there is no plan, and what would help, for people and programs.

use super::names::Names;
use super::plan::count;
use crate::values::{Time, duration_of_micros, shown};
use narrative::Narrative;
use narrative::plan::{Change, Conflict, Member, Relaxation};
use narrative::problem::{Micros, Source};
use stratagem_proto::v1 as pb;

/// A conflict for the wire.
pub(super) fn conflict(
    narrative: &Narrative,
    names: &Names,
    conflict: &Conflict,
) -> pb::NarrativeConflict {
    let Conflict {
        members,
        minimal,
        needed,
        uncovered,
    } = conflict;
    let uncovered = uncovered.clone().unwrap_or_default();
    let durations = uncovered.durations_us.iter();
    let durations = durations.map(|(link, duration_us)| {
        let link = &names.contingent[*link];
        pb::TemporalContingentDuration {
            link_id: link.id.clone(),
            duration: Some(duration_of_micros(*duration_us - link.later_us)),
        }
    });
    let picks = uncovered.picks.iter().enumerate();
    let picks = picks.filter_map(|(choice, pick)| Some(names.pick(choice, (*pick)?)));
    pb::NarrativeConflict {
        summary: summary(
            members,
            *minimal,
            *needed,
            !uncovered.durations_us.is_empty(),
        ),
        members: members
            .iter()
            .map(|one| member(narrative, names, one))
            .collect(),
        minimal: *minimal,
        uncovered_durations: durations.collect(),
        uncovered_picks: picks.collect(),
    }
}

fn summary(members: &[Member], minimal: bool, needed: usize, uncovered: bool) -> String {
    let what = match members {
        [] => "no plan satisfies every rule".to_owned(),
        [_] => "this rule cannot be satisfied".to_owned(),
        members => format!("these {} rules cannot be satisfied together", members.len()),
    };
    let without = match (minimal, members.len()) {
        (_, 0 | 1) => String::new(),
        (true, _) => "; without any one of them the others can be".into(),
        (false, _) => format!("; {needed} of them are known to be needed, others may not be"),
    };
    let when = if uncovered {
        ", at least not for these durations and picks"
    } else {
        ""
    };
    format!("{what}{when}{without}")
}

fn member(narrative: &Narrative, names: &Names, member: &Member) -> pb::NarrativeConflictMember {
    use pb::narrative_conflict_member::Rule;
    let (message, rule) = match member {
        Member::Bound(source) => bound(narrative, names, *source),
        Member::Capacity {
            resource,
            activities,
        } => {
            let ids: Vec<String> = activities
                .iter()
                .map(|activity| names.activities[*activity].clone())
                .collect();
            let quoted: Vec<String> = ids.iter().map(|id| shown(id)).collect();
            let capacity = narrative.spec().resources[*resource].capacity;
            let resource = &names.resources[*resource];
            let message = format!(
                "{} together need more of {} than its capacity, {capacity}",
                quoted.join(", "),
                shown(resource),
            );
            let overload = pb::NarrativeOverload {
                resource_id: resource.clone(),
                activity_ids: ids,
            };
            (message, Rule::Overload(overload))
        }
        Member::Choice { choice } => {
            let id = &names.choices[*choice].id;
            let message = format!("no option of {} works for all that may come", shown(id));
            (message, Rule::ChoiceId(id.clone()))
        }
    };
    pb::NarrativeConflictMember {
        message,
        rule: Some(rule),
    }
}

fn bound(
    narrative: &Narrative,
    names: &Names,
    source: Source,
) -> (String, pb::narrative_conflict_member::Rule) {
    use pb::narrative_conflict_member::Rule;
    let spec = narrative.spec();
    let quoted = |node| shown(names.node(node));
    let (message, node) = match source {
        Source::Horizon(node) => {
            let horizon = Time(spec.horizon_us.unwrap_or(0));
            (
                format!("{} happens by the horizon, {horizon}", quoted(node)),
                node,
            )
        }
        Source::Start(node) => {
            let now = Time(spec.progress.now_us);
            (
                format!("{} does not happen before {now}", quoted(node)),
                node,
            )
        }
        Source::Happened(node) => {
            let time = Time(narrative.happened(node).unwrap_or(0));
            (format!("{} happened at {time}", quoted(node)), node)
        }
        Source::LinkUpper(_)
        | Source::LinkLower(_)
        | Source::ContingentUpper(_)
        | Source::ContingentLower(_) => return of_link(narrative, names, source),
    };
    (message, Rule::EventId(names.node(node).to_owned()))
}

fn of_link(
    narrative: &Narrative,
    names: &Names,
    source: Source,
) -> (String, pb::narrative_conflict_member::Rule) {
    let (from, to, value_us) = ends(narrative, source).expect("sources of conflicts are bounds");
    let (from_id, to_id) = (names.node(from), names.node(to));
    let (from, to) = (shown(from_id), shown(to_id));
    let Some((link, side)) = names.link(source) else {
        let begins = Time(value_us);
        let message = format!("{to} is not before its group begins, at {begins}");
        let rule = pb::narrative_conflict_member::Rule::EventId(to_id.to_owned());
        return (message, rule);
    };
    let value_us = value_us - link.later_us;
    let value = Time(value_us);
    let message = match source {
        Source::LinkUpper(_) => format!("{to} is at most {value} after {from}"),
        Source::LinkLower(_) => format!("{to} is at least {value} after {from}"),
        Source::ContingentUpper(_) => format!("from {from} to {to} it may take as long as {value}"),
        _ => format!("from {from} to {to} it may take only {value}"),
    };
    let rule = pb::narrative_conflict_member::Rule::Bound(pb::NarrativeBound {
        link_id: link.id.clone(),
        side: side.into(),
        bound: Some(duration_of_micros(value_us)),
    });
    (format!("{message} ({})", shown(&link.id)), rule)
}

/// Both ends of a link and the bound of it that a source names.
fn ends(narrative: &Narrative, source: Source) -> Option<(usize, usize, Micros)> {
    let spec = narrative.spec();
    Some(match source {
        Source::LinkUpper(link) => {
            let link = spec.links[link];
            (link.from, link.to, link.upper_us?)
        }
        Source::LinkLower(link) => {
            let link = spec.links[link];
            (link.from, link.to, link.lower_us?)
        }
        Source::ContingentUpper(link) => {
            let link = spec.contingent[link];
            (link.from, link.to, link.upper_us)
        }
        Source::ContingentLower(link) => {
            let link = spec.contingent[link];
            (link.from, link.to, link.lower_us)
        }
        Source::Horizon(_) | Source::Start(_) | Source::Happened(_) => return None,
    })
}

/// A relaxation for the wire; `None` for changes of what no link has.
pub(super) fn relaxation(
    narrative: &Narrative,
    names: &Names,
    relaxation: &Relaxation,
) -> Option<pb::NarrativeRelaxation> {
    use pb::narrative_change::Kind;
    let change = |change: &Change| {
        let kind = match *change {
            Change::Bound {
                source,
                old_us,
                new_us,
            } => {
                let (link, side) = names.link(source)?;
                Kind::Bound(pb::TemporalBoundChange {
                    link_id: link.id.clone(),
                    side: side.into(),
                    old_bound: Some(duration_of_micros(old_us - link.later_us)),
                    new_bound: Some(duration_of_micros(new_us - link.later_us)),
                })
            }
            Change::Capacity { resource, capacity } => {
                Kind::Capacity(pb::NarrativeCapacityChange {
                    resource_id: names.resources[resource].clone(),
                    old_capacity: count(narrative.spec().resources[resource].capacity),
                    new_capacity: count(capacity),
                })
            }
            Change::Chooser { choice } => Kind::SystemChoiceId(names.choices[choice].id.clone()),
            Change::Offer { choice, option } => Kind::OfferedOption(names.pick(choice, option)),
            Change::Withhold { choice, option } => Kind::WithheldOption(names.pick(choice, option)),
        };
        Some(pb::NarrativeChange { kind: Some(kind) })
    };
    let changes: Option<Vec<_>> = relaxation.changes.iter().map(change).collect();
    Some(pb::NarrativeRelaxation { changes: changes? })
}
