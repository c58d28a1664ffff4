//! The Pareto front of a number of players by bottleneck assignments: points from the fastest to
//! the least harmful, step by step.
//!
//! A matching is retained from step to step. With the damage allowed, time rises by augmenting
//! paths whose worst pair is as fast as possible, up to the size wanted: no matching is faster, for
//! without such a path the one before was maximum. Then damage falls while time stands: the player
//! with the worst damage is unmatched, and replaced by a path through pairs that take less. Where
//! that fails a point is found, and time rises again with less damage allowed.

use super::resources::Resources;
use super::routes::{Route, Routes};
use crate::problem::{PLAYERS_MAX, TOOLS_MAX};
use anytime::{Stop, Ticker};
use std::cmp::Reverse;

/// No time is enough, or no damage.
const NEVER: u64 = u64::MAX;
/// Nobody, nothing.
const NONE: u8 = u8::MAX;

/// What a pair can do from a damage down, or from a time up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    at: u64,
    then: u64,
    pair: u32,
}

/// What each pair can do, which changes step by step, always for the worse or always for the
/// better.
struct Steps {
    first: Vec<u64>,
    steps: Vec<Step>,
    /// Steps taken, and what they have led to.
    taken: usize,
    now: Vec<u64>,
}

impl Steps {
    fn new(first: Vec<u64>, steps: Vec<Step>) -> Self {
        Self {
            now: first.clone(),
            first,
            steps,
            taken: 0,
        }
    }

    fn begin(&mut self) {
        self.now.copy_from_slice(&self.first);
        self.taken = 0;
    }

    /// Takes all steps up to the first that is not wanted.
    fn take(&mut self, is_wanted: impl Fn(u64) -> bool) {
        let left = self.steps[self.taken..].iter();
        for step in left.take_while(|step| is_wanted(step.at)) {
            self.now[step.pair as usize] = step.then;
            self.taken += 1;
        }
    }
}

/// The bi-objective front of one number of players at a time.
pub(super) struct BottleneckFront {
    players: usize,
    tools: usize,
    /// For each pair the time of its fastest route that does no more than the damage allowed.
    fast: Steps,
    /// For each pair the damage of its mildest route that takes no more than the time.
    mild: Steps,
    tool_of: [u8; PLAYERS_MAX],
    player_of: [u8; TOOLS_MAX],
    /// Pairs matched, and wanted.
    size: usize,
    wanted: usize,
    time_max: u64,
    /// Where the matching stands.
    time: u64,
    /// Damage of the next point, at most; none where there is no next one.
    below: Option<u64>,
}

impl BottleneckFront {
    /// With all routes of these numbers of players and tools.
    pub(super) fn new(routes: &Routes<'_>, players: usize, tools: usize) -> Self {
        let pairs = || (0..players * tools).map(|pair| (pair as u32, routes.of_pair(pair)));
        let first = pairs().map(|(_, routes)| routes.first().map_or(NEVER, |it| it.time));
        let first: Vec<u64> = first.collect();
        let all: usize = pairs().map(|(_, routes)| routes.len()).sum();
        let (mut fast, mut mild) = (Vec::with_capacity(all), Vec::with_capacity(all));
        for (pair, routes) in pairs() {
            let after = routes.iter().skip(1).map(|next| next.time).chain([NEVER]);
            let step = |at, then| Step { at, then, pair };
            let slower = routes.iter().map(|it| it.damage).zip(after);
            fast.extend(slower.map(|(at, then)| step(at, then)));
            let milder = |it: &Route| step(it.time, it.damage);
            mild.extend(routes.iter().map(milder));
        }
        fast.sort_unstable_by_key(|step| Reverse(step.at));
        mild.sort_unstable_by_key(|step| step.at);
        Self {
            players,
            tools,
            fast: Steps::new(first, fast),
            mild: Steps::new(vec![NEVER; players * tools], mild),
            tool_of: [NONE; PLAYERS_MAX],
            player_of: [NONE; TOOLS_MAX],
            size: 0,
            wanted: 0,
            time_max: 0,
            time: 0,
            below: None,
        }
    }

    /// Begins with this number of players, within a time and a damage.
    pub(super) fn begin(&mut self, wanted: usize, limits: Option<Resources>) {
        self.fast.begin();
        self.mild.begin();
        self.tool_of = [NONE; PLAYERS_MAX];
        self.player_of = [NONE; TOOLS_MAX];
        self.size = 0;
        self.wanted = wanted;
        self.time = 0;
        let limits = limits.filter(|_| wanted <= self.players.min(self.tools));
        self.time_max = limits.map_or(0, |it| it.time);
        self.below = limits.map(|it| it.damage);
    }

    /// Worst time and damage of the next point.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn next(&mut self, ticker: &Ticker) -> Result<Option<Resources>, Stop> {
        ticker.look()?;
        let Some(below) = self.below.take() else {
            return Ok(None);
        };
        self.limit_damage(below);
        while self.size < self.wanted {
            match self.augment_fastest() {
                Some(time) if time <= self.time_max => self.time = self.time.max(time),
                _ => return Ok(None),
            }
        }
        self.allow_time();
        let mut worst = self.worst();
        while let Some(less) = worst.checked_sub(1) {
            ticker.look()?;
            self.below = Some(less);
            self.unmatch_worst(worst);
            while self.size < self.wanted && self.augment_below(worst) {}
            if self.size < self.wanted {
                break;
            }
            self.below = None;
            worst = self.worst();
        }
        self.limit_damage(worst);
        Ok(Some(Resources::new(self.time, worst)))
    }

    /// For each pair, tools of the first player, then of the next, the time of its fastest route
    /// within the damage of the last point; only those within its time count.
    pub(super) fn prices(&self) -> &[u64] {
        &self.fast.now
    }

    /// Allows less damage than before.
    fn limit_damage(&mut self, damage: u64) {
        self.fast.take(|at| at > damage);
    }

    /// Takes note of what is possible in the time, which is no less than before.
    fn allow_time(&mut self) {
        let time = self.time;
        self.mild.take(|at| at <= time);
    }

    /// The worst damage of matched players.
    fn worst(&self) -> u64 {
        let damages = self.matched().map(|(_, _, damage)| damage);
        damages.max().unwrap_or(0)
    }

    /// Players with their tools and their least damage.
    fn matched(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let players = (0..self.players).filter(|player| self.tool_of[*player] != NONE);
        players.map(|player| {
            let tool = usize::from(self.tool_of[player]);
            (player, tool, self.mild.now[player * self.tools + tool])
        })
    }

    /// Unmatches all pairs that take this damage or more.
    fn unmatch_worst(&mut self, worst: u64) {
        for player in 0..self.players {
            let tool = usize::from(self.tool_of[player]);
            if tool < self.tools && self.mild.now[player * self.tools + tool] >= worst {
                self.tool_of[player] = NONE;
                self.player_of[tool] = NONE;
                self.size -= 1;
            }
        }
    }

    /// Matches one more player, so that the worst new pair is as fast as possible; returns its
    /// time.
    fn augment_fastest(&mut self) -> Option<u64> {
        let mut reach = Reach {
            far: [NEVER; TOOLS_MAX],
            by: [NONE; TOOLS_MAX],
            done: 0,
        };
        let row = |player: usize| &self.fast.now[player * self.tools..][..self.tools];
        for player in 0..self.players {
            if self.tool_of[player] == NONE {
                reach.relax(player, 0, row(player));
            }
        }
        loop {
            let (tool, far) = reach.nearest(self.tools)?;
            let holder = usize::from(self.player_of[tool]);
            if holder >= self.players {
                self.augment(tool, &reach.by);
                return Some(far);
            }
            reach.done |= 1 << tool;
            reach.relax(holder, far, row(holder));
        }
    }

    /// Matches one more through pairs that take less damage than this; returns whether it
    /// succeeded.
    fn augment_below(&mut self, worst: u64) -> bool {
        let mut by = [NONE; TOOLS_MAX];
        let mut open = (0..self.players).fold(0_u64, |open, player| {
            open | u64::from(self.tool_of[player] == NONE) << player
        });
        while open != 0 {
            let player = open.trailing_zeros() as usize;
            open &= open - 1;
            let row = &self.mild.now[player * self.tools..][..self.tools];
            for (tool, damage) in row.iter().enumerate() {
                if *damage >= worst || by[tool] != NONE {
                    continue;
                }
                by[tool] = player as u8;
                let holder = self.player_of[tool];
                if holder == NONE {
                    self.augment(tool, &by);
                    return true;
                }
                open |= 1 << holder;
            }
        }
        false
    }

    /// Matches along the augmenting path that came to a free tool.
    fn augment(&mut self, tool: usize, by: &[u8; TOOLS_MAX]) {
        let mut tool = tool;
        loop {
            let player = by[tool];
            self.player_of[tool] = player;
            let before = std::mem::replace(&mut self.tool_of[usize::from(player)], tool as u8);
            if before == NONE {
                break;
            }
            tool = usize::from(before);
        }
        self.size += 1;
    }
}

/// How far tools are from those who have none, by the worst pair of the path.
struct Reach {
    far: [u64; TOOLS_MAX],
    by: [u8; TOOLS_MAX],
    /// Tools that the search went on from, as bits.
    done: u64,
}

impl Reach {
    /// The nearest tool that is not done; none where no path goes on.
    fn nearest(&self, tools: usize) -> Option<(usize, u64)> {
        let mut near = (0, NEVER);
        for (tool, far) in self.far[..tools].iter().enumerate() {
            if *far < near.1 && self.done & (1 << tool) == 0 {
                near = (tool, *far);
            }
        }
        (near.1 != NEVER).then_some(near)
    }

    /// Goes on from a player to all tools.
    fn relax(&mut self, player: usize, so_far: u64, row: &[u64]) {
        let tools = self.far.iter_mut().zip(&mut self.by);
        for ((far, by), time) in tools.zip(row) {
            let there = so_far.max(*time);
            if there < *far {
                (*far, *by) = (there, player as u8);
            }
        }
    }
}
