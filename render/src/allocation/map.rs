//! The map of a problem with points: agents, tasks and routes.

use crate::svg::{Canvas, colour};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    AllocationAgent, AllocationPlace, AllocationPlan, AllocationPoint, AllocationProblem,
    AllocationRoute, allocation_place::At,
};

/// Pixels between the map and its frame.
const MARGIN: f64 = 16.0;

/// Where on the canvas points go.
pub(super) struct Projection {
    left: f64,
    top: f64,
    scale: f64,
    origin: (f64, f64),
}

/// Draws the map below `top` and at most `size` pixels wide and high. Returns its height, `None`
/// when there are no points to draw.
pub(super) fn draw(
    canvas: &mut Canvas,
    problem: &AllocationProblem,
    plan: &AllocationPlan,
    top: f64,
    size: f64,
) -> Option<f64> {
    let (projection, height) = projection(problem, top, size)?;
    let at = |place: &AllocationPlace| point(Some(place)).map(|p| projection.apply(p.0, p.1));
    let tasks: BTreeMap<_, _> = problem
        .tasks
        .iter()
        .filter_map(|t| Some((t.id.as_str(), at(t.place.as_ref()?)?)))
        .collect();
    let agents: BTreeMap<_, _> = problem.agents.iter().map(|a| (a.id.as_str(), a)).collect();
    let mut colours = BTreeMap::new();
    for (n, route) in plan.routes.iter().enumerate() {
        let agent = agents.get(route.agent_id.as_str()).copied();
        let way = way(route, agent, &tasks, &at);
        canvas.polyline(&way, "route", &colour(n));
        let ids = route.stops.iter().map(|s| (s.task_id.as_str(), n));
        colours.extend(ids);
    }
    for tie in ties(problem) {
        let points: Vec<_> = tie.iter().filter_map(|id| tasks.get(id).copied()).collect();
        canvas.polyline(&points, "tie", "#333");
    }
    for (id, centre) in &tasks {
        let fill = colours.get(id).map_or("#fff".into(), |n| colour(*n));
        let state = if colours.contains_key(id) {
            ""
        } else {
            " (not done)"
        };
        canvas.circle(centre.0, centre.1, &fill, &format!("{id}{state}"));
    }
    for agent in &problem.agents {
        if let Some((x, y)) = agent.start.as_ref().and_then(at) {
            canvas.rect([x - 4.0, y - 4.0, 8.0, 8.0], "#333", &agent.id);
        }
    }
    Some(height)
}

/// Tasks that are coupled with each other: orders, pairs, groups.
fn ties(problem: &AllocationProblem) -> Vec<Vec<&str>> {
    let Some(couplings) = &problem.couplings else {
        return Vec::new();
    };
    let orders = couplings.orders.iter();
    let orders = orders.map(|o| vec![o.first_task_id.as_str(), &o.second_task_id]);
    let pairs = couplings.pairs.iter();
    let pairs = pairs.map(|p| vec![p.pickup_task_id.as_str(), &p.delivery_task_id]);
    let groups = couplings.groups.iter();
    let groups = groups.map(|g| g.task_ids.iter().map(String::as_str).collect());
    orders.chain(pairs).chain(groups).collect()
}

/// Start, tasks and end of a route, as far as they are known.
fn way(
    route: &AllocationRoute,
    agent: Option<&AllocationAgent>,
    tasks: &BTreeMap<&str, (f64, f64)>,
    at: &dyn Fn(&AllocationPlace) -> Option<(f64, f64)>,
) -> Vec<(f64, f64)> {
    let stops = route
        .stops
        .iter()
        .filter_map(|s| tasks.get(s.task_id.as_str()).copied());
    let start = agent.and_then(|a| at(a.start.as_ref()?));
    let end = agent.and_then(|a| at(a.end.as_ref()?));
    start.into_iter().chain(stops).chain(end).collect()
}

/// Where points go below `top`, and the height of the map. `None` when there are no points to draw.
pub(super) fn projection(
    problem: &AllocationProblem,
    top: f64,
    size: f64,
) -> Option<(Projection, f64)> {
    let agents = problem
        .agents
        .iter()
        .flat_map(|a| [a.start.as_ref(), a.end.as_ref()]);
    let places = problem.tasks.iter().map(|t| t.place.as_ref()).chain(agents);
    let points: Vec<_> = places.filter_map(point).collect();
    let low = points
        .iter()
        .copied()
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))?;
    let high = points
        .iter()
        .copied()
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
    let (wide, tall) = (high.0 - low.0, high.1 - low.1);
    let room = size - 2.0 * MARGIN;
    // A single point has no extent; any scale will do.
    let scale = room / wide.max(tall).max(1e-6);
    let projection = Projection {
        left: MARGIN + (room - wide * scale) / 2.0,
        top: top + MARGIN,
        scale,
        origin: (low.0, high.1),
    };
    Some((projection, tall * scale + 2.0 * MARGIN))
}

impl Projection {
    /// The y axis of the world points up, that of the canvas down.
    pub(super) fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.left + (x - self.origin.0) * self.scale,
            self.top + (self.origin.1 - y) * self.scale,
        )
    }
}

/// The point of a place, if it has one that can be drawn.
pub(super) fn point(place: Option<&AllocationPlace>) -> Option<(f64, f64)> {
    match place?.at {
        Some(At::Point(AllocationPoint { x, y })) if x.is_finite() && y.is_finite() => Some((x, y)),
        _ => None,
    }
}
