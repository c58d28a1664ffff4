//! Ids of the caller, which the planner does not know.

use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, shown};
use anytime::Path;
use anytime::Step::{Field, Index};
use anytime::{Step, written};
use stratagem_proto::v1 as pb;
use temporal::problem::{Node, ORIGIN, Source};

/// Id of the origin unless the caller has another.
const ORIGIN_ID: &str = "origin";

/// The names in a network.
#[derive(Debug, Default)]
pub struct Names {
    /// Id of the origin.
    pub origin: String,
    /// Ids of the events.
    pub events: Ids,
    /// Ids of the requirement links.
    pub links: Vec<String>,
    /// Ids of the contingent links.
    pub contingent: Vec<String>,
    /// For each link of the planner, its index in the caller's list, which may have links that
    /// could not be read.
    pub links_at: Vec<usize>,
    /// The same for contingent links.
    pub contingent_at: Vec<usize>,
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        match kind {
            "node" if index == ORIGIN => Some(self.origin.clone()),
            "node" => self.events.list().get(index - 1).cloned(),
            "contingent link" => self.contingent.get(index).cloned(),
            _ => None,
        }
    }

    fn path(&self, at: &[Step]) -> String {
        let mut at = at.to_vec();
        match at.as_mut_slice() {
            [Field("links"), Index(link), ..] => *link = self.links_at[*link],
            [Field("contingent_links"), Index(link), ..] => *link = self.contingent_at[*link],
            _ => {}
        }
        written(&at)
    }
}

impl Names {
    /// Names of events only, so far. No event may have the id of the origin.
    pub(super) fn new(origin: String) -> Self {
        let origin = match &*origin {
            "" => ORIGIN_ID.into(),
            _ => origin,
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

    /// The link that is the source of a bound, and its side; `None` for the horizon's.
    pub(super) fn link(&self, source: Source) -> Option<(&str, pb::TemporalBoundSide)> {
        use pb::TemporalBoundSide::{Lower, Upper};
        Some(match source {
            Source::LinkUpper(link) => (&self.links[link], Upper),
            Source::LinkLower(link) => (&self.links[link], Lower),
            Source::ContingentUpper(link) => (&self.contingent[link], Upper),
            Source::ContingentLower(link) => (&self.contingent[link], Lower),
            Source::Horizon(_) | Source::Start(_) => return None,
        })
    }
}
