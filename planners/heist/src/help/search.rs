//! The search over deeds and times: a game for each choice of them.

use super::branch::Branches;
use super::{Aim, Help, Moment, Question};
use crate::game::{Deed, Ending, Game, Intervention, Target};
use crate::museum::Thing;
use crate::watch::Watch;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

/// Most memory that games to be looked at may take, in bytes, near enough.
const KEPT_MAX_BYTES: usize = 256 << 20;

/// Which game is looked at next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The one for which least was paid, then the first one found.
    Cheapest,
    /// The one whose burglar came farthest before its last deed, then the one with the latest deed.
    Farthest,
}

/// A game up to a tick, and deeds before that tick that are still to be done in it.
struct Node<'a> {
    /// The least is looked at next; serial numbers are the last of it.
    order: Reverse<(u32, u32, u64)>,
    /// What has been paid.
    cost: u32,
    game: Rc<Game<'a>>,
    /// All deeds. Those of the tick of `game` are not done yet.
    deeds: Vec<Intervention>,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}
impl Eq for Node<'_> {}
impl PartialOrd for Node<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Node<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

/// A game that was not played to its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stopped;

/// What is still to be looked at.
pub(super) struct Search<'a> {
    question: Question,
    order: Order,
    open: BinaryHeap<Node<'a>>,
    /// Deeds of the nodes kept, sorted: those of one tick may be found in any order.
    seen: BTreeSet<Vec<Intervention>>,
    games: u64,
    serial: u64,
    /// Most nodes in memory.
    kept_max: usize,
    /// How many of the first deeds of each node were decided before.
    pending: usize,
}

impl<'a> Search<'a> {
    /// A search from this moment of a game.
    pub(super) fn new(moment: Moment<'_, 'a>, question: &Question, order: Order) -> Self {
        let Moment { game, pending } = moment;
        let tick = game.now();
        let pending = pending
            .iter()
            .map(|deed| Intervention { tick, deed: *deed });
        let mut search = Self {
            question: *question,
            order,
            open: BinaryHeap::new(),
            seen: BTreeSet::new(),
            games: 0,
            serial: 0,
            kept_max: KEPT_MAX_BYTES / bytes(game),
            pending: pending.len(),
        };
        search.keep(Node {
            order: Reverse((0, 0, 0)),
            cost: 0,
            game: Rc::new(game.clone()),
            deeds: pending.collect(),
        });
        search
    }

    /// What has been paid in the game that is looked at next. `None`: there is none.
    pub(super) fn next_cost(&self) -> Option<u32> {
        self.open.peek().map(|node| node.cost)
    }

    /// Whether more games may be looked at and kept.
    pub(super) fn has_room(&self) -> bool {
        self.games < self.question.games_max && self.seen.len() < self.kept_max
    }

    fn keep(&mut self, node: Node<'a>) {
        let mut deeds = node.deeds.clone();
        deeds.sort_unstable();
        if self.seen.insert(deeds) {
            self.open.push(node);
        }
    }

    /// Looks at the next game: plays it to its end without more deeds. If it does not end as asked, keeps what more could be done on the way.
    pub(super) fn look(&mut self, watch: &mut dyn Watch) -> Result<Option<Help>, Stopped> {
        let Some(Node {
            cost, game, deeds, ..
        }) = self.open.pop()
        else {
            return Ok(None);
        };
        self.games += 1;
        let mut game = Rc::unwrap_or_clone(game);
        let due = deeds.iter().filter(|it| it.tick == game.now());
        let mut now: Vec<Deed> = due.map(|it| it.deed).collect();
        let mut branches = Vec::new();
        while game.ending().is_none() {
            let is_full = self.seen.len() + branches.len() >= self.kept_max;
            if is_full || !watch.go_on() {
                return Err(Stopped);
            }
            let before = Rc::new(game.clone());
            game.step_while(&now, watch).ok_or(Stopped)?;
            let found = Branches::of(&before, &game, self.question.aim).found;
            let new = found.into_iter().filter(|deed| !turned(&now, *deed));
            branches.extend(new.map(|deed| (Rc::clone(&before), deed)));
            now.clear();
        }
        if let Some(ending) = game.ending().filter(|it| self.question.aim.is_met(*it)) {
            return Ok(Some(Help {
                interventions: deeds[self.pending..].to_vec(),
                cost,
                ending,
            }));
        }
        self.branch((cost, &deeds), game.now(), branches);
        Ok(None)
    }

    /// Keeps games that went otherwise than one which lasted for so many ticks.
    fn branch(
        &mut self,
        (cost, deeds): (u32, &[Intervention]),
        lasted: u32,
        branches: Vec<(Rc<Game<'a>>, Deed)>,
    ) {
        for (game, deed) in branches {
            let cost = cost.saturating_add(deed.cost(game.rules().costs));
            if cost > self.question.cost_max {
                continue;
            }
            let tick = game.now();
            let mut deeds = deeds.to_vec();
            deeds.push(Intervention { tick, deed });
            self.serial += 1;
            let (first, second) = match self.order {
                Order::Cheapest => (cost, 0),
                Order::Farthest => (u32::MAX - lasted, u32::MAX - tick),
            };
            self.keep(Node {
                order: Reverse((first, second, self.serial)),
                cost,
                game,
                deeds,
            });
        }
    }
}

impl Aim {
    /// Whether a game ended as asked.
    #[must_use]
    pub fn is_met(self, ending: Ending) -> bool {
        match self {
            Self::Win => ending == Ending::Won,
            Self::Capture => matches!(ending, Ending::Caught { .. }),
        }
    }
}

/// Memory that a game takes, near enough.
fn bytes(game: &Game<'_>) -> usize {
    let layout = game.world().museum().layout();
    let leaves = 2 * (layout.doors.len() + layout.containers.len());
    let items = 16 * (layout.keys + layout.artifacts);
    let agents = game.minds().len();
    1_000 + (1 + agents) * (leaves + items + layout.cameras.len() + 16 * agents)
}

/// Whether the target of a deed is changed in this tick already. Vending machines can be triggered again and again.
fn turned(now: &[Deed], deed: Deed) -> bool {
    let again = matches!(deed.target, Target::Thing(Thing::Machine(_)));
    !again && now.iter().any(|it| it.target == deed.target)
}
