//! One call of any planner's unary method.
//!
//! The contract has problem, options and report of all of them in the same places
//! (`proto/tests/conventions.rs`), so that a problem is encoded once, and of the answer no more is
//! decoded than its report: the client shares the machine with what it measures.

use crate::connect::Channel;
use crate::formats::reflect;
use crate::input::Kind;
use bytes::Bytes;
use prost::Message;
use prost_reflect::ReflectMessage as _;
use stratagem_proto::v1::{SolveOptions, SolveReport};
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;

/// A request to any planner.
#[derive(Clone, PartialEq, Message)]
struct Ask {
    /// The problem's message, encoded.
    #[prost(bytes = "bytes", tag = "1")]
    problem: Bytes,
    #[prost(message, optional, tag = "2")]
    options: Option<SolveOptions>,
}

/// What is read of any planner's answer.
#[derive(Clone, PartialEq, Message)]
struct Answer {
    #[prost(message, optional, tag = "2")]
    report: Option<SolveReport>,
}

/// A problem that is sent again and again.
#[derive(Debug, Clone)]
pub struct Work {
    /// What the user calls it.
    pub name: String,
    /// How often it is sent, beside the others.
    pub weight: f64,
    path: PathAndQuery,
    problem: Bytes,
}

impl Work {
    /// A problem with its name and weight.
    #[must_use]
    pub fn new(name: &str, weight: f64, problem: &Kind) -> Self {
        let problem = reflect::of_problem(problem);
        let path = reflect::path(&reflect::first_method(&problem.descriptor()));
        Self {
            name: name.to_owned(),
            weight,
            path,
            problem: problem.encode_to_vec().into(),
        }
    }

    /// Sends it once.
    ///
    /// # Errors
    /// The call's code.
    pub async fn send(
        &self,
        channel: Channel,
        options: SolveOptions,
        bytes_max: usize,
    ) -> Result<Option<SolveReport>, Code> {
        let mut client = Grpc::new(channel).max_decoding_message_size(bytes_max);
        let ask = Ask {
            problem: self.problem.clone(),
            options: Some(options),
        };
        let answer = async {
            let ready = client.ready().await;
            ready.map_err(|e| Status::unavailable(e.to_string()))?;
            let codec: ProstCodec<Ask, Answer> = ProstCodec::default();
            client
                .unary(Request::new(ask), self.path.clone(), codec)
                .await
        };
        match answer.await {
            Ok(answer) => Ok(answer.into_inner().report),
            Err(status) => Err(status.code()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        AllocateTasksRequest, AllocateTasksResponse, AllocationProblem, GenerateStoryRequest,
        StoryProblem,
    };

    #[test]
    fn a_request_in_bytes_is_that_of_the_contract() {
        let problem = AllocationProblem {
            title: "night".into(),
            ..AllocationProblem::default()
        };
        let options = SolveOptions {
            seed: 7,
            ..SolveOptions::default()
        };
        let work = Work::new("night", 1.0, &Kind::Allocation(problem.clone()));
        let ask = Ask {
            problem: work.problem,
            options: Some(options.clone()),
        };
        let read = AllocateTasksRequest::decode(&*ask.encode_to_vec()).unwrap();
        let wanted = AllocateTasksRequest {
            problem: Some(problem),
            options: Some(options),
        };
        assert_eq!(read, wanted);
        assert_eq!(
            work.path.as_str(),
            "/stratagem.v1.AllocationService/AllocateTasks"
        );
        let story = StoryProblem {
            max_acts: Some(9),
            ..StoryProblem::default()
        };
        let ask = Ask {
            problem: Work::new("tale", 1.0, &Kind::Story(story.clone())).problem,
            options: None,
        };
        let read = GenerateStoryRequest::decode(&*ask.encode_to_vec()).unwrap();
        assert_eq!(read.problem, Some(story));
    }

    #[test]
    fn of_an_answer_the_report_is_read() {
        let report = SolveReport {
            seed: 3,
            gap: Some(0.25),
            ..SolveReport::default()
        };
        let answer = AllocateTasksResponse {
            report: Some(report.clone()),
            ..AllocateTasksResponse::default()
        };
        let answer = Answer::decode(&*answer.encode_to_vec()).unwrap();
        assert_eq!(answer.report, Some(report));
    }
}
