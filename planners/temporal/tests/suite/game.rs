//! The game itself, with all runs enumerated on whole microseconds: the definition of strong
//! controllability, with no reduction, range or equation.
//!
//! Our events happen as scheduled. At every moment teammates may let events of theirs happen, one
//! after the other, or let time pass. One may happen when everything that precedes it has happened
//! and the closed bounds to all that they saw are satisfied; time may not pass beyond what these
//! bounds leave to any. They see what happened, but when an event of theirs precedes one of ours at
//! the same moment, they decide about it before they see ours, and not again at that moment. We win
//! when every play ends with all bounds satisfied and no teammate is ever stuck.

use temporal::Network;
use temporal::problem::{Micros, Node, Owner};

/// No bound.
const NONE: Micros = Micros::MAX / 8;

/// A network made ready for play.
pub(crate) struct Game<'a> {
    network: &'a Network,
    nodes: usize,
    most: Vec<Vec<Micros>>,
}

/// When what happened happened.
type State = Vec<Option<Micros>>;

impl<'a> Game<'a> {
    /// `None`: the network is inconsistent.
    pub(crate) fn new(network: &'a Network) -> Option<Self> {
        let nodes = network.nodes();
        let mut most = vec![vec![NONE; nodes]; nodes];
        for bound in network.bounds() {
            let cell = &mut most[bound.from][bound.to];
            *cell = (*cell).min(bound.weight_us);
        }
        for (node, row) in most.iter_mut().enumerate() {
            row[node] = row[node].min(0);
        }
        for via in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    most[from][to] = most[from][to].min(most[from][via] + most[via][to]);
                }
            }
        }
        let fine = (0..nodes).all(|node| most[node][node] == 0);
        fine.then_some(Self {
            network,
            nodes,
            most,
        })
    }

    /// Earliest and latest time of a node.
    pub(crate) fn window(&self, node: Node) -> (Micros, Micros) {
        (-self.most[node][0], self.most[0][node])
    }

    fn is_theirs(&self, node: Node) -> bool {
        self.network.owner(node) == Some(Owner::Uncontrollable)
    }

    fn precedes(&self, one: Node, other: Node) -> bool {
        if one == 0 || other == 0 {
            return one == 0;
        }
        match (self.most[one][other], self.most[other][one]) {
            (0, 0) if self.is_theirs(one) == self.is_theirs(other) => one < other,
            (0, 0) => !self.is_theirs(one),
            (_, back) => back <= 0,
        }
    }

    /// Whether our times win.
    pub(crate) fn is_won(&self, ours: &[Option<Micros>]) -> bool {
        let windows = (0..self.nodes).map(|node| self.window(node));
        let ends = windows.flat_map(|(first, last)| [first, last]);
        let times = || ours.iter().flatten().copied().chain(ends.clone());
        let play = Play {
            game: self,
            ours,
            last: times().max().unwrap_or(0),
        };
        let mut state: State = vec![None; self.nodes];
        play.moment(times().min().unwrap_or(0), &mut state)
    }

    /// The bounds that an event of theirs must keep now.
    fn may(&self, now: Micros, node: Node, state: &State) -> bool {
        (0..self.nodes).filter(|other| *other != node).all(|other| {
            let apart = state[other].map(|at| now - at);
            let late = apart.is_some_and(|apart| apart > self.most[other][node]);
            if self.precedes(other, node) {
                !late && apart.is_some_and(|apart| -self.most[node][other] <= apart)
            } else {
                self.precedes(node, other) || !late
            }
        })
    }

    /// Whether `node` has to happen now or earlier.
    fn is_overdue(&self, now: Micros, node: Node, state: &State) -> bool {
        state[node].is_none()
            && self.is_theirs(node)
            && (0..self.nodes).filter(|other| *other != node).any(|other| {
                !self.precedes(node, other)
                    && state[other].is_some_and(|at| at + self.most[other][node] <= now)
            })
    }

    fn kept(&self, state: &State) -> bool {
        let at = |node: Node| state[node].expect("everything has happened");
        let mut bounds = self.network.bounds();
        bounds.all(|bound| at(bound.to) - at(bound.from) <= bound.weight_us)
    }
}

/// All plays for one schedule.
struct Play<'a> {
    game: &'a Game<'a>,
    ours: &'a [Option<Micros>],
    last: Micros,
}

impl Play<'_> {
    /// A new moment. Whether we win all plays from here.
    fn moment(&self, now: Micros, state: &mut State) -> bool {
        if now > self.last {
            return state.iter().all(Option::is_some) && self.game.kept(state);
        }
        self.act(now, state).0
    }

    /// The next of our events at this moment: none that an open one precedes.
    fn next(&self, now: Micros, state: &State) -> Option<Node> {
        let open = |node: &Node| self.ours[*node] == Some(now) && state[*node].is_none();
        let nodes = 0..self.game.nodes;
        let first = |node: &Node| {
            let mut others = nodes.clone().filter(open);
            others.all(|other| other == *node || !self.game.precedes(other, *node))
        };
        nodes.clone().filter(open).find(first)
    }

    /// All that can happen now: whether we win all plays, and whether there is one at all.
    fn act(&self, now: Micros, state: &mut State) -> (bool, bool) {
        let (game, nodes) = (self.game, 0..self.game.nodes);
        let next = self.next(now, state);
        // Before they see `next`, they decide about what precedes it; before time passes, about
        // all.
        let decided = |node: &Node| next.is_none_or(|next| game.precedes(*node, next));
        let overdue = |node: Node| game.is_overdue(now, node, state);
        let (mut won, mut open) = (true, false);
        if !nodes.clone().filter(decided).any(overdue) {
            open = true;
            won = match next {
                None => self.moment(now + 1, &mut state.clone()),
                Some(next) => {
                    let left = |node: Node| state[node].is_none() && game.is_theirs(node);
                    let mut after = state.clone();
                    after[next] = Some(now);
                    // What precedes it and did not happen can only come too late.
                    !nodes.clone().filter(decided).any(left) && self.act(now, &mut after).0
                }
            };
        }
        for node in nodes {
            let left = state[node].is_none() && game.is_theirs(node);
            if won && left && game.may(now, node, state) {
                state[node] = Some(now);
                let (fine, more) = self.act(now, state);
                state[node] = None;
                won &= fine;
                open |= more;
            }
        }
        (won && open, open)
    }
}
