//! A narrative, from the wire.

mod story;

pub(super) use story::progress;

use super::names::{InRequest, Names, Written};
use crate::links::{Links, Read, TIME_MAX_US, links};
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, read_each, rounded_micros, shown};
use anytime::Path;
use narrative::Narrative;
use narrative::problem::{Contingent, Link, Micros, Node, Objective, Spec, Start};
use stratagem_proto::v1 as pb;

/// Most groups.
pub(super) const GROUPS_MAX: usize = 32;

/// A checked narrative, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub narrative: Narrative,
    pub names: Names,
    /// Origins of groups that are events, with their times.
    pub origins: Vec<(Node, Micros)>,
}

/// A narrative; `None` when it is invalid. One with mistakes in single fields is looked at with
/// other values in their place, so that what refers to it can be read too.
pub(crate) fn problem(
    given: pb::NarrativeProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let mut written = Written::new(given.origin_id);
    let (groups_given, progress_given) = (given.groups, given.progress);
    read_each(given.events, &at.field("events"), |event, at| {
        written.take_event(&at.field("id"), event.id, wrong);
    });
    let read = links((given.links, given.contingent_links), at, &written, wrong);
    written.links.clone_from(&read.requirements.ids);
    written.contingent.clone_from(&read.contingent.ids);
    let resources = story::resources(given.resources, at, &mut written, wrong);
    let (activities, activities_at) = story::activities(given.activities, at, &mut written, wrong);
    let (choices, withheld) = story::choices(given.choices, at, &mut written, wrong);
    let (objective, waiting) = objective(given.objective, at, &written, wrong);
    let spec = Spec {
        events: written.events.list().len(),
        links: requirements(&read),
        contingent: contingent(&read),
        activities,
        resources,
        choices,
        groups: Vec::new(),
        withheld,
        waiting,
        horizon_us: given.horizon_offset.as_ref().map(rounded_micros),
        progress: narrative::problem::Progress::default(),
        objective,
    };
    // Also with mistakes of single fields, so that the caller hears about everything at once.
    if let Err(faults) = Narrative::new(spec.clone()) {
        let names = InRequest {
            written: &written,
            read: &read,
            activities_at: &activities_at,
        };
        wrong.add_faults(&faults, &names, at);
    }
    with_groups(groups_given, progress_given, spec, &written, at, wrong)
}

/// The narrative for all groups, with what has happened; what is wrong now is wrong about these.
fn with_groups(
    given: Vec<pb::NarrativeGroup>,
    progress: Option<pb::NarrativeProgress>,
    spec: Spec,
    written: &Written,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let (starts, groups) = groups(given, at, wrong);
    let names = written.with_groups(&spec, &groups, &starts);
    let origins = spec.own_origins(&starts);
    let mut spec = if starts.is_empty() {
        spec
    } else {
        spec.copies(&starts)
    };
    spec.progress = story::progress(progress, &at.field("progress"), &names, wrong);
    let now_us = spec.progress.now_us;
    let happened = &mut spec.progress.happened;
    let origins = origins.into_iter();
    let origins: Vec<_> = origins.map(|(node, _, time_us)| (node, time_us)).collect();
    for &(node, time_us) in &origins {
        if time_us <= now_us && happened.iter().all(|(listed, _)| *listed != node) {
            happened.push((node, time_us));
        }
    }
    if !wrong.is_empty() {
        return None;
    }
    match Narrative::new(spec) {
        Ok(narrative) => Some(Decoded {
            narrative,
            names,
            origins,
        }),
        Err(faults) => {
            wrong.add_faults(&faults, &names, at);
            None
        }
    }
}

fn requirements(read: &Links) -> Vec<Link> {
    let link = |link: &Read| Link {
        from: link.from,
        to: link.to,
        lower_us: link.lower_us,
        upper_us: link.upper_us,
    };
    read.requirements.links.iter().map(link).collect()
}

fn contingent(read: &Links) -> Vec<Contingent> {
    let link = |link: &Read| Contingent {
        from: link.from,
        to: link.to,
        lower_us: link.lower_us.unwrap_or(0),
        upper_us: link.upper_us.unwrap_or(TIME_MAX_US),
    };
    read.contingent.links.iter().map(link).collect()
}

/// What counts, and the links that are idle time.
fn objective(
    given: Option<pb::NarrativeObjective>,
    at: &Path<'_>,
    written: &Written,
    wrong: &mut Mistakes,
) -> (Objective, Vec<usize>) {
    let at = at.field("objective");
    let given = given.unwrap_or_default();
    let objective = Objective {
        makespan: given.makespan_weight.unsigned_abs(),
        slack: given.slack_weight.unsigned_abs(),
        idle: given.idle_weight.unsigned_abs(),
    };
    let mut waiting = Vec::new();
    read_each(
        given.idle_link_ids,
        &at.field("idle_link_ids"),
        |id, at| match written.links.iter().position(|known| *known == id) {
            Some(link) if waiting.contains(&link) => {
                wrong.add(at, Code::Duplicate, "is there already");
            }
            Some(link) => waiting.push(link),
            None => {
                let why = format!("is {}, which is no requirement link", shown(&id));
                wrong.add(at, Code::Unknown, why);
            }
        },
    );
    (objective, waiting)
}

fn groups(
    given: Vec<pb::NarrativeGroup>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> (Vec<Start>, Ids) {
    let mut ids = Ids::default();
    let starts = read_each(given, &at.field("groups"), |group, at| {
        let id = at.field("id");
        super::names::no_group(&id, &group.id, wrong);
        ids.take(&id, group.id, wrong);
        let offset_us = group.start_offset.as_ref().map_or(0, rounded_micros);
        Start { offset_us }
    });
    (starts, ids)
}
