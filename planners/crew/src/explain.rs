//! Why a number of players cannot do it.

use crate::plan::{Front, Plan};
use crate::problem::{Arc, Effort, Event, Problem};
use crate::solve::matching::Matching;
use crate::solve::shortest_paths::{Price, distances_from, distances_to};
use anytime::{Fault, Path, Pulse, Reason, fault, millionths, time};

/// An empty front, and why it is empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Impossible {
    /// Index of the event.
    pub event: usize,
    /// Number of players.
    pub players: usize,
    /// The first rule that stands in the way, of those of this file, in their order.
    pub reason: Reason,
}

/// Why the fronts of a plan that are known to be empty are empty; `None` if stopped before all
/// reasons are found.
#[must_use]
pub fn explain(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Option<Vec<Impossible>> {
    let mut reasons = Vec::new();
    let events = problem.spec().events.iter().zip(&plan.events);
    for (index, (event, fronts)) in events.enumerate() {
        let empty = |front: &Front| front.is_known && front.points.is_empty();
        if !fronts.iter().any(empty) {
            continue;
        }
        let least = LeastPrices::new(problem, event, wanted)?;
        for (front, players) in fronts.iter().zip(1..) {
            if empty(front) {
                reasons.push(Impossible {
                    event: index,
                    players,
                    reason: Team::new(problem, index, players).reason(&least),
                });
            }
        }
    }
    Some(reasons)
}

/// Why a number of players cannot do something about an event, given that they cannot.
struct Team<'p> {
    problem: &'p Problem,
    event: usize,
    effort: Effort,
    players: usize,
}

impl<'p> Team<'p> {
    fn new(problem: &'p Problem, event: usize, players: usize) -> Self {
        Self {
            problem,
            event,
            effort: problem.spec().events[event].efforts[players - 1],
            players,
        }
    }

    fn reason(&self, least: &LeastPrices) -> Reason {
        let reason = self
            .lacks_tools()
            .or_else(|| self.works_too_long())
            .or_else(|| self.works_too_harmfully())
            .or_else(|| self.is_cut_off(least))
            .or_else(|| self.takes_too_much_damage(least))
            .or_else(|| self.is_too_slow(least))
            .unwrap_or_else(|| {
                Reason::proved(fault!(
                    "LIMITS_TOGETHER",
                    Path::WHOLE,
                    "{} can satisfy each limit, but not all of them together",
                    self.size(),
                ))
            });
        reason.subject("event", self.event)
    }

    fn size(&self) -> String {
        match self.players {
            1 => "1 player".into(),
            players => format!("{players} players"),
        }
    }

    /// The size with a verb.
    fn doing(&self, verb: &str) -> String {
        let ending = if self.players == 1 { "s" } else { "" };
        format!("{} {verb}{ending}", self.size())
    }

    fn lacks_tools(&self) -> Option<Reason> {
        let tools = self.problem.spec().tools.len();
        let lacking = self.players.checked_sub(tools).filter(|it| *it > 0)?;
        let (at, size) = (Path::root("tools"), self.doing("need"));
        let fault = fault!(
            "TOO_FEW_TOOLS",
            at,
            "{} a tool each, but there are {}",
            size,
            tools
        );
        Some(Reason::proved(fault).shortfall(lacking as f64, "tools"))
    }

    fn works_too_long(&self) -> Option<Reason> {
        let limit = self.problem.spec().time_max_us;
        let over_us = self.effort.time_us.checked_sub(limit)?;
        let fault = self.effort_fault(|at| {
            let (size, over) = (self.size(), time(over_us));
            let at = at.field("work_duration");
            fault!(
                "TASK_TOO_LONG",
                at,
                "the task alone takes {} {} longer than is allowed",
                size,
                over
            )
        });
        (over_us > 0).then(|| Reason::proved(fault).shortfall(over_us as f64 / 1e6, "s"))
    }

    fn works_too_harmfully(&self) -> Option<Reason> {
        let fault = self.effort_fault(|at| {
            let at = at.field("damage");
            let size = self.size();
            fault!(
                "TASK_TOO_HARMFUL",
                at,
                "the task alone does {} more damage than is allowed",
                size
            )
        });
        let reason = Reason::proved(fault);
        let Some(limit) = self.problem.spec().damage_max.max_allowed() else {
            // No damage at all is low enough.
            return Some(reason);
        };
        let over_micro = self.effort.damage_micro.checked_sub(limit)?;
        (over_micro > 0).then(|| reason.shortfall(over_micro as f64 / 1e6, "damage"))
    }

    /// A fault of the event's effort for this number of players.
    fn effort_fault(&self, fault: impl Fn(&Path<'_>) -> Fault) -> Fault {
        let events = Path::root("events");
        let event_at = events.index(self.event);
        let efforts_at = event_at.field("efforts");
        fault(&efforts_at.index(self.players - 1))
    }

    fn is_cut_off(&self, least: &LeastPrices) -> Option<Reason> {
        let arriving = least.damages_micro.len();
        let lacking = self.players.checked_sub(arriving).filter(|it| *it > 0)?;
        let at = Path::root("arcs");
        let fault = fault!(
            "NO_WAY",
            at,
            "only {} of {} players can fetch a tool of their own and come to the event",
            arriving,
            self.players
        );
        Some(Reason::proved(fault).shortfall(lacking as f64, "players"))
    }

    fn takes_too_much_damage(&self, least: &LeastPrices) -> Option<Reason> {
        let limit = self.problem.spec().damage_max.max_allowed()?;
        let damage_micro = least.damages_micro[self.players - 1] + self.effort.damage_micro;
        let over_micro = damage_micro.checked_sub(limit).filter(|it| *it > 0)?;
        let (at, size) = (Path::root("max_damage"), self.doing("take"));
        let fault = fault!(
            "TOO_HARMFUL",
            at,
            "without a limit of time {} {} damage or more",
            size,
            millionths(damage_micro)
        );
        Some(Reason::proved(fault).shortfall(over_micro as f64 / 1e6, "damage"))
    }

    fn is_too_slow(&self, least: &LeastPrices) -> Option<Reason> {
        let limit_us = self.problem.spec().time_max_us;
        // As many as by damage: those who get there at all.
        let time_us = least.times_us[self.players - 1] + self.effort.time_us;
        let over_us = time_us.checked_sub(limit_us).filter(|it| *it > 0)?;
        let (at, size) = (Path::root("max_duration"), self.doing("take"));
        let fault = fault!(
            "TOO_SLOW",
            at,
            "without a limit of damage {} {} or more, where {} is allowed",
            size,
            time(time_us),
            time(limit_us)
        );
        Some(Reason::proved(fault).shortfall(over_us as f64 / 1e6, "s"))
    }
}

/// For each number of players that can get there, from 1 on, the least worst damage and the least
/// worst time: bottleneck assignments of players to tools.
struct LeastPrices {
    damages_micro: Vec<u64>,
    times_us: Vec<u64>,
}

impl LeastPrices {
    fn new(problem: &Problem, event: &Event, wanted: &Pulse) -> Option<Self> {
        let time = |arc: &Arc| arc.time_us;
        let fetch = |arc: &Arc| arc.fetch_micro;
        let carry = |arc: &Arc| arc.carry_micro;
        Some(Self {
            damages_micro: bottlenecks(problem, event, &fetch, &carry, wanted)?,
            times_us: bottlenecks(problem, event, &time, &time, wanted)?,
        })
    }
}

/// For 1, 2, ... players the least that the worst of them pays.
fn bottlenecks(
    problem: &Problem,
    event: &Event,
    fetch: Price<'_>,
    carry: Price<'_>,
    wanted: &Pulse,
) -> Option<Vec<u64>> {
    let spec = problem.spec();
    let carries = distances_to(problem, event.vertex, carry);
    let mut pairs = Vec::new();
    for (player, &start) in spec.players.iter().enumerate() {
        if !wanted.beats() {
            return None;
        }
        let fetches = distances_from(problem, start, fetch);
        for (tool, &vertex) in spec.tools.iter().enumerate() {
            let both = fetches[vertex].zip(carries[vertex]);
            pairs.extend(both.map(|(fetch, carry)| (fetch + carry, player, tool)));
        }
    }
    pairs.sort_unstable();
    let mut matching = Matching::new(spec.players.len());
    let mut worst = Vec::new();
    for (price, player, tool) in pairs {
        matching.add(player, tool);
        worst.resize(matching.size(), price);
    }
    Some(worst)
}
