//! What nobody does, and why.

use super::table::printable;
use super::{Display, Style, numbers};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use stratagem_proto::v1::{Explanation, Reason};

/// Reasons that are shown for a task.
const REASONS_MAX: usize = 5;

/// The tasks that nobody does, with their reasons, and whatever else there is to explain.
pub(super) fn list(
    display: &Display,
    unserved: &[String],
    explanation: Option<&Explanation>,
) -> String {
    let mut out = String::new();
    let reasons = explanation.map_or(&[][..], |e| &e.reasons);
    let mut by_subject: BTreeMap<&str, Vec<&Reason>> = BTreeMap::new();
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
    let title = summary.or((!unserved.is_empty()).then(|| format!("nobody does {tasks}")));
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
    out
}

/// Reasons as lines, at most [`REASONS_MAX`].
fn lines(reasons: &[&Reason]) -> Vec<String> {
    let line = |r: &&Reason| {
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

    const PLAIN: Display = Display::PLAIN;

    fn reason(subject: &str, message: &str, proved: bool) -> Reason {
        Reason {
            message: message.into(),
            subject_id: subject.into(),
            proved,
            ..Reason::default()
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
    fn a_complete_plan_needs_no_explanation() {
        assert_eq!(list(&PLAIN, &[], None), "");
        let id = ["x".to_owned()];
        assert_eq!(list(&PLAIN, &id, None), "\nnobody does 1 task\n  x\n");
    }
}
