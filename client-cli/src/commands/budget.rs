//! How long a search may take, and how long to wait for it.

use crate::call::quick;
use crate::connect::Connection;
use std::time::Duration;
use stratagem_proto::v1::{GetServerInfoRequest, GetServerInfoResponse};
use stratagem_render::time::micros;

/// How much longer than the budget we wait: for the network, and for a server that is busy with its
/// answer.
const MARGIN: Duration = Duration::from_secs(5);
/// Budget that we take for granted when neither the user nor the server says one.
const BUDGET_UNKNOWN: Duration = Duration::from_secs(60);

/// What is known about the time that a search takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// How long the search may take, where that is known: the user's wish, capped, or the server's
    /// default.
    pub(super) search: Option<Duration>,
    /// When we give up.
    pub(super) deadline: Duration,
}

impl Budget {
    /// The budget for a method, as in "stratagem.v1.AllocationService/AllocateTasks".
    ///
    /// The server's figures are a matter of politeness: a server without them is no reason to
    /// fail.
    pub(super) async fn find(
        connection: &Connection,
        method: &str,
        wish: Option<Duration>,
    ) -> Self {
        let info = quick::<_, GetServerInfoResponse>(connection, &GetServerInfoRequest {}).await;
        let method = info
            .ok()
            .and_then(|i| i.methods.into_iter().find(|m| m.name == method));
        let known = |d: Option<&prost_types::Duration>| {
            u64::try_from(micros(d))
                .ok()
                .filter(|us| *us > 0)
                .map(Duration::from_micros)
        };
        let default = method
            .as_ref()
            .and_then(|m| known(m.default_time_budget.as_ref()));
        let max = method
            .as_ref()
            .and_then(|m| known(m.max_time_budget.as_ref()));
        Self::new(wish, default, max)
    }

    fn new(wish: Option<Duration>, default: Option<Duration>, max: Option<Duration>) -> Self {
        let search = wish.or(default).map(|b| max.map_or(b, |max| b.min(max)));
        Self {
            search,
            deadline: search.unwrap_or(BUDGET_UNKNOWN) + MARGIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_wait_a_little_longer_than_the_search_takes() {
        let s = |s| Some(Duration::from_secs(s));
        let deadline = |wish, default, max| Budget::new(wish, default, max).deadline.as_secs();
        assert_eq!(deadline(s(2), s(1), s(600)), 7);
        assert_eq!(deadline(None, s(1), s(600)), 6);
        assert_eq!(deadline(s(86_400), s(1), s(600)), 605);
        assert_eq!(deadline(None, None, None), 65);
    }
}
