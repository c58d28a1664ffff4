//! Links between events, from the wire: the same in all planners that have them.

use super::mistakes::{Code, Mistakes};
use super::values::{Time, read_each, rounded_micros, shown};
use anytime::Path;
use prost_types::Duration;
use std::collections::HashMap;
use stratagem_proto::v1 as pb;

/// Longest time that a link may name, either way: ten years of 365 days, in microseconds.
pub(super) const TIME_MAX_US: i64 = 10 * 365 * 86_400 * 1_000_000;

/// Who knows the ids of events: 0 is the origin, the event with index e is node e + 1.
pub(super) trait Nodes {
    /// Id of a node.
    fn name(&self, node: usize) -> &str;

    /// Node of an id; notes when there is none.
    fn find(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize>;
}

/// A link of either kind, as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub from: usize,
    pub to: usize,
    pub lower_us: Option<i64>,
    pub upper_us: Option<i64>,
}

/// Links of one kind that could be read.
#[derive(Debug, Default)]
pub(super) struct List {
    pub links: Vec<Read>,
    /// The id of each.
    pub ids: Vec<String>,
    /// The index of each in the request.
    pub at: Vec<usize>,
}

/// The links that could be read.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub requirements: List,
    /// Both bounds of each are there.
    pub contingent: List,
    /// Whether there are links that could not be read.
    pub lost: bool,
}

/// The links as the request has them.
pub(super) type Given = (
    Vec<pb::TemporalRequirementLink>,
    Vec<pb::TemporalContingentLink>,
);

/// What is said about a link without any bound.
pub(super) const UNBOUNDED: &str = "needs a lower or an upper bound";

/// What is said about the end of a link that is its start, too.
pub(super) fn loops(event: &str) -> String {
    format!("is {}, where the link begins", shown(event))
}

/// What is said about an upper bound below the lower one.
pub(super) fn reversed(lower_us: i64, upper_us: i64) -> String {
    let (lower, upper) = (Time(lower_us), Time(upper_us));
    format!("is {upper}, below the lower bound {lower}")
}

/// Reads links, and gives each its id.
pub(super) fn links(
    (links, contingent): Given,
    at: &Path<'_>,
    nodes: &impl Nodes,
    wrong: &mut Mistakes,
) -> Links {
    let mut ids = LinkIds::default();
    let mut lost = false;
    let links = read_each(links, &at.field("links"), |given, at| {
        let given = Raw::from(given);
        ids.take(at, &given.id, wrong);
        lost |= given.lower.is_none() && given.upper.is_none();
        given.read(at, nodes, wrong)
    });
    let contingent = read_each(contingent, &at.field("contingent_links"), |given, at| {
        let given = Raw::from(given);
        ids.take(at, &given.id, wrong);
        let (id, link) = given.read(at, nodes, wrong)?;
        let link = Read {
            lower_us: link.lower_us.or(Some(0)),
            upper_us: link.upper_us.or(Some(TIME_MAX_US)),
            ..link
        };
        Some((id, link))
    });
    lost |= links.iter().any(Option::is_none) || contingent.iter().any(Option::is_none);
    // Those that others pick first: their default ids have no numbers.
    let contingent = ids.named(contingent, nodes);
    Links {
        requirements: ids.named(links, nodes),
        contingent,
        lost,
    }
}

/// A link of either kind, as given.
struct Raw {
    is_contingent: bool,
    id: String,
    from: String,
    to: String,
    lower: Option<Duration>,
    upper: Option<Duration>,
}

impl From<pb::TemporalRequirementLink> for Raw {
    fn from(given: pb::TemporalRequirementLink) -> Self {
        let pb::TemporalRequirementLink {
            id,
            from_event_id: from,
            to_event_id: to,
            lower,
            upper,
        } = given;
        Self {
            is_contingent: false,
            id,
            from,
            to,
            lower,
            upper,
        }
    }
}

impl From<pb::TemporalContingentLink> for Raw {
    fn from(given: pb::TemporalContingentLink) -> Self {
        let pb::TemporalContingentLink {
            id,
            from_event_id: from,
            to_event_id: to,
            lower,
            upper,
        } = given;
        Self {
            is_contingent: true,
            id,
            from,
            to,
            lower,
            upper,
        }
    }
}

impl Raw {
    /// The link with its id, if both ends are known.
    fn read(
        self,
        at: &Path<'_>,
        nodes: &impl Nodes,
        wrong: &mut Mistakes,
    ) -> Option<(String, Read)> {
        let from = nodes.find(&at.field("from_event_id"), &self.from, wrong);
        let to = nodes.find(&at.field("to_event_id"), &self.to, wrong);
        if !self.is_contingent && self.lower.is_none() && self.upper.is_none() {
            wrong.add(at, Code::Required, UNBOUNDED);
        }
        let bound = |given: &Option<Duration>| given.as_ref().map(rounded_micros);
        let (lower_us, upper_us) = (bound(&self.lower), bound(&self.upper));
        let (Some(from), Some(to)) = (from, to) else {
            self.alone((lower_us, upper_us), at, wrong);
            return None;
        };
        let link = Read {
            from,
            to,
            lower_us,
            upper_us,
        };
        Some((self.id, link))
    }

    /// What else is wrong with a link whose ends are not both known, and which the planner
    /// therefore never sees.
    fn alone(&self, bounds_us: (Option<i64>, Option<i64>), at: &Path<'_>, wrong: &mut Mistakes) {
        if self.from == self.to && !self.to.is_empty() {
            wrong.add(&at.field("to_event_id"), Code::SelfLoop, loops(&self.to));
        }
        if let (Some(lower_us), Some(upper_us)) = bounds_us
            && upper_us < lower_us
            && !wrong.lists_at(&at.field("upper"))
        {
            let why = reversed(lower_us, upper_us);
            wrong.add(&at.field("upper"), Code::Reversed, why);
        }
    }
}

/// Ids of links: those that the caller gave, and defaults for the others.
#[derive(Default)]
struct LinkIds {
    /// Where each id is, for messages.
    taken: HashMap<String, String>,
    /// Links seen so far between two events, by their ids.
    between: HashMap<(String, String), usize>,
}

impl LinkIds {
    /// Takes an id that the caller gave; empty ones get a default later.
    fn take(&mut self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) {
        if id.is_empty() {
            return;
        }
        let at = at.field("id");
        if let Some(first) = self.taken.get(id) {
            let why = format!("is {}, as is {first}", shown(id));
            wrong.add(&at, Code::Duplicate, why);
        } else {
            self.taken.insert(id.into(), at.to_string());
        }
    }

    /// Those that are there, each with its index and its id. To be asked after all given ids are
    /// taken.
    fn named(&mut self, given: Vec<Option<(String, Read)>>, nodes: &impl Nodes) -> List {
        let mut list = List::default();
        for (index, one) in given.into_iter().enumerate() {
            let Some((id, link)) = one else { continue };
            list.at.push(index);
            list.ids
                .push(self.name(id, nodes.name(link.from), nodes.name(link.to)));
            list.links.push(link);
        }
        list
    }

    /// The id of a link: as given, or a default that nothing else has.
    fn name(&mut self, id: String, from: &str, to: &str) -> String {
        if !id.is_empty() {
            return id;
        }
        let count = self.between.entry((from.into(), to.into())).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => format!("{from}->{to}"),
                count => format!("{from}->{to}#{count}"),
            };
            if !self.taken.contains_key(&name) {
                self.taken.insert(name.clone(), "a default id".into());
                return name;
            }
        }
    }
}
