//! Pheromones: arcs of good plans, as in ant colony optimisation.

use crate::solve::draft::Draft;

/// Evaporation at each update.
const FADING: f32 = 0.1;
/// Least pheromone; initial ones are 1.
const LEAST: f32 = 0.02;

/// Pheromone of each arc, between [`LEAST`] and 1.
///
/// MAX-MIN ant system: Stützle, Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16
/// (2000): all pheromones evaporate, those of the best plan are reinforced.
#[derive(Debug, Clone)]
pub(crate) struct Pheromones {
    /// One row and one column more than tasks: for start and end places.
    side: usize,
    strengths: Vec<f32>,
}

impl Pheromones {
    pub(crate) fn new(tasks: usize) -> Self {
        let side = tasks + 1;
        let mut strengths = vec![1.0; side * side];
        // Early ends of routes have to be learnt.
        strengths
            .iter_mut()
            .skip(tasks)
            .step_by(side)
            .for_each(|home| *home = LEAST);
        Self { side, strengths }
    }

    /// Pheromone of the arc from a task or the start place to a task or the end place.
    #[inline]
    pub(crate) fn strength(&self, from: Option<u32>, to: Option<u32>) -> f64 {
        f64::from(self.strengths[self.index(from, to)])
    }

    fn index(&self, from: Option<u32>, to: Option<u32>) -> usize {
        let place = |task: Option<u32>| task.map_or(self.side - 1, |task| task as usize);
        place(from) * self.side + place(to)
    }

    /// Evaporates all pheromones, and reinforces those of `draft`.
    pub(crate) fn lay(&mut self, draft: &Draft) {
        for strength in &mut self.strengths {
            *strength = (*strength * (1.0 - FADING)).max(LEAST);
        }
        for path in draft.paths.iter().filter(|path| !path.visits.is_empty()) {
            let mut from = None;
            let tasks = path.visits.iter().map(|visit| Some(visit.task));
            for to in tasks.chain([None]) {
                let index = self.index(from, to);
                self.strengths[index] = (self.strengths[index] + FADING).min(1.0);
                from = to;
            }
        }
    }
}
