//! A plan that somebody wants checked, from the wire.

use super::names::Names;
use crate::mistakes::{Code, Mistakes};
use crate::values::{read_each, rounded_micros, shown};
use anytime::Path;
use narrative::Narrative;
use narrative::plan::{DispatchBound, HandOver, Outcomes, Plan, Policy, Wait};
use narrative::problem::{Node, ORIGIN, Picks};
use stratagem_proto::v1 as pb;

/// A plan, and where its parts are in the caller's message.
#[derive(Debug)]
pub(crate) struct ReadPlan {
    pub(super) plan: Plan,
    pub(super) at: Vec<Entries>,
}

/// Where the entries of a policy were before they were sorted.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) outcomes: Vec<usize>,
    pub(super) order: Vec<usize>,
    pub(super) bounds: Vec<usize>,
    pub(super) waits: Vec<usize>,
    pub(super) hand_overs: Vec<usize>,
}

/// A plan; `None` when it names what the narrative does not have. Peaks, stretches and ranges are
/// not read.
pub(crate) fn plan(
    given: pb::NarrativePlan,
    narrative: &Narrative,
    names: &Names,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<ReadPlan> {
    let reader = Reader { narrative, names };
    let list = at.field("policies");
    let policies = read_each(given.policies, &list, |policy, at| {
        reader.policy(policy, at, wrong)
    });
    let time = |given: Option<prost_types::Duration>| given.as_ref().map_or(0, rounded_micros);
    let policies: Vec<(Policy, Entries)> = policies.into_iter().collect::<Option<_>>()?;
    let (policies, at) = policies.into_iter().unzip();
    let plan = Plan {
        policies,
        makespan_us: time(given.makespan_offset),
        slack_us: time(given.slack_duration),
        idle_us: time(given.idle_duration),
        ..Plan::default()
    };
    Some(ReadPlan { plan, at })
}

struct Reader<'r> {
    narrative: &'r Narrative,
    names: &'r Names,
}

impl Reader<'_> {
    fn policy(
        &self,
        given: pb::NarrativePolicy,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<(Policy, Entries)> {
        let dispatch = given.dispatch.unwrap_or_default();
        let dispatch_at = at.field("dispatch");
        let picks = self.picks(given.picks, &at.field("picks"), wrong);
        let outcomes = read_each(given.outcomes, &at.field("outcomes"), |part, at| {
            self.outcomes(&part, at, wrong)
        });
        let order = read_each(given.orders, &at.field("orders"), |order, at| {
            let first = at.field("first_activity_id");
            let first = self.activity(&order.first_activity_id, &first, wrong);
            let second = at.field("second_activity_id");
            let second = self.activity(&order.second_activity_id, &second, wrong);
            Some((first?, second?))
        });
        let bounds = read_each(
            dispatch.bounds,
            &dispatch_at.field("bounds"),
            |bound, at| self.bound(&bound, at, wrong),
        );
        let waits = read_each(dispatch.waits, &dispatch_at.field("waits"), |wait, at| {
            self.wait(&wait, at, wrong)
        });
        let hand_overs = read_each(given.hand_overs, &at.field("hand_overs"), |one, at| {
            self.hand_over(&one, at, wrong)
        });
        let (outcomes, outcomes_at) = sorted(outcomes)?;
        let (order, order_at) = sorted(order)?;
        let (bounds, bounds_at) = sorted(bounds)?;
        let (waits, waits_at) = sorted(waits)?;
        let (hand_overs, hand_overs_at) = sorted(hand_overs)?;
        let policy = Policy {
            picks: picks?,
            outcomes,
            order,
            bounds,
            waits,
            hand_overs,
        };
        let entries = Entries {
            outcomes: outcomes_at,
            order: order_at,
            bounds: bounds_at,
            waits: waits_at,
            hand_overs: hand_overs_at,
        };
        Some((policy, entries))
    }

    fn picks(
        &self,
        given: Vec<pb::NarrativePick>,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<Picks> {
        let mut picks: Picks = vec![None; self.names.choices.len()];
        let clean = wrong.is_empty();
        read_each(given, at, |pick, at| {
            let Some((choice, option)) = self.names.picked(&pick, at, wrong) else {
                return;
            };
            if picks[choice].replace(option).is_some() {
                let why = format!("is {}, which is there already", shown(&pick.choice_id));
                wrong.add(&at.field("choice_id"), Code::Duplicate, why);
            }
        });
        (!clean || wrong.is_empty()).then_some(picks)
    }

    fn outcomes(
        &self,
        given: &pb::NarrativeOutcomes,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<Outcomes> {
        let mut links = self.names.contingent.iter();
        let contingent = links.position(|link| link.id == given.link_id);
        if contingent.is_none() {
            unknown(&given.link_id, &at.field("link_id"), wrong);
        }
        let bound = |given: &Option<prost_types::Duration>| given.as_ref().map(rounded_micros);
        let (lower, upper) = (bound(&given.lower), bound(&given.upper));
        let contingent = contingent?;
        let later_us = self.names.contingent[contingent].later_us;
        Some(Outcomes {
            contingent,
            lower_us: lower? + later_us,
            upper_us: upper? + later_us,
        })
    }

    fn bound(
        &self,
        given: &pb::TemporalDispatchBound,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<DispatchBound> {
        let from = self.node(&given.from_event_id, &at.field("from_event_id"), wrong);
        let to = self.node(&given.to_event_id, &at.field("to_event_id"), wrong);
        let upper_us = rounded_micros(given.bound.as_ref()?);
        Some(DispatchBound {
            from: from?,
            to: to?,
            upper_us,
        })
    }

    fn wait(
        &self,
        given: &pb::TemporalDispatchWait,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<Wait> {
        let node = self.node(&given.event_id, &at.field("event_id"), wrong);
        let from = self.node(&given.from_event_id, &at.field("from_event_id"), wrong);
        let until = self.node(&given.until_event_id, &at.field("until_event_id"), wrong);
        let ends = (from?, until?);
        let mut links = self.narrative.spec().contingent.iter();
        let contingent = links.position(|link| (link.from, link.to) == ends);
        if contingent.is_none() {
            let why = "is the end of no contingent link from `from_event_id`";
            wrong.add(&at.field("until_event_id"), Code::Contradiction, why);
        }
        let least_us = rounded_micros(given.duration.as_ref()?);
        Some(Wait {
            node: node?,
            contingent: contingent?,
            least_us,
        })
    }

    fn hand_over(
        &self,
        given: &pb::NarrativeHandOver,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Option<HandOver> {
        let mut resources = self.names.resources.iter();
        let resource = resources.position(|id| *id == given.resource_id);
        if resource.is_none() {
            unknown(&given.resource_id, &at.field("resource_id"), wrong);
        }
        let from = match given.from_activity_id.as_str() {
            "" => Some(None),
            id => self
                .activity(id, &at.field("from_activity_id"), wrong)
                .map(Some),
        };
        let to = self.activity(&given.to_activity_id, &at.field("to_activity_id"), wrong);
        Some(HandOver {
            resource: resource?,
            from: from?,
            to: to?,
            amount: given.amount.unsigned_abs(),
        })
    }

    fn node(&self, id: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Node> {
        if id == self.names.origin {
            return Some(ORIGIN);
        }
        let node = self.names.event(id);
        if node.is_none() {
            unknown(id, at, wrong);
        }
        node
    }

    fn activity(&self, id: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Option<usize> {
        let activity = self.names.activity(id);
        if activity.is_none() {
            unknown(id, at, wrong);
        }
        activity
    }
}

/// Entries in order, and where each was; `None`: one is missing.
fn sorted<T: Ord>(given: Vec<Option<T>>) -> Option<(Vec<T>, Vec<usize>)> {
    let given = given.into_iter().enumerate();
    let entries = given.map(|(at, one)| Some((one?, at)));
    let mut entries: Vec<(T, usize)> = entries.collect::<Option<_>>()?;
    entries.sort_unstable();
    Some(entries.into_iter().unzip())
}

/// Notes an id that nothing has. That an id is required is a rule of its field.
pub(super) fn unknown(id: &str, at: &Path<'_>, wrong: &mut Mistakes) {
    if !id.is_empty() {
        let why = format!("is {}, which does not exist", shown(id));
        wrong.add(at, Code::Unknown, why);
    }
}
