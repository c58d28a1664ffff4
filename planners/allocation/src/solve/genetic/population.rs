//! Plans that breed: those that keep all rules, and those that do not, apart.

use super::genome::Genome;
use super::ground::Ground;
use super::tours::Prices;
use mcts::Rng;
use rand::RngExt;

/// Sizes of a population.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Plans that survive.
    pub(super) least: usize,
    /// Plans that may come before some have to go.
    pub(super) more: usize,
    /// Plans that survive by their energy alone.
    pub(super) elite: usize,
    /// Nearest plans that count as the surroundings.
    pub(super) close: usize,
}

struct Member {
    genome: Genome,
    /// Distances to all others, in their order; to itself [`u32::MAX`].
    distances: Vec<u32>,
    fitness: f64,
}

/// Half of a population.
struct Half {
    members: Vec<Member>,
}

/// Two halves with diversity management: Vidal, Crainic, Gendreau, Lahrichi, Rei, "A hybrid genetic
/// algorithm for multidepot and periodic vehicle routing problems", Operations Research 60 (2012),
/// section 4.5.
pub(super) struct Population {
    legal: Half,
    broken: Half,
    sizes: Sizes,
}

impl Population {
    pub(super) fn new(sizes: Sizes) -> Self {
        let half = || Half {
            members: Vec::new(),
        };
        Self {
            legal: half(),
            broken: half(),
            sizes,
        }
    }

    pub(super) fn clear(&mut self) {
        self.legal.members.clear();
        self.broken.members.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.legal.members.len() + self.broken.members.len()
    }

    /// Adds a plan; some go when there are too many.
    pub(super) fn add(&mut self, ground: &Ground<'_>, prices: &Prices, genome: &Genome) {
        let half = if genome.is_legal(ground) {
            &mut self.legal
        } else {
            &mut self.broken
        };
        half.add(genome);
        half.rank(prices, &self.sizes);
        if half.members.len() > self.sizes.least + self.sizes.more {
            while half.members.len() > self.sizes.least {
                half.drop_worst();
                half.rank(prices, &self.sizes);
            }
        }
    }

    /// Ranks anew, after prices have changed.
    pub(super) fn rank(&mut self, prices: &Prices) {
        self.broken.rank(prices, &self.sizes);
    }

    /// Two plans, different ones where possible, each the fitter of two.
    pub(super) fn parents(&self, rng: &mut Rng) -> (&Genome, &Genome) {
        let one = self.tournament(rng);
        for _ in 0..10 {
            let two = self.tournament(rng);
            if one.distance(two) > 0 {
                return (one, two);
            }
        }
        (one, self.tournament(rng))
    }

    fn tournament(&self, rng: &mut Rng) -> &Genome {
        let mut any = || {
            let index = rng.random_range(0..self.len());
            let legal = &self.legal.members;
            legal
                .get(index)
                .unwrap_or_else(|| &self.broken.members[index - legal.len()])
        };
        let (a, b) = (any(), any());
        &(if a.fitness <= b.fitness { a } else { b }).genome
    }
}

impl Half {
    fn add(&mut self, genome: &Genome) {
        let mut distances = Vec::with_capacity(self.members.len() + 1);
        for member in &mut self.members {
            let distance = member.genome.distance(genome);
            member.distances.push(distance);
            distances.push(distance);
        }
        distances.push(u32::MAX);
        self.members.push(Member {
            genome: genome.clone(),
            distances,
            fitness: 0.0,
        });
    }

    /// Fitness: rank by energy, and rank by distance to the nearest others, which counts less the
    /// more elite there is.
    fn rank(&mut self, prices: &Prices, sizes: &Sizes) {
        let count = self.members.len();
        let mut close: Vec<u32> = Vec::new();
        let mut crowd = |member: &Member| {
            close.clear();
            close.extend_from_slice(&member.distances);
            close.sort_unstable();
            let near = &close[..sizes.close.min(count.saturating_sub(1))];
            let sum: u64 = near.iter().map(|d| u64::from(*d)).sum();
            sum * 1_000 / near.len().max(1) as u64
        };
        let crowds: Vec<u64> = self.members.iter().map(&mut crowd).collect();
        let energies: Vec<i64> = self
            .members
            .iter()
            .map(|m| m.genome.energy(prices))
            .collect();
        let mut lonely: Vec<usize> = (0..count).collect();
        lonely.sort_by_key(|i| (std::cmp::Reverse(crowds[*i]), *i));
        // Among equal energies the lonelier first.
        let mut cheap = lonely.clone();
        cheap.sort_by_key(|i| energies[*i]);
        let share = 1.0 - sizes.elite.min(count) as f64 / count.max(1) as f64;
        for (rank, index) in lonely.into_iter().enumerate() {
            self.members[index].fitness = share * rank as f64;
        }
        for (rank, index) in cheap.into_iter().enumerate() {
            self.members[index].fitness += rank as f64;
        }
    }

    /// Drops the least fit, plans that are there twice before all others.
    fn drop_worst(&mut self) {
        let is_clone = |member: &Member| member.distances.contains(&0);
        let key = |index: &usize| {
            let member = &self.members[*index];
            (is_clone(member), member.fitness)
        };
        let order = |a: &usize, b: &usize| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        if let Some(worst) = (0..self.members.len()).max_by(order) {
            self.members.remove(worst);
            for member in &mut self.members {
                member.distances.remove(worst);
            }
        }
    }
}
