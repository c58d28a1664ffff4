//! Tales, several of them, tales with choices, and domains learned from books.

use super::{Family, Search, checking, crime, plan, pulse, solving};
use crate::Draw;
use ::story::branch::{BranchProblem, Params as BranchParams, StoryBranching};
use ::story::diverse::{DiverseProblem, DiverseStories, Params as StoriesParams};
use ::story::generate::domain;
use ::story::{Params, Problem, Spec, Story, Strategy, account};
use domain_learning::{DomainLearning, LearnParams, LearningProblem, Sources, kinds};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "story new",
        make: new,
    },
    Family {
        name: "story solve",
        make: solve,
    },
    Family {
        name: "story several",
        make: several,
    },
    Family {
        name: "story branch",
        make: branched,
    },
    Family {
        name: "story learn",
        make: learn,
    },
    Family {
        name: "story learn new",
        make: new_books,
    },
    Family {
        name: "story verify",
        make: verify,
    },
    Family {
        name: "story explain",
        make: why,
    },
    Family {
        name: "story several verify",
        make: verify_several,
    },
    Family {
        name: "story several explain",
        make: why_several,
    },
    Family {
        name: "story branch verify",
        make: verify_branched,
    },
    Family {
        name: "story learn verify",
        make: verify_learned,
    },
];

fn spec(seed: u64) -> Spec {
    if Draw::new(!seed).chance(20) {
        domain(seed)
    } else {
        crime::spec(seed)
    }
}

/// The domain of a seed, if it is valid.
#[must_use]
pub fn problem(seed: u64) -> Option<Problem> {
    Problem::new(&spec(seed)).ok()
}

fn params(seed: u64) -> Params {
    let mut draw = Draw::new(!seed);
    let strategy = if draw.chance(65) {
        Strategy::Auto
    } else {
        draw.one_of(&[
            Strategy::Optimal,
            Strategy::Mcts,
            Strategy::MctsSelection,
            Strategy::MctsRollout,
            Strategy::Iterative,
        ])
    };
    Params {
        strategy,
        ..Params::default()
    }
}

fn new(seed: u64) -> Option<Search> {
    let spec = spec(seed);
    Some(Box::new(move |_| {
        let _ = Problem::new(&spec);
    }))
}

fn solve(seed: u64) -> Option<Search> {
    Some(solving::<Story>(problem(seed)?, params(seed), seed))
}

fn request(seed: u64) -> Option<DiverseProblem> {
    let mut draw = Draw::new(!seed);
    DiverseProblem::new(problem(seed)?, draw.pick(2, 10), draw.pick(1, 4)).ok()
}

fn several(seed: u64) -> Option<Search> {
    let params = StoriesParams {
        each: params(seed),
        ..StoriesParams::default()
    };
    Some(solving::<DiverseStories>(request(seed)?, params, seed))
}

fn quest(seed: u64) -> Option<BranchProblem> {
    let problem = problem(seed)?;
    let story = plan::<Story>(&problem, &Params::default(), 1_000)?;
    let player = Draw::new(!seed).pick(0, 1);
    BranchProblem::new(problem, story, player).ok()
}

fn branch_params(seed: u64) -> BranchParams {
    let mut draw = Draw::new(!seed);
    BranchParams {
        depth: draw.pick(1, 6),
        width: draw.pick(1, 10),
        choices_max: draw.size(1, 300),
        ..BranchParams::default()
    }
}

fn branched(seed: u64) -> Option<Search> {
    Some(solving::<StoryBranching>(
        quest(seed)?,
        branch_params(seed),
        seed,
    ))
}

/// Sentences of a few random words, with names, in paragraphs of random lengths.
fn books(seed: u64) -> Sources {
    const WORDS: [&str; 24] = [
        "the king",
        "the thief",
        "Bram",
        "Velden",
        "the castle",
        "the purse",
        "a knife",
        "the tower",
        "the queen",
        "a garden",
        "killed",
        "walked to",
        "went to",
        "stole",
        "took",
        "gave",
        "in",
        "with",
        "and",
        "from",
        "the soldier",
        "the lamp",
        "sword",
        "forest",
    ];
    let mut draw = Draw::new(seed);
    let sentences = draw.size(1, 8_000);
    let longest = draw.one_of(&[8, 20, 60]);
    let paragraph = draw.one_of(&[3, 50, 100_000]);
    let mut text = String::new();
    for sentence in 0..sentences {
        text.push_str("Bram");
        for _ in 0..draw.pick(2, longest) {
            text.push(' ');
            text.push_str(draw.one_of(&WORDS));
            if draw.chance(8) {
                text.push_str(&format!(" Name{}", draw.pick(0, 400)));
            }
        }
        text.push_str(if sentence % paragraph == 0 {
            ".\n\n"
        } else {
            ". "
        });
    }
    Sources {
        text,
        kinds: kinds(),
        ..Sources::default()
    }
}

fn learn(seed: u64) -> Option<Search> {
    let books = LearningProblem::new(books(seed), |_| Vec::new()).ok()?;
    Some(solving::<DomainLearning>(
        books,
        LearnParams::default(),
        seed,
    ))
}

fn new_books(seed: u64) -> Option<Search> {
    let spec = books(seed);
    Some(Box::new(move |_| {
        let _ = LearningProblem::new(spec.clone(), |_| Vec::new());
    }))
}

fn verify_learned(seed: u64) -> Option<Search> {
    let books = LearningProblem::new(books(seed), |_| Vec::new()).ok()?;
    let lesson = plan::<DomainLearning>(&books, &LearnParams::default(), 10_000)?;
    Some(checking::<DomainLearning>(books, lesson))
}

fn verify(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let story = plan::<Story>(&problem, &Params::default(), 1_000)?;
    Some(checking::<Story>(problem, story))
}

fn why(seed: u64) -> Option<Search> {
    let problem = problem(seed)?;
    let story = plan::<Story>(&problem, &Params::default(), 1_000)?;
    Some(Box::new(move |_| {
        let _ = account(&problem, &story);
    }))
}

fn verify_several(seed: u64) -> Option<Search> {
    let request = request(seed)?;
    let stories = plan::<DiverseStories>(&request, &StoriesParams::default(), 3_000)?;
    Some(checking::<DiverseStories>(request, stories))
}

fn why_several(seed: u64) -> Option<Search> {
    let request = request(seed)?;
    let stories = plan::<DiverseStories>(&request, &StoriesParams::default(), 3_000)?;
    Some(Box::new(move |token| {
        let wanted = pulse(token);
        for story in &stories.stories {
            let _ = account(request.problem(), story);
            if wanted.stop().is_some() {
                break;
            }
        }
    }))
}

fn verify_branched(seed: u64) -> Option<Search> {
    let quest = quest(seed)?;
    let tree = plan::<StoryBranching>(&quest, &branch_params(seed), 3_000)?;
    Some(checking::<StoryBranching>(quest, tree))
}
