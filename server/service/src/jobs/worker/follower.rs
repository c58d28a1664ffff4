//! Follows the search of a job.

use super::PAUSE;
use crate::jobs::Jobs;
use crate::jobs::life::{self, Deed, Step};
use crate::jobs::record::JobRecord;
use crate::jobs::store::{StoreError, Turn};
use crate::metrics::Metrics;
use crate::rpc::jobs::Ended;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tokio::time::sleep;

/// Plans are kept at most so often: a disk is slow.
const STEP_INTERVAL: Duration = Duration::from_millis(100);

/// Stores what a search reports, and hears what callers want of it.
pub(crate) struct Follower {
    pub(super) jobs: Jobs,
    pub(super) turn: Box<dyn Turn>,
    /// As we have changed it last.
    pub(super) job: JobRecord,
    pub(super) reported_at: Instant,
    pub(super) began: Instant,
    pub(super) metrics: Metrics,
}

/// The job is not ours any more.
#[derive(Debug)]
pub(crate) struct Lost;

impl Follower {
    /// Length of the search in the attempts before.
    pub(super) fn searched_before(&self) -> Duration {
        let before = self.job.search_duration.as_ref();
        before
            .and_then(|length| Duration::try_from(*length).ok())
            .unwrap_or_default()
    }

    /// Waits until the job is to end, or is not ours any more.
    pub(crate) async fn stop_is_wanted(&self) {
        let mut after = self.job.sequence;
        loop {
            // What cannot be read now is looked at again.
            let now = self.jobs.store.get(&self.job.job_id).await;
            match now {
                Ok(Some(kept)) if self.is_ours(&kept.job) => {
                    if kept.job.cancel_requested {
                        return;
                    }
                    after = kept.job.sequence;
                }
                Ok(_) => return,
                Err(_) => sleep(PAUSE).await,
            }
            self.jobs.store.changed(&self.job.job_id, after).await;
        }
    }

    /// Whether callers asked it to end.
    pub(crate) async fn is_cancelled(&self) -> bool {
        let now = self.jobs.store.get(&self.job.job_id).await;
        matches!(now, Ok(Some(kept)) if kept.job.cancel_requested)
    }

    fn is_ours(&self, job: &JobRecord) -> bool {
        let same = (job.attempts, &job.server) == (self.job.attempts, &self.job.server);
        same && job.state() == pb::JobState::Running
    }

    /// Lets something happen to the job; false when it is not ours any more.
    async fn change(&mut self, deed: impl Fn() -> Deed + Send + Sync) -> Result<bool, StoreError> {
        let id = self.job.job_id.clone();
        let ours = |job: &JobRecord| self.is_ours(job).then(&deed);
        let changed = self.jobs.change(&id, ours).await?;
        let is_ours = changed.is_some();
        if let Some(job) = changed {
            self.job = job;
        }
        Ok(is_ours)
    }

    /// Keeps a step.
    ///
    /// # Errors
    /// The job is not ours any more.
    pub(crate) async fn step(
        &mut self,
        progress: pb::SolveEvent,
        response: Option<pb::JobResponse>,
    ) -> Result<(), Lost> {
        let searched = self.searched_before() + self.reported_at.elapsed();
        let has_lasted = self.began.elapsed() >= life::BRIEF;
        let kept = self
            .change(|| {
                Deed::Step(Box::new(Step {
                    progress: progress.clone(),
                    response: response.clone(),
                    searched,
                    has_lasted,
                }))
            })
            .await;
        self.reported_at = Instant::now();
        match kept {
            Ok(false) => Err(Lost),
            Ok(true) => {
                sleep(STEP_INTERVAL).await;
                Ok(())
            }
            // The search goes on; the next step may be kept.
            Err(error) => {
                tracing::error!(job = self.job.job_id, "keeping a plan: {error}");
                sleep(PAUSE).await;
                Ok(())
            }
        }
    }

    /// Keeps how it ended; again and again, since an answer is worth more than a moment.
    pub(super) async fn end(mut self, ended: Ended) {
        let searched = self.searched_before() + self.reported_at.elapsed();
        let took = self.began.elapsed();
        let deed = || match &ended {
            Ended::Answer(answer) => Deed::Answer {
                answer: answer.clone(),
                searched,
            },
            Ended::Drained => Deed::GiveBack,
            Ended::Lost => Deed::Lose,
            Ended::Refused(refusal) => Deed::Fail(pb::JobError {
                reason: refusal.reason().into(),
                message: refusal.message(),
            }),
        };
        let mut is_ours = !matches!(ended, Ended::Lost);
        while is_ours {
            match self.change(deed).await {
                Ok(done) => {
                    is_ours = done;
                    break;
                }
                Err(error) => {
                    tracing::error!(job = self.job.job_id, "keeping an answer: {error}");
                    sleep(PAUSE).await;
                }
            }
        }
        if life::has_ended(&self.job) {
            self.metrics.job_ended(life::name(self.job.state()));
        }
        tracing::info!(
            job = self.job.job_id,
            planner = self.job.planner,
            state = self.job.state().as_str_name(),
            attempt = self.job.attempts,
            took_ms = took.as_millis(),
            "job"
        );
        match ended {
            _ if !is_ours => self.turn.lost().await,
            // One that waits again is not done.
            Ended::Drained => self.turn.back().await,
            _ => self.turn.done().await,
        }
    }
}
