//! The requests that have no function of their own: read, judged, and dropped.

use super::{Rejected, rejected};
use crate::codec::{self, Incoming};
use crate::rpc::jobs::checked;
use crate::rpc::method::Reading;
use crate::wire::allocation::to_insert;
use crate::wire::crew::to_compare;
use crate::wire::heist::{to_analyze, to_design, to_play};
use crate::wire::job::{named, page};
use crate::wire::mistakes::Mistakes;
use crate::wire::patrol::{mix_request, to_evaluate, vary_request};
use crate::wire::picture::to_draw;
use crate::wire::planning::to_verify;
use crate::wire::puzzle::rated;
use crate::wire::story::{branch_request, to_explain, to_learn, vary_request as vary_stories};
use crate::wire::temporal::levels;
use stratagem_proto::v1 as pb;

/// Reads an encoded request as the server does, and says only whether it makes sense.
type Reader = fn(&[u8]) -> Result<(), Rejected>;

/// Nothing is read but the message.
const ALONE: Reading<'static> = Reading {
    books: None,
    until: None,
};

/// The methods, by their names, and what reads their requests. Fuzz seeds count on the order: new
/// ones go to the end.
pub(super) const METHODS: [(&str, Reader); 19] = [
    ("AnalyzeHeist", |bytes| read(bytes, to_analyze)),
    ("CheckControllability", |bytes| read(bytes, levels)),
    ("CompareCrewMoves", |bytes| read(bytes, to_compare)),
    ("DesignHeist", |bytes| read(bytes, to_design)),
    ("EvaluatePatrol", |bytes| read(bytes, to_evaluate)),
    ("InsertTask", |bytes| read(bytes, to_insert)),
    ("MixPatrols", |bytes| read(bytes, mix_request)),
    // Levels are not solved: nobody waits.
    ("RatePuzzles", |bytes| read(bytes, |it| rated(it, || true))),
    ("SimulateHeist", |bytes| read(bytes, to_play)),
    ("VaryPatrols", |bytes| read(bytes, vary_request)),
    ("VerifyPlan", |bytes| read(bytes, to_verify)),
    ("ExplainStory", |bytes| read(bytes, to_explain)),
    ("LearnStoryDomain", |bytes| {
        read(bytes, |it| to_learn(it, None))
    }),
    ("CreateJob", |bytes| read(bytes, |it| checked(it, &ALONE))),
    ("ListJobs", |bytes| read(bytes, page)),
    ("WatchJob", |bytes| {
        read(bytes, |mut it: pb::WatchJobRequest| {
            named(&mut it, |it| &it.job_id)
        })
    }),
    // Nothing is drawn.
    ("RenderPlan", |bytes| read(bytes, to_draw)),
    ("VaryStories", |bytes| read(bytes, vary_stories)),
    ("BranchStory", |bytes| read(bytes, branch_request)),
];

fn read<M: Incoming, T>(
    bytes: &[u8],
    judge: impl FnOnce(M) -> Result<T, Mistakes>,
) -> Result<(), Rejected> {
    let message = codec::decode(bytes).map_err(rejected)?;
    let read = judge(message);
    read.map_or_else(
        |wrong| Err(Rejected::Mistakes(wrong.into_list())),
        |_| Ok(()),
    )
}
