//! The methods that jobs can be requests to: all that search.

use super::{JobKind, Wanted, wanted};
use crate::contract;
use crate::method::{Method, Reading};
use crate::mistakes::{Code, Mistakes};
use anytime::{Path, Runnable as _};
use stratagem_proto::v1::{self as pb, job_request, job_response};

/// A request for a job.
///
/// # Errors
/// All mistakes.
pub fn checked(mut request: pb::CreateJobRequest, with: &Reading<'_>) -> Result<Wanted, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut request)?;
    let method = request.request.clone().and_then(|request| request.method);
    let kind = method.map(|method| check(method, with, &mut wrong));
    let wanted = wanted(request, kind, &mut wrong);
    wanted.filter(|_| wrong.is_empty()).ok_or(wrong)
}

/// A method that jobs can be requests to.
pub trait Jobbed: Method {
    /// Its options in a request.
    fn options(request: &mut Self::Request) -> &mut Option<pb::SolveOptions>;

    /// Lets a request begin with what was found for it before; false where it starts from scratch.
    fn resume(request: &mut Self::Request, found: Self::Answer) -> bool {
        Self::continue_from(request, found)
    }

    /// What was found before, if it is an answer of this method.
    fn found(response: job_response::Method) -> Option<Self::Answer>;

    /// The answer, as a member of the union of responses.
    fn response(answer: Self::Answer) -> job_response::Method;
}

/// Begins with the plan that was found.
macro_rules! resumed {
    () => {
        fn resume(request: &mut Self::Request, found: Self::Answer) -> bool {
            let is_found = found.plan.is_some();
            if is_found {
                request.previous_plan = found.plan;
            }
            is_found
        }
    };
}

macro_rules! jobbed {
    ($($method:ident: $field:literal$(, $part:ident)?;)*) => {
        $(impl Jobbed for contract::$method {
            fn options(request: &mut Self::Request) -> &mut Option<pb::SolveOptions> {
                &mut request.options
            }

            fn response(answer: Self::Answer) -> job_response::Method {
                job_response::Method::$method(answer)
            }

            fn found(response: job_response::Method) -> Option<Self::Answer> {
                match response {
                    job_response::Method::$method(found) => Some(found),
                    _ => None,
                }
            }

            $($part!();)?
        })*
    };
}

contract::each_job!(jobbed);

/// What is done for each method.
macro_rules! by_method {
    ($($method:ident: $field:literal$(, $part:ident)?;)*) => {
        /// Checks a request as its own method does; what kind of job it is.
        fn check(
            request: job_request::Method,
            with: &Reading<'_>,
            wrong: &mut Mistakes,
        ) -> JobKind {
            match request {
                $(job_request::Method::$method(message) => {
                    checked_method::<contract::$method>(message, $field, with, wrong)
                })*
            }
        }

        /// Slots that a job takes, by a request that was checked.
        pub fn threads(request: &mut pb::CreateJobRequest) -> usize {
            let method = request.request.as_mut().and_then(|request| request.method.as_mut());
            let options = match method {
                $(Some(job_request::Method::$method(message)) => {
                    contract::$method::options(message)
                })*
                None => return 1,
            };
            let engine = options.as_ref().and_then(|options| options.engine);
            let threads = engine.and_then(|engine| engine.threads);
            usize::try_from(threads.unwrap_or(1)).unwrap_or(1)
        }
    };
}

contract::each_job!(by_method);

fn checked_method<M: Jobbed>(
    mut request: M::Request,
    field: &'static str,
    with: &Reading<'_>,
    wrong: &mut Mistakes,
) -> JobKind {
    let options = M::options(&mut request).clone().unwrap_or_default();
    let kind = JobKind {
        planner: M::Planner::NAME,
        method: M::NAME,
        priority: options.priority(),
    };
    if options.validate_only {
        let root = Path::root("request");
        let why = "is set, but a job that does nothing is none: call the method itself";
        wrong.add(
            &root.field(field).field("options").field("validate_only"),
            Code::Contradiction,
            why,
        );
    }
    if let Err(mistakes) = M::read(request, with) {
        wrong.add_below(mistakes, &format!("request.{field}"));
    }
    kind
}
