//! The game itself, played in all ways on whole microseconds: what dynamic controllability means,
//! with no reduction, wait or graph.
//!
//! At every moment the others go first: links that have lasted long enough may end, those that
//! cannot last longer have to. We see it, and let any of our events happen. A link of no time that
//! begins may end at once, which we see as well. Then time goes on. We win when all bounds hold at
//! the end, and no resource was overloaded.
//!
//! Where there is a choice, we pick when we like, a player as soon as all has happened that comes
//! before every event of every option.

use narrative::Narrative;
use narrative::problem::{Choice, Chooser, Micros, Node};
use std::collections::BTreeMap;

/// What has happened: times by node, and the option that was picked.
type State = (Vec<Option<Micros>>, Option<usize>);

/// A narrative with one choice or none, ready for play until its horizon.
pub(crate) struct Game<'a> {
    narrative: &'a Narrative,
    horizon: Micros,
    /// By node: whether we decide about it.
    ours: Vec<bool>,
    /// All of these happen before a player picks.
    moment: Vec<Node>,
    known: BTreeMap<(Micros, State), bool>,
}

impl<'a> Game<'a> {
    pub(crate) fn new(narrative: &'a Narrative) -> Self {
        let spec = narrative.spec();
        let theirs = |node: Node| spec.contingent.iter().any(|link| link.to == node);
        let lines = narrative.storylines();
        let before = |node: Node| {
            lines.iter().all(|line| {
                let least = distances(narrative, line);
                let option = line.first().copied().flatten();
                let option = option.map_or(&[][..], |option| &spec.choices[0].options[option]);
                // Where no times fit at all, it does not matter.
                narrative.present(line, node)
                    && (least[0][0] < 0 || option.iter().all(|event| least[*event][node] <= 0))
            })
        };
        Self {
            narrative,
            horizon: spec.horizon_us.expect("the game needs an end"),
            ours: (0..narrative.nodes()).map(|node| !theirs(node)).collect(),
            moment: (0..narrative.nodes())
                .filter(|node| before(*node))
                .collect(),
            known: BTreeMap::new(),
        }
    }

    /// Whether we can win whatever the others do.
    pub(crate) fn is_won(&mut self) -> bool {
        let mut times = vec![None; self.narrative.nodes()];
        times[0] = Some(0);
        self.theirs(0, &(times, None), 0)
    }

    /// The choice, unless it was made.
    fn open(&self, state: &State) -> Option<&'a Choice> {
        let choice = self.narrative.spec().choices.first();
        choice.filter(|_| state.1.is_none())
    }

    /// The choice, if a player makes it now.
    fn due(&self, state: &State) -> Option<&'a Choice> {
        let choice = self.open(state)?;
        let due = self.moment.iter().all(|node| state.0[*node].is_some());
        (choice.chooser == Chooser::Player && due).then_some(choice)
    }

    fn present(&self, state: &State, node: Node) -> bool {
        let picks: Vec<_> = state.1.map(Some).into_iter().collect();
        self.narrative.present(&picks, node)
    }

    /// The others end links, from the one with index `next` on; then a player may have to pick.
    fn theirs(&mut self, now: Micros, state: &State, next: usize) -> bool {
        let Some(link) = self.narrative.spec().contingent.get(next).copied() else {
            return self.player(now, state);
        };
        let lasted = state.0[link.from].map(|start| now - start);
        let (Some(lasted), None) = (lasted, state.0[link.to]) else {
            return self.theirs(now, state, next + 1);
        };
        let goes_on = lasted >= link.upper_us || self.theirs(now, state, next + 1);
        goes_on && (lasted < link.lower_us || self.theirs(now, &after(state, link.to, now), 0))
    }

    /// A player picks when the moment has come.
    fn player(&mut self, now: Micros, state: &State) -> bool {
        let Some(choice) = self.due(state) else {
            return self.ours(now, state);
        };
        let mut options = 0..choice.options.len();
        options.all(|option| self.ours(now, &(state.0.clone(), Some(option))))
    }

    /// We pick, if we may and like, and let some events happen.
    fn ours(&mut self, now: Micros, state: &State) -> bool {
        if now > self.horizon || !self.is_fine(state) {
            return false;
        }
        if let Some(won) = self.known.get(&(now, state.clone())) {
            return *won;
        }
        let choice = self.open(state);
        let choice = choice.filter(|choice| choice.chooser == Chooser::System);
        let mut options = 0..choice.map_or(0, |choice| choice.options.len());
        let won = options.any(|option| self.ours(now, &(state.0.clone(), Some(option))))
            || self.some(now, state);
        self.known.insert((now, state.clone()), won);
        won
    }

    /// We let some events happen, none of an option that is open.
    fn some(&mut self, now: Micros, state: &State) -> bool {
        let choice = self.open(state);
        let may = |node: &Node| {
            let free = choice.is_none_or(|choice| choice.option_of(*node).is_none());
            free && self.ours[*node] && state.0[*node].is_none() && self.present(state, *node)
        };
        let open: Vec<Node> = (1..state.0.len()).filter(may).collect();
        (0..1_u32 << open.len()).any(|some| {
            let mut after = state.clone();
            for (at, node) in open.iter().enumerate() {
                if some >> at & 1 == 1 {
                    after.0[*node] = Some(now);
                }
            }
            self.at_once(now, state, &after, 0)
        })
    }

    /// Links that began just now may end at once, if they may take no time.
    fn at_once(&mut self, now: Micros, before: &State, state: &State, next: usize) -> bool {
        let Some(link) = self.narrative.spec().contingent.get(next).copied() else {
            return self.later(now, before, state);
        };
        let begins = state.0[link.from].is_some() && before.0[link.from].is_none();
        if !begins || state.0[link.to].is_some() || link.lower_us > 0 {
            return self.at_once(now, before, state, next + 1);
        }
        let goes_on = link.upper_us == 0 || self.at_once(now, before, state, next + 1);
        goes_on && self.at_once(now, before, &after(state, link.to, now), 0)
    }

    /// Time goes on, unless something happened that we may want to answer at this moment.
    fn later(&mut self, now: Micros, before: &State, state: &State) -> bool {
        let over = self.open(state).is_none()
            && (0..state.0.len()).all(|node| state.0[node].is_some() || !self.present(state, node));
        if over {
            return self.is_fine(state) && self.fits(state);
        }
        let spec = self.narrative.spec();
        let ended = |node: Node| state.0[node].is_some() && before.0[node].is_none();
        if self.due(state).is_some() || spec.contingent.iter().any(|link| ended(link.to)) {
            return self.player(now, state);
        }
        self.theirs(now + 1, state, 0)
    }

    /// Whether all bounds between what has happened hold.
    fn is_fine(&self, (times, _): &State) -> bool {
        self.narrative
            .spec()
            .links
            .iter()
            .all(|link| match (times[link.from], times[link.to]) {
                (Some(from), Some(to)) => {
                    let taken = to - from;
                    link.lower_us.is_none_or(|lower| taken >= lower)
                        && link.upper_us.is_none_or(|upper| taken <= upper)
                }
                _ => true,
            })
    }

    /// Whether no resource was overloaded at any moment.
    fn fits(&self, (times, _): &State) -> bool {
        let spec = self.narrative.spec();
        let needed = |now: Micros, resource: usize| -> u32 {
            let amounts = spec.activities.iter().filter_map(|activity| {
                let (start, end) = (times[activity.start]?, times[activity.end]?);
                let mut demands = activity.demands.iter();
                let demand = demands.find(|demand| demand.resource == resource)?;
                (start <= now && (demand.consumed || now < end)).then_some(demand.amount)
            });
            amounts.sum()
        };
        let resources = spec.resources.iter().enumerate();
        let mut all =
            resources.flat_map(|resource| (0..=self.horizon).map(move |now| (now, resource)));
        all.all(|(now, (resource, given))| needed(now, resource) <= given.capacity)
    }
}

fn after((times, pick): &State, node: Node, now: Micros) -> State {
    let mut times = times.clone();
    times[node] = Some(now);
    (times, *pick)
}

/// By pairs of nodes, the most by which the second may be after the first in a storyline; below 0
/// from a node to itself where no times fit.
fn distances(narrative: &Narrative, line: &[Option<usize>]) -> Vec<Vec<Micros>> {
    let spec = narrative.spec();
    let nodes = narrative.nodes();
    let present = |node: Node| narrative.present(line, node);
    let mut most = vec![vec![Micros::MAX / 4; nodes]; nodes];
    let mut put = |from: Node, to: Node, bound: Micros| {
        if present(from) && present(to) {
            most[from][to] = most[from][to].min(bound);
        }
    };
    for node in 0..nodes {
        put(node, node, 0);
        put(node, 0, 0);
        put(0, node, spec.horizon_us.unwrap_or(Micros::MAX / 4));
    }
    for link in &spec.links {
        put(link.from, link.to, link.upper_us.unwrap_or(Micros::MAX / 4));
        put(
            link.to,
            link.from,
            -link.lower_us.unwrap_or(Micros::MIN / 4),
        );
    }
    for link in &spec.contingent {
        put(link.from, link.to, link.upper_us);
        put(link.to, link.from, -link.lower_us);
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                most[from][to] = most[from][to].min(most[from][via] + most[via][to]);
            }
        }
    }
    let broken = (0..nodes).any(|node| most[node][node] < 0);
    if broken {
        most[0][0] = -1;
    }
    most
}
