//! What a job is a request to: a problem of any planner, or a request to any method that searches.

use super::problem::{parse, problem};
use super::{invalid, text};
use crate::args::{ConnectionArgs, ForeignArgs};
use crate::exit::Failure;
use crate::reflect::{self, job_about};
use stratagem_proto::v1::JobRequest;

/// Reads a `JobRequest`, as in `{"design_heist": {"problem": ...}}`, or a problem as [`problem`]
/// does: then the job is a request to the first method of its planner.
///
/// # Errors
/// Those of [`problem`].
pub async fn job(
    source: &str,
    foreign: ForeignArgs,
    server: &ConnectionArgs,
) -> Result<JobRequest, Failure> {
    if source.starts_with("example:") {
        return Ok(job_about(&problem(source, foreign, server).await?));
    }
    let text = text(source)?;
    let keys = formats::top_keys(&text.text, text.format);
    if let [key] = keys.as_slice()
        && reflect::job_methods().any(|method| method == *key)
    {
        return formats::read(&text.text, text.format).map_err(|mistake| invalid(&text, &mistake));
    }
    parse(&text, "allocation", foreign).map(|problem| job_about(&problem))
}
