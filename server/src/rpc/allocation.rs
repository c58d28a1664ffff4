//! `AllocationService`.

use super::told::{Told, tell};
use super::{Parts, stubs, take};
use crate::cache::{Key, Turn};
use crate::call::Call;
use crate::run::steps::Messages;
use crate::run::{AllocationPlanner as Planner, Budget, Job, Outcome, Search, Step};
use crate::status::Refusal;
use crate::wire::allocation::{Answer, Request, answer, last, request, step};
use crate::wire::solve::{Timings, validated};
use crate::wire::values::duration;
use prost::Message as _;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tokio_stream::Stream;
use tonic::{Response, Status};
use tracing::Instrument as _;

pub(super) const UNARY: &str = "stratagem.v1.AllocationService/AllocateTasks";
pub(super) const STREAM: &str = "stratagem.v1.AllocationService/StreamAllocateTasks";

/// The service.
pub(crate) struct Allocation(pub(super) Parts);

/// A request, and what came with it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Full name of the method.
    pub method: &'static str,
    pub call: Call,
    pub request: Request,
    pub budget: Budget,
    /// Decoding and validation.
    pub validate: Duration,
}

type Updates = Pin<Box<dyn Stream<Item = Result<pb::StreamAllocateTasksResponse, Status>> + Send>>;

#[tonic::async_trait]
impl stubs::allocation_service_server::AllocationService for Allocation {
    type StreamAllocateTasksStream = Updates;

    async fn allocate_tasks(
        &self,
        request: tonic::Request<pb::AllocateTasksRequest>,
    ) -> Result<Response<pb::AllocateTasksResponse>, Status> {
        let (call, message) = take(request);
        let size = message.encoded_len();
        let pb::AllocateTasksRequest { problem, options } = message;
        let default = self.0.config.budget_default.get();
        let given = Given {
            method: UNARY,
            call,
            size,
            default,
        };
        let asked = self.asked(given, problem, options).await?;
        let span = tracing::info_span!("call", id = &*asked.call.id);
        let Answer { plan, report } = self.best(asked).instrument(span).await?;
        let report = Some(report);
        Ok(Response::new(pb::AllocateTasksResponse { plan, report }))
    }

    async fn stream_allocate_tasks(
        &self,
        request: tonic::Request<pb::StreamAllocateTasksRequest>,
    ) -> Result<Response<Updates>, Status> {
        let (call, message) = take(request);
        let size = message.encoded_len();
        let pb::StreamAllocateTasksRequest { problem, options } = message;
        let default = self.0.config.stream_budget_default.get();
        let given = Given {
            method: STREAM,
            call,
            size,
            default,
        };
        let asked = self.asked(given, problem, options).await?;
        let span = tracing::info_span!("call", id = &*asked.call.id);
        Ok(Response::new(self.updates(asked).instrument(span).await?))
    }
}

/// What is known before the request is read.
struct Given {
    method: &'static str,
    call: Call,
    size: usize,
    default: Duration,
}

impl Allocation {
    async fn asked(
        &self,
        given: Given,
        problem: Option<pb::AllocationProblem>,
        options: Option<pb::SolveOptions>,
    ) -> Result<Asked, Refusal> {
        let Given {
            method,
            call,
            size,
            default,
        } = given;
        let read = move || {
            let _span = tracing::debug_span!("validate").entered();
            request(problem, options)
        };
        let request = self.0.blocking.run(size, read).await?;
        let request = request.map_err(Refusal::Mistakes)?;
        let asked = request.options.budget.unwrap_or(default);
        let budget = Budget::new(&call, asked, self.0.config.budget_max.get());
        Ok(Asked {
            method,
            validate: call.arrived.elapsed(),
            call,
            request,
            budget,
        })
    }

    /// The best plan by the deadline, from the cache, from an identical request in flight, or from
    /// a search.
    async fn best(&self, asked: Asked) -> Result<Answer, Refusal> {
        if asked.request.options.validate_only {
            return Ok(checked(&asked));
        }
        // A half of the time is kept for a search of our own.
        let patience = asked.budget.arrived() + asked.budget.length() / 2;
        let lead = match self.0.cache.turn(self.key(&asked), patience).await {
            Turn::Replay(kept) => return replay(&asked, &kept),
            Turn::Search(lead) => lead,
        };
        let search = self.search(&asked).await?;
        let outcome = search.end().await?;
        let answer = {
            let _span = tracing::debug_span!("encode").entered();
            answer(&asked, &outcome)
        };
        if let Some(lead) = lead {
            lead.land(answer.report.reproducible.then(|| kept(&answer)));
        }
        self.tell(&asked, &outcome, &answer);
        Ok(answer)
    }

    /// The steps of a search, or a single one from the cache.
    async fn updates(&self, asked: Asked) -> Result<Updates, Refusal> {
        let single = |answer: &Answer| -> Updates {
            let event = pb::SolveEvent {
                sequence: 1,
                elapsed: Some(duration(Duration::ZERO)),
                heartbeat: answer.plan.is_none(),
                ..pb::SolveEvent::default()
            };
            Box::pin(tokio_stream::once(Ok(last(event, answer))))
        };
        if asked.request.options.validate_only {
            return Ok(single(&checked(&asked)));
        }
        let key = self.key(&asked);
        if let Some(kept) = self.0.cache.kept(key.as_ref()) {
            return Ok(single(&replay(&asked, &kept)?));
        }
        let search = self.search(&asked).await?;
        let service = Self(self.0.clone());
        let steps = search.steps(self.0.config.heartbeat_interval.get());
        let encode = move |one: Step<Planner>| {
            let (message, answer) = step(&asked, &one);
            if let (Step::End { outcome, .. }, Some(answer)) = (&one, answer) {
                service.tell(&asked, outcome, &answer);
                if let Some(key) = key.as_ref().filter(|_| answer.report.reproducible) {
                    service.0.cache.keep(key, kept(&answer));
                }
            }
            message
        };
        let messages: Messages<_, pb::StreamAllocateTasksResponse, _> = steps.messages(encode);
        Ok(Box::pin(messages))
    }

    fn key(&self, asked: &Asked) -> Option<Key> {
        let identity = asked.request.identity.clone();
        identity
            .filter(|identity| self.0.cache.takes(identity.len()))
            .map(Key)
    }

    async fn search(&self, asked: &Asked) -> Result<Search<Planner>, Refusal> {
        let request = &asked.request;
        let job = Job {
            problem: Arc::clone(&request.problem),
            params: request.params.clone(),
            target: request.target,
            seed: request.options.seed,
            iterations_max: request.options.iterations_max,
            threads: request.options.threads,
            class: request.options.class,
            budget: asked.budget,
            bytes: request.bytes(),
        };
        self.0.runner.start(job).await
    }

    /// One line of log, and the metrics.
    fn tell(&self, asked: &Asked, outcome: &Outcome<Planner>, answer: &Answer) {
        let late = Instant::now().saturating_duration_since(asked.budget.deadline());
        tell(
            &self.0.runner.metrics,
            &Told {
                method: asked.method,
                id: &asked.call.id,
                elements: asked.request.problem.tasks().len(),
                report: &answer.report,
                timings: &outcome.timings,
                overshoot: late,
            },
        );
    }
}

/// The answer to a request that was only to be checked.
fn checked(asked: &Asked) -> Answer {
    let times = Timings {
        validate: asked.validate,
        ..Timings::default()
    };
    Answer {
        plan: None,
        report: pb::SolveReport {
            strategy: asked.request.params.strategy.name().into(),
            ..validated(&asked.request.options, asked.budget.length(), &times)
        },
    }
}

/// An answer as it is kept.
fn kept(answer: &Answer) -> bytes::Bytes {
    let Answer { plan, report } = answer.clone();
    let report = Some(report);
    let message = pb::AllocateTasksResponse { plan, report };
    message.encode_to_vec().into()
}

/// A kept answer, for this request.
fn replay(asked: &Asked, kept: &[u8]) -> Result<Answer, Refusal> {
    let message = pb::AllocateTasksResponse::decode(kept).map_err(|_| Refusal::Unkept)?;
    let pb::AllocateTasksResponse { plan, report } = message;
    let times = Timings {
        validate: asked.validate,
        ..Timings::default()
    };
    let report = pb::SolveReport {
        shared: true,
        timings: Some(crate::wire::solve::timings(&times)),
        time_budget: Some(duration(asked.budget.length())),
        ..report.unwrap_or_default()
    };
    Ok(Answer { plan, report })
}
