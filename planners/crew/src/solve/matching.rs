//! Players and tools, matched.

use crate::problem::{PLAYERS_MAX, TOOLS_MAX};

/// Nobody, nothing.
const NONE: u8 = u8::MAX;

/// A matching as large as it can be while pairs are added.
///
/// Retains what can be reached from unmatched players by alternating paths, so that all pairs
/// between two augmentations are processed in one search.
#[derive(Debug)]
pub(crate) struct Matching {
    /// For each player the tools that it may take, as bits.
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
    /// An empty matching of this number of players.
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

    /// Follows alternating paths from these players on; at a free tool, the matching grows.
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
