//! Levels without needless walls.

use super::super::draft::Draft;
use super::super::evaluator::Rated;
use super::Run;
use crate::plan::{as_hard, effort_max_tried};

impl Run<'_, '_, '_> {
    /// Takes out needless walls until there are none, and rates what is left. False: what is left
    /// is no level that can be checked. The evaluator holds what is left.
    pub(super) fn thin_out(&mut self, draft: &mut Draft, rated: &mut Rated) -> bool {
        let problem = self.problem;
        loop {
            let inner = problem.inner_walls(&|cell| draft.is_wall[cell]);
            let cells = draft.is_wall.len();
            let opened_max = effort_max_tried(cells, draft.boxes.len(), inner.len());
            let thinner = inner
                .iter()
                .find_map(|images| self.without_walls(draft, images, rated, opened_max));
            let Some(thinner) = thinner else {
                // The last try was another board; and a search that was stopped proves nothing.
                let again = self.weigh(draft, opened_max);
                return rated.lacking == 0 && again.as_ref() == Some(rated);
            };
            (*draft, *rated) = thinner;
        }
    }

    /// The draft without some walls, if they are needless.
    fn without_walls(
        &mut self,
        draft: &Draft,
        walls: &[usize],
        rated: &Rated,
        opened_max: u32,
    ) -> Option<(Draft, Rated)> {
        let mut next = draft.clone();
        for &cell in walls {
            next.is_wall[cell] = false;
        }
        let as_hard = as_hard(rated.features.effort);
        let after = self.weigh(&mut next, opened_max)?;
        let is_same = after.features.pushes == rated.features.pushes
            && as_hard.contains(&after.features.effort);
        is_same.then_some((next, after))
    }
}
