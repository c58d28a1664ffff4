//! Links of a network, from the wire.

use super::errors::{UNBOUNDED, loops, reversed};
use super::names::{LinkIds, Names};
use crate::wire::mistakes::{Code, Mistake, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::each;
use prost_types::Duration;
use stratagem_proto::v1 as pb;
use temporal::problem::{Contingent, Link, Micros, Node, TIME_MAX_US};

/// The links that could be read, each with its index in the request.
pub(super) struct Links {
    pub links: Vec<Link>,
    pub links_at: Vec<usize>,
    pub contingent: Vec<Contingent>,
    pub contingent_at: Vec<usize>,
    /// Whether there are links that could not be read, or that have no bound.
    pub lost: bool,
}

/// The links as the request has them.
pub(super) type Given = (Vec<pb::RequirementLink>, Vec<pb::ContingentLink>);

/// Reads links, and gives each its name.
pub(super) fn links(
    (links, contingent): Given,
    at: &Path<'_>,
    names: &mut Names,
    wrong: &mut Mistakes,
) -> Links {
    let mut ids = LinkIds::default();
    let links = each(links, &at.field("links"), |given, at| {
        requirement(given, at, (names, &mut ids), wrong)
    });
    let contingent = each(contingent, &at.field("contingent_links"), |given, at| {
        uncertain(given, at, (names, &mut ids), wrong)
    });
    let whole_link = |one: &Option<(_, Link)>| matches!(one, Some((_, link)) if link.lower_us.or(link.upper_us).is_some());
    let lost = !links.iter().all(whole_link) || contingent.iter().any(Option::is_none);
    // Those that Nature picks first: their default ids have no numbers.
    let (mut contingent_at, mut links_at) = (Vec::new(), Vec::new());
    let mut kept = Vec::new();
    for (index, (id, link)) in whole(contingent) {
        contingent_at.push(index);
        let name = ids.name(id, names.node(link.from), names.node(link.to));
        names.contingent.push(name);
        kept.push(link);
    }
    let contingent = std::mem::take(&mut kept);
    let mut kept = Vec::new();
    for (index, (id, link)) in whole(links) {
        links_at.push(index);
        let name = ids.name(id, names.node(link.from), names.node(link.to));
        names.links.push(name);
        kept.push(link);
    }
    Links {
        links: kept,
        links_at,
        contingent,
        contingent_at,
        lost,
    }
}

/// Those that are there, each with its index.
fn whole<T>(list: Vec<Option<T>>) -> impl Iterator<Item = (usize, T)> {
    let list = list.into_iter().enumerate();
    list.filter_map(|(index, one)| Some((index, one?)))
}

fn requirement(
    given: pb::RequirementLink,
    at: &Path<'_>,
    (names, ids): (&Names, &mut LinkIds),
    wrong: &mut Mistakes,
) -> Option<(String, Link)> {
    let pb::RequirementLink {
        id,
        from_event_id,
        to_event_id,
        lower,
        upper,
    } = given;
    ids.take(at, &id, wrong);
    let ends = ends((&from_event_id, &to_event_id), at, names, wrong);
    let mut bound = |field, given: Option<Duration>| {
        given.map(|given| wrong.micros(&at.field(field), given, -TIME_MAX_US..=TIME_MAX_US))
    };
    let (lower_us, upper_us) = (bound("lower", lower), bound("upper", upper));
    let Some((from, to)) = ends else {
        if lower_us.is_none() && upper_us.is_none() {
            wrong.add(at, Code::Required, UNBOUNDED);
        }
        alone(
            (&from_event_id, &to_event_id),
            (lower_us, upper_us),
            at,
            wrong,
        );
        return None;
    };
    let link = Link {
        from,
        to,
        lower_us,
        upper_us,
    };
    Some((id, link))
}

fn uncertain(
    given: pb::ContingentLink,
    at: &Path<'_>,
    (names, ids): (&Names, &mut LinkIds),
    wrong: &mut Mistakes,
) -> Option<(String, Contingent)> {
    let pb::ContingentLink {
        id,
        from_event_id,
        to_event_id,
        lower,
        upper,
    } = given;
    ids.take(at, &id, wrong);
    let ends = ends((&from_event_id, &to_event_id), at, names, wrong);
    let mut bound = |field, given: Option<Duration>| {
        let at = at.field(field);
        let given = wrong.required(&at, given);
        given.map(|given| wrong.micros(&at, given, 0..=TIME_MAX_US))
    };
    let (lower_us, upper_us) = (bound("lower", lower), bound("upper", upper));
    let Some((from, to)) = ends else {
        alone(
            (&from_event_id, &to_event_id),
            (lower_us, upper_us),
            at,
            wrong,
        );
        return None;
    };
    let link = Contingent {
        from,
        to,
        lower_us: lower_us.unwrap_or(0),
        upper_us: upper_us.unwrap_or(TIME_MAX_US),
    };
    Some((id, link))
}

/// What else is wrong with a link whose ends are not both known, and which the planner therefore
/// never sees.
fn alone(
    (from, to): (&str, &str),
    bounds_us: (Option<Micros>, Option<Micros>),
    at: &Path<'_>,
    wrong: &mut Mistakes,
) {
    if from == to && !to.is_empty() {
        let at = at.field("to_event_id");
        wrong.add(&at, Code::SelfLoop, loops(to));
    }
    if let (Some(lower_us), Some(upper_us)) = bounds_us
        && upper_us < lower_us
    {
        wrong.add_unless_known(Mistake {
            field: at.field("upper").to_string(),
            code: Code::Reversed,
            description: reversed(lower_us, upper_us),
        });
    }
}

fn ends(
    (from, to): (&str, &str),
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Option<(Node, Node)> {
    let from = names.find(&at.field("from_event_id"), from, wrong);
    let to = names.find(&at.field("to_event_id"), to, wrong);
    Some((from?, to?))
}
