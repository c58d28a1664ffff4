//! The paper's program, equation by equation.

use super::scale::{Scale, Scales};
use crate::problem::{Effort, Problem, Spec};
use milp::{Expression, Model, Solution, Variable, constraint, variable};

/// What is minimised: equation 21 or equation 22.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// W^T.
    Time,
    /// W^D.
    Damage,
}

/// Values or limits of W^T and W^D, in units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Worst {
    pub(super) time: u32,
    pub(super) damage: u32,
}

/// Equations 1 to 20.
///
/// Two differences. Flows are whole, where equations 12 and 14 allow parts: half a player on a fast
/// leg and the other half on a safe one would be a mixture that nobody can walk. And equation 17
/// has delta_k, as equation 15 has tau_k.
pub(super) struct Program {
    model: Model,
    /// n_k, from one player on.
    counts: Vec<Variable>,
    /// m_pe by player and tool.
    takes: Vec<Vec<Variable>>,
    /// x_ij^p and y_ij^p by player and arc.
    fetches: Vec<Vec<Variable>>,
    carries: Vec<Vec<Variable>>,
    /// W^T and W^D.
    worst: (Variable, Variable),
}

/// How many variables there would be.
pub(super) fn size(spec: &Spec) -> usize {
    let of_player = 1 + spec.tools.len() + 2 * spec.arcs.len();
    spec.players.len() * of_player + spec.players.len() + 2
}

impl Program {
    /// Writes it for the only event of a problem, with amounts in units.
    pub(super) fn new(problem: &Problem, scales: Scales) -> Self {
        let spec = problem.spec();
        let efforts = &spec.events[0].efforts;
        let mut model = Model::new();
        let mut binary = |count: usize| -> Vec<Variable> {
            let all = (0..count).map(|_| model.add(variable().binary()));
            all.collect()
        };
        let players = 0..spec.players.len();
        // 3, 10, 12, 14; that c_p is whole follows from equation 5.
        let counts = binary(efforts.len());
        let takes: Vec<_> = players.clone().map(|_| binary(spec.tools.len())).collect();
        let fetches: Vec<_> = players.clone().map(|_| binary(spec.arcs.len())).collect();
        let carries: Vec<_> = players.map(|_| binary(spec.arcs.len())).collect();
        let comes = binary(spec.players.len());
        // 19 and 20 are their bounds. They are whole, as all that they are the worst of.
        let mut worst = |scale: Scale| model.add(variable().integer().clamp(0, scale.limit));
        let worst = (worst(scales.time), worst(scales.damage));
        let mut program = Self {
            model,
            counts,
            takes,
            fetches,
            carries,
            worst,
        };
        program.number_of_players(&comes);
        program.tools_are_for_one(spec.tools.len());
        for (player, comes) in comes.iter().enumerate() {
            program.participation(player, *comes);
            program.flow_conservation(problem, player, *comes);
            program.spent(spec, player, scales);
        }
        program
    }

    /// 1, 2 and 4.
    fn number_of_players(&mut self, comes: &[Variable]) {
        let one: Expression = self.counts.iter().sum();
        self.model.require(constraint!(one == 1));
        let come: Expression = comes.iter().sum();
        let counts = self.counts.iter().zip(1_u32..);
        let wanted: Expression = counts.map(|(n, k)| f64::from(k) * *n).sum();
        self.model.require(constraint!(come.clone() == wanted));
        self.model.require(constraint!(come >= 1));
    }

    /// 9.
    fn tools_are_for_one(&mut self, tools: usize) {
        for tool in 0..tools {
            let taken: Expression = self.takes.iter().map(|takes| takes[tool]).sum();
            self.model.require(constraint!(taken <= 1));
        }
    }

    /// 5 to 8.
    fn participation(&mut self, player: usize, comes: Variable) {
        let taken: Expression = self.takes[player].iter().sum();
        self.model.require(constraint!(taken.clone() == comes));
        self.model.require(constraint!(taken <= 1));
        for flows in [&self.fetches[player], &self.carries[player]] {
            let walked: Expression = flows.iter().sum();
            // Fits: arcs are few.
            let arcs = f64::from(flows.len() as u32);
            self.model.require(constraint!(walked <= arcs * comes));
        }
    }

    /// 11 and 13, flow conservation: what comes into a vertex goes out of it, but where a leg
    /// begins or ends.
    fn flow_conservation(&mut self, problem: &Problem, player: usize, comes: Variable) {
        let spec = problem.spec();
        for vertex in 0..spec.vertices {
            let takes = self.takes[player].iter().zip(&spec.tools);
            let takes = takes.filter(|(_, at)| **at == vertex);
            let takes: Expression = takes.map(|(take, _)| *take).sum();
            let here = |at: usize| f64::from(u8::from(at == vertex));
            let sum = |flows: &[Variable], arcs: &[u32]| -> Expression {
                arcs.iter().map(|arc| flows[*arc as usize]).sum()
            };
            let (into, out) = (problem.arcs_to(vertex), problem.arcs_from(vertex));
            let flows = &self.fetches[player];
            let row = sum(flows, into) + here(spec.players[player]) * comes
                - sum(flows, out)
                - takes.clone();
            self.model.require_between(row, 0.0, 0.0);
            let flows = &self.carries[player];
            let row =
                sum(flows, into) + takes - sum(flows, out) - here(spec.events[0].vertex) * comes;
            self.model.require_between(row, 0.0, 0.0);
        }
    }

    /// 15 to 18.
    fn spent(&mut self, spec: &Spec, player: usize, scales: Scales) {
        let Scales { time, damage } = scales;
        let efforts = &spec.events[0].efforts;
        let effort = |spent: &dyn Fn(&Effort) -> f64| -> Expression {
            let all = self.counts.iter().zip(efforts);
            all.map(|(n, effort)| spent(effort) * *n).sum()
        };
        let mut times = effort(&|it| time.units(it.time_us));
        let mut damages = effort(&|it| damage.units(it.damage_micro));
        let flows = self.fetches[player].iter().zip(&self.carries[player]);
        for (arc, (fetch, carry)) in spec.arcs.iter().zip(flows) {
            times += time.units(arc.time_us) * (*fetch + *carry);
            damages += damage.units(arc.fetch_micro) * *fetch;
            damages += damage.units(arc.carry_micro) * *carry;
        }
        let (worst_time, worst_damage) = self.worst;
        self.model.require(constraint!(times <= worst_time));
        self.model.require(constraint!(damages <= worst_damage));
    }

    /// The program with the number of players fixed, and with limits of W^T and W^D in units, for
    /// the method of the epsilon constraint.
    pub(super) fn asked(&self, size: usize, goal: Goal, limits: Worst) -> Model {
        let mut model = self.model.clone();
        model.require_between(self.counts[size - 1], 1.0, 1.0);
        let (worst_time, worst_damage) = self.worst;
        model.require(constraint!(worst_time <= limits.time));
        model.require(constraint!(worst_damage <= limits.damage));
        model.minimise(match goal {
            Goal::Time => worst_time,
            Goal::Damage => worst_damage,
        });
        model
    }

    /// W^T and W^D of a solution, in units.
    pub(super) fn worst(&self, solution: &Solution) -> Option<Worst> {
        let whole = |one: Variable| solution.integer(&self.model, one);
        let (time, damage) = self.worst;
        Some(Worst {
            time: u32::try_from(whole(time)).ok()?,
            damage: u32::try_from(whole(damage)).ok()?,
        })
    }

    /// The tool that a player takes.
    pub(super) fn taken(&self, solution: &Solution, player: usize) -> Option<usize> {
        let mut takes = self.takes[player].iter();
        takes.position(|take| solution.value(&self.model, *take) > 0.5)
    }

    /// Whether a player goes through arcs: on the way to a tool, and on the way to the event.
    pub(super) fn walked(&self, solution: &Solution, player: usize) -> [Vec<bool>; 2] {
        let flows = [&self.fetches[player], &self.carries[player]];
        flows.map(|flows| {
            let values = flows.iter().map(|flow| solution.value(&self.model, *flow));
            values.map(|value| value > 0.5).collect()
        })
    }
}
