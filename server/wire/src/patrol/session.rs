//! A session of patrols: the problem, the plan that guards follow, and what has changed.

mod changes;
#[cfg(test)]
mod tests;

use super::names::Names;
use super::plan::plan as shown_plan;
use super::problem::{Decoded, problem};
use super::read::previous;
use super::request::bytes;
use crate::contract::GeneratePatrol;
use crate::method::{Asked, Method as _, Reading};
use crate::mistakes::Mistakes;
use crate::session::{IMPROVE_DEFAULT, Planning, Question, Routed, length, now_after};
use crate::values::rounded_micros;
use ::patrol::execution::{Present, continued, present, switched};
use ::patrol::problem::{Guard, Tick};
use ::patrol::{Patrol, Stop, verify};
use anytime::{Found, Path};
use std::sync::Arc;
use stratagem_proto::v1::{self as pb, session_update::Change, session_view};

/// Most ticks from a change until a better plan begins.
const AHEAD_MAX: i64 = 100_000;

/// The state of a session. Clones share what is large.
#[derive(Debug, Clone)]
pub struct State {
    /// As it is at the start of the plan.
    problem: Arc<pb::PatrolProblem>,
    /// Guards follow it, or did before what has changed last.
    plan: Option<Arc<pb::PatrolPlan>>,
    /// When plan and problem start.
    start_us: i64,
    now_us: i64,
    /// What guards follow. `None`: they are where the problem has them.
    followed: Option<Arc<Followed>>,
}

/// A plan that guards follow, and its problem.
#[derive(Debug)]
struct Followed {
    about: Arc<Decoded>,
    plan: ::patrol::Plan,
}

impl Followed {
    /// `None`: it has no route for any guard.
    fn new(about: Arc<Decoded>, plan: pb::PatrolPlan) -> Option<Self> {
        let mut wrong = Mistakes::default();
        let plan = previous(plan, &about, &Path::WHOLE, &mut wrong)?;
        wrong.is_empty().then_some(Self { about, plan })
    }
}

/// A problem; `None`: it has mistakes.
fn decoded(problem: &pb::PatrolProblem) -> Option<Arc<Decoded>> {
    let mut wrong = Mistakes::default();
    let decoded = self::problem(problem.clone(), &Path::WHOLE, &mut wrong)?;
    wrong.is_empty().then(|| Arc::new(decoded))
}

impl State {
    /// The beginning of a session. [`Self::read`] finds mistakes of the problem.
    pub(crate) fn new(given: pb::PatrolSessionState) -> Self {
        let pb::PatrolSessionState {
            problem,
            plan,
            start_offset,
            now_offset,
        } = given;
        let now_us = now_offset.as_ref().map_or(0, rounded_micros);
        let problem = problem.unwrap_or_default();
        let about = plan.clone().zip(decoded(&problem));
        let followed = about.and_then(|(plan, about)| Followed::new(about, plan));
        let followed = followed.filter(|it| verify(&it.about.problem, &it.plan).is_ok());
        Self {
            problem: Arc::new(problem),
            plan: plan.map(Arc::new),
            start_us: start_offset.as_ref().map_or(now_us, rounded_micros),
            now_us,
            followed: followed.map(Arc::new),
        }
    }

    /// The state after an update.
    ///
    /// # Errors
    /// All mistakes of the update.
    pub(crate) fn updated(&self, update: pb::SessionUpdate) -> Result<Self, Mistakes> {
        let now_us = now_after(self.now_us, &update)?;
        let Some(change) = update.change else {
            let same = self.clone();
            return Ok(Self { now_us, ..same });
        };
        let mut next = Self {
            now_us,
            ..self.starting_at(now_us)
        };
        let mut wrong = Mistakes::default();
        match change {
            Change::Patrol(changes) => {
                let problem = Arc::make_mut(&mut next.problem);
                changes::apply(changes, problem, &Path::root("patrol"), &mut wrong);
            }
            Change::PatrolProblem(problem) => {
                let tick_us = next.tick_us();
                next.problem = Arc::new(problem);
                if next.tick_us() != tick_us {
                    next.plan = None;
                }
            }
            _ => {}
        }
        if wrong.is_empty() {
            next.go_on();
            Ok(next)
        } else {
            Err(wrong)
        }
    }

    /// Lets guards go on with the plan before, as far as they can.
    fn go_on(&mut self) {
        let before = self.plan.as_deref().cloned().zip(decoded(&self.problem));
        let before = before.and_then(|(plan, about)| Followed::new(about, plan));
        let Some(Followed { about, plan }) = before else {
            return;
        };
        if let Some((plan, _)) = continued(&about.problem, &plan) {
            let mut message = shown_plan(&about.problem, &about.names, &plan);
            shift(&mut message, self.start_us);
            self.plan = Some(Arc::new(message));
            self.followed = Some(Arc::new(Followed { about, plan }));
        }
    }

    /// The current time.
    pub(crate) fn now_us(&self) -> i64 {
        self.now_us
    }

    /// Length of a tick. That of a problem that has not been read yet may be anything.
    fn tick_us(&self) -> i64 {
        let given = self.problem.tick_duration.as_ref();
        given.map_or(1_000_000, rounded_micros).max(1)
    }

    /// Ticks from the start until a time, rounded up.
    fn ticks_until(&self, until_us: i64) -> Tick {
        let until_us = until_us.saturating_sub(self.start_us).max(0);
        let (whole, tick_us) = (until_us / self.tick_us(), self.tick_us());
        Tick::try_from(whole).unwrap_or(0) + Tick::from(until_us % tick_us > 0)
    }

    /// The state as of the first tick that is not before a time: problem and plan start then.
    fn starting_at(&self, time_us: i64) -> Self {
        let mut next = self.clone();
        let ticks = self.ticks_until(time_us);
        let gone_us = i64::try_from(ticks).unwrap_or(i64::MAX);
        let gone_us = gone_us.saturating_mul(self.tick_us());
        next.start_us = self.start_us.saturating_add(gone_us);
        if let Some(followed) = next.followed.take() {
            let Followed { about, plan } = &*followed;
            let Present { guards, plan } = present(&about.problem, plan, ticks);
            let message = Arc::make_mut(&mut next.problem);
            for (given, guard) in message.guards.iter_mut().zip(&guards) {
                begin(given, guard, &about.names);
            }
            next.plan = Some(Arc::new(previous_plan(&about.names, &plan)));
        }
        next
    }

    /// How to plan for the present.
    ///
    /// # Errors
    /// All mistakes.
    pub(crate) fn read(
        &self,
        options: &pb::SolveOptions,
        with: &Reading<'_>,
    ) -> Result<Planning, Mistakes> {
        let here = self.starting_at(self.now_us);
        let setting = Setting {
            start_us: here.start_us,
            before: None,
        };
        here.question(setting, options, with)
    }

    /// How to plan for where guards are when the time for a search has passed.
    ///
    /// # Errors
    /// All mistakes.
    pub(crate) fn read_ahead(
        &self,
        options: &pb::SolveOptions,
        with: &Reading<'_>,
    ) -> Result<Planning, Mistakes> {
        let time = options.time_budget.as_ref().map_or(IMPROVE_DEFAULT, length);
        let time_us = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        // A plan can be that long before another one begins.
        let most_us = AHEAD_MAX.saturating_mul(self.tick_us());
        let then_us = self.now_us.saturating_add(time_us.min(most_us));
        let ahead = self.starting_at(then_us);
        let before = self.followed.as_ref().map(|followed| Before {
            followed: Arc::clone(followed),
            start_us: self.start_us,
            ticks: self.ticks_until(then_us),
        });
        let setting = Setting {
            start_us: ahead.start_us,
            before,
        };
        ahead.question(setting, options, with)
    }

    fn question(
        &self,
        setting: Setting,
        options: &pb::SolveOptions,
        with: &Reading<'_>,
    ) -> Result<Planning, Mistakes> {
        let message = pb::GeneratePatrolRequest {
            problem: Some(pb::PatrolProblem::clone(&self.problem)),
            options: Some(options.clone()),
            previous_plan: self.plan.as_deref().cloned(),
        };
        let mut request = GeneratePatrol::read(message, with)?;
        request.options.budget.get_or_insert(IMPROVE_DEFAULT);
        Ok(Planning::Patrol(Box::new(Question { request, setting })))
    }

    /// Lets guards follow a plan, which starts with the first stop of each. One that starts before
    /// that of the present is not followed.
    pub(crate) fn follow(&mut self, plan: &pb::PatrolPlan) {
        let mut routes = plan.routes.iter();
        let first = routes.find_map(|route| route.prefix.first().or(route.cycle.first()));
        let start = first.and_then(|first| first.arrival_offset.as_ref());
        let start_us = start.map_or(self.start_us, rounded_micros);
        let is_same = self.followed.is_some() && self.plan.as_deref() == Some(plan);
        if is_same || start_us < self.start_us {
            return;
        }
        if start_us > self.start_us {
            *self = self.starting_at(start_us);
        }
        let about = self.followed.as_ref().map(|it| Arc::clone(&it.about));
        let about = about.or_else(|| decoded(&self.problem));
        let followed = about.and_then(|about| Followed::new(about, plan.clone()));
        self.followed = followed.map(Arc::new);
        self.plan = Some(Arc::new(plan.clone()));
    }

    /// Whether guards follow the plan.
    pub(crate) fn is_followed(&self) -> bool {
        self.followed.is_some()
    }

    /// Lets guards be where the problem has them.
    pub(crate) fn follow_nothing(&mut self) {
        self.followed = None;
    }

    /// The state as it is created again.
    pub(crate) fn snapshot(&self) -> pb::PatrolSessionState {
        pb::PatrolSessionState {
            problem: Some(pb::PatrolProblem::clone(&self.problem)),
            plan: self.plan.as_deref().cloned(),
            start_offset: Some(crate::values::duration_of_micros(self.start_us)),
            now_offset: Some(crate::values::duration_of_micros(self.now_us)),
        }
    }

    /// Memory that it takes, near enough.
    pub(crate) fn bytes(&self) -> usize {
        use prost::Message as _;
        let plan = self.plan.as_ref().map_or(0, |plan| plan.encoded_len());
        let about = self.followed.as_ref();
        let about = about.map_or(0, |it| bytes(&it.about.problem));
        8 * (self.problem.encoded_len() + plan) + about
    }
}

/// A previous plan, for a request.
fn previous_plan(names: &Names, plan: &::patrol::Plan) -> pb::PatrolPlan {
    let stop = |stop: &Stop| pb::PatrolStop {
        vertex_id: names.vertex(stop.vertex).to_owned(),
        arrival_offset: None,
        stay_duration: Some(names.clock.duration(stop.stay.into())),
    };
    let routes = plan.routes.iter().enumerate();
    let routes = routes.map(|(guard, route)| pb::PatrolRoute {
        guard_id: names.guard(guard).to_owned(),
        prefix: route.prefix.iter().map(stop).collect(),
        cycle: route.cycle.iter().map(stop).collect(),
    });
    pb::PatrolPlan {
        routes: routes.collect(),
        ..pb::PatrolPlan::default()
    }
}

/// Has a guard begin where it is.
fn begin(given: &mut pb::PatrolGuard, guard: &Guard, names: &Names) {
    names
        .vertex(guard.start)
        .clone_into(&mut given.start_vertex_id);
    given.next_vertex_id.clear();
    if let Some(next) = guard.next {
        names.vertex(next).clone_into(&mut given.next_vertex_id);
    }
    let elapsed = names.clock.duration(guard.elapsed.into());
    given.elapsed_duration = (guard.elapsed > 0).then_some(elapsed);
}

/// When a plan begins, and what guards do before.
pub struct Setting {
    start_us: i64,
    before: Option<Before>,
}

/// A plan that is followed until another one begins.
struct Before {
    followed: Arc<Followed>,
    start_us: i64,
    /// Ticks from its start until the other one begins.
    ticks: Tick,
}

impl Routed for GeneratePatrol {
    type Setting = Setting;

    fn question(planning: Planning) -> Option<Box<Question<Self>>> {
        match planning {
            Planning::Patrol(question) => Some(question),
            _ => None,
        }
    }

    fn adapted(request: &crate::method::RequestOf<Self>) -> Option<Found<Patrol>> {
        let (plan, cost) = continued(&request.problem, request.params.warm.as_ref()?)?;
        Some(Found {
            partial: false,
            plan,
            cost,
            found_by: "continued".to_owned(),
            sequence: 0,
        })
    }

    fn shown(
        setting: &Setting,
        asked: &Asked<Self>,
        found: &Found<Patrol>,
    ) -> Option<pb::SessionView> {
        let (problem, names) = (&asked.request.problem, &asked.request.names);
        let mut plan = match &setting.before {
            None => shown_plan(problem, names, &found.plan),
            Some(Before {
                followed, ticks, ..
            }) => {
                let Decoded { problem, names } = &*followed.about;
                let plan = switched(problem, &followed.plan, *ticks, &found.plan)?;
                shown_plan(problem, names, &plan)
            }
        };
        let before = setting.before.as_ref();
        shift(&mut plan, before.map_or(setting.start_us, |it| it.start_us));
        Some(pb::SessionView {
            plan: Some(session_view::Plan::Patrol(plan)),
            objective: Self::objective(asked, found, None),
            complete: true,
            ..pb::SessionView::default()
        })
    }

    fn needs_repair(_: &pb::SessionView, _: &pb::SessionView) -> bool {
        false
    }

    fn latest_us(setting: &Setting) -> i64 {
        setting.start_us
    }
}

/// Lets a plan start at a time of the session.
fn shift(plan: &mut pb::PatrolPlan, start_us: i64) {
    let routes = plan.routes.iter_mut();
    let stops = routes.flat_map(|route| route.prefix.iter_mut().chain(&mut route.cycle));
    for arrival in stops.filter_map(|stop| stop.arrival_offset.as_mut()) {
        *arrival = crate::values::duration_of_micros(rounded_micros(arrival) + start_us);
    }
}
