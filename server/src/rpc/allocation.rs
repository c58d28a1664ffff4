//! `AllocationService`.

use super::method::{Asked, Given, Method, checked, kept, replay};
use super::{Parts, stubs, take};
use crate::run::steps::Messages;
use crate::run::{AllocationPlanner as Planner, Outcome, Step};
use crate::status::Refusal;
use crate::wire::allocation::{Names, answer, last, request, step};
use crate::wire::values::duration;
use prost::Message as _;
use std::pin::Pin;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tokio_stream::Stream;
use tonic::{Response, Status};
use tracing::Instrument as _;

pub(super) const UNARY: &str = "stratagem.v1.AllocationService/AllocateTasks";
pub(super) const STREAM: &str = "stratagem.v1.AllocationService/StreamAllocateTasks";

/// The service.
pub(crate) struct Allocation(pub(super) Parts);

/// Both methods: the stream ends with the answer of the unary one.
pub(crate) struct AllocateTasks;

impl Method for AllocateTasks {
    type Planner = Planner;
    type Names = Names;
    type Answer = pb::AllocateTasksResponse;

    fn answer(asked: &Asked<Self>, outcome: &Outcome<Planner>) -> Self::Answer {
        answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut pb::SolveReport {
        answer.report.get_or_insert_default()
    }
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
        let given = Given {
            method: UNARY,
            call,
            size: message.encoded_len(),
            default: self.0.config.budget_default.get(),
        };
        let pb::AllocateTasksRequest { problem, options } = message;
        let read = move || self::request(problem, options);
        self.0.unary::<AllocateTasks>(given, read).await
    }

    async fn stream_allocate_tasks(
        &self,
        request: tonic::Request<pb::StreamAllocateTasksRequest>,
    ) -> Result<Response<Updates>, Status> {
        let (call, message) = take(request);
        let given = Given {
            method: STREAM,
            call,
            size: message.encoded_len(),
            default: self.0.config.stream_budget_default.get(),
        };
        let pb::StreamAllocateTasksRequest { problem, options } = message;
        let read = move || self::request(problem, options);
        let asked = self.0.asked::<AllocateTasks>(given, read).await?;
        let span = tracing::info_span!("call", id = &*asked.call.id);
        Ok(Response::new(self.updates(asked).instrument(span).await?))
    }
}

impl Allocation {
    /// The steps of a search, or a single one from the cache.
    async fn updates(&self, asked: Asked<AllocateTasks>) -> Result<Updates, Refusal> {
        let single = |answer: &pb::AllocateTasksResponse| -> Updates {
            let event = pb::SolveEvent {
                sequence: 1,
                elapsed: Some(duration(Duration::ZERO)),
                heartbeat: answer.plan.is_none(),
                ..pb::SolveEvent::default()
            };
            Box::pin(tokio_stream::once(Ok(last(event, answer.clone()))))
        };
        if asked.request.options.validate_only {
            return Ok(single(&checked(&asked)));
        }
        let key = self.0.key(&asked);
        if let Some(kept) = self.0.cache.kept(key.as_ref()) {
            return Ok(single(&replay(&asked, &kept)?));
        }
        let search = self.0.search(&asked).await?;
        let parts = self.0.clone();
        let steps = search.steps(self.0.config.heartbeat_interval.get());
        let encode = move |one: Step<Planner>| {
            let (message, answer) = step(&asked, &one);
            if let (Step::End { outcome, .. }, Some(mut answer)) = (&one, answer) {
                let report = AllocateTasks::report(&mut answer);
                parts.tell(&asked, outcome, report);
                let reproducible = report.reproducible;
                if let Some(key) = key.as_ref().filter(|_| reproducible) {
                    parts.cache.keep(key, kept::<AllocateTasks>(&answer));
                }
            }
            message
        };
        let messages: Messages<_, pb::StreamAllocateTasksResponse, _> = steps.messages(encode);
        Ok(Box::pin(messages))
    }
}
