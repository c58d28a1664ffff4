//! Learning as a planner: texts in, better and better domains out.

use crate::domain::{Domain, DomainCheck};
use crate::reader::no_sentence;
use crate::rules::{too_long, too_many_edits};
use crate::{
    ActionKind, Class, Corpus, DomainParams, Edit, ITERATIONS_MAX, LearnParams, LearnedWord,
    Learning, Progress, RELATION_BYTES_MAX, Reader, Rounds, TEXT_BYTES_MAX, WORDNET_BYTES_MAX,
    kinds,
};
use anytime::{Conclusion, Control, Fault, Path, Runnable, SolveError, Stop, fault};
use lexicon::{Counts, Relations, WordNet, control_character};
use std::convert::Infallible;

/// Bytes that are read between two questions whether to go on.
const TEXT_BETWEEN: usize = 2 << 10;
const LINES_BETWEEN: usize = 64 << 10;

/// What is to be learned from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sources {
    /// The text.
    pub text: String,
    /// Relations of ConceptNet. Empty: none.
    pub relations: String,
    /// WordNet's `data.noun`. Empty, and so is the other: none.
    pub wordnet_data: String,
    /// WordNet's `index.noun`.
    pub wordnet_index: String,
    /// Kinds of actions to look for.
    pub kinds: Vec<ActionKind>,
    /// Corrections.
    pub edits: Vec<Edit>,
    /// What domain is wanted.
    pub domain: DomainParams,
}

/// Sources whose sizes and kinds of actions are valid, and whose text is text.
#[derive(Debug, Clone)]
pub struct LearningProblem {
    spec: Sources,
    check: DomainCheck,
}

impl LearningProblem {
    /// The problem, its sources checked but not read. `check` judges learned domains.
    ///
    /// # Errors
    /// Every mistake that is found without reading: sizes, encodings, kinds of actions, parameters
    /// of the domain.
    pub fn new(spec: Sources, check: DomainCheck) -> Result<Self, Vec<Fault>> {
        let mut mistakes = kinds::mistakes(&spec.kinds);
        mistakes.extend(spec.domain.mistakes());
        mistakes.extend(too_many_edits(spec.edits.len()));
        mistakes.extend(text_mistake(&spec.text));
        let (wordnet, max) = ("a WordNet file", WORDNET_BYTES_MAX);
        for (at, what, file, max) in [
            (
                "relations",
                "relations",
                &spec.relations,
                RELATION_BYTES_MAX,
            ),
            ("wordnet_data", wordnet, &spec.wordnet_data, max),
            ("wordnet_index", wordnet, &spec.wordnet_index, max),
        ] {
            mistakes.extend(too_long(at, what, file.len() as u64, max));
        }
        if mistakes.is_empty() {
            Ok(Self { spec, check })
        } else {
            Err(mistakes)
        }
    }

    /// Bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Sources {
            text,
            relations,
            wordnet_data,
            wordnet_index,
            ..
        } = &self.spec;
        let files = [text, relations, wordnet_data, wordnet_index];
        files.into_iter().map(String::len).sum()
    }
}

/// What has been learned so far.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedDomain {
    /// How far learning has come.
    pub progress: Progress,
    /// Sentences of the text, those about actions, and words of these.
    pub counts: [usize; 3],
    /// Words by evidence.
    pub words: Vec<LearnedWord>,
    /// The domain. None: there are mistakes.
    pub domain: Option<Domain>,
    /// Why there is no domain.
    pub mistakes: Vec<Fault>,
}

/// The cost of a learned domain: what it lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LearningCost {
    /// Whether there is no domain.
    pub domain: bool,
    /// Rounds that it has less than the most that are ever made.
    pub rounds: u32,
}

/// The planner, as its runner sees it. Each round offers what was learned so far.
#[derive(Debug, Clone, Copy)]
pub struct DomainLearning;

impl anytime::Planner for DomainLearning {
    type Problem = LearningProblem;
    type Params = LearnParams;
    type Plan = LearnedDomain;
    type Cost = LearningCost;

    /// Offers what was learned after each round. A text from which no domain can be learned is
    /// infeasible, and its mistakes give the reason.
    fn solve(
        books: &LearningProblem,
        params: &LearnParams,
        control: &mut Control<'_, LearnedDomain, LearningCost>,
    ) -> Result<Conclusion, SolveError> {
        let stopped = |control: &Control<'_, LearnedDomain, LearningCost>| {
            Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
        };
        match study(books, *params, control) {
            Ok(true) => Ok(Conclusion::Stopped(Stop::Exhausted)),
            Ok(false) => Ok(stopped(control)),
            Err(mistakes) => {
                offer(control, &failed(mistakes));
                Ok(Conclusion::Infeasible)
            }
        }
    }

    fn verify(
        books: &LearningProblem,
        learned: &LearnedDomain,
    ) -> Result<LearningCost, Vec<Fault>> {
        let words_at = Path::root("words");
        let words = learned.words.iter().enumerate();
        let wrong = words.filter(|(_, word)| !is_consistent(word));
        let mut found: Vec<Fault> = wrong
            .map(|(index, _)| {
                let at = words_at.index(index);
                fault!(
                    "CONTRADICTION",
                    at,
                    "has probabilities that do not match its class"
                )
            })
            .collect();
        let refused = learned.domain.as_ref().map(books.check);
        let refused = refused.unwrap_or_default().into_iter();
        found.extend(refused.map(|fault| fault.under(&Path::root("domain"))));
        if learned.domain.is_some() != learned.mistakes.is_empty() {
            found.push(fault!(
                "CONTRADICTION",
                Path::root("domain"),
                "is there in spite of mistakes, or missing without any"
            ));
        }
        if found.is_empty() {
            Ok(cost_of(learned))
        } else {
            Err(found)
        }
    }
}

/// Whether what is said of a word fits together.
fn is_consistent(word: &LearnedWord) -> bool {
    let sum: f64 = word.probabilities.iter().sum();
    let likeliest = word.probabilities[word.class as usize];
    let is_share = |p: &f64| (0.0..=1.0).contains(p) && *p <= likeliest;
    word.probabilities.iter().all(is_share)
        && (sum - 1.0).abs() < 1e-6
        && word.decided.is_some() == (likeliest > 0.5)
}

fn cost_of(learned: &LearnedDomain) -> LearningCost {
    LearningCost {
        domain: learned.domain.is_none(),
        rounds: ITERATIONS_MAX as u32 - learned.progress.iteration,
    }
}

fn offer(control: &mut Control<'_, LearnedDomain, LearningCost>, learned: &LearnedDomain) {
    let cost = cost_of(learned);
    control.offer(learned, cost, "template matching");
}

/// Reads and learns. False: stopped.
fn study(
    books: &LearningProblem,
    params: LearnParams,
    control: &mut Control<'_, LearnedDomain, LearningCost>,
) -> Result<bool, Vec<Fault>> {
    let LearningProblem { spec: books, check } = books;
    let Some(corpus) = read(books, control)? else {
        return Ok(false);
    };
    let mut learning = Learning::new(&corpus, params).with_edits(books.edits.clone());
    if !books.relations.is_empty() {
        let Some(counts) = relations(&books.relations, &corpus, control)? else {
            return Ok(false);
        };
        learning = learning.with_relations(counts);
    }
    if !books.wordnet_data.is_empty() || !books.wordnet_index.is_empty() {
        let Some(counts) = wordnet(books, &corpus, control)? else {
            return Ok(false);
        };
        learning = learning.with_wordnet(counts);
    }
    let mut rounds = learning.rounds()?;
    loop {
        let learned = learned(&corpus, &rounds, &books.domain, *check);
        // Later rounds may decide more words, so that there is a domain in the end.
        if learned.domain.is_some() {
            offer(control, &learned);
        } else if rounds.is_done() {
            return Err(learned.mistakes);
        }
        if rounds.is_done() {
            return Ok(true);
        }
        if !control.tick() || rounds.round(&mut || control.go_on()).is_none() {
            return Ok(false);
        }
    }
}

fn learned(
    corpus: &Corpus,
    rounds: &Rounds<'_>,
    params: &DomainParams,
    check: DomainCheck,
) -> LearnedDomain {
    let result = rounds.learned();
    let domain = result.domain(params, check).and_then(|domain| {
        let faults = check(&domain).into_iter();
        let mistakes: Vec<Fault> = faults.map(impossible).collect();
        if mistakes.is_empty() {
            Ok(domain)
        } else {
            Err(mistakes)
        }
    });
    let (domain, mistakes) = match domain {
        Ok(domain) => (Some(domain), Vec::new()),
        Err(mistakes) => (None, mistakes),
    };
    LearnedDomain {
        progress: rounds.progress(),
        counts: [
            corpus.sentences(),
            corpus.action_sentences(),
            corpus.words().len(),
        ],
        words: result.words,
        domain,
        mistakes,
    }
}

/// What a planner of stories says about a domain, as what cannot be learned.
fn impossible(fault: Fault) -> Fault {
    let mut fault = fault.under(&Path::root("domain"));
    fault.code = "DOMAIN_IMPOSSIBLE";
    fault
}

fn failed(mistakes: Vec<Fault>) -> LearnedDomain {
    LearnedDomain {
        progress: Progress {
            iteration: 0,
            change: 0.0,
            decided: [0; Class::ALL.len()],
        },
        counts: [0; 3],
        words: Vec::new(),
        domain: None,
        mistakes,
    }
}

type Stoppable<T> = Result<Option<T>, Vec<Fault>>;

/// A list of one mistake.
fn alone(mistake: Fault) -> Vec<Fault> {
    vec![mistake]
}

fn read(
    books: &Sources,
    control: &mut Control<'_, LearnedDomain, LearningCost>,
) -> Stoppable<Corpus> {
    let mut reader = Reader::new(&books.kinds)?;
    for piece in books.text.as_bytes().chunks(TEXT_BETWEEN) {
        if !control.go_on() {
            return Ok(None);
        }
        reader.push(piece).map_err(alone)?;
    }
    reader.finish().map(Some).map_err(alone)
}

fn relations(
    file: &str,
    corpus: &Corpus,
    control: &mut Control<'_, LearnedDomain, LearningCost>,
) -> Stoppable<Counts> {
    let mut relations = Relations::new(corpus.vocabulary());
    for piece in file.as_bytes().chunks(LINES_BETWEEN) {
        if !control.go_on() {
            return Ok(None);
        }
        relations.push(piece, &mut |_| ()).map_err(alone)?;
    }
    relations.finish(&mut |_| ()).map(Some).map_err(alone)
}

fn wordnet(
    books: &Sources,
    corpus: &Corpus,
    control: &mut Control<'_, LearnedDomain, LearningCost>,
) -> Stoppable<Counts> {
    let mut wordnet = WordNet::new(corpus.vocabulary());
    for piece in books.wordnet_data.as_bytes().chunks(LINES_BETWEEN) {
        if !control.go_on() {
            return Ok(None);
        }
        wordnet.data(piece).map_err(alone)?;
    }
    for piece in books.wordnet_index.as_bytes().chunks(LINES_BETWEEN) {
        if !control.go_on() {
            return Ok(None);
        }
        wordnet.index(piece).map_err(alone)?;
    }
    let nouns = wordnet.finish().map_err(alone)?;
    Ok(Some(nouns.counts()))
}

/// What shows of a text without reading it: that it is too long, empty, or has control characters.
fn text_mistake(text: &str) -> Option<Fault> {
    if text.is_empty() {
        return Some(no_sentence("REQUIRED"));
    }
    let long = too_long("text", "text", text.len() as u64, TEXT_BYTES_MAX);
    long.or_else(|| control_character(text.as_bytes(), 0))
}

// Why nothing can be learned is part of the lesson.
impl Runnable for DomainLearning {
    const NAME: &'static str = "story";
    type Reasons = Infallible;

    fn elements(books: &LearningProblem) -> usize {
        books.bytes()
    }

    fn is_partial(_: &LearningProblem, lesson: &LearnedDomain) -> bool {
        lesson.domain.is_none()
    }
}
