//! The four phases of an iteration: selection, expansion, rollout, backpropagation.

use crate::{Bound, Domain, Guide, Search, Step};
use rand::RngExt;

/// Scratch space of an iteration: where it is and how it came there.
pub(super) struct Walk<D: Domain> {
    state: D::State,
    /// Nodes from the root down, with the slots of the links that lead to them (the root's means
    /// nothing).
    path: Vec<(u32, u32)>,
    /// All actions from the domain's root.
    played: Vec<D::Action>,
    legal: Vec<D::Action>,
}

impl<D: Domain> Walk<D> {
    pub(super) fn new(root: D::State) -> Self {
        Self {
            state: root,
            path: Vec::new(),
            played: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// Back to the root of the tree: node `root`, `prefix` below the domain's root.
    pub(super) fn begin(&mut self, root: u32, state: &D::State, prefix: &[D::Action]) {
        self.state.clone_from(state);
        self.path.clear();
        self.path.push((root, 0));
        self.played.clear();
        self.played.extend_from_slice(prefix);
    }
}

/// Where a descent through the tree ends.
pub(super) enum Leaf {
    /// At the last node of the path: sample from there.
    Node,
    /// One action, this slot, below the last node of the path, and without a node for want of room.
    Beyond(u32),
    /// Nowhere: a part was closed.
    Closed,
}

/// How a rollout ends.
enum End {
    /// The walk's state is terminal; `at_once`: it was from the start.
    Terminal { at_once: bool },
    /// Given up at the depth limit; `at_once`: it is where it started.
    TooDeep { at_once: bool },
}

impl<D: Domain, G: Guide<D>, B: Bound<D>> Search<'_, D, G, B> {
    /// Walks down the tree by UCB1 to a leaf, which is new where there is room for it.
    pub(super) fn descend(&mut self, limit: Option<D::Cost>) -> Leaf {
        loop {
            let here = self.current();
            // Asked again on every visit: the incumbent may have improved since the node was made.
            if is_hopeless(self.tree.bound(here), limit) {
                self.close_here();
                return Leaf::Closed;
            }
            let node = self.tree.node(here);
            // At the first visit a node is a leaf, at the second it gets its links.
            if node.visits == 0 || (node.len == 0 && !self.expand(here)) {
                return Leaf::Node;
            }
            let node = self.tree.node(here);
            let (open, untried) = (node.open, node.untried());
            if untried > 0 && self.tree.has_room() {
                return self.try_action(limit);
            }
            // No room for new nodes: as likely as not in proportion to their numbers, go on in the
            // tree or sample what has no node.
            if untried > 0 && self.rng.random_range(0..open + untried) >= open {
                return self.try_beyond(limit);
            }
            let guide = &self.guide;
            let slot = self
                .tree
                .select(here, self.settings.exploration, |action, mean, visits| {
                    guide.value(action, mean, visits)
                });
            let link = self.tree.links[slot as usize];
            self.play(link.action);
            self.walk.path.push((link.child, slot));
        }
    }

    /// Gives a node its links. False where there is no room.
    fn expand(&mut self, here: u32) -> bool {
        let walk = &mut self.walk;
        walk.legal.clear();
        self.domain.actions(&walk.state, &mut walk.legal);
        debug_assert!(
            !walk.legal.is_empty(),
            "terminal nodes are closed when made"
        );
        self.guide
            .order(self.domain, &walk.state, &mut walk.legal, &mut self.rng);
        debug_assert!(self.is_permuted(), "a guide may only permute actions");
        self.tree.expand(here, &self.walk.legal)
    }

    /// Whether the guide lost or made no action; not looked at closely where there are many.
    fn is_permuted(&self) -> bool {
        const LOOK_MAX: usize = 64;
        let mut legal = Vec::new();
        self.domain.actions(&self.walk.state, &mut legal);
        let all = |action: &D::Action| self.walk.legal.contains(action);
        legal.len() == self.walk.legal.len() && (legal.len() > LOOK_MAX || legal.iter().all(all))
    }

    /// Tries the first untried action of the node where the walk is, and makes it a node.
    fn try_action(&mut self, limit: Option<D::Cost>) -> Leaf {
        let here = self.current();
        let node = self.tree.node(here);
        let slot = node.start + node.tried;
        match self.try_slot(slot, limit) {
            Some(lower) => {
                let step = self.tree.add_child(here, lower);
                self.walk.path.push(step);
                Leaf::Node
            }
            None => Leaf::Closed,
        }
    }

    /// Tries an untried action of the node where the walk is, chosen as in a rollout, without a
    /// node for it.
    fn try_beyond(&mut self, limit: Option<D::Cost>) -> Leaf {
        let node = self.tree.node(self.current());
        let first = node.start + node.tried;
        let walk = &mut self.walk;
        walk.legal.clear();
        walk.legal
            .extend(self.tree.untried_links(node).iter().map(|link| link.action));
        let chosen = self
            .guide
            .rollout(self.domain, &walk.state, &walk.legal, &mut self.rng);
        assert!(
            chosen < walk.legal.len(),
            "a guide chooses among the actions"
        );
        let slot = first + chosen as u32;
        match self.try_slot(slot, limit) {
            Some(_) => Leaf::Beyond(slot),
            None => Leaf::Closed,
        }
    }

    /// Plays an untried action of the node where the walk is and returns its bound; or closes the
    /// link and returns None, if nothing below can be better than `limit`.
    fn try_slot(&mut self, slot: u32, limit: Option<D::Cost>) -> Option<Option<D::Cost>> {
        self.play(self.tree.links[slot as usize].action);
        let lower = self.bound.lower(self.domain, &self.walk.state);
        // What holds for all below a node holds for all below its children; None is the least.
        let lower = lower.max(self.tree.bound(self.current()));
        if is_hopeless(lower, limit) {
            self.close_untried(slot);
            return None;
        }
        Some(lower)
    }

    /// Rolls out from where the walk is, evaluates, backpropagates. `beyond`: the untried link that
    /// led here.
    pub(super) fn sample(&mut self, beyond: Option<u32>, incumbent: Option<D::Cost>) -> Step {
        let (reward, improved, at_once) = match self.roll_out() {
            End::Terminal { at_once } => {
                let (reward, improved) = self.evaluate(at_once, incumbent);
                (reward, improved, at_once)
            }
            End::TooDeep { at_once } => {
                self.is_cut |= at_once;
                (0.0, false, at_once)
            }
        };
        for &(node, _) in &self.walk.path {
            self.tree.reward(node, reward);
        }
        self.node_visits += self.walk.path.len() as u64;
        match beyond {
            Some(slot) if at_once => self.close_untried(slot),
            None if at_once => self.close_here(),
            _ => {}
        }
        if improved {
            Step::Improved
        } else {
            Step::Sampled
        }
    }

    fn roll_out(&mut self) -> End {
        let walk = &mut self.walk;
        let mut at_once = true;
        loop {
            walk.legal.clear();
            self.domain.actions(&walk.state, &mut walk.legal);
            if walk.legal.is_empty() {
                return End::Terminal { at_once };
            }
            if walk.played.len() >= self.settings.depth_max {
                return End::TooDeep { at_once };
            }
            let chosen = self
                .guide
                .rollout(self.domain, &walk.state, &walk.legal, &mut self.rng);
            let action = walk.legal[chosen];
            self.domain.apply(&mut walk.state, action);
            walk.played.push(action);
            at_once = false;
        }
    }

    /// The reward of the terminal state where the walk is, and whether something better was found.
    fn evaluate(&mut self, at_once: bool, incumbent: Option<D::Cost>) -> (f64, bool) {
        let mut improved = false;
        if at_once {
            // This very state is about to be closed. What polishing makes of it may be worse, if
            // the guide is wrong; the proof must not depend on that, so the state itself counts
            // too.
            let raw = self.domain.outcome(&self.walk.state);
            improved = self.keep(raw.cost, incumbent);
        }
        self.guide
            .polish(self.domain, &mut self.walk.state, &mut self.rng);
        let outcome = self.domain.outcome(&self.walk.state);
        debug_assert!(
            (0.0..=1.0).contains(&outcome.reward),
            "reward {}",
            outcome.reward
        );
        improved |= self.keep(outcome.cost, incumbent);
        self.guide.learn(self.domain, &self.walk.played, &outcome);
        (outcome.reward, improved)
    }

    /// Keeps the walk's state if it is the best of this search; says whether it beats the incumbent
    /// too.
    fn keep(&mut self, cost: D::Cost, incumbent: Option<D::Cost>) -> bool {
        match &mut self.best {
            Some((_, best)) if *best <= cost => return false,
            Some((state, best)) => {
                state.clone_from(&self.walk.state);
                *best = cost;
            }
            None => self.best = Some((self.walk.state.clone(), cost)),
        }
        incumbent.is_none_or(|incumbent| cost < incumbent)
    }

    fn play(&mut self, action: D::Action) {
        self.domain.apply(&mut self.walk.state, action);
        self.walk.played.push(action);
    }

    fn current(&self) -> u32 {
        self.walk
            .path
            .last()
            .map_or(self.tree.root, |(node, _)| *node)
    }

    /// Closes an untried link of the node where the walk is, and the node if that was all.
    fn close_untried(&mut self, slot: u32) {
        let here = self.current();
        self.tree.close_untried(here, slot);
        if self.tree.is_finished(here) {
            self.close_here();
        }
    }

    /// Closes the last node of the path, and whatever above it has nothing left.
    fn close_here(&mut self) {
        while let Some((_, slot)) = self.walk.path.pop() {
            let Some(&(parent, _)) = self.walk.path.last() else {
                self.is_closed = true;
                return;
            };
            self.tree.close_child(parent, slot);
            if !self.tree.is_finished(parent) {
                return;
            }
        }
    }
}

/// Whether nothing below a node of this bound is strictly better than `limit`.
fn is_hopeless<C: Ord>(lower: Option<C>, limit: Option<C>) -> bool {
    matches!((lower, limit), (Some(lower), Some(limit)) if lower >= limit)
}
