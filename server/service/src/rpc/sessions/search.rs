//! The searches of a session: a plan for the present in time, and better ones until the next
//! update.

use super::{Live, piece};
use crate::call::Call;
use crate::rpc::Parts;
use crate::rpc::method::{Given, Pending};
use crate::sessions::{Moment, Session};
use crate::status::Refusal;
use anytime::Found;
use runtime::Step;
use runtime::work::{Piece, Stage};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use wire::answers::Answer as _;
use wire::contract::AllocateTasks;
use wire::method::{Method, Reading, RequestOf};
use wire::session::{Planning, adapted, leaves_out_more, patience, shown};

/// What a session of allocation plans with.
type Planner = <AllocateTasks as Method>::Planner;
/// What plans are compared by.
type Cost = <Planner as anytime::Planner>::Cost;

impl Live {
    /// Publishes a plan for a moment.
    pub(super) async fn plan(
        &self,
        call: &Call,
        session: &Arc<Session>,
        moment: Moment,
        given: Option<&prost_types::Duration>,
    ) -> Result<(), Refusal> {
        let Moment { version, planning } = moment;
        match planning {
            Planning::Allocation(request) => {
                self.adapt(call, session, version, *request, given).await
            }
            Planning::Executed => {
                self.execute(call, session, version, given).await;
                Ok(())
            }
        }
    }

    /// Publishes routes for a moment: the adapted ones, or better ones where there is time for it.
    /// Then better ones are searched for in the background.
    async fn adapt(
        &self,
        call: &Call,
        session: &Arc<Session>,
        version: u64,
        request: RequestOf<AllocateTasks>,
        given: Option<&prost_types::Duration>,
    ) -> Result<(), Refusal> {
        let pending = self
            .parts
            .pending::<AllocateTasks>(named::<AllocateTasks>(call), request);
        let before = session.view();
        let adapt = move || {
            let found = adapted(&pending.asked.request);
            let view = found.as_ref().map(|found| shown(&pending.asked, found));
            (pending, found, view)
        };
        let piece = piece(call, session, Stage::Write);
        let (mut pending, found, view) = self.parts.desk.run(piece, adapt).await?;
        let needs_repair = view
            .as_ref()
            .is_none_or(|view| !view.complete || leaves_out_more(&before, view));
        let time = patience(given, &before, needs_repair);
        if let Some(view) = view {
            session.publish(version, view);
        } else {
            // A plan for another state is none.
            session.publish(version, pb::SessionView::default());
        }
        if !time.is_zero() {
            let best = found.as_ref().map(|found| found.cost);
            pending.limit(call.until, time, self.parts.config.budget_max.get());
            self.repair(session, version, pending, best).await;
        }
        self.improve(call, session, version);
        Ok(())
    }

    /// Searches within its limits. A search that is refused leaves the adapted plan.
    async fn repair(
        &self,
        session: &Session,
        version: u64,
        mut pending: Pending<AllocateTasks>,
        best: Option<Cost>,
    ) {
        pending.asked.request.options.priority = pb::Priority::High;
        let outcome = match self.parts.search(&pending).await {
            Ok(search) => search.end().await,
            Err(refusal) => {
                tracing::debug!(id = &*pending.call.id, "no repair: {}", refusal.message());
                return;
            }
        };
        let Ok(outcome) = outcome else { return };
        let Some(found) = outcome.best.as_deref() else {
            return;
        };
        if best.is_none_or(|best| found.cost <= best) {
            let mut answer = AllocateTasks::encode(&pending.asked, &outcome);
            session.publish(
                version,
                pb::SessionView {
                    report: Some(std::mem::take(answer.report_mut())),
                    ..shown(&pending.asked, found)
                },
            );
        }
    }

    /// Searches for better plans in the background, until the next update.
    fn improve(&self, call: &Call, session: &Arc<Session>, version: u64) {
        session.improve(version, || {
            let (parts, own, call) = (self.parts.clone(), Arc::clone(session), call.clone());
            let search = tokio::spawn(async move {
                // Refused or failed: the plan stays as it is.
                if let Err(refusal) = improved(&parts, &call, &own, version).await {
                    tracing::debug!(id = &*call.id, "no improvement: {}", refusal.message());
                }
                own.ends_improving(version);
            });
            search.abort_handle()
        });
    }
}

/// What is due after this time comes after all that a caller waits for.
const LAST: Duration = Duration::from_secs(3_600);

/// The method and its call.
pub(super) fn named<M: Method>(call: &Call) -> Given {
    Given {
        method: M::NAME,
        call: Call {
            // The call itself may have come long ago: what was done for it counts no more.
            arrived: Instant::now(),
            // It may be answered by then: the budget alone ends the search.
            until: None,
            ..call.clone()
        },
        default: Duration::from_secs(1),
    }
}

/// What is searched for in the background, and what it has to be better than.
struct Improvement {
    pending: Pending<AllocateTasks>,
    best: Option<Cost>,
}

impl Improvement {
    /// `None`: the state is over.
    async fn read(
        parts: &Parts,
        call: &Call,
        session: &Arc<Session>,
        version: u64,
    ) -> Result<Option<Self>, Refusal> {
        let piece = Piece {
            due: Some(Instant::now() + LAST),
            ..piece(call, session, Stage::Read)
        };
        let own = Arc::clone(session);
        let read = move || {
            let moment = own.under_way(version, &Reading::ALONE)?;
            let Some(Planning::Allocation(request)) = moment.map(|moment| moment.planning) else {
                return Ok(None);
            };
            let best = adapted(&request).map(|found| found.cost);
            Ok::<_, Refusal>(Some((*request, best)))
        };
        let Some((request, best)) = parts.desk.run(piece, read).await?? else {
            return Ok(None);
        };
        let mut pending = parts.pending::<AllocateTasks>(named::<AllocateTasks>(call), request);
        let options = &mut pending.asked.request.options;
        if options.priority == pb::Priority::Unspecified {
            options.priority = pb::Priority::Low;
        }
        Ok(Some(Self { pending, best }))
    }

    /// Whether a plan is better than all before it.
    fn is_better(&mut self, found: &Found<Planner>) -> bool {
        let is_better = self.best.is_none_or(|best| found.cost < best);
        if is_better {
            self.best = Some(found.cost);
        }
        is_better
    }
}

/// Publishes each better plan for the present.
async fn improved(
    parts: &Parts,
    call: &Call,
    session: &Arc<Session>,
    version: u64,
) -> Result<(), Refusal> {
    let Some(mut now) = Improvement::read(parts, call, session, version).await? else {
        return Ok(());
    };
    let search = parts.search(&now.pending).await?;
    let mut steps = search.steps(parts.config.heartbeat_interval.get());
    while let Some(step) = steps.next().await {
        let step = step?;
        steps.mark_sent(&step);
        match step {
            Step::Progress(progress) => {
                let found = progress.best.as_deref().filter(|_| progress.is_new);
                let Some(found) = found.filter(|found| now.is_better(found)) else {
                    continue;
                };
                let view = pb::SessionView {
                    improving: true,
                    ..shown(&now.pending.asked, found)
                };
                if !session.publish(version, view) {
                    return Ok(());
                }
            }
            Step::End { outcome, .. } => {
                let mut answer = AllocateTasks::encode(&now.pending.asked, &outcome);
                let report = std::mem::take(answer.report_mut());
                let found = outcome.best.as_deref();
                if let Some(found) = found.filter(|found| now.is_better(found)) {
                    let report = Some(report);
                    let view = shown(&now.pending.asked, found);
                    session.publish(version, pb::SessionView { report, ..view });
                } else {
                    session.report(version, report);
                }
            }
        }
    }
    Ok(())
}
