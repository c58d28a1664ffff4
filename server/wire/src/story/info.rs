//! What the planner can do, for `GetServerInfo`.

use super::books::SENT_BYTES_MAX;
use super::problem::{LANGUAGE_BYTES_MAX, SETTINGS_MAX};
use crate::books;
use crate::info;
use anytime::StrategyInfo;
use story::Strategy;
use story::language::{NESTING_MAX, TEXT_BYTES_MAX};
use story::problem::{
    ACTIONS_MAX, ATTRIBUTES_MAX, ENTITIES_MAX, EVENTS_MAX, GOALS_MAX, GROUND_MAX, SCHEMAS_MAX,
    TABLES_MAX, TYPES_MAX,
};
use stratagem_proto::v1 as pb;

const fn listed(
    strategy: Strategy,
    name: &'static str,
    description: &'static str,
) -> StrategyInfo<Strategy> {
    StrategyInfo {
        strategy,
        name,
        description,
        proves: !matches!(strategy, Strategy::Iterative),
    }
}

/// All of them, the default first.
pub(super) const STRATEGIES: &[StrategyInfo<Strategy>] = &[
    listed(
        Strategy::Auto,
        "auto",
        "A little tree search, then a proof, which finds better stories on its way; where that has \
         no room, tree search again.",
    ),
    listed(
        Strategy::Mcts,
        "mcts",
        "Monte Carlo tree search, plain. An iteration is a story.",
    ),
    listed(
        Strategy::MctsSelection,
        "mcts-selection",
        "The same, with the history of actions in selection (equation 5.5).",
    ),
    listed(
        Strategy::MctsRollout,
        "mcts-rollout",
        "The same, with the history of actions in rollouts.",
    ),
    listed(
        Strategy::Iterative,
        "iterative",
        "The same, one action at a time (algorithm 5): for long stories in large domains.",
    ),
    listed(
        Strategy::Optimal,
        "optimal",
        "Branch and bound under landmark cuts, best first in -ln of the score: ends with a proof. \
         An iteration is a state that is opened.",
    ),
];

/// All of them as ways to look for what follows on a choice, the default first: nothing is proved.
pub(super) const BRANCH_STRATEGIES: &[StrategyInfo<Strategy>] = &[
    following(3),
    following(0),
    following(1),
    following(2),
    following(4),
    following(5),
];

/// A strategy by its place in the list, of which the best is not asked for.
const fn following(place: usize) -> StrategyInfo<Strategy> {
    StrategyInfo {
        proves: false,
        ..STRATEGIES[place]
    }
}

/// Strategies of `LearnStoryDomain`.
pub(super) const ONLY_AUTO: &[StrategyInfo<()>] = &[StrategyInfo {
    strategy: (),
    name: "auto",
    description: "Template matching, round by round. An iteration is a round.",
    proves: false,
}];

/// Strategies of `LearnStoryDomain`.
pub(crate) fn learn_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(ONLY_AUTO)
}

/// Limits of books.
pub(crate) fn book_limits() -> Vec<pb::ServerLimit> {
    [
        ("sent_file", SENT_BYTES_MAX as u64, "bytes"),
        ("named_text", domain_learning::TEXT_BYTES_MAX, "bytes"),
        (
            "named_relations",
            domain_learning::RELATION_BYTES_MAX,
            "bytes",
        ),
        (
            "named_wordnet_file",
            domain_learning::WORDNET_BYTES_MAX,
            "bytes",
        ),
        ("book_name", books::NAME_BYTES_MAX as u64, "bytes"),
        ("edits", domain_learning::EDITS_MAX as u64, "elements"),
        ("rounds", domain_learning::ITERATIONS_MAX as u64, "elements"),
        (
            "entities_of_a_class",
            domain_learning::CHOSEN_MAX as u64,
            "elements",
        ),
    ]
    .map(|(name, max, unit)| info::limit(name, max, unit))
    .into()
}

/// Strategies of `BranchStory`.
pub(crate) fn branch_strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(BRANCH_STRATEGIES)
}

/// Strategies of `GenerateStory`.
pub(crate) fn strategies() -> Vec<pb::StrategyInfo> {
    info::strategies(STRATEGIES)
}

/// Limits of problems.
pub(crate) fn limits() -> Vec<pb::ServerLimit> {
    let ground = usize::try_from(GROUND_MAX).unwrap_or(usize::MAX);
    [
        ("types", TYPES_MAX, "elements"),
        ("entities", ENTITIES_MAX, "elements"),
        ("attributes", ATTRIBUTES_MAX, "elements"),
        ("settings", SETTINGS_MAX, "elements"),
        ("tables", TABLES_MAX, "elements"),
        ("actions", SCHEMAS_MAX, "elements"),
        ("ground_actions", ground, "elements"),
        ("goals", GOALS_MAX, "elements"),
        ("events", EVENTS_MAX, "elements"),
        ("acts", ACTIONS_MAX, "elements"),
        ("text", TEXT_BYTES_MAX, "bytes"),
        ("texts", LANGUAGE_BYTES_MAX, "bytes"),
        ("nesting", NESTING_MAX, "levels"),
    ]
    .map(|(name, max, unit)| info::limit(name, max, unit))
    .into()
}
