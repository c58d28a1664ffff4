//! Players and tools, shared between events.

use super::matching::Matching;
use anytime::{Stop, Ticker};

/// Places looked at for one question, at most: beyond, it stays open.
const NODES_MAX: u32 = 20_000;

/// Who may come to an event.
#[derive(Debug, Clone)]
pub(super) struct Demand {
    pub event: usize,
    /// Numbers of players, with the tools that each player may bring then, as bits.
    pub teams: Vec<(usize, Vec<u64>)>,
}

/// Whether there are teams for all events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// For each event players with tools.
    Teams(Vec<(usize, Vec<(usize, usize)>)>),
    /// Proved: there are none.
    No,
    /// Not decided.
    Open,
}

/// Looks for teams: no player and no tool in two of them.
///
/// # Errors
/// When stopped.
pub(super) fn share(
    mut demands: Vec<Demand>,
    tools: usize,
    ticker: &Ticker,
) -> Result<Answer, Stop> {
    let players = demands.iter().flat_map(|it| &it.teams);
    let players = { players }.next().map_or(0, |team| team.1.len());
    // Teams that cannot be are no choice; a smaller team takes less from the others.
    for demand in &mut demands {
        demand
            .teams
            .retain(|(size, may)| matched(may, *size) >= *size);
        demand.teams.sort_by_key(|team| team.0);
    }
    // The fewer choices first.
    demands.sort_by_key(|it| (it.teams.len(), it.event));
    let mut search = Search {
        left: NODES_MAX,
        rooms: players.min(tools),
        demands,
        ticker,
        chosen: Vec::new(),
        found: Vec::new(),
    };
    Ok(if search.choose(0, 0)? {
        Answer::Teams(search.found)
    } else if search.left == 0 {
        Answer::Open
    } else {
        Answer::No
    })
}

/// The size of a largest matching, as far as it is asked for.
fn matched(may: &[u64], wanted: usize) -> usize {
    let mut matching = Matching::new(may.len());
    for (player, tools) in may.iter().enumerate() {
        let mut tools = *tools;
        while tools != 0 && matching.size() < wanted {
            matching.add(player, tools.trailing_zeros() as usize);
            tools &= tools - 1;
        }
    }
    matching.size()
}

/// Players and tools that no event before takes, as bits.
#[derive(Debug, Clone, Copy)]
struct Free {
    players: u64,
    tools: u64,
}

impl Free {
    const ALL: Self = Self {
        players: u64::MAX,
        tools: u64::MAX,
    };
}

struct Search<'s> {
    demands: Vec<Demand>,
    /// Most players who find tools.
    rooms: usize,
    left: u32,
    ticker: &'s Ticker,
    /// For each event so far which of its teams.
    chosen: Vec<usize>,
    found: Vec<(usize, Vec<(usize, usize)>)>,
}

impl Search<'_> {
    /// Chooses how many come to each event, from this one on; `taken` come to those before.
    fn choose(&mut self, demand: usize, taken: usize) -> Result<bool, Stop> {
        if demand == self.demands.len() {
            return self.fill(0, Free::ALL);
        }
        for team in 0..self.demands[demand].teams.len() {
            let size = self.demands[demand].teams[team].0;
            // Each event that is to come needs somebody.
            if taken + size + (self.demands.len() - demand - 1) > self.rooms {
                break;
            }
            self.chosen.push(team);
            let found = self.choose(demand + 1, taken + size)?;
            self.chosen.pop();
            if found {
                return Ok(true);
            }
            if self.left == 0 {
                break;
            }
        }
        Ok(false)
    }

    /// The size of a chosen team, and who may bring which tools of those that are free.
    fn team(&self, demand: usize, free: Free) -> (usize, Vec<u64>) {
        let (size, may) = &self.demands[demand].teams[self.chosen[demand]];
        let players = may.iter().enumerate();
        let tools = players.map(|(player, may)| match free.players & (1 << player) {
            0 => 0,
            _ => may & free.tools,
        });
        (*size, tools.collect())
    }

    /// Finds players for the events from this one on.
    fn fill(&mut self, demand: usize, free: Free) -> Result<bool, Stop> {
        if demand == self.demands.len() {
            return Ok(true);
        }
        if !self.can(demand, free) {
            return Ok(false);
        }
        let (size, may) = self.team(demand, free);
        self.found.push((self.demands[demand].event, Vec::new()));
        let found = self.pick(demand, 0, free, size, &may)?;
        if !found {
            self.found.pop();
        }
        Ok(found)
    }

    /// Whether those who are left can be enough: for each event alone, and for all together.
    fn can(&self, demand: usize, free: Free) -> bool {
        let mut together = Vec::new();
        let mut wanted = 0;
        for demand in demand..self.demands.len() {
            let (size, may) = self.team(demand, free);
            if matched(&may, size) < size {
                return false;
            }
            wanted += size;
            together.resize(may.len(), 0);
            for (all, own) in together.iter_mut().zip(may) {
                *all |= own;
            }
        }
        matched(&together, wanted) >= wanted
    }

    /// Goes on with a player of an event that needs `wanted` more.
    fn pick(
        &mut self,
        demand: usize,
        player: usize,
        free: Free,
        wanted: usize,
        may: &[u64],
    ) -> Result<bool, Stop> {
        if wanted == 0 {
            return self.fill(demand + 1, free);
        }
        let rest: Vec<u64> = may
            .iter()
            .skip(player)
            .map(|may| may & free.tools)
            .collect();
        if rest.len() < wanted || matched(&rest, wanted) < wanted {
            return Ok(false);
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return Ok(false);
        }
        self.ticker.look()?;
        let mut tools = may[player] & free.tools;
        while tools != 0 {
            let tool = tools.trailing_zeros() as usize;
            tools &= tools - 1;
            self.note(|pairs| pairs.push((player, tool)));
            let rest = Free {
                players: free.players & !(1 << player),
                tools: free.tools & !(1 << tool),
            };
            // Those of this event have been passed; others may still take them.
            if self.pick(demand, player + 1, rest, wanted - 1, may)? {
                return Ok(true);
            }
            self.note(|pairs| pairs.truncate(pairs.len() - 1));
        }
        self.pick(demand, player + 1, free, wanted, may)
    }

    fn note(&mut self, change: impl FnOnce(&mut Vec<(usize, usize)>)) {
        if let Some((_, pairs)) = self.found.last_mut() {
            change(pairs);
        }
    }
}
