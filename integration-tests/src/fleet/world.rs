//! Servers, the games on them, and how a server is chosen for a game.

use super::costs::{Game, SEARCH_SHARE};
use crate::play::Random;
use std::collections::{BTreeMap, BTreeSet};

/// How a server is chosen for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// The next living server on a ring of hashes, on which each server has this many points.
    Ring(usize),
    /// The same, past servers that have this many percent of the mean load. A game stays where it
    /// is, unless its server is lost or the first one of its walk comes back.
    Bounded(usize, u64),
    /// The server with the least load. A game stays until its server is lost.
    Owner,
}

impl Spread {
    /// What Envoy makes of `minimum_ring_size` with this many servers.
    #[must_use]
    pub fn envoy(minimum: usize, servers: usize) -> Self {
        Self::Ring(minimum.div_ceil(servers))
    }

    fn points(self) -> usize {
        match self {
            Self::Ring(points) | Self::Bounded(points, _) => points,
            Self::Owner => 0,
        }
    }
}

#[derive(Debug, Clone)]
struct Server {
    is_up: bool,
    load: u64,
}

/// Servers, and where each game is.
#[derive(Debug, Clone)]
pub struct Fleet {
    spread: Spread,
    cores: u64,
    seed: u64,
    ring: Vec<[u64; 2]>,
    servers: Vec<Server>,
    by_load: BTreeSet<[u64; 2]>,
    games: BTreeMap<u64, Place>,
    total: u64,
}

/// A game and its server.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) game: Game,
    pub(super) server: usize,
}

impl Fleet {
    /// Servers with this many cores and without games. Zone of a server: its number modulo 3.
    #[must_use]
    pub fn new(spread: Spread, servers: usize, cores: u64, seed: u64) -> Self {
        let mut fleet = Self {
            spread,
            cores,
            seed,
            ring: Vec::new(),
            servers: Vec::new(),
            by_load: BTreeSet::new(),
            games: BTreeMap::new(),
            total: 0,
        };
        fleet.grow(servers);
        fleet
    }

    /// Adds servers, and returns the games that moved to them.
    pub(super) fn grow(&mut self, count: usize) -> Vec<Place> {
        let first = self.servers.len();
        let new: Vec<usize> = (first..first + count).collect();
        for server in &new {
            self.servers.push(Server {
                is_up: false,
                load: 0,
            });
            let mut points = Random::new(self.hash(*server as u64 | 1 << 63));
            let points = (0..self.spread.points()).map(|_| [points.number(), *server as u64]);
            self.ring.extend(points);
        }
        self.ring.sort_unstable();
        self.set_up(&new)
    }

    /// Lets servers come, and returns the games that moved to them.
    pub(super) fn set_up(&mut self, servers: &[usize]) -> Vec<Place> {
        for &server in servers {
            assert!(!self.servers[server].is_up, "it is there");
            self.servers[server].is_up = true;
            self.by_load.insert([0, server as u64]);
        }
        if self.spread == Spread::Owner {
            return Vec::new();
        }
        let homes = self.games.values().map(|it| (*it, self.home(it.game.id)));
        let wanted = homes.filter(|(it, home)| it.server != *home && servers.contains(home));
        let wanted: Vec<(Place, usize)> = wanted.collect();
        let mut moved = Vec::new();
        for (place, home) in wanted {
            if self.has_room(home, 0) {
                moved.push(self.place_again(place));
            }
        }
        moved
    }

    /// Takes servers away, and returns their games where they are then.
    pub(super) fn set_down(&mut self, servers: &[usize]) -> Vec<Place> {
        for &server in servers {
            assert!(self.servers[server].is_up, "it is there");
            self.servers[server].is_up = false;
            let load = self.servers[server].load;
            self.by_load.remove(&[load, server as u64]);
        }
        let lost = self.games.values().filter(|it| !self.is_up(it.server));
        let lost: Vec<Place> = lost.copied().collect();
        let again = lost.into_iter().map(|place| self.place_again(place));
        again.collect()
    }

    fn place_again(&mut self, place: Place) -> Place {
        self.end(place.game.id);
        let server = self.begin(place.game);
        Place { server, ..place }
    }

    /// Whether a server may have another game. `new` is the load of a game that is not counted yet.
    fn has_room(&self, server: usize, new: u64) -> bool {
        let Spread::Bounded(_, percent) = self.spread else {
            return true;
        };
        let mean = (self.total + new) / self.by_load.len() as u64;
        self.servers[server].load < mean * percent / 100
    }

    /// Begins a game, and returns its server.
    ///
    /// # Panics
    /// When no server is up.
    pub fn begin(&mut self, game: Game) -> usize {
        let server = match self.spread {
            Spread::Ring(_) | Spread::Bounded(..) => {
                let mut walk = self.walk(game.id);
                let free = walk.find(|server| self.has_room(*server, game.load));
                free.expect("one has less than the mean")
            }
            Spread::Owner => self.by_load.first().expect("one is up")[1] as usize,
        };
        self.games.insert(game.id, Place { game, server });
        self.total += game.load;
        self.set_load(server, self.servers[server].load + game.load);
        server
    }

    /// Ends a game.
    ///
    /// # Panics
    /// When there is none of this id.
    pub fn end(&mut self, id: u64) {
        let place = self.games.remove(&id).expect("it runs");
        self.total -= place.game.load;
        self.set_load(
            place.server,
            self.servers[place.server].load - place.game.load,
        );
    }

    fn set_load(&mut self, server: usize, load: u64) {
        let before = std::mem::replace(&mut self.servers[server].load, load);
        if self.by_load.remove(&[before, server as u64]) {
            self.by_load.insert([load, server as u64]);
        }
    }

    fn hash(&self, key: u64) -> u64 {
        Random::new(self.seed.rotate_left(32) ^ key).number()
    }

    /// Living servers in the order of the ring, from the hash of a game on.
    fn walk(&self, id: u64) -> impl Iterator<Item = usize> {
        let hash = self.hash(id);
        let at = self.ring.partition_point(|point| point[0] < hash);
        let points = self.ring[at..].iter().chain(&self.ring[..at]);
        let servers = points.map(|point| point[1] as usize);
        servers.filter(|server| self.is_up(*server))
    }

    fn home(&self, id: u64) -> usize {
        self.walk(id).next().expect("one is up")
    }

    pub(super) fn is_up(&self, server: usize) -> bool {
        self.servers[server].is_up
    }

    /// Numbers of all servers.
    pub(super) fn numbers(&self) -> std::ops::Range<usize> {
        0..self.servers.len()
    }

    /// Cores of a server that its updates leave free, at least one. Searches yield to new sessions.
    pub(super) fn free_cores(&self, server: usize) -> u64 {
        let updates = self.servers[server].load as f64 / 1e6 / (1.0 + SEARCH_SHARE);
        self.cores.saturating_sub(updates.ceil() as u64).max(1)
    }

    /// All games with their servers.
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.games.values()
    }

    /// Cores that updates and searches of all games take.
    #[must_use]
    pub fn cores(&self) -> f64 {
        self.total as f64 / 1e6
    }

    /// Load of each living server as a share of its cores, in rising order.
    #[must_use]
    pub fn utilisations(&self) -> Vec<f64> {
        let loads = self.by_load.iter();
        loads
            .map(|it| it[0] as f64 / 1e6 / self.cores as f64)
            .collect()
    }

    /// Updates in a second that come at servers whose updates take more than all cores.
    #[must_use]
    pub fn excess(&self) -> f64 {
        let excess = self.games.values().map(|place| {
            let updates = self.servers[place.server].load as f64 / 1e6 / (1.0 + SEARCH_SHARE);
            place.game.rate as f64 * (1.0 - self.cores as f64 / updates).max(0.0)
        });
        excess.sum()
    }
}

/// Games that begin and end, always as many.
#[derive(Debug, Clone)]
pub struct Churn {
    random: Random,
    running: Vec<u64>,
    named: u64,
}

impl Churn {
    /// Begins this many games.
    pub fn new(fleet: &mut Fleet, count: usize, seed: u64) -> Self {
        let mut churn = Self {
            random: Random::new(seed),
            running: Vec::new(),
            named: 0,
        };
        for _ in 0..count {
            churn.begin(fleet);
        }
        churn
    }

    fn begin(&mut self, fleet: &mut Fleet) {
        self.named += 1;
        fleet.begin(Game::new(self.named, &mut self.random));
        self.running.push(self.named);
    }

    /// Ends this many games at random, and begins as many.
    pub fn turn_over(&mut self, fleet: &mut Fleet, count: usize) {
        for _ in 0..count {
            let at = self.random.below(self.running.len());
            fleet.end(self.running.swap_remove(at));
            self.begin(fleet);
        }
    }
}
