//! Having the server answer a question about a network.

use super::super::ask::Asking;
use super::Stn;
use crate::args::{Level, NetworkArgs};
use crate::connect::Channel;
use crate::connect::MESSAGE_BYTES_MAX;
use crate::exit::Failure;
use crate::output::temporal::Answer;
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckStrongControllabilityRequest, TemporalDetail,
    TemporalNetwork, temporal_service_client::TemporalServiceClient,
};

const STRONG: &str = "stratagem.v1.TemporalService/CheckStrongControllability";
const LEVELS: &str = "stratagem.v1.TemporalService/CheckControllability";

fn client(channel: Channel) -> TemporalServiceClient<Channel> {
    TemporalServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

impl Stn<'_> {
    /// The answer to a question; `Level::Strong` is asked of the method that can do nothing else.
    pub(super) async fn answer(
        &self,
        args: &NetworkArgs,
        network: &TemporalNetwork,
        level: Level,
        detail: TemporalDetail,
    ) -> Result<Answer, Failure> {
        let asking = Asking {
            server: self.server,
            display: self.display,
            budget: args.search.budget,
            interrupted: "interrupted",
        };
        let (network, options) = (Some(network.clone()), Some(args.search.options()));
        let detail = Some(detail);
        if level == Level::Strong {
            let message = CheckStrongControllabilityRequest {
                problem: network,
                options,
                detail,
            };
            let call = async |channel, request| {
                let mut client = client(channel);
                client.check_strong_controllability(request).await
            };
            let answer = asking.unary(STRONG, message, call).await?;
            return Ok(Answer::Strong(Box::new(answer)));
        }
        let levels = level.questions().into_iter().map(i32::from).collect();
        let message = CheckControllabilityRequest {
            problem: network,
            options,
            levels,
            detail,
        };
        let call = async |channel, request| client(channel).check_controllability(request).await;
        let answer = asking.unary(LEVELS, message, call).await?;
        Ok(Answer::Levels(Box::new(answer)))
    }
}
