//! Books that were filtered for a text teach the same as the whole books.

use crate::planner;
use crate::tale::{NOUNS_DATA, NOUNS_INDEX, RELATIONS, TALE};
use anytime::{Fault, Limits};
use domain_learning::{LearnedDomain, Sources, kinds};
use lexicon::{Relation, Relations, Vocabulary, WordNet};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// The lessons of all rounds.
fn study(books: &Sources) -> Vec<LearnedDomain> {
    let (offers, _) = planner::study(books.clone(), Limits::iterations(99));
    offers.into_iter().map(|(lesson, _)| lesson).collect()
}

/// The same books with the part of relations and WordNet that the text needs.
fn filtered(books: &Sources) -> Result<Sources, Fault> {
    let words = Vocabulary::of_text(books.text.as_bytes())?;
    let mut used = String::new();
    if !books.relations.is_empty() {
        let mut keep = |relation: Relation<'_>| used += &format!("{relation}\n");
        let mut relations = Relations::new(words.clone());
        relations.push(books.relations.as_bytes(), &mut keep)?;
        relations.finish(&mut keep)?;
    }
    let [mut data, mut index] = [String::new(), String::new()];
    if !books.wordnet_data.is_empty() || !books.wordnet_index.is_empty() {
        let mut wordnet = WordNet::new(words);
        wordnet.data(books.wordnet_data.as_bytes())?;
        wordnet.index(books.wordnet_index.as_bytes())?;
        [data, index] = wordnet.finish()?.files();
    }
    Ok(Sources {
        relations: used,
        wordnet_data: data,
        wordnet_index: index,
        ..books.clone()
    })
}

fn books(text: String, relations: String, wordnet: bool) -> Sources {
    let file = |file: &str| if wordnet { file } else { "" }.to_owned();
    Sources {
        text,
        relations,
        wordnet_data: file(NOUNS_DATA),
        wordnet_index: file(NOUNS_INDEX),
        kinds: kinds(),
        ..Sources::default()
    }
}

#[test]
fn a_tale_and_chapters_teach_the_same() {
    let chapters = [
        include_str!("../texts/rabbit.txt"),
        include_str!("../texts/earthquake.txt"),
    ];
    for text in [TALE].into_iter().chain(chapters) {
        let all = books(text.into(), RELATIONS.into(), true);
        let some = filtered(&all).expect("good books");
        assert!(some.relations.len() < all.relations.len());
        assert!(some.wordnet_data.len() < all.wordnet_data.len());
        assert_eq!(study(&some), study(&all));
    }
}

const WORDS: [&str; 12] = [
    "king", "thief", "castle", "sword", "house", "knives", "women", "Velden", "lamp", "room",
    "area", "crown",
];

prop_compose! {
    fn sentence()(
        actor in select(&WORDS[..]),
        verb in select(&["took", "saw", "went to", "killed", "gave"][..]),
        object in select(&WORDS[..]), place in select(&WORDS[..]),
    ) -> String {
        format!("The {actor} {verb} the {object} in the {place}. ")
    }
}

prop_compose! {
    fn relation()(
        name in select(&["IsA", "AtLocation", "HasA", "Desires", "RelatedTo"][..]),
        head in select(&WORDS[..]),
        tail in select(&["person", "king", "tool", "castle", "woman"][..]),
    ) -> String {
        format!("{name}\t{head}\t{tail}\n")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Filtered books teach the same as whole books; where one has no domain, neither has the
    /// other.
    #[test]
    fn filtered_books_teach_the_same(
        text in prop::collection::vec(sentence(), 1..12),
        more in prop::collection::vec(relation(), 0..12),
        known in subsequence(RELATIONS.lines().collect::<Vec<_>>(), 0..12),
        wordnet: bool,
    ) {
        let known = known.iter().map(|line| format!("{line}\n"));
        let relations: String = known.chain(more).collect();
        let all = books(text.concat(), relations, wordnet);
        let lessons = study(&all);
        let Ok(some) = filtered(&all) else {
            prop_assert!(lessons.iter().all(|lesson| lesson.domain.is_none()));
            return Ok(());
        };
        let again = study(&some);
        if lessons.iter().any(|lesson| lesson.domain.is_some()) {
            prop_assert_eq!(again, lessons);
        } else {
            // Numbers of lines in their errors differ.
            let paths = |lesson: &LearnedDomain| {
                lesson.mistakes.iter().map(Fault::field).collect::<Vec<_>>()
            };
            prop_assert_eq!(
                again.iter().map(paths).collect::<Vec<_>>(),
                lessons.iter().map(paths).collect::<Vec<_>>()
            );
        }
    }
}
