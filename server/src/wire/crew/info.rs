//! What the planner can do, for `GetServerInfo`.

use crate::wire::info::{self, Described, Listed};
use crew::problem::{ARCS_MAX, EVENTS_MAX, PLAYERS_MAX, TIME_MAX_US, TOOLS_MAX, VERTICES_MAX};
use crew::solve::TIES_MAX;
use stratagem_proto::v1 as pb;

/// The one way to search.
#[derive(Debug)]
pub(super) struct CrewInfo;

/// Strategies of `AssignCrew`.
pub(super) const ONLY_AUTO: &[CrewInfo] = &[CrewInfo];

impl Listed for CrewInfo {
    fn described(&self) -> Described {
        Described {
            name: "auto",
            description: "Ways that are not dominated, joined, and matchings at each damage that \
                          matters: exact. An iteration is all of it.",
            proves: true,
        }
    }
}

/// Strategies of `AssignCrew`.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_AUTO)
}

/// Limits of problems and answers.
pub(crate) fn limits() -> Vec<pb::Limit> {
    let sizes = [
        ("nodes", VERTICES_MAX),
        ("arcs", ARCS_MAX),
        ("players", PLAYERS_MAX),
        ("tools", TOOLS_MAX),
        ("events", EVENTS_MAX),
        ("ties", TIES_MAX),
    ];
    // Ten years: fits.
    info::limits(&sizes, TIME_MAX_US as i64)
}
