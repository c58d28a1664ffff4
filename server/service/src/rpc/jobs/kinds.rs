//! The search of a job, by the method that it is a request to.

use super::search::{Ended, Task, followed};
use crate::jobs::worker::Follower;
use crate::rpc::Parts;
use stratagem_proto::v1::{self as pb, job_request};
use wire::contract;

/// What is done for each method.
macro_rules! by_method {
    ($($method:ident: $field:literal$(, $part:ident)?;)*) => {
        /// Searches for the answer to a request.
        pub(super) async fn search(
            parts: &Parts,
            request: pb::CreateJobRequest,
            task: Task,
            follower: &mut Follower,
        ) -> Ended {
            match request.request.and_then(|request| request.method) {
                $(Some(job_request::Method::$method(message)) => {
                    followed::<contract::$method>(parts, message, task, follower).await
                })*
                // Of a later version, which knows more methods.
                None => {
                    let why = "this server lacks its method".into();
                    Ended::Refused(runtime::Refusal::Unsupported(why).into())
                },
            }
        }
    };
}

wire::each_job!(by_method);
