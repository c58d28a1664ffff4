//! Dynamic controllability by playing every game there is, in whole microseconds. Shares nothing
//! with the code under test.
//!
//! At each instant Nature says first, of each open link, whether it ends now; then we let
//! events happen; if they start links that may end at once, Nature is asked about those; and so on
//! until we do nothing.

use std::collections::BTreeMap;
use stn::uncertain::Stnu;

const NOT_YET: i64 = -1;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    now: i64,
    happened: Vec<i64>,
    /// Links about which Nature was asked at this instant, as bits.
    asked: u32,
}

/// Whether we win from event 0 on, which happens at 0. Events of ours must have an upper bound
/// after event 0.
pub(crate) fn we_win(network: &Stnu) -> bool {
    let mut happened = vec![NOT_YET; network.events()];
    happened[0] = 0;
    let start = Position {
        now: 0,
        happened,
        asked: 0,
    };
    Game {
        network,
        known: BTreeMap::new(),
    }
    .nature_moves(start)
}

struct Game<'a> {
    network: &'a Stnu,
    known: BTreeMap<Position, bool>,
}

impl Game<'_> {
    fn nature_moves(&mut self, position: Position) -> bool {
        if self.is_lost(&position) {
            return false;
        }
        if !position.happened.contains(&NOT_YET) {
            return true;
        }
        if let Some(known) = self.known.get(&position) {
            return *known;
        }
        let won = match self.question(&position) {
            None => self.we_move(&position),
            Some(index) => {
                let link = self.network.contingents()[index];
                let lasted = position.now - position.happened[link.from as usize];
                let mut asked = position.clone();
                asked.asked |= 1 << index;
                let mut ended = asked.clone();
                ended.happened[link.to as usize] = position.now;
                let ending = lasted < link.lower || self.nature_moves(ended);
                let going_on = lasted == link.upper || self.nature_moves(asked);
                ending && going_on
            }
        };
        self.known.insert(position, won);
        won
    }

    /// The first open link about which Nature was not asked now.
    fn question(&self, position: &Position) -> Option<usize> {
        let links = self.network.contingents().iter().enumerate();
        let mut open = links.filter(|(index, link)| {
            position.asked & (1 << index) == 0
                && position.happened[link.from as usize] != NOT_YET
                && position.happened[link.to as usize] == NOT_YET
        });
        open.next().map(|(index, _)| index)
    }

    fn we_move(&mut self, position: &Position) -> bool {
        let ours: Vec<usize> = (0..self.network.events())
            .filter(|event| self.network.ending_at(*event).is_none())
            .filter(|event| position.happened[*event] == NOT_YET)
            .collect();
        for choice in 1_u32..1 << ours.len() {
            let mut next = position.clone();
            for (bit, event) in ours.iter().enumerate() {
                if choice & (1 << bit) != 0 {
                    next.happened[*event] = position.now;
                }
            }
            if self.nature_moves(next) {
                return true;
            }
        }
        let mut later = position.clone();
        later.now += 1;
        later.asked = 0;
        self.nature_moves(later)
    }

    /// Whether a requirement is broken already, or will be by an event that can no longer come
    /// in time.
    fn is_lost(&self, position: &Position) -> bool {
        self.network.requirements().iter().any(|edge| {
            let from = position.happened[edge.from as usize];
            let to = position.happened[edge.to as usize];
            let to = if to == NOT_YET { position.now } else { to };
            from != NOT_YET && to > from + edge.weight
        })
    }
}
