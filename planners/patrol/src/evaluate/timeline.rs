//! Timeline of visits: intervals of ticks in which a guard sees the same places.

use crate::context::Context;
use crate::plan::{PERIOD_MAX, Plan, Route, WORK_MAX, joint_period, work};
use crate::problem::{Motion, Tick};

/// Interval of ticks, both ends included, in which a guard sees the same places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    pub seen: Seen,
    pub from: i64,
    pub until: i64,
}

/// Places that a guard sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// All places visible from this vertex.
    FromVertex(u32),
    /// This place inside an edge.
    InsideEdge(u32),
}

/// Visits of one guard in order of time: of its prefix, and of its cycle relative to the start of
/// the cycle.
struct GuardTimeline {
    prefix: Vec<Visit>,
    cycle: Vec<Visit>,
    /// Tick at which the cycle begins.
    begin: i64,
    /// Duration of the cycle.
    duration: i64,
}

/// Visits of all guards.
pub(super) struct Timeline {
    guards: Vec<GuardTimeline>,
    /// Tick at which the last prefix ends: the begin of the cyclic part.
    pub begin: i64,
    /// Joint period.
    pub period: i64,
}

impl Timeline {
    /// `None`: too much work to evaluate.
    pub(super) fn new(context: &Context<'_>, plan: &Plan) -> Option<Self> {
        let routes = plan.routes.iter().enumerate();
        let guards = routes.map(|(guard, route)| GuardTimeline::new(context, guard, route));
        let guards: Vec<GuardTimeline> = guards.collect::<Option<_>>()?;
        let period = joint_period(guards.iter().map(|guard| guard.duration as Tick))? as i64;
        let begin = guards.iter().map(|guard| guard.begin).max().unwrap_or(0);
        let timeline = Self {
            guards,
            begin,
            period,
        };
        // The same limit as in verification, so that every plan offered can be verified.
        let work = work(context.problem, begin as u64, period as u64);
        (work <= WORK_MAX).then_some(timeline)
    }

    /// Calls `see` with each visit between two ticks, the second excluded, by rising first tick:
    /// the places seen, and the first and last tick, which may lie outside. `None`: stopped.
    pub(super) fn for_each_visit<'p>(
        &self,
        context: &Context<'p>,
        between: [i64; 2],
        mut see: impl FnMut(&[u32], i64, i64),
    ) -> Option<()> {
        let guards = self.guards.iter();
        let visits = guards.map(|guard| guard.visits_between(between));
        let mut visits: Vec<_> = visits.map(Iterator::peekable).collect();
        loop {
            let heads = visits.iter_mut().enumerate();
            let heads = heads.filter_map(|(guard, next)| Some((next.peek()?.from, guard)));
            let Some((_, guard)) = heads.min() else {
                return Some(());
            };
            let visit = visits[guard].next().expect("it was peeked at");
            let inside;
            let places = match visit.seen {
                Seen::FromVertex(vertex) => context.problem.sight(guard, vertex as usize),
                Seen::InsideEdge(place) => {
                    inside = [place];
                    &inside
                }
            };
            if !context.work.proceed_uncounted(places.len() as u64) {
                return None;
            }
            see(places, visit.from, visit.until);
        }
    }
}

impl GuardTimeline {
    /// `None`: prefix and cycle together are longer than a joint period may be.
    fn new(context: &Context<'_>, guard: usize, route: &Route) -> Option<Self> {
        let problem = context.problem;
        // A stationary intruder is never inside an edge.
        let is_dynamic = problem.intruder().motion != Motion::Still;
        let number = |index: usize| u32::try_from(index).expect("places are limited");
        let stops: Vec<_> = route.prefix.iter().chain(&route.cycle).collect();
        let (mut all, mut begin, mut split) = (Vec::new(), 0, 0);
        let mut now = -i64::from(problem.ticks_gone(guard));
        for (index, stop) in stops.iter().enumerate() {
            if index == route.prefix.len() {
                (begin, split) = (now, all.len());
            }
            let next = stops.get(index + 1).copied();
            let next = next.or_else(|| route.cycle.first().filter(|_| route.cycle.len() > 1));
            let edge = next.and_then(|next| problem.out_edge(stop.vertex, next.vertex));
            let ticks = edge.map_or(0, |edge| problem.ticks(guard, edge));
            // The guard counts as at the vertex until its first step on the edge is done.
            let lasts = edge.map_or(0, |edge| ticks.div_ceil(edge.length));
            let leaves = now + i64::from(stop.stay);
            if leaves + i64::from(ticks) > PERIOD_MAX as i64 {
                return None;
            }
            let until = leaves + i64::from(lasts) - 1;
            // What was before the start is over.
            if until >= now.max(0) {
                all.push(Visit {
                    seen: Seen::FromVertex(number(stop.vertex)),
                    from: now.max(0),
                    until,
                });
            }
            if let Some(edge) = edge.filter(|_| is_dynamic) {
                let gone = u32::try_from(-leaves).unwrap_or(0);
                all.extend((lasts.max(gone)..ticks).map(|since| {
                    let place = problem.place_on_edge(stop.vertex, edge, since, ticks);
                    let tick = leaves + i64::from(since);
                    Visit {
                        seen: Seen::InsideEdge(number(place.expect("it is on the edge"))),
                        from: tick,
                        until: tick,
                    }
                }));
            }
            now = leaves + i64::from(ticks);
        }
        let cycle = all.split_off(split).into_iter();
        let relative = |visit: Visit| Visit {
            from: visit.from - begin,
            until: visit.until - begin,
            ..visit
        };
        Some(Self {
            prefix: all,
            cycle: cycle.map(relative).collect(),
            begin,
            duration: now - begin,
        })
    }

    /// Visits between two ticks, the second excluded, in order of time; parts of them may lie
    /// outside.
    fn visits_between(&self, [first, end]: [i64; 2]) -> impl Iterator<Item = Visit> + '_ {
        // No visit lasts longer than the cycle.
        let before = (first - self.begin).div_euclid(self.duration).max(0);
        let after = (end - self.begin).div_euclid(self.duration);
        let cycles = (before..=after).flat_map(move |cycle| {
            let shift = self.begin + cycle * self.duration;
            self.cycle.iter().map(move |visit| Visit {
                from: visit.from + shift,
                until: visit.until + shift,
                ..*visit
            })
        });
        let all = self.prefix.iter().copied().chain(cycles);
        all.filter(move |visit| visit.from < end && visit.until >= first)
    }
}
