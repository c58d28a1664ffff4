//! What the player can do about a game: the cheapest help, the cheapest harm, and hints.
//!
//! # Method
//! An exact search over deeds and times, cheapest first, with the game itself as the judge. It is finite because deeds can be put off: what
//! state a door or container is in matters only when somebody handles it, or sees it, so that it is changed just before that tick and not
//! before. The same goes for cameras, which matter when the burglar is in their room at the end of a tick. Only vending machines have
//! to be tried at every tick when somebody is in their room.

mod branch;
mod hint;

pub use hint::{GRADES, Hint, hint};

use crate::game::{Deed, Ending, Game, Intervention, Rules, Target};
use crate::museum::Thing;
use crate::world::World;
use branch::Branches;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// How the game is to end.
    pub aim: Aim,
    /// Most that the player is to pay.
    pub cost_max: u32,
    /// Most games that are looked at.
    pub games_max: u64,
}

/// How a game is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The burglar wins: what the player is there for.
    Win,
    /// The burglar is caught: what the player can spoil.
    Capture,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The cheapest deeds, by proof.
    Found(Help),
    /// Nothing that the player can do for the price allowed is enough, by proof.
    Nothing,
    /// The search was stopped. Whatever is enough costs at least this much.
    Unknown {
        /// In units of [`crate::game::Costs`].
        cost_min: u32,
    },
}

/// Deeds that are enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// In order of time; each at the last moment at which it is of use. Empty: nothing has to be done.
    pub interventions: Vec<Intervention>,
    /// What they cost together.
    pub cost: u32,
    /// How the game ends.
    pub ending: Ending,
}

/// The cheapest deeds after which a game ends as asked. `go` is asked before each game that is looked at.
pub fn help(
    world: &World,
    rules: Rules,
    question: &Question,
    go: &mut dyn FnMut() -> bool,
) -> Answer {
    help_in(&Game::new(world, rules), question, go)
}

/// The same from the middle of a game.
pub fn help_in(game: &Game<'_>, question: &Question, go: &mut dyn FnMut() -> bool) -> Answer {
    let mut search = Search {
        question: *question,
        open: BinaryHeap::new(),
        seen: BTreeSet::new(),
        games: 0,
        serial: 0,
    };
    search.keep(Node {
        order: Reverse((0, 0)),
        game: Rc::new(game.clone()),
        deeds: Vec::new(),
    });
    while let Some(node) = search.open.pop() {
        let cost_min = node.order.0.0;
        if search.games >= question.games_max || !go() {
            return Answer::Unknown { cost_min };
        }
        search.games += 1;
        if let Some(help) = search.play_on(node) {
            return Answer::Found(help);
        }
    }
    Answer::Nothing
}

/// A game up to a tick, and deeds before that tick that are still to be done in it.
struct Node<'a> {
    /// What has been paid, then a serial number: cheapest first, then in order of discovery.
    order: Reverse<(u32, u64)>,
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

struct Search<'a> {
    question: Question,
    open: BinaryHeap<Node<'a>>,
    /// Deeds of the nodes kept, sorted: those of one tick may be found in any order.
    seen: BTreeSet<Vec<Intervention>>,
    games: u64,
    serial: u64,
}

impl<'a> Search<'a> {
    fn keep(&mut self, node: Node<'a>) {
        let mut deeds = node.deeds.clone();
        deeds.sort_unstable();
        if self.seen.insert(deeds) {
            self.open.push(node);
        }
    }

    /// Plays a game to its end without more deeds. If it does not end as asked, keeps what more could be done on the way.
    fn play_on(&mut self, node: Node<'a>) -> Option<Help> {
        let Node { order, game, deeds } = node;
        let cost = order.0.0;
        let mut game = Rc::unwrap_or_clone(game);
        let mut now: Vec<Deed> = Vec::new();
        now.extend(
            deeds
                .iter()
                .filter(|it| it.tick == game.now())
                .map(|it| it.deed),
        );
        let mut branches = Vec::new();
        while game.ending().is_none() {
            let before = Rc::new(game.clone());
            game.step(&now);
            let found = Branches::of(&before, &game, self.question.aim).found;
            let new = found.into_iter().filter(|deed| !turned(&now, *deed));
            branches.extend(new.map(|deed| (Rc::clone(&before), deed)));
            now.clear();
        }
        let ending = game.ending()?;
        let met = match self.question.aim {
            Aim::Win => ending == Ending::Won,
            Aim::Capture => matches!(ending, Ending::Caught { .. }),
        };
        if met {
            return Some(Help {
                interventions: deeds,
                cost,
                ending,
            });
        }
        for (before, deed) in branches {
            let cost = cost.saturating_add(deed.cost(game.rules().costs));
            if cost > self.question.cost_max {
                continue;
            }
            let tick = before.now();
            let mut deeds = deeds.clone();
            deeds.push(Intervention { tick, deed });
            self.serial += 1;
            self.keep(Node {
                order: Reverse((cost, self.serial)),
                game: before,
                deeds,
            });
        }
        None
    }
}

/// Whether the target of a deed is changed in this tick already. Vending machines can be triggered again and again.
fn turned(now: &[Deed], deed: Deed) -> bool {
    let again = matches!(deed.target, Target::Thing(Thing::Machine(_)));
    !again && now.iter().any(|it| it.target == deed.target)
}
