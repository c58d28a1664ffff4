//! One tree, and one iteration at a time.

use crate::tree::{ROOT, Tree};
use crate::{Bound, Domain, Guide, Rng, Settings};
use rand::{RngExt, SeedableRng};

/// What an iteration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Found a terminal state of strictly lower cost than all of this search and than the incumbent.
    Improved,
    /// Sampled, and found nothing better.
    Sampled,
    /// Closed a part of the tree by its bound; nothing was sampled.
    Closed,
    /// Nothing: the root is closed. So will be all further iterations.
    Finished,
}

/// A tree and all that one thread needs to grow it.
///
/// # Examples
/// See the crate's page.
pub struct Search<'d, D: Domain, G, B> {
    domain: &'d D,
    guide: G,
    bound: B,
    settings: Settings,
    tree: Tree<D::Action, D::Cost>,
    /// The state of the root, and how to get there from the domain's root.
    root: D::State,
    prefix: Vec<D::Action>,
    best: Option<(D::State, D::Cost)>,
    rng: Rng,
    walk: Walk<D>,
    is_closed: bool,
    /// Whether something was left out that nothing proves to be worse.
    is_cut: bool,
    iterations: u64,
    node_visits: u64,
    reclaimed_at: u64,
}

/// Scratch space of an iteration: where it is and how it came there.
struct Walk<D: Domain> {
    state: D::State,
    /// Nodes from the root down, with the slots of the links that lead to them (the root's means nothing).
    path: Vec<(u32, u32)>,
    /// All actions from the domain's root.
    played: Vec<D::Action>,
    legal: Vec<D::Action>,
}

/// Where a descent through the tree ends.
enum Leaf {
    /// At the last node of the path: sample from there.
    Node,
    /// One action, this slot, below the last node of the path, and without a node for want of room.
    Beyond(u32),
    /// Nowhere: a part was closed.
    Closed,
}

/// How a rollout ends.
#[derive(PartialEq, Eq)]
enum End {
    /// The walk's state is terminal; `at_once`: it was from the start.
    Terminal { at_once: bool },
    /// Given up at the depth limit; `at_once`: it is where it started.
    TooDeep { at_once: bool },
}

impl<'d, D: Domain, G: Guide<D>, B: Bound<D>> Search<'d, D, G, B> {
    /// A search that has done nothing yet.
    pub fn new(domain: &'d D, guide: G, bound: B, settings: Settings) -> Self {
        let root = domain.root();
        let lower = bound.lower(domain, &root);
        Self {
            domain,
            guide,
            bound,
            settings,
            tree: Tree::new(settings.nodes_max, lower),
            walk: Walk {
                state: root.clone(),
                path: Vec::new(),
                played: Vec::new(),
                legal: Vec::new(),
            },
            root,
            prefix: Vec::new(),
            best: None,
            rng: Rng::seed_from_u64(settings.seed),
            is_closed: false,
            is_cut: false,
            iterations: 0,
            node_visits: 0,
            reclaimed_at: 0,
        }
    }

    /// One iteration of Algorithm 1 of Kartal 2016: selects, expands, rolls out, backpropagates.
    ///
    /// `incumbent` is the cost of a plan that somebody already has: what cannot be strictly better is closed. It
    /// must not rise from one call to the next, and `None` is the highest.
    pub fn step(&mut self, incumbent: Option<D::Cost>) -> Step {
        if self.is_closed {
            return Step::Finished;
        }
        self.reclaim_when_due();
        self.iterations += 1;
        let own = self.best.as_ref().map(|(_, cost)| *cost);
        let limit = [own, incumbent].into_iter().flatten().min();
        self.walk.state.clone_from(&self.root);
        self.walk.path.clear();
        self.walk.path.push((ROOT, 0));
        self.walk.played.clear();
        self.walk.played.extend_from_slice(&self.prefix);
        match self.descend(limit) {
            Leaf::Closed => Step::Closed,
            Leaf::Node => self.sample(None, incumbent),
            Leaf::Beyond(slot) => self.sample(Some(slot), incumbent),
        }
    }

    /// Walks down the tree by UCB1 to a leaf, which is new where there is room for it.
    fn descend(&mut self, limit: Option<D::Cost>) -> Leaf {
        loop {
            let here = self.here();
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
        self.tree.expand(here, &walk.legal)
    }

    /// Tries the first untried action of the node where the walk is, and makes it a node.
    fn try_action(&mut self, limit: Option<D::Cost>) -> Leaf {
        let here = self.here();
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

    /// Tries an untried action of the node where the walk is, chosen as in a rollout, without a node for it.
    fn try_beyond(&mut self, limit: Option<D::Cost>) -> Leaf {
        let node = self.tree.node(self.here());
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

    /// Plays an untried action of the node where the walk is and returns its bound; or closes the link and
    /// returns None, if nothing below can be better than `limit`.
    fn try_slot(&mut self, slot: u32, limit: Option<D::Cost>) -> Option<Option<D::Cost>> {
        self.play(self.tree.links[slot as usize].action);
        let lower = self.bound.lower(self.domain, &self.walk.state);
        if is_hopeless(lower, limit) {
            self.close_untried(slot);
            return None;
        }
        Some(lower)
    }

    /// Rolls out from where the walk is, evaluates, backpropagates. `beyond`: the untried link that led here.
    fn sample(&mut self, beyond: Option<u32>, incumbent: Option<D::Cost>) -> Step {
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
            // This very state is about to be closed. What polishing makes of it may be worse, if the guide is
            // wrong; the proof must not depend on that, so the state itself counts too.
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

    /// Keeps the walk's state if it is the best of this search; says whether it beats the incumbent too.
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

    fn here(&self) -> u32 {
        self.walk.path.last().map_or(ROOT, |(node, _)| *node)
    }

    /// Closes an untried link of the node where the walk is, and the node if that was all.
    fn close_untried(&mut self, slot: u32) {
        let here = self.here();
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

    /// Gives back closed parts when there was no room, at most once every `nodes_max` iterations: O(1) each.
    fn reclaim_when_due(&mut self) {
        let since = self.iterations - self.reclaimed_at;
        if self.tree.is_full && since >= self.tree.nodes_max() as u64 {
            self.tree.reclaim();
            self.reclaimed_at = self.iterations;
        }
    }

    /// Commits to the action of the root's most visited open child: it becomes the root, its subtree stays,
    /// and its siblings are pruned (Algorithm 5 of Kartal 2016). None, and nothing done, where no child is open.
    ///
    /// Closed children are passed over: they hold nothing better than what is already found.
    pub fn commit(&mut self) -> Option<D::Action> {
        let slot = self.tree.most_visited(ROOT, true)?;
        let root = self.tree.node(ROOT);
        // Siblings that were not closed are left out for good.
        self.is_cut |= root.open > 1 || root.untried() > 0;
        let link = self.tree.links[slot as usize];
        self.domain.apply(&mut self.root, link.action);
        self.prefix.push(link.action);
        self.tree.rebase(link.child);
        Some(link.action)
    }

    /// The best terminal state that this search has found, and its cost.
    pub fn best(&self) -> Option<(&D::State, D::Cost)> {
        self.best.as_ref().map(|(state, cost)| (state, *cost))
    }

    /// The actions of most visits, from the domain's root to where the tree ends: how Algorithm 1 of Kartal 2016
    /// makes its plan. Ties go to the higher mean, then to the older node.
    ///
    /// Need not be complete, and [`Search::best`] is never worse than it.
    pub fn policy(&self) -> Vec<D::Action> {
        let mut actions = self.prefix.clone();
        let mut node = ROOT;
        while let Some(slot) = self.tree.most_visited(node, false) {
            let link = self.tree.links[slot as usize];
            actions.push(link.action);
            node = link.child;
        }
        actions
    }

    /// Whether the whole tree is closed and nothing was left out: no terminal state is strictly better than
    /// the best of this search and of the incumbents that it was given.
    pub fn is_exhausted(&self) -> bool {
        self.is_closed && !self.is_cut
    }

    /// Whether the root is closed: further steps do nothing. Without [`Search::is_exhausted`], parts were
    /// left out, by the depth limit or by committing.
    pub fn is_finished(&self) -> bool {
        self.is_closed
    }

    /// Nodes in the tree.
    pub fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Links in the tree.
    pub fn links(&self) -> usize {
        self.tree.links.len()
    }

    /// Iterations made.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Nodes that rewards were backpropagated to, counted once an iteration.
    pub fn visits(&self) -> u64 {
        self.node_visits
    }

    /// The guide, with what it has learnt.
    pub fn guide(&self) -> &G {
        &self.guide
    }
}

/// Whether nothing below a node of this bound is strictly better than `limit`.
fn is_hopeless<C: Ord>(lower: Option<C>, limit: Option<C>) -> bool {
    matches!((lower, limit), (Some(lower), Some(limit)) if lower >= limit)
}
