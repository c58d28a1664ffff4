//! The bars of learning, as tables:
//! `STRATAGEM_BOOKS=FOLDER cargo bench -p stratagem-domain-learning --bench learn`.
//! Time is on a processor; `STRATAGEM_CLOCK=1` for time by the clock.

#[path = "../../../benches/kit/clock.rs"]
mod clock;
#[path = "../tests/suite/judge.rs"]
mod judge;

use anytime::{Control, Limits};
use clock::{setting, used};
use domain_learning::{Class, Corpus, LearnParams, Learned, Learning, Progress, Reader, kinds};
use judge::{Guesses, Labels};
use lexicon::{Counts, Relations, WordNet};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

fn number(name: &str, default: f64) -> f64 {
    setting(name).map_or(default, |text| text.parse().expect("a number"))
}

fn corpus(path: &Path) -> Corpus {
    let mut reader = Reader::new(&kinds()).expect("good kinds");
    let text = std::fs::read(path).expect("a text");
    for chunk in text.chunks(1 << 16) {
        reader.push(chunk).expect("text");
    }
    reader.finish().expect("sentences")
}

fn relations(folder: &Path, corpus: &Corpus) -> Counts {
    let mut relations = Relations::new(corpus.vocabulary());
    let text = std::fs::read(folder.join("relations.tsv")).expect("relations");
    relations.push(&text, &mut |_| ()).expect("relations");
    relations.finish(&mut |_| ()).expect("relations")
}

fn wordnet(folder: &Path, corpus: &Corpus) -> Counts {
    let mut wordnet = WordNet::new(corpus.vocabulary());
    let data = std::fs::read(folder.join("data.noun")).expect("nouns");
    wordnet.data(&data).expect("nouns");
    let index = std::fs::read(folder.join("index.noun")).expect("nouns");
    wordnet.index(&index).expect("nouns");
    wordnet.finish().expect("nouns").counts()
}

fn guesses(learned: &Learned) -> Guesses {
    let words = learned.words.iter();
    words.map(|w| (w.text.clone(), w.probabilities)).collect()
}

fn learn(corpus: &Corpus, known: (Option<&Counts>, Option<&Counts>), iterations: usize) -> Learned {
    let params = LearnParams {
        iterations,
        smoothing: number("STRATAGEM_SMOOTHING", LearnParams::default().smoothing),
        damping: number("STRATAGEM_DAMPING", LearnParams::default().damping),
        tolerance: 0.0,
    };
    let mut learning = Learning::new(corpus, params);
    if let Some(relations) = known.0 {
        learning = learning.with_relations(relations.clone());
    }
    if let Some(wordnet) = known.1 {
        learning = learning.with_wordnet(wordnet.clone());
    }
    let mut ignore = |_: &Progress, _: Reverse<u32>| {};
    let mut control = Control::new(Limits::iterations(1_000), 0, &mut ignore);
    learning.run(&mut control).expect("good parameters")
}

fn row(name: &str, how: &str, labels: &Labels, guesses: &Guesses) {
    let marks = judge::judge(labels, guesses);
    println!(
        "| {name} | {how} | {} of {} | {:.3} | {:.3} | {:.3} |",
        marks.found,
        labels.len(),
        marks.right,
        marks.wrong,
        marks.argmax
    );
}

fn book(folder: &Path, text: &Path, name: &str) {
    let begin = used();
    let corpus = corpus(&text.join(format!("{name}.txt")));
    let read = used() - begin;
    let labels = std::fs::read_to_string(text.join(format!("gold_{name}.json")));
    let labels = judge::labels(&labels.expect("labels"));
    let relations = relations(folder, &corpus);
    let wordnet = wordnet(folder, &corpus);
    for (how, known) in [
        ("ConceptNet", (Some(&relations), None)),
        ("WordNet", (None, Some(&wordnet))),
        ("both", (Some(&relations), Some(&wordnet))),
    ] {
        for iterations in [0, 1, 3, 10] {
            let learned = learn(&corpus, known, iterations);
            let how = format!("{how}, {iterations} rounds");
            row(name, &how, &labels, &guesses(&learned));
        }
    }
    let begin = used();
    let learned = learn(&corpus, (Some(&relations), Some(&wordnet)), 10);
    let round = (used() - begin) / 10.0;
    let sentences = corpus.action_sentences();
    println!(
        "{name}: {} sentences read in {read:.2} s; {sentences} of them and {} words, \
         {:.4} s a round, {:.4} s for 10,000",
        corpus.sentences(),
        corpus.words().len(),
        round,
        round / sentences as f64 * 10_000.0
    );
    let learned = if setting("STRATAGEM_WORDS").is_some() {
        learn(&corpus, (Some(&relations), Some(&wordnet)), 3)
    } else {
        learned
    };
    for class in [Class::Actor, Class::Item, Class::Place] {
        let words = learned.chosen(class, 25);
        let words: Vec<&str> = words
            .iter()
            .map(|&at| learned.words[at].text.as_str())
            .collect();
        println!("{name}, {}: {}", class.name(), words.join(", "));
    }
    let guesses = guesses(&learned);
    for (word, class) in &labels {
        let guess = guesses.get(word);
        if guess.is_none_or(|g| g.iter().copied().fold(0.0, f64::max) > g[class_of(class)]) {
            println!("missed: {word} ({class}) {guess:.2?}");
        }
    }
}

fn class_of(name: &str) -> usize {
    let found = Class::ALL.iter().position(|class| class.name() == name);
    found.expect("a class")
}

fn main() {
    let folder = setting("STRATAGEM_BOOKS").expect("STRATAGEM_BOOKS names a folder of books");
    let folder = PathBuf::from(folder);
    println!("| text | prior | labelled words | right | wrong | argmax |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for name in ["detective", "fairytale"] {
        book(&folder, &folder, name);
    }
    // Chapters of "Alice's Adventures in Wonderland" and of "Dorothy and the Wizard in Oz",
    // labelled before anything was learned from them.
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts");
    for name in ["rabbit", "earthquake"] {
        book(&folder, &tests, name);
    }
}
