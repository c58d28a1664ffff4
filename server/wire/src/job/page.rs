//! Pages of jobs.

use super::{Mistakes, Path, labels};
use crate::mistakes::Code;
use crate::values::{ID_MAX, shown};
use stratagem_proto::v1 as pb;

/// Jobs on a page unless asked for otherwise.
const PAGE_DEFAULT: usize = 100;
/// A page token is this and the id of the last job that was looked at.
const TOKEN: &str = "before:";

/// Which jobs are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    states: Vec<i32>,
    labels: Vec<pb::JobLabel>,
    planner: String,
}

/// A page that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Which jobs.
    pub filter: Filter,
    /// How many at most.
    pub size: usize,
    /// Only those before this id, if any.
    pub before: Option<String>,
}

impl Filter {
    /// Whether a job is wanted.
    pub fn takes(&self, job: &pb::Job) -> bool {
        let state = self.states.is_empty() || self.states.contains(&job.state);
        let planner = self.planner.is_empty() || self.planner == job.planner;
        state && planner && self.labels.iter().all(|label| job.labels.contains(label))
    }
}

/// Reads a request for a page.
///
/// # Errors
/// All mistakes.
pub fn page(mut request: pb::ListJobsRequest) -> Result<Listing, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut request)?;
    let pb::ListJobsRequest {
        states,
        labels: wanted,
        planner,
        page_size,
        page_token,
    } = request;
    labels(&wanted, &mut wrong);
    let size = page_size.and_then(|size| usize::try_from(size).ok());
    let before = match page_token.as_str() {
        "" => None,
        token => {
            let id = token.strip_prefix(TOKEN).filter(|id| id.len() <= ID_MAX);
            if id.is_none() {
                let why = format!("is {}, which no server of ours gave", shown(token));
                wrong.add(&Path::root("page_token"), Code::Unknown, why);
            }
            id.map(str::to_owned)
        }
    };
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Listing {
        filter: Filter {
            states,
            labels: wanted,
            planner,
        },
        size: size.unwrap_or(PAGE_DEFAULT),
        before,
    })
}

impl Listing {
    /// The answer: these jobs, and where to go on, if anywhere.
    pub fn answer(jobs: Vec<pb::Job>, go_on_before: Option<String>) -> pb::ListJobsResponse {
        pb::ListJobsResponse {
            jobs,
            next_page_token: go_on_before.map_or_else(String::new, |id| format!("{TOKEN}{id}")),
        }
    }
}
