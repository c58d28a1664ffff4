//! When each guard is where, and what it sees from there: no tick is looked at where nothing begins
//! or ends.

use crate::context::Context;
use crate::plan::{PERIOD_MAX, Plan, Route, WORK_MAX, work};
use crate::problem::Motion;

/// A guard sees something from one tick to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    pub what: What,
    pub from: i64,
    pub until: i64,
}

/// What a guard sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// All that is seen from this vertex.
    From(u32),
    /// This place inside an edge, where it is.
    Inside(u32),
}

/// Where one guard is, in the order of time: on its prefix, and in each round of its cycle, which
/// begins at `begin` for the first time.
struct Views {
    guard: usize,
    prefix: Vec<Visit>,
    cycle: Vec<Visit>,
    begin: i64,
    long: i64,
}

/// Where everybody is, and after how long it comes again.
pub(super) struct Patrol {
    views: Vec<Views>,
    /// When the last prefix is over.
    pub begin: i64,
    pub period: i64,
}

impl Patrol {
    /// `None`: too long to be judged.
    pub(super) fn new(context: &Context<'_>, plan: &Plan) -> Option<Self> {
        let routes = plan.routes.iter().enumerate();
        let views = routes.map(|(guard, route)| Views::new(context, (guard, route)));
        let views: Vec<Views> = views.collect::<Option<_>>()?;
        let mut period = 1;
        for view in &views {
            // Neither is above the limit: no overflow.
            period = period / common(period, view.long) * view.long;
            if period > PERIOD_MAX as i64 {
                return None;
            }
        }
        let begin = views.iter().map(|view| view.begin).max().unwrap_or(0);
        let patrol = Self {
            views,
            begin,
            period,
        };
        // As the check counts it, so that nothing is offered that the check does not take on.
        let work = work(context.problem, begin as u64, period as u64);
        (work <= WORK_MAX).then_some(patrol)
    }

    /// Calls `see` with all that is seen between two ticks, the second excluded, in the order of
    /// the first ticks of sight: places, from when, and until when, which may lie outside. `None`:
    /// stopped.
    pub(super) fn each<'p>(
        &self,
        context: &Context<'p>,
        between: [i64; 2],
        mut see: impl FnMut(&[u32], i64, i64),
    ) -> Option<()> {
        let visits = self.views.iter().map(|view| view.between(between));
        let mut visits: Vec<_> = visits.map(Iterator::peekable).collect();
        loop {
            let heads = visits.iter_mut().enumerate();
            let heads = heads.filter_map(|(view, next)| Some((next.peek()?.from, view)));
            let Some((_, view)) = heads.min() else {
                return Some(());
            };
            let visit = visits[view].next().expect("it was looked at");
            let inside;
            let places = match visit.what {
                What::From(vertex) => {
                    let guard = self.views[view].guard;
                    context.problem.sight(guard, vertex as usize)
                }
                What::Inside(place) => {
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

impl Views {
    /// `None`: prefix and cycle together are longer than the check accepts.
    fn new(context: &Context<'_>, (guard, route): (usize, &Route)) -> Option<Self> {
        let problem = context.problem;
        // Who stays is never inside an edge.
        let walks = problem.intruder().motion != Motion::Still;
        let number = |index: usize| u32::try_from(index).expect("places are limited");
        let stops: Vec<_> = route.prefix.iter().chain(&route.cycle).collect();
        let (mut all, mut now, mut begin, mut split) = (Vec::new(), 0, 0, 0);
        for (index, stop) in stops.iter().enumerate() {
            if index == route.prefix.len() {
                (begin, split) = (now, all.len());
            }
            let next = stops.get(index + 1).copied();
            let next = next.or_else(|| route.cycle.first().filter(|_| route.cycle.len() > 1));
            let edge = next.and_then(|next| problem.out_edge(stop.vertex, next.vertex));
            let ticks = edge.map_or(0, |edge| problem.ticks(guard, edge));
            // It counts as at the vertex until the first step of the way is done.
            let lasts = edge.map_or(0, |edge| ticks.div_ceil(edge.length));
            let leaves = now + i64::from(stop.stay);
            if leaves + i64::from(ticks) > PERIOD_MAX as i64 {
                return None;
            }
            let until = leaves + i64::from(lasts) - 1;
            if until >= now {
                all.push(Visit {
                    what: What::From(number(stop.vertex)),
                    from: now,
                    until,
                });
            }
            if let Some(edge) = edge.filter(|_| walks) {
                all.extend((lasts..ticks).map(|since| {
                    let place = problem.place_on_edge(stop.vertex, edge, since, ticks);
                    let tick = leaves + i64::from(since);
                    Visit {
                        what: What::Inside(number(place.expect("it is on its edge"))),
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
            guard,
            prefix: all,
            cycle: cycle.map(relative).collect(),
            begin,
            long: now - begin,
        })
    }

    /// All visits between two ticks, the second excluded, in the order of time; parts of them may
    /// lie outside.
    fn between(&self, [first, end]: [i64; 2]) -> impl Iterator<Item = Visit> + '_ {
        // No visit of a round lasts longer than it.
        let before = (first - self.begin).div_euclid(self.long).max(0);
        let after = (end - self.begin).div_euclid(self.long);
        let rounds = (before..=after).flat_map(move |round| {
            let shift = self.begin + round * self.long;
            self.cycle.iter().map(move |visit| Visit {
                from: visit.from + shift,
                until: visit.until + shift,
                ..*visit
            })
        });
        let all = self.prefix.iter().copied().chain(rounds);
        all.filter(move |visit| visit.from < end && visit.until >= first)
    }
}

fn common(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common(b, a % b) }
}
