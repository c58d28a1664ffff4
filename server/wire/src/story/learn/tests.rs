//! What each mistake of books, learning, edits and domains is reported as: field, code and text.

use super::*;
use crate::story::lesson::explanation;
use anytime::{Control, Limits, Planner as _};
use domain_learning::LearnedDomain;
use pb::story_edit::Kind;

const TALE: &str = "The king took the sword to the castle. The thief stole the crown from the \
    king. The king killed the thief with the sword. The king arrested the thief in the castle.";
const RELATIONS: &str =
    "IsA\tking\tperson\nIsA\tthief\tperson\nUsedFor\tsword\tfight\nAtLocation\tking\tcastle\n";
const DATA: &str = "00000001 03 n 01 location 0 000 | where\n";
const INDEX: &str = "location n 1 0 1 1 00000001\n";

/// A request from which a domain is learned.
fn good() -> pb::LearnStoryDomainRequest {
    pb::LearnStoryDomainRequest {
        books: Some(pb::StoryBooks {
            text: TALE.into(),
            relations: RELATIONS.into(),
            wordnet_data: DATA.into(),
            wordnet_index: INDEX.into(),
            ..pb::StoryBooks::default()
        }),
        ..pb::LearnStoryDomainRequest::default()
    }
}

fn with_books(change: impl Fn(&mut pb::StoryBooks)) -> pb::LearnStoryDomainRequest {
    let mut request = good();
    change(request.books.get_or_insert_default());
    request
}

fn with_edits(kinds: Vec<Kind>) -> pb::LearnStoryDomainRequest {
    let edits = kinds.into_iter().map(|it| pb::StoryEdit { kind: Some(it) });
    pb::LearnStoryDomainRequest {
        edits: edits.collect(),
        ..good()
    }
}

/// What is wrong with a request, before or after learning: field, code and text.
fn reported(request: pb::LearnStoryDomainRequest, named: Named) -> Vec<String> {
    let request = match to_learn(request, None) {
        Ok(request) => request,
        Err(wrong) => {
            let list = wrong.into_list().into_iter();
            let lines =
                list.map(|it| format!("{} {} {}", it.field, it.code.name(), it.description));
            return lines.collect();
        }
    };
    let mut last = None;
    let mut sink = |lesson: &LearnedDomain, _| last = Some(lesson.clone());
    let mut control = Control::new(Limits::iterations(9), 0, &mut sink);
    DomainLearning::solve(&request.problem, &request.params, &mut control).unwrap();
    let reasons = explanation(&last.unwrap().mistakes, named).reasons;
    let lines = reasons.iter().map(|it| {
        assert!(it.proved);
        format!("{} {} {}", it.field, it.code, it.message)
    });
    lines.collect()
}

/// The same of each of some requests whose books are sent.
fn reported_together<const N: usize>(requests: [pb::LearnStoryDomainRequest; N]) -> Vec<String> {
    let each = requests.into_iter();
    each.flat_map(|request| reported(request, Named::default()))
        .collect()
}

#[test]
fn nothing_is_wrong_with_a_good_request() {
    assert_eq!(reported_together([good()]), [""; 0]);
}

#[test]
fn mistakes_of_texts_have_field_code_and_text() {
    let text = |text: &str| with_books(|books| books.text = text.into());
    let found = reported_together([
        text(""),
        text("a\u{0}b"),
        text(" \n\n . 12 !\n"),
        text("They took it and went away from there with the sword."),
        text("The sky is blue. Roses are red."),
    ]);
    let wanted = [
        "books.text REQUIRED there is no sentence in it",
        "books.text CHARACTER_UNKNOWN byte 1 is a control character",
        "books.text TEXT_UNUSABLE there is no sentence in it",
        "books.text TEXT_UNUSABLE no word of the text is an actor",
        "books.text TEXT_UNUSABLE no word of the text is a place",
        "books.text TEXT_UNUSABLE none of its 2 sentences is about an action: arrest, arrive, \
            bring, capture, catch, come, discover, drive, enter, examine, find, give, go, grab, \
            hand, imprison, inspect, kill, leave, marry, murder, offer, pick, play, return, ride, \
            rob, run, search, seize, send, shoot, slay, snatch, stab, steal, strangle, take, \
            travel, visit, walk, wed",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn mistakes_of_relations_and_wordnet_have_field_code_and_text() {
    let relations = |text: &str| with_books(|books| books.relations = text.into());
    let wordnet = |data: &str, index: &str| {
        with_books(|books| {
            (books.wordnet_data, books.wordnet_index) = (data.into(), index.into());
        })
    };
    let long = "a".repeat((64 << 10) + 1);
    let found = reported_together([
        relations("no relation"),
        relations("IsA\tzebra\tanimal\n"),
        relations(&long),
        wordnet("", INDEX),
        wordnet(DATA, ""),
        wordnet(DATA, "king n 1 0 1 0 00000001\n"),
        wordnet("no noun at all\n", INDEX),
        wordnet(DATA, "zebra n 3 1 @ 3 1 00000001\n"),
        wordnet(&long, INDEX),
        wordnet(DATA, &long),
    ]);
    let wanted = [
        "books.relations RELATIONS_UNUSABLE line 1 is no relation: expected are relation, head \
            and tail between tabs, or an assertion of ConceptNet",
        "books.relations RELATIONS_UNUSABLE none of its 1 relations says what a word of the text \
            is",
        "books.relations RELATIONS_UNUSABLE line 1 has more than 65536 bytes",
        "books.wordnet_index WORDNET_UNUSABLE nothing can be concluded from it: data.noun is \
            missing",
        "books.wordnet_index WORDNET_UNUSABLE nothing can be concluded from it: index.noun is \
            missing",
        "books.wordnet_index WORDNET_UNUSABLE nothing can be concluded from it: the noun \
            'location' is missing",
        "books.wordnet_data WORDNET_UNUSABLE line 1 is not as in WordNet's data.noun",
        "books.wordnet_index WORDNET_UNUSABLE line 1 is not as in WordNet's index.noun",
        "books.wordnet_data WORDNET_UNUSABLE line 1 has more than 65536 bytes",
        "books.wordnet_index WORDNET_UNUSABLE line 1 has more than 65536 bytes",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn what_was_named_is_reported_by_its_name() {
    let named = Named {
        text: true,
        relations: true,
        wordnet: true,
    };
    let field = |change: fn(&mut pb::StoryBooks)| {
        let found = reported(with_books(change), named);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].split(' ').next().unwrap().to_owned()
    };
    assert_eq!(field(|it| it.text = ".".into()), "books.text_name");
    assert_eq!(
        field(|it| it.relations = "a".into()),
        "books.relations_name"
    );
    assert_eq!(
        field(|it| it.wordnet_data = "a\n".into()),
        "books.wordnet_name"
    );
    assert_eq!(
        field(|it| it.wordnet_index = "a\n".into()),
        "books.wordnet_name"
    );
    assert_eq!(
        field(|it| it.wordnet_index = String::new()),
        "books.wordnet_name"
    );
}

#[test]
fn mistakes_of_edits_have_field_code_and_text() {
    let remove = |word: &str| Kind::Remove(pb::StoryRemoveEdit { word: word.into() });
    let rename = |name: &str| {
        let (word, name) = ("king".into(), name.into());
        Kind::Rename(pb::StoryRenameEdit { word, name })
    };
    let merge = |word: &str, into: &str| {
        let (words, into) = (vec!["king".into(), word.into()], into.into());
        Kind::Merge(pb::StoryMergeEdit { words, into })
    };
    let class = |class: pb::StoryWordClass| {
        let (word, word_class) = ("king".into(), class.into());
        Kind::WordClass(pb::StoryClassEdit { word, word_class })
    };
    let (actor, item) = (pb::StoryWordClass::Actor, pb::StoryWordClass::Item);
    let found = reported_together([
        with_edits(vec![remove("zebra")]),
        with_edits(vec![rename(" ")]),
        with_edits(vec![remove("king"), remove("king")]),
        with_edits(vec![merge("thief", "king"), remove("thief")]),
        with_edits(vec![rename("Otto"), rename("Emil")]),
        with_edits(vec![class(actor), class(item)]),
        with_edits(vec![rename(&"é".repeat(51))]),
        with_edits(vec![merge("zebra", "dragon")]),
        with_edits(vec![remove("king"); 1_001]),
    ]);
    let wanted = [
        "edits[0].word EDIT_REFUSED 'zebra' is no word of the sentences about actions",
        "edits[0].name EDIT_REFUSED there is no name",
        "edits[1].word EDIT_REFUSED 'king' was already removed",
        "edits[1].word EDIT_REFUSED 'thief' was already merged into another",
        "edits[1].word EDIT_REFUSED 'king' was already renamed",
        "edits[1].word EDIT_REFUSED 'king' was already given another class",
        "edits EDIT_REFUSED name of 'king': 102 is out of range, 1 to 100",
        "edits[0].into EDIT_REFUSED 'dragon' is no word of the sentences about actions",
        "edits[0].words[1] EDIT_REFUSED 'zebra' is no word of the sentences about actions",
        "edits TOO_MANY has 1001 elements, at most 1000 are allowed",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn mistakes_of_learning_have_field_code_and_text() {
    let learning = |change: fn(&mut pb::StoryLearning)| {
        let mut request = good();
        change(request.learning.get_or_insert_default());
        request
    };
    let found = reported_together([
        learning(|it| it.max_rounds = Some(101)),
        learning(|it| it.max_rounds = Some(-1)),
        learning(|it| it.smoothing = Some(100.5)),
        learning(|it| it.smoothing = Some(-1e-9)),
        learning(|it| it.damping = Some(f64::NAN)),
        learning(|it| it.damping = Some(f64::INFINITY)),
        learning(|it| it.tolerance = Some(1e21)),
    ]);
    let wanted = [
        "learning.max_rounds OUT_OF_RANGE at most 100 iterations are made, 101 are asked for",
        "learning.max_rounds OUT_OF_RANGE at most 100 iterations are made, \
            18446744073709551615 are asked for",
        "learning.smoothing OUT_OF_RANGE 100.5 is out of range, 0 to 100",
        "learning.smoothing OUT_OF_RANGE -0.000000001 is out of range, 0 to 100",
        "learning.damping NOT_FINITE NaN is out of range, 0 to 1",
        "learning.damping NOT_FINITE inf is out of range, 0 to 1",
        "learning.tolerance OUT_OF_RANGE 1000000000000000000000 is out of range, 0 to 1",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn mistakes_of_domains_have_field_code_and_text() {
    let domain = |change: fn(&mut pb::StoryDomainChoice)| {
        let mut request = good();
        change(request.domain.get_or_insert_default());
        request
    };
    let goal = |condition: &str| {
        let mut request = good();
        request.domain.get_or_insert_default().goals = vec![pb::StoryGoal {
            name: "end".into(),
            condition: condition.into(),
            weight: None,
        }];
        request
    };
    let found = reported_together([
        domain(|it| it.pseudo_count = Some(-0.5)),
        domain(|it| it.pseudo_count = Some(f64::NAN)),
        domain(|it| it.max_actors = Some(1)),
        goal("dragon.alive"),
        goal("king.age > 3"),
    ]);
    let wanted = [
        "domain.pseudo_count OUT_OF_RANGE -0.5 is out of range, 0 to 1000",
        "domain.pseudo_count NOT_FINITE NaN is out of range, 0 to 1000",
        "domain.goals DOMAIN_IMPOSSIBLE there is no goal that these actions could reach",
        "domain.goals[0].condition.operands[0] DOMAIN_IMPOSSIBLE names the variable, entity or \
            word 'dragon', which does not exist",
        "domain.goals[0].condition.operands[0] DOMAIN_IMPOSSIBLE names the attribute 'age', which \
            an actor does not have",
    ];
    assert_eq!(found, wanted);
}
