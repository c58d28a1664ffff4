//! Links of a network, from the wire.

use super::names::Names;
use crate::links::{self, Given, Nodes, Read};
use crate::mistakes::Mistakes;
use anytime::Path;
use temporal::problem::{Contingent, Link, TIME_MAX_US};

/// The links that could be read.
pub(super) struct Links {
    pub links: Vec<Link>,
    pub contingent: Vec<Contingent>,
    /// Whether there are links that could not be read, or that have no bound.
    pub lost: bool,
}

impl Nodes for Names {
    fn name(&self, node: usize) -> &str {
        self.node(node)
    }

    fn find(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        Self::find(self, at, id, wrong)
    }
}

/// Reads links, and gives each its id.
pub(super) fn links(given: Given, at: &Path<'_>, names: &mut Names, wrong: &mut Mistakes) -> Links {
    let links::Links {
        requirements,
        contingent,
        lost,
    } = links::links(given, at, names, wrong);
    let requirement = |link: &Read| Link {
        from: link.from,
        to: link.to,
        lower_us: link.lower_us,
        upper_us: link.upper_us,
    };
    let uncertain = |link: &Read| Contingent {
        from: link.from,
        to: link.to,
        lower_us: link.lower_us.unwrap_or(0),
        upper_us: link.upper_us.unwrap_or(TIME_MAX_US),
    };
    names.links = requirements.ids;
    names.links_at = requirements.at;
    names.contingent = contingent.ids;
    names.contingent_at = contingent.at;
    Links {
        links: requirements.links.iter().map(requirement).collect(),
        contingent: contingent.links.iter().map(uncertain).collect(),
        lost,
    }
}
