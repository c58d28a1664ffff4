//! Levels of boxes, and their solutions.

use super::{Family, Search, checking, plan, solving};
use crate::Draw;
use ::puzzle::solve::impossible;
use ::puzzle::{
    Goal, Params, Plan, Problem, Puzzle, Solver, Spec, Strategy, Symmetry, Theme, Walls, Weights,
};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "puzzle new",
        make: new,
    },
    Family {
        name: "puzzle solve",
        make: solve,
    },
    Family {
        name: "puzzle board",
        make: board,
    },
    Family {
        name: "puzzle verify",
        make: verify,
    },
    Family {
        name: "puzzle explain",
        make: why,
    },
];

/// What is wanted by a seed; not all are valid.
#[must_use]
pub fn spec(seed: u64) -> Spec {
    let mut draw = Draw::new(seed);
    let (width, height) = (draw.size(4, 64), draw.size(4, 64));
    let most = ((width - 2) * (height - 2) / 4).clamp(1, 32);
    let boxes_min = draw.size(1, most);
    let weights = if draw.chance(65) {
        Weights::DIFFICULTY
    } else {
        Weights::SCORE
    };
    let square = width == height;
    let goal = if draw.chance(50) {
        Goal::Most
    } else {
        Goal::Hit {
            easiest_micro: 3_000_000,
            hardest_micro: 1_000_000 * draw.pick(3, 15) as i64,
            tolerance_percent: 15,
        }
    };
    Spec {
        width,
        height,
        template: Vec::new(),
        boxes_min,
        boxes_max: draw.pick(boxes_min, most),
        symmetry: draw.one_of(&[
            Symmetry::None,
            Symmetry::None,
            Symmetry::LeftRight,
            Symmetry::HalfTurn,
            if square {
                Symmetry::QuarterTurn
            } else {
                Symmetry::Both
            },
        ]),
        theme: draw.one_of(&[Theme::Any, Theme::Any, Theme::Dynamic, Theme::Static]),
        walls: draw.one_of(&[Walls::Full, Walls::Full, Walls::Outline, Walls::Needed]),
        weights,
        goal,
        levels: draw.one_of(&[1, 1, 1, 3, 10]),
        difference_min_percent: draw.one_of(&[0, 10, 30]),
        box_pushes_min: draw.one_of(&[0, 2, 2, 5]),
        avoided: Vec::new(),
    }
}

/// How it is searched.
#[must_use]
pub fn params(seed: u64) -> Params {
    let strategy = if Draw::new(!seed).chance(80) {
        Strategy::Auto
    } else {
        Strategy::Mcts
    };
    Params {
        strategy,
        ..Params::default()
    }
}

fn new(seed: u64) -> Option<Search> {
    let spec = spec(seed);
    Some(Box::new(move |_| {
        let _ = Problem::new(spec.clone());
    }))
}

fn solve(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    Some(solving::<Puzzle>(problem, params(seed), seed))
}

fn planned(seed: u64) -> Option<(Problem, Plan)> {
    let problem = Problem::new(spec(seed)).ok()?;
    let plan = plan::<Puzzle>(&problem, &Params::default(), 2_000)?;
    Some((problem, plan))
}

fn board(seed: u64) -> Option<Search> {
    let (_, plan) = planned(seed)?;
    let level = plan.levels.into_iter().next()?;
    Some(solving::<Solver>(level.board.into(), (), seed))
}

fn verify(seed: u64) -> Option<Search> {
    let (problem, plan) = planned(seed)?;
    Some(checking::<Puzzle>(problem, plan))
}

fn why(seed: u64) -> Option<Search> {
    let problem = Problem::new(spec(seed)).ok()?;
    Some(Box::new(move |_| {
        let _ = impossible(&problem);
    }))
}
