//! The search over deeds and times: a game for each choice of them.

use super::branch::Branches;
use super::{Aim, Help, Moment, Question};
use crate::game::{Deed, Ending, Game, Intervention, Target};
use crate::museum::Thing;
use crate::watch::Watch;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// Most memory that games to be looked at may take, in bytes, near enough.
const KEPT_MAX_BYTES: usize = 256 << 20;
/// Ticks between two retained snapshots of a game, unless agents plan in between: games are
/// replayed from one to the next.
const TICKS_BETWEEN: u32 = 8;
/// Branches that are kept between two looks at the stop signal.
const BRANCHES_BETWEEN: usize = 1_024;

/// Which game is looked at next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The one for which least was paid, then the first one found.
    Cheapest,
    /// The one whose burglar came farthest before its last deed, then the one with the latest deed.
    Farthest,
}

/// A game with some deeds that is to be looked at.
struct Node<'a> {
    /// The least is looked at next; serial numbers are the last of it.
    order: Reverse<(u32, u32, u64)>,
    /// What has been paid.
    cost: u32,
    /// The game before the tick of the last deed or a few ticks earlier. What is done from that
    /// tick on is not done in it yet.
    game: Rc<Game<'a>>,
    /// The last of the deeds, if there is one.
    last: Option<u32>,
}

/// A deed, after others.
#[derive(Debug, Clone, Copy)]
struct Step {
    before: Option<u32>,
    it: Intervention,
}

/// A deed found in a game that was looked at.
struct Branch<'a> {
    game: Rc<Game<'a>>,
    it: Intervention,
}

/// Some deeds of one tick, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    /// None, after this deed of an earlier tick.
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

/// What is still to be looked at.
///
/// All nodes lie in few allocations, except for a few games: dropping a search must not take longer
/// than its callers wait.
pub(super) struct Search<'a> {
    question: Question,
    order: Order,
    open: BinaryHeap<Node<'a>>,
    /// The deeds of all nodes that were kept, each after one of those before it.
    steps: Vec<Step>,
    /// Several deeds of one tick may be found in any order: their sets, by the set without the last
    /// one.
    sets: BTreeMap<(Set, Deed), u32>,
    /// For each set whether a node with it was kept.
    is_kept: Vec<bool>,
    games: u64,
    /// Nodes that were kept, the first apart.
    kept: usize,
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
        let mut search = Self {
            question: *question,
            order,
            open: BinaryHeap::new(),
            steps: Vec::new(),
            sets: BTreeMap::new(),
            is_kept: Vec::new(),
            games: 0,
            kept: 0,
            kept_max: KEPT_MAX_BYTES / bytes(game),
            pending: pending.len(),
        };
        let mut last = None;
        for &deed in pending {
            let it = Intervention { tick, deed };
            last = Some(search.step(last, it));
        }
        search.open.push(Node {
            order: Reverse((0, 0, 0)),
            cost: 0,
            game: Rc::new(game.clone()),
            last,
        });
        search
    }

    /// What has been paid in the game that is looked at next. `None`: there is none.
    pub(super) fn next_cost(&self) -> Option<u32> {
        self.open.peek().map(|node| node.cost)
    }

    /// Whether more games may be looked at and kept.
    pub(super) fn has_room(&self) -> bool {
        self.games < self.question.games_max && self.kept + 1 < self.kept_max
    }

    fn step(&mut self, before: Option<u32>, it: Intervention) -> u32 {
        self.steps.push(Step { before, it });
        // Fits: far fewer than KEPT_MAX_BYTES.
        self.steps.len() as u32 - 1
    }

    /// Deeds from the first to this one.
    fn path(&self, last: Option<u32>) -> Vec<Intervention> {
        let mut path = Vec::new();
        let mut at = last;
        while let Some(step) = at {
            let Step { before, it } = self.steps[step as usize];
            path.push(it);
            at = before;
        }
        path.reverse();
        path
    }

    /// Whether a deed after others makes a choice of deeds that was not kept before: those of one
    /// tick may be found in any order.
    fn is_new(&mut self, last: Option<u32>, it: Intervention) -> bool {
        let mut together = vec![it.deed];
        let mut before = last;
        while let Some(step) = before.map(|step| self.steps[step as usize]) {
            if step.it.tick != it.tick {
                break;
            }
            together.push(step.it.deed);
            before = step.before;
        }
        // Alone in its tick it comes after deeds that are kept once.
        if together.len() == 1 {
            return true;
        }
        together.sort_unstable();
        let mut set = Set::After(before);
        let mut number = 0;
        for deed in together {
            // Fits: as before.
            let fresh = self.is_kept.len() as u32;
            number = *self.sets.entry((set, deed)).or_insert(fresh);
            if number == fresh {
                self.is_kept.push(false);
            }
            set = Set::Number(number);
        }
        !std::mem::replace(&mut self.is_kept[number as usize], true)
    }

    /// Takes the next game and plays it to its end without more deeds. If it does not end as asked,
    /// retains the further deeds that are possible on its course.
    pub(super) fn look(&mut self, watch: &mut dyn Watch) -> Result<Option<Help>, Stopped> {
        let Some(Node {
            cost, game, last, ..
        }) = self.open.pop()
        else {
            return Ok(None);
        };
        self.games += 1;
        let deeds = self.path(last);
        let mut game = Rc::unwrap_or_clone(game);
        let from = deeds.last().map_or(game.now(), |it| it.tick);
        let mut kept: Option<Rc<Game<'a>>> = None;
        let mut branches = Vec::new();
        while game.ending().is_none() {
            let is_full = self.kept + 1 + branches.len() >= self.kept_max;
            if is_full || !watch.go_on() {
                return Err(Stopped);
            }
            let due = deeds.iter().filter(|it| it.tick == game.now());
            let now: Vec<Deed> = due.map(|it| it.deed).collect();
            if game.now() < from {
                game.step_while(&now, watch).ok_or(Stopped)?;
                continue;
            }
            let before = game.clone();
            game.step_while(&now, watch).ok_or(Stopped)?;
            let found = Branches::of(&before, &game, self.question.aim).found;
            let new = found.into_iter().filter(|deed| !turned(&now, *deed));
            let new: Vec<Deed> = new.collect();
            let tick = before.now();
            if !new.is_empty() {
                let near = kept.take().filter(|it| tick - it.now() < TICKS_BETWEEN);
                let near = near.unwrap_or_else(|| Rc::new(before.without_events()));
                branches.extend(new.into_iter().map(|deed| Branch {
                    game: Rc::clone(&near),
                    it: Intervention { tick, deed },
                }));
                kept = Some(near);
            }
            // Plans take long: they are not made again.
            let plans = game.events().iter().any(|it| it.replanned.is_some());
            kept = kept.filter(|_| !plans);
        }
        if let Some(ending) = game.ending().filter(|it| self.question.aim.is_met(*it)) {
            return Ok(Some(Help {
                interventions: deeds[self.pending..].to_vec(),
                cost,
                ending,
            }));
        }
        self.branch((cost, last), (game.now(), branches), watch)?;
        Ok(None)
    }

    /// Keeps games that went otherwise than one which lasted for so many ticks.
    fn branch(
        &mut self,
        (cost, last): (u32, Option<u32>),
        (lasted, branches): (u32, Vec<Branch<'a>>),
        watch: &mut dyn Watch,
    ) -> Result<(), Stopped> {
        for (index, Branch { game, it }) in branches.into_iter().enumerate() {
            if index % BRANCHES_BETWEEN == BRANCHES_BETWEEN - 1 && !watch.go_on() {
                return Err(Stopped);
            }
            let cost = cost.saturating_add(it.deed.cost(game.rules().costs));
            if cost > self.question.cost_max || !self.is_new(last, it) {
                continue;
            }
            let (first, second) = match self.order {
                Order::Cheapest => (cost, 0),
                Order::Farthest => (u32::MAX - lasted, u32::MAX - it.tick),
            };
            self.kept += 1;
            let last = Some(self.step(last, it));
            self.open.push(Node {
                order: Reverse((first, second, self.kept as u64)),
                cost,
                game,
                last,
            });
        }
        Ok(())
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

/// Whether the target of a deed is changed in this tick already. Vending machines can be triggered
/// again and again.
fn turned(now: &[Deed], deed: Deed) -> bool {
    let again = matches!(deed.target, Target::Thing(Thing::Machine(_)));
    !again && now.iter().any(|it| it.target == deed.target)
}
