//! An unsatisfiable core of resource conflicts.

use super::super::joint_network::JointNetwork;
use super::critical_sets::CriticalSet;
use super::theory::PrecedenceTheory;
use super::{clocks, is_sure, without_clauses};
use anytime::Control;
use cp::clause_learning::{Checkpoint, Found, Lit, Solver, Var};
use stn::uncertain::{self, strategy};

/// A search over orders for many selections of the same sets, which retains what it learns: each
/// set has a Boolean that selects it.
pub(crate) struct ResourceCore<'j> {
    solver: Solver<PrecedenceTheory<'j>>,
    /// By set; `None`: one of its activities is sure to end before another starts.
    picks: Vec<Option<Var>>,
}

impl<'j> ResourceCore<'j> {
    /// Reads sets; `None`: stopped, or no order is needed for a proof, or the network is too large.
    pub(crate) fn new<P, C: Ord + Copy>(
        joint: &'j JointNetwork,
        sets: &[CriticalSet],
        control: &mut Control<'_, P, C>,
    ) -> Option<ResourceCore<'j>> {
        let network = joint.network(&[]).ok()?;
        let uncertain::Verdict::Holds(free) = strategy(&network, &mut || control.go_on()) else {
            return None;
        };
        let clocks = clocks(joint, &free, control)?;
        let mut rules = PrecedenceTheory::new(joint, Vec::new(), clocks, control.fork());
        for order in sets.iter().flat_map(|set| &set.orders) {
            rules.name_order(*order);
        }
        let mut solver = without_clauses(rules);
        let mut picks = Vec::new();
        for set in sets {
            if is_sure(&solver.theory, set) {
                picks.push(None);
                continue;
            }
            let pick = solver.new_bool();
            let mut clause = solver.theory.clause(set);
            clause.push(pick.no());
            solver.add_clause(&clause);
            picks.push(Some(pick));
        }
        Some(ResourceCore { solver, picks })
    }

    /// Some of these sets, by index, that cannot all be kept from overlapping; inner `None`: they
    /// can. `None`: unknown after `conflicts` conflicts.
    pub(crate) fn among<P, C: Ord + Copy>(
        &mut self,
        sets: &[usize],
        conflicts: u64,
        control: &mut Control<'_, P, C>,
    ) -> Option<Option<Vec<usize>>> {
        let picked = |at: &usize| self.picks[*at].map(|pick| (*at, pick.yes()));
        let picked: Vec<(usize, Lit)> = sets.iter().filter_map(picked).collect();
        let assumed: Vec<Lit> = picked.iter().map(|(_, lit)| *lit).collect();
        let found = self
            .solver
            .solve_within(&assumed, conflicts, &mut |beat| match beat {
                Checkpoint::Conflict => control.tick(),
                Checkpoint::Work => control.go_on(),
            });
        match found {
            Found::Model if self.solver.theory.is_stopped => None,
            Found::Model => Some(None),
            Found::Refuted(why) => {
                let blamed = picked.iter().filter(|(_, lit)| why.contains(lit));
                Some(Some(blamed.map(|(at, _)| *at).collect()))
            }
            Found::Stopped => None,
        }
    }
}
