//! `ServerService`: answered without queueing, also under load.

use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::config::{JobsPlace, Switch};
use crate::jobs::Jobs;
use crate::status::Refusal;
use anytime::Runnable as _;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};
use wire::contract;
use wire::examples::page;
use wire::info;
use wire::method::{Method, Streamed};
use wire::values::{duration, shown};
use wire::weigh::LIMITS;

/// The service.
pub(crate) struct About {
    pub(super) parts: Parts,
    /// `None`: the server keeps none.
    pub(super) jobs: Option<Jobs>,
}

#[tonic::async_trait]
impl stubs::server_service_server::ServerService for About {
    async fn get_server_info(
        &self,
        _: Request<Encoded<pb::GetServerInfoRequest>>,
    ) -> Result<Response<Encoded<pb::GetServerInfoResponse>>, Status> {
        let runner = &self.parts.runner;
        let (busy, queued) = runner.admission.load();
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        Ok(Response::new(Encoded::encode(&pb::GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").into(),
            methods: self.methods(),
            limits: self.limits(),
            slot_count: count(runner.admission.slots()),
            busy_slot_count: count(busy),
            queued_count: count(queued),
            draining: runner.drain.has_begun(),
            job_sync: self.jobs.as_ref().map_or(0, |jobs| jobs.sync().into()),
        })))
    }

    async fn list_examples(
        &self,
        request: Request<Encoded<pb::ListExamplesRequest>>,
    ) -> Result<Response<Encoded<pb::ListExamplesResponse>>, Status> {
        self.has_examples()?;
        let examples = Arc::clone(&self.parts.examples);
        let list = move |message| page(&examples, message).map_err(Refusal::Mistakes);
        self.parts.answer(Letter::new(request)?, list).await
    }

    async fn get_example(
        &self,
        request: Request<Encoded<pb::GetExampleRequest>>,
    ) -> Result<Response<Encoded<pb::GetExampleResponse>>, Status> {
        self.has_examples()?;
        let examples = Arc::clone(&self.parts.examples);
        let find = move |pb::GetExampleRequest { name }| {
            let example = examples.get(&name).cloned();
            let unknown = || Refusal::NoExample(format!("there is no example {}", shown(&name)));
            example.ok_or_else(unknown)
        };
        self.parts.answer(Letter::new(request)?, find).await
    }
}

impl About {
    /// Whether examples are served.
    fn has_examples(&self) -> Result<(), Refusal> {
        match self.parts.config.examples {
            Switch::On => Ok(()),
            Switch::Off => Err(Refusal::ExamplesOff),
        }
    }

    /// All methods that search.
    fn methods(&self) -> Vec<pb::MethodInfo> {
        macro_rules! methods {
            ($($method:ident: $way:ident;)*) => {
                [$(methods!(@ $way $method)),*].into_iter().flatten().collect()
            };
            (@ unary $method:ident) => { vec![self.unary::<contract::$method>()] };
            (@ streamed $method:ident) => { vec![self.streamed::<contract::$method>()] };
            (@ both $method:ident) => {
                vec![self.unary::<contract::$method>(), self.streamed::<contract::$method>()]
            };
            (@ $other:ident $method:ident) => { Vec::new() };
        }
        contract::each_method!(methods)
    }

    fn unary<M: Method>(&self) -> pb::MethodInfo {
        let config = &self.parts.config;
        pb::MethodInfo {
            name: M::NAME.into(),
            planner: M::Planner::NAME.into(),
            streaming: false,
            strategies: M::strategies(),
            limits: M::limits(),
            default_time_budget: Some(duration(config.budget_default.get())),
            max_time_budget: Some(duration(config.budget_max.get())),
        }
    }

    fn streamed<M: Streamed>(&self) -> pb::MethodInfo {
        let default = self.parts.config.stream_budget_default.get();
        pb::MethodInfo {
            name: M::STREAM.into(),
            streaming: true,
            default_time_budget: Some(duration(default)),
            ..self.unary::<M>()
        }
    }

    fn limits(&self) -> Vec<pb::ServerLimit> {
        let config = &self.parts.config;
        let bytes = [
            ("request_bytes", config.request_bytes_max, "bytes"),
            ("response_bytes", config.response_bytes_max, "bytes"),
            ("request_elements", LIMITS.elements, "elements"),
            ("request_list_numbers", LIMITS.scalars, "elements"),
            ("request_fields", LIMITS.fields, "elements"),
            ("queued_requests", config.queue_max, "elements"),
            ("search_nodes", config.nodes_max, "elements"),
            ("search_memory", self.parts.runner.memory.each, "bytes"),
        ];
        let budget = usize::try_from(config.job_budget_max.get().as_millis());
        let jobs = [
            ("jobs", config.jobs_max, "elements"),
            ("job_slots", config.job_slot_count(), "elements"),
            ("job_time_budget", budget.unwrap_or(usize::MAX), "ms"),
        ];
        let jobs = jobs.into_iter().filter(|_| config.jobs != JobsPlace::Off);
        let limits = bytes.into_iter().chain(jobs);
        limits
            .map(|(name, max, unit)| info::limit(name, max, unit))
            .collect()
    }
}
