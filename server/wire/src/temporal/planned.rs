//! Problems and plans, whatever the method.

use super::network::network;
use super::schedule::{self, ScheduleNames};
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning::{Check, PlanAt, PlanKind, Planned, verdict};
use anytime::Path;
use stratagem_proto::v1 as pb;

impl Planned for pb::TemporalNetwork {
    fn with_plan(self, at: &Path<'_>, plan: PlanAt, wrong: &mut Mistakes) -> Option<Check> {
        let decoded = network(self, at, wrong);
        let plan = plan.take(wrong, pb::TemporalSchedule::take);
        let (decoded, plan) = decoded.zip(plan)?;
        let at = Path::root("plan");
        let plan = schedule::plan(plan, &decoded, &at.field("temporal"), wrong)?;
        Some(Box::new(move |_| {
            let checked = temporal::verify::strong(&decoded.network, &plan.schedule);
            let names = ScheduleNames {
                names: &decoded.names,
                at: &plan.at,
            };
            let checked = checked.map(|_| None);
            Some(verdict(checked, |fault| violation(fault, &names)))
        }))
    }
}
