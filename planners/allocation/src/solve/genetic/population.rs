//! The population of the genetic algorithm: feasible and infeasible individuals.

use super::genome::Genome;
use super::instance::Instance;
use super::penalties::Penalties;
use mcts::Rng;
use rand::RngExt;

/// Sizes of a population.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Individuals that survive.
    pub(super) minimum: usize,
    /// Individuals that may be added before survivors are selected.
    pub(super) generation: usize,
    /// Individuals that survive by cost alone.
    pub(super) elite: usize,
    /// Number of nearest individuals that diversity is measured by.
    pub(super) closest: usize,
}

struct Individual {
    genome: Genome,
    /// Distances to all others, in their order; [`u32::MAX`] to itself.
    distances: Vec<u32>,
    fitness: f64,
}

/// The feasible or the infeasible individuals.
struct Subpopulation {
    individuals: Vec<Individual>,
}

/// Two subpopulations with diversity management: Vidal, Crainic, Gendreau, Lahrichi, Rei, "A hybrid
/// genetic algorithm for multidepot and periodic vehicle routing problems", Operations Research 60
/// (2012), section 4.5.
pub(super) struct Population {
    feasible: Subpopulation,
    infeasible: Subpopulation,
    sizes: Sizes,
}

impl Population {
    pub(super) fn new(sizes: Sizes) -> Self {
        let subpopulation = || Subpopulation {
            individuals: Vec::new(),
        };
        Self {
            feasible: subpopulation(),
            infeasible: subpopulation(),
            sizes,
        }
    }

    pub(super) fn clear(&mut self) {
        self.feasible.individuals.clear();
        self.infeasible.individuals.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.feasible.individuals.len() + self.infeasible.individuals.len()
    }

    /// Adds an individual, and selects survivors once there are too many.
    pub(super) fn add(&mut self, instance: &Instance<'_>, penalties: &Penalties, genome: &Genome) {
        let subpopulation = if genome.is_feasible(instance) {
            &mut self.feasible
        } else {
            &mut self.infeasible
        };
        subpopulation.add(genome);
        subpopulation.rank(penalties, &self.sizes);
        if subpopulation.individuals.len() > self.sizes.minimum + self.sizes.generation {
            while subpopulation.individuals.len() > self.sizes.minimum {
                subpopulation.remove_worst();
                subpopulation.rank(penalties, &self.sizes);
            }
        }
    }

    /// Ranks again, after the penalty weights have changed.
    pub(super) fn rank(&mut self, penalties: &Penalties) {
        self.infeasible.rank(penalties, &self.sizes);
    }

    /// Two parents by binary tournament, different ones where possible.
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
            let feasible = &self.feasible.individuals;
            feasible
                .get(index)
                .unwrap_or_else(|| &self.infeasible.individuals[index - feasible.len()])
        };
        let (a, b) = (any(), any());
        &(if a.fitness <= b.fitness { a } else { b }).genome
    }
}

impl Subpopulation {
    fn add(&mut self, genome: &Genome) {
        let mut distances = Vec::with_capacity(self.individuals.len() + 1);
        for individual in &mut self.individuals {
            let distance = individual.genome.distance(genome);
            individual.distances.push(distance);
            distances.push(distance);
        }
        distances.push(u32::MAX);
        self.individuals.push(Individual {
            genome: genome.clone(),
            distances,
            fitness: 0.0,
        });
    }

    /// Biased fitness: rank by penalised cost plus rank by diversity, which weighs less the larger
    /// the elite.
    fn rank(&mut self, penalties: &Penalties, sizes: &Sizes) {
        let count = self.individuals.len();
        let mut distances: Vec<u32> = Vec::new();
        let mut diversity = |individual: &Individual| {
            distances.clear();
            distances.extend_from_slice(&individual.distances);
            distances.sort_unstable();
            let near = &distances[..sizes.closest.min(count.saturating_sub(1))];
            let sum: u64 = near.iter().map(|d| u64::from(*d)).sum();
            sum * 1_000 / near.len().max(1) as u64
        };
        let diversities: Vec<u64> = self.individuals.iter().map(&mut diversity).collect();
        let costs: Vec<i64> = self
            .individuals
            .iter()
            .map(|m| m.genome.penalised_cost(penalties))
            .collect();
        let mut by_diversity: Vec<usize> = (0..count).collect();
        by_diversity.sort_by_key(|i| (std::cmp::Reverse(diversities[*i]), *i));
        // Among equal costs the more diverse first.
        let mut by_cost = by_diversity.clone();
        by_cost.sort_by_key(|i| costs[*i]);
        let share = 1.0 - sizes.elite.min(count) as f64 / count.max(1) as f64;
        for (rank, index) in by_diversity.into_iter().enumerate() {
            self.individuals[index].fitness = share * rank as f64;
        }
        for (rank, index) in by_cost.into_iter().enumerate() {
            self.individuals[index].fitness += rank as f64;
        }
    }

    /// Removes the least fit, clones before all others.
    fn remove_worst(&mut self) {
        let is_clone = |individual: &Individual| individual.distances.contains(&0);
        let key = |index: &usize| {
            let individual = &self.individuals[*index];
            (is_clone(individual), individual.fitness)
        };
        let order = |a: &usize, b: &usize| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        if let Some(worst) = (0..self.individuals.len()).max_by(order) {
            self.individuals.remove(worst);
            for individual in &mut self.individuals {
                individual.distances.remove(worst);
            }
        }
    }
}
