//! What was learned, for the wire.

use super::books::Named;
use super::domain::spec_of;
use super::show::problem_of;
use crate::contract::LearnStoryDomain;
use crate::faults::reason;
use crate::method::Asked;
use crate::report::common;
use anytime::{Fault, Reason};
use anytime::{Found, Outcome};
use domain_learning::{Class, DomainLearning, LearnedDomain, LearnedWord};
use stratagem_proto::v1 as pb;

/// Most words of an answer.
const WORDS_MAX: usize = 10_000;

/// The answer that an outcome is.
pub(crate) fn learned(
    asked: &Asked<LearnStoryDomain>,
    outcome: &Outcome<DomainLearning>,
) -> pb::LearnStoryDomainResponse {
    let lesson = outcome.best.as_deref().map(|best| &best.plan);
    let explanation = match lesson {
        Some(lesson) if lesson.domain.is_some() => None,
        Some(lesson) => Some(explanation(&lesson.mistakes, *asked.request.names)),
        None => Some(pb::Explanation {
            summary: "There was no time to learn anything.".into(),
            ..pb::Explanation::default()
        }),
    };
    pb::LearnStoryDomainResponse {
        event: None,
        plan: lesson.map(lesson_of),
        report: Some(pb::SolveReport {
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// The answer so far.
pub(crate) fn lesson_step(best: &Found<DomainLearning>) -> Option<pb::LearnStoryDomainResponse> {
    Some(pb::LearnStoryDomainResponse {
        plan: Some(lesson_of(&best.plan)),
        ..pb::LearnStoryDomainResponse::default()
    })
}

pub(super) fn explanation(mistakes: &[Fault], named: Named) -> pb::Explanation {
    let reasons = mistakes
        .iter()
        .map(|fault| reason(&Reason::proved(fault.clone()), &named));
    pb::Explanation {
        summary: "No domain can be learned from this.".into(),
        reasons: reasons.take(1_000).collect(),
        truncated: mistakes.len() > 1_000,
        ..pb::Explanation::default()
    }
}

/// Far below two thousand million wherever it is used.
fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn lesson_of(lesson: &LearnedDomain) -> pb::StoryLearnedDomain {
    let [sentences, action_sentences, words] = lesson.counts;
    // Its texts were read when it was checked.
    let domain = lesson.domain.as_ref().and_then(|it| spec_of(it).ok());
    pb::StoryLearnedDomain {
        round: count(lesson.progress.iteration as usize),
        change: lesson.progress.change,
        sentence_count: count(sentences),
        action_sentence_count: count(action_sentences),
        words: lesson.words.iter().take(WORDS_MAX).map(word).collect(),
        word_count: count(words),
        domain: domain.map(|spec| problem_of(&spec)),
    }
}

fn word(word: &LearnedWord) -> pb::StoryWord {
    let class = match word.class {
        Class::Actor => pb::StoryWordClass::Actor,
        Class::Item => pb::StoryWordClass::Item,
        Class::Place => pb::StoryWordClass::Place,
        Class::Other => pb::StoryWordClass::Other,
    };
    pb::StoryWord {
        text: word.text.clone(),
        name: word.called(),
        word_class: class.into(),
        probabilities: word.probabilities.to_vec(),
        priors: word.prior.to_vec(),
        decided_round: word.decided.map(|round| count(round as usize)),
        sentence_count: count(word.with_actions as usize),
    }
}
