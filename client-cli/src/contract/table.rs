//! What the contract does not state about flags: names that are not those of fields, and what only
//! the command line has. A planner needs no row.

use super::Planner;
use super::flags::Kind;
use super::words::{boxes, cost, deed, difficulty, level, levels, relaxation, runs, size, slider};
use crate::input::{avoided, deeds_of_file, template, weights};
use crate::output::files::{hints, ink, markdown, prose, routes, world_of_level};

/// A flag.
pub(super) struct Row {
    /// The planner, and the verbs that have it; all where none is named.
    of: &'static str,
    /// Its name, and earlier names.
    pub(super) flag: &'static str,
    /// The field, if it is one: names from the request on; `problem` is the planner's.
    pub(super) path: &'static str,
    /// What it does.
    pub(super) kind: Kind,
    /// What it means; empty where the contract states it.
    pub(super) help: &'static str,
}

impl Row {
    /// Whether it is about this verb of a planner.
    pub(super) fn is_of(&self, planner: &Planner, verb: &str) -> bool {
        let mut words = self.of.split(' ');
        let is_planner = words.next() == Some(&planner.name);
        let mut verbs = words.peekable();
        is_planner && (verbs.peek().is_none() || verbs.any(|word| word == verb))
    }

    /// Name of its planner.
    #[cfg(test)]
    pub(super) fn of_planner(&self) -> &'static str {
        self.of.split(' ').next().unwrap_or_default()
    }

    /// Whether it sets a field.
    pub(super) fn sets(&self, path: &str) -> bool {
        match self.kind {
            Kind::Set(fields) => fields.iter().any(|(set, _)| *set == path),
            _ => self.path == path,
        }
    }
}

/// A method that `plan` calls instead of its own where a flag is given.
pub(super) struct Variant {
    pub(super) method: &'static str,
    pub(super) flag: &'static str,
    pub(super) help: &'static str,
    pub(super) conflicts: &'static [&'static str],
}

/// Methods that are flags of `plan`.
pub(super) const VARIANTS: &[Variant] = &[
    Variant {
        method: "MixPatrols",
        flag: "mixture",
        help: "Find a mixed strategy: several patrols with probabilities, best against an intruder \
               that knows both, but not which patrol is drawn",
        conflicts: &["previous", "different", "animate"],
    },
    Variant {
        method: "VaryPatrols",
        flag: "different",
        help: "",
        conflicts: &["previous", "mixture", "animate"],
    },
    Variant {
        method: "VaryStories",
        flag: "different",
        help: "",
        conflicts: &["previous", "svg"],
    },
];

/// The planner whose verbs decide by themselves which method they call, and one of these.
pub(crate) const OWN_PLANNER: (&str, &str) = ("temporal", "CheckControllability");

/// One of its verbs.
pub(super) struct Own {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
}

/// Its verbs.
pub(super) const OWN: [Own; 5] = [
    Own {
        name: "check",
        about: "Decide consistency and controllability, with a schedule or the reason why not. \
                Exit code 0 when every verdict HOLDS, 3 when one FAILS, 4 when none fails and one \
                is UNKNOWN.",
    },
    Own {
        name: "explain",
        about: "Explain why a question fails: the conflict, its amount, and the durations of \
                others that cause it. Exit codes are those of `check`.",
    },
    Own {
        name: "repair",
        about: "Find changes of bounds that make the question hold, cheapest first, and apply \
                one. Exit code 0 when nothing needs repair or there are changes that help, 3 when \
                none was found.",
    },
    Own {
        name: "simulate",
        about: "Simulate the schedule with models of teammates and show how often every rule is \
                satisfied. Teammates of the model `random` take any time that is left, those of \
                `early` the first. Exit codes are those of `check`.",
    },
    Own {
        name: "render",
        about: "Draw a network: precedences, time windows of events, conflicts. Exit code 0 \
                whatever the verdict.",
    },
];

/// Planners whose problems are not drawn without a plan: `render` searches where none is given.
pub(super) const RENDERS_FIRST: [&str; 1] = ["narrative"];

/// Other names of planners and verbs, with today's.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("task", "allocation"),
    ("stn", "temporal"),
    ("task allocate", "allocation plan"),
    ("narrative schedule", "narrative plan"),
    ("patrol generate", "patrol plan"),
    ("crew assign", "crew plan"),
    ("story generate", "story plan"),
    ("heist explain", "heist render"),
];

macro_rules! rows {
    ($($of:literal, $flag:literal, $path:literal, $kind:expr, $help:literal;)*) => {
        &[$(Row { of: $of, flag: $flag, path: $path, kind: $kind, help: $help }),*]
    };
}

/// All flags that are not simply fields of requests.
pub(super) const ROWS: &[Row] = rows! {
    "allocation", "now", "problem.now_offset", Kind::Field,
        "The current time, from the start of the plan, as in 90s: visits that are not started begin \
         no earlier. Default: the problem's `now_offset`";
    "allocation plan", "parallel-width width", "options.engine.parallel_width", Kind::Field, "";
    "allocation plan", "target", "options.target.levels", Kind::Words(levels),
        "Stop at a plan at least this good: a value for each level of the objective, as in 0,830.5 \
         for nothing unserved and a travel cost of 830.5";
    "allocation plan", "routes", "", Kind::Output(routes),
        "Also write the routes as they are published, `Route #1: 3 5 7`, to a file or, for `-`, to \
         stdout";
    "allocation insert", "max-insertions most", "max_insertions", Kind::Field, "";
    "crew plan", "max-ties ties", "max_ties", Kind::Field, "";
    "crew plan", "no-revisits once", "", Kind::Set(&[("problem.allow_revisits", "false")]),
        "Paths are elementary (visit no node twice), whatever the file specifies";
    "crew", "event", "", Kind::Part,
        "The event, by its number in the problem, from 1. Default: with several events, the plan \
         for all of them together";
    "crew", "players", "", Kind::Part,
        "The front for this number of players. Default: the first that has points";
    "crew", "point", "", Kind::Part,
        "The point of that front, from 1, in order of time. Default: 1";
    "heist plan analyze render", "agent", "problem.agent_id", Kind::Field, "";
    "heist plan analyze render", "avoid", "problem.avoided_room_ids", Kind::Field,
        "A room that the agent must not enter; may be given several times";
    "heist plan", "slack", "max_gap", Kind::Percent,
        "How much longer than the shortest a plan may be, in percent. Default: 0";
    "heist plan", "max-alternatives alternatives", "max_alternatives", Kind::Field, "";
    "heist", "do", "interventions", Kind::Words(deed),
        "What the player does before a tick, as TICK:VERB:ID; verbs are lock, unlock, open, close, \
         on, off (of cameras) and trigger (of vending machines). May be given several times";
    "heist simulate", "player", "interventions", Kind::File(deeds_of_file),
        "What the player does, from a file: a list as in [{\"t\": 3, \"do\": [\"lock\", \"d1\"]}], \
         or the cheapest help in an answer of `heist design -o json`";
    "heist", "replan", "rules.replan", Kind::Field, "";
    "heist", "ticks", "rules.max_ticks", Kind::Field, "";
    "heist simulate", "search-ticks", "reactions.search_ticks", Kind::Field,
        "Guards react: they chase the burglar, and look around for this number of ticks where they \
         noticed something. Default: they do not leave their rounds";
    "heist", "cost", "rules.costs", Kind::Words(cost),
        "What the player pays for something, as THING=N: door, container, machine or camera. May \
         be given several times. Default: the world's, else 1, and 2 for a camera";
    "heist", "max-help-cost help-limit", "max_help_cost", Kind::Field, "";
    "heist", "capture", "", Kind::Set(&[("aim", "HEIST_AIM_CAPTURE")]),
        "Search for what gets the burglar caught instead of what helps";
    "heist analyze", "hint", "", Kind::Text(hints),
        "Print only hints for the player, up to this grade: 1 the number of actions, 2 where and \
         until when, 3 their targets, 4 the actions";
    "heist design", "traps", "trap_count", Kind::Field, "";
    "heist design", "kinds", "trap_kind", Kind::Field, "";
    "heist design", "unplayed", "", Kind::Set(&[("simulate", "false")]),
        "Do not simulate levels: use Algorithm 1 of the paper";
    "heist design", "out", "", Kind::Output(world_of_level),
        "Write the level's world to a file, as JSON";
    "narrative plan", "max-relaxations relaxations", "detail.max_relaxations", Kind::Field, "";
    "patrol different", "different", "plan_count", Kind::Field, "Number of diverse patrols to find";
    "patrol different", "min-difference distance", "min_distance", Kind::Field, "";
    "patrol mixture", "max-plans plans-max", "max_plans", Kind::Field, "";
    "patrol mixture", "max-plan-iterations plan-iterations", "max_plan_iterations", Kind::Field, "";
    "puzzle plan", "size", "problem", Kind::Words(size),
        "Columns and rows, including the border of walls, 3x3 to 64x64. Default: the template's, \
         else 10x10";
    "puzzle plan", "boxes", "problem", Kind::Words(boxes), "How many boxes: N, or A..B. Default: 1..4";
    "puzzle plan", "difficulty", "problem.target", Kind::Words(difficulty),
        "How difficult: easy, medium, hard, expert, a number, or from A to B as in easy..hard, \
         rising from level to level. A number is the level's score by the weights. Default: as \
         difficult as can be found";
    "puzzle plan", "tolerance", "problem.target.tolerance", Kind::Percent,
        "By how much a level may miss its difficulty, in percent of it. Default: 15";
    "puzzle plan", "levels", "problem.level_count", Kind::Field, "";
    "puzzle plan", "template", "problem.template_rows", Kind::File(template),
        "A file with what each cell has to be: XSB, and `?` for anything";
    "puzzle plan", "symmetry", "problem.symmetry", Kind::Field, "";
    "puzzle plan", "theme", "problem.theme", Kind::Field, "";
    "puzzle plan", "walls", "problem.walls", Kind::Field, "";
    "puzzle plan", "weights", "problem.weights", Kind::File(weights),
        "The score of levels: a file with PuzzleWeights, as `puzzle rate` writes it, or `thesis` \
         for equation 6.3. Default: the difficulty for players";
    "puzzle plan", "min-difference difference", "problem.min_difference", Kind::Percent,
        "Minimum share of cells in which any two levels differ, in percent. Default: 20";
    "puzzle plan", "box-pushes", "problem.min_box_pushes", Kind::Field, "";
    "puzzle plan", "avoid", "problem.avoided", Kind::File(avoided),
        "A file with levels to differ from; may be given several times";
    "patrol plan render", "animate", "", Kind::Animate, "Animate the guards in the SVG picture";
    "story plan different explain branch", "slider", "problem.sliders", Kind::Words(slider),
        "Factor on the believability of an action, as in Kill=0.5; 0 forbids it. May be given \
         several times";
    "story plan different explain branch", "max-acts acts", "problem.max_acts", Kind::Field, "";
    "story", "text-seed words", "style.seed", Kind::Field,
        "Seed of the random choice among texts; any number. Default: 0";
    "story", "plain", "", Kind::Set(&[
        ("style.separate_sentences", "true"),
        ("style.use_pronouns", "false"),
    ]), "A sentence for each action, with names every time";
    "story branch", "max-depth depth", "max_depth", Kind::Field, "";
    "story branch", "max-width width", "max_width", Kind::Field, "";
    "story branch", "max-choices choices", "max_choices", Kind::Field, "";
    "story branch", "max-continuation-iterations continuation-iterations",
        "max_continuation_iterations", Kind::Field, "";
    "story branch", "ink", "", Kind::Output(ink), "Write a script of Ink; `-` for stdout";
    "story different", "different", "story_count", Kind::Field,
        "Number of diverse stories to find, each the best that differs from those before it";
    "story different", "min-difference difference", "min_different_acts", Kind::Field, "";
    "story plan different explain render", "text", "", Kind::Output(prose),
        "Write the text of the story and nothing else; `-` for stdout";
    "story plan different explain render", "markdown", "", Kind::Output(markdown),
        "Write the story as Markdown: text, and what each step is made of; `-` for stdout";
    "temporal check explain repair render", "level", "", Kind::Own(level),
        "The question. `consistent`: some times satisfy every rule. `weak`: all durations of \
         Nature, known in advance, have a schedule. `dynamic`: times can be chosen during \
         execution from what was seen so far. `strong`: times can be fixed in advance. `all`: each \
         that applies. Default: strong for networks with teammates, consistent without contingent \
         links, else dynamic, or all for `check` and `explain`";
    "temporal repair", "max-relaxations max", "", Kind::Own(relaxation),
        "Maximum number of changes to find, 1 to 20. Default: 3";
    "temporal repair", "apply", "", Kind::Own(relaxation),
        "Write the network with change number N to stdout (JSON, or YAML with -o yaml)";
    "temporal simulate", "runs", "", Kind::Own(runs),
        "Runs for each model of a teammate, 1 to 100,000. Default: 1,000";
};
