//! Analysis of a level, or of a game under way: the pitfalls ahead of the burglar, the difficulty,
//! and the cheapest help.
//!
//! # Method
//! The cheap questions come first: a simulation without help, then some help that need not be the
//! cheapest. Then the definitions F and F' are decided. At last the cheapest help is searched for,
//! until a lower cost is disproved.

mod rating;

pub use rating::{Definition, DefinitionKind, N_MAX, Rating, rate};

use crate::budget::{Budget, ControlBudget, SignalBudget};
use crate::design::{Explanation, explain_in};
use crate::game::{Game, Intervention, PlayerAction, Rules, play_until, validate};
use crate::help::{Help, HelpRequest, HelpResult, Moment, help_in, some_help_in};
use crate::world::World;
use anytime::{Conclusion, Control, Fault, Path, SolveError, Stop, fault};

/// Games simulated to find some help, which need not be the cheapest.
const FIRST_GAMES: u64 = 500;

/// A level, or a game under way, to be analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisRequest {
    world: World,
    rules: Rules,
    past: Vec<Intervention>,
    tick: u32,
    help_request: HelpRequest,
}

impl AnalysisRequest {
    /// A request about a game with these interventions of the player before tick `tick`, from which
    /// on help may begin. Interventions of this tick are done, too; later ones are dropped. a game
    /// with these interventions of the player, before tick `tick`, when help begins. Interventions
    /// of this tick are done, too; later ones are dropped.
    ///
    /// # Errors
    /// Every reason why the game cannot be played.
    pub fn new(
        world: World,
        rules: Rules,
        past: Vec<Intervention>,
        tick: u32,
        help_request: HelpRequest,
    ) -> Result<Self, Vec<Fault>> {
        validate(&world, &rules, &past)?;
        let mut past = past;
        past.retain(|it| it.tick <= tick);
        // Stable: interventions of one tick stay in their order.
        past.sort_by_key(|it| it.tick);
        Ok(Self {
            world,
            rules,
            past,
            tick,
            help_request,
        })
    }

    /// The world as it was at the start.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The cost of the player's interventions so far.
    #[must_use]
    pub fn paid(&self) -> u64 {
        let costs = self.rules.costs;
        let paid = self
            .past
            .iter()
            .map(|it| u64::from(it.player_action.cost(costs)));
        paid.sum()
    }

    /// Whether it is about a level that is not being played yet.
    #[must_use]
    pub fn is_level(&self) -> bool {
        self.tick == 0 && self.past.is_empty()
    }

    /// The game before the tick, and the player's actions of that tick, not applied yet. `None`:
    /// stopped.
    fn moment(&self, budget: &mut dyn Budget) -> Option<(Game<'_>, Vec<PlayerAction>)> {
        let mut game = Game::new_until(&self.world, self.rules, budget)?;
        let mut left = self.past.as_slice();
        loop {
            let now = left.partition_point(|it| it.tick <= game.now());
            let player_actions: Vec<_> = left[..now].iter().map(|it| it.player_action).collect();
            if game.now() >= self.tick || game.ending().is_some() {
                return Some((game, player_actions));
            }
            if !crate::budget::may_play(budget, game.now()) {
                return None;
            }
            game.step_until(&player_actions, budget)?;
            left = &left[now..];
        }
    }
}

/// What is known about a level or a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The simulation from then on without further help.
    pub explanation: Explanation,
    /// Definitions and difficulty of the level. `None` for games under way.
    pub rating: Option<Rating>,
    /// The cheapest help found.
    pub help: Option<Help>,
    /// Lower bound on the cost of help. `None`: there is no help within the maximal cost, by proof.
    pub help_cost_min: Option<u32>,
}

impl Analysis {
    /// The cost of the analysis: what is undecided.
    #[must_use]
    pub fn open(&self) -> AnalysisCost {
        let cost = self.help.as_ref().map(|help| help.cost);
        let rating = self.rating.as_ref().map_or(0, Rating::undecided);
        AnalysisCost {
            undecided: rating + u32::from(cost != self.help_cost_min),
            help: cost.unwrap_or(u32::MAX),
        }
    }
}

/// The objective, lexicographic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnalysisCost {
    /// Number of undecided questions.
    pub undecided: u32,
    /// Cost of the best help found. `u32::MAX`: none is known.
    pub help: u32,
}

/// Analyses a level or a game, and offers each improvement. An iteration is a simulated game.
///
/// Concludes `Optimal` when every question is decided.
///
/// # Errors
/// None.
pub fn analyse(
    request: &AnalysisRequest,
    control: &mut Control<'_, Analysis, AnalysisCost>,
) -> Result<Conclusion, SolveError> {
    let mut analysis = None;
    if let Some((game, pending)) = request.moment(&mut ControlBudget(control)) {
        let moment = Moment {
            game: &game,
            pending: &pending,
        };
        analysis = analyse_in(request, moment, control);
    }
    let stop = control.stop();
    Ok(match analysis {
        Some(analysis) if analysis.open().undecided == 0 => Conclusion::Optimal,
        _ => Conclusion::Stopped(stop.unwrap_or(Stop::Exhausted)),
    })
}

fn analyse_in(
    request: &AnalysisRequest,
    moment: Moment<'_, '_>,
    control: &mut Control<'_, Analysis, AnalysisCost>,
) -> Option<Analysis> {
    let explanation = explain_in(moment.game, moment.pending, &mut ControlBudget(control));
    // A game that was not played to its end explains nothing.
    explanation.ending?;
    let rating = request.is_level();
    let mut known = Analysis {
        rating: rating.then(|| Rating::new(explanation.clone())),
        explanation,
        help: None,
        help_cost_min: Some(0),
    };
    control.offer(&known, known.open(), "game");
    let mut help_request = request.help_request;
    let first = HelpRequest {
        games_max: FIRST_GAMES.min(help_request.games_max),
        ..help_request
    };
    known.help = some_help_in(moment, &first, &mut ControlBudget(control));
    control.offer(&known, known.open(), "farthest");
    if let Some(rating) = &mut known.rating {
        let budget = &mut ControlBudget(control);
        rating.decide(&request.world, help_request.games_max, budget);
    }
    control.offer(&known, known.open(), "definitions");
    let cheaper = known.help.as_ref().map(|help| help.cost.checked_sub(1));
    if cheaper == Some(None) {
        return Some(known);
    }
    help_request.cost_max = cheaper.flatten().unwrap_or(help_request.cost_max);
    let answer = help_in(moment, &help_request, &mut ControlBudget(control));
    known.update_help(answer);
    control.offer(&known, known.open(), "cheapest");
    Some(known)
}

impl Analysis {
    /// Updates the help by the result of a search for cheaper help.
    fn update_help(&mut self, answer: HelpResult) {
        match answer {
            HelpResult::Found(help) => {
                self.help_cost_min = Some(help.cost);
                self.help = Some(help);
            }
            HelpResult::Nothing => self.help_cost_min = self.help.as_ref().map(|help| help.cost),
            HelpResult::Unknown { cost_min } => self.help_cost_min = Some(cost_min),
        }
    }
}

/// The cost of an analysis.
///
/// # Errors
/// Every broken rule that one or two simulations can show. Proofs are not repeated.
pub fn verify_analysis(
    request: &AnalysisRequest,
    analysis: &Analysis,
) -> Result<AnalysisCost, Vec<Fault>> {
    verify_analysis_until(request, analysis, &mut || true).expect("nothing stops it")
}

/// The same; `None`: stopped, as `budget` ended it.
pub(crate) fn verify_analysis_until(
    request: &AnalysisRequest,
    analysis: &Analysis,
    budget: &mut dyn Budget,
) -> Option<Result<AnalysisCost, Vec<Fault>>> {
    let mut broken = Vec::new();
    let (game, pending) = request.moment(budget)?;
    let again = explain_in(&game, &pending, budget);
    if !budget.go_on() {
        return None;
    }
    if again != analysis.explanation {
        broken.push(fault!(
            "CONTRADICTION",
            Path::root("explanation"),
            "does not match the game without help"
        ));
    }
    if let Some(help) = &analysis.help {
        let max = request.help_request.cost_max;
        if help.cost > max || analysis.help_cost_min.is_none_or(|min| min > help.cost) {
            broken.push(fault!(
                "OUT_OF_RANGE",
                Path::root("help").field("cost"),
                "is {}, less than is proved or more than is allowed",
                help.cost
            ));
        }
        if !is_valid_help(request, help, budget)? {
            broken.push(fault!(
                "CONTRADICTION",
                Path::root("help"),
                "does not lead to the wanted ending, starts too early, or has another cost"
            ));
        }
    }
    Some(if broken.is_empty() {
        Ok(analysis.open())
    } else {
        Err(broken)
    })
}

/// Whether the game ends as wanted with this help, at its cost; `None`: stopped.
fn is_valid_help(request: &AnalysisRequest, help: &Help, budget: &mut dyn Budget) -> Option<bool> {
    let mut all = request.past.clone();
    all.extend(&help.interventions);
    let costs = request.rules.costs;
    let paid = help
        .interventions
        .iter()
        .map(|it| it.player_action.cost(costs));
    let late = help.interventions.iter();
    let is_paid = late.clone().all(|it| it.tick >= request.tick) && paid.sum::<u32>() == help.cost;
    if !is_paid {
        return Some(false);
    }
    let game = play_until(&request.world, request.rules, &all, budget)?;
    Some(game.is_ok_and(|game| {
        game.ending == help.ending && request.help_request.aim.is_met(game.ending)
    }))
}

anytime::planner! {
    /// The analysis of levels and games, for runners of any planner.
    pub struct Analyzer {
        problem: AnalysisRequest,
        params: (),
        plan: Analysis,
        cost: AnalysisCost,
        solve: |request, (): &(), control| analyse(request, control),
        verify: verify_analysis,
        verify_until: |request, analysis, pulse| {
            verify_analysis_until(request, analysis, &mut SignalBudget(pulse))
        },
    }
}
