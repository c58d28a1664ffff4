//! Rounds of template matching (sections 5.8.3 to 5.8.5, Algorithm 7).

use crate::assignment_sum::Matcher;
use crate::edits::Edited;
use crate::learning::{LearnParams, Learned, LearnedWord, Learning, Progress};
use crate::prior::{Probabilities, normalized, prior, with_roles};
use crate::{ActionKind, Class, SENTENCE_NOUNS_MAX, TEMPLATE_MAX, Word};
use anytime::math;
use std::cmp::Reverse;

/// Above this a word is decided (section 5.9).
const DECIDED: f64 = 0.5;
/// Sentences between two questions whether to go on: well below a millisecond's work each.
const SENTENCES_BETWEEN: usize = 64;

/// Rounds of learning, as far as they were made.
pub struct Rounds<'l> {
    params: LearnParams,
    kinds: &'l [ActionKind],
    edited: Edited,
    prior: Vec<Probabilities>,
    now: Vec<Probabilities>,
    /// The class that a word was last decided to be, and since when.
    decided: Vec<Option<(usize, u32)>>,
    made: u32,
    /// What the last round changed at most.
    change: f64,
}

/// What a round found: for each word the sums of scores by class, and the highest score.
struct Found {
    sums: Vec<Probabilities>,
    highest: Vec<f64>,
}

impl<'l> Rounds<'l> {
    pub(crate) fn new(learning: &'l Learning<'_>, edited: Edited) -> Self {
        let relations = learning.relations.as_ref().map(|c| edited.counts(c));
        let wordnet = learning.wordnet.as_ref().map(|c| edited.counts(c));
        let each = edited.words.iter().enumerate().map(|(at, word)| {
            let fixed = edited.fixed[at].map(certain);
            fixed.unwrap_or_else(|| prior(at, word, relations.as_ref(), wordnet.as_ref()))
        });
        let prior: Vec<Probabilities> = each.collect();
        let words = prior.iter().zip(&edited.words).zip(&edited.fixed);
        let now = words.map(|((prior, word), fixed)| match fixed {
            Some(_) => *prior,
            None => with_roles(*prior, word),
        });
        let mut rounds = Self {
            params: learning.params,
            kinds: &learning.corpus.kinds,
            now: now.collect(),
            decided: vec![None; prior.len()],
            prior,
            edited,
            made: 0,
            change: 1.0,
        };
        rounds.note();
        rounds
    }

    /// Whether there is nothing more to do: all rounds are made, or the last one changed too
    /// little.
    #[must_use]
    pub(crate) fn is_done(&self) -> bool {
        self.made as usize >= self.params.iterations || self.change <= self.params.tolerance
    }

    /// Makes a round; `go_on` is called every few hundred microseconds. None: it returned false,
    /// and nothing was learned from this round.
    pub(crate) fn round(&mut self, go_on: &mut dyn FnMut() -> bool) -> Option<Progress> {
        let found = self.matched(go_on)?;
        self.change = self.update(&found);
        self.made += 1;
        self.note();
        Some(self.progress())
    }

    /// Matches all sentences with the templates of their actions. None: it was stopped.
    fn matched(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Found> {
        let (edited, kinds) = (&self.edited, self.kinds);
        let templates: Vec<Vec<[usize; TEMPLATE_MAX]>> = kinds.iter().map(padded).collect();
        let mut found = Found {
            sums: vec![[0.0; 4]; self.now.len()],
            highest: vec![0.0; self.now.len()],
        };
        let mut matcher = Matcher::new();
        let mut words: Vec<Probabilities> = Vec::with_capacity(SENTENCE_NOUNS_MAX);
        for (i, sentence) in edited.found.iter().enumerate() {
            if i % SENTENCES_BETWEEN == 0 && !go_on() {
                return None;
            }
            words.clear();
            words.extend(sentence.words.iter().map(|&w| self.now[w as usize]));
            if words.is_empty() {
                continue;
            }
            for template in &templates[sentence.kind] {
                let score = matcher.score(&words, *template);
                for (word, row) in sentence.words.iter().zip(&matcher.found) {
                    let word = *word as usize;
                    found.highest[word] = found.highest[word].max(score);
                    for (sum, number) in found.sums[word].iter_mut().zip(row) {
                        *sum += number;
                    }
                }
            }
        }
        Some(found)
    }

    /// Equations 5.8 and 5.9, as [`Learning`] says; returns the greatest change.
    fn update(&mut self, found: &Found) -> f64 {
        let (edited, params) = (&self.edited, self.params);
        let highest = found.highest.iter().copied().fold(0.0, f64::max);
        let mut change = 0.0_f64;
        for (at, now) in self.now.iter_mut().enumerate() {
            let sums = found.sums[at];
            if edited.fixed[at].is_some() || sums.iter().sum::<f64>() <= 0.0 {
                continue;
            }
            let doubt = (highest / found.highest[at].max(f64::MIN_POSITIVE)).min(DOUBT_MAX);
            let count = f64::from(edited.words[at].with_actions);
            let unseen = 1.0 - edited.words[at].ratio() + 1.0 / count.max(1.0);
            let smoothing = params.smoothing * unseen * doubt;
            let posterior = normalized(normalized(sums).map(|p| p + smoothing));
            // What a few sentences say is not much against what is known.
            let damping = params.damping * count / (count + FEW);
            let product = |class: usize| now[class] * math::pow(posterior[class], damping);
            let next = normalized(std::array::from_fn(product));
            let changes = now.iter().zip(&next).map(|(old, new)| (old - new).abs());
            change = changes.fold(change, f64::max);
            *now = next;
        }
        change
    }

    /// Notes which words are decided.
    fn note(&mut self) {
        let iteration = self.made;
        for (now, decided) in self.now.iter().zip(&mut self.decided) {
            let class = likeliest(now);
            *decided = match *decided {
                _ if now[class] <= DECIDED => None,
                Some((old, since)) if old == class => Some((old, since)),
                _ => Some((class, iteration)),
            };
        }
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let mut decided = [0; 4];
        for (class, _) in self.decided.iter().flatten() {
            decided[*class] += 1;
        }
        Progress {
            iteration: self.made,
            change: if self.made == 0 { 0.0 } else { self.change },
            decided,
        }
    }

    /// What was learned so far.
    #[must_use]
    pub(crate) fn learned(&self) -> Learned {
        let Edited {
            words,
            is_used,
            names,
            found,
            ..
        } = &self.edited;
        let mut found = found.clone();
        let mut order: Vec<usize> = (0..words.len()).filter(|&at| is_used[at]).collect();
        // In how many sentences it is what it is, as far as that is decided.
        let evidence = |at: usize| {
            let class = self.decided[at].map(|(class, _)| class);
            class.map_or(0.0, |class| {
                self.now[at][class] * f64::from(words[at].with_actions)
            })
        };
        let count = |at: usize| Reverse(words[at].with_actions);
        order.sort_by(|&a, &b| {
            let first = evidence(b).total_cmp(&evidence(a));
            first.then((count(a), a).cmp(&(count(b), b)))
        });
        let mut index = vec![0; words.len()];
        for (new, &old) in order.iter().enumerate() {
            index[old] = new as u32;
        }
        for word in found.iter_mut().flat_map(|sentence| &mut sentence.words) {
            *word = index[*word as usize];
        }
        let each = order.iter().map(|&at| LearnedWord {
            text: words[at].text.clone(),
            name: names[at].clone(),
            class: Class::ALL[likeliest(&self.now[at])],
            probabilities: self.now[at],
            prior: self.prior[at],
            decided: self.decided[at].map(|(_, since)| since),
            with_actions: words[at].with_actions,
            is_name: Word::is_name(&words[at]),
        });
        Learned {
            words: each.collect(),
            iterations: self.made,
            kinds: self.kinds.to_vec(),
            found,
        }
    }
}

/// Number of sentences of a word at which half of what a round finds counts.
const FEW: f64 = 5.0;
/// How much less a word is believed whose sentences fit badly.
const DOUBT_MAX: f64 = 10.0;

fn certain(class: Class) -> Probabilities {
    std::array::from_fn(|i| f64::from(u8::from(i == class as usize)))
}

/// The likeliest class; the first of equals.
fn likeliest(probabilities: &Probabilities) -> usize {
    (1..4).fold(0, |best, class| {
        if probabilities[class] > probabilities[best] {
            class
        } else {
            best
        }
    })
}

/// Templates of one length, short ones filled with other words (section 5.8.3).
fn padded(kind: &ActionKind) -> Vec<[usize; TEMPLATE_MAX]> {
    let pad = |template: &Vec<Class>| {
        std::array::from_fn(|part| template.get(part).map_or(Class::Other, |c| *c) as usize)
    };
    kind.templates.iter().map(pad).collect()
}
