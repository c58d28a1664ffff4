//! Pages of examples.

use super::mistakes::{Code, Mistakes};
use super::path::Path;
use super::values::shown;
use crate::examples::Examples;
use stratagem_proto::v1 as pb;

/// Examples on a page unless asked for otherwise, and at most.
const PAGE_DEFAULT: usize = 100;
const PAGE_MAX: i64 = 1_000;
/// A page token is this and the name of the last example on the page before.
const TOKEN: &str = "after:";

/// A page.
///
/// # Errors
/// All mistakes.
pub(crate) fn page(
    examples: &Examples,
    request: pb::ListExamplesRequest,
) -> Result<pb::ListExamplesResponse, Mistakes> {
    let pb::ListExamplesRequest {
        planner,
        page_size,
        page_token,
    } = request;
    let mut wrong = Mistakes::default();
    let all: Vec<&pb::ExampleSummary> = examples
        .list()
        .iter()
        .filter_map(|example| example.summary.as_ref())
        .collect();
    if !planner.is_empty() && !all.iter().any(|one| one.planner == planner) {
        let why = format!("is {}, which is no planner with examples", shown(&planner));
        wrong.add(&Path::root("planner"), Code::Unknown, why);
    }
    let size = wrong.whole(&Path::root("page_size"), page_size.into(), 0..=PAGE_MAX);
    let first = start(&all, &page_token, &mut wrong);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let size = match usize::try_from(size) {
        Ok(0) | Err(_) => PAGE_DEFAULT,
        Ok(size) => size,
    };
    let mut rest = all
        .into_iter()
        .skip(first)
        .filter(|one| planner.is_empty() || one.planner == planner);
    let examples: Vec<_> = rest.by_ref().take(size).cloned().collect();
    let next_page_token = match (rest.next(), examples.last()) {
        (Some(_), Some(last)) => format!("{TOKEN}{}", last.name),
        _ => String::new(),
    };
    Ok(pb::ListExamplesResponse {
        examples,
        next_page_token,
    })
}

/// Index of the first example of the page.
fn start(all: &[&pb::ExampleSummary], token: &str, wrong: &mut Mistakes) -> usize {
    if token.is_empty() {
        return 0;
    }
    let last = token
        .strip_prefix(TOKEN)
        .and_then(|name| all.iter().position(|one| one.name == name));
    last.map_or_else(
        || {
            let why = format!("is {}, which this server did not give", shown(token));
            wrong.add(&Path::root("page_token"), Code::Unknown, why);
            0
        },
        |last| last + 1,
    )
}
