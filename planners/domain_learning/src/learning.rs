//! Learning: parameters, evidence and result.

use crate::corpus::Sentence;
use crate::edits::Edited;
use crate::rules::out_of_range;
use crate::template_matching::Rounds;
use crate::{ActionKind, Class, Corpus, Edit, ITERATIONS_MAX};
use anytime::{Control, Fault, Path, fault};
use lexicon::Counts;
use std::cmp::Reverse;

/// How words are learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearnParams {
    /// Most rounds, 0 to [`ITERATIONS_MAX`]. Default: 3. More decide more words, and wrongly: see
    /// [`Learning`].
    pub iterations: usize,
    /// k of equation 5.8, 0 to 100. Default: 0.3.
    pub smoothing: f64,
    /// Exponent of what a round finds in equation 5.9, 0 (nothing is learned) to 1 (as printed).
    /// Default: 0.3.
    pub damping: f64,
    /// No more rounds once no probability changes by more, 0 to 1. Default: 0.001.
    pub tolerance: f64,
}

impl Default for LearnParams {
    fn default() -> Self {
        Self {
            iterations: 3,
            smoothing: 0.3,
            damping: 0.3,
            tolerance: 0.001,
        }
    }
}

impl LearnParams {
    /// Every number that is out of its range.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Fault> {
        let ranges = [
            ("smoothing", self.smoothing, 100.0),
            ("damping", self.damping, 1.0),
            ("tolerance", self.tolerance, 1.0),
        ];
        let root = Path::root("learning");
        let wrong = ranges
            .iter()
            .filter_map(|&(name, given, max)| out_of_range(&root.field(name), given, 0.0, max));
        let mut found: Vec<Fault> = wrong.collect();
        if self.iterations > ITERATIONS_MAX {
            found.push(fault!(
                "OUT_OF_RANGE",
                root.field("max_rounds"),
                "at most {} iterations are made, {} are asked for",
                ITERATIONS_MAX,
                self.iterations
            ));
        }
        found
    }
}

/// Progress of learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Rounds so far; 0: nothing but what was known before.
    pub iteration: u32,
    /// Greatest change of a probability in this round.
    pub change: f64,
    /// Words with a probability above 0.5 in each class.
    pub decided: [usize; 4],
}

/// The result of learning: words with their classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// Words by evidence: by how many sentences about actions each is in, times the probability of
    /// its class. Undecided ones come last.
    pub words: Vec<LearnedWord>,
    /// Rounds that were made.
    pub iterations: u32,
    pub(crate) kinds: Vec<ActionKind>,
    /// Sentences, with indices of `words`.
    pub(crate) found: Vec<Sentence>,
}

/// A learned word.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedWord {
    /// The word.
    pub text: String,
    /// What it is called in stories, if it was renamed.
    pub name: Option<String>,
    /// Its likeliest class.
    pub class: Class,
    /// Probabilities of classes, in the order of [`Class::ALL`].
    pub probabilities: [f64; 4],
    /// The same before the text was read.
    pub prior: [f64; 4],
    /// The round since which its class has a probability above 0.5; 0: from the beginning. None: it
    /// has not.
    pub decided: Option<u32>,
    /// In how many sentences about actions it is.
    pub with_actions: u32,
    /// Whether it is mostly written as a name.
    pub is_name: bool,
}

/// Learning of word classes by template matching.
///
/// Differences to the thesis, with reasons:
/// * Long sentences: not random words, but the mean over all choices.
/// * Equation 5.8 as printed adds more smoothing to words that are mostly in sentences about
///   actions (F near 1), although the text wants these to converge more quickly. Here smoothing is
///   k (1 - F + 1 / n) m / max(f), where f are the scores of the sentences of the word and m the
///   highest score of any sentence, the quotient at most 10: otherwise the unit of f, a product of
///   four probabilities, would decide.
/// * Equation 5.9 multiplies again and again with the same evidence, so that after a few rounds all
///   words are decided, many wrongly. What a round finds counts with an exponent (`damping`), less
///   for words of few sentences, and rounds are few.
/// * Smoothing is (1 - F + 1 / n) instead of 1 - F, for a word of n sentences: a word that is in
///   one sentence, which is about an action, may be what fits no template.
pub struct Learning<'c> {
    pub(crate) corpus: &'c Corpus,
    pub(crate) params: LearnParams,
    pub(crate) relations: Option<Counts>,
    pub(crate) wordnet: Option<Counts>,
    edits: Vec<Edit>,
}

impl<'c> Learning<'c> {
    /// Learns from a text alone: all words are anything at first.
    #[must_use]
    pub fn new(corpus: &'c Corpus, params: LearnParams) -> Self {
        Self {
            corpus,
            params,
            relations: None,
            wordnet: None,
            edits: Vec::new(),
        }
    }

    /// The same, with evidence from relations.
    ///
    /// # Panics
    /// If they were counted for another corpus.
    #[must_use]
    pub fn with_relations(mut self, counts: Counts) -> Self {
        assert_eq!(counts.len(), self.corpus.words.len(), "another corpus");
        self.relations = Some(counts);
        self
    }

    /// The same, with evidence from WordNet.
    ///
    /// # Panics
    /// If it was read for another corpus.
    #[must_use]
    pub fn with_wordnet(mut self, counts: Counts) -> Self {
        assert_eq!(counts.len(), self.corpus.words.len(), "another corpus");
        self.wordnet = Some(counts);
        self
    }

    /// The same, with corrections.
    #[must_use]
    pub fn with_edits(mut self, edits: Vec<Edit>) -> Self {
        self.edits = edits;
        self
    }

    /// Learns. Each round is an iteration of `control` and is offered to its sink as progress, from
    /// 0 on; when it is to stop, what was learned in the rounds before is the answer.
    ///
    /// # Errors
    /// Every mistake of parameters and edits.
    pub fn run(
        &self,
        control: &mut Control<'_, Progress, Reverse<u32>>,
    ) -> Result<Learned, Vec<Fault>> {
        let mut rounds = self.rounds()?;
        let mut progress = Some(rounds.progress());
        while let Some(now) = progress {
            control.offer(&now, Reverse(now.iteration), "template matching");
            if rounds.is_done() || !control.tick() {
                break;
            }
            progress = rounds.round(&mut || control.go_on());
        }
        Ok(rounds.learned())
    }

    /// The same, round by round.
    ///
    /// # Errors
    /// As [`Learning::run`].
    pub(crate) fn rounds(&self) -> Result<Rounds<'_>, Vec<Fault>> {
        let mut mistakes = self.params.mistakes();
        match Edited::new(self.corpus, &self.edits) {
            Ok(edited) if mistakes.is_empty() => Ok(Rounds::new(self, edited)),
            Ok(_) => Err(mistakes),
            Err(wrong) => {
                mistakes.extend(wrong);
                Err(mistakes)
            }
        }
    }
}
