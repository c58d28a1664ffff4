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
            Planning::Played => {
                session.show_played(version);
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
                let task = Improving {
                    parts: &parts,
                    call: &call,
                    session: &own,
                    version,
                };
                // Refused or failed: the plan stays as it is.
                if let Err(refusal) = improved::<M>(&task).await {
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
    plans: Arc<Plans<M>>,
    best: Option<CostOf<M>>,
}

impl<M: Routed> Improvement<M> {
    /// `None`: the state is over.
    async fn read(task: &Improving<'_>) -> Result<Option<Self>, Refusal> {
        let (own, version) = (Arc::clone(task.session), task.version);
        let read = move || {
            let moment = own.under_way(version, &Reading::ALONE)?;
            let question = moment.and_then(|moment| M::question(moment.planning));
            Ok::<_, Refusal>(question.map(|question| {
                let best = M::adapted(&question.request).map(|found| found.cost);
                (*question, best)
            }))
        };
        let read = task.parts.desk.run(task.piece(Stage::Read), read);
        let Some((question, best)) = read.await?? else {
            return Ok(None);
        };
        let Question { request, setting } = question;
        let mut pending = task.parts.pending::<M>(named::<M>(task.call), request);
        let options = &mut pending.asked.request.options;
        if options.priority == pb::Priority::Unspecified {
            options.priority = pb::Priority::Low;
        }
        let plans = Arc::new(Plans { pending, setting });
        Ok(Some(Self { plans, best }))
    }

    /// Publishes a plan if it is better than all before it and can still be followed. `report` has
    /// that of the search, at its end.
    async fn publish(
        &mut self,
        task: &Improving<'_>,
        found: &Arc<Found<M::Planner>>,
        report: Option<Box<pb::SolveReport>>,
    ) -> Result<Shown, Refusal> {
        if self.best.as_ref().is_some_and(|best| found.cost >= *best) {
            return Ok(Shown::Worse(report));
        }
        let (plans, own) = (Arc::clone(&self.plans), Arc::clone(found));
        let show = move || M::shown(&plans.setting, &plans.pending.asked, &own);
        let Some(view) = task.parts.desk.run(task.piece(Stage::Write), show).await? else {
            return Ok(Shown::Worse(report));
        };
        self.best = Some(found.cost);
        let view = pb::SessionView {
            improving: report.is_none(),
            report: report.map(|report| *report),
            ..view
        };
        let latest_us = M::latest_us(&self.plans.setting);
        Ok(if task.session.publish_by(latest_us, task.version, view) {
            Shown::Published
        } else {
            Shown::Late
        })
    }
}

/// What came of a plan.
enum Shown {
    Published,
    /// It is not better; with the report that was to come with it.
    Worse(Option<Box<pb::SolveReport>>),
    /// The state is over, or the time at which it could begin.
    Late,
}

/// A session that is improved, and for whom.
struct Improving<'i> {
    parts: &'i Parts,
    call: &'i Call,
    session: &'i Arc<Session>,
    version: u64,
}

impl Improving<'_> {
    /// Work that nobody waits for.
    fn piece(&self, stage: Stage) -> Piece {
        Piece {
            due: Some(Instant::now() + LAST),
            ..piece(self.call, self.session, stage)
        }
    }
}

/// Publishes each better plan for the present.
async fn improved<M: Routed>(task: &Improving<'_>) -> Result<(), Refusal> {
    let Some(mut now) = Improvement::<M>::read(task).await? else {
        return Ok(());
    };
    let search = task.parts.search(&now.plans.pending).await?;
    let mut steps = search.steps(task.parts.config.heartbeat_interval.get());
    while let Some(step) = steps.next().await {
        let step = step?;
        steps.mark_sent(&step);
        let shown = match step {
            Step::Progress(progress) => match progress.best.filter(|_| progress.is_new) {
                Some(found) => now.publish(task, &found, None).await?,
                None => continue,
            },
            Step::End { outcome, .. } => {
                let mut answer = M::encode(&now.plans.pending.asked, &outcome);
                let report = Some(Box::new(std::mem::take(answer.report_mut())));
                match &outcome.best {
                    Some(found) => now.publish(task, found, report).await?,
                    None => Shown::Worse(report),
                }
            }
        };
        match shown {
            Shown::Published | Shown::Worse(None) => {}
            Shown::Worse(Some(report)) => task.session.report(task.version, *report),
            Shown::Late => return Ok(()),
        }
    }
    Ok(())
}
