//! Corrections by people.

use crate::corpus::{Corpus, Sentence};
use crate::rules::too_many_edits;
use crate::{Class, Word};
use anytime::{Fault, Path, fault};
use lexicon::Counts;

/// Code of a correction that cannot be made.
const REFUSED: &str = "EDIT_REFUSED";

/// A correction. Words are lemmas of the vocabulary, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// The word is of this class, whatever the text says; others learn from it.
    Class {
        /// The word.
        word: String,
        /// What it is.
        class: Class,
    },
    /// The word is not looked at.
    Remove {
        /// The word.
        word: String,
    },
    /// The word is called so in stories.
    Rename {
        /// The word.
        word: String,
        /// What it is called: `Sherlock Holmes`.
        name: String,
    },
    /// Words that mean the same.
    Merge {
        /// The other words.
        words: Vec<String>,
        /// The word that they are counted as.
        into: String,
    },
}

/// A corpus with its corrections.
pub(crate) struct Edited {
    pub(crate) words: Vec<Word>,
    /// Whether a word is looked at: neither removed nor another one.
    pub(crate) is_used: Vec<bool>,
    pub(crate) fixed: Vec<Option<Class>>,
    pub(crate) names: Vec<Option<String>>,
    pub(crate) found: Vec<Sentence>,
    /// What a word is counted as: itself unless merged.
    merged: Vec<u32>,
}

impl Edited {
    /// Applies corrections.
    ///
    /// # Errors
    /// Unknown words, corrections that contradict each other, empty names, too many corrections:
    /// all of them.
    pub(crate) fn new(corpus: &Corpus, edits: &[Edit]) -> Result<Self, Vec<Fault>> {
        let count = corpus.words.len();
        let mut edited = Self {
            words: corpus.words.clone(),
            is_used: vec![true; count],
            fixed: vec![None; count],
            names: vec![None; count],
            found: Vec::new(),
            merged: (0..count as u32).collect(),
        };
        if let Some(fault) = too_many_edits(edits.len()) {
            return Err(vec![fault]);
        }
        let (mut mistakes, root) = (Vec::new(), Path::root("edits"));
        // Merged and removed words first, whatever the order: others may not be about them.
        for first in [true, false] {
            for (i, edit) in edits.iter().enumerate() {
                if matches!(edit, Edit::Merge { .. } | Edit::Remove { .. }) == first {
                    edited.apply(corpus, edit, &root.index(i), &mut mistakes);
                }
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        edited.find(corpus);
        Ok(edited)
    }

    fn apply(&mut self, corpus: &Corpus, edit: &Edit, at: &Path<'_>, wrong: &mut Vec<Fault>) {
        let word_at = at.field("word");
        match edit {
            Edit::Class { word, class } => {
                if let Some(at) = self.used_word(corpus, word, &word_at, wrong) {
                    if self.fixed[at].is_some_and(|fixed| fixed != *class) {
                        wrong.push(contradiction(&word_at, word, "given another class"));
                    }
                    self.fixed[at] = Some(*class);
                }
            }
            Edit::Remove { word } => {
                if let Some(at) = self.used_word(corpus, word, &word_at, wrong) {
                    self.is_used[at] = false;
                }
            }
            Edit::Rename { word, name } => {
                if name.trim().is_empty() {
                    wrong.push(fault!(REFUSED, at.field("name"), "there is no name"));
                }
                if let Some(at) = self.used_word(corpus, word, &word_at, wrong) {
                    if self.names[at].is_some() {
                        wrong.push(contradiction(&word_at, word, "renamed"));
                    }
                    self.names[at] = Some(name.clone());
                }
            }
            Edit::Merge { words, into } => {
                let into = self.used_word(corpus, into, &at.field("into"), wrong);
                let words_at = at.field("words");
                for (j, word) in words.iter().enumerate() {
                    let at = self.used_word(corpus, word, &words_at.index(j), wrong);
                    if let (Some(at), Some(into)) = (at, into)
                        && at != into
                    {
                        self.is_used[at] = false;
                        self.merged[at] = into as u32;
                    }
                }
            }
        }
    }

    /// The index of a word that is used.
    fn used_word(
        &self,
        corpus: &Corpus,
        word: &str,
        path: &Path<'_>,
        wrong: &mut Vec<Fault>,
    ) -> Option<usize> {
        let Some(at) = corpus.find(word) else {
            wrong.push(fault!(
                REFUSED,
                path,
                "'{}' is no word of the sentences about actions",
                word
            ));
            return None;
        };
        if !self.is_used[at] {
            let done = if self.merged[at] as usize == at {
                "removed"
            } else {
                "merged into another"
            };
            wrong.push(contradiction(path, word, done));
            return None;
        }
        Some(at)
    }

    /// What a word is counted as in the end: targets may have been merged later.
    fn target(&self, mut word: usize) -> usize {
        // Ends: a word that was merged may not be merged again, so that each step leads to one that
        // was used later.
        while self.merged[word] as usize != word {
            word = self.merged[word] as usize;
        }
        word
    }

    /// Counts words as what they are merged into, and leaves out those that are removed.
    fn find(&mut self, corpus: &Corpus) {
        for at in 0..self.words.len() {
            let target = self.target(at);
            if target != at {
                let word = &corpus.words[at];
                self.words[target].add(word.count, word.roles, word.names, word.plain);
            }
        }
        for word in &mut self.words {
            word.with_actions = 0;
        }
        for sentence in &corpus.found {
            let mut words: Vec<u32> = Vec::with_capacity(sentence.words.len());
            for &word in &sentence.words {
                let target = self.target(word as usize);
                if self.is_used[target] && !words.contains(&(target as u32)) {
                    words.push(target as u32);
                    self.words[target].with_actions += 1;
                }
            }
            let kind = sentence.kind;
            self.found.push(Sentence { kind, words });
        }
    }

    /// What is known of words, of merged ones together.
    pub(crate) fn counts(&self, counts: &Counts) -> Counts {
        let mut merged = counts.clone();
        for (at, row) in counts.iter().enumerate() {
            let target = self.target(at);
            if target != at {
                for (sum, number) in merged[target].iter_mut().zip(row) {
                    *sum += number;
                }
            }
        }
        merged
    }
}

fn contradiction(at: &Path<'_>, word: &str, done: &'static str) -> Fault {
    fault!(REFUSED, at, "'{}' was already {}", word, done)
}
