//! The theory of the search: temporal and resource propagation of precedences.

use super::super::joint_network::JointNetwork;
use super::critical_sets::{CriticalSet, forbidden};
use super::hints::Hints;
use super::resource_users::{Precedence, ResourceUsers};
use super::temporal_closures::{TemporalClosures, Tighter};
use anytime::Pulse;
use cp::clause_learning::{Cause, Conflict, Consequence, Lit, Theory, Trail, Var, Verdict};
use stn::Edge;
use stn::uncertain::{self, dynamic};

/// No variable.
const NONE: u32 = u32::MAX;
/// Tag of causes: all ways out of a forbidden set but one are closed. Smaller tags are clocks.
const FORBIDDEN: u32 = 100;

/// The rules of a joint network. Orders are named by their index.
pub(crate) struct PrecedenceTheory<'j> {
    joint: &'j JointNetwork,
    pulse: Pulse,
    pub(crate) clocks: TemporalClosures,
    /// Those that do not fit at once.
    pub(crate) shares: Vec<ResourceUsers>,
    pub(crate) orders: Vec<Precedence>,
    /// By order, once the search has made them.
    pub(crate) vars: Vec<Var>,
    /// By the nodes of an order, end and then start.
    by_nodes: Vec<u32>,
    /// Events of the search that were looked at.
    seen: usize,
    tighter: Vec<Tighter>,
    /// Sets from which followed something.
    pub(crate) forbidden: Vec<CriticalSet>,
    /// By share: the number of events after which it fitted, or a set that is too much.
    state: Vec<State>,
    /// How often each order was part of a conflict.
    blame: Vec<u32>,
    /// Orders to be tried before others.
    pub(super) hints: Hints,
    pub(crate) checks: u64,
    /// The pulse has stopped before it was known what competes, or whether orders can be kept.
    pub(crate) is_stopped: bool,
}

#[derive(Debug, Clone)]
enum State {
    Unknown,
    /// Since this number of events.
    Fits(usize),
    Overloaded(CriticalSet),
}

impl<'j> PrecedenceTheory<'j> {
    pub(crate) fn new(
        joint: &'j JointNetwork,
        shares: Vec<ResourceUsers>,
        clocks: TemporalClosures,
        pulse: Pulse,
    ) -> PrecedenceTheory<'j> {
        let mut rules = PrecedenceTheory {
            joint,
            pulse,
            clocks,
            state: vec![State::Unknown; shares.len()],
            shares,
            orders: Vec::new(),
            vars: Vec::new(),
            by_nodes: vec![NONE; joint.nodes * joint.nodes],
            seen: 0,
            tighter: Vec::new(),
            forbidden: Vec::new(),
            blame: Vec::new(),
            hints: Hints::default(),
            checks: 0,
            is_stopped: false,
        };
        rules.name_orders();
        rules
    }

    /// Gives a variable to every order of the shares that is neither sure nor impossible.
    fn name_orders(&mut self) {
        let shares = std::mem::take(&mut self.shares);
        for share in &shares {
            if !self.goes_on() {
                break;
            }
            for first in 0..share.users.len() {
                let others = (0..share.users.len()).filter(|second| *second != first);
                for order in others.filter_map(|second| share.order(first, second)) {
                    self.name_order(order);
                }
            }
        }
        self.shares = shares;
    }

    /// Whether nobody has asked to stop.
    pub(super) fn goes_on(&mut self) -> bool {
        self.is_stopped |= !self.pulse.beats();
        !self.is_stopped
    }

    /// Gives a variable to an order that is neither sure nor impossible.
    pub(crate) fn name_order(&mut self, order: Precedence) {
        let slot = order.end as usize * self.joint.nodes + order.start as usize;
        let sure = self.clocks.distance(0, order.start, order.end) <= 0;
        let clocks = 0..self.clocks.count();
        let most = |clock| self.clocks.distance(clock, order.end, order.start);
        let possible = clocks.map(most).all(|most| most >= 0);
        if self.by_nodes[slot] == NONE && possible && !sure {
            self.by_nodes[slot] = self.orders.len() as u32;
            self.orders.push(order);
            self.blame.push(0);
        }
    }

    /// The next order to be tried before others.
    fn hint(&mut self, trail: &Trail) -> Option<Lit> {
        let vars = &self.vars;
        let yes = |name: u32| vars[name as usize].yes();
        let is_open = |name| !trail.holds(yes(name)) && !trail.fails(yes(name));
        self.hints.next(is_open).map(yes)
    }

    pub(crate) fn name(&self, order: Precedence) -> Option<u32> {
        let name = self.order_at(order.end as usize, order.start as usize);
        (name != NONE).then_some(name)
    }

    /// The clause that an order of a set holds.
    pub(crate) fn clause(&self, set: &CriticalSet) -> Vec<Lit> {
        let names = set.orders.iter().filter_map(|order| self.name(*order));
        names.map(|name| self.yes(name)).collect()
    }

    /// The search's variable for an order.
    pub(crate) fn yes(&self, name: u32) -> Lit {
        self.vars[name as usize].yes()
    }

    pub(crate) fn no(&self, name: u32) -> Lit {
        self.vars[name as usize].no()
    }

    fn order_at(&self, end: usize, start: usize) -> u32 {
        self.by_nodes[end * self.joint.nodes + start]
    }

    /// Puts orders into force that the search has decided on.
    fn catch_up(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        while self.seen < trail.len() {
            let lit = trail.event(self.seen);
            let index = lit.side.var().index();
            // Variables after those of orders are selectors.
            let Some(&order) = self.orders.get(index) else {
                self.seen += 1;
                continue;
            };
            if lit.side.is_minus() && self.clocks.distance(0, order.start, order.end) > 0 {
                let edge = Edge::new(order.start, order.end, 0, index as u32);
                if let Err(others) = self.clocks.add(edge, self.seen) {
                    self.blame(&others);
                    let lits: Vec<Lit> = others.iter().map(|other| self.yes(*other)).collect();
                    return Err(trail.refute(lits.into_iter().chain([self.yes(index as u32)])));
                }
                self.tighter.clear();
                self.clocks.collect_tighter(&mut self.tighter);
                self.follow(trail)?;
            }
            self.seen += 1;
        }
        Ok(())
    }

    fn blame(&mut self, orders: &[u32]) {
        for order in orders {
            self.blame[*order as usize] += 1;
        }
    }

    /// Sets what follows from times that became tighter.
    fn follow(&self, trail: &mut Trail) -> Result<(), Conflict> {
        for tighter in &self.tighter {
            let Tighter { clock, from, to } = *tighter;
            let most = self.clocks.distance(clock, from as u32, to as u32);
            let cause = Cause {
                tag: clock as u32,
                at: 0,
            };
            if clock == 0 && most <= 0 {
                let order = self.order_at(to, from);
                if order != NONE {
                    trail.set(self.yes(order), cause)?;
                }
            }
            if most < 0 {
                let order = self.order_at(from, to);
                if order != NONE {
                    trail.set(self.no(order), cause)?;
                }
            }
        }
        Ok(())
    }

    /// Looks for sets of activities that are too much at once; sets what follows from them.
    fn weigh(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        for index in 0..self.shares.len() {
            self.update(trail, index);
            let State::Overloaded(set) = &self.state[index] else {
                continue;
            };
            let open = |order: &&Precedence| self.is_open(trail, **order);
            let mut ways = set.orders.iter().filter(open);
            let (first, second) = (ways.next().copied(), ways.next().copied());
            match (first, second) {
                (None, _) => {
                    let closed = self.closed(set, None);
                    self.forbidden.push(set.clone());
                    self.blame(&closed);
                    return Err(trail.refute(closed.into_iter().map(|order| self.no(order))));
                }
                (Some(only), None) => {
                    let at = self.forbidden.len() as i64;
                    self.forbidden.push(set.clone());
                    let only = self.name(only).expect("open orders have a variable");
                    let tag = FORBIDDEN;
                    trail.set(self.yes(only), Cause { tag, at })?;
                    return Ok(());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn update(&mut self, trail: &Trail, index: usize) {
        let done = |order: &Precedence| self.clocks.distance(0, order.start, order.end) <= 0;
        let is_known = match &self.state[index] {
            State::Fits(_) => true,
            // What was too much still is, unless one is before another by now.
            State::Overloaded(set) => !set.orders.iter().any(done),
            State::Unknown => false,
        };
        if is_known || !self.goes_on() {
            return;
        }
        let open = |order: Precedence| self.is_open(trail, order);
        self.state[index] = match forbidden(&self.clocks, &self.shares[index], &open) {
            Some(set) => State::Overloaded(set),
            None => State::Fits(trail.len()),
        };
    }

    fn is_open(&self, trail: &Trail, order: Precedence) -> bool {
        self.name(order)
            .is_some_and(|order| !trail.fails(self.yes(order)))
    }

    /// The orders of a set that have a variable, but for one of them.
    fn closed(&self, set: &CriticalSet, but: Option<u32>) -> Vec<u32> {
        let orders = set.orders.iter().filter_map(|order| self.name(*order));
        orders.filter(|order| Some(*order) != but).collect()
    }

    /// The order that leaves most room, in the set that leaves least choice.
    fn branch(&self, trail: &Trail) -> Option<Lit> {
        let mut best: Option<((u64, i64), u32)> = None;
        for state in &self.state {
            let State::Overloaded(set) = state else {
                continue;
            };
            let open: Vec<Precedence> = set
                .orders
                .iter()
                .copied()
                .filter(|o| self.is_open(trail, *o))
                .collect();
            let blame: u32 = open
                .iter()
                .filter_map(|order| self.name(*order))
                .map(|v| self.blame[v as usize])
                .sum();
            let hard = (open.len() as u64) * 1_000_000 / u64::from(blame + 1);
            for order in open {
                let room = self.clocks.room(order);
                let key = (hard, -room);
                if best.is_none_or(|(known, _)| key < known) {
                    best = Some((key, self.name(order).expect("open orders have a variable")));
                }
            }
        }
        best.map(|(_, order)| self.yes(order))
    }

    /// Whether the orders in force can be kept whatever Nature does.
    ///
    /// # Errors
    /// A conflict is noted.
    fn check(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        self.checks += 1;
        let edge = |name: u32| {
            let order = self.orders[name as usize];
            Edge::new(order.start, order.end, 0, name)
        };
        let edges: Vec<Edge> = self.clocks.orders().map(edge).collect();
        let base = self.joint.requirements.len();
        let network = self.joint.network(&edges).expect("checked without orders");
        let pulse = &self.pulse;
        match dynamic(&network, &mut || pulse.stop().is_none()) {
            uncertain::Verdict::Holds(()) => Ok(()),
            uncertain::Verdict::Fails(conflict) => {
                let terms = conflict.terms.iter().filter_map(|term| match term.bound {
                    uncertain::Bound::Requirement(at) if at >= base => Some(term.id),
                    _ => None,
                });
                let names: Vec<u32> = terms.collect();
                self.blame(&names);
                Err(trail.refute(names.into_iter().map(|name| self.yes(name))))
            }
            uncertain::Verdict::Stopped => {
                self.is_stopped = true;
                Ok(())
            }
        }
    }
}

impl Theory for PrecedenceTheory<'_> {
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        let before = trail.len();
        self.catch_up(trail)?;
        if trail.len() > before {
            return Ok(());
        }
        // What is too much by now may not be with all that is tried first.
        match self.hint(trail) {
            Some(_) => Ok(()),
            None => self.weigh(trail),
        }
    }

    fn explain(&mut self, _: &Trail, asked: Consequence, out: &mut Vec<Lit>) {
        let order = asked.lit.side.var().index() as u32;
        let Precedence { end, start } = self.orders[order as usize];
        let (end, start) = (end as usize, start as usize);
        if asked.cause.tag == FORBIDDEN {
            let set = &self.forbidden[asked.cause.at as usize];
            out.extend(
                self.closed(set, Some(order))
                    .into_iter()
                    .map(|order| self.no(order)),
            );
            return;
        }
        let clock = asked.cause.tag as usize;
        let (from, to, most) = if asked.lit.side.is_minus() {
            (start, end, 0)
        } else {
            (end, start, -1)
        };
        let tighter = Tighter { clock, from, to };
        let names = self.clocks.why(tighter, most, asked.before);
        out.extend(names.into_iter().map(|name| self.yes(name)));
    }

    fn backtrack(&mut self, trail: &Trail) {
        self.seen = self.seen.min(trail.len());
        self.clocks.backtrack(trail.len());
        self.hints.rewind();
        for state in &mut self.state {
            if matches!(state, State::Fits(since) if *since > trail.len()) {
                *state = State::Unknown;
            }
        }
    }

    fn first(&mut self, trail: &Trail, _: u64) -> Option<Lit> {
        // What is too much is not known once it has stopped: then nothing is tried any more.
        if self.is_stopped {
            None
        } else {
            self.hint(trail).or_else(|| self.branch(trail))
        }
    }

    fn last(&mut self, trail: &mut Trail) -> Result<Verdict, Conflict> {
        self.check(trail)?;
        Ok(Verdict::Solution)
    }
}
