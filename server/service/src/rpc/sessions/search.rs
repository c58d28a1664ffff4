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
use wire::contract::{AllocateTasks, GeneratePatrol};
use wire::method::{CostOf, Method, Reading};
use wire::session::{Planning, Question, Routed, patience};

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
            Planning::Allocation(question) => {
                self.adapt::<AllocateTasks>(call, session, version, *question, given)
                    .await
            }
            Planning::Patrol(question) => {
                self.adapt::<GeneratePatrol>(call, session, version, *question, given)
                    .await
            }
            Planning::Unchanged => {
                session.go_on(version);
                Ok(())
            }
            Planning::Executed => {
                self.execute(call, session, version, given).await;
                Ok(())
            }
        }
    }

    /// Publishes routes for a moment: the adapted ones, or better ones where there is time for it.
    /// Then better ones are searched for in the background.
    async fn adapt<M: Routed>(
        &self,
        call: &Call,
        session: &Arc<Session>,
        version: u64,
        question: Question<M>,
        given: Option<&prost_types::Duration>,
    ) -> Result<(), Refusal> {
        let Question { request, setting } = question;
        let pending = self.parts.pending::<M>(named::<M>(call), request);
        let before = session.view();
        let adapt = move || {
            let found = M::adapted(&pending.asked.request);
            let view = found
                .as_ref()
                .and_then(|found| M::shown(&setting, &pending.asked, found));
            (Plans { pending, setting }, found, view)
        };
        let piece = piece(call, session, Stage::Write);
        let (mut plans, found, view) = self.parts.desk.run(piece, adapt).await?;
        let needs_repair = view
            .as_ref()
            .is_none_or(|view| M::needs_repair(&before, view));
        let time = patience(given, &before, needs_repair);
        // A plan for another state is none.
        session.publish(version, view.unwrap_or_default());
        if !time.is_zero() {
            let best = found.as_ref().map(|found| found.cost);
            let most = self.parts.config.budget_max.get();
            plans.pending.limit(call.until, time, most);
            self.repair(session, version, plans, best).await;
        }
        self.improve::<M>(call, session, version);
        Ok(())
    }

    /// Searches within its limits. A search that is refused leaves the adapted plan.
    async fn repair<M: Routed>(
        &self,
        session: &Session,
        version: u64,
        plans: Plans<M>,
        best: Option<CostOf<M>>,
    ) {
        let Plans {
            mut pending,
            setting,
        } = plans;
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
        if best.is_some_and(|best| found.cost > best) {
            return;
        }
        if let Some(view) = M::shown(&setting, &pending.asked, found) {
            let mut answer = M::encode(&pending.asked, &outcome);
            let report = Some(std::mem::take(answer.report_mut()));
            session.publish(version, pb::SessionView { report, ..view });
        }
    }

    /// Searches for better plans in the background, until the next update.
    fn improve<M: Routed>(&self, call: &Call, session: &Arc<Session>, version: u64) {
        session.improve(version, || {
            let (parts, own, call) = (self.parts.clone(), Arc::clone(session), call.clone());
            let search = tokio::spawn(async move {
                // Refused or failed: the plan stays as it is.
                if let Err(refusal) = improved::<M>(&parts, &call, &own, version).await {
                    tracing::debug!(id = &*call.id, "no improvement: {}", refusal.message());
                }
                own.ends_improving(version);
            });
            search.abort_handle()
        });
    }
}

/// What searches for plans, and what they are shown with.
struct Plans<M: Routed> {
    pending: Pending<M>,
    setting: M::Setting,
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
struct Improvement<M: Routed> {
    plans: Plans<M>,
    best: Option<CostOf<M>>,
}

impl<M: Routed> Improvement<M> {
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
            let question = moment.and_then(|moment| M::question(moment.planning));
            Ok::<_, Refusal>(question.map(|question| {
                let best = M::adapted(&question.request).map(|found| found.cost);
                (*question, best)
            }))
        };
        let Some((question, best)) = parts.desk.run(piece, read).await?? else {
            return Ok(None);
        };
        let Question { request, setting } = question;
        let mut pending = parts.pending::<M>(named::<M>(call), request);
        let options = &mut pending.asked.request.options;
        if options.priority == pb::Priority::Unspecified {
            options.priority = pb::Priority::Low;
        }
        let plans = Plans { pending, setting };
        Ok(Some(Self { plans, best }))
    }

    /// The view of a plan, if it is better than all before it and can still be followed.
    fn view(&mut self, session: &Session, found: &Found<M::Planner>) -> Option<pb::SessionView> {
        let Plans { pending, setting } = &self.plans;
        let is_better = self.best.as_ref().is_none_or(|best| found.cost < *best);
        let is_late = || session.present().state().now_us() > M::latest_us(setting);
        if !is_better || is_late() {
            return None;
        }
        let view = M::shown(setting, &pending.asked, found)?;
        self.best = Some(found.cost);
        Some(view)
    }
}

/// Publishes each better plan for the present.
async fn improved<M: Routed>(
    parts: &Parts,
    call: &Call,
    session: &Arc<Session>,
    version: u64,
) -> Result<(), Refusal> {
    let Some(mut now) = Improvement::<M>::read(parts, call, session, version).await? else {
        return Ok(());
    };
    let search = parts.search(&now.plans.pending).await?;
    let mut steps = search.steps(parts.config.heartbeat_interval.get());
    while let Some(step) = steps.next().await {
        let step = step?;
        steps.mark_sent(&step);
        match step {
            Step::Progress(progress) => {
                let found = progress.best.as_deref().filter(|_| progress.is_new);
                let Some(view) = found.and_then(|found| now.view(session, found)) else {
                    continue;
                };
                let view = pb::SessionView {
                    improving: true,
                    ..view
                };
                if !session.publish(version, view) {
                    return Ok(());
                }
            }
            Step::End { outcome, .. } => {
                let mut answer = M::encode(&now.plans.pending.asked, &outcome);
                let report = std::mem::take(answer.report_mut());
                let found = outcome.best.as_deref();
                if let Some(view) = found.and_then(|found| now.view(session, found)) {
                    let report = Some(report);
                    session.publish(version, pb::SessionView { report, ..view });
                } else {
                    session.report(version, report);
                }
            }
        }
    }
    Ok(())
}
