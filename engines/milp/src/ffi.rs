//! Foreign function interface (FFI): a HiGHS object with callbacks, which neither good_lp nor
//! `highs` wraps.
//!
//! All `unsafe` code of the workspace is in this file.

use crate::{Failure, Model, Sense};
use highs::HighsOptionValue;
use highs_sys::{
    HighsCallbackDataIn, HighsCallbackDataOut, HighsInt, SOLUTION_STATUS_FEASIBLE, STATUS_ERROR,
    kHighsCallbackIpmInterrupt, kHighsCallbackMipImprovingSolution, kHighsCallbackMipInterrupt,
    kHighsCallbackSimplexInterrupt,
};
use std::any::Any;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Who is called back while HiGHS runs.
pub(crate) trait Events {
    /// An improving solution of a mixed-integer program, in the order of the columns.
    fn found(&mut self, values: &[f64], progress: Progress);

    /// Called often: whether to stop.
    fn stop(&mut self, progress: Progress) -> bool;
}

/// Where branch and bound is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    /// Without the objective's constant; HiGHS's infinity, 1e30 or more, before there is one.
    pub(crate) bound: Option<f64>,
    pub(crate) nodes: u64,
    pub(crate) pivots: u64,
}

thread_local! {
    /// Whether HiGHS is at work on this thread: true only while it calls us back.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// HiGHS at work on this thread, until this is dropped.
struct Running;

impl Running {
    fn begin() -> Self {
        IS_RUNNING.set(true);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        IS_RUNNING.set(false);
    }
}

/// A model inside HiGHS.
pub(crate) struct Solver {
    highs: highs::Model,
    columns: usize,
    rows: usize,
}

impl Solver {
    /// Hands a model over. With `fixed`, its integers are fixed at those values and the rest is a
    /// linear program.
    ///
    /// # Errors
    /// When HiGHS refuses the model, or calls back on this thread just now: after a run inside a
    /// run, the outer one crashes (1.15.0).
    pub(crate) fn load(model: &Model, fixed: Option<&[f64]>) -> Result<Self, Failure> {
        if IS_RUNNING.get() {
            return Err(Failure::Nested);
        }
        let mut problem = highs::RowProblem::new();
        let columns: Vec<highs::Col> = (model.columns().iter().enumerate())
            .map(|(i, column)| match fixed {
                Some(values) if column.integer => {
                    problem.add_column(column.cost, values[i]..=values[i])
                }
                _ => {
                    let integer = column.integer;
                    let bounds = column.lower..=column.upper;
                    problem.add_column_with_integrality(column.cost, bounds, integer)
                }
            })
            .collect();
        for row in model.all_rows() {
            let terms = row.coefficients.iter();
            let terms = terms.map(|&(i, factor)| (columns[i], factor));
            problem.add_row(row.lower..=row.upper, terms);
        }
        let sense = match model.sense() {
            Sense::Minimise => highs::Sense::Minimise,
            Sense::Maximise => highs::Sense::Maximise,
        };
        // HiGHS is made quiet before it sees the model.
        let highs = problem.try_optimise(sense);
        Ok(Self {
            highs: highs.map_err(|_| Failure::Refused("the model"))?,
            columns: model.variables(),
            rows: model.rows(),
        })
    }

    pub(crate) fn set(
        &mut self,
        option: &'static str,
        value: impl HighsOptionValue,
    ) -> Result<(), Failure> {
        let set = self.highs.try_set_option(option, value);
        set.map_err(|_| Failure::Refused(option))
    }

    /// A solution to begin with, one value for each column.
    pub(crate) fn begin_with(&mut self, values: &[f64]) -> Result<(), Failure> {
        let set = self.highs.try_set_solution(Some(values), None, None, None);
        set.map_err(|_| Failure::Refused("the start"))
    }

    /// Runs, and returns HiGHS's model status.
    ///
    /// # Errors
    /// When HiGHS reports an error without saying which.
    ///
    /// # Panics
    /// With the panic of `events`, once HiGHS has returned.
    pub(crate) fn run(&mut self, events: &mut dyn Events) -> Result<HighsInt, Failure> {
        let mut hook = Hook {
            events,
            columns: self.columns,
            panic: None,
        };
        let highs = self.highs.as_mut_ptr();
        let running = Running::begin();
        // SAFETY: HiGHS is not at work on this thread: solvers are only loaded, and so only run,
        // where it is not. `highs` is a live object that only this thread uses: it is owned by
        // `self`, borrowed mutably. `hook` outlives the run, is not touched by us during it, and
        // its address is forgotten by HiGHS right after it. `Hook::call` has the signature of a
        // `HighsCCallbackType` and lets no panic out. The events named are those that fill in what
        // `Hook::call` reads.
        let code = unsafe {
            highs_sys::Highs_setCallback(highs, Some(Hook::call), (&raw mut hook).cast());
            for event in [
                kHighsCallbackSimplexInterrupt,
                kHighsCallbackIpmInterrupt,
                kHighsCallbackMipImprovingSolution,
                kHighsCallbackMipInterrupt,
            ] {
                highs_sys::Highs_startCallback(highs, event);
            }
            let code = highs_sys::Highs_run(highs);
            highs_sys::Highs_setCallback(highs, None, std::ptr::null_mut());
            code
        };
        drop(running);
        if let Some(panic) = hook.panic {
            resume_unwind(panic);
        }
        if code == STATUS_ERROR {
            return Err(Failure::Solver("an error"));
        }
        // SAFETY: `highs` is live, as above; the call only reads.
        Ok(unsafe { highs_sys::Highs_getModelStatus(highs) })
    }

    /// The values of the columns, if HiGHS holds them feasible.
    pub(crate) fn values(&self) -> Option<Vec<f64>> {
        if self.int_info(c"primal_solution_status") != Some(SOLUTION_STATUS_FEASIBLE) {
            return None;
        }
        let mut values = vec![0.0; self.columns];
        // SAFETY: the object is live. It writes one number for each column of its solution, which
        // is that of the model that was loaded, `self.columns` long, and nothing through null
        // pointers.
        unsafe {
            highs_sys::Highs_getSolution(
                self.highs.as_ptr(),
                values.as_mut_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            );
        }
        Some(values)
    }

    /// The duals of the rows of a linear program, if HiGHS holds them feasible.
    pub(crate) fn duals(&self) -> Option<Vec<f64>> {
        if self.int_info(c"dual_solution_status") != Some(SOLUTION_STATUS_FEASIBLE) {
            return None;
        }
        let mut duals = vec![0.0; self.rows];
        // SAFETY: as in `values`, for the rows: one number for each row of the model that was
        // loaded.
        unsafe {
            highs_sys::Highs_getSolution(
                self.highs.as_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                duals.as_mut_ptr(),
            );
        }
        Some(duals)
    }

    /// What HiGHS gives as the objective of its solution, without the constant.
    pub(crate) fn objective(&self) -> f64 {
        // SAFETY: the object is live; the call only reads.
        unsafe { highs_sys::Highs_getObjectiveValue(self.highs.as_ptr()) }
    }

    /// Where branch and bound ended; no bound for linear programs.
    pub(crate) fn progress(&self) -> Progress {
        let (mut bound, mut nodes) = (f64::INFINITY, -1);
        let highs = self.highs.as_ptr();
        // SAFETY: the object is live, the names are C strings, the numbers are of the types that
        // HiGHS has for them: it compares these before it writes, and reports an error instead,
        // which leaves ours as they are.
        unsafe {
            highs_sys::Highs_getDoubleInfoValue(highs, c"mip_dual_bound".as_ptr(), &raw mut bound);
            highs_sys::Highs_getInt64InfoValue(highs, c"mip_node_count".as_ptr(), &raw mut nodes);
        }
        let pivots = self.int_info(c"simplex_iteration_count").unwrap_or(0);
        // HiGHS says -1 where it did not count: a linear program, which has no bound of its own
        // either.
        let is_mip = nodes >= 0;
        Progress {
            bound: Some(bound).filter(|bound| is_mip && is_known(*bound)),
            nodes: u64::try_from(nodes).unwrap_or(0),
            pivots: u64::try_from(pivots).unwrap_or(0),
        }
    }

    fn int_info(&self, name: &CStr) -> Option<HighsInt> {
        let mut value = 0;
        // SAFETY: as in `progress`.
        let code = unsafe {
            highs_sys::Highs_getIntInfoValue(self.highs.as_ptr(), name.as_ptr(), &raw mut value)
        };
        (code != STATUS_ERROR).then_some(value)
    }
}

/// Whether a bound of HiGHS is one: it writes infinity, or 1e30, where it knows none.
fn is_known(bound: f64) -> bool {
    bound.abs() < 1e20
}

/// What HiGHS calls back.
struct Hook<'h> {
    events: &'h mut dyn Events,
    columns: usize,
    panic: Option<Box<dyn Any + Send>>,
}

impl Hook<'_> {
    /// Called by HiGHS, on the thread of [`Solver::run`].
    ///
    /// # Safety
    /// `user` is the address of a `Hook` that nobody else uses meanwhile; `output` points at the
    /// data of HiGHS, whose `mip_solution` is null or has `mip_solution_size` numbers; `input` is
    /// null or may be written.
    unsafe extern "C" fn call(
        event: c_int,
        _message: *const c_char,
        output: *const HighsCallbackDataOut,
        input: *mut HighsCallbackDataIn,
        user: *mut c_void,
    ) {
        // SAFETY: see above. HiGHS calls back on one thread and never from inside a callback, so
        // that this is the only reference.
        let (hook, output) = unsafe { (&mut *user.cast::<Hook<'_>>(), &*output) };
        let stop = if event == kHighsCallbackMipImprovingSolution {
            let values = if output.mip_solution.is_null() {
                &[]
            } else {
                let length = usize::try_from(output.mip_solution_size).unwrap_or(0);
                // SAFETY: see above; the numbers are HiGHS's, and stay as they are during the call.
                unsafe { std::slice::from_raw_parts(output.mip_solution, length) }
            };
            hook.found(values, progress(event, output));
            // HiGHS does not listen here; it asks soon.
            false
        } else {
            hook.stop(progress(event, output))
        };
        if !input.is_null() {
            // SAFETY: see above.
            unsafe { (*input).user_interrupt = c_int::from(stop) };
        }
    }

    fn found(&mut self, values: &[f64], progress: Progress) {
        if self.panic.is_none() && values.len() == self.columns {
            // Unwind safe: after a panic nothing of `events` is used but to pass the panic on.
            let call = AssertUnwindSafe(|| self.events.found(values, progress));
            self.panic = catch_unwind(call).err();
        }
    }

    fn stop(&mut self, progress: Progress) -> bool {
        if self.panic.is_none() {
            let call = AssertUnwindSafe(|| self.events.stop(progress));
            match catch_unwind(call) {
                Ok(stop) => return stop,
                Err(panic) => self.panic = Some(panic),
            }
        }
        true
    }
}

/// The progress of branch and bound in an event.
fn progress(event: c_int, output: &HighsCallbackDataOut) -> Progress {
    // The simplex method knows of no nodes: what stands there is of another event.
    if event == kHighsCallbackSimplexInterrupt || event == kHighsCallbackIpmInterrupt {
        return Progress::default();
    }
    Progress {
        bound: Some(output.mip_dual_bound).filter(|bound| is_known(*bound)),
        nodes: u64::try_from(output.mip_node_count).unwrap_or(0),
        pivots: u64::try_from(output.mip_total_lp_iterations).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expression;
    use good_lp::variable;
    use highs_sys::MODEL_STATUS_REACHED_INTERRUPT;

    /// Goods from 12 places to 12 others: nothing that presolve alone could solve.
    fn transport() -> Model {
        let mut model = Model::new();
        let ways: Vec<Vec<_>> = (0..12)
            .map(|_| (0..12).map(|_| model.add(variable().min(0))).collect())
            .collect();
        let mut cost = Expression::default();
        for (i, row) in ways.iter().enumerate() {
            model.require_between(row.iter().sum::<Expression>(), 10.0, 10.0);
            let into: Expression = ways.iter().map(|row| row[i]).sum();
            model.require_between(into, 10.0, 10.0);
            for (j, way) in row.iter().enumerate() {
                let price = u32::try_from((i * 7 + j * j * 5 + i * j * 3) % 23);
                cost += f64::from(price.expect("below 23")) * *way;
            }
        }
        model.minimise(cost);
        model
    }

    /// Wants to stop when it has been asked so often.
    struct Patience {
        left: u32,
        asked: u32,
    }

    impl Events for Patience {
        fn found(&mut self, _: &[f64], _: Progress) {
            panic!("a linear program has no solution before its last");
        }

        fn stop(&mut self, progress: Progress) -> bool {
            assert_eq!((progress.bound, progress.nodes), (None, 0));
            self.asked += 1;
            self.asked > self.left
        }
    }

    #[test]
    fn a_linear_program_asks_whether_to_stop_and_does() {
        for left in [0, 1] {
            let mut solver = Solver::load(&transport(), None).unwrap();
            let mut patience = Patience { left, asked: 0 };
            let status = solver.run(&mut patience);
            assert_eq!(status, Ok(MODEL_STATUS_REACHED_INTERRUPT));
            assert_eq!(patience.asked, left + 1, "stopped immediately");
        }
    }

    #[test]
    fn a_solver_goes_on_after_it_was_stopped() {
        let mut solver = Solver::load(&transport(), None).unwrap();
        let stopped = solver.run(&mut Patience { left: 0, asked: 0 });
        assert_eq!(stopped, Ok(MODEL_STATUS_REACHED_INTERRUPT));
        let left = u32::MAX;
        let done = solver.run(&mut Patience { left, asked: 0 });
        assert_eq!(done, Ok(highs_sys::MODEL_STATUS_OPTIMAL));
        assert!(solver.values().is_some() && solver.duals().is_some());
    }
}
