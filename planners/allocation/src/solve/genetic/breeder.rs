//! Hybrid genetic search.

use super::cover::Cover;
use super::cross::Cross;
use super::descent::Descent;
use super::genome::Genome;
use super::ground::Ground;
use super::pool::{Pool, assemble};
use super::population::{Population, Sizes};
use super::prices::Scales;
use super::tours::Tours;
use anytime::Pulse;
use mcts::Rng;
use rand::{RngExt, SeedableRng};

/// Plans of the first generation.
const FIRST: usize = 20;
/// Sizes of the population.
const SIZES: Sizes = Sizes {
    least: 20,
    more: 30,
    elite: 4,
    close: 5,
};
/// How often a plan that breaks rules is repaired, and at how many times the prices.
const REPAIR_SHARE: f64 = 0.5;
const REPAIR_PRICE: f64 = 10.0;
/// Children that cost at most the best and one part in so many are looked at as a whole.
const PROMISING: i64 = 50;
const GENETIC: &str = "genetic search";
/// Children without a better plan after which the population is given up.
const STALE_MAX: u64 = 5_000;

/// A population with what it takes to breed: Vidal et al. 2012 and 2013.
pub(super) struct Breeder {
    population: Population,
    tours: Tours,
    descent: Descent,
    cross: Cross,
    scales: Scales,
    rng: Rng,
    genome: Genome,
    /// The best legal plan since the last restart.
    local_cost: i64,
    best: Option<Genome>,
    found_by: &'static str,
    pub(super) pool: Pool,
    pulse: Pulse,
    first_left: usize,
    stale: u64,
}

impl Breeder {
    pub(super) fn new(ground: &Ground<'_>, seed: u64, pulse: Pulse) -> Self {
        let scales = Scales::new(ground);
        Self {
            population: Population::new(SIZES),
            tours: Tours::new(ground, scales.prices()),
            descent: Descent::new(ground, pulse.clone()),
            cross: Cross::new(ground),
            scales,
            rng: Rng::seed_from_u64(seed),
            genome: Genome::default(),
            local_cost: i64::MAX,
            best: None,
            found_by: GENETIC,
            pool: Pool::default(),
            pulse,
            first_left: FIRST,
            stale: 0,
        }
    }

    /// The best legal plan, and what found it.
    pub(super) fn best(&self) -> Option<(&Genome, &'static str)> {
        Some((self.best.as_ref()?, self.found_by))
    }

    /// Puts routes of the pool together to a better plan, if there is one.
    pub(super) fn recombine(&mut self, ground: &Ground<'_>) {
        let columns = self.pool.columns(ground);
        let limit = match &self.best {
            Some(best) => best.cost,
            None => self.genome.cost + self.genome.cost / 5,
        };
        if self.genome.next.is_empty() || limit >= ground.missing {
            return;
        }
        if let Some(chosen) = Cover::new(ground, &columns, limit).solve(&self.pulse) {
            let genome = assemble(ground, (&columns, &chosen), &mut self.tours);
            if genome.is_legal(ground) {
                self.found_by = "recombined routes";
                self.population.add(ground, &self.scales.prices(), &genome);
                self.note(ground, &genome);
            }
        }
    }

    /// Lets a plan from elsewhere breed too.
    pub(super) fn welcome(&mut self, ground: &Ground<'_>, genome: &Genome) {
        self.population.add(ground, &self.scales.prices(), genome);
        self.note(ground, genome);
    }

    /// One child, or one plan of the first generation. False if it was stopped before.
    pub(super) fn step(&mut self, ground: &Ground<'_>) -> bool {
        self.tours.set_prices(ground, self.scales.prices());
        let is_child = self.first_left == 0 && self.population.len() > 1;
        let mut whole = true;
        if is_child {
            let parents = self.population.parents(&mut self.rng);
            let child = (&mut self.tours, &mut self.rng);
            self.cross.breed(ground, parents, child);
            // Most children are not worth more than a look at where their parents meet.
            self.descent.want_seams(&self.tours, parents);
            if !self.descent.some(ground, &mut self.tours, &mut self.rng) {
                return false;
            }
            let limit = self.local_cost.saturating_add(self.local_cost / PROMISING);
            whole = self.tours.energy() < limit;
        } else {
            self.first_left = self.first_left.saturating_sub(1);
            self.tours.clear(ground);
            self.cross.fill(ground, &mut self.tours, &mut self.rng);
        }
        if whole && !self.descent.all(ground, &mut self.tours, &mut self.rng) {
            return false;
        }
        // Where windows decide where tasks go, exchanges between whole routes find too little for
        // the time they take.
        let energy = self.tours.energy();
        let is_worth_more = energy < self.local_cost || is_child && whole && ground.is_loose;
        if is_worth_more && !self.descent.more(ground, &mut self.tours) {
            return false;
        }
        let is_legal = self.keep(ground);
        self.scales.note(&self.genome);
        if !is_legal && self.rng.random::<f64>() < REPAIR_SHARE {
            self.tours
                .set_prices(ground, self.scales.prices().times(REPAIR_PRICE));
            if !self.descent.all(ground, &mut self.tours, &mut self.rng) {
                return false;
            }
            if self.genome_is_legal(ground) {
                self.keep(ground);
            }
        }
        if self.scales.update() {
            self.population.rank(&self.scales.prices());
        }
        self.stale += 1;
        if self.stale > STALE_MAX {
            self.population.clear();
            (self.local_cost, self.first_left, self.stale) = (i64::MAX, FIRST, 0);
        }
        true
    }

    fn genome_is_legal(&mut self, ground: &Ground<'_>) -> bool {
        self.genome.copy(ground, &self.tours);
        self.genome.is_legal(ground)
    }

    /// Takes the plan that was laid out into the population. True if it is legal.
    fn keep(&mut self, ground: &Ground<'_>) -> bool {
        self.genome.copy(ground, &self.tours);
        self.pool.note(ground, &self.tours);
        let genome = std::mem::take(&mut self.genome);
        self.found_by = GENETIC;
        self.population.add(ground, &self.scales.prices(), &genome);
        self.note(ground, &genome);
        self.genome = genome;
        self.genome.is_legal(ground)
    }

    fn note(&mut self, ground: &Ground<'_>, genome: &Genome) {
        if !genome.is_legal(ground) {
            return;
        }
        if genome.cost < self.local_cost {
            (self.local_cost, self.stale) = (genome.cost, 0);
        }
        if self
            .best
            .as_ref()
            .is_none_or(|best| genome.cost < best.cost)
        {
            self.best = Some(genome.clone());
        }
    }
}
