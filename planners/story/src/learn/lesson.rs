//! Learning as a planner: books in, better and better domains out.

use super::learning::LearnParams;
use super::{
    ActionKind, Class, Corpus, Counts, DomainParams, Edit, LearnError, LearnReason, LearnedWord,
    Learning, Progress, RELATION_BYTES_MAX, Reader, Relations, Rounds, TEXT_BYTES_MAX, WordNet,
    kinds,
};
use crate::{Problem, Spec};
use anytime::{Conclusion, Control, SolveError, Stop};

/// Bytes that are read between two questions whether to go on.
const TEXT_BETWEEN: usize = 2 << 10;
const LINES_BETWEEN: usize = 64 << 10;

/// A file in pieces of any size.
pub type Pieces = Vec<Vec<u8>>;

/// What is to be learned from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BooksSpec {
    /// The text.
    pub text: Pieces,
    /// Relations of ConceptNet. Empty: none.
    pub relations: Pieces,
    /// WordNet's `data.noun` and `index.noun`. Empty: none.
    pub wordnet: (Pieces, Pieces),
    /// Kinds of actions to look for.
    pub kinds: Vec<ActionKind>,
    /// Corrections.
    pub edits: Vec<Edit>,
    /// What domain is wanted.
    pub domain: DomainParams,
}

/// Books whose sizes and kinds of actions are bearable, and whose text is text.
#[derive(Debug, Clone, PartialEq)]
pub struct Books(BooksSpec);

impl Books {
    /// The books, looked at but not read.
    ///
    /// # Errors
    /// Every mistake that shows without reading: sizes, encodings, kinds of actions, parameters of the domain.
    pub fn new(spec: BooksSpec) -> Result<Self, Vec<LearnError>> {
        let mut mistakes = kinds::mistakes(&spec.kinds);
        mistakes.extend(spec.domain.mistakes());
        let given = spec.edits.len();
        if given > super::EDITS_MAX {
            mistakes.push(LearnError::new("edits", LearnReason::Edits { given }));
        }
        mistakes.extend(text_mistake(&spec.text));
        if size(&spec.relations) > RELATION_BYTES_MAX {
            mistakes.push(LearnError::new("relations", LearnReason::RelationBytes));
        }
        for (path, file) in [
            ("wordnet_data", &spec.wordnet.0),
            ("wordnet_index", &spec.wordnet.1),
        ] {
            if size(file) > super::WORDNET_BYTES_MAX {
                mistakes.push(LearnError::new(path, LearnReason::WordNetBytes));
            }
        }
        if mistakes.is_empty() {
            Ok(Self(spec))
        } else {
            Err(mistakes)
        }
    }

    /// Bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let BooksSpec {
            text,
            relations,
            wordnet: (data, index),
            ..
        } = &self.0;
        [text, relations, data, index].map(size).iter().sum()
    }
}

/// What has been learned so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// How far learning has come.
    pub progress: Progress,
    /// Sentences of the text, those about actions, and words of these.
    pub counts: [usize; 3],
    /// Words by evidence.
    pub words: Vec<LearnedWord>,
    /// The domain. None: there are mistakes.
    pub spec: Option<Spec>,
    /// Why there is no domain.
    pub mistakes: Vec<LearnError>,
}

/// What a lesson lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lacking {
    /// Whether there is no domain.
    pub domain: bool,
    /// Rounds that it has less than the most that are ever made.
    pub rounds: u32,
}

/// What is wrong with a lesson.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LessonViolation {
    /// Probabilities that are none, or a class that is not the likeliest.
    #[error("what is said of word {word} does not fit together")]
    Word {
        /// Index of the word.
        word: usize,
    },
    /// A domain that stories cannot be told in.
    #[error("the domain is none: {0}")]
    Domain(String),
    /// Both a domain and mistakes, or neither.
    #[error("a lesson has a domain or mistakes")]
    Neither,
}

/// The planner, as its runner sees it. Each round offers what was learned so far.
#[derive(Debug, Clone, Copy)]
pub struct Scholar;

impl anytime::Planner for Scholar {
    type Problem = Books;
    type Params = LearnParams;
    type Plan = Lesson;
    type Cost = Lacking;
    type Violation = LessonViolation;

    /// Offers what was learned after each round. A text from which no domain can be learned is infeasible, and its lesson says why.
    fn solve(
        books: &Books,
        params: &LearnParams,
        control: &mut Control<'_, Lesson, Lacking>,
    ) -> Result<Conclusion, SolveError> {
        let stopped = |control: &Control<'_, Lesson, Lacking>| {
            Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
        };
        match study(&books.0, *params, control) {
            Ok(true) => Ok(Conclusion::Stopped(Stop::Exhausted)),
            Ok(false) => Ok(stopped(control)),
            Err(mistakes) => {
                offer(control, &failed(mistakes));
                Ok(Conclusion::Infeasible)
            }
        }
    }

    fn verify(_: &Books, lesson: &Lesson) -> Result<Lacking, Vec<LessonViolation>> {
        let words = lesson.words.iter().enumerate();
        let wrong = words.filter(|(_, word)| !fits(word));
        let mut found: Vec<LessonViolation> = wrong
            .map(|(word, _)| LessonViolation::Word { word })
            .collect();
        if let Some(Err(mistakes)) = lesson.spec.as_ref().map(Problem::new) {
            let first = mistakes.first().map(ToString::to_string);
            found.push(LessonViolation::Domain(first.unwrap_or_default()));
        }
        if lesson.spec.is_some() != lesson.mistakes.is_empty() {
            found.push(LessonViolation::Neither);
        }
        if found.is_empty() {
            Ok(lacking(lesson))
        } else {
            Err(found)
        }
    }
}

/// Whether what is said of a word fits together.
fn fits(word: &LearnedWord) -> bool {
    let sum: f64 = word.probabilities.iter().sum();
    let likeliest = word.probabilities[word.class as usize];
    let is_share = |p: &f64| (0.0..=1.0).contains(p) && *p <= likeliest;
    word.probabilities.iter().all(is_share)
        && (sum - 1.0).abs() < 1e-6
        && word.decided.is_some() == (likeliest > 0.5)
}

fn lacking(lesson: &Lesson) -> Lacking {
    Lacking {
        domain: lesson.spec.is_none(),
        rounds: super::ITERATIONS_MAX as u32 - lesson.progress.iteration,
    }
}

fn offer(control: &mut Control<'_, Lesson, Lacking>, lesson: &Lesson) {
    let cost = lacking(lesson);
    control.offer(lesson, cost, "template matching");
}

/// Reads and learns; false: it was told to stop.
fn study(
    books: &BooksSpec,
    params: LearnParams,
    control: &mut Control<'_, Lesson, Lacking>,
) -> Result<bool, Vec<LearnError>> {
    let Some(corpus) = read(books, control)? else {
        return Ok(false);
    };
    let mut learning = Learning::new(&corpus, params).with_edits(books.edits.clone());
    if size(&books.relations) > 0 {
        let Some(counts) = relations(&books.relations, &corpus, control)? else {
            return Ok(false);
        };
        learning = learning.with_relations(counts);
    }
    let (data, index) = &books.wordnet;
    if size(data) + size(index) > 0 {
        let Some(counts) = wordnet((data, index), &corpus, control)? else {
            return Ok(false);
        };
        learning = learning.with_wordnet(counts);
    }
    let mut rounds = learning.rounds()?;
    loop {
        let lesson = lesson(&corpus, &rounds, &books.domain);
        // Later rounds may decide more words, so that there is a domain in the end.
        if lesson.spec.is_some() {
            offer(control, &lesson);
        } else if rounds.is_done() {
            return Err(lesson.mistakes);
        }
        if rounds.is_done() {
            return Ok(true);
        }
        if !control.tick() || rounds.round(&mut || control.go_on()).is_none() {
            return Ok(false);
        }
    }
}

fn lesson(corpus: &Corpus, rounds: &Rounds<'_>, params: &DomainParams) -> Lesson {
    let learned = rounds.learned();
    let domain = learned.domain(params).and_then(|spec| {
        let wrong = Problem::new(&spec).err().unwrap_or_default();
        let wrong = wrong.into_iter().map(|mistake| {
            let why = mistake.reason.to_string();
            LearnError::new(format!("domain.{}", mistake.path), LearnReason::Domain(why))
        });
        let wrong: Vec<LearnError> = wrong.collect();
        if wrong.is_empty() {
            Ok(spec)
        } else {
            Err(wrong)
        }
    });
    let (spec, mistakes) = match domain {
        Ok(spec) => (Some(spec), Vec::new()),
        Err(mistakes) => (None, mistakes),
    };
    Lesson {
        progress: rounds.progress(),
        counts: [
            corpus.sentences(),
            corpus.action_sentences(),
            corpus.words().len(),
        ],
        words: learned.words,
        spec,
        mistakes,
    }
}

fn failed(mistakes: Vec<LearnError>) -> Lesson {
    Lesson {
        progress: Progress {
            iteration: 0,
            change: 0.0,
            decided: [0; Class::ALL.len()],
        },
        counts: [0; 3],
        words: Vec::new(),
        spec: None,
        mistakes,
    }
}

type Told<T> = Result<Option<T>, Vec<LearnError>>;

fn read(books: &BooksSpec, control: &mut Control<'_, Lesson, Lacking>) -> Told<Corpus> {
    let mut reader = Reader::new(&books.kinds)?;
    for piece in pieces(&books.text, TEXT_BETWEEN) {
        if !control.go_on() {
            return Ok(None);
        }
        reader.push(piece).map_err(|mistake| vec![mistake])?;
    }
    reader.finish().map(Some).map_err(|mistake| vec![mistake])
}

fn relations(
    file: &Pieces,
    corpus: &Corpus,
    control: &mut Control<'_, Lesson, Lacking>,
) -> Told<Counts> {
    let mut relations = Relations::new(corpus);
    for piece in pieces(file, LINES_BETWEEN) {
        if !control.go_on() {
            return Ok(None);
        }
        relations.push(piece).map_err(|mistake| vec![mistake])?;
    }
    let counts = relations.finish();
    counts.map(Some).map_err(|mistake| vec![mistake])
}

fn wordnet(
    (data, index): (&Pieces, &Pieces),
    corpus: &Corpus,
    control: &mut Control<'_, Lesson, Lacking>,
) -> Told<Counts> {
    let mut wordnet = WordNet::new(corpus);
    for (file, is_data) in [(data, true), (index, false)] {
        for piece in pieces(file, LINES_BETWEEN) {
            if !control.go_on() {
                return Ok(None);
            }
            let read = if is_data {
                wordnet.data(piece)
            } else {
                wordnet.index(piece)
            };
            read.map_err(|mistake| vec![mistake])?;
        }
    }
    let counts = wordnet.finish();
    counts.map(Some).map_err(|mistake| vec![mistake])
}

/// A file in pieces of at most so many bytes.
fn pieces(file: &Pieces, bytes_max: usize) -> impl Iterator<Item = &[u8]> {
    file.iter().flat_map(move |piece| piece.chunks(bytes_max))
}

fn size(file: &Pieces) -> u64 {
    file.iter().map(|piece| piece.len() as u64).sum()
}

/// What shows of a text without reading it: that it is too long, empty, or binary.
fn text_mistake(text: &Pieces) -> Option<LearnError> {
    let wrong = |reason| Some(LearnError::new("text", reason));
    let bytes = size(text);
    if bytes > TEXT_BYTES_MAX {
        return wrong(LearnReason::TextBytes);
    }
    if bytes == 0 {
        return wrong(LearnReason::NoSentence);
    }
    let all = text.iter().flatten();
    let at = all.clone().position(|&byte| super::text::is_binary(byte))?;
    wrong(LearnReason::NotText { at: at as u64 })
}
