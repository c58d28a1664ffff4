//! Having the server answer a question about a network.

use super::super::ask::Asking;
use super::Checker;
use crate::args::{Level, NetworkArgs};
use crate::exit::Failure;
use crate::output::temporal::Answer;
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckStrongControllabilityRequest, TemporalDetail, TemporalNetwork,
};

impl Checker<'_> {
    /// The answer to a question; `Level::Strong` is asked of the method that can do nothing else.
    pub(super) async fn answer(
        &self,
        args: &NetworkArgs,
        network: &TemporalNetwork,
        level: Level,
        detail: TemporalDetail,
    ) -> Result<Answer, Failure> {
        let asking = Asking::new(self.server, self.display, &args.search);
        let (network, options) = (Some(network.clone()), Some(args.search.options()));
        let detail = Some(detail);
        if level == Level::Strong {
            let request = CheckStrongControllabilityRequest {
                problem: network,
                options,
                detail,
            };
            let answer = asking.once(&request).await?;
            return Ok(Answer::Strong(Box::new(answer)));
        }
        let levels = level.questions().into_iter().map(i32::from).collect();
        let request = CheckControllabilityRequest {
            problem: network,
            options,
            levels,
            detail,
        };
        let answer = asking.once(&request).await?;
        Ok(Answer::Levels(Box::new(answer)))
    }
}
