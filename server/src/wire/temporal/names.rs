//! How the caller calls things, which the planner does not know.

use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::{Ids, shown};
use std::collections::HashMap;
use stratagem_proto::v1 as pb;
use temporal::problem::{Node, ORIGIN, Source};

/// Id of the origin unless the caller has another.
const ORIGIN_ID: &str = "origin";

/// The names in a network.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Id of the origin.
    pub origin: String,
    /// Ids of the events.
    pub events: Ids,
    /// Ids of the requirement links.
    pub links: Vec<String>,
    /// Ids of the contingent links.
    pub contingent: Vec<String>,
}

impl Names {
    /// Names of events only, so far. No event may have the id of the origin.
    pub(super) fn new(origin: String, at: &Path<'_>, wrong: &mut Mistakes) -> Self {
        let origin = if origin.is_empty() {
            ORIGIN_ID.into()
        } else {
            wrong.id(&at.field("origin_id"), &origin);
            origin
        };
        Self {
            origin,
            ..Self::default()
        }
    }

    /// Takes the id of the next event.
    pub(super) fn take(&mut self, at: &Path<'_>, id: String, wrong: &mut Mistakes) {
        if id == self.origin {
            let why = format!("is {}, which is the origin", shown(&id));
            wrong.add(at, Code::Duplicate, why);
        }
        self.events.take(at, id, wrong);
    }

    /// Id of a node.
    pub(super) fn node(&self, node: Node) -> &str {
        match node.checked_sub(1) {
            None => &self.origin,
            Some(event) => &self.events.list()[event],
        }
    }

    /// Node of an id; notes when there is none.
    pub(super) fn find(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<Node> {
        if id == self.origin {
            return Some(ORIGIN);
        }
        self.events.find(at, id, wrong).map(|event| event + 1)
    }

    /// The link that a bound comes from, and which end of it; `None` for the horizon's.
    pub(super) fn link(&self, source: Source) -> Option<(&str, pb::BoundSide)> {
        use pb::BoundSide::{Lower, Upper};
        Some(match source {
            Source::LinkUpper(link) => (&self.links[link], Upper),
            Source::LinkLower(link) => (&self.links[link], Lower),
            Source::ContingentUpper(link) => (&self.contingent[link], Upper),
            Source::ContingentLower(link) => (&self.contingent[link], Lower),
            Source::Horizon(_) | Source::Start(_) => return None,
        })
    }
}

/// Ids of links: those that the caller gave, and defaults for the others.
#[derive(Default)]
pub(super) struct LinkIds {
    /// Where each id is, for messages.
    taken: HashMap<String, String>,
    /// Links seen so far between two events, by their ids.
    between: HashMap<(String, String), usize>,
}

impl LinkIds {
    /// Takes an id that the caller gave; empty ones get a default later.
    pub(super) fn take(&mut self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) {
        if id.is_empty() {
            return;
        }
        let at = at.field("id");
        wrong.id(&at, id);
        if let Some(first) = self.taken.get(id) {
            wrong.add(
                &at,
                Code::Duplicate,
                format!("is {}, as is {first}", shown(id)),
            );
        } else {
            self.taken.insert(id.into(), at.to_string());
        }
    }

    /// The id of a link: as given, or a default that nothing else has. To be asked after all given
    /// ids are taken.
    pub(super) fn name(&mut self, id: String, from: &str, to: &str) -> String {
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
