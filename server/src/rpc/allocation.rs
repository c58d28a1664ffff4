//! `AllocationService`.

use super::method::{Asked, Method, Reading, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::run::{AllocationPlanner as Planner, Outcome};
use crate::status::Refusal;
use crate::wire::allocation::{
    Names, answer, inserted, limits, request, strategies, to_insert, update,
};
use crate::wire::mistakes::Mistakes;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Allocation(pub(super) Parts);

/// Both methods: the stream ends with the answer of the unary one.
pub(crate) struct AllocateTasks;

impl Method for AllocateTasks {
    const NAME: &'static str = "stratagem.v1.AllocationService/AllocateTasks";
    type Planner = Planner;
    type Names = Names;
    type Request = pb::AllocateTasksRequest;
    type Answer = pb::AllocateTasksResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        request(message, None)
    }

    fn read(message: Self::Request, with: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        request(message, with.until)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Planner>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for AllocateTasks {
    const STREAM: &'static str = "stratagem.v1.AllocationService/StreamAllocateTasks";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

#[tonic::async_trait]
impl stubs::allocation_service_server::AllocationService for Allocation {
    type StreamAllocateTasksStream = Updates<AllocateTasks>;

    async fn allocate_tasks(
        &self,
        request: Request<Encoded<pb::AllocateTasksRequest>>,
    ) -> Result<Response<Encoded<pb::AllocateTasksResponse>>, Status> {
        self.0.unary::<AllocateTasks>(request).await
    }

    async fn stream_allocate_tasks(
        &self,
        request: Request<Encoded<pb::AllocateTasksRequest>>,
    ) -> Result<Response<Updates<AllocateTasks>>, Status> {
        self.0.stream::<AllocateTasks>(request).await
    }

    async fn insert_task(
        &self,
        request: Request<Encoded<pb::InsertTaskRequest>>,
    ) -> Result<Response<Encoded<pb::InsertTaskResponse>>, Status> {
        // Nothing is searched: no slot.
        let insert = |message| {
            let inserted = to_insert(message).and_then(|question| inserted(&question));
            inserted.map_err(Refusal::Mistakes)
        };
        self.0.answer(Letter::of(request)?, insert).await
    }
}
