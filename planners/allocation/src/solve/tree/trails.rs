//! What good plans had in common: which task came after which.

use crate::solve::draft::Draft;

/// How fast a trail fades, each time another one is laid.
const FADING: f32 = 0.1;
/// A trail never fades below this; fresh ones are 1.
const LEAST: f32 = 0.02;

/// How attractive each task is after each other, between [`LEAST`] and 1.
///
/// Learnt as in max-min ant systems: Stützle, Hoos, "MAX-MIN Ant System", Future Generation
/// Computer Systems 16 (2000): all trails fade, those of the best plan are laid again.
#[derive(Debug, Clone)]
pub(crate) struct Trails {
    /// One row and one column more than tasks: for start and end places.
    side: usize,
    strengths: Vec<f32>,
}

impl Trails {
    pub(crate) fn new(tasks: usize) -> Self {
        let side = tasks + 1;
        let mut strengths = vec![1.0; side * side];
        // Going home early has to be learnt.
        strengths
            .iter_mut()
            .skip(tasks)
            .step_by(side)
            .for_each(|home| *home = LEAST);
        Self { side, strengths }
    }

    /// From a task, or from the start place, to another, or to the end place.
    #[inline]
    pub(crate) fn strength(&self, from: Option<u32>, to: Option<u32>) -> f64 {
        f64::from(self.strengths[self.index(from, to)])
    }

    fn index(&self, from: Option<u32>, to: Option<u32>) -> usize {
        let place = |task: Option<u32>| task.map_or(self.side - 1, |task| task as usize);
        place(from) * self.side + place(to)
    }

    /// Lets all trails fade, and lays those of `draft` again.
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
