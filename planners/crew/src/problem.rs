//! A validated problem.

use crate::errors::{Count, Place, ProblemError, Which};

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

/// A way from one vertex to another.
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
    pub fn most(self) -> Option<u64> {
        match self {
            Self::Within(most) => Some(most),
            Self::Below(limit) => limit.checked_sub(1),
        }
    }
}

/// A problem that makes sense.
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

    fn of(&self, vertex: usize) -> &[u32] {
        &self.arcs[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// Every reason why it makes no sense.
    pub fn new(spec: Spec) -> Result<Self, Vec<ProblemError>> {
        let errors = check(&spec);
        if !errors.is_empty() {
            return Err(errors);
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
    pub fn arcs_from(&self, vertex: usize) -> &[u32] {
        self.out.of(vertex)
    }

    /// Indices of the arcs to a vertex, rising.
    #[must_use]
    pub fn arcs_to(&self, vertex: usize) -> &[u32] {
        self.into.of(vertex)
    }
}

fn check(spec: &Spec) -> Vec<ProblemError> {
    let errors = counts(spec);
    // What follows looks at every element: not while there are too many.
    if !errors.is_empty() {
        return errors;
    }
    let mut errors = places(spec);
    arcs(spec, &mut errors);
    for (index, event) in spec.events.iter().enumerate() {
        for (effort, it) in event.efforts.iter().enumerate() {
            let which = Which::Effort(index, effort);
            time(&mut errors, which, it.time_us, 0);
            damage(&mut errors, which, it.damage_micro);
        }
    }
    time(&mut errors, Which::Limit, spec.time_max_us, 0);
    let (Limit::Within(most) | Limit::Below(most)) = spec.damage_max;
    damage(&mut errors, Which::Limit, most);
    errors
}

fn counts(spec: &Spec) -> Vec<ProblemError> {
    let players = spec.players.len();
    let counts = [
        (Count::Vertices, spec.vertices, 1, VERTICES_MAX),
        (Count::Arcs, spec.arcs.len(), 0, ARCS_MAX),
        (Count::Players, players, 1, PLAYERS_MAX),
        (Count::Tools, spec.tools.len(), 1, TOOLS_MAX),
        (Count::Events, spec.events.len(), 1, EVENTS_MAX),
    ];
    let events = spec.events.iter().take(EVENTS_MAX).enumerate();
    let efforts = events.map(|(index, event)| {
        let given = event.efforts.len();
        // Without any players that is told alone.
        let most = if players == 0 { PLAYERS_MAX } else { players };
        (Count::Efforts(index), given, 1, most)
    });
    let all = counts.into_iter().chain(efforts);
    let wrong = all.filter(|(_, given, least, most)| given < least || given > most);
    wrong
        .map(|(what, given, least, most)| ProblemError::Count {
            what,
            given,
            least,
            most,
        })
        .collect()
}

/// Whatever names a vertex that does not exist.
fn places(spec: &Spec) -> Vec<ProblemError> {
    let arcs = spec.arcs.iter().enumerate();
    let arcs = arcs.flat_map(|(arc, it)| [(Place::From(arc), it.from), (Place::To(arc), it.to)]);
    let players = spec.players.iter().enumerate();
    let players = players.map(|(player, vertex)| (Place::Player(player), *vertex));
    let tools = spec.tools.iter().enumerate();
    let tools = tools.map(|(tool, vertex)| (Place::Tool(tool), *vertex));
    let events = spec.events.iter().enumerate();
    let events = events.map(|(event, it)| (Place::Event(event), it.vertex));
    let all = arcs.chain(players).chain(tools).chain(events);
    let wrong = all.filter(|(_, vertex)| *vertex >= spec.vertices);
    wrong
        .map(|(place, vertex)| ProblemError::UnknownVertex {
            place,
            vertex,
            vertices: spec.vertices,
        })
        .collect()
}

fn arcs(spec: &Spec, errors: &mut Vec<ProblemError>) {
    for (index, arc) in spec.arcs.iter().enumerate() {
        if arc.from == arc.to {
            errors.push(ProblemError::ArcToItself { arc: index });
        }
        time(errors, Which::Arc(index), arc.time_us, 1);
        damage(errors, Which::Fetch(index), arc.fetch_micro);
        damage(errors, Which::Carry(index), arc.carry_micro);
    }
    let ends = spec.arcs.iter().enumerate();
    let mut ends: Vec<_> = ends.map(|(index, arc)| (arc.from, arc.to, index)).collect();
    ends.sort_unstable();
    for two in ends.windows(2) {
        let [(from, to, first), (other_from, other_to, arc)] = [two[0], two[1]];
        if (from, to) == (other_from, other_to) {
            errors.push(ProblemError::ArcRepeated { arc, first });
        }
    }
}

fn time(errors: &mut Vec<ProblemError>, which: Which, given_us: u64, least_us: u64) {
    if !(least_us..=TIME_MAX_US).contains(&given_us) {
        errors.push(ProblemError::Time {
            which,
            given_us,
            least_us,
        });
    }
}

fn damage(errors: &mut Vec<ProblemError>, which: Which, given_micro: u64) {
    if given_micro > DAMAGE_MAX_MICRO {
        errors.push(ProblemError::Damage { which, given_micro });
    }
}
