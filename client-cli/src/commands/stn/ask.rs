//! Having the server answer a question about a network.

use super::super::budget::Budget;
use super::super::patience::patiently;
use crate::args::{ConnectionArgs, Level};
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::Failure;
use crate::output::Display;
use crate::output::progress::Progress;
use crate::output::temporal::Answer;
use std::time::Duration;
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckStrongControllabilityRequest, SolveOptions, TemporalDetail,
    TemporalNetwork, temporal_service_client::TemporalServiceClient,
};
use tonic::Request;

const STRONG: &str = "stratagem.v1.TemporalService/CheckStrongControllability";
const LEVELS: &str = "stratagem.v1.TemporalService/CheckControllability";

/// What is asked.
pub(super) struct Question {
    /// About what; `Level::Strong` is asked of the method that can do nothing else.
    pub(super) level: Level,
    /// How to search.
    pub(super) options: SolveOptions,
    /// What else is wanted.
    pub(super) detail: TemporalDetail,
}

/// Whom to ask, and how long to wait.
pub(super) struct Asking<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
    budget: Option<Duration>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(
        server: &'a ConnectionArgs,
        display: &'a Display,
        budget: Option<Duration>,
    ) -> Self {
        Self {
            server,
            display,
            budget,
        }
    }

    /// Asks, and shows that time goes by.
    pub(super) async fn ask(
        &self,
        network: &TemporalNetwork,
        question: Question,
    ) -> Result<Answer, Failure> {
        let connection = Connection::open(self.server).await?;
        let strong = question.level == Level::Strong;
        let method = if strong { STRONG } else { LEVELS };
        let budget = Budget::find(&connection, method, self.budget).await;
        let mut client = TemporalServiceClient::new(connection.channel())
            .max_decoding_message_size(MESSAGE_BYTES_MAX);
        let (network, options) = (Some(network.clone()), Some(question.options));
        let detail = Some(question.detail);
        let progress = Progress::new(self.display, budget.search);
        let deadline = budget.deadline;
        if strong {
            let mut request = Request::new(CheckStrongControllabilityRequest {
                network,
                options,
                detail,
            });
            request.set_timeout(deadline);
            let call = client.check_strong_controllability(request);
            let call = connection.within(deadline, call);
            patiently(call, progress, "interrupted")
                .await
                .map(|answer| Answer::Strong(Box::new(answer)))
        } else {
            let levels = question.level.questions();
            let mut request = Request::new(CheckControllabilityRequest {
                network,
                options,
                levels: levels.into_iter().map(i32::from).collect(),
                detail,
            });
            request.set_timeout(deadline);
            let call = connection.within(deadline, client.check_controllability(request));
            patiently(call, progress, "interrupted")
                .await
                .map(|answer| Answer::Levels(Box::new(answer)))
        }
    }
}
