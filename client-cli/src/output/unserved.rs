//! What nobody does, and why.

use super::table::printable;
use super::{Display, Style, numbers};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    Explanation, ExplanationCertificate, ExplanationReason, ExplanationRelaxation,
};

/// Reasons that are shown for a task.
const REASONS_MAX: usize = 5;
/// Proofs that are shown.
const PROOFS_MAX: usize = 10;
/// Changes that are shown.
const HELPS_MAX: usize = 12;
/// Names that are shown in a row.
const IDS_MAX: usize = 12;

/// The tasks that nobody does, with their reasons, and whatever else there is to explain.
pub(super) fn list(
    display: &Display,
    unserved: &[String],
    explanation: Option<&Explanation>,
) -> String {
    let mut out = String::new();
    let reasons = explanation.map_or(&[][..], |e| &e.reasons);
    let mut by_subject: BTreeMap<&str, Vec<&ExplanationReason>> = BTreeMap::new();
    for reason in reasons {
        by_subject
            .entry(&reason.subject_id)
            .or_default()
            .push(reason);
    }
    let summary = explanation
        .map(|e| printable(&e.summary))
        .filter(|s| !s.is_empty());
    let tasks = numbers::things(unserved.len() as i64, "tasks");
    let title = summary.or((!unserved.is_empty()).then(|| format!("unserved: {tasks}")));
    if let Some(title) = title {
        let _ = write!(out, "\n{}\n", display.styled(Style::Doubtful, &title));
    }
    for id in unserved {
        let _ = writeln!(out, "  {}", printable(id));
        for line in by_subject
            .remove(id.as_str())
            .map_or(Vec::new(), |r| lines(&r))
        {
            let _ = writeln!(out, "    {line}");
        }
    }
    let rest: Vec<_> = by_subject.into_values().flatten().collect();
    for line in lines(&rest) {
        let _ = writeln!(out, "  {line}");
    }
    if explanation.is_some_and(|e| e.truncated) {
        out.push_str("  There are more reasons than fit.\n");
    }
    if let Some(explanation) = explanation {
        proved(display, &explanation.certificates, &mut out);
        helps(display, &explanation.relaxations, &mut out);
    }
    out
}

/// What in the problem was passed over.
pub(super) fn notes(display: &Display, notes: &[ExplanationReason]) -> String {
    let mut out = String::new();
    if notes.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", display.styled(Style::Doubtful, "passed over"));
    for one in notes.iter().take(HELPS_MAX) {
        let _ = writeln!(out, "  {}", printable(&one.message));
    }
    note_left_out(notes.len(), HELPS_MAX, "notes", &mut out);
    out
}

/// What no plan does, with the proof step by step.
fn proved(display: &Display, certificates: &[ExplanationCertificate], out: &mut String) {
    if certificates.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", display.styled(Style::Bad, "proved"));
    for one in certificates.iter().take(PROOFS_MAX) {
        let _ = writeln!(
            out,
            "  {}: {}",
            printable(&one.code),
            printable(&one.message)
        );
        if one.subject_ids.len() > 1 {
            let _ = writeln!(out, "    tasks: {}", ids(&one.subject_ids));
        }
        if !one.blocker_ids.is_empty() {
            let _ = writeln!(out, "    agents: {}", ids(&one.blocker_ids));
        }
        for row in one.steps.iter().take(REASONS_MAX) {
            let _ = writeln!(out, "    {}", printable(&row.message));
        }
        note_left_out(one.steps.len(), REASONS_MAX, "steps", out);
    }
    note_left_out(certificates.len(), PROOFS_MAX, "proofs", out);
}

/// What would help, each tried.
fn helps(display: &Display, relaxations: &[ExplanationRelaxation], out: &mut String) {
    if relaxations.is_empty() {
        return;
    }
    let title = "would help (each was tried, all else staying as it is)";
    let _ = writeln!(out, "\n{}", display.styled(Style::Good, title));
    for one in relaxations.iter().take(HELPS_MAX) {
        let _ = writeln!(out, "  {}", printable(&one.message));
    }
    note_left_out(relaxations.len(), HELPS_MAX, "changes", out);
}

/// Says how many are not shown.
fn note_left_out(count: usize, shown: usize, what: &str, out: &mut String) {
    if count > shown {
        let more = numbers::things((count - shown) as i64, what);
        let _ = writeln!(out, "    and {more} more: see -o json");
    }
}

/// Names in a row, cut where there are many.
fn ids(all: &[String]) -> String {
    let shown: Vec<_> = all.iter().take(IDS_MAX).map(|id| printable(id)).collect();
    let rest = all.len().saturating_sub(IDS_MAX);
    let rest = if rest > 0 {
        format!(", and {rest} more")
    } else {
        String::new()
    };
    format!("{}{rest}", shown.join(", "))
}

/// Reasons as lines, at most [`REASONS_MAX`].
fn lines(reasons: &[&ExplanationReason]) -> Vec<String> {
    let line = |r: &&ExplanationReason| {
        let proved = if r.proved { " (in every plan)" } else { "" };
        format!("{}{proved}", printable(&r.message))
    };
    let mut lines: Vec<_> = reasons.iter().take(REASONS_MAX).map(line).collect();
    if reasons.len() > REASONS_MAX {
        let more = numbers::things((reasons.len() - REASONS_MAX) as i64, "reasons");
        lines.push(format!("and {more} more: see -o json"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::ExplanationCertificateStep;

    const PLAIN: Display = Display::PLAIN;

    fn reason(subject: &str, message: &str, proved: bool) -> ExplanationReason {
        ExplanationReason {
            message: message.into(),
            subject_id: subject.into(),
            proved,
            ..ExplanationReason::default()
        }
    }

    #[test]
    fn each_unserved_task_has_its_reasons_and_the_rest_follow() {
        let mut reasons = vec![
            reason("dogs", "too dear", false),
            reason("", "the shifts are too short", true),
        ];
        reasons.extend((1..=7).map(|n| reason("bell", &format!("reason {n}"), false)));
        let explanation = Explanation {
            summary: "2 tasks are in no route".into(),
            reasons,
            truncated: true,
            ..Explanation::default()
        };
        let unserved = ["bell".to_owned(), "dogs".to_owned()];
        let expected = "
2 tasks are in no route
  bell
    reason 1
    reason 2
    reason 3
    reason 4
    reason 5
    and 2 reasons more: see -o json
  dogs
    too dear
  the shifts are too short (in every plan)
  There are more reasons than fit.
";
        assert_eq!(list(&PLAIN, &unserved, Some(&explanation)), expected);
    }

    #[test]
    fn proofs_and_what_helps_follow_the_reasons() {
        let row = |message: &str| ExplanationCertificateStep {
            message: message.into(),
            ..ExplanationCertificateStep::default()
        };
        let explanation = Explanation {
            certificates: vec![ExplanationCertificate {
                code: "CLIQUE".into(),
                message: "no plan does all of 13 tasks".into(),
                subject_ids: (1..=13).map(|n| format!("t{n}")).collect(),
                blocker_ids: vec!["ann".into()],
                steps: vec![row("first"), row("second")],
                ..ExplanationCertificate::default()
            }],
            relaxations: vec![ExplanationRelaxation {
                message: "task t1 can be done if it may start 12 min later".into(),
                ..ExplanationRelaxation::default()
            }],
            ..Explanation::default()
        };
        let expected = "
proved
  CLIQUE: no plan does all of 13 tasks
    tasks: t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, and 1 more
    agents: ann
    first
    second

would help (each was tried, all else staying as it is)
  task t1 can be done if it may start 12 min later
";
        assert_eq!(list(&PLAIN, &[], Some(&explanation)), expected);
    }

    #[test]
    fn notes_are_listed_as_far_as_they_fit() {
        let notes = vec![reason("gone", "task \"gone\" is passed over", true); HELPS_MAX + 1];
        let shown = super::notes(&PLAIN, &notes);
        let lines: Vec<_> = shown.trim_start().lines().collect();
        assert_eq!(lines.len(), HELPS_MAX + 2);
        assert_eq!(
            lines[..2],
            ["passed over", "  task \"gone\" is passed over"]
        );
        assert_eq!(lines[HELPS_MAX + 1], "    and 1 note more: see -o json");
        assert_eq!(super::notes(&PLAIN, &[]), "");
    }

    #[test]
    fn a_complete_plan_needs_no_explanation() {
        assert_eq!(list(&PLAIN, &[], None), "");
        let id = ["x".to_owned()];
        assert_eq!(list(&PLAIN, &id, None), "\nunserved: 1 task\n  x\n");
    }
}
