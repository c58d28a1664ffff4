//! Broken rules of planners, in the words of the contract: each planner's wire code brings the
//! caller's names.

use super::mistakes::{Code, Mistake, Mistakes};
use anytime::{Fault, Names, Path, Reason};
use stratagem_proto::v1 as pb;

impl Mistakes {
    /// Adds what is wrong with the problem at this path, as far as its fields could be read.
    pub(crate) fn add_faults(&mut self, faults: &[Fault], names: &impl Names, at: &Path<'_>) {
        for fault in faults {
            if self.is_full() {
                break;
            }
            self.add_unless_known(mistake(fault, names, at));
        }
    }

    /// Adds every rule that the plan or the list at this path breaks.
    pub(crate) fn add_violations(&mut self, faults: &[Fault], names: &impl Names, at: &Path<'_>) {
        for fault in faults {
            if self.is_full() {
                self.add_unlisted();
            } else {
                self.push(mistake(fault, names, at));
            }
        }
    }
}

/// A fault of what is at this path in the request.
fn mistake(fault: &Fault, names: &impl Names, at: &Path<'_>) -> Mistake {
    let (at, field) = (at.to_string(), names.path(&fault.at));
    let separator = match field.chars().next() {
        Some(first) if first != '[' && !at.is_empty() => ".",
        _ => "",
    };
    Mistake {
        field: format!("{at}{separator}{field}"),
        code: Code::Rule(fault.code),
        description: fault.text(names),
    }
}

/// A rule that a plan breaks.
pub(super) fn violation(fault: &Fault, names: &impl Names) -> pb::PlanViolation {
    pb::PlanViolation {
        code: fault.code.into(),
        message: fault.text(names),
        field: names.path(&fault.at),
    }
}

/// Part of an explanation.
pub(super) fn reason(reason: &Reason, names: &impl Names) -> pb::ExplanationReason {
    let Reason {
        fault,
        subject,
        blocker,
        shortfall,
        is_proved,
    } = reason;
    let id = |element: &Option<(&str, usize)>| {
        let id = element.and_then(|(kind, index)| names.id(kind, index));
        id.unwrap_or_default()
    };
    pb::ExplanationReason {
        code: fault.code.into(),
        message: fault.text(names),
        subject_id: id(subject),
        blocker_id: id(blocker),
        field: names.path(&fault.at),
        shortfall: shortfall.map(|(amount, _)| amount),
        unit: shortfall.map_or("", |(_, unit)| unit).into(),
        proved: *is_proved,
    }
}
