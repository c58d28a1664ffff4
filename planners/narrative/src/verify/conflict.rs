//! Whether a conflict is made of rules of the narrative, and, where that is simple to see, whether
//! it is one.

mod rules;
mod strands;

use super::faults;
use super::network::possible;
use crate::plan::{Conflict, Member, Uncovered};
use crate::problem::{Narrative, Node, ORIGIN, Source};
use anytime::{Fault, Path, fault};
use rules::Rules;

/// All that is wrong with a conflict.
///
/// Members have to exist. When there are few enough ways to keep capacities it is tried whether the
/// members alone leave a plan of all storylines for all outcomes: then they prove nothing.
/// Without choices this is exact, and so are members that are not needed. Else what is not refuted
/// is believed.
pub(super) fn violations(
    narrative: &Narrative,
    go_on: &dyn Fn() -> bool,
    conflict: &Conflict,
) -> Vec<Fault> {
    let members = &conflict.members;
    // A proof for some groups is one whatever others do: without named groups the first represents
    // all.
    let mut groups = strands::groups(narrative, conflict);
    groups.extend(narrative.groups().first().filter(|_| groups.is_empty()));
    if groups.len() < narrative.groups().len() || narrative.storylines().is_empty() {
        let part = narrative.restricted_to(&groups);
        return match part.storylines() {
            [] => vec![faults::too_many_cases()],
            _ => violations(&part, go_on, conflict),
        };
    }
    let at = Path::root("conflict");
    let list = at.field("members");
    if members.is_empty() {
        return vec![fault!("NO_MEMBER", at, "has no member")];
    }
    let mut wrong = form_violations(narrative, conflict, &at);
    if !wrong.is_empty() {
        return wrong;
    }
    let mut choices = members.iter();
    if choices.any(|member| matches!(member, Member::Choice { .. })) {
        return wrong;
    }
    let rules = Rules::new(narrative, go_on);
    if rules.can_be_kept(members) == Some(true) {
        return vec![fault!(
            "CONFLICT_KEPT",
            at,
            "has members that can all be satisfied"
        )];
    }
    if conflict.minimal && narrative.storylines().len() == 1 {
        let needless = (0..members.len()).filter(|member| {
            let mut others = members.clone();
            others.remove(*member);
            rules.can_be_kept(&others) == Some(false)
        });
        wrong.extend(needless.map(|member| {
            let at = list.index(member);
            fault!(
                "MEMBER_NEEDLESS",
                at,
                "is not needed: the others contradict each other, too"
            )
        }));
    }
    wrong
}

/// Members that are no rules of the narrative, and a witness that cannot be. `at`: the conflict.
fn form_violations(narrative: &Narrative, conflict: &Conflict, at: &Path<'_>) -> Vec<Fault> {
    let members = &conflict.members;
    let list = at.field("members");
    let known = |at: &usize| !members[..*at].contains(&members[*at]);
    let fine = |at: &usize| known(at) && exists(narrative, &members[*at]);
    let mut wrong: Vec<Fault> = (0..members.len())
        .filter(|at| !fine(at))
        .map(|member| {
            let at = list.index(member);
            fault!(
                "MEMBER_WRONG",
                at,
                "is no rule of this narrative, or is there twice"
            )
        })
        .collect();
    if let Some(witness) = &conflict.uncovered
        && !can_happen(narrative, witness)
    {
        let at = at.field("uncovered");
        wrong.push(fault!(
            "WITNESS_WRONG",
            at,
            "names durations or picks that cannot be"
        ));
    }
    wrong
}

/// Whether the narrative has a rule.
fn exists(narrative: &Narrative, member: &Member) -> bool {
    let spec = narrative.spec();
    match member {
        Member::Bound(source) => bound(narrative, *source),
        Member::Choice { choice } => *choice < spec.choices.len(),
        Member::Capacity {
            resource,
            activities,
        } => {
            let capacity = spec.resources.get(*resource).map(|given| given.capacity);
            let amount = |activity: &usize| {
                let given = spec.activities.get(*activity)?;
                let mut demands = given.demands.iter();
                let demand = demands.find(|demand| demand.resource == *resource)?;
                Some(u64::from(demand.amount))
            };
            let together = |picks: &&Vec<Option<usize>>| {
                let mut all = activities.iter();
                all.all(|activity| narrative.present(picks, spec.activities[*activity].start))
            };
            let needed = activities.iter().map(amount).sum::<Option<u64>>();
            let distinct = activities.is_sorted_by(|one, next| one < next);
            distinct
                && needed.is_some_and(|needed| capacity.is_some_and(|has| needed > u64::from(has)))
                && narrative.storylines().iter().any(|picks| together(&picks))
        }
    }
}

fn bound(narrative: &Narrative, source: Source) -> bool {
    let spec = narrative.spec();
    let event = |node: Node| node != ORIGIN && node < narrative.nodes();
    match source {
        Source::LinkUpper(link) => spec
            .links
            .get(link)
            .is_some_and(|link| link.upper_us.is_some()),
        Source::LinkLower(link) => spec
            .links
            .get(link)
            .is_some_and(|link| link.lower_us.is_some()),
        Source::ContingentUpper(link) | Source::ContingentLower(link) => {
            link < spec.contingent.len()
        }
        Source::Horizon(node) => event(node) && spec.horizon_us.is_some(),
        Source::Start(node) => event(node),
        Source::Happened(node) => event(node) && narrative.happened(node).is_some(),
    }
}

/// Whether picks and durations are some that can be.
fn can_happen(narrative: &Narrative, witness: &Uncovered) -> bool {
    let mut lines = narrative.storylines().iter();
    let mut durations = witness.durations_us.iter();
    let sorted = witness
        .durations_us
        .is_sorted_by(|one, next| one.0 < next.0);
    sorted
        && lines.any(|line| line.starts_with(&witness.picks))
        && durations.all(|(contingent, duration)| {
            *contingent < narrative.spec().contingent.len() && {
                let (shortest, longest) = possible(narrative, *contingent);
                (shortest..=longest).contains(duration)
            }
        })
}
