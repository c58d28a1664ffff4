//! The search of a job: that of its planner's method, followed by a worker instead of a caller.

use super::kinds;
use crate::call::Call;
use crate::jobs::worker::Follower;
use crate::rpc::Parts;
use crate::rpc::method::{Given, Pending};
use crate::status::Refusal;
use anytime::{Conclusion, Stop};
use prost::Message as _;
use runtime::work::{Piece, Stage};
use runtime::{Search, Step};
use std::time::Duration;
use stratagem_proto::v1 as pb;
use wire::answers::Answer as _;
use wire::job::Jobbed;
use wire::report::progress;

/// Longest silence of a search that is kept as a job.
const HEARTBEAT_MAX: Duration = Duration::from_secs(15);

/// How the search of a job ended.
pub(crate) enum Ended {
    /// With an answer.
    Answer(Box<pb::JobResponse>),
    /// The server shuts down; what was found is kept.
    Drained,
    /// The job is not ours any more.
    Lost,
    /// It cannot be done.
    Refused(Refusal),
}

/// What is to be searched.
pub(crate) struct Task {
    /// Of the job.
    pub id: String,
    /// Whose it is; empty: it was made on a server that wants no tokens.
    pub tenant: String,
    /// What the attempts before have found.
    pub found: Option<pb::JobResponse>,
    /// How long they searched.
    pub searched: Duration,
    /// Until its deadline, if it has one.
    pub left: Option<Duration>,
}

/// Searches to the end.
pub(crate) async fn search(
    parts: &Parts,
    request: pb::CreateJobRequest,
    task: Task,
    follower: &mut Follower,
) -> Ended {
    kinds::search(parts, request, task, follower).await
}

/// The search of a request to one method.
pub(super) async fn followed<M: Jobbed>(
    parts: &Parts,
    mut message: M::Request,
    mut task: Task,
    follower: &mut Follower,
) -> Ended {
    let found = task.found.take().and_then(|found| found.method);
    let found = found.and_then(M::found);
    let resumes = found.is_some_and(|found| M::resume(&mut message, found));
    let options = M::options(&mut message).get_or_insert_default();
    if options.priority() == pb::Priority::Unspecified {
        options.set_priority(pb::Priority::Low);
    }
    options.time_budget = budget(parts, options, &task, resumes);
    let tenant = match &*task.tenant {
        "" => Ok(parts.tenants.everybody()),
        name => parts.tenants.named(name),
    };
    let tenant = match tenant {
        Ok(tenant) => tenant,
        Err(refusal) => return refusal.into(),
    };
    let given = Given {
        method: M::NAME,
        call: Call::new(&task.id, tenant),
        default: parts.config.budget_default.get(),
    };
    let piece = Piece {
        method: M::NAME,
        stage: Stage::Read,
        size: message.encoded_len(),
        tenant: given.call.tenant.payer(),
        due: None,
        until: None,
    };
    let reader = parts.reader::<M>(None);
    let read = move || reader(message);
    let pending = match parts
        .desk
        .run(piece, read)
        .await
        .map_err(Refusal::from)
        .flatten()
    {
        Ok(request) => parts.pending::<M>(given, request),
        Err(refusal) => return refusal.into(),
    };
    match parts.search(&pending).await {
        Ok(search) => follow(parts, &pending, search, follower).await,
        Err(refusal) => refusal.into(),
    }
}

/// Budget of this attempt: what earlier attempts left of it, if their search resumes, and at most
/// the time until the deadline.
fn budget(
    parts: &Parts,
    options: &pb::SolveOptions,
    task: &Task,
    resumes: bool,
) -> Option<prost_types::Duration> {
    // What was checked fits.
    let given = options.time_budget.as_ref();
    let given = given.and_then(|given| Duration::try_from(*given).ok());
    let whole = given.unwrap_or_else(|| parts.config.budget_default.get());
    let whole = whole.min(parts.config.budget_max.get());
    let searched = if resumes {
        task.searched
    } else {
        Duration::ZERO
    };
    let left = whole.saturating_sub(searched);
    let left = task.left.map_or(left, |until| left.min(until));
    // A budget of 0 is a mistake.
    prost_types::Duration::try_from(left.max(Duration::from_millis(1))).ok()
}

async fn follow<M: Jobbed>(
    parts: &Parts,
    pending: &Pending<M>,
    search: Search<M::Planner>,
    follower: &mut Follower,
) -> Ended {
    let (stop, span) = (search.stopper(), search.span());
    // Signs of life are kept, too: they show how long an attempt has lasted.
    let heartbeat = parts.config.heartbeat_interval.get().min(HEARTBEAT_MAX);
    let mut steps = search.steps(heartbeat);
    let mut stopped = false;
    loop {
        let step = tokio::select! {
            biased;
            step = steps.next() => step,
            () = follower.stop_is_wanted(), if !stopped => {
                // It ends now, with the best so far.
                stop.drain();
                stopped = true;
                continue;
            }
        };
        let step = match step {
            Some(Ok(step)) => step,
            Some(Err(refusal)) => return Refusal::from(refusal).into(),
            // Nothing follows the end.
            None => return Ended::Lost,
        };
        steps.mark_sent(&step);
        match step {
            Step::Progress(now) => {
                let (event, answer) = progress(&pending.asked, &now);
                let answer = answer.filter(|answer| *answer != M::Answer::default());
                let response = answer.map(|answer| pb::JobResponse {
                    method: Some(M::response(answer)),
                });
                if follower.step(event, response).await.is_err() {
                    return Ended::Lost;
                }
            }
            Step::End { outcome, .. } => {
                let cancelled = follower.is_cancelled().await;
                let drained = outcome.conclusion == Conclusion::Stopped(Stop::Draining);
                if drained && !cancelled {
                    return if stopped { Ended::Lost } else { Ended::Drained };
                }
                let mut answer = M::encode(&pending.asked, &outcome);
                let report = answer.report_mut();
                if drained {
                    report.set_stop_reason(pb::StopReason::Cancelled);
                }
                parts.record(pending, &outcome, &span, report);
                let method = Some(M::response(answer));
                return Ended::Answer(Box::new(pb::JobResponse { method }));
            }
        }
    }
}
