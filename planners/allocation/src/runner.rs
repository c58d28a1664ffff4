//! The planner as its runner sees it.

use crate::explain::{Reason, Relaxation, explain, relaxations};
use crate::problem::DENSE_TASKS_MAX;
use crate::verify::{CertificateCheck, Refuted, is_partial};
use crate::{Certificate, Cost, Params, Plan, Problem, certificates, solve, verify};
use anytime::{Pulse, Runnable};

anytime::planner! {
    /// The planner as its runner sees it.
    pub struct Allocation;
}

/// Why tasks are left out.
pub struct Unserved {
    /// A reason for each task.
    pub reasons: Vec<Reason>,
    /// Proofs that no plan does some tasks; each has passed its check.
    pub certificates: Vec<Certificate>,
    /// Certificates that failed their check: a bug of the search.
    pub refuted: Vec<Refuted>,
    /// Changes of the problem that would help.
    pub relaxations: Vec<Relaxation>,
}

impl Runnable for Allocation {
    const NAME: &'static str = "allocation";
    const NODE_BYTES: usize = 200;
    const PAIR_BYTES: usize = 64;
    type Reasons = Unserved;

    fn elements(problem: &Problem) -> usize {
        problem.tasks().len()
    }

    fn pairs(problem: &Problem) -> usize {
        // Of more tasks only neighbours are kept: some 2 kB for each task.
        let paired = problem.tasks().len().min(DENSE_TASKS_MAX);
        paired * paired
    }

    fn is_partial(problem: &Problem, plan: &Plan) -> bool {
        is_partial(problem, plan)
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, wanted: &Pulse) -> Option<Unserved> {
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
        Some(Unserved {
            reasons,
            certificates: Vec::new(),
            refuted: Vec::new(),
            relaxations: Vec::new(),
        })
    }

    fn explain_more(
        problem: &Problem,
        plan: Option<&Plan>,
        why: &Unserved,
        wanted: &Pulse,
    ) -> Option<Unserved> {
        if !wanted.beats() {
            return None;
        }
        let mut certificates = certificates(problem);
        let mut check = CertificateCheck::new(problem, wanted);
        let mut refuted = Vec::new();
        certificates.retain(|one| match check.certificate(one) {
            Ok(()) => true,
            // What is not checked does not leave.
            Err(Refuted::Unfinished) => false,
            Err(mistake) => {
                refuted.push(mistake);
                false
            }
        });
        // Relaxations are returned if there is time to find them.
        let helped = plan.filter(|_| wanted.beats());
        Some(Unserved {
            reasons: why.reasons.clone(),
            certificates,
            refuted,
            relaxations: helped.map_or(Vec::new(), |plan| relaxations(problem, plan, wanted)),
        })
    }

    fn bugs(why: &Unserved) -> Vec<String> {
        let refuted = why.refuted.iter();
        refuted
            .map(|why| format!("a certificate fails its check: {why}"))
            .collect()
    }
}
