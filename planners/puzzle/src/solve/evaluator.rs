//! The evaluator: rates drafts by solving them.

use super::draft::{Draft, Ground};
use super::shape::{Place, Shape};
use crate::plan::{Features, Level, effort_max};
use crate::solver::{End, Push, Rules, Search, Spot, Task, steps};

/// Rates one draft after the other, with memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Evaluator {
    task: Task,
    search: Search,
    boxes: Vec<Spot>,
    goals: Vec<Spot>,
    player: Spot,
    is_unsolvable: bool,
}

/// Value and features of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rated {
    pub(super) value_micro: i64,
    pub(super) features: Features,
    pub(super) pushes: Vec<Push>,
    /// Pushes that boxes lack which are pushed too rarely, added up; 0 for a level.
    pub(super) lacking: u32,
}

impl Evaluator {
    /// Solves a draft, opening at most `opened_max` positions. Cells out of reach become walls.
    pub(super) fn rate(
        &mut self,
        ground: &Ground<'_>,
        draft: &mut Draft,
        opened_max: u32,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Rated> {
        self.set(ground, draft)?;
        let rules =
            Rules::plain(opened_max.min(effort_max(draft.is_wall.len(), draft.boxes.len())));
        let (task, boxes) = (&self.task, &self.boxes);
        let end = self.search.solve(task, boxes, self.player, rules, go_on);
        self.is_unsolvable = end == End::Unsolvable;
        let End::Solved { pushes, effort } = end else {
            return None;
        };
        if pushes.is_empty() {
            return None;
        }
        let (features, lacking) = self.features(ground, &pushes, effort);
        Some(Rated {
            value_micro: features.value_micro(&ground.problem.spec().weights),
            features,
            pushes,
            lacking,
        })
    }

    /// Whether it is proved that the last draft that was a board has no solution.
    pub(super) fn is_unsolvable(&self) -> bool {
        self.is_unsolvable
    }

    fn set(&mut self, ground: &Ground<'_>, draft: &mut Draft) -> Option<()> {
        if draft.is_wall[draft.player] {
            return None;
        }
        let reached = draft.reached(ground, false);
        let mut pieces = draft.boxes.iter().chain(&draft.goals).chain(&ground.open);
        if pieces.any(|&cell| !reached[cell]) {
            return None;
        }
        for orbit in &ground.orbits {
            if orbit[1..]
                .iter()
                .any(|&cell| reached[cell] != reached[orbit[0]])
            {
                return None;
            }
        }
        for (is_wall, reached) in draft.is_wall.iter_mut().zip(&reached) {
            *is_wall = !reached;
        }
        draft.boxes.sort_unstable();
        draft.goals.sort_unstable();
        self.task.field.set(
            ground.width,
            |cell| draft.is_wall[cell],
            draft.is_wall.len(),
        );
        let spots = &self.task.field.spots;
        self.boxes.clear();
        self.boxes
            .extend(draft.boxes.iter().map(|&cell| spots[cell]));
        self.goals.clear();
        self.goals
            .extend(draft.goals.iter().map(|&cell| spots[cell]));
        self.player = spots[draft.player];
        self.task.set_goals(&self.goals);
        Some(())
    }

    /// Features of the level that was solved last, and the number of pushes that its boxes lack.
    fn features(&self, ground: &Ground<'_>, pushes: &[Push], effort: u32) -> (Features, u32) {
        let mut features = Features {
            effort,
            pushes: pushes.len() as u32,
            ..Features::default()
        };
        let field = &self.task.field;
        let mut at: Vec<Spot> = self.boxes.clone();
        let mut trails: Vec<Vec<Spot>> = at.iter().map(|&spot| vec![spot]).collect();
        let mut last = None;
        for push in pushes {
            // Every push is of a box that is there.
            let index = at.iter().position(|spot| *spot == push.from).unwrap_or(0);
            at[index] = field.next[usize::from(push.from)][usize::from(push.direction)];
            trails[index].push(at[index]);
            features.box_changes += u32::from(last.is_some_and(|last| last != index));
            last = Some(index);
        }
        for (trail, end) in trails.iter().zip(&at) {
            let goal = self.goals.iter().position(|goal| goal == end).unwrap_or(0);
            let against = trail.windows(2).filter(|pair| {
                self.task.pushes_to_goals(pair[1])[goal] > self.task.pushes_to_goals(pair[0])[goal]
            });
            features.counter_intuitive += against.count() as u32;
        }
        let made = trails.iter().map(|trail| trail.len() as u32 - 1);
        features.box_pushes_min = made.clone().min().unwrap_or(0);
        let least = ground.problem.spec().box_pushes_min;
        let lacking = made.map(|pushes| least.saturating_sub(pushes)).sum();
        let cells = |spots: &[Spot]| -> Vec<usize> {
            spots
                .iter()
                .map(|&spot| field.cells[usize::from(spot)])
                .collect()
        };
        let (from, to) = (cells(&self.boxes), cells(&at));
        let place = |cell: &usize| -> Place { (cell / ground.width, cell % ground.width) };
        let ends: Vec<(Place, Place)> = from
            .iter()
            .zip(&to)
            .map(|(from, to)| (place(from), place(to)))
            .collect();
        Shape::new(ground.width, &field.cells, &from, &to).measure(&ends, &mut features);
        (features, lacking)
    }

    /// The level of the draft that was rated last.
    pub(super) fn level(&self, ground: &Ground<'_>, draft: &Draft, rated: &Rated) -> Option<Level> {
        let needs_solving = ground.problem.spec().weights.needs_solving();
        Some(Level {
            rung: 0,
            board: draft.board(ground.width)?,
            solution: steps(&self.task.field, &self.boxes, self.player, &rated.pushes),
            effort: needs_solving.then_some(rated.features.effort),
            value_micro: rated.value_micro,
        })
    }
}
