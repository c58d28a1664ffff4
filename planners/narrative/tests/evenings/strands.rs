//! Groups that are planned together, each by its own strands.

use super::given::Evening;
use super::plan;
use narrative::problem::Micros;

const HALF_AN_HOUR_US: Micros = 1_800_000_000;

#[test]
fn six_to_ten_groups_half_an_hour_apart_are_planned_by_strands() {
    for (groups, storylines) in [(6, 4_096_usize), (8, 65_536), (10, 1_048_576)] {
        let evening = Evening::of(include_str!("groups.json")).groups(groups, HALF_AN_HOUR_US);
        let narrative = evening.narrative();
        assert!(narrative.storylines().is_empty(), "there are {storylines}");
        let plan = plan(&narrative, 10_000);
        let of = |policy: &narrative::Policy| narrative.groups_of(&policy.picks).len();
        let alone = plan.policies.iter().filter(|policy| of(policy) == 1);
        assert_eq!(alone.count(), 4 * groups);
        assert!(plan.policies.len() < 40 * groups);
        assert!(plan.policies.iter().all(|policy| of(policy) <= 2));
    }
}
