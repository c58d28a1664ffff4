//! Following a streamed search to its end, whatever that is.

use super::ask::Answered;
use super::budget::Budget;
use crate::args::OutputFormat;
use crate::bundle::{Bundle, unknown_method};
use crate::call::unreadable;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::output::{self, Display, progress::Progress};
use crate::reflect;
use bytes::Bytes;
use formats::messages;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};
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

/// What is done with the steps.
pub(super) struct Following<'a> {
    pub(super) display: &'a Display,
    pub(super) progress: Progress,
    /// Where the last one is saved.
    pub(super) saving: Option<Saving>,
    /// What messages of the stream are.
    pub(super) kind: MessageDescriptor,
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

/// Follows a stream: shows each step, and with ndjson writes it. Returns the best plan that came
/// with the server's report; with what the last step said, and why, where there is none.
///
/// # Errors
/// Stdout does not take a step. A stream that breaks is no error here.
pub(super) async fn follow(
    stream: Streaming<Bytes>,
    connection: &Connection,
    Following {
        display,
        mut progress,
        saving,
        kind,
    }: Following<'_>,
    budget: Budget,
) -> Answered<DynamicMessage> {
    let mut seen = Seen::new(kind.clone());
    let mut follower = Follower {
        stream,
        deadline: Instant::now() + budget.deadline,
        interrupt: Box::pin(tokio::signal::ctrl_c()),
    };
    loop {
        let bytes = match follower.next(&mut progress).await {
            Next::Step(bytes) => bytes,
            Next::Interrupted => {
                let failure = Failure::new(Exit::INTERRUPTED, "interrupted");
                return Ok(seen.cut(failure, StopReason::Cancelled));
            }
            Next::Overdue => {
                let failure = connection.overdue(budget.deadline);
                return Ok(seen.cut(failure, StopReason::Unspecified));
            }
            Next::Failed(status) => {
                let failure = connection.failure(&status);
                return Ok(seen.cut(failure, StopReason::Unspecified));
            }
        };
        let step = match DynamicMessage::decode(kind.clone(), bytes.clone()) {
            Ok(step) => step,
            Err(error) => return Ok(seen.cut(unreadable(&error), StopReason::Unspecified)),
        };
        let event = reflect::part(&step, "event");
        if let Some(event) = &event {
            progress.step(event);
        }
        if display.format() == OutputFormat::Ndjson {
            output::dynamic(OutputFormat::Ndjson, &step)?;
        }
        if seen.take(step, event) {
            if let Some(saving) = saving {
                saving.save(&bytes)?;
            }
            return Ok((seen.answer, None));
        }
    }
}

enum Next {
    Step(Bytes),
    Interrupted,
    Overdue,
    Failed(Status),
}

struct Follower {
    stream: Streaming<Bytes>,
    deadline: Instant,
    /// One for the whole search: none is missed while a step is being written.
    interrupt: Pin<Box<dyn Future<Output = std::io::Result<()>>>>,
}

impl Follower {
    /// Waits for whatever happens next; the clock goes on meanwhile.
    async fn next(&mut self, progress: &mut Progress) -> Next {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                step = timeout_at(self.deadline, self.stream.message()) => return match step {
                    Ok(Ok(Some(step))) => Next::Step(step),
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
struct Seen {
    /// The best plan with all that was said of it, and the report.
    answer: DynamicMessage,
    event: SolveEvent,
}

impl Seen {
    /// Nothing.
    fn new(kind: MessageDescriptor) -> Self {
        Self {
            answer: DynamicMessage::new(kind),
            event: SolveEvent::default(),
        }
    }

    /// Takes a step. True: it has a report, and is the last.
    fn take(&mut self, mut step: DynamicMessage, event: Option<SolveEvent>) -> bool {
        step.clear_field_by_name("event");
        if reflect::has_plan(&step) {
            self.answer = step;
        } else {
            for (field, value) in step.fields() {
                self.answer.set_field(&field, value.clone());
            }
        }
        if let Some(event) = event {
            // Signs of life may leave out what has not changed.
            let before = std::mem::replace(&mut self.event, event);
            self.event.objective = self.event.objective.take().or(before.objective);
            self.event.bound = self.event.bound.take().or(before.bound);
            self.event.gap = self.event.gap.or(before.gap);
        }
        self.answer.has_field_by_name("report")
    }

    /// What is known when no report came: no status, since nobody has said one.
    fn cut(
        mut self,
        failure: Failure,
        stop_reason: StopReason,
    ) -> (DynamicMessage, Option<Failure>) {
        let report = SolveReport {
            stop_reason: stop_reason.into(),
            objective: self.event.objective,
            bound: self.event.bound,
            gap: self.event.gap,
            iterations: self.event.iterations,
            ..SolveReport::default()
        };
        let report = Value::Message(messages::described(&report));
        self.answer.set_field_by_name("report", report);
        (self.answer, Some(failure))
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

    fn seen(steps: impl IntoIterator<Item = AllocateTasksResponse>) -> (Seen, Vec<bool>) {
        let mut seen = Seen::new(messages::descriptor::<AllocateTasksResponse>());
        let take = |step: AllocateTasksResponse| {
            let event = step.event.clone();
            seen.take(messages::described(&step), event)
        };
        let ends = steps.into_iter().map(take).collect();
        (seen, ends)
    }

    #[test]
    fn an_interrupted_search_keeps_its_best_plan_and_claims_nothing() {
        let (seen, ends) = seen([step(1, true), step(2, true), step(3, false)]);
        assert_eq!(ends, [false; 3]);
        let (answer, cut) = seen.cut(Failure::new(Exit::INTERRUPTED, ""), StopReason::Cancelled);
        assert_eq!(cut.map(|cut| cut.exit), Some(Exit::INTERRUPTED));
        let answer: AllocateTasksResponse = messages::typed(&answer);
        let report = answer.report.unwrap();
        assert_eq!(answer.plan.unwrap().unserved_task_ids, ["2"]);
        assert_eq!(report.objective.unwrap().levels, [2.0]);
        assert_eq!((report.iterations, report.status), (300, 0));
    }

    #[test]
    fn the_report_ends_the_search() {
        let report = Some(SolveReport::default());
        let last = |plan| AllocateTasksResponse {
            report: report.clone(),
            ..step(9, plan)
        };
        for (last, best) in [(last(true), "9"), (last(false), "8")] {
            let (seen, ends) = seen([step(8, true), last]);
            assert_eq!(ends, [false, true]);
            let answer: AllocateTasksResponse = messages::typed(&seen.answer);
            assert_eq!(answer.plan.unwrap().unserved_task_ids, [best]);
            assert_eq!((answer.report, answer.event), (report.clone(), None));
        }
    }
}
