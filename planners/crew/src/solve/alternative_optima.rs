//! Alternative optima: all assignments that reach a point, one after the other.

use super::front::Context;
use super::matching::Matching;
use super::resources::Resources;
use anytime::{Stop, Ticker};

/// A player with a tool.
type Pair = (usize, usize);

/// Other assignments of the same number of players within a time and a damage, at most `most`; and
/// whether there are more.
///
/// All of them have this very time and damage: one with less would dominate a point that is not
/// dominated. Player by player, tool by tool; a branch is cut as soon as the remaining players are
/// too few, so that every branch ends in an assignment.
///
/// # Errors
/// When stopped.
pub(super) fn alternative_optima(
    context: Context<'_>,
    limits: Resources,
    first: &[Pair],
    most: usize,
    ticker: &Ticker,
) -> Result<(Vec<Vec<Pair>>, bool), Stop> {
    let Context {
        problem, routes, ..
    } = context;
    let spec = problem.spec();
    let tools = |player| {
        let can = |tool: &usize| routes.fastest_within(player, *tool, limits).is_some();
        let tools = (0..spec.tools.len()).filter(can);
        tools.fold(0_u64, |tools, tool| tools | 1 << tool)
    };
    let mut all = All {
        may: (0..spec.players.len()).map(tools).collect(),
        size: first.len(),
        first,
        most,
        found: Vec::new(),
        more: false,
        ticker,
    };
    all.go_on(0, u64::MAX, &mut Vec::new())?;
    Ok((all.found, all.more))
}

struct All<'a> {
    /// For each player the tools with which the player reaches the point, as bits.
    may: Vec<u64>,
    size: usize,
    first: &'a [Pair],
    most: usize,
    found: Vec<Vec<Pair>>,
    more: bool,
    ticker: &'a Ticker,
}

impl All<'_> {
    /// Goes on with a player, while these tools are free.
    fn go_on(&mut self, player: usize, free: u64, so_far: &mut Vec<Pair>) -> Result<(), Stop> {
        if so_far.len() == self.size {
            if *so_far != self.first {
                self.more = self.found.len() == self.most;
                if !self.more {
                    self.found.push(so_far.clone());
                }
            }
            return Ok(());
        }
        if !self.can(player, free, self.size - so_far.len()) {
            return Ok(());
        }
        self.ticker.look()?;
        let mut tools = self.may[player] & free;
        while tools != 0 && !self.more {
            let tool = tools.trailing_zeros() as usize;
            tools &= tools - 1;
            so_far.push((player, tool));
            self.go_on(player + 1, free & !(1 << tool), so_far)?;
            so_far.pop();
        }
        if self.more {
            return Ok(());
        }
        self.go_on(player + 1, free, so_far)
    }

    /// Whether this number of the players from this one on find free tools.
    fn can(&self, player: usize, free: u64, wanted: usize) -> bool {
        let rest = &self.may[player..];
        if rest.len() < wanted {
            return false;
        }
        let mut matching = Matching::new(rest.len());
        for (player, tools) in rest.iter().enumerate() {
            let mut tools = tools & free;
            while tools != 0 && matching.size() < wanted {
                matching.add(player, tools.trailing_zeros() as usize);
                tools &= tools - 1;
            }
        }
        matching.size() >= wanted
    }
}
