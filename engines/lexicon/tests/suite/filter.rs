//! What the filter writes is all that is looked at.

use lexicon::{Counts, Fault, Relations, Vocabulary, WordNet};
use proptest::prelude::*;
use proptest::sample::select;

/// Counts, and the relations that were used, read in pieces of `size` bytes.
fn relations(words: &Vocabulary, file: &str, size: usize) -> Result<(Counts, String), Fault> {
    let mut used = String::new();
    let mut keep = |relation: lexicon::Relation<'_>| used += &format!("{relation}\n");
    let mut relations = Relations::new(words.clone());
    for piece in file.as_bytes().chunks(size) {
        relations.push(piece, &mut keep)?;
    }
    Ok((relations.finish(&mut keep)?, used))
}

/// The same of WordNet.
fn wordnet(words: &Vocabulary, files: &[String; 2]) -> Result<(Counts, [String; 2]), Fault> {
    let mut wordnet = WordNet::new(words.clone());
    wordnet.data(files[0].as_bytes())?;
    wordnet.index(files[1].as_bytes())?;
    let nouns = wordnet.finish()?;
    Ok((nouns.counts(), nouns.files()))
}

fn vocabulary(words: &[&str]) -> Vocabulary {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn relations_that_say_nothing_about_a_word_are_dropped() {
    let file = "# a comment\n/a/x\t/r/AtLocation\t/c/en/king/n\t/c/en/castle\t{\"weight\": 1.0}\r\n\
        /a/y\t/r/IsA\t/c/fr/roi\t/c/fr/personne\t{}\nRelatedTo\tking\tqueen\nIsA\tprince\tking\n\
        AtLocation\tthrone\tcastle\nIsA\tking\tmale person\n";
    let words = vocabulary(&["castle", "king"]);
    let (counts, used) = relations(&words, file, 5).unwrap();
    let wanted = "AtLocation\tking\tcastle\nAtLocation\tthrone\tcastle\nIsA\tking\tmale person\n";
    assert_eq!(used, wanted);
    assert_eq!(counts, [[0.0, 0.0, 2.0, 0.0], [1.0, 0.5, 0.0, 0.0]]);
}

#[test]
fn what_would_be_read_otherwise_from_its_own_line_is_no_relation() {
    let words = vocabulary(&["king"]);
    for file in [
        "/a/x\t/r/IsA\t/c/en/king\t/c/en/person\r\t{}\n",
        "/a/x\t/r/IsA\t/c/en/king\r\t/c/en/person\t{}\n",
        "IsA\tking\tper\u{0}son\n",
        "IsA\tking\r\tperson\n",
    ] {
        let error = relations(&words, file, 7).unwrap_err().to_string();
        assert!(
            error.starts_with("relations line 1 is no relation"),
            "{error}"
        );
    }
}

#[test]
fn senses_of_words_stay_with_their_hypernyms() {
    let data = "  1 A licence.\n\
        00000001 03 n 01 entity 0 000 | all\n\
        00000002 03 n 01 location 0 002 @ 00000001 n 0000 ~ 00000003 n 0000 | where\n\
        00000003 15 n 02 Forest 0 wood 1 001 @ 00000002 n 0000 | trees\n\
        00000004 27 n 01 wood 0 001 @ 00000006 n 0000 | timber\n\
        00000005 05 n 01 mouse 0 002 @ 00000001 n 0000 ~ 00000007 n 0000 | small\n\
        00000006 27 n 01 material 0 001 @ 00000001 n 0000 | stuff\n\
        00000007 05 n 01 shrew 0 001 @i 00000005 n 0000 | smaller\n";
    let index = "  1 A licence.\nentity n 1 1 ~ 1 1 00000001  \nforest n 1 1 @ 1 1 00000003  \n\
        location n 1 1 @ 1 1 00000002  \nmouse n 1 2 @ ~ 1 1 00000005  \n\
        shrew n 1 1 @ 1 1 00000007  \nwood n 2 1 @ 2 1 00000004 00000003  \n";
    let words = vocabulary(&["shrew", "unknown"]);
    let (counts, [data, index]) = wordnet(&words, &[data.into(), index.into()]).unwrap();
    assert_eq!(counts[0], [1.0, 0.0, 0.0, 0.0]);
    let wanted = "00000001 03 n 00 000\n00000002 03 n 00 001 @ 00000001 n 0000\n\
        00000005 05 n 00 001 @ 00000001 n 0000\n00000007 05 n 00 001 @ 00000005 n 0000\n";
    assert_eq!(data, wanted);
    assert_eq!(
        index,
        "location n 1 0 1 0 00000002\nshrew n 1 0 1 0 00000007\n"
    );
}

const WORDS: [&str; 8] = [
    "king",
    "castle",
    "sword",
    "structure",
    "location",
    "way",
    "person",
    "é",
];
const NAMES: [&str; 7] = [
    "IsA",
    "AtLocation",
    "HasA",
    "Desires",
    "RelatedTo",
    "MadeOf",
    "#",
];

prop_compose! {
    fn relation()(
        name in select(&NAMES[..]), head in select(&WORDS[..]), tail in select(&WORDS[..]),
        form in 0..40,
    ) -> String {
        match form % 4 {
            // Rarely, since it makes the whole file no relations.
            0 if form == 0 => format!("/a/x\t/r/{name}\t/c/en/{head}\t/c/en/{tail}\r\t{{}}\n"),
            0 => format!("/a/x\t/r/{name}\t/c/en/{head}/n/wn\t/c/en/{tail}\t{{}}\n"),
            1 => format!("/a/x\t/r/{name}\t/c/fr/{head}\t/c/en/{tail}\t{{}}\n"),
            2 => format!("{name}\t{head}\ta big_{tail}\r\n"),
            _ => format!("{name}\t{head}\t{tail}\n"),
        }
    }
}

prop_compose! {
    /// A synset of a few, with hypernyms that may be missing or lead in cycles.
    fn synset()(
        offset in 1..30_u32, file in select(&[3, 5, 6, 10, 14, 17, 18, 27][..]),
        above in prop::collection::vec((select(&["@", "@i", "~"][..]), 1..30_u32), 0..4),
    ) -> String {
        let pointers = above.iter().map(|(sign, to)| format!(" {sign} {to:08} n 0000"));
        let pointers: String = pointers.collect();
        format!("{offset:08} {file:02} n 01 word 0 {:03}{pointers} | gloss @ here\n", above.len())
    }
}

prop_compose! {
    fn entry()(
        word in select(&WORDS[..]), senses in prop::collection::vec(1..30_u32, 0..4),
    ) -> String {
        let count = senses.len();
        let senses: String = senses.iter().map(|sense| format!(" {sense:08}")).collect();
        format!("{word} n {count} 2 @ ~ {count} 0{senses}  \n")
    }
}

fn lines(line: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.concat())
}

proptest! {
    /// Relations that were filtered for some words count the same for these and for a part of them.
    #[test]
    fn filtered_relations_count_the_same(
        file in lines(relation()), wanted in 0..=8_usize, part in 0..=8_usize, size in 1..99_usize,
    ) {
        let (words, some) = (vocabulary(&WORDS[..wanted]), vocabulary(&WORDS[..part.min(wanted)]));
        let Ok((counts, used)) = relations(&words, &file, size) else {
            let failed = relations(&some, &file, 999);
            prop_assert!(failed.is_err());
            return Ok(());
        };
        prop_assert_eq!(relations(&words, &used, 999), Ok((counts, used.clone())));
        let counts = |file: &str| relations(&some, file, 999).ok();
        prop_assert_eq!(counts(&used), counts(&file));
    }

    /// The same of WordNet.
    #[test]
    fn filtered_wordnet_counts_the_same(
        data in lines(synset()),
        index in lines(entry()),
        wanted in 0..=8_usize,
        part in 0..=8_usize,
    ) {
        let files = [data, index];
        let (words, some) = (vocabulary(&WORDS[..wanted]), vocabulary(&WORDS[..part.min(wanted)]));
        match wordnet(&words, &files) {
            Err(error) => prop_assert!(
                wordnet(&some, &files).is_err(), "{error} for all words, nothing for a part"
            ),
            Ok((counts, used)) => {
                prop_assert_eq!(wordnet(&words, &used), Ok((counts, used.clone())));
                prop_assert_eq!(wordnet(&some, &used), wordnet(&some, &files));
            }
        }
    }
}
