//! The search against brute force, on clauses alone and with theories.

use super::{
    Cause, Conflict, Consequence, Found, Lit, NoTheory, Settings, Solver, Theory, Trail, Var,
    Verdict,
};
use proptest::prelude::*;

fn always(_: super::Checkpoint) -> bool {
    true
}

fn often() -> Settings {
    // Restarts and reductions come early, so that small tests meet them.
    Settings {
        restart_after: 3,
        learnt_max: 8,
        atoms_max: 6,
    }
}

fn solver<T: Theory>(theory: T, bools: usize) -> (Solver<T>, Vec<Var>) {
    let mut solver = Solver::new(theory, often());
    let vars = (0..bools).map(|_| solver.new_bool()).collect();
    (solver, vars)
}

/// Variable and sign.
type Word = (usize, bool);

fn lit(vars: &[Var], (var, yes): Word) -> Lit {
    if yes { vars[var].yes() } else { vars[var].no() }
}

fn kept(clauses: &[Vec<Word>], values: u32) -> bool {
    let holds = |&(var, yes): &Word| (values >> var & 1 == 1) == yes;
    clauses.iter().all(|clause| clause.iter().any(holds))
}

#[test]
fn pigeons_do_not_fit_into_fewer_holes() {
    for holes in 1..7 {
        let (mut solver, vars) = solver(NoTheory, (holes + 1) * holes);
        let sits = |pigeon: usize, hole: usize| vars[pigeon * holes + hole];
        for pigeon in 0..=holes {
            let some: Vec<Lit> = (0..holes).map(|hole| sits(pigeon, hole).yes()).collect();
            solver.add_clause(&some);
            for other in 0..pigeon {
                for hole in 0..holes {
                    solver.add_clause(&[sits(pigeon, hole).no(), sits(other, hole).no()]);
                }
            }
        }
        assert_eq!(solver.solve(&[], &mut always), Found::Refuted(vec![]));
        assert!(solver.refuted());
    }
}

#[test]
fn a_conflict_limit_ends_the_search_and_it_can_go_on() {
    let (mut solver, vars) = solver(NoTheory, 8 * 7);
    for pigeon in 0..8 {
        let some: Vec<Lit> = (0..7).map(|hole| vars[pigeon * 7 + hole].yes()).collect();
        solver.add_clause(&some);
        for (other, hole) in (0..pigeon).flat_map(|other| (0..7).map(move |hole| (other, hole))) {
            solver.add_clause(&[vars[pigeon * 7 + hole].no(), vars[other * 7 + hole].no()]);
        }
    }
    assert_eq!(solver.solve_within(&[], 20, &mut always), Found::Stopped);
    assert_eq!(solver.conflicts(), 20);
    let mut left = 30;
    let mut go_on = |checkpoint| {
        left -= i32::from(checkpoint == super::Checkpoint::Conflict);
        left > 0
    };
    assert_eq!(solver.solve(&[], &mut go_on), Found::Stopped);
    assert_eq!(solver.conflicts(), 49);
    assert_eq!(solver.solve(&[], &mut always), Found::Refuted(vec![]));
}

/// Pairs x, y with lag: x + lag <= y. Every explanation is one literal.
#[derive(Debug, Default)]
struct Lags(Vec<(Var, i64, Var)>);

impl Theory for Lags {
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        for (at, (x, lag, y)) in (0_u32..).zip(self.0.clone()) {
            let cause = |tag| Cause { tag, at: 0 };
            trail.set(y.at_least(trail.min(x) + lag), cause(2 * at))?;
            trail.set(x.at_most(trail.max(y) - lag), cause(2 * at + 1))?;
        }
        Ok(())
    }

    fn explain(&mut self, trail: &Trail, wanted: Consequence, out: &mut Vec<Lit>) {
        let (x, lag, y) = self.0[wanted.cause.tag as usize / 2];
        let most = wanted.lit.most + lag;
        let side = if wanted.cause.tag.is_multiple_of(2) {
            x.minus()
        } else {
            y.plus()
        };
        assert!(trail.upper_before(side, wanted.before) <= most);
        out.push(side.at_most(most));
    }

    fn backtrack(&mut self, _: &Trail) {}

    fn last(&mut self, trail: &mut Trail) -> Result<Verdict, Conflict> {
        let vars = self.0.iter().flat_map(|(x, _, y)| [*x, *y]);
        let mut open = vars.filter(|var| trail.min(*var) < trail.max(*var));
        Ok(open.next().map_or(Verdict::Solution, |var| {
            Verdict::Decide(var.at_most(trail.min(var)))
        }))
    }
}

fn clauses(vars: usize, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<Word>>> {
    let word = (0..vars, any::<bool>());
    prop::collection::vec(prop::collection::vec(word, 1..4), count)
}

fn ternary(vars: usize, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<Word>>> {
    let word = (0..vars, any::<bool>());
    prop::collection::vec(prop::collection::vec(word, 3), count)
}

proptest! {
    /// Three literals a clause, about as many clauses as leave it open whether there is a model.
    #[test]
    fn the_answer_is_that_of_brute_force(clauses in ternary(12, 40..60)) {
        let (mut solver, vars) = solver(NoTheory, 12);
        for clause in &clauses {
            let lits: Vec<Lit> = clause.iter().map(|word| lit(&vars, *word)).collect();
            solver.add_clause(&lits);
        }
        let any = (0..1 << 12).any(|values| kept(&clauses, values));
        match solver.solve(&[], &mut always) {
            Found::Model => {
                let value = |at: usize| u32::try_from(solver.trail().min(vars[at])).unwrap() << at;
                let values: u32 = (0..12).map(value).sum();
                prop_assert!(kept(&clauses, values));
            }
            Found::Refuted(core) => prop_assert!(core.is_empty() && !any),
            Found::Stopped => prop_assert!(false, "nobody stopped it"),
        }
    }

    /// What is refuted under assumptions is refuted under the core, and the search can be used
    /// again.
    #[test]
    fn cores_are_assumptions_that_suffice(
        clauses in clauses(10, 15..40),
        questions in prop::collection::vec(
            prop::collection::vec((0..10_usize, any::<bool>()), 0..6),
            1..5,
        ),
    ) {
        let (mut solver, vars) = solver(NoTheory, 10);
        for clause in &clauses {
            let lits: Vec<Lit> = clause.iter().map(|word| lit(&vars, *word)).collect();
            solver.add_clause(&lits);
        }
        for words in questions {
            let assumption_core: Vec<Lit> = words.iter().map(|word| lit(&vars, *word)).collect();
            let with = |lits: &[Lit]| {
                let extra = words.iter().filter(|word| lits.contains(&lit(&vars, **word)));
                let extra = extra.map(|word| vec![*word]);
                let all: Vec<Vec<Word>> = clauses.iter().cloned().chain(extra).collect();
                (0..1 << 10).any(|values| kept(&all, values))
            };
            match solver.solve(&assumption_core, &mut always) {
                Found::Model => {
                    prop_assert!(assumption_core.iter().all(|lit| solver.trail().holds(*lit)));
                    prop_assert!(with(&assumption_core));
                }
                Found::Refuted(core) => {
                    prop_assert!(core.iter().all(|lit| assumption_core.contains(lit)));
                    prop_assert!(!with(&core), "{core:?}");
                }
                Found::Stopped => prop_assert!(false, "nobody stopped it"),
            }
        }
    }

    /// Bounds in clauses and lags in a theory, against all values.
    #[test]
    fn bounds_and_lags_agree_with_brute_force(
        bounds in prop::collection::vec(
            prop::collection::vec((0..4_usize, any::<bool>(), 0..6_i64), 1..4),
            0..14,
        ),
        lags in prop::collection::vec((0..4_usize, -3..4_i64, 0..4_usize), 0..8),
    ) {
        let mut solver = Solver::new(Lags::default(), often());
        let vars: Vec<Var> = (0..4).map(|_| solver.new_int(0, 5)).collect();
        let lags: Vec<_> = lags.into_iter().filter(|(x, _, y)| x != y).collect();
        solver.theory.0 = lags.iter().map(|(x, lag, y)| (vars[*x], *lag, vars[*y])).collect();
        for clause in &bounds {
            let lits = clause.iter().map(|&(var, up, value)| {
                if up { vars[var].at_most(value) } else { vars[var].at_least(value) }
            });
            solver.add_clause(&lits.collect::<Vec<_>>());
        }
        let fits = |values: &[i64]| {
            let bound = |&(var, up, value): &(usize, bool, i64)| {
                if up { values[var] <= value } else { values[var] >= value }
            };
            bounds.iter().all(|clause| clause.iter().any(bound))
                && lags.iter().all(|(x, lag, y)| values[*x] + lag <= values[*y])
        };
        let all = (0..1296_i64).map(|n| [n % 6, n / 6 % 6, n / 36 % 6, n / 216]);
        let any = all.into_iter().any(|values| fits(&values));
        match solver.solve(&[], &mut always) {
            Found::Model => {
                // What nothing names may be open: its smallest value is as good as any.
                let values: Vec<i64> = vars.iter().map(|var| solver.trail().min(*var)).collect();
                prop_assert!(fits(&values), "{values:?}");
            }
            Found::Refuted(_) => prop_assert!(!any),
            Found::Stopped => prop_assert!(false, "nobody stopped it"),
        }
    }
}
