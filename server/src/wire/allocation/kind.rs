//! The planner in the runner's terms.

use crate::run::Kind;
use ::allocation::explain::{Reason, Relaxation, explain, relaxations};
use ::allocation::verify::{self, CertificateCheck, Refuted};
use ::allocation::{Allocation, Certificate, Plan, Problem, certificates};
use anytime::Pulse;

/// Why tasks are left out.
pub(crate) struct Why {
    pub(crate) reasons: Vec<Reason>,
    /// Checked.
    pub(crate) certificates: Vec<Certificate>,
    pub(crate) relaxations: Vec<Relaxation>,
}

impl Kind for Allocation {
    const NAME: &'static str = "allocation";
    const NODE_BYTES: usize = 200;
    const PAIR_BYTES: usize = 64;
    type Reasons = Why;

    fn elements(problem: &Problem) -> usize {
        problem.tasks().len()
    }

    fn is_partial(problem: &Problem, plan: &Plan) -> bool {
        verify::is_partial(problem, plan)
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, wanted: &Pulse) -> Option<Why> {
        let done = plan.map(|plan| plan.routes.iter().map(|route| route.stops.len()).sum());
        if done == Some(problem.tasks().len()) {
            return None;
        }
        let nothing = Plan::default();
        let mut reasons = explain(problem, plan.unwrap_or(&nothing), wanted);
        if plan.is_none() {
            // Without a plan only that counts which holds in every plan.
            reasons.retain(|reason| reason.proved);
        }
        Some(Why {
            reasons,
            certificates: Vec::new(),
            relaxations: Vec::new(),
        })
    }

    fn explain_more(
        problem: &Problem,
        plan: Option<&Plan>,
        why: &Why,
        wanted: &Pulse,
    ) -> Option<Why> {
        if !wanted.beats() {
            return None;
        }
        let mut certificates = certificates(problem);
        let mut check = CertificateCheck::new(problem, wanted);
        certificates.retain(|one| match check.certificate(one) {
            Ok(()) => true,
            // What is not checked does not leave.
            Err(Refuted::Unfinished) => false,
            Err(refuted) => {
                tracing::error!("a certificate fails its check: {refuted}");
                false
            }
        });
        // Relaxations are returned if there is time to find them.
        let helped = plan.filter(|_| wanted.beats());
        Some(Why {
            reasons: why.reasons.clone(),
            certificates,
            relaxations: helped.map_or(Vec::new(), |plan| relaxations(problem, plan, wanted)),
        })
    }
}
