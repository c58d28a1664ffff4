//! Compares what was learned with labels made by hand. Knows words and numbers only, nothing of how
//! they were learned.

use std::collections::BTreeMap;

/// Words and what people say they are: `actor`, `item` or `place`.
pub(crate) type Labels = BTreeMap<String, String>;
/// Words and the probabilities of `actor`, `item`, `place`, `other`.
pub(crate) type Guesses = BTreeMap<String, [f64; 4]>;

const CLASSES: [&str; 4] = ["actor", "item", "place", "other"];

/// Shares of the labelled words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Marks {
    /// Labelled words that were learned about.
    pub(crate) found: usize,
    /// The right class has more than 0.5.
    pub(crate) right: f64,
    /// A wrong class has more than 0.5; so has `other`.
    pub(crate) wrong: f64,
    /// The right class has more than any other.
    pub(crate) argmax: f64,
}

/// Marks for all labelled words that were learned about.
pub(crate) fn judge(labels: &Labels, guesses: &Guesses) -> Marks {
    let (mut found, mut right, mut wrong, mut argmax) = (0, 0, 0, 0);
    for (word, class) in labels {
        let class = CLASSES.iter().position(|name| name == class);
        let class = class.expect("a label is one of the classes");
        let Some(guess) = guesses.get(word) else {
            continue;
        };
        found += 1;
        let others = (0..4).filter(|&other| other != class);
        let best = others.map(|other| guess[other]).fold(0.0, f64::max);
        right += usize::from(guess[class] > 0.5);
        wrong += usize::from(best > 0.5);
        argmax += usize::from(guess[class] > best);
    }
    let share = |count: usize| count as f64 / found.max(1) as f64;
    Marks {
        found,
        right: share(right),
        wrong: share(wrong),
        argmax: share(argmax),
    }
}

/// Labels as `{"actor": ["king"], "item": [], "place": []}`.
pub(crate) fn labels(text: &str) -> Labels {
    let lists: BTreeMap<String, Vec<String>> = serde_json::from_str(text).expect("labels");
    let each = lists.into_iter();
    each.flat_map(|(class, words)| words.into_iter().map(move |word| (word, class.clone())))
        .collect()
}
