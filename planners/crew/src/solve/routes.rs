//! Routes of a player by a tool to the event: legs to the tool and from there, joined (equation
//! 27).

use super::elementary_paths::{self, Ahead, ElementaryRoute, Ends};
use super::labels::{Ground, Label, Labels, Leg, Limits};
use super::pareto_sum::{End, pareto_sum};
use super::resources::Resources;
use crate::problem::Problem;
use anytime::{Stop, Ticker};

/// A route that no other of the same player and tool dominates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    pub time: u64,
    pub damage: u64,
    /// Labels of the two legs.
    fetch: u32,
    carry: u32,
}

impl Route {
    pub(super) fn resources(&self) -> Resources {
        Resources::new(self.time, self.damage)
    }
}

/// Legs of all players to everywhere.
#[derive(Debug)]
pub(super) struct Fetches {
    /// For each vertex of a player, one after the other.
    labels: Vec<Labels>,
    /// For each player the index of its labels.
    of: Vec<usize>,
}

impl Fetches {
    /// Finds all legs to tools within limits of time and damage.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn new(
        problem: &Problem,
        limits: &Limits<'_>,
        ticker: &Ticker,
    ) -> Result<Self, Stop> {
        let players = &problem.spec().players;
        let ground = Ground::new(problem, Leg::Fetch, limits);
        let (mut labels, mut of) = (Vec::new(), Vec::with_capacity(players.len()));
        for (player, &vertex) in players.iter().enumerate() {
            let mut before = players[..player].iter();
            let before = before.position(|other| *other == vertex);
            of.push(before.map_or(labels.len(), |before| of[before]));
            if before.is_none() {
                labels.push(Labels::find(&ground, vertex, ticker)?);
            }
        }
        Ok(Self { labels, of })
    }

    fn labels_of(&self, player: usize) -> &Labels {
        &self.labels[self.of[player]]
    }
}

/// All routes of all players by all tools to an event.
#[derive(Debug)]
pub(super) struct Routes<'a> {
    tools: usize,
    fetches: &'a Fetches,
    /// Legs to the event, backwards.
    carry: Labels,
    /// For each player and tool where its routes begin in `routes`; they go by rising time and
    /// falling damage.
    starts: Vec<u32>,
    routes: Vec<Route>,
    /// Routes that are no two legs joined.
    elementary: Vec<ElementaryRoute>,
    /// Whether no route is missing.
    are_known: bool,
}

/// Instead of the label of a leg to the event: the route is in `elementary`.
const ELEMENTARY: u32 = u32::MAX;

/// Puts paths to a vertex, by rising time and falling damage, in place of others.
fn put_ends(labels: &Labels, vertex: usize, ends: &mut Vec<End>) {
    ends.clear();
    ends.extend(labels.labels_at(vertex).map(|label| {
        let Label { time, damage, .. } = labels.labels[label as usize];
        (time, damage, label)
    }));
    ends.reverse();
}

/// What joining needs.
struct Joining<'j> {
    problem: &'j Problem,
    event: usize,
    limits: Resources,
    joined: Vec<Route>,
    /// Legs to the tool at hand, and from each tool, by rising time.
    fetches: Vec<End>,
    carries: Vec<Vec<End>>,
    /// Labels that are left for routes that come to no vertex twice.
    left: usize,
}

impl<'a> Routes<'a> {
    /// Finds all routes to a vertex within limits of time and damage.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn new(
        problem: &Problem,
        fetches: &'a Fetches,
        event: usize,
        limits: &Limits<'_>,
        ticker: &Ticker,
    ) -> Result<Self, Stop> {
        let spec = problem.spec();
        let ground = Ground::new(problem, Leg::Carry, limits);
        let mut all = Self {
            tools: spec.tools.len(),
            fetches,
            carry: Labels::find(&ground, event, ticker)?,
            starts: vec![0],
            routes: Vec::new(),
            elementary: Vec::new(),
            are_known: true,
        };
        let mut joining = Joining {
            problem,
            event,
            limits: limits.most,
            joined: Vec::new(),
            fetches: Vec::new(),
            carries: Vec::new(),
            left: elementary_paths::LABELS_MAX,
        };
        for vertex in &spec.tools {
            let mut ends = Vec::new();
            put_ends(&all.carry, *vertex, &mut ends);
            joining.carries.push(ends);
        }
        for player in 0..spec.players.len() {
            for tool in 0..spec.tools.len() {
                ticker.look()?;
                if spec.once {
                    all.join(player, tool, &mut joining, ticker)?;
                } else {
                    all.merge(player, tool, &mut joining);
                }
                all.starts.push(all.routes.len() as u32);
            }
        }
        Ok(all)
    }

    /// Adds the routes of a player by a tool, wherever they lead.
    fn merge(&mut self, player: usize, tool: usize, joining: &mut Joining<'_>) {
        let vertex = joining.problem.spec().tools[tool];
        put_ends(self.fetches.labels_of(player), vertex, &mut joining.fetches);
        pareto_sum(
            &joining.fetches,
            &joining.carries[tool],
            joining.limits,
            |time, damage, (fetch, carry)| {
                self.routes.push(Route {
                    time,
                    damage,
                    fetch,
                    carry,
                });
            },
        );
    }

    /// Adds the routes of a player by a tool that come to no vertex twice.
    fn join(
        &mut self,
        player: usize,
        tool: usize,
        joining: &mut Joining<'_>,
        ticker: &Ticker,
    ) -> Result<(), Stop> {
        let vertex = joining.problem.spec().tools[tool];
        self.pairs(player, vertex, joining, ticker)?;
        let first = self.routes.len();
        let mut least = u64::MAX;
        let mut rest = joining.joined.as_slice();
        while let Some(route) = rest.first() {
            // All that take as long and harm as much.
            let alike = rest.partition_point(|it| it.resources() == route.resources());
            let (these, after) = rest.split_at(alike);
            rest = after;
            if route.damage >= least {
                continue;
            }
            least = route.damage;
            let fits = |it: &&Route| self.is_once(player, **it);
            let Some(route) = these.iter().find(fits) else {
                // With both legs known there may be others, by detours: all of them are looked for.
                self.routes.truncate(first);
                return self.search(player, vertex, joining, ticker);
            };
            self.routes.push(*route);
        }
        Ok(())
    }

    /// All legs of a player to a tool with all from there to the event, by rising time and damage.
    fn pairs(
        &self,
        player: usize,
        vertex: usize,
        joining: &mut Joining<'_>,
        ticker: &Ticker,
    ) -> Result<(), Stop> {
        let (fetches, limits) = (self.fetches.labels_of(player), joining.limits);
        joining.joined.clear();
        let label = |labels: &Labels, label: u32| -> Label { labels.labels[label as usize] };
        for fetch in fetches.labels_at(vertex) {
            let first = label(fetches, fetch);
            for carry in self.carry.labels_at(vertex) {
                let second = label(&self.carry, carry);
                let (time, damage) = (first.time + second.time, first.damage + second.damage);
                if Resources::new(time, damage).fit(limits) {
                    ticker.step(1)?;
                    joining.joined.push(Route {
                        time,
                        damage,
                        fetch,
                        carry,
                    });
                }
            }
        }
        joining.joined.sort_unstable();
        Ok(())
    }

    /// Whether a route comes to no vertex twice.
    fn is_once(&self, player: usize, route: Route) -> bool {
        let (fetch, mut carry) = self.legs(player, route);
        // The tool's.
        carry.remove(0);
        let mut all = [fetch, carry].concat();
        all.sort_unstable();
        all.windows(2).all(|two| two[0] != two[1])
    }

    /// Adds those that are no two best legs joined.
    fn search(
        &mut self,
        player: usize,
        tool: usize,
        joining: &mut Joining<'_>,
        ticker: &Ticker,
    ) -> Result<(), Stop> {
        let problem = joining.problem;
        let ends = Ends {
            start: problem.spec().players[player],
            tool,
            event: joining.event,
        };
        let ahead = Ahead::new(problem, tool, joining.event);
        let left = &mut joining.left;
        let (routes, known) =
            elementary_paths::routes(problem, &ahead, ends, joining.limits, left, ticker)?;
        self.are_known &= known;
        for one in routes {
            self.routes.push(Route {
                time: one.time,
                damage: one.damage,
                fetch: self.elementary.len() as u32,
                carry: ELEMENTARY,
            });
            self.elementary.push(one);
        }
        Ok(())
    }

    /// The routes of a player by a tool, by rising time and falling damage.
    pub(super) fn pareto_routes(&self, player: usize, tool: usize) -> &[Route] {
        self.of_pair(player * self.tools + tool)
    }

    /// The same, by the number of the pair: tools of the first player, then of the next.
    pub(super) fn of_pair(&self, pair: usize) -> &[Route] {
        &self.routes[self.starts[pair] as usize..self.starts[pair + 1] as usize]
    }

    /// The fastest route of a player by a tool that does at most this damage.
    pub(super) fn fastest(&self, player: usize, tool: usize, damage_max: u64) -> Option<Route> {
        let routes = self.pareto_routes(player, tool);
        let first = routes.partition_point(|route| route.damage > damage_max);
        routes.get(first).copied()
    }

    /// The fastest route of a player by a tool within this time and damage: the most harmful of
    /// them.
    pub(super) fn fastest_within(
        &self,
        player: usize,
        tool: usize,
        limits: Resources,
    ) -> Option<Route> {
        let route = self.fastest(player, tool, limits.damage);
        route.filter(|route| route.time <= limits.time)
    }

    /// Whether no route is missing.
    pub(super) fn are_known(&self) -> bool {
        self.are_known
    }

    /// The vertices of a player's route, to the tool and to the event.
    pub(super) fn legs(&self, player: usize, route: Route) -> (Vec<usize>, Vec<usize>) {
        if route.carry == ELEMENTARY {
            let one = &self.elementary[route.fetch as usize];
            return (one.fetch.clone(), one.carry.clone());
        }
        let mut fetch = self.fetches.labels_of(player).path(route.fetch);
        fetch.reverse();
        // Found backwards from the event, returned backwards.
        (fetch, self.carry.path(route.carry))
    }
}
