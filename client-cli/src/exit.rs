//! How the program ends: exit codes, and what goes wrong.

use crate::output::numbers::things;
use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;
use stratagem_proto::code_name;
use stratagem_proto::v1::SolveStatus;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// Exit code of the process. docs/how-to/command-line.md lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// Solved, or done.
    pub const OK: Self = Self(0);
    /// Reading or writing a file or stream failed.
    pub const IO: Self = Self(1);
    /// The command line is invalid, or names a file that cannot be read.
    pub const USAGE: Self = Self(2);
    /// It is proved that no plan keeps every rule.
    pub const INFEASIBLE: Self = Self(3);
    /// No plan that keeps every rule was found, nor a proof that there is none.
    pub const UNKNOWN: Self = Self(4);
    /// The problem or plan is not valid.
    pub const INVALID: Self = Self(5);
    /// The plan breaks rules.
    pub const UNVERIFIED: Self = Self(6);
    /// Ended by Ctrl-C, as shells count: 128 + SIGINT.
    pub const INTERRUPTED: Self = Self(130);
    /// The reader of our output went away: 128 + SIGPIPE.
    pub const PIPE: Self = Self(141);

    /// What a solved, unsolved or unsolvable problem ends with.
    #[must_use]
    pub fn of_solve(status: SolveStatus) -> Self {
        match status {
            SolveStatus::Optimal | SolveStatus::Feasible => Self::OK,
            SolveStatus::Infeasible => Self::INFEASIBLE,
            SolveStatus::Unknown | SolveStatus::Unspecified => Self::UNKNOWN,
        }
    }

    /// What a failed call ends with: invalid input, or 20 and the code of gRPC.
    #[must_use]
    pub fn of_code(code: Code) -> Self {
        match code {
            Code::InvalidArgument => Self::INVALID,
            // 0 to 16.
            code => Self(20 + i32::from(code) as u8),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.0)
    }
}

/// Why a command did not do what it should: for people, on stderr.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What the process ends with.
    pub exit: Exit,
    /// The message for the user. May have several lines. Empty: nothing.
    pub message: String,
}

impl Failure {
    /// A failure with a text.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
        }
    }

    /// An invalid command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::USAGE, message)
    }

    /// A call that the server at `address` refused, or that did not reach it.
    #[must_use]
    pub fn of_status(status: &Status, address: &str) -> Self {
        if let Some(cause) = broken_connection(status) {
            let hint =
                "It has gone, is no Stratagem server, or wants TLS otherwise (https://, --cert).";
            let message = format!("the connection to {address} broke: {cause}\n{hint}");
            return Self::new(Exit::of_code(Code::Unavailable), message);
        }
        let code = effective_code(status);
        let details = status.get_error_details();
        let mut message = match code {
            Code::InvalidArgument => String::from("the server refuses the request"),
            Code::Unavailable => format!("the server at {address} cannot take the request"),
            Code::DeadlineExceeded => "the deadline has passed without an answer".into(),
            _ => format!("the call failed with {}", code_name(code)),
        };
        let violations = details
            .bad_request()
            .map_or(&[][..], |b| &b.field_violations);
        if violations.is_empty() {
            let _ = write!(message, ": {}", status.message());
        } else {
            let mistakes = things(violations.len() as i64, "mistakes");
            let _ = write!(message, ": {mistakes}");
        }
        for violation in violations {
            let _ = write!(
                message,
                "\n  {}: {}",
                violation.field, violation.description
            );
            if !violation.reason.is_empty() {
                let _ = write!(message, " [{}]", violation.reason);
            }
        }
        if let Some(delay) = details.retry_info().and_then(|r| r.retry_delay) {
            let text = stratagem_render::time::span_text(delay.as_micros() as i64);
            let _ = write!(message, "\nTry again in {text}.");
        }
        Self::new(Exit::of_code(code), message)
    }
}

/// What broke the connection under a call. Only errors of our own side have a source: what the
/// server says has none.
fn broken_connection(status: &Status) -> Option<String> {
    let cause = root_cause(status.source()?);
    // tonic's own timeout has a source, too.
    (effective_code(status) != Code::DeadlineExceeded).then_some(cause)
}

/// The innermost error: the outer ones say no more than that the transport failed.
pub(crate) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// The code that is meant. Clients of tonic end expired calls with CANCELLED "Timeout expired": we
/// cancel nothing ourselves, so that is a deadline.
fn effective_code(status: &Status) -> Code {
    match status.code() {
        Code::Cancelled if status.message().contains("Timeout expired") => Code::DeadlineExceeded,
        code => code,
    }
}

impl From<std::io::Error> for Failure {
    /// Writing to stdout failed. A reader that has gone is no news for the user.
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::new(Exit::PIPE, "");
        }
        Self::new(Exit::IO, format!("cannot write the answer: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tonic_types::ErrorDetails;

    #[test]
    fn only_kept_rules_are_success() {
        let statuses = [
            (SolveStatus::Optimal, 0),
            (SolveStatus::Feasible, 0),
            (SolveStatus::Infeasible, 3),
            (SolveStatus::Unknown, 4),
            (SolveStatus::Unspecified, 4),
        ];
        for (status, code) in statuses {
            assert_eq!(Exit::of_solve(status), Exit(code), "{status:?}");
        }
    }

    #[test]
    fn codes_of_grpc_are_64_and_more_but_invalid_input_is_5() {
        assert_eq!(Exit::of_code(Code::InvalidArgument), Exit(5));
        assert_eq!(Exit::of_code(Code::Cancelled), Exit(21));
        assert_eq!(Exit::of_code(Code::Unavailable), Exit(34));
        assert_eq!(Exit::of_code(Code::Unauthenticated), Exit(36));
    }

    #[test]
    fn every_mistake_is_listed_with_field_reason_and_text() {
        let mut details = ErrorDetails::new();
        details
            .add_bad_request_violation("problem.tasks[3].id", "already the id of tasks[1]")
            .add_bad_request_violation("problem.agents", "at least one is required");
        let status = Status::with_error_details(Code::InvalidArgument, "2 mistakes", details);
        let failure = Failure::of_status(&status, "http://x");
        assert_eq!(failure.exit, Exit::INVALID);
        assert_eq!(
            failure.message,
            "the server refuses the request: 2 mistakes\n  \
             problem.tasks[3].id: already the id of tasks[1]\n  \
             problem.agents: at least one is required"
        );
    }

    #[test]
    fn a_busy_server_tells_when_to_come_back() {
        let details = ErrorDetails::with_retry_info(Some(Duration::from_millis(1_500)));
        let status = Status::with_error_details(Code::Unavailable, "all slots are busy", details);
        let failure = Failure::of_status(&status, "http://x:1");
        assert_eq!(failure.exit, Exit(34));
        assert_eq!(
            failure.message,
            "the server at http://x:1 cannot take the request: all slots are busy\n\
             Try again in 1.5s."
        );
    }

    #[test]
    fn the_clients_own_timeout_is_a_deadline() {
        let failure = Failure::of_status(&Status::cancelled("Timeout expired"), "http://x");
        assert_eq!(failure.exit, Exit(24));
    }

    #[test]
    fn a_connection_that_breaks_is_no_word_of_the_server() {
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let failure = Failure::of_status(&Status::from_error(Box::new(broken)), "http://x");
        assert_eq!(failure.exit, Exit(34));
        assert!(
            failure.message.contains("connection reset"),
            "{}",
            failure.message
        );
        let said = Failure::of_status(&Status::unknown("h2 protocol error"), "http://x");
        assert_eq!(said.exit, Exit(22));
    }

    #[test]
    fn a_closed_pipe_is_silent() {
        let broken = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        assert_eq!(Failure::from(broken), Failure::new(Exit(141), ""));
    }
}
