//! Waiting for the end of a search.

use super::{Search, drain};
use crate::Refusal;
use crate::timer::sleep_until;
use anytime::{Conclusion, Outcome, Runnable, Stop};

impl<P: Runnable> Search<P> {
    /// The outcome: of the search, or the best so far when the deadline comes first. A search that
    /// has not noticed its deadline is stopped; it keeps its slots until it does.
    ///
    /// # Errors
    /// When the search failed.
    pub async fn end(mut self) -> Result<Outcome<P>, Refusal> {
        self.wait().await
    }

    pub(super) async fn wait(&mut self) -> Result<Outcome<P>, Refusal> {
        let deadline = sleep_until(self.budget.answer_by());
        let draining = self.drain.clone();
        let (token, gone) = (self.cancel.token.clone(), self.cancel.gone.clone());
        let drained = async {
            draining.begun().await;
            drain(&token, &gone);
            // The search ends now, which the first branch hears.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            biased;
            _ = self.progress.wait_for(|progress| progress.end.is_some()) => {
                self.cancel.over = true;
            }
            () = deadline => {}
            () = drained => {}
        }
        self.outcome(Conclusion::Stopped(Stop::Deadline))
    }
}
