//! Following a streamed search to its end, whatever that is.

use super::budget::Budget;
use crate::args::OutputFormat;
use crate::bundle::{Bundle, unknown_method};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::Described;
use crate::output::{self, Display, progress::Progress};
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;
use stratagem_proto::v1::{SolveEvent, SolveReport, StopReason};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout_at};
use tonic::{Status, Streaming};

/// How often the clock on the live line is painted.
const TICK: Duration = Duration::from_millis(100);

/// What a server does wrong that ends a stream too early.
const NO_REPORT: &str = "the stream ended without a report";

/// A message of a stream.
pub(super) trait Update: Described {
    /// What the planner makes.
    type Plan;

    /// The parts of a step that all planners report.
    fn event(&self) -> Option<&SolveEvent>;

    /// Event, plan and, in the last message, report.
    fn split(self) -> (Option<SolveEvent>, Option<Self::Plan>, Option<SolveReport>);
}

/// Makes a response a message of a stream: what the planner makes is a function of the named
/// fields, which are all but `event` and `report`.
macro_rules! update {
    ($response:ty, $plan:ty, |$($field:ident),+| $made:expr) => {
        impl $crate::commands::follow::Update for $response {
            type Plan = $plan;

            fn event(&self) -> Option<&stratagem_proto::v1::SolveEvent> {
                self.event.as_ref()
            }

            fn split(
                self,
            ) -> (
                Option<stratagem_proto::v1::SolveEvent>,
                Option<$plan>,
                Option<stratagem_proto::v1::SolveReport>,
            ) {
                let Self { event, report, $($field),+ } = self;
                (event, $made, report)
            }
        }
    };
}
pub(super) use update;

/// How a search ended.
pub(super) struct Ended<P> {
    /// The best plan that came.
    pub(super) plan: Option<P>,
    /// The server's report, or what the last step said when there is none.
    pub(super) report: SolveReport,
    /// Why there is no report of the server.
    pub(super) cut: Option<Failure>,
}

impl<P> Ended<P> {
    /// With an answer of the server.
    pub(super) fn whole(plan: Option<P>, report: Option<SolveReport>) -> Self {
        Self {
            plan,
            report: report.unwrap_or_default(),
            cut: None,
        }
    }
}

/// What is done with the steps.
pub(super) struct Following<'a> {
    pub(super) display: &'a Display,
    pub(super) progress: Progress,
    /// Where the last one is saved.
    pub(super) saving: Option<Saving>,
}

/// A call whose answer is to be saved with it.
pub(super) struct Saving {
    pub(super) path: PathBuf,
    pub(super) method: String,
    pub(super) request: Vec<u8>,
}

impl Saving {
    /// Saves both.
    pub(super) fn save(&self, answer: &[u8]) -> Result<(), Failure> {
        let bundle = Bundle::new(&self.method, &self.request, answer);
        let bundle = bundle.ok_or_else(|| unknown_method(&self.method))?;
        bundle.write(&self.path)
    }
}

/// Follows a stream: shows each step, and with ndjson writes it.
///
/// # Errors
/// Stdout does not take a step. A stream that breaks is no error here: see [`Ended::cut`].
pub(super) async fn follow<U: Update>(
    stream: Streaming<U>,
    connection: &Connection,
    Following {
        display,
        mut progress,
        saving,
    }: Following<'_>,
    budget: Budget,
) -> Result<Ended<U::Plan>, Failure> {
    let mut follower = Follower {
        stream,
        seen: Seen::new(),
        deadline: Instant::now() + budget.deadline,
        interrupt: Box::pin(tokio::signal::ctrl_c()),
    };
    loop {
        match follower.next(&mut progress).await {
            Next::Step(step) => {
                if let Some(event) = step.event() {
                    progress.step(event);
                }
                if display.format() == OutputFormat::Ndjson {
                    output::message(OutputFormat::Ndjson, &*step)?;
                }
                let bytes = saving.as_ref().map(|_| step.encode_to_vec());
                if let Some(report) = follower.seen.take(*step) {
                    if let (Some(saving), Some(last)) = (saving, bytes) {
                        saving.save(&last)?;
                    }
                    return Ok(Ended::whole(follower.seen.plan, Some(report)));
                }
            }
            Next::Interrupted => {
                let failure = Failure::new(Exit::INTERRUPTED, "interrupted");
                return Ok(follower.seen.cut(failure, StopReason::Cancelled));
            }
            Next::Overdue => {
                let failure = connection.overdue(budget.deadline);
                return Ok(follower.seen.cut(failure, StopReason::Unspecified));
            }
            Next::Failed(status) => {
                let failure = connection.failure(&status);
                return Ok(follower.seen.cut(failure, StopReason::Unspecified));
            }
        }
    }
}

enum Next<U> {
    Step(Box<U>),
    Interrupted,
    Overdue,
    Failed(Status),
}

struct Follower<U: Update> {
    stream: Streaming<U>,
    seen: Seen<U::Plan>,
    deadline: Instant,
    /// One for the whole search: none is missed while a step is being written.
    interrupt: Pin<Box<dyn Future<Output = std::io::Result<()>>>>,
}

impl<U: Update> Follower<U> {
    /// Waits for whatever happens next; the clock goes on meanwhile.
    async fn next(&mut self, progress: &mut Progress) -> Next<U> {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                step = timeout_at(self.deadline, self.stream.message()) => return match step {
                    Ok(Ok(Some(step))) => Next::Step(Box::new(step)),
                    Ok(Ok(None)) => Next::Failed(Status::internal(NO_REPORT)),
                    Ok(Err(status)) => Next::Failed(status),
                    Err(_) => Next::Overdue,
                },
                _ = &mut self.interrupt => return Next::Interrupted,
                _ = ticks.tick() => progress.tick(),
            }
        }
    }
}

/// What has come so far.
struct Seen<P> {
    plan: Option<P>,
    event: SolveEvent,
}

impl<P> Seen<P> {
    /// Nothing.
    fn new() -> Self {
        Self {
            plan: None,
            event: SolveEvent::default(),
        }
    }

    /// Takes a step; the last one has a report.
    fn take(&mut self, step: impl Update<Plan = P>) -> Option<SolveReport> {
        let (event, plan, report) = step.split();
        self.plan = plan.or(self.plan.take());
        if let Some(event) = event {
            // Signs of life may leave out what has not changed.
            let before = std::mem::replace(&mut self.event, event);
            self.event.objective = self.event.objective.take().or(before.objective);
            self.event.bound = self.event.bound.take().or(before.bound);
            self.event.gap = self.event.gap.or(before.gap);
        }
        report
    }

    /// What is known when no report came: no status, since nobody has said one.
    fn cut(self, failure: Failure, stop_reason: StopReason) -> Ended<P> {
        let report = SolveReport {
            stop_reason: stop_reason.into(),
            objective: self.event.objective,
            bound: self.event.bound,
            gap: self.event.gap,
            iterations: self.event.iterations,
            ..SolveReport::default()
        };
        Ended {
            plan: self.plan,
            report,
            cut: Some(failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{AllocateTasksResponse, AllocationPlan, Objective};

    fn step(sequence: i64, plan: bool) -> AllocateTasksResponse {
        let objective = plan.then(|| Objective {
            levels: vec![sequence as f64],
            terms: Vec::new(),
        });
        AllocateTasksResponse {
            event: Some(SolveEvent {
                sequence,
                objective,
                heartbeat: !plan,
                iterations: sequence * 100,
                ..SolveEvent::default()
            }),
            plan: plan.then(|| AllocationPlan {
                routes: Vec::new(),
                unserved_task_ids: vec![sequence.to_string()],
            }),
            report: None,
        }
    }

    #[test]
    fn an_interrupted_search_keeps_its_best_plan_and_claims_nothing() {
        let mut seen = Seen::new();
        for step in [step(1, true), step(2, true), step(3, false)] {
            assert_eq!(seen.take(step), None);
        }
        let ended = seen.cut(Failure::new(Exit::INTERRUPTED, ""), StopReason::Cancelled);
        assert_eq!(ended.plan.unwrap().unserved_task_ids, ["2"]);
        assert_eq!(ended.report.objective.unwrap().levels, [2.0]);
        assert_eq!(ended.report.iterations, 300);
        assert_eq!(ended.report.status, 0);
    }

    #[test]
    fn the_report_ends_the_search() {
        let mut seen = Seen::new();
        let last = AllocateTasksResponse {
            report: Some(SolveReport::default()),
            ..step(9, true)
        };
        assert_eq!(seen.take(last), Some(SolveReport::default()));
        assert_eq!(seen.plan.unwrap().unserved_task_ids, ["9"]);
    }
}
