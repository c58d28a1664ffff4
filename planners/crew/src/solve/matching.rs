//! Players and tools, matched.

use crate::problem::{PLAYERS_MAX, TOOLS_MAX};

/// Nobody, nothing.
const NONE: u8 = u8::MAX;

/// A matching as large as it can be while pairs are added.
///
/// Keeps what can be reached from unmatched players by alternating ways, so that all pairs between two augmentations are looked at once.
#[derive(Debug)]
pub(crate) struct Matching {
    /// For each player the tools that he may take, as bits.
    may: [u64; PLAYERS_MAX],
    tool_of: [u8; PLAYERS_MAX],
    player_of: [u8; TOOLS_MAX],
    /// Players, and tools, that can be reached, as bits.
    players: u64,
    tools: u64,
    /// From which player each tool was reached.
    from: [u8; TOOLS_MAX],
    count: usize,
    size: usize,
}

impl Matching {
    /// Nobody has anything yet, of so many players.
    pub(crate) fn new(players: usize) -> Self {
        Self {
            may: [0; PLAYERS_MAX],
            tool_of: [NONE; PLAYERS_MAX],
            player_of: [NONE; TOOLS_MAX],
            players: u64::MAX
                .checked_shr((PLAYERS_MAX - players) as u32)
                .unwrap_or(0),
            tools: 0,
            from: [NONE; TOOLS_MAX],
            count: players,
            size: 0,
        }
    }

    /// Pairs matched.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Allows a pair.
    pub(crate) fn add(&mut self, player: usize, tool: usize) {
        self.may[player] |= 1 << tool;
        if self.players & (1 << player) != 0 {
            self.spread(1 << player);
        }
    }

    /// Follows alternating ways from these players on; where one ends at a free tool, the matching grows.
    fn spread(&mut self, players: u64) {
        let mut open = players;
        while open != 0 {
            let player = open.trailing_zeros() as usize;
            open &= open - 1;
            let mut fresh = self.may[player] & !self.tools;
            while fresh != 0 {
                let tool = fresh.trailing_zeros() as usize;
                fresh &= fresh - 1;
                self.tools |= 1 << tool;
                self.from[tool] = player as u8;
                let holder = self.player_of[tool];
                if holder == NONE {
                    self.augment(tool);
                    // Everything that can be reached now: from the players who are left.
                    open = self.players;
                    break;
                }
                self.players |= 1 << holder;
                open |= 1 << holder;
            }
        }
    }

    fn augment(&mut self, tool: usize) {
        let mut tool = tool;
        loop {
            let player = self.from[tool];
            let before = std::mem::replace(&mut self.tool_of[usize::from(player)], tool as u8);
            self.player_of[tool] = player;
            if before == NONE {
                break;
            }
            tool = usize::from(before);
        }
        self.size += 1;
        self.tools = 0;
        let unmatched = (0..self.count).filter(|player| self.tool_of[*player] == NONE);
        self.players = unmatched.fold(0, |players, player| players | 1 << player);
    }
}

/// Dearer than all matchings that can be: routes take less than 2^49 us, and there are at most 64.
const NEVER: i64 = 1 << 56;

/// The pairs of a cheapest matching of `size` pairs; none where there is none so large. `price` tells what a player with a tool costs.
///
/// Shortest augmenting ways one after the other, with potentials (Edmonds and Karp 1972): every pair is there, some too dear.
pub(super) fn cheapest(
    (players, tools): (usize, usize),
    size: usize,
    price: impl Fn(usize, usize) -> Option<u64>,
) -> Option<Vec<(usize, usize)>> {
    let dear = |pair: usize| {
        let price = price(pair / tools, pair % tools);
        price
            .and_then(|price| i64::try_from(price).ok())
            .unwrap_or(NEVER)
    };
    let prices: Vec<i64> = (0..players * tools).map(dear).collect();
    let mut cheapest = Cheapest {
        prices: &prices,
        players,
        tools,
        tool_of: [NONE; PLAYERS_MAX],
        player_of: [NONE; TOOLS_MAX],
        from_player: [0; PLAYERS_MAX],
        from_tool: [0; TOOLS_MAX],
    };
    for _ in 0..size.min(players).min(tools) {
        cheapest.augment();
    }
    let pairs = (0..players).filter(|player| cheapest.tool_of[*player] != NONE);
    let pairs: Vec<(usize, usize)> = pairs
        .map(|player| (player, usize::from(cheapest.tool_of[player])))
        .collect();
    let is_dear = |pair: &(usize, usize)| prices[pair.0 * tools + pair.1] == NEVER;
    (pairs.len() == size && !pairs.iter().any(is_dear)).then_some(pairs)
}

struct Cheapest<'a> {
    prices: &'a [i64],
    players: usize,
    tools: usize,
    tool_of: [u8; PLAYERS_MAX],
    player_of: [u8; TOOLS_MAX],
    /// Potentials: what it takes to reach a player, or a tool, from somebody who has nothing.
    from_player: [i64; PLAYERS_MAX],
    from_tool: [i64; TOOLS_MAX],
}

impl Cheapest<'_> {
    /// Adds a pair, by a cheapest way: Dijkstra's algorithm on prices that the potentials keep from being negative.
    fn augment(&mut self) {
        let mut far = [i64::MAX; TOOLS_MAX];
        let mut by = [NONE; TOOLS_MAX];
        for player in 0..self.players {
            if self.tool_of[player] == NONE {
                self.relax((player, 0), &mut far, &mut by);
            }
        }
        let mut done = 0_u64;
        for _ in 0..self.tools {
            let open = (0..self.tools).filter(|tool| done & (1 << tool) == 0);
            let Some(tool) = open.min_by_key(|tool| far[*tool]) else {
                break;
            };
            done |= 1 << tool;
            let holder = usize::from(self.player_of[tool]);
            if holder < self.players {
                self.relax((holder, far[tool]), &mut far, &mut by);
                self.from_player[holder] += far[tool];
            }
        }
        for (from, far) in self.from_tool.iter_mut().zip(&far[..self.tools]) {
            *from += far;
        }
        let free = (0..self.tools).filter(|tool| self.player_of[*tool] == NONE);
        let Some(mut tool) = free.min_by_key(|tool| self.from_tool[*tool]) else {
            return;
        };
        loop {
            let player = by[tool];
            self.player_of[tool] = player;
            let before = std::mem::replace(&mut self.tool_of[usize::from(player)], tool as u8);
            if before == NONE {
                break;
            }
            tool = usize::from(before);
        }
    }

    /// Goes on from a player to all tools.
    fn relax(
        &self,
        (player, so_far): (usize, i64),
        far: &mut [i64; TOOLS_MAX],
        by: &mut [u8; TOOLS_MAX],
    ) {
        let prices = &self.prices[player * self.tools..][..self.tools];
        for (tool, price) in prices.iter().enumerate() {
            let there = so_far + price + self.from_player[player] - self.from_tool[tool];
            if there < far[tool] {
                far[tool] = there;
                by[tool] = player as u8;
            }
        }
    }
}
