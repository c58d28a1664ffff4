//! The contract allows what the planners can take, neither more nor less.

use ::allocation::problem as allocation;
use ::crew::problem as crew;
use ::heist::{museum, world};
use ::narrative::problem as narrative;
use ::patrol::problem as patrol;
use ::puzzle::problem as puzzle;
use ::schedule::problem as schedule;
use ::temporal::problem as temporal;
use formats::messages::POOL;
use prost_reflect::{DynamicMessage, Value};

/// The largest value that a rule of a field allows; the path of the rule is as in
/// `repeated.max_items`.
fn largest_allowed(field: &str, rule: &str) -> f64 {
    let (message, name) = field.split_once('.').unwrap();
    let message = format!("stratagem.v1.{message}");
    let message = POOL.get_message_by_name(&message).expect(field);
    let options = message.get_field_by_name(name).expect(field).options();
    let rules = POOL.get_extension_by_name("buf.validate.field").unwrap();
    let mut value = options.get_extension(&rules).into_owned();
    for part in rule.split('.') {
        value = inner(value.as_message().expect(field), part);
    }
    match value {
        Value::U64(value) => value as f64,
        Value::I64(value) => value as f64,
        Value::I32(value) => value.into(),
        Value::F64(value) => value,
        Value::Message(duration) => {
            let Value::I64(seconds) = inner(&duration, "seconds") else {
                panic!("{field} has no seconds");
            };
            seconds as f64
        }
        other => panic!("{field} has {other:?}"),
    }
}

fn inner(message: &DynamicMessage, name: &str) -> Value {
    message.get_field_by_name(name).expect(name).into_owned()
}

/// What lists of the contract may have, and what planners take.
const SIZES: &[(&str, usize)] = &[
    ("AllocationProblem.agents", allocation::AGENTS_MAX),
    ("AllocationProblem.tasks", allocation::TASKS_MAX),
    (
        "AllocationSessionState.active_tasks",
        allocation::AGENTS_MAX,
    ),
    (
        "AllocationSessionState.tracked_agent_ids",
        allocation::AGENTS_MAX,
    ),
    ("AllocationChanges.events", allocation::TASKS_MAX),
    (
        "AllocationChanges.removed_agent_ids",
        allocation::AGENTS_MAX,
    ),
    ("AllocationChanges.put_agents", allocation::AGENTS_MAX),
    ("AllocationChanges.positions", allocation::AGENTS_MAX),
    ("AllocationChanges.removed_task_ids", allocation::TASKS_MAX),
    ("AllocationChanges.put_tasks", allocation::TASKS_MAX),
    ("AllocationCouplings.orders", allocation::ORDERS_MAX),
    ("AllocationCouplings.pairs", allocation::PAIRS_MAX),
    ("AllocationCouplings.groups", allocation::GROUPS_MAX),
    ("AllocationCouplings.breaks", allocation::BREAKS_MAX),
    (
        "AllocationCouplings.preferences",
        allocation::PREFERENCES_MAX,
    ),
    ("AllocationAgent.capacities", allocation::DIMENSIONS_MAX),
    ("AllocationTask.windows", allocation::WINDOWS_MAX),
    ("AllocationObjective.levels", allocation::LEVELS_MAX),
    (
        "AllocationMatrixTravel.location_ids",
        ::allocation::travel::LOCATIONS_MAX,
    ),
    ("CrewProblem.nodes", crew::VERTICES_MAX),
    ("CrewProblem.arcs", crew::ARCS_MAX),
    ("CrewProblem.players", crew::PLAYERS_MAX),
    ("CrewProblem.tools", crew::TOOLS_MAX),
    ("CrewProblem.events", crew::EVENTS_MAX),
    ("CrewEvent.efforts", crew::PLAYERS_MAX),
    ("CompareCrewMovesRequest.moves", crew::PLAYERS_MAX),
    ("HeistWorld.rooms", museum::ROOMS_MAX),
    ("HeistWorld.doors", museum::DOORS_MAX),
    ("HeistWorld.containers", museum::CONTAINERS_MAX),
    ("HeistWorld.machines", museum::MACHINES_MAX),
    ("HeistWorld.cameras", museum::CAMERAS_MAX),
    ("HeistWorld.key_ids", museum::ITEMS_MAX),
    ("HeistWorld.guards", world::AGENTS_MAX - 1),
    ("HeistDoor.key_ids", museum::FITTING_MAX),
    ("HeistGoal.visit_room_ids", world::ROUTE_MAX),
    ("HeistPlan.steps", ::heist::plan::ACTIONS_MAX),
    (
        "SimulateHeistRequest.interventions",
        ::heist::game::INTERVENTIONS_MAX,
    ),
    ("NarrativeProblem.events", narrative::EVENTS_MAX),
    ("NarrativeProblem.links", narrative::LINKS_MAX),
    (
        "NarrativeProblem.contingent_links",
        narrative::CONTINGENT_MAX,
    ),
    ("NarrativeProblem.activities", narrative::ACTIVITIES_MAX),
    ("NarrativeProblem.resources", narrative::RESOURCES_MAX),
    ("NarrativeProblem.choices", narrative::CHOICES_MAX),
    ("NarrativeChoice.options", narrative::OPTIONS_MAX),
    (
        "NarrativePlan.policies",
        ::narrative::verify::STRAND_POLICIES_MAX,
    ),
    ("PatrolProblem.vertices", patrol::VERTICES_MAX),
    ("PatrolProblem.edges", patrol::EDGES_MAX),
    ("PatrolProblem.guards", patrol::GUARDS_MAX),
    ("PatrolMixture.parts", ::patrol::mixed_strategy::PLANS_MAX),
    ("PuzzleProblem.avoided", puzzle::AVOIDED_MAX),
    ("PuzzlePlan.levels", puzzle::LEVELS_MAX),
    (
        "RatePuzzlesRequest.comparisons",
        ::puzzle::rating::ANSWERS_MAX,
    ),
    ("ScheduleProblem.activities", schedule::ACTIVITIES_MAX),
    ("ScheduleActivity.modes", schedule::MODES_MAX),
    ("ScheduleMode.demands", schedule::RESOURCES_MAX),
    ("SchedulePlan.activities", schedule::ACTIVITIES_MAX),
    ("ScheduleProblem.precedences", schedule::PRECEDENCES_MAX),
    ("ScheduleProblem.resources", schedule::RESOURCES_MAX),
    ("StoryProblem.types", ::story::problem::TYPES_MAX),
    ("LearnStoryDomainRequest.edits", domain_learning::EDITS_MAX),
    ("StoryDomainChoice.goals", ::story::problem::GOALS_MAX),
    ("TemporalNetwork.events", temporal::EVENTS_MAX),
    ("TemporalNetwork.links", temporal::LINKS_MAX),
    ("TemporalNetwork.contingent_links", temporal::CONTINGENT_MAX),
];

/// What values of the contract may be, by the rule, and what planners take.
const VALUES: &[(&str, &str, f64)] = &[
    (
        "InsertTaskRequest.max_insertions",
        "int32.lte",
        ::allocation::insert::INSERTIONS_MAX as f64,
    ),
    (
        "AllocationPreference.early_cost",
        "double.lte",
        micro(allocation::RATE_MAX_MICRO),
    ),
    (
        "BranchStoryRequest.max_depth",
        "int32.lte",
        ::story::branch::DEPTH_MAX as f64,
    ),
    (
        "BranchStoryRequest.max_width",
        "int32.lte",
        ::story::branch::WIDTH_MAX as f64,
    ),
    (
        "BranchStoryRequest.max_choices",
        "int32.lte",
        ::story::branch::CHOICES_MAX as f64,
    ),
    (
        "PlanBurglarRequest.max_gap",
        "double.lte",
        ::heist::solve::SLACK_MAX_PERCENT as f64 / 100.0,
    ),
    (
        "ScheduleResource.capacity",
        "int32.lte",
        schedule::CAPACITY_MAX as f64,
    ),
    (
        "ScheduleDemand.amount",
        "int32.lte",
        schedule::CAPACITY_MAX as f64,
    ),
    (
        "ScheduleProblem.deadline_offset",
        "duration.lte",
        micro(schedule::TIME_MAX_US),
    ),
    (
        "ScheduleActivity.release_offset",
        "duration.lte",
        micro(schedule::TIME_MAX_US),
    ),
    (
        "ScheduleActivity.deadline_offset",
        "duration.lte",
        micro(schedule::TIME_MAX_US),
    ),
    (
        "ScheduleMode.work_duration",
        "duration.lte",
        micro(schedule::TIME_MAX_US),
    ),
    (
        "SchedulePrecedence.lower",
        "duration.lte",
        micro(schedule::TIME_MAX_US),
    ),
    (
        "SchedulePrecedence.upper",
        "duration.lte",
        micro(schedule::TIME_MAX_US),
    ),
    (
        "PuzzleProblem.min_box_pushes",
        "int32.lte",
        puzzle::BOX_PUSHES_MAX as f64,
    ),
    (
        "PuzzleTarget.value",
        "double.lte",
        micro(puzzle::VALUE_MAX_MICRO),
    ),
    (
        "SolvePuzzleRequest.played_moves",
        "string.max_bytes",
        ::puzzle::plan::STEPS_MAX as f64,
    ),
    (
        "AllocationTask.drop_penalty",
        "double.lte",
        micro(allocation::PENALTY_MAX_MICRO),
    ),
    (
        "AllocationAgent.speed",
        "double.lte",
        micro(allocation::SPEED_MAX_MICRO),
    ),
    (
        "AllocationAgent.speed",
        "double.gte",
        micro(allocation::SPEED_MIN_MICRO),
    ),
    (
        "AllocationObjectiveTerm.weight",
        "int64.lte",
        allocation::WEIGHT_MAX as f64,
    ),
    (
        "AllocationTask.service_duration",
        "duration.lte",
        micro(allocation::TIME_MAX_US),
    ),
    (
        "AssignCrewRequest.max_ties",
        "int32.lte",
        ::crew::solve::TIES_MAX as f64,
    ),
    (
        "CrewProblem.max_damage",
        "double.lte",
        micro(crew::DAMAGE_MAX_MICRO as i64),
    ),
    (
        "CrewProblem.max_duration",
        "duration.lte",
        micro(crew::TIME_MAX_US as i64),
    ),
    (
        "HeistMachine.delay_ticks",
        "int32.lte",
        museum::DELAY_MAX as f64,
    ),
    (
        "HeistRules.max_ticks",
        "int32.lte",
        ::heist::game::TICKS_MAX as f64,
    ),
    (
        "DesignHeistRequest.trap_count",
        "int32.lte",
        ::heist::design::TRAPS_MAX as f64,
    ),
    (
        "NarrativeResource.capacity",
        "int32.lte",
        narrative::CAPACITY_MAX as f64,
    ),
    (
        "PatrolVertex.weight",
        "double.lte",
        patrol::WEIGHT_MAX_MICRO as f64 / 1e6,
    ),
    (
        "PatrolObjective.escape_weight",
        "int32.lte",
        patrol::TERM_WEIGHT_MAX as f64,
    ),
    (
        "VaryPatrolsRequest.plan_count",
        "int32.lte",
        ::patrol::diverse::PLANS_MAX as f64,
    ),
    (
        "PuzzleProblem.level_count",
        "int32.lte",
        puzzle::LEVELS_MAX as f64,
    ),
    (
        "PuzzleProblem.max_boxes",
        "int32.lte",
        puzzle::BOXES_MAX as f64,
    ),
    ("PuzzleProblem.width", "int32.gte", puzzle::SIDE_MIN as f64),
    (
        "PuzzleProblem.width",
        "int32.lte",
        ::puzzle::board::SIDE_MAX as f64,
    ),
    (
        "PuzzleWeights.pushes",
        "double.lte",
        micro(puzzle::WEIGHT_MAX_MICRO),
    ),
    (
        "SolveEngineOptions.threads",
        "int32.lte",
        anytime::THREADS_MAX as f64,
    ),
    (
        "StoryProblem.max_acts",
        "int32.lte",
        ::story::problem::ACTIONS_MAX as f64,
    ),
    ("StoryBooks.text", "string.max_bytes", SENT_MAX),
    ("StoryBooks.relations", "string.max_bytes", SENT_MAX),
    ("StoryBooks.wordnet_data", "string.max_bytes", SENT_MAX),
    ("StoryBooks.wordnet_index", "string.max_bytes", SENT_MAX),
    (
        "VaryStoriesRequest.story_count",
        "int32.lte",
        ::story::diverse::STORIES_MAX as f64,
    ),
    (
        "TemporalNetwork.horizon_offset",
        "duration.lte",
        micro(temporal::TIME_MAX_US),
    ),
];

const SENT_MAX: f64 = crate::story::books::SENT_BYTES_MAX as f64;

const fn micro(value: i64) -> f64 {
    value as f64 / 1e6
}

#[test]
fn the_contract_allows_as_much_as_planners_take() {
    for (field, max) in SIZES {
        let found = largest_allowed(field, "repeated.max_items");
        assert_eq!(found, *max as f64, "{field}");
    }
    for (field, rule, value) in VALUES {
        assert_eq!(largest_allowed(field, rule), *value, "{field}");
    }
}
