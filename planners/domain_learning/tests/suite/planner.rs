//! Learning as a planner: what is offered, how it ends.

use crate::input::shown;
use crate::tale::{RELATIONS, TALE, check};
use anytime::{CancelToken, Conclusion, Limits, Planner as _, Stop, record};
use domain_learning::{
    DomainLearning, DomainParams, Edit, LearnParams, LearnedDomain, LearningCost, LearningProblem,
    RELATION_BYTES_MAX, Sources, TEXT_BYTES_MAX, WORDNET_BYTES_MAX, kinds,
};

fn spec() -> Sources {
    Sources {
        text: TALE.into(),
        relations: RELATIONS.into(),
        kinds: kinds(),
        ..Sources::default()
    }
}

/// What is offered, which passes the check at its cost, and how it ends.
pub(crate) fn study(
    spec: Sources,
    limits: Limits,
) -> (Vec<(LearnedDomain, LearningCost)>, Conclusion) {
    let books = LearningProblem::new(spec, check).expect("good books");
    let found = record(limits, 0, |control| {
        DomainLearning::solve(&books, &LearnParams::default(), control)
    });
    let found = found.expect("supported");
    for (lesson, cost) in &found.offers {
        assert_eq!(DomainLearning::verify(&books, lesson), Ok(*cost));
    }
    (found.offers, found.conclusion)
}

#[test]
fn every_round_offers_a_domain_that_stories_can_be_told_in() {
    let (offers, conclusion) = study(spec(), Limits::iterations(99));
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Exhausted));
    let rounds: Vec<u32> = offers.iter().map(|o| o.0.progress.iteration).collect();
    assert_eq!(
        rounds,
        [0, 1, 2, 3],
        "what is known of words before is enough for a domain"
    );
    assert!(offers.iter().all(|(lesson, _)| lesson.domain.is_some()));
    let (again, _) = study(spec(), Limits::iterations(99));
    assert_eq!(offers, again, "same books, same lessons");
}

#[test]
fn a_book_without_actions_is_infeasible_and_the_lesson_says_why() {
    let text = "The sky is blue. Roses are red.".into();
    let (offers, conclusion) = study(Sources { text, ..spec() }, Limits::iterations(99));
    assert_eq!(conclusion, Conclusion::Infeasible);
    let (lesson, cost) = &offers[0];
    assert!(cost.domain && lesson.domain.is_none());
    assert_eq!(lesson.mistakes[0].field(), "text");
}

#[test]
fn edits_of_words_that_are_not_there_are_told_with_their_place() {
    let word = "dragon".to_owned();
    let edits = vec![Edit::Remove { word }];
    let (offers, conclusion) = study(Sources { edits, ..spec() }, Limits::iterations(99));
    assert_eq!(conclusion, Conclusion::Infeasible);
    assert_eq!(offers[0].0.mistakes[0].field(), "edits[0].word");
}

#[test]
fn who_cancels_gets_nothing_more() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let (offers, conclusion) = study(spec(), Limits::iterations(99).with_cancel(cancel));
    assert_eq!(
        (offers.len(), conclusion),
        (0, Conclusion::Stopped(Stop::Cancelled))
    );
}

#[test]
fn lessons_that_do_not_fit_together_are_caught() {
    let (mut offers, _) = study(spec(), Limits::iterations(99));
    let books = LearningProblem::new(spec(), check).expect("good books");
    let (good, _) = offers.pop().expect("lessons");
    let spoil = |how: fn(&mut LearnedDomain)| {
        let mut lesson = good.clone();
        how(&mut lesson);
        DomainLearning::verify(&books, &lesson).is_err()
    };
    assert!(!spoil(|_| {}));
    assert!(spoil(|lesson| lesson.words[0].probabilities[0] = 2.0));
    assert!(spoil(|lesson| lesson.words[0].decided = None));
    assert!(spoil(|lesson| lesson.domain = None));
    assert!(spoil(|lesson| {
        let domain = lesson.domain.as_mut().expect("a domain");
        domain.tables[0].entries[0].1 = 1.5;
    }));
}

#[test]
fn what_shows_without_reading_is_told_at_once() {
    let binary = Sources {
        text: "MZ\u{90}\0".into(),
        kinds: Vec::new(),
        ..spec()
    };
    let mistakes = LearningProblem::new(binary, check).unwrap_err();
    let wanted = [
        "kinds: 1 to 32 actions are looked for, 0 are given",
        "text: byte 4 is a control character",
    ];
    assert_eq!(shown(&mistakes), wanted);
    let long = |mib: u64| "a".repeat((mib << 20) as usize + 1);
    let word = "king".to_owned();
    let long = Sources {
        text: long(TEXT_BYTES_MAX >> 20),
        relations: long(RELATION_BYTES_MAX >> 20),
        wordnet_index: long(WORDNET_BYTES_MAX >> 20),
        edits: vec![Edit::Remove { word }; 1_001],
        domain: DomainParams {
            items: 61,
            actions_max: 0,
            ..DomainParams::default()
        },
        ..spec()
    };
    let mistakes = LearningProblem::new(long, check).unwrap_err();
    let wanted = [
        "domain.max_items: 1 to 60 entities are chosen of a class, 61 are asked for",
        "domain.max_acts: 0 is out of range, 1 to 50",
        "edits: 1001 edits given, at most 1000 are supported",
        "text: more than 33554432 bytes of text",
        "relations: more than 268435456 bytes of relations",
        "wordnet_index: more than 67108864 bytes of a WordNet file",
    ];
    assert_eq!(shown(&mistakes), wanted);
}
