//! Uniform-cost search over interventions: a node is a game with a set of them.

use super::relevant::RelevantActions;
use super::{Aim, Help, HelpRequest, Moment};
use crate::budget::Budget;
use crate::game::{Ending, Game, Intervention, PlayerAction, Target};
use crate::museum::Thing;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// Approximate maximal memory of open nodes, in bytes.
const NODES_MAX_BYTES: usize = 256 << 20;
/// Ticks between two retained snapshots of a game, unless agents plan in between: games are
/// replayed from one to the next.
const TICKS_BETWEEN: u32 = 8;
/// Branches added between two checks of the budget.
const BRANCHES_BETWEEN: usize = 1_024;

/// The order of expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Lowest cost first, then the first one found: uniform-cost search.
    Cheapest,
    /// The game that lasted longest first, then the one with the latest intervention.
    Farthest,
}

/// An open node: a game with some interventions.
struct Node<'a> {
    /// The smallest is expanded next; the last component is a serial number.
    order: Reverse<(u32, u32, u64)>,
    /// Cost so far.
    cost: u32,
    /// A snapshot of the game before the tick of the last intervention, or a few ticks earlier.
    /// Interventions from its tick on are not applied in it yet.
    game: Rc<Game<'a>>,
    /// The last intervention, if there is one.
    last: Option<u32>,
}

/// A linked list of interventions.
#[derive(Debug, Clone, Copy)]
struct Link {
    before: Option<u32>,
    it: Intervention,
}

/// A further intervention found by an expansion.
struct Branch<'a> {
    game: Rc<Game<'a>>,
    it: Intervention,
}

/// Some interventions of one tick, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ActionSet {
    /// None, after this intervention of an earlier tick.
    After(Option<u32>),
    /// The set with this number.
    Number(u32),
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

/// The search: open nodes, and the interventions of all nodes.
///
/// All nodes lie in few allocations, except for a few games: dropping a search must not take longer
/// than its callers wait.
pub(super) struct HelpSearch<'a> {
    request: HelpRequest,
    order: Order,
    open: BinaryHeap<Node<'a>>,
    /// The interventions of all nodes, each linked to its predecessor.
    links: Vec<Link>,
    /// Several interventions of one tick may be found in any order: their sets, by the set without
    /// the last one.
    sets: BTreeMap<(ActionSet, PlayerAction), u32>,
    /// For each set whether a node has it.
    is_listed: Vec<bool>,
    games: u64,
    /// Number of nodes, without the first.
    nodes: usize,
    /// Most nodes in memory.
    nodes_max: usize,
    /// Number of the first interventions of each node that were pending.
    pending: usize,
}

impl<'a> HelpSearch<'a> {
    /// A search from this moment of a game.
    pub(super) fn new(moment: Moment<'_, 'a>, request: &HelpRequest, order: Order) -> Self {
        let Moment { game, pending } = moment;
        let tick = game.now();
        let mut search = Self {
            request: *request,
            order,
            open: BinaryHeap::new(),
            links: Vec::new(),
            sets: BTreeMap::new(),
            is_listed: Vec::new(),
            games: 0,
            nodes: 0,
            nodes_max: NODES_MAX_BYTES / game_bytes(game),
            pending: pending.len(),
        };
        let mut last = None;
        for &player_action in pending {
            let it = Intervention {
                tick,
                player_action,
            };
            last = Some(search.link(last, it));
        }
        search.open.push(Node {
            order: Reverse((0, 0, 0)),
            cost: 0,
            game: Rc::new(game.clone()),
            last,
        });
        search
    }

    /// Cost of the node that is expanded next. `None`: there is none.
    pub(super) fn next_cost(&self) -> Option<u32> {
        self.open.peek().map(|node| node.cost)
    }

    /// Whether more nodes may be expanded and added.
    pub(super) fn has_room(&self) -> bool {
        self.games < self.request.games_max && self.nodes + 1 < self.nodes_max
    }

    fn link(&mut self, before: Option<u32>, it: Intervention) -> u32 {
        self.links.push(Link { before, it });
        // Fits: far fewer than NODES_MAX_BYTES.
        self.links.len() as u32 - 1
    }

    /// Interventions from the first to this one.
    fn interventions_to(&self, last: Option<u32>) -> Vec<Intervention> {
        let mut interventions_to = Vec::new();
        let mut at = last;
        while let Some(link) = at {
            let Link { before, it } = self.links[link as usize];
            interventions_to.push(it);
            at = before;
        }
        interventions_to.reverse();
        interventions_to
    }

    /// Whether the set of interventions is new: those of one tick may be found in any order.
    fn is_new(&mut self, last: Option<u32>, it: Intervention) -> bool {
        let mut same_tick = vec![it.player_action];
        let mut before = last;
        while let Some(link) = before.map(|link| self.links[link as usize]) {
            if link.it.tick != it.tick {
                break;
            }
            same_tick.push(link.it.player_action);
            before = link.before;
        }
        // The only one of its tick follows a set that is new itself.
        if same_tick.len() == 1 {
            return true;
        }
        same_tick.sort_unstable();
        let mut set = ActionSet::After(before);
        let mut number = 0;
        for player_action in same_tick {
            // Fits: as before.
            let fresh = self.is_listed.len() as u32;
            number = *self.sets.entry((set, player_action)).or_insert(fresh);
            if number == fresh {
                self.is_listed.push(false);
            }
            set = ActionSet::Number(number);
        }
        !std::mem::replace(&mut self.is_listed[number as usize], true)
    }

    /// Expands the next node: simulates the game to its end without further interventions. Unless
    /// it ends as wanted, adds a node for each relevant intervention on its course.
    pub(super) fn expand(&mut self, budget: &mut dyn Budget) -> Result<Option<Help>, Stopped> {
        let Some(Node {
            cost, game, last, ..
        }) = self.open.pop()
        else {
            return Ok(None);
        };
        self.games += 1;
        let player_actions = self.interventions_to(last);
        let mut game = Rc::unwrap_or_clone(game);
        let from = player_actions.last().map_or(game.now(), |it| it.tick);
        let mut kept: Option<Rc<Game<'a>>> = None;
        let mut branches = Vec::new();
        while game.ending().is_none() {
            let is_full = self.nodes + 1 + branches.len() >= self.nodes_max;
            if is_full || !budget.go_on() {
                return Err(Stopped);
            }
            let due = player_actions.iter().filter(|it| it.tick == game.now());
            let now: Vec<PlayerAction> = due.map(|it| it.player_action).collect();
            if game.now() < from {
                game.step_until(&now, budget).ok_or(Stopped)?;
                continue;
            }
            let before = game.clone();
            game.step_until(&now, budget).ok_or(Stopped)?;
            let found = RelevantActions::between(&before, &game, self.request.aim).found;
            let new = found
                .into_iter()
                .filter(|player_action| !is_changed_again(&now, *player_action));
            let new: Vec<PlayerAction> = new.collect();
            let tick = before.now();
            if !new.is_empty() {
                let near = kept.take().filter(|it| tick - it.now() < TICKS_BETWEEN);
                let near = near.unwrap_or_else(|| Rc::new(before.without_events()));
                branches.extend(new.into_iter().map(|player_action| Branch {
                    game: Rc::clone(&near),
                    it: Intervention {
                        tick,
                        player_action,
                    },
                }));
                kept = Some(near);
            }
            // Planning takes long: snapshots are taken after it.
            let plans = game.events().iter().any(|it| it.replanned.is_some());
            kept = kept.filter(|_| !plans);
        }
        if let Some(ending) = game.ending().filter(|it| self.request.aim.is_met(*it)) {
            return Ok(Some(Help {
                interventions: player_actions[self.pending..].to_vec(),
                cost,
                ending,
            }));
        }
        self.add_branches(cost, last, game.now(), branches, budget)?;
        Ok(None)
    }

    /// Adds the branches of a game that lasted for `lasted` ticks.
    fn add_branches(
        &mut self,
        cost: u32,
        last: Option<u32>,
        lasted: u32,
        branches: Vec<Branch<'a>>,
        budget: &mut dyn Budget,
    ) -> Result<(), Stopped> {
        for (index, Branch { game, it }) in branches.into_iter().enumerate() {
            if index % BRANCHES_BETWEEN == BRANCHES_BETWEEN - 1 && !budget.go_on() {
                return Err(Stopped);
            }
            let cost = cost.saturating_add(it.player_action.cost(game.rules().costs));
            if cost > self.request.cost_max || !self.is_new(last, it) {
                continue;
            }
            let (first, second) = match self.order {
                Order::Cheapest => (cost, 0),
                Order::Farthest => (u32::MAX - lasted, u32::MAX - it.tick),
            };
            self.nodes += 1;
            let last = Some(self.link(last, it));
            self.open.push(Node {
                order: Reverse((first, second, self.nodes as u64)),
                cost,
                game,
                last,
            });
        }
        Ok(())
    }
}

impl Aim {
    /// Whether a game ended as wanted.
    #[must_use]
    pub(crate) fn is_met(self, ending: Ending) -> bool {
        match self {
            Self::Win => ending == Ending::Won,
            Self::Capture => matches!(ending, Ending::Caught { .. }),
        }
    }
}

/// Approximate memory of a game.
fn game_bytes(game: &Game<'_>) -> usize {
    let layout = game.world().museum().layout();
    let states = 2 * (layout.doors.len() + layout.containers.len());
    let items = 16 * (layout.keys + layout.artifacts);
    let agents = game.minds().len();
    1_000 + (1 + agents) * (states + items + layout.cameras.len() + 16 * agents)
}

/// Whether the target of an intervention is changed in this tick already. Vending machines can be
/// triggered again and again.
fn is_changed_again(now: &[PlayerAction], player_action: PlayerAction) -> bool {
    let again = matches!(player_action.target, Target::Thing(Thing::Machine(_)));
    !again && now.iter().any(|it| it.target == player_action.target)
}
