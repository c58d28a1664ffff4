//! One tree, and one iteration at a time.

mod walk;

use crate::tree::Tree;
use crate::{Bound, Domain, Guide, Rng, Settings};
use rand::SeedableRng;
use walk::{Leaf, Walk};

/// What an iteration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Found a terminal state of strictly lower cost than all of this search and than the
    /// incumbent.
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
}

impl<'d, D: Domain, G: Guide<D>, B: Bound<D>> Search<'d, D, G, B> {
    /// A search that has done nothing yet.
    pub fn new(domain: &'d D, guide: G, bound: B, settings: Settings) -> Self {
        let root = domain.root();
        let lower = bound.lower(domain, &root);
        // What an unsound bound closes is left out without a proof: as good as cut from the start.
        let is_cut = !bound.is_sound();
        Self {
            domain,
            guide,
            bound,
            settings,
            tree: Tree::new(settings.nodes_max, lower),
            walk: Walk::new(root.clone()),
            root,
            prefix: Vec::new(),
            best: None,
            rng: Rng::seed_from_u64(settings.seed),
            is_closed: false,
            is_cut,
            iterations: 0,
            node_visits: 0,
        }
    }

    /// One iteration of Algorithm 1 of Kartal 2016: selects, expands, rolls out, backpropagates.
    ///
    /// `incumbent` is the cost of a plan that somebody already has: what cannot be strictly better
    /// is closed. It must not rise from one call to the next, and `None` is the highest.
    pub fn step(&mut self, incumbent: Option<D::Cost>) -> Step {
        if self.is_closed {
            return Step::Finished;
        }
        self.iterations += 1;
        let limit = self.limit(incumbent);
        self.walk.begin(self.tree.root, &self.root, &self.prefix);
        match self.descend(limit) {
            Leaf::Closed => Step::Closed,
            Leaf::Node => self.sample(None, incumbent),
            Leaf::Beyond(slot) => self.sample(Some(slot), incumbent),
        }
    }

    /// Commits to the action of the root's most visited open child: it becomes the root, its
    /// subtree stays, and its siblings are pruned (Algorithm 5 of Kartal 2016). None, and nothing
    /// done, where no child is open.
    ///
    /// Closed children are passed over: they hold nothing better than what is already found.
    pub fn commit(&mut self) -> Option<D::Action> {
        let slot = self.tree.most_visited(self.tree.root, true)?;
        let root = self.tree.node(self.tree.root);
        // Siblings that were not closed are left out for good.
        self.is_cut |= root.open > 1 || root.untried() > 0;
        let link = self.tree.links[slot as usize];
        self.domain.apply(&mut self.root, link.action);
        self.prefix.push(link.action);
        self.tree.commit(slot);
        Some(link.action)
    }

    /// The best terminal state that this search has found, and its cost.
    pub fn best(&self) -> Option<(&D::State, D::Cost)> {
        self.best.as_ref().map(|(state, cost)| (state, *cost))
    }

    /// The actions of most visits, from the domain's root to where the tree ends: how Algorithm 1
    /// of Kartal 2016 makes its plan. Ties go to the higher mean, then to the lower node number.
    /// Closed actions count as far as their nodes have not been recycled.
    ///
    /// Need not be complete: for a whole plan take [`Search::best`].
    pub fn policy(&self) -> Vec<D::Action> {
        let mut actions = self.prefix.clone();
        let mut node = self.tree.root;
        while let Some(slot) = self.tree.most_visited(node, false) {
            let link = self.tree.links[slot as usize];
            actions.push(link.action);
            node = link.child;
        }
        actions
    }

    /// Whether the whole tree is closed and nothing was left out: no terminal state is strictly
    /// better than the best of this search and of the incumbents that it was given.
    pub fn is_exhausted(&self) -> bool {
        self.is_closed && !self.is_cut
    }

    /// A lower bound on the cost of all terminal states, by the bounds of the open nodes; at most
    /// the cost of the best of this search and `incumbent`. None: unknown, or parts were left out.
    ///
    /// O(nodes): ask rarely. `incumbent` as in [`Search::step`].
    pub fn proved_bound(&self, incumbent: Option<D::Cost>) -> Option<D::Cost> {
        let limit = self.limit(incumbent);
        if self.is_cut || self.is_closed {
            // Closed: only what is not better than the limit was left.
            return limit.filter(|_| !self.is_cut);
        }
        let frontier = self.tree.frontier_bound()?;
        Some(limit.map_or(frontier, |limit| limit.min(frontier)))
    }

    /// The lower of the best cost of this search and the incumbent's.
    fn limit(&self, incumbent: Option<D::Cost>) -> Option<D::Cost> {
        let own = self.best.as_ref().map(|(_, cost)| *cost);
        own.into_iter().chain(incumbent).min()
    }

    /// Whether the root is closed: further steps do nothing. Without [`Search::is_exhausted`],
    /// parts were left out, by the depth limit or by committing.
    pub fn is_finished(&self) -> bool {
        self.is_closed
    }

    /// Nodes that take memory, closed ones that wait to be recycled included.
    pub fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Links that take memory.
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
