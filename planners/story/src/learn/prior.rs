//! How likely a word is what, before the text is read (section 5.8.2).

use super::{Counts, Word};

/// Probabilities of the classes, in the order of [`Class::ALL`](super::Class::ALL).
pub(super) type Probabilities = [f64; 4];

/// c of Algorithm 6, for relations: Jeffreys' prior.
const RELATIONS_C: f64 = 0.5;
/// The same for WordNet, which is made by hand: less.
const WORDNET_C: f64 = 0.1;
/// What is mostly written as a name is somebody or somewhere.
const NAME: Probabilities = [0.4, 0.1, 0.4, 0.1];

/// The prior of a word: the product of what is known. A word that nothing knows is anything.
pub(super) fn prior(
    at: usize,
    word: &Word,
    relations: Option<&Counts>,
    wordnet: Option<&Counts>,
) -> Probabilities {
    let mut prior = [0.25; 4];
    for (counts, c) in [(relations, RELATIONS_C), (wordnet, WORDNET_C)] {
        if let Some(counts) = counts {
            let counts = counts.0[at].map(|count| count + c);
            prior = std::array::from_fn(|class| prior[class] * counts[class]);
        }
    }
    if word.is_name() {
        prior = std::array::from_fn(|class| prior[class] * NAME[class]);
    }
    normalized(prior)
}

/// The same, with the sum 1.
pub(super) fn normalized(numbers: Probabilities) -> Probabilities {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        numbers.map(|number| number / sum)
    } else {
        [0.25; 4]
    }
}
