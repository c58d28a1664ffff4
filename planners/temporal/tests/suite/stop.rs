//! Questions about levels that are stopped.

use anytime::{Conclusion, Control, Limits, Stop};
use temporal::generate::{Shape, teammates, tiny_uncertain};
use temporal::plan::Level;
use temporal::solve::check_levels;
use temporal::{Detail, LevelFinding, LevelsParams, Undecided, Verdict};

#[test]
fn a_cancelled_question_about_levels_is_unknown() {
    let networks = [teammates(1, &Shape::paper(50)), tiny_uncertain(1)];
    for network in networks {
        let limits = Limits::iterations(1_000);
        limits.cancel.cancel();
        let mut reported = Vec::new();
        let mut sink = |findings: &Vec<LevelFinding>, _: Undecided| reported = findings.clone();
        let mut control = Control::new(limits, 1, &mut sink);
        let params = LevelsParams {
            levels: vec![Level::Consistent, Level::Strong],
            detail: Detail::default(),
        };
        let conclusion = check_levels(&network, &params, &mut control);
        assert_eq!(conclusion, Ok(Conclusion::Stopped(Stop::Cancelled)));
        assert!(
            reported.iter().all(|one| one.verdict == Verdict::Unknown),
            "{reported:?}"
        );
        assert_eq!(reported.len(), 2);
    }
}
