//! Questions about levels that are stopped.

use crate::searched::levels_within;
use anytime::{Conclusion, Limits, Stop};
use temporal::Verdict;
use temporal::generate::{Shape, teammates, tiny_uncertain};
use temporal::plan::Level;

#[test]
fn a_cancelled_question_about_levels_is_unknown() {
    let networks = [teammates(1, &Shape::paper(50)), tiny_uncertain(1)];
    for network in networks {
        let limits = Limits::iterations(1_000);
        limits.cancel.cancel();
        let levels = [Level::Consistent, Level::Strong];
        let found = levels_within(&network, &levels, limits).unwrap();
        assert_eq!(found.conclusion, Conclusion::Stopped(Stop::Cancelled));
        let verdicts = found.plan().unwrap().into_iter().map(|one| one.verdict);
        assert_eq!(verdicts.collect::<Vec<_>>(), [Verdict::Unknown; 2]);
    }
}
