//! Pheromones: arcs of good plans, as in ant colony optimisation.

use crate::solve::draft::Draft;

/// Evaporation at each update.
const EVAPORATION: f32 = 0.1;
/// Least pheromone; initial ones are 1.
const PHEROMONE_MIN: f32 = 0.02;

/// Pheromone of each arc, between [`PHEROMONE_MIN`] and 1.
///
/// MAX-MIN ant system: Stützle, Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16
/// (2000): all pheromones evaporate, those of the best plan are reinforced.
#[derive(Debug, Clone)]
pub(crate) struct Pheromones {
    /// One row and one column more than tasks: for start and end places.
    side: usize,
    values: Vec<f32>,
}

impl Pheromones {
    pub(crate) fn new(tasks: usize) -> Self {
        let side = tasks + 1;
        let mut values = vec![1.0; side * side];
        // Early ends of routes have to be learnt.
        values
            .iter_mut()
            .skip(tasks)
            .step_by(side)
            .for_each(|home| *home = PHEROMONE_MIN);
        Self { side, values }
    }

    /// Pheromone of the arc from a task or the start place to a task or the end place.
    #[inline]
    pub(crate) fn value(&self, from: Option<u32>, to: Option<u32>) -> f64 {
        f64::from(self.values[self.index(from, to)])
    }

    fn index(&self, from: Option<u32>, to: Option<u32>) -> usize {
        let place = |task: Option<u32>| task.map_or(self.side - 1, |task| task as usize);
        place(from) * self.side + place(to)
    }

    /// Evaporates all pheromones, and reinforces those of `draft`.
    pub(crate) fn reinforce(&mut self, draft: &Draft) {
        for value in &mut self.values {
            *value = (*value * (1.0 - EVAPORATION)).max(PHEROMONE_MIN);
        }
        for path in draft.paths.iter().filter(|path| !path.visits.is_empty()) {
            let mut from = None;
            let tasks = path.visits.iter().map(|visit| Some(visit.task));
            for to in tasks.chain([None]) {
                let index = self.index(from, to);
                self.values[index] = (self.values[index] + EVAPORATION).min(1.0);
                from = to;
            }
        }
    }
}
