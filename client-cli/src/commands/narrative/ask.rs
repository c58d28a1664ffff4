//! Having the server schedule a narrative.

use super::super::ask::Asking;
use super::Teller;
use crate::args::SearchArgs;
use crate::exit::Failure;
use stratagem_proto::v1::{
    NarrativeDetail, NarrativeProblem, ScheduleNarrativeRequest, ScheduleNarrativeResponse,
};

impl Teller<'_> {
    /// A plan or the reason why not, and nothing else.
    pub(super) async fn once(
        &self,
        problem: &NarrativeProblem,
        search: &SearchArgs,
    ) -> Result<ScheduleNarrativeResponse, Failure> {
        let request = ScheduleNarrativeRequest {
            problem: Some(problem.clone()),
            options: Some(search.options()),
            detail: Some(NarrativeDetail {
                max_relaxations: Some(0),
                ..NarrativeDetail::default()
            }),
        };
        let asking = Asking::new(self.server, self.display, search);
        asking.once(&request).await
    }
}
