//! The examples of the contract, and pages of them.

use super::mistakes::{Code, Mistakes};
use super::values::shown;
use anytime::Path;
use formats::Mistake;
use stratagem_proto::{EXAMPLES, v1 as pb};

/// Examples on a page unless asked for otherwise, and at most.
const PAGE_DEFAULT: usize = 100;
/// A page token is this and the name of the last example on the page before.
const TOKEN: &str = "after:";

/// The examples, read and ready to be sent.
#[derive(Debug)]
pub struct Examples(Vec<pb::GetExampleResponse>);

impl Examples {
    /// All examples.
    ///
    /// # Errors
    /// The first that is no problem of its planner.
    pub fn read() -> Result<Self, BrokenExample> {
        let read = EXAMPLES.iter().map(|example| {
            let broken = |mistake| BrokenExample(example.name, mistake);
            formats::example(example).map_err(broken)
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// All, in the order of their names.
    pub fn list(&self) -> &[pb::GetExampleResponse] {
        &self.0
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&pb::GetExampleResponse> {
        let is_it = |one: &pb::ExampleSummary| one.name == name;
        let mut all = self.0.iter();
        all.find(|one| one.summary.as_ref().is_some_and(is_it))
    }
}

/// Why an example, by its name, cannot be served: the server does not start with it.
#[derive(Debug, thiserror::Error)]
#[error("example {0}: {1}")]
pub struct BrokenExample(&'static str, Mistake);

/// A page.
///
/// # Errors
/// All mistakes.
pub fn page(
    examples: &Examples,
    mut request: pb::ListExamplesRequest,
) -> Result<pb::ListExamplesResponse, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut request)?;
    let pb::ListExamplesRequest {
        planner,
        page_size,
        page_token,
    } = request;
    let all: Vec<&pb::ExampleSummary> = examples
        .list()
        .iter()
        .filter_map(|example| example.summary.as_ref())
        .collect();
    if !planner.is_empty() && !all.iter().any(|one| one.planner == planner) {
        let why = format!("is {}, which is no planner with examples", shown(&planner));
        wrong.add(&Path::root("planner"), Code::Unknown, why);
    }
    let size = page_size.and_then(|size| usize::try_from(size).ok());
    let first = start(&all, &page_token, &mut wrong);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let size = size.unwrap_or(PAGE_DEFAULT);
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

#[cfg(test)]
mod tests {
    use super::Examples;
    use super::page;
    use crate::contract::RenderPlan;
    use crate::method::Question as _;
    use stratagem_proto::{EXAMPLES, v1 as pb};

    fn names(page: &pb::ListExamplesResponse) -> Vec<&str> {
        page.examples.iter().map(|one| one.name.as_str()).collect()
    }

    #[test]
    fn pages_follow_each_other_without_gap_or_repetition() {
        let examples = Examples::read().unwrap();
        let mut request = pb::ListExamplesRequest {
            planner: "allocation".into(),
            page_size: Some(1),
            ..Default::default()
        };
        let mut all = Vec::new();
        loop {
            let page = page(&examples, request.clone()).unwrap();
            all.extend(names(&page).into_iter().map(str::to_owned));
            if page.next_page_token.is_empty() {
                break;
            }
            request.page_token = page.next_page_token;
        }
        let wanted = EXAMPLES.iter().filter(|one| one.planner == "allocation");
        assert_eq!(all, wanted.map(|one| one.name).collect::<Vec<_>>());
    }

    #[test]
    fn whatever_is_not_ours_is_a_mistake() {
        let examples = Examples::read().unwrap();
        let wrong = page(
            &examples,
            pb::ListExamplesRequest {
                planner: "cooking".into(),
                page_size: Some(-1),
                page_token: "after:nothing".into(),
            },
        );
        let list = wrong.unwrap_err().into_list();
        let found: Vec<_> = list.iter().map(|m| (&*m.field, m.code.name())).collect();
        let unknown = [
            ("page_size", "OUT_OF_RANGE"),
            ("planner", "UNKNOWN"),
            ("page_token", "UNKNOWN"),
        ];
        assert_eq!(found, unknown);
    }

    #[test]
    fn every_example_is_a_problem_that_is_taken() {
        let examples = Examples::read().unwrap();
        for example in examples.list() {
            let request = pb::RenderPlanRequest {
                problem: example.problem.clone(),
                ..Default::default()
            };
            let wrong = RenderPlan::read(request).err();
            assert_eq!(wrong, None, "{:?}", example.summary);
        }
    }
}
