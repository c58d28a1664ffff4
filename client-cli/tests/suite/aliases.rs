//! Earlier names of commands and options.

use crate::args::parse;
use stratagem_cli::args::Cli;

/// Earlier names of commands and options, each with today's.
const ALIASES: &[(&str, &str)] = &[
    ("task allocate a", "allocation plan a"),
    (
        "task insert a b --task c --most 3",
        "allocation insert a --plan b --task c --max-insertions 3",
    ),
    ("verify a b", "verify --plan b -f a"),
    ("story explain a b", "story explain a --plan b"),
    (
        "temporal check a --iterations 9",
        "temporal check --filename a --max-iterations 9",
    ),
    (
        "allocation plan a --width 2",
        "allocation plan a --parallel-width 2",
    ),
    (
        "puzzle plan -f a --difference 2",
        "puzzle plan a --min-difference 2",
    ),
    (
        "puzzle rate a --answers b --weights c",
        "puzzle rate a --answers b --out c",
    ),
    (
        "patrol plan a --different 2 --distance 0.5",
        "patrol plan a --different 2 --min-difference 0.5",
    ),
    (
        "story plan a --different 2 --difference 3 --words 4",
        "story plan a --different 2 --min-difference 3 --text-seed 4",
    ),
    (
        "heist explain a --agent b --avoid c",
        "heist render a --agent b --avoid c",
    ),
    ("story branch a --story b", "story branch a --plan b"),
    ("job list --limit 3", "job list --max-jobs 3"),
    ("example ls", "example list"),
    ("stn check a", "temporal check a"),
    (
        "stn repair a --max 4",
        "temporal repair a --max-relaxations 4",
    ),
    (
        "narrative schedule a --relaxations 2",
        "narrative plan a --max-relaxations 2",
    ),
    (
        "patrol generate a --mixture --plans-max 4 --plan-iterations 9",
        "patrol plan a --mixture --max-plans 4 --max-plan-iterations 9",
    ),
    ("puzzle generate --size 9x9", "puzzle plan --size 9x9"),
    (
        "heist plan a --alternatives 2",
        "heist plan a --max-alternatives 2",
    ),
    (
        "heist design a --help-limit 2",
        "heist design a --max-help-cost 2",
    ),
    (
        "crew assign a --ties 2 --once",
        "crew plan a --max-ties 2 --no-revisits",
    ),
    ("story generate a --acts 3", "story plan a --max-acts 3"),
    (
        "story branch a --depth 2 --width 3 --choices 4 --continuation-iterations 5",
        "story branch a --max-depth 2 --max-width 3 --max-choices 4 --max-continuation-iterations 5",
    ),
    (
        "story learn a --actors 1 --items 2 --places 3 --rounds 4",
        "story learn a --max-actors 1 --max-items 2 --max-places 3 --max-rounds 4",
    ),
];

#[test]
fn removed_commands_name_what_replaces_them() {
    for line in [
        "heist play a",
        "temporal play a",
        "-q stn play a --level strong",
        "story watch a",
        "server top",
    ] {
        let words = ["stratagem"].into_iter().chain(line.split(' '));
        let error = Cli::read(words.map(Into::into)).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("` was removed: "), "{error}");
    }
}

#[test]
fn earlier_names_mean_the_same() {
    for (earlier, today) in ALIASES {
        let parsed = |line| format!("{:?}", parse(line).unwrap().command);
        assert_eq!(parsed(earlier), parsed(today));
    }
    for line in [
        "narrative watch a",
        "narrative render a b",
        "crew compare a b",
    ] {
        assert!(parse(line).is_ok(), "{line}");
    }
}
