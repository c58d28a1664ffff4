//! What a plan is worth, exactly, from when each place is seen: no tick is looked at where nothing begins or ends.

mod gaps;
mod report;
#[cfg(test)]
mod tests;
mod walk;

use crate::plan::{Cost, PERIOD_MAX, Plan, Route, Terms, WALK, WORK_MAX};
use crate::problem::{CERTAIN, Entry, Motion, Problem};
use crate::scene::{STANDS, Scene, Spot};
use gaps::Gaps;

pub use report::{Evaluation, Watched, Worst, evaluate};

/// Steps of walkers that are enough to compare plans.
const ROUGH: u64 = 400_000;

/// A place is seen from one tick to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sight {
    place: usize,
    from: i64,
    until: i64,
}

/// What one guard sees: on its prefix, and in each round of its cycle, which begins at `begin` for the first time.
struct Views {
    prefix: Vec<Sight>,
    cycle: Vec<Sight>,
    begin: i64,
    long: i64,
}

/// What everybody sees, and after how long it comes again.
struct Patrol {
    views: Vec<Views>,
    /// When the last prefix is over.
    begin: i64,
    period: i64,
}

/// Terms and cost of a plan; `None`: it breaks a rule about all guards together, or is too long to be judged, or the search was told to stop.
pub(crate) fn worth(scene: &Scene<'_>, plan: &Plan) -> Option<(Terms, Cost)> {
    judge(scene, plan, usize::MAX)
}

/// The same, for walkers from some of the entries only where all would take long: for comparison, not for a claim.
pub(crate) fn about(scene: &Scene<'_>, plan: &Plan) -> Option<(Terms, Cost)> {
    let each = u64::from(scene.problem.intruder().instants) * scene.problem.places() as u64;
    let lanes = (ROUGH / each / walk::LANES as u64).max(1);
    judge(scene, plan, lanes as usize * walk::LANES)
}

fn judge(scene: &Scene<'_>, plan: &Plan, entries_max: usize) -> Option<(Terms, Cost)> {
    let problem = scene.problem;
    let patrol = Patrol::new(scene, plan)?;
    if scene.forbids(plan) {
        return None;
    }
    if !problem.spec().may_swap && swaps(scene, plan, &patrol) {
        return None;
    }
    let round = patrol.sorted(problem, [patrol.begin, patrol.begin + patrol.period], true);
    let steady = Gaps::round((problem, patrol.period), &round);
    let wanted = problem.spec().gaps.iter();
    if wanted
        .clone()
        .any(|gap| steady.longest[gap.vertex] < i64::from(gap.ticks))
    {
        return None;
    }
    let escape = match (problem.intruder().motion, problem.intruder().entry) {
        (Motion::Still, Entry::Steady) => steady.missed(problem, patrol.period),
        (Motion::Still, Entry::Start) => once(&patrol, problem, 0),
        (Motion::Still, Entry::Mission(last)) => once(&patrol, problem, i64::from(last)),
        (_, entry) => {
            let instants = problem.intruder().instants;
            let mut looks = walk::Looks::new(&patrol, (entry, instants));
            looks.thin(entries_max);
            walk::escape(scene, &looks)?
        }
    };
    let (worst_idleness, mean_idleness) = steady.idleness(problem, patrol.period);
    let terms = Terms {
        escape,
        worst_idleness,
        mean_idleness,
    };
    Some((terms, cost(problem, &terms)))
}

/// The cost of terms.
pub(crate) fn cost(problem: &Problem, terms: &Terms) -> Cost {
    let objective = problem.objective();
    let escape = u128::from(terms.escape) * u128::from(objective.escape);
    let worst = u128::from(terms.worst_idleness) * u128::from(CERTAIN);
    let idle = worst * u128::from(objective.worst_idleness)
        + terms.mean_idleness * u128::from(objective.mean_idleness);
    Cost(escape + idle)
}

/// Escape of who stays and enters from tick 0 to `last`.
fn once(patrol: &Patrol, problem: &Problem, last: i64) -> u64 {
    let instants = i64::from(problem.intruder().instants);
    let sights = patrol.sorted(problem, [0, last + instants], false);
    Gaps::once((problem, last), &sights)
}

impl Patrol {
    fn new(scene: &Scene<'_>, plan: &Plan) -> Option<Self> {
        let routes = plan.routes.iter().enumerate();
        let views: Vec<Views> = routes
            .map(|(guard, route)| views(scene, (guard, route)))
            .collect();
        let mut period = 1;
        for view in &views {
            period = period / common(period, view.long) * view.long;
            if period > PERIOD_MAX as i64 || view.begin > PERIOD_MAX as i64 {
                return None;
            }
        }
        let begin = views.iter().map(|view| view.begin).max().unwrap_or(0);
        let patrol = Self {
            views,
            begin,
            period,
        };
        (patrol.work(scene.problem) <= WORK_MAX).then_some(patrol)
    }

    /// As the check counts it, so that nothing is offered that the check does not take on.
    fn work(&self, problem: &Problem) -> u64 {
        let sight = |guard| (0..problem.vertices()).map(move |v| problem.sight(guard, v).len());
        let guards = 0..problem.guards().len();
        let seen: usize = guards.map(|guard| sight(guard).max().unwrap_or(0)).sum();
        let (begin, period) = (self.begin as u64, self.period as u64);
        let (entries, end) = match problem.intruder().entry {
            Entry::Start => (1, 1),
            Entry::Mission(last) => {
                let all = u64::from(last) + 1;
                (all.min(begin + period), all)
            }
            Entry::Steady => (period, begin + period),
        };
        let instants = u64::from(problem.intruder().instants);
        let ticks = end + instants + begin + 2 * period;
        let look = ticks.saturating_mul(seen as u64 + problem.vertices() as u64);
        let walk = match problem.intruder().motion {
            Motion::Still => 0,
            _ => entries * instants * problem.places() as u64 * WALK,
        };
        look.saturating_add(walk)
    }

    /// All that is seen between two ticks, the second excluded; parts of it may lie outside.
    fn between(&self, [first, end]: [i64; 2]) -> impl Iterator<Item = Sight> + '_ {
        self.views.iter().flat_map(move |view| {
            let reach = view
                .cycle
                .iter()
                .map(|sight| sight.until)
                .max()
                .unwrap_or(0);
            let before = (first - view.begin - reach).div_euclid(view.long).max(0);
            let after = (end - view.begin).div_euclid(view.long);
            let rounds = (before..=after).flat_map(move |round| {
                let shift = view.begin + round * view.long;
                view.cycle.iter().map(move |sight| Sight {
                    from: sight.from + shift,
                    until: sight.until + shift,
                    ..*sight
                })
            });
            let all = view.prefix.iter().copied().chain(rounds);
            all.filter(move |sight| sight.from < end && sight.until >= first)
        })
    }

    /// The same at vertices, by vertex and time, from the first tick on; wrapped round, what begins after the first tick only.
    fn sorted(&self, problem: &Problem, [first, end]: [i64; 2], wrap: bool) -> Vec<Sight> {
        let vertices = problem.vertices();
        let all = self
            .between([first, end])
            .filter(|sight| sight.place < vertices);
        let all = all.filter(|sight| !wrap || sight.from >= first);
        let shift = |sight: Sight| Sight {
            from: sight.from - first,
            until: sight.until - first,
            ..sight
        };
        let mut all: Vec<Sight> = all.map(shift).collect();
        all.sort_unstable();
        all
    }
}

/// What a guard sees on its route.
fn views(scene: &Scene<'_>, (guard, route): (usize, &Route)) -> Views {
    let problem = scene.problem;
    let stops: Vec<_> = route.prefix.iter().chain(&route.cycle).collect();
    let (mut all, mut now, mut begin, mut split) = (Vec::new(), 0, 0, 0);
    for (index, stop) in stops.iter().enumerate() {
        if index == route.prefix.len() {
            (begin, split) = (now, all.len());
        }
        let next = stops.get(index + 1).copied();
        let next = next.or_else(|| route.cycle.first().filter(|_| route.cycle.len() > 1));
        let way = next.and_then(|next| problem.way(stop.vertex, next.vertex));
        let ticks = way.map_or(0, |way| problem.ticks(guard, way));
        // It counts as at the vertex until the first step of the way is done.
        let lasts = way.map_or(0, |way| ticks.div_ceil(way.length));
        let leaves = now + i64::from(stop.stay);
        let until = leaves + i64::from(lasts) - 1;
        if until >= now {
            let seen = problem.sight(guard, stop.vertex).iter();
            all.extend(seen.map(|place| Sight {
                place: *place as usize,
                from: now,
                until,
            }));
        }
        if let Some(way) = way {
            for since in lasts..ticks {
                let place = problem.on_the_way((stop.vertex, way), since, ticks);
                let tick = leaves + i64::from(since);
                all.push(Sight {
                    place: place.expect("it is on its way"),
                    from: tick,
                    until: tick,
                });
            }
        }
        now = leaves + i64::from(ticks);
    }
    let cycle = all.split_off(split).into_iter();
    let relative = |sight: Sight| Sight {
        from: sight.from - begin,
        until: sight.until - begin,
        ..sight
    };
    Views {
        prefix: all,
        cycle: cycle.map(relative).collect(),
        begin,
        long: now - begin,
    }
}

/// Whether two guards pass each other on an edge.
fn swaps(scene: &Scene<'_>, plan: &Plan, patrol: &Patrol) -> bool {
    let ticks = patrol.begin + patrol.period;
    let tracks: Vec<Vec<Spot>> = plan
        .routes
        .iter()
        .enumerate()
        .map(|(guard, route)| scene.track((guard, route), ticks as usize + 1))
        .collect();
    let pairs =
        (0..tracks.len()).flat_map(|one| (one + 1..tracks.len()).map(move |two| [one, two]));
    pairs.into_iter().any(|pair| {
        (0..ticks as usize).any(|tick| {
            // Told to stop: nothing is found to be allowed any more.
            let stops = !scene.steps.go_on(1);
            stops
                || scene.pass(
                    pair.map(|g| tracks[g][tick]),
                    pair.map(|g| tracks[g][tick + 1]),
                )
        })
    })
}

fn common(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { common(b, a % b) }
}

impl Scene<'_> {
    /// Where a guard is at each tick of its route.
    pub(crate) fn track(&self, (guard, route): (usize, &Route), ticks: usize) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(ticks);
        let cycle = route.cycle.iter().cycle().skip(1);
        let next = route.prefix.iter().skip(1).chain(&route.cycle);
        let stops = route
            .prefix
            .iter()
            .chain(&route.cycle)
            .chain(route.cycle.iter().cycle());
        let next = match route.prefix.is_empty() {
            true => Box::new(cycle) as Box<dyn Iterator<Item = _>>,
            false => Box::new(next.chain(route.cycle.iter().cycle())),
        };
        for (stop, next) in stops.zip(next) {
            let stands = Spot {
                vertex: u32::try_from(stop.vertex).expect("vertices are limited"),
                way: STANDS,
                clock: 0,
            };
            spots.extend((0..=stop.stay).map(|_| stands));
            let ways = self.problem.ways(stop.vertex);
            if let Ok(way) = ways.binary_search_by_key(&next.vertex, |way| way.to) {
                let ticks = self.problem.ticks(guard, ways[way]);
                let way = u32::try_from(way).expect("ways are limited");
                spots.extend((1..ticks).map(|clock| Spot {
                    way,
                    clock,
                    ..stands
                }));
            } else {
                // Stands for ever: the next round begins where this one ends.
                spots.pop();
            }
            if spots.len() >= ticks {
                break;
            }
        }
        spots.truncate(ticks);
        spots
    }
}
