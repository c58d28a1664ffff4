//! One call of any planner's unary method.
//!
//! The contract has problem, options and report of all of them in the same places
//! (`proto/tests/suite/conventions.rs`), so that a problem is encoded once, and of the answer no
//! more is decoded than its report: the client shares the machine with what it measures.

use crate::call::unary_on;
use crate::connect::Channel;
use crate::input::Kind;
use crate::reflect;
use bytes::Bytes;
use formats::messages;
use prost::Message;
use prost_reflect::{MethodDescriptor, ReflectMessage as _};
use stratagem_proto::v1::{SolveOptions, SolveReport};
use tonic::{Code, Request};

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
    method: MethodDescriptor,
    problem: Bytes,
}

impl Work {
    /// A call about a problem.
    #[must_use]
    pub fn new(problem: &Kind) -> Self {
        let problem = messages::of_problem(problem);
        Self {
            method: reflect::first_method(&problem.descriptor()),
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
    ) -> Result<Option<SolveReport>, Code> {
        let ask = Ask {
            problem: self.problem.clone(),
            options: Some(options),
        };
        let request = Request::new(ask.encode_to_vec().into());
        let answer = unary_on(channel, &self.method, request).await;
        let answer = Answer::decode(answer.map_err(|status| status.code())?.into_inner());
        Ok(answer.map_err(|_| Code::Internal)?.report)
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
        let work = Work::new(&Kind::Allocation(problem.clone()));
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
            reflect::path(&work.method).as_str(),
            "/stratagem.v1.AllocationService/AllocateTasks"
        );
        let story = StoryProblem {
            max_acts: Some(9),
            ..StoryProblem::default()
        };
        let ask = Ask {
            problem: Work::new(&Kind::Story(story.clone())).problem,
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
