//! What there is to be known about a level, or about a game under way: what awaits the burglar, how
//! difficult it is, and the cheapest help.
//!
//! # Method
//! What costs little comes first: the game without help, some help that need not be the cheapest;
//! then the definitions, then help again, the cheapest first, until it is proved that none costs
//! less.

mod rating;

pub use rating::{Definition, N_MAX, Name, Rating, rate};

use crate::design::{Explanation, explain_in};
use crate::game::{Deed, Game, GameError, Intervention, Rules, checked, play_until};
use crate::help::{Answer, Help, Moment, Question, help_in, some_help_in};
use crate::watch::{Awaited, Controlled, Watch};
use crate::world::World;
use anytime::{Conclusion, Control, Pulse, SolveError, Stop};

/// Games in which help is looked for that need not be the cheapest.
const FIRST_GAMES: u64 = 500;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inquiry {
    world: World,
    rules: Rules,
    past: Vec<Intervention>,
    tick: u32,
    question: Question,
}

impl Inquiry {
    /// A question about a game with these deeds of the player, before tick `tick`, when help
    /// begins. Deeds of this tick are done, too; later ones are dropped.
    ///
    /// # Errors
    /// Every reason why the game cannot be played.
    pub fn new(
        world: World,
        rules: Rules,
        (mut past, tick): (Vec<Intervention>, u32),
        question: Question,
    ) -> Result<Self, Vec<GameError>> {
        checked(&world, &rules, &past)?;
        past.retain(|it| it.tick <= tick);
        // Stable: those of one tick stay in their order.
        past.sort_by_key(|it| it.tick);
        Ok(Self {
            world,
            rules,
            past,
            tick,
            question,
        })
    }

    /// The world as it was at the start.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The tick before which help begins.
    #[must_use]
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// How the game is to end, and at what price.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What the player has paid before, for all that he has done.
    #[must_use]
    pub fn paid(&self) -> u64 {
        let costs = self.rules.costs;
        let paid = self.past.iter().map(|it| u64::from(it.deed.cost(costs)));
        paid.sum()
    }

    /// Whether it is about a level, not about a game under way.
    #[must_use]
    pub fn is_of_level(&self) -> bool {
        self.tick == 0 && self.past.is_empty()
    }

    /// The game before the tick, and what is done before it that is not done in it. `None`:
    /// stopped.
    fn moment(&self, watch: &mut dyn Watch) -> Option<(Game<'_>, Vec<Deed>)> {
        let mut game = Game::new_while(&self.world, self.rules, watch)?;
        let mut left = self.past.as_slice();
        loop {
            let now = left.partition_point(|it| it.tick <= game.now());
            let deeds: Vec<_> = left[..now].iter().map(|it| it.deed).collect();
            if game.now() >= self.tick || game.ending().is_some() {
                return Some((game, deeds));
            }
            if !crate::watch::goes_on(watch, game.now()) {
                return None;
            }
            game.step_while(&deeds, watch)?;
            left = &left[now..];
        }
    }
}

/// What is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// What awaits the burglar from then on when nobody helps any more.
    pub explanation: Explanation,
    /// What the level is like. `None` for games under way.
    pub rating: Option<Rating>,
    /// The best help that was found.
    pub help: Option<Help>,
    /// Whatever is enough costs at least this much. `None`: nothing is for the price allowed, by
    /// proof.
    pub help_cost_min: Option<u32>,
}

impl Findings {
    /// What is still open.
    #[must_use]
    pub fn open(&self) -> Open {
        let cost = self.help.as_ref().map(|help| help.cost);
        let rating = self.rating.as_ref().map_or(0, Rating::undecided);
        Open {
            undecided: rating + u32::from(cost != self.help_cost_min),
            help: cost.unwrap_or(u32::MAX),
        }
    }
}

/// What is minimised, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Open {
    /// Questions that are not decided.
    pub undecided: u32,
    /// What the best help found costs. `u32::MAX`: none is known.
    pub help: u32,
}

/// Finds out more and more. An iteration is a game that is played.
///
/// Concludes `Optimal` when nothing is open.
///
/// # Errors
/// None.
pub fn analyse(
    inquiry: &Inquiry,
    control: &mut Control<'_, Findings, Open>,
) -> Result<Conclusion, SolveError> {
    let mut findings = None;
    if let Some((game, pending)) = inquiry.moment(&mut Controlled(control)) {
        let moment = Moment {
            game: &game,
            pending: &pending,
        };
        findings = find_out(inquiry, moment, control);
    }
    let stop = control.stop();
    Ok(match findings {
        Some(findings) if findings.open().undecided == 0 => Conclusion::Optimal,
        _ => Conclusion::Stopped(stop.unwrap_or(Stop::Exhausted)),
    })
}

fn find_out(
    inquiry: &Inquiry,
    moment: Moment<'_, '_>,
    control: &mut Control<'_, Findings, Open>,
) -> Option<Findings> {
    let explanation = explain_in(moment.game, moment.pending, &mut Controlled(control));
    // What was not played to its end tells less than nothing.
    explanation.ending?;
    let rating = inquiry.is_of_level();
    let mut known = Findings {
        rating: rating.then(|| Rating::new(explanation.clone())),
        explanation,
        help: None,
        help_cost_min: Some(0),
    };
    control.offer(&known, known.open(), "game");
    let mut question = inquiry.question;
    let first = Question {
        games_max: FIRST_GAMES.min(question.games_max),
        ..question
    };
    known.help = some_help_in(moment, &first, &mut Controlled(control));
    control.offer(&known, known.open(), "farthest");
    if let Some(rating) = &mut known.rating {
        let watch = &mut Controlled(control);
        rating.decide(&inquiry.world, question.games_max, watch);
    }
    control.offer(&known, known.open(), "definitions");
    let cheaper = known.help.as_ref().map(|help| help.cost.checked_sub(1));
    if cheaper == Some(None) {
        return Some(known);
    }
    question.cost_max = cheaper.flatten().unwrap_or(question.cost_max);
    let answer = help_in(moment, &question, &mut Controlled(control));
    known.learn(answer);
    control.offer(&known, known.open(), "cheapest");
    Some(known)
}

impl Findings {
    /// What a search for cheaper help than what is known tells.
    fn learn(&mut self, answer: Answer) {
        match answer {
            Answer::Found(help) => {
                self.help_cost_min = Some(help.cost);
                self.help = Some(help);
            }
            Answer::Nothing => self.help_cost_min = self.help.as_ref().map(|help| help.cost),
            Answer::Unknown { cost_min } => self.help_cost_min = Some(cost_min),
        }
    }
}

/// One way in which findings are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingsViolation {
    /// The game without help goes otherwise.
    #[error("the game goes otherwise when nobody helps")]
    Explanation,
    /// Help that does not help, or costs something else, or comes too early.
    #[error("the help is not enough, comes too early, or is not what it costs")]
    WrongHelp,
    /// Help that costs less than is said to be possible, or more than is allowed.
    #[error("the help costs less than the least, or more than is allowed")]
    Cost,
}

/// What is open by these findings.
///
/// # Errors
/// Every way in which they are wrong that one or two games can tell. Proofs are not repeated.
pub fn verify_findings(
    inquiry: &Inquiry,
    findings: &Findings,
) -> Result<Open, Vec<FindingsViolation>> {
    verify_findings_until(inquiry, findings, &mut || true).expect("nothing stops it")
}

/// The same; `None`: stopped, as `watch` said no.
pub fn verify_findings_until(
    inquiry: &Inquiry,
    findings: &Findings,
    watch: &mut dyn Watch,
) -> Option<Result<Open, Vec<FindingsViolation>>> {
    let mut broken = Vec::new();
    let (game, pending) = inquiry.moment(watch)?;
    let again = explain_in(&game, &pending, watch);
    if !watch.go_on() {
        return None;
    }
    if again != findings.explanation {
        broken.push(FindingsViolation::Explanation);
    }
    if let Some(help) = &findings.help {
        let max = inquiry.question.cost_max;
        if help.cost > max || findings.help_cost_min.is_none_or(|min| min > help.cost) {
            broken.push(FindingsViolation::Cost);
        }
        if !is_help(inquiry, help, watch)? {
            broken.push(FindingsViolation::WrongHelp);
        }
    }
    Some(if broken.is_empty() {
        Ok(findings.open())
    } else {
        Err(broken)
    })
}

/// Whether the game ends as asked with this help, at its cost; `None`: stopped.
fn is_help(inquiry: &Inquiry, help: &Help, watch: &mut dyn Watch) -> Option<bool> {
    let mut all = inquiry.past.clone();
    all.extend(&help.interventions);
    let costs = inquiry.rules.costs;
    let paid = help.interventions.iter().map(|it| it.deed.cost(costs));
    let late = help.interventions.iter();
    let is_paid = late.clone().all(|it| it.tick >= inquiry.tick) && paid.sum::<u32>() == help.cost;
    if !is_paid {
        return Some(false);
    }
    let game = play_until(&inquiry.world, inquiry.rules, &all, watch)?;
    Some(
        game.is_ok_and(|game| {
            game.ending == help.ending && inquiry.question.aim.is_met(game.ending)
        }),
    )
}

/// Finds out what there is to be known, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Analyst;

impl anytime::Planner for Analyst {
    type Problem = Inquiry;
    type Params = ();
    type Plan = Findings;
    type Cost = Open;
    type Violation = FindingsViolation;

    fn solve(
        inquiry: &Inquiry,
        (): &(),
        control: &mut Control<'_, Findings, Open>,
    ) -> Result<Conclusion, SolveError> {
        analyse(inquiry, control)
    }

    fn verify(inquiry: &Inquiry, findings: &Findings) -> Result<Open, Vec<FindingsViolation>> {
        verify_findings(inquiry, findings)
    }

    fn verify_until(
        inquiry: &Inquiry,
        findings: &Findings,
        pulse: &Pulse,
    ) -> Option<Result<Open, Vec<FindingsViolation>>> {
        verify_findings_until(inquiry, findings, &mut Awaited(pulse))
    }
}
