//! Routes of a player by a tool to the event: legs to the tool and from there, joined (equation
//! 27).

use super::labels::{Ground, Label, Labels, Leg, Within};
use super::merge::{End, merge};
use super::once::{self, Ahead, Ends, Made};
use super::watch::Watch;
use crate::problem::Problem;
use anytime::Stop;

/// A route that no other of the same player and tool dominates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    pub time: u64,
    pub damage: u64,
    /// Labels of the two ways.
    fetch: u32,
    carry: u32,
}

impl Route {
    pub(super) fn both(&self) -> (u64, u64) {
        (self.time, self.damage)
    }
}

/// Ways of all players to everywhere.
#[derive(Debug)]
pub(super) struct Fetches {
    /// For each vertex of a player, one after the other.
    labels: Vec<Labels>,
    /// For each player the index of its labels.
    of: Vec<usize>,
}

impl Fetches {
    /// Finds all ways within limits of time and damage.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn new(
        problem: &Problem,
        within: &Within<'_>,
        watch: &mut Watch,
    ) -> Result<Self, Stop> {
        let players = &problem.spec().players;
        let ground = Ground::new(problem, Leg::Fetch, within);
        let (mut labels, mut of) = (Vec::new(), Vec::with_capacity(players.len()));
        for (player, &vertex) in players.iter().enumerate() {
            let mut before = players[..player].iter();
            let before = before.position(|other| *other == vertex);
            of.push(before.map_or(labels.len(), |before| of[before]));
            if before.is_none() {
                labels.push(Labels::find(&ground, vertex, watch)?);
            }
        }
        Ok(Self { labels, of })
    }

    fn by(&self, player: usize) -> &Labels {
        &self.labels[self.of[player]]
    }
}

/// All routes of all players by all tools to an event.
#[derive(Debug)]
pub(super) struct Routes<'a> {
    tools: usize,
    fetches: &'a Fetches,
    /// Ways to the event, backwards.
    carry: Labels,
    /// For each player and tool where its routes begin in `routes`; they go by rising time and
    /// falling damage.
    starts: Vec<u32>,
    routes: Vec<Route>,
    /// Routes that are no two ways joined.
    made: Vec<Made>,
    /// Whether no route is missing.
    are_known: bool,
}

/// Instead of the label of a way to the event: the route is a made one.
const MADE: u32 = u32::MAX;

/// Puts ways to a vertex, by rising time and falling damage, in place of others.
fn put_ends(labels: &Labels, vertex: usize, ends: &mut Vec<End>) {
    ends.clear();
    ends.extend(labels.at(vertex).map(|label| {
        let Label { time, damage, .. } = labels.labels[label as usize];
        (time, damage, label)
    }));
    ends.reverse();
}

/// What joining needs.
struct Joining<'j> {
    problem: &'j Problem,
    event: usize,
    limits: (u64, u64),
    joined: Vec<Route>,
    /// Ways to the tool at hand, and from each tool, by rising time.
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
        (problem, fetches): (&Problem, &'a Fetches),
        event: usize,
        within: &Within<'_>,
        watch: &mut Watch,
    ) -> Result<Self, Stop> {
        let spec = problem.spec();
        let ground = Ground::new(problem, Leg::Carry, within);
        let mut all = Self {
            tools: spec.tools.len(),
            fetches,
            carry: Labels::find(&ground, event, watch)?,
            starts: vec![0],
            routes: Vec::new(),
            made: Vec::new(),
            are_known: true,
        };
        let mut joining = Joining {
            problem,
            event,
            limits: within.limits,
            joined: Vec::new(),
            fetches: Vec::new(),
            carries: Vec::new(),
            left: once::LABELS_MAX,
        };
        for vertex in &spec.tools {
            let mut ends = Vec::new();
            put_ends(&all.carry, *vertex, &mut ends);
            joining.carries.push(ends);
        }
        for player in 0..spec.players.len() {
            for tool in 0..spec.tools.len() {
                watch.look()?;
                if spec.once {
                    all.join((player, tool), &mut joining, watch)?;
                } else {
                    all.merge((player, tool), &mut joining);
                }
                all.starts.push(all.routes.len() as u32);
            }
        }
        Ok(all)
    }

    /// Adds the routes of a player by a tool, wherever they lead.
    fn merge(&mut self, (player, tool): (usize, usize), joining: &mut Joining<'_>) {
        let vertex = joining.problem.spec().tools[tool];
        put_ends(self.fetches.by(player), vertex, &mut joining.fetches);
        let both = (&*joining.fetches, &*joining.carries[tool]);
        merge(both, joining.limits, |time, damage, (fetch, carry)| {
            self.routes.push(Route {
                time,
                damage,
                fetch,
                carry,
            });
        });
    }

    /// Adds the routes of a player by a tool that come to no vertex twice.
    fn join(
        &mut self,
        (player, tool): (usize, usize),
        joining: &mut Joining<'_>,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        let vertex = joining.problem.spec().tools[tool];
        self.pairs((player, vertex), joining, watch)?;
        let first = self.routes.len();
        let mut least = u64::MAX;
        let mut rest = joining.joined.as_slice();
        while let Some(route) = rest.first() {
            // All that take as long and harm as much.
            let alike = rest.partition_point(|it| it.both() == route.both());
            let (these, after) = rest.split_at(alike);
            rest = after;
            if route.damage >= least {
                continue;
            }
            least = route.damage;
            let fits = |it: &&Route| self.is_once(player, **it);
            let Some(route) = these.iter().find(fits) else {
                // With both ways known there may be others, by detours: all of them are looked for.
                self.routes.truncate(first);
                return self.search((player, vertex), joining, watch);
            };
            self.routes.push(*route);
        }
        Ok(())
    }

    /// All ways of a player to a tool with all from there to the event, by rising time and damage.
    fn pairs(
        &self,
        (player, vertex): (usize, usize),
        joining: &mut Joining<'_>,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        let (fetches, limits) = (self.fetches.by(player), joining.limits);
        joining.joined.clear();
        let label = |labels: &Labels, label: u32| -> Label { labels.labels[label as usize] };
        for fetch in fetches.at(vertex) {
            let first = label(fetches, fetch);
            for carry in self.carry.at(vertex) {
                let second = label(&self.carry, carry);
                let (time, damage) = (first.time + second.time, first.damage + second.damage);
                if time <= limits.0 && damage <= limits.1 {
                    watch.count()?;
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
        let (fetch, mut carry) = self.ways(player, route);
        // The tool's.
        carry.remove(0);
        let mut all = [fetch, carry].concat();
        all.sort_unstable();
        all.windows(2).all(|two| two[0] != two[1])
    }

    /// Adds those that are no two best ways joined.
    fn search(
        &mut self,
        (player, tool): (usize, usize),
        joining: &mut Joining<'_>,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        let problem = joining.problem;
        let ends = Ends {
            start: problem.spec().players[player],
            tool,
            event: joining.event,
        };
        let ahead = Ahead::new(problem, tool, joining.event);
        let context = (problem, &ahead);
        let room = (joining.limits, &mut joining.left);
        let (made, known) = once::routes(context, ends, room, watch)?;
        self.are_known &= known;
        for one in made {
            self.routes.push(Route {
                time: one.time,
                damage: one.damage,
                fetch: self.made.len() as u32,
                carry: MADE,
            });
            self.made.push(one);
        }
        Ok(())
    }

    /// The routes of a player by a tool, by rising time and falling damage.
    pub(super) fn of(&self, player: usize, tool: usize) -> &[Route] {
        self.of_pair(player * self.tools + tool)
    }

    /// The same, by the number of the pair: tools of the first player, then of the next.
    pub(super) fn of_pair(&self, pair: usize) -> &[Route] {
        &self.routes[self.starts[pair] as usize..self.starts[pair + 1] as usize]
    }

    /// The fastest route of a player by a tool that does at most so much damage.
    pub(super) fn fastest(&self, player: usize, tool: usize, damage_max: u64) -> Option<Route> {
        let routes = self.of(player, tool);
        let first = routes.partition_point(|route| route.damage > damage_max);
        routes.get(first).copied()
    }

    /// The fastest route of a player by a tool within this time and damage: the most harmful of
    /// them.
    pub(super) fn within(
        &self,
        player: usize,
        tool: usize,
        (time, damage): (u64, u64),
    ) -> Option<Route> {
        let route = self.fastest(player, tool, damage);
        route.filter(|route| route.time <= time)
    }

    /// Whether no route is missing.
    pub(super) fn are_known(&self) -> bool {
        self.are_known
    }

    /// The vertices of a player's route, to the tool and to the event.
    pub(super) fn ways(&self, player: usize, route: Route) -> (Vec<usize>, Vec<usize>) {
        if route.carry == MADE {
            let made = &self.made[route.fetch as usize];
            return (made.fetch.clone(), made.carry.clone());
        }
        let mut fetch = self.fetches.by(player).way(route.fetch);
        fetch.reverse();
        // Found backwards from the event, returned backwards.
        (fetch, self.carry.way(route.carry))
    }
}
