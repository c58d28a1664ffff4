//! A validated problem.

use anytime::{Fault, Path, check, element, fault, millionths, time};

/// Most vertices.
pub const VERTICES_MAX: usize = 2_000;
/// Most arcs.
pub const ARCS_MAX: usize = 20_000;
/// Most players.
pub const PLAYERS_MAX: usize = 64;
/// Most tools.
pub const TOOLS_MAX: usize = 64;
/// Longest time of an arc, of the task, and of all: ten years.
pub const TIME_MAX_US: u64 = 315_360_000_000_000;
/// Most damage of an arc, of the task, and of all.
pub const DAMAGE_MAX_MICRO: u64 = 1_000_000_000_000_000;
/// Most events.
pub const EVENTS_MAX: usize = 8;

/// A problem as given: plain data, nothing checked. [`Problem::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Number of vertices, 1 to [`VERTICES_MAX`].
    pub vertices: usize,
    /// One-way arcs, at most [`ARCS_MAX`].
    pub arcs: Vec<Arc>,
    /// Vertex of each player: v_p. 1 to [`PLAYERS_MAX`].
    pub players: Vec<usize>,
    /// Vertex of each tool: v_e. 1 to [`TOOLS_MAX`].
    pub tools: Vec<usize>,
    /// What there is to do, 1 to [`EVENTS_MAX`].
    pub events: Vec<Event>,
    /// Most time that anybody may spend: T, equation 20.
    pub time_max_us: u64,
    /// Most damage that anybody may take: D, equation 19.
    pub damage_max: Limit,
    /// Whether nobody may come to a vertex twice, not even once with the tool and once without.
    pub once: bool,
}

/// Something to do somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Where: v_f.
    pub vertex: usize,
    /// Where not all events can be done, those of a lower rank go first.
    pub rank: u32,
    /// What it takes 1, 2, ... players. No longer than there are players; more players than that
    /// are not asked for.
    pub efforts: Vec<Effort>,
}

/// An arc from one vertex to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// Where it begins.
    pub from: usize,
    /// Where it ends, another vertex.
    pub to: usize,
    /// Time that it takes, 1 to [`TIME_MAX_US`]: t_ij.
    pub time_us: u64,
    /// Damage on the way to a tool, in millionths, up to [`DAMAGE_MAX_MICRO`]: d^x_ij.
    pub fetch_micro: u64,
    /// Damage on the way to the event: d^y_ij.
    pub carry_micro: u64,
}

/// What the task takes a number of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// tau_k.
    pub time_us: u64,
    /// delta_k, in millionths.
    pub damage_micro: u64,
}

/// A limit of damage, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// So much is allowed: as equation 19 is printed.
    Within(u64),
    /// Only less is allowed: as the paper's example needs.
    Below(u64),
}

impl Limit {
    /// The most damage that is allowed; `None`: none at all is too much.
    #[must_use]
    pub fn max_allowed(self) -> Option<u64> {
        match self {
            Self::Within(most) => Some(most),
            Self::Below(limit) => limit.checked_sub(1),
        }
    }
}

/// A valid problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
    /// Arcs from each vertex, and to each, as indices.
    out: Rows,
    into: Rows,
}

/// Arcs by vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rows {
    starts: Vec<u32>,
    arcs: Vec<u32>,
}

impl Rows {
    fn new(vertices: usize, ends: impl Iterator<Item = usize> + Clone) -> Self {
        let mut starts = vec![0_u32; vertices + 1];
        for vertex in ends.clone() {
            starts[vertex + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut arcs = vec![0; starts[vertices] as usize];
        for (arc, vertex) in ends.enumerate() {
            // Fits: arcs are few.
            arcs[next[vertex] as usize] = arc as u32;
            next[vertex] += 1;
        }
        Self { starts, arcs }
    }

    fn row(&self, vertex: usize) -> &[u32] {
        &self.arcs[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// Every fault, with its path in the contract's `CrewProblem`.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        let out = Rows::new(spec.vertices, spec.arcs.iter().map(|arc| arc.from));
        let into = Rows::new(spec.vertices, spec.arcs.iter().map(|arc| arc.to));
        Ok(Self { spec, out, into })
    }

    /// What was given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Indices of the arcs from a vertex, rising.
    #[must_use]
    pub(crate) fn arcs_from(&self, vertex: usize) -> &[u32] {
        self.out.row(vertex)
    }

    /// Indices of the arcs to a vertex, rising.
    #[must_use]
    pub(crate) fn arcs_to(&self, vertex: usize) -> &[u32] {
        self.into.row(vertex)
    }
}

fn check(spec: &Spec) -> Vec<Fault> {
    let mut faults = counts(spec);
    // Everything else looks at every element: not while there are too many.
    if !faults.is_empty() {
        return faults;
    }
    check_vertices(spec, &mut faults);
    check_arcs(&spec.arcs, &mut faults);
    let events = Path::root("events");
    for (index, event) in spec.events.iter().enumerate() {
        let event_at = events.index(index);
        let efforts = event_at.field("efforts");
        for (effort, it) in event.efforts.iter().enumerate() {
            let at = efforts.index(effort);
            check_time(it.time_us, 0, &at, &mut faults);
            check_damage(it.damage_micro, &at, &mut faults);
        }
    }
    check_time(spec.time_max_us, 0, &Path::WHOLE, &mut faults);
    let (Limit::Within(limit) | Limit::Below(limit)) = spec.damage_max;
    check_damage(limit, &Path::WHOLE, &mut faults);
    faults
}

fn counts(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut count = |at: &Path<'_>, given: usize, min: usize, max: usize| {
        if given < min {
            faults.push(check::required(at));
        }
        faults.extend(check::too_many(at, given, max));
    };
    let players = spec.players.len();
    count(&Path::root("nodes"), spec.vertices, 1, VERTICES_MAX);
    count(&Path::root("arcs"), spec.arcs.len(), 0, ARCS_MAX);
    count(&Path::root("players"), players, 1, PLAYERS_MAX);
    count(&Path::root("tools"), spec.tools.len(), 1, TOOLS_MAX);
    let events = Path::root("events");
    count(&events, spec.events.len(), 1, EVENTS_MAX);
    // That players are missing is one fault, not one more for each event.
    let efforts_max = if players == 0 { PLAYERS_MAX } else { players };
    for (index, event) in spec.events.iter().take(EVENTS_MAX).enumerate() {
        let event_at = events.index(index);
        count(
            &event_at.field("efforts"),
            event.efforts.len(),
            1,
            efforts_max,
        );
    }
    faults
}

/// Whatever names a vertex that does not exist.
fn check_vertices(spec: &Spec, faults: &mut Vec<Fault>) {
    let mut check = |at: &Path<'_>, field: &'static str, vertex: usize| {
        if vertex >= spec.vertices {
            faults.push(check::unknown(&at.field(field), element("node", vertex)));
        }
    };
    let arcs = Path::root("arcs");
    for (index, arc) in spec.arcs.iter().enumerate() {
        check(&arcs.index(index), "from_node_id", arc.from);
        check(&arcs.index(index), "to_node_id", arc.to);
    }
    let lists = [("players", &spec.players), ("tools", &spec.tools)];
    for (field, vertices) in lists {
        for (index, &vertex) in vertices.iter().enumerate() {
            check(&Path::root(field).index(index), "node_id", vertex);
        }
    }
    for (index, event) in spec.events.iter().enumerate() {
        check(&Path::root("events").index(index), "node_id", event.vertex);
    }
}

fn check_arcs(arcs: &[Arc], faults: &mut Vec<Fault>) {
    let arcs_at = Path::root("arcs");
    for (index, arc) in arcs.iter().enumerate() {
        let at = arcs_at.index(index);
        let before = index.checked_sub(1).map(|before| &arcs[before]);
        // The same loop again is a repetition, which is reported below.
        let is_repeated = before.is_some_and(|it| (it.from, it.to) == (arc.from, arc.to));
        if arc.from == arc.to && !is_repeated {
            faults.push(fault!(
                "SELF_LOOP",
                at.field("to_node_id"),
                "is where the arc begins"
            ));
        }
        check_time(arc.time_us, 1, &at, faults);
        check_damage(arc.fetch_micro, &at, faults);
        check_damage(arc.carry_micro, &at, faults);
    }
    let ends = arcs.iter().enumerate();
    let mut ends: Vec<_> = ends.map(|(index, arc)| (arc.from, arc.to, index)).collect();
    ends.sort_unstable();
    for two in ends.windows(2) {
        let [(from, to, _), (other_from, other_to, arc)] = [two[0], two[1]];
        if (from, to) == (other_from, other_to) {
            let (at, [from, to]) = (arcs_at.index(arc), [from, to].map(|it| element("node", it)));
            faults.push(fault!(
                "DUPLICATE",
                at,
                "is the second arc from {} to {}",
                from,
                to
            ));
        }
    }
}

fn check_time(given_us: u64, min_us: u64, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if !(min_us..=TIME_MAX_US).contains(&given_us) {
        let [given, min, max] = [given_us, min_us, TIME_MAX_US].map(time);
        faults.push(fault!(
            "OUT_OF_RANGE",
            at,
            "takes {}, outside of {} to {}",
            given,
            min,
            max
        ));
    }
}

fn check_damage(given_micro: u64, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if given_micro > DAMAGE_MAX_MICRO {
        let [given, max] = [given_micro, DAMAGE_MAX_MICRO].map(millionths);
        faults.push(fault!(
            "OUT_OF_RANGE",
            at,
            "does {} damage, at most {} is allowed",
            given,
            max
        ));
    }
}
