//! Routes as stops with their times, which are counted again from what guards do: plans by hand
//! have none.

use super::ground::Ground;
use crate::time::micros;
use stratagem_proto::v1::{PatrolPlan, PatrolRoute, PatrolStop};

/// A visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) vertex: usize,
    /// When the guard arrives, in ticks from the start of the plan.
    pub(super) at: i64,
    /// How many ticks it stays.
    pub(super) stay: i64,
}

/// Where a guard goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Walk<'a> {
    /// Name for people.
    pub(super) name: &'a str,
    pub(super) prefix: Vec<Visit>,
    pub(super) cycle: Vec<Visit>,
    /// When the cycle begins, and how many ticks it takes; at least 1.
    pub(super) begin: i64,
    pub(super) long: i64,
}

/// All routes, in the order of the plan; stops at vertices that do not exist are left out.
pub(super) fn walks<'a>(ground: &Ground<'a>, plan: &'a PatrolPlan) -> Vec<Walk<'a>> {
    plan.routes
        .iter()
        .map(|route| walk(ground, route))
        .collect()
}

fn walk<'a>(ground: &Ground<'a>, route: &'a PatrolRoute) -> Walk<'a> {
    let guard = ground
        .problem
        .guards
        .iter()
        .find(|g| g.id == route.guard_id);
    let speed = guard.and_then(|g| g.speed).unwrap_or(1.0);
    // Counted in thousandths; saturates.
    let speed = ((speed * 1_000.0).round() as i64).max(1);
    let ticks = |from: usize, to: usize| {
        let length = ground.length([from, to]).unwrap_or(i64::from(from != to));
        // Rounded up.
        length.saturating_mul(1_000).saturating_add(speed - 1) / speed
    };
    let known = |stop: &PatrolStop| {
        let stay = micros(stop.stay_duration.as_ref()).max(0) / ground.tick_us;
        Some((ground.find(&stop.vertex_id)?, stay))
    };
    let prefix: Vec<_> = route.prefix.iter().filter_map(known).collect();
    let cycle: Vec<_> = route.cycle.iter().filter_map(known).collect();
    // On its first edge, before the start of the plan.
    let begun = guard.filter(|guard| !guard.next_vertex_id.is_empty());
    let mut gone = begun.map_or(0, |guard| {
        micros(guard.elapsed_duration.as_ref()).max(0) / ground.tick_us
    });
    let mut now = 0_i64;
    let mut visits = Vec::new();
    let all: Vec<_> = prefix.iter().chain(&cycle).copied().collect();
    for (n, (vertex, stay)) in all.iter().copied().enumerate() {
        visits.push(Visit {
            vertex,
            at: now,
            stay,
        });
        let alone = cycle.len() == 1 && n + 1 == all.len();
        let next = all.get(n + 1).or(cycle.first().filter(|_| !alone));
        let way = next.map_or(0, |(to, _)| ticks(vertex, *to));
        let way = (way - std::mem::take(&mut gone)).max(0);
        now = now.saturating_add(stay).saturating_add(way);
    }
    let cycle = visits.split_off(prefix.len());
    let begin = cycle.first().map_or(now, |first| first.at);
    Walk {
        name: ground.guard(&route.guard_id),
        prefix: visits,
        cycle,
        begin,
        long: now.saturating_sub(begin).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_micros;
    use stratagem_proto::v1::{PatrolEdge, PatrolGuard, PatrolProblem, PatrolVertex};

    #[test]
    fn times_are_those_of_ways_speeds_and_stays() {
        let seconds = |s: i64| Some(from_micros(s * 1_000_000));
        let vertex = |id: &str| PatrolVertex {
            id: id.into(),
            ..PatrolVertex::default()
        };
        let mut problem = PatrolProblem {
            vertices: ["a", "b", "c"].map(vertex).into(),
            edges: vec![
                PatrolEdge {
                    from_vertex_id: "a".into(),
                    to_vertex_id: "b".into(),
                    travel_duration: seconds(5),
                },
                PatrolEdge {
                    from_vertex_id: "b".into(),
                    to_vertex_id: "c".into(),
                    travel_duration: None,
                },
            ],
            guards: vec![PatrolGuard {
                id: "g".into(),
                speed: Some(2.0),
                ..PatrolGuard::default()
            }],
            ..PatrolProblem::default()
        };
        let stop = |id: &str, stay: i64| PatrolStop {
            vertex_id: id.into(),
            stay_duration: seconds(stay),
            ..PatrolStop::default()
        };
        let plan = PatrolPlan {
            routes: vec![PatrolRoute {
                guard_id: "g".into(),
                prefix: vec![stop("a", 1), stop("nowhere", 9)],
                cycle: vec![stop("b", 0), stop("c", 4)],
            }],
            ..PatrolPlan::default()
        };
        let walks = walks(&Ground::new(&problem), &plan);
        let visit = |vertex, at, stay| Visit { vertex, at, stay };
        assert_eq!(walks[0].prefix, [visit(0, 0, 1)]);
        // 5 ticks at double speed are 3.
        assert_eq!(walks[0].cycle, [visit(1, 4, 0), visit(2, 5, 4)]);
        assert_eq!((walks[0].begin, walks[0].long), (4, 6));
        // Two of the three ticks are over at the start.
        let guard = &mut problem.guards[0];
        guard.next_vertex_id = "b".into();
        guard.elapsed_duration = seconds(2);
        let mut plan = plan;
        plan.routes[0].prefix = vec![stop("a", 0)];
        let walks = super::walks(&Ground::new(&problem), &plan);
        assert_eq!(walks[0].cycle, [visit(1, 1, 0), visit(2, 2, 4)]);
    }
}
