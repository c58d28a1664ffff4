//! The command line: what is taken, what is refused, what is documented.

use clap::{CommandFactory as _, Parser as _, error::ErrorKind};
use stratagem_cli::args::{Cli, Command, OutputFormat, PlannerCommand};
use stratagem_proto::v1::{Priority, SolveOptions};
use stratagem_render::time::from_micros;

pub(crate) fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(["stratagem"].into_iter().chain(line.split_whitespace()))
}

fn options(line: &str) -> SolveOptions {
    match parse(&format!("allocation plan x {line}")).unwrap().command {
        Command::Planner(PlannerCommand::Verb(args)) => args.options(),
        other => panic!("{other:?}"),
    }
}

/// What is taken.
const COMMANDS: &[&str] = &[
    "allocation plan example:raid --budget 250ms --seed -7 --threads 2 --strategy mcts --stream",
    "allocation plan -f - --max-iterations 100 --parallel-width 4 --priority high --target 0,830.5 --quiet",
    "allocation plan C101.txt --agents 10 --rounding exact --svg plan.svg -o ndjson",
    "allocation plan X-n101-k25.vrp --agents 26 --routes - --budget 2s",
    "allocation insert raid.json --plan answer.json --task rescue --max-insertions 100 --svg plan.svg -o json",
    "bench example:tavern raid.yaml --rate 200 --deadline 25ms..250ms --connections 500 --require 99.9%",
    "bench example:ship --load 70% --duration 5m --warm-up 10s --max-iterations 200 -o json",
    "allocation plan raid.yaml --max-iterations 500 --bundle raid.bundle.json",
    "replay raid.bundle.json",
    "replay - --by-work --out again.json -o json",
    "server check --solve -o json",
    "server check --service stratagem.v1.AllocationService --quiet",
    "temporal check example:heist --level all --budget 250ms --strategy tropical --threads 2",
    "temporal explain - --level strong --seed 3 --max-iterations 10",
    "temporal repair a.json --max-relaxations 20 --apply 2 -o yaml",
    "temporal simulate a.yaml --runs 100000 -o ndjson",
    "temporal render a.json --offline --svg - --ascii",
    "temporal render a.json --svg - --level weak --budget 1s --ascii",
    "narrative plan example:dragon --budget 1s --max-relaxations 5 --stretches -o json",
    "narrative plan --stream a.yaml --seed 3 --max-iterations 10 --strategy auto -o ndjson",
    "narrative what-if a.json --set search.upper=60m --set how=system",
    "narrative rehearse a.json --script -",
    "narrative render a.json --plan plan.json --svg - --html b.html",
    "narrative render a.json --budget 1s --seed 3 --html b.html",
    "narrative rehearse example:evening --auto 7",
    "puzzle plan",
    "puzzle plan p.yaml --size 10x8 --boxes 2..5 --difficulty easy..12.5 --levels 20 --tolerance 5 --stream",
    "puzzle plan --template t.xsb --symmetry quarter-turn --theme static --weights w.json --avoid a.sok --avoid b.sok",
    "puzzle plan --weights thesis --min-difference 10 --box-pushes 0 --out a.sok --svg a --animate --png b --html -",
    "puzzle solve a.rle --level 3 --played rRuu --hint --budget 5s --stream",
    "puzzle play a.sok --level 2 --ascii",
    "puzzle play",
    "puzzle play --size 8x8 --boxes 2 --difficulty easy..hard --theme static --walls needed --seed 4",
    "puzzle rate a.sok --answers b.ndjson --draws 20 --out c.json -o json",
    "puzzle render - --out a.xsb --png -",
    "patrol plan example:museum --budget 2s --strategy mcts-uc --stream --svg a --animate",
    "patrol plan - --sight 4 --rooms --max-iterations 10 --seed 3 --html b.html -o ndjson",
    "patrol plan later.json --previous answer.json --budget 250ms",
    "patrol evaluate dungeon.map --plan - --sight 3 -o yaml",
    "patrol render example:fence --plan answer.json --offline --ascii",
    "patrol plan a.map --tick 250ms --different 16 --min-difference 0.25 --stream",
    "patrol plan a --mixture --max-plans 64 --max-plan-iterations 500 --svg - --html b.html -o ndjson --stream",
    "heist plan a.json --agent g --avoid x --avoid y --slack 10 --max-alternatives 20 --previous b",
    "heist plan - --budget 5ms --stream --svg - --html b.html -o ndjson",
    "heist render -f example:a --agent g --avoid x",
    "heist analyze a --agent g --hint 2 --tick 5 --do 3:lock:d --capture --cost door=2 --seed 4",
    "heist convert a.json b.pddl --domain-file d.pddl --agent g",
    "heist convert - c.json --plan sas_plan --to yaml",
    "heist simulate a.json --do 3:lock:d1 --do 0:off:c:1 --player b.json --replan failure --ticks 50 --html -",
    "heist design a.json --traps 32 --kinds patrols --max-help-cost 0 --budget 1s --stream --out b.json",
    "heist design example:opal --unplayed --replan inconsistency --svg a.svg -o yaml",
    "crew plan a.json --max-ties 1000 --no-revisits --players 3 --point 2 --budget 50ms --svg - -o json",
    "crew compare example:ship --moves moves.yaml -o json",
    "crew render example:ship --plan - --players 1 --html b.html --ascii",
    "schedule plan j301_1.sm --previous - --budget 50ms --stream --svg a --html - -o ndjson",
    "schedule render example:keep --plan a.json --svg - --ascii",
    "story plan example:inheritance --budget 2s --strategy mcts-selection --slider Kill=0.5 --slider Go=2 --stream -o ndjson",
    "story plan - --previous a.json --max-acts 50 --text-seed -3 --plain --svg - --html b.html --max-iterations 10",
    "story plan a --different 3 --min-difference 4 --stream --html b --markdown c --text -",
    "story branch a --plan b --player c --max-depth 2 --max-width 3 --max-choices 4 --max-continuation-iterations 5 --ink d --stream --max-iterations 9",
    "story explain a.json --plan - --slider Kill=100 -o json",
    "story learn server:tale.txt --relations server:a.tsv --wordnet b",
    "story learn tale.txt --relations a.tsv --wordnet server:b --edits b.yaml --out - --max-actors 3 --max-items 4 --max-places 5 --max-rounds 2 -o ndjson",
    "story render example:crown --plan a.json --svg b.svg --markdown c.md --text -",
    "heist render a.yaml --plan - --svg b.svg --html c.html --ascii",
    "convert a.json b.map --tick 2s",
    "convert a.json - --to literature",
    "validate dungeon.map --rooms",
    "server info -o json",
    "server check --service stratagem.v1.AllocationService",
    "server limits --address https://h:1 --ca a --cert b --key c --domain d --tls",
    "server info --token t --token-file f",
    "server info --context prod",
    "context add prod --address https://h:1 --ca a --token-stdin --replace --use",
    "context use prod",
    "context use --none",
    "context ls -o json",
    "context show",
    "context rm prod",
    "validate raid.json --offline",
    "verify -f raid.json --plan plan.json --allow-partial -o yaml",
    "verify raid.json --plan plan.json --now 90s",
    "example list --planner allocation",
    "example get raid --offline",
    "convert a.json b.yaml",
    "convert - - --to solomon --color never --ascii",
    "dev --no-open --port 8080 --server ./stratagem-server",
    "completion zsh",
];

#[test]
fn every_command_is_taken() {
    Cli::command().debug_assert();
    for line in COMMANDS {
        parse(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
}

/// What no command takes.
const NONSENSE: &[&str] = &[
    "",
    "allocation plan",
    "allocation plan a b",
    "allocation insert a b",
    "allocation insert a b --task c --max-insertions 0",
    "allocation plan a --budget 0ms",
    "allocation plan a --budget soon",
    "allocation plan a --threads 0",
    "allocation plan a --threads 65",
    "allocation plan a --parallel-width 65",
    "allocation plan a --max-iterations 0",
    "allocation plan a --max-iterations 1000000000001",
    "allocation plan a --target NaN",
    "allocation plan a --target 1,,2",
    "allocation plan a --priority urgent",
    "allocation plan a --agents 1001",
    "temporal",
    "temporal check",
    "temporal check a --level stronger",
    "temporal check a --parallel-width 2",
    "temporal check a -f b",
    "temporal repair a --max-relaxations 21",
    "temporal repair a --apply 0",
    "temporal simulate a --runs 0",
    "temporal render a --offline --level weak",
    "temporal render a --offline --budget 1s",
    "temporal render a --offline --seed 0",
    "narrative what-if a",
    "narrative plan a --max-relaxations 21",
    "narrative rehearse a --auto 1 --script b",
    "narrative render a --plan b --budget 1s",
    "narrative render a --plan b --max-iterations 5",
    "narrative render a --plan b --seed 0",
    "narrative render a --plan b --threads 2 --strategy milp",
    "narrative render a --plan b --priority low",
    "patrol plan a --sight -1",
    "patrol plan a --animate",
    "patrol plan a --different 17",
    "patrol plan a --min-difference 0.5",
    "patrol plan a --different 3 --min-difference 1.5",
    "patrol plan a --different 3 --mixture",
    "patrol plan a --max-plans 3",
    "patrol plan a --mixture --max-plans 65",
    "patrol plan a --max-plan-iterations 500",
    "patrol plan a --mixture --max-plan-iterations 0",
    "patrol plan a --mixture --svg b --animate",
    "patrol plan a --tick 0.1ms",
    "patrol evaluate a",
    "crew plan",
    "schedule plan",
    "schedule plan a b",
    "schedule render a b",
    "story learn a --max-actors 61",
    "story learn a --max-rounds 0",
    "story plan a --slider Kill",
    "story plan a --slider Kill=-1",
    "story plan a --slider Kill=NaN",
    "story plan a --different 11",
    "story plan a --min-difference 2",
    "story plan a --different 2 --previous b",
    "patrol plan a --different 2 --previous b",
    "patrol plan a --mixture --previous b",
    "story plan a --different 2 --svg b",
    "story branch a --max-depth 7",
    "story branch a --max-choices 0",
    "crew compare a",
    "crew plan a --max-ties -1",
    "crew plan a --max-ties 1001",
    "crew plan a --players 0",
    "crew render a b",
    "heist plan",
    "heist plan a --slack -1",
    "heist plan a --slack 1001",
    "heist plan a --max-alternatives 21",
    "heist convert a",
    "heist convert a b --to xml",
    "heist convert a b --plan c --domain-file d",
    "heist render a b",
    "heist simulate a --do lock:d1",
    "heist simulate a --do 3:kick:d1",
    "heist simulate a --do 3:lock:",
    "heist simulate a --do -1:lock:d",
    "heist simulate a --ticks 0",
    "heist design a --traps 33",
    "heist design a --kinds dogs",
    "verify a",
    "bench",
    "bench a --rate 0",
    "bench a --rate NaN",
    "bench a --rate 5 --callers 2",
    "bench a --load 70",
    "bench a --require 101%",
    "bench a --deadline 250ms..25ms",
    "bench a --deadline 0ms",
    "bench a --connections 0",
    "convert a",
    "convert a b --to xml",
    "server",
    "context",
    "context add",
    "context add a --token-stdin --token b",
    "context use",
    "context use a --none",
    "context remove",
    "example get",
    "completion tcsh",
    "server info -o csv",
    "puzzle plan --size 10",
    "puzzle plan --size 4294967304x8",
    "puzzle plan --size 2x8",
    "puzzle plan --size 8x8 --size 9x9",
    "puzzle plan --boxes 5..2",
    "puzzle plan --boxes 33",
    "puzzle plan --boxes 2 --boxes 3",
    "puzzle plan --difficulty easy --difficulty 12",
    "puzzle plan --template a --template b",
    "puzzle plan --tolerance 101",
    "puzzle plan --boxes -1",
    "puzzle plan --difficulty extreme",
    "puzzle plan --difficulty hard..easy",
    "puzzle plan --difficulty NaN",
    "puzzle plan --levels 51",
    "puzzle plan --animate",
    "puzzle solve",
    "puzzle play a.sok --size 8x8",
    "puzzle play --level 2",
    "puzzle plan --walls thick",
    "puzzle solve a --level 0",
    "puzzle solve a --hint --out b.sok",
    "puzzle solve a --hint --png b.png",
    "puzzle rate a --answers b --draws 91",
    "puzzle rate a",
];

#[test]
fn nonsense_is_refused() {
    for line in NONSENSE {
        let error = parse(line).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}: {error}");
    }
}

#[test]
fn options_reach_the_request() {
    let given = options(
        "--budget 250ms --seed -7 --threads 2 --strategy mcts --max-iterations 9 --priority low",
    );
    assert_eq!(given.time_budget, Some(from_micros(250_000)));
    let engine = given.engine.unwrap();
    assert_eq!(engine.threads, Some(2));
    assert_eq!(given.seed, -7);
    assert_eq!(given.max_iterations, Some(9));
    assert_eq!(given.strategy, "mcts");
    assert_eq!(given.priority(), Priority::Low);
}

#[test]
fn what_is_not_said_is_left_to_the_server() {
    assert_eq!(options(""), SolveOptions::default());
}

#[test]
fn output_options_go_anywhere() {
    for line in [
        "-o json server info",
        "server -o json info",
        "server info -o json",
    ] {
        assert_eq!(
            parse(line).unwrap().display.output,
            Some(OutputFormat::Json)
        );
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert_eq!(parse("--help").unwrap_err().kind(), ErrorKind::DisplayHelp);
    assert_eq!(
        parse("--version").unwrap_err().kind(),
        ErrorKind::DisplayVersion
    );
}

#[test]
fn every_command_has_help_and_every_leaf_an_example() {
    fn walk(command: &clap::Command, path: &str) {
        let path = format!("{path} {}", command.get_name());
        assert!(command.get_about().is_some(), "{path} has no help");
        for argument in command.get_arguments() {
            let silent = argument.get_help().is_none() && argument.get_long_help().is_none();
            assert!(!silent, "{path}: {} has no help", argument.get_id());
        }
        let all = command.get_subcommands();
        let children: Vec<_> = all.filter(|child| !child.is_hide_set()).collect();
        if children.is_empty() {
            let after = command.get_after_long_help().map(ToString::to_string);
            assert!(
                after.unwrap_or_default().contains("Examples:"),
                "{path} has no example"
            );
        }
        children.into_iter().for_each(|c| walk(c, &path));
    }
    walk(&Cli::command(), "");
}

/// The calls of our program in the help texts, without what a shell does.
fn calls_in_help(command: &clap::Command, found: &mut Vec<String>) {
    let after = command
        .get_after_long_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    for line in after.lines().filter(|l| l.starts_with("  stratagem ")) {
        let programs = line
            .split('|')
            .map(|p| p.split('>').next().unwrap_or(p).trim());
        found.extend(
            programs
                .filter_map(|p| p.strip_prefix("stratagem "))
                .map(str::to_owned),
        );
    }
    command
        .get_subcommands()
        .for_each(|c| calls_in_help(c, found));
}

#[test]
fn examples_in_help_texts_are_taken() {
    let mut found = Vec::new();
    calls_in_help(&Cli::command(), &mut found);
    assert!(found.len() > 20, "{found:?}");
    for line in found {
        parse(&line).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
}
