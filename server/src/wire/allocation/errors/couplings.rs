//! Which field of the couplings an error is about.

use crate::wire::mistakes::Code;
use allocation::errors::{CouplingError as E, List, Site};

/// Path within the problem, and code.
pub(super) fn place(error: &E) -> (String, Code) {
    match error {
        E::TooMany { list, .. } => (list_field(*list), Code::TooMany),
        E::UnknownTask { site, member, .. } => (member_field(*site, *member), Code::Unknown),
        E::Repeated { site, member, .. } => (member_field(*site, *member), Code::Duplicate),
        E::UnknownAgent { index, .. } => (field(Site::Break(*index), "agent_id"), Code::Unknown),
        E::TooManyOfAgent { index, .. } => (field(Site::Break(*index), "agent_id"), Code::TooMany),
        E::GroupTooSmall { group, .. } => (field(Site::Group(*group), "task_ids"), Code::Required),
        E::TimeOutOfRange { site, .. } => (field(*site, earliest(*site)), Code::OutOfRange),
        E::LatestOutOfRange { site, .. } => (field(*site, latest(*site)), Code::OutOfRange),
        E::Reversed { site, .. } => (field(*site, latest(*site)), Code::Reversed),
        E::LengthOutOfRange { index, .. } => {
            let field = field(Site::Break(*index), "length_duration");
            (field, Code::OutOfRange)
        }
        E::BeforeShift { index, .. } => (
            field(Site::Break(*index), "latest_offset"),
            Code::OutOfRange,
        ),
        E::EarlyOutOfRange { index, .. } => {
            let field = field(Site::Preference(*index), "early_cost");
            (field, Code::OutOfRange)
        }
        E::LateOutOfRange { index, .. } => {
            let field = field(Site::Preference(*index), "late_cost");
            (field, Code::OutOfRange)
        }
        E::DeliveryDemands { task, .. } => (format!("tasks[{task}].demands"), Code::Contradiction),
        E::PairWithoutAgent { pair } => (element(Site::Pair(*pair)), Code::Contradiction),
        // Of circles the text names the tasks; the planner may learn of more.
        _ => ("couplings".into(), Code::Contradiction),
    }
}

fn list_field(list: List) -> String {
    let name = match list {
        List::Orders => "orders",
        List::Pairs => "pairs",
        List::Groups => "groups",
        List::Breaks => "breaks",
        List::Preferences => "preferences",
    };
    format!("couplings.{name}")
}

fn element(site: Site) -> String {
    let (list, index) = match site {
        Site::Order(index) => (List::Orders, index),
        Site::Pair(index) => (List::Pairs, index),
        Site::Group(index) => (List::Groups, index),
        Site::Break(index) => (List::Breaks, index),
        Site::Preference(index) => (List::Preferences, index),
    };
    format!("{}[{index}]", list_field(list))
}

fn field(site: Site, name: &str) -> String {
    format!("{}.{name}", element(site))
}

fn member_field(site: Site, member: usize) -> String {
    let name = match (site, member) {
        (Site::Order(_), 0) => "first_task_id",
        (Site::Order(_), _) => "second_task_id",
        (Site::Pair(_), 0) => "pickup_task_id",
        (Site::Pair(_), _) => "delivery_task_id",
        (Site::Group(_), _) => return field(site, &format!("task_ids[{member}]")),
        (Site::Break(_) | Site::Preference(_), _) => "task_id",
    };
    field(site, name)
}

fn earliest(site: Site) -> &'static str {
    match site {
        Site::Order(_) => "min_gap_duration",
        Site::Preference(_) => "from_offset",
        Site::Pair(_) | Site::Group(_) | Site::Break(_) => "earliest_offset",
    }
}

fn latest(site: Site) -> &'static str {
    match site {
        Site::Order(_) => "max_gap_duration",
        Site::Preference(_) => "until_offset",
        Site::Pair(_) | Site::Group(_) | Site::Break(_) => "latest_offset",
    }
}
