//! How well the words of a sentence fit a template, summed over all assignments.
//!
//! Algorithm 7 draws random words where a sentence has more than its template, and tries all
//! permutations. This computes the sum over all assignments, by dynamic programming over the parts
//! of the template that are taken: O(words * 2^parts * parts) for words^parts assignments.

use crate::prior::Probabilities;
use crate::{SENTENCE_NOUNS_MAX, TEMPLATE_MAX};

const MASKS: usize = 1 << TEMPLATE_MAX;

/// Room for one sentence.
pub(crate) struct Matcher {
    before: Vec<[f64; MASKS]>,
    after: Vec<[f64; MASKS]>,
    /// The result: for each word of the sentence and each class the mean, over all assignments, of
    /// the scores of those in which the word is of that class.
    pub(crate) found: Vec<Probabilities>,
}

impl Matcher {
    pub(crate) fn new() -> Self {
        Self {
            before: vec![[0.0; MASKS]; SENTENCE_NOUNS_MAX + 1],
            after: vec![[0.0; MASKS]; SENTENCE_NOUNS_MAX + 1],
            found: vec![[0.0; 4]; SENTENCE_NOUNS_MAX],
        }
    }

    /// Matches words, given by their class probabilities, with a template of [`TEMPLATE_MAX`]
    /// classes; returns the mean score f of an assignment.
    pub(crate) fn score(
        &mut self,
        words: &[Probabilities],
        template: [usize; TEMPLATE_MAX],
    ) -> f64 {
        let taken = words.len().min(TEMPLATE_MAX);
        self.found[..words.len()].fill([0.0; 4]);
        // before[i][m]: sum of the products of all ways to give the parts m to words before i.
        self.before[0] = [0.0; MASKS];
        self.before[0][0] = 1.0;
        for (i, word) in words.iter().enumerate() {
            self.before[i + 1] = self.before[i];
            for mask in 0..MASKS {
                let sum = self.before[i][mask];
                if sum > 0.0 {
                    for (part, &class) in template.iter().enumerate() {
                        if mask >> part & 1 == 0 {
                            self.before[i + 1][mask | 1 << part] += sum * word[class];
                        }
                    }
                }
            }
        }
        // after[i][m]: the same for words from i on, where the parts m are taken before.
        let last = &mut self.after[words.len()];
        for (mask, sum) in last.iter_mut().enumerate() {
            *sum = f64::from(u8::from(mask.count_ones() as usize == taken));
        }
        let ways = ways(words.len(), taken);
        for (i, word) in words.iter().enumerate().rev() {
            self.after[i] = self.after[i + 1];
            for mask in 0..MASKS {
                for (part, &class) in template.iter().enumerate() {
                    if mask >> part & 1 == 0 {
                        let rest = word[class] * self.after[i + 1][mask | 1 << part];
                        self.after[i][mask] += rest;
                        self.found[i][class] += self.before[i][mask] * rest / ways;
                    }
                }
            }
        }
        self.after[0][0] / ways
    }
}

/// In how many ways `taken` of `words` words are given to as many parts of a template.
fn ways(words: usize, taken: usize) -> f64 {
    let factors = (0..taken).map(|i| ((words - i) * (TEMPLATE_MAX - i)) as f64 / (i + 1) as f64);
    factors.product()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by trying all ways.
    fn by_hand(words: &[Probabilities], template: [usize; 4]) -> (f64, Vec<Probabilities>) {
        let taken = words.len().min(4);
        let (mut sum, mut count) = (0.0, 0.0);
        let mut found = vec![[0.0; 4]; words.len()];
        let choices = words.len() + 1;
        for code in 0..choices.pow(4) {
            // Which word each part gets; the last choice is none.
            let given: Vec<usize> = (0..4).map(|p| code / choices.pow(p) % choices).collect();
            let used: Vec<usize> = given.iter().copied().filter(|&w| w < words.len()).collect();
            let mut sorted = used.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if used.len() != taken || sorted.len() != taken {
                continue;
            }
            let parts = given.iter().enumerate().filter(|(_, w)| **w < words.len());
            let product: f64 = parts.clone().map(|(p, &w)| words[w][template[p]]).product();
            for (part, &word) in parts {
                found[word][template[part]] += product;
            }
            sum += product;
            count += 1.0;
        }
        let found = found.into_iter().map(|row| row.map(|x| x / count));
        (sum / count, found.collect())
    }

    #[test]
    fn all_ways_are_counted_once() {
        let word = |i: usize| {
            let numbers = [0.1, 0.2, 0.3, 0.4];
            std::array::from_fn(|class| numbers[(class * (i + 1) + i) % 4] + 0.01 * i as f64)
        };
        let mut matcher = Matcher::new();
        for count in 1..=6 {
            let words: Vec<Probabilities> = (0..count).map(word).collect();
            for template in [[0, 2, 3, 3], [0, 0, 1, 3], [0, 1, 2, 3]] {
                let score = matcher.score(&words, template);
                let (wanted, found) = by_hand(&words, template);
                assert!((score - wanted).abs() < 1e-12, "{score} {wanted}");
                for (a, b) in matcher.found.iter().zip(&found) {
                    let far = a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1e-12);
                    assert!(!far, "{a:?} {b:?}");
                }
            }
        }
    }
}
