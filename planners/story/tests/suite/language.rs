//! The language of domains: what is printed is read again, mistakes report where they are, and no
//! text takes much stack.

use crate::quarrel;
use proptest::prelude::*;
use story::generate;
use story::language::{
    self, Form, position, show_effect, show_expression, show_literal, show_rule, show_setting,
    show_values,
};
use story::spec::{Change, Comparison, EffectSpec, Expr, Literal, Operation, Quantifier, RuleSpec};

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_][a-z0-9_]{0,3}",
        ".{0,4}",
        Just("count".to_owned()),
        Just("the king's".to_owned()),
    ]
}

/// Numbers as people write them, and any others that are finite.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-9i32..9, -9i32..9]
        .prop_map(f64::from)
        .boxed()
        .prop_union(
            any::<f64>()
                .prop_filter("finite", |n| n.is_finite())
                .boxed(),
        )
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        Just(Expr::Null),
        any::<bool>().prop_map(Expr::Bool),
        number().prop_map(Expr::Number),
        name().prop_map(Expr::Name),
    ];
    leaf.prop_recursive(4, 40, 3, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let two = prop::collection::vec(inner.clone(), 2..4);
        let some = prop::collection::vec(inner.clone(), 1..4);
        let compared = prop::sample::select(vec![
            Comparison::Equal,
            Comparison::Unequal,
            Comparison::Less,
            Comparison::AtMost,
            Comparison::Greater,
            Comparison::AtLeast,
        ]);
        let operation =
            prop::sample::select(vec![Operation::Plus, Operation::Minus, Operation::Times]);
        let quantifier = prop::sample::select(vec![
            Quantifier::Count,
            Quantifier::Exists,
            Quantifier::Forall,
        ]);
        prop_oneof![
            (one(), name()).prop_map(|(entity, name)| Expr::Get(entity, name)),
            (compared, one(), one()).prop_map(|(how, a, b)| Expr::Compare(how, a, b)),
            (operation, one(), one()).prop_map(|(how, a, b)| Expr::Arithmetic(how, a, b)),
            two.clone().prop_map(Expr::And),
            two.prop_map(Expr::Or),
            one().prop_map(Expr::Not),
            (quantifier, name(), name(), one()).prop_map(|(quantifier, variable, kind, body)| {
                Expr::Quantified {
                    quantifier,
                    variable,
                    kind,
                    body,
                }
            }),
            (name(), one()).prop_map(|(table, entity)| Expr::Table(table, entity)),
            (one(), one(), one()).prop_map(|(a, b, c)| Expr::If(a, b, c)),
            some.clone().prop_map(Expr::Min),
            some.prop_map(Expr::Max),
        ]
    })
}

fn effect() -> impl Strategy<Value = EffectSpec> {
    let write = (expr(), name(), expr(), any::<bool>());
    let write = write.prop_map(|(entity, attribute, value, adds)| {
        if adds {
            EffectSpec::Add {
                entity,
                attribute,
                value,
            }
        } else {
            EffectSpec::Set {
                entity,
                attribute,
                value,
            }
        }
    });
    write.prop_recursive(3, 8, 3, |inner| {
        let effects = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            (expr(), effects())
                .prop_map(|(condition, effects)| EffectSpec::When { condition, effects }),
            (name(), name(), expr(), effects()).prop_map(|(variable, kind, condition, effects)| {
                EffectSpec::Each {
                    variable,
                    kind,
                    condition,
                    effects,
                }
            }),
        ]
    })
}

proptest! {
    #[test]
    fn expressions_that_are_printed_are_read_again(expr in expr()) {
        let text = show_expression(&expr);
        prop_assume!(text.len() <= language::TEXT_BYTES_MAX);
        prop_assert_eq!(language::expression(&text), Ok(expr), "{}", text);
    }

    #[test]
    fn effects_that_are_printed_are_read_again(effect in effect()) {
        let text = show_effect(&effect);
        prop_assume!(text.len() <= language::TEXT_BYTES_MAX);
        prop_assert_eq!(language::effect(&text), Ok(effect), "{}", text);
    }

    #[test]
    fn rules_that_are_printed_are_read_again(
        value in expr(),
        condition in prop::option::of(expr()),
        sets: bool,
    ) {
        let change = if sets { Change::Set(value) } else { Change::Mul(value) };
        let rule = RuleSpec { condition, change };
        let text = show_rule(&rule);
        prop_assume!(text.len() <= language::TEXT_BYTES_MAX);
        prop_assert_eq!(language::rule(&text), Ok(rule), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_rejected(
        text in concat!(
            "[a-c.0-9 (){}\\[\\]=<>!+*/:;,'-]{0,60}",
            "|(if|then|else|not|count|each|set|a|\\(| )*|.*"
        ),
    ) {
        let _ = language::expression(&text);
        let _ = language::effect(&text);
        let _ = language::rule(&text);
        let _ = language::setting(&text);
        let _ = language::values(&text);
        let _ = position(&text, Form::Effect, "value.operands[0]");
    }

    #[test]
    fn generated_domains_are_printed_and_read_again(seed: u64) {
        for action in generate::domain(seed).actions {
            for expr in &action.preconditions {
                prop_assert_eq!(language::expression(&show_expression(expr)), Ok(expr.clone()));
            }
            for effect in &action.effects {
                prop_assert_eq!(language::effect(&show_effect(effect)), Ok(effect.clone()));
            }
        }
    }
}

#[test]
fn a_domain_reads_as_people_write_it() {
    let spec = quarrel();
    let kill = &spec.actions[3];
    let texts: Vec<String> = kill.preconditions.iter().map(show_expression).collect();
    assert_eq!(
        texts,
        [
            "a != b",
            "a.alive",
            "b.alive",
            "a.place == b.place",
            "i.holder == a"
        ]
    );
    let texts: Vec<String> = kill.effects.iter().map(show_effect).collect();
    assert_eq!(
        texts,
        [
            "b.alive = false",
            "a.grudge = null",
            "each(p: place, a.place == p) { p.crime = true }",
            "each(j: item, j.holder == b) { j.holder = null; j.place = b.place }",
            "if a.anger >= 1 { a.anger = 0 }",
        ]
    );
    let texts: Vec<String> = kill.believability.rules.iter().map(show_rule).collect();
    assert_eq!(
        texts,
        [
            "set 0.4 if a.anger >= 1",
            "set 0.9 if a.grudge == b",
            "multiply i.sharp"
        ]
    );
    let goal = show_expression(&spec.goals[0].expr);
    assert_eq!(goal, "count(x: actor, not x.alive) >= 1");
    let table = show_expression(&spec.actions[2].believability.base);
    assert_eq!(table, "greed[a]");
    let settings: Vec<String> = spec.init.iter().map(show_setting).collect();
    assert!(settings.contains(&"Cid.role = guard".to_owned()));
    for (text, setting) in settings.iter().zip(&spec.init) {
        assert_eq!(language::setting(text).as_ref(), Ok(setting));
    }
}

#[test]
fn kinds_of_values_are_printed_and_read_again() {
    let spec = quarrel();
    let values: Vec<String> = spec
        .attributes
        .iter()
        .map(|a| show_values(&a.kind))
        .collect();
    let wanted = [
        "bool",
        "0..2",
        "actor",
        "place",
        "{citizen, guard}",
        "actor",
        "place",
        "number",
        "bool",
    ];
    let mut sorted = values.clone();
    sorted.sort();
    let mut wanted = wanted.map(str::to_owned);
    wanted.sort();
    assert_eq!(sorted, wanted);
    for (text, attribute) in values.iter().zip(&spec.attributes) {
        assert_eq!(language::values(text).as_ref(), Ok(&attribute.kind));
    }
}

#[test]
fn shorthands_mean_what_they_say() {
    let same = |short: &str, long: &str| {
        assert_eq!(
            language::effect(short).expect("an effect"),
            language::effect(long).expect("an effect")
        );
    };
    same("a.n -= 1", "a.n += -1");
    same("a.n -= b.n", "a.n += 0 - b.n");
    same("a.n = b.n / 4", "a.n = b.n * 0.25");
    same("each(x: t) { x.n = 1; }", "each(x: t, true) { x.n = 1 }");
    assert_eq!(language::literal("-2.5e1"), Ok(Literal::Number(-25.0)));
    assert_eq!(show_literal(&Literal::Number(-25.0)), "-25");
    assert_eq!(
        show_values(&language::values("'bool'").expect("a type")),
        "'bool'"
    );
}

#[test]
fn a_mistake_says_where_it_is() {
    let cases = [
        (
            "a.place = Home",
            "at character 9: expected is the end, but there is '='",
        ),
        (
            "a and",
            "at character 6: expected is a value, but there is nothing more",
        ),
        ("a ? b", "at character 3: '?' means nothing here"),
        ("'a", "at character 1: the quote is not closed"),
        (
            "(a",
            "at character 3: expected is ')', but there is nothing more",
        ),
        (
            "a == b == c",
            "at character 8: comparisons in a row need brackets, or 'and' between them",
        ),
        ("n / 0", "at character 5: nothing can be divided by 0"),
        ("n / 0.0", "at character 5: nothing can be divided by 0"),
        (
            "n / m",
            "at character 5: expected is a number that is written out, but there is the name 'm'",
        ),
        ("1e999", "at character 1: the number is too large"),
        (
            "if a then b",
            "at character 12: expected is 'else', but there is nothing more",
        ),
        (
            "exists(x, a)",
            "at character 9: expected is ':' and the type of the variable, but there is ','",
        ),
        (
            "é.ö and -x",
            "at character 10: expected is a number after '-'; of anything else write 0 - x, \
             but there is the name 'x'",
        ),
        (
            "",
            "at character 1: expected is a value, but there is nothing more",
        ),
    ];
    for (text, wanted) in cases {
        let error = language::expression(text).expect_err(text);
        assert_eq!(error.to_string(), wanted, "{text}");
    }
}

#[test]
fn a_mistake_in_an_effect_a_rule_or_limits_says_where_it_is() {
    let effect = |text: &str| language::effect(text).expect_err(text).to_string();
    assert_eq!(
        effect("a = 1"),
        "at character 3: expected is '.' and an attribute that is changed, but there is '='"
    );
    assert_eq!(
        effect("a.n == 1"),
        "at character 5: expected is '=', '+=' or '-=', but there is '=='"
    );
    let rule = language::rule("0.5 if a").expect_err("no rule").to_string();
    assert_eq!(
        rule,
        "at character 1: expected is 'set' or 'multiply', but there is the number 0.5"
    );
    let limits = language::values("0..1.5")
        .expect_err("no limit")
        .to_string();
    assert_eq!(limits, "at character 4: 1.5 is no whole number of 32 bits");
}

#[test]
fn a_part_of_what_a_text_means_is_found_in_it() {
    let text = "a.alive and (b.anger + c.name >= 2)";
    let at = |path: &str| position(text, Form::Expression, path);
    assert_eq!(at(""), 1);
    assert_eq!(at("operands[0]"), 3, "the attribute");
    assert_eq!(at("operands[0].operands[0]"), 1, "whose it is");
    assert_eq!(at("operands[1]"), 31, "the comparison");
    assert_eq!(at("operands[1].operands[0].operands[1]"), 26);
    assert_eq!(at("operands[7]"), 1, "as near as can be");
    let text = "each(x: actor, x.alive) { x.anger += 'no one' }";
    let at = |path: &str| position(text, Form::Effect, path);
    assert_eq!(at("condition"), 18);
    assert_eq!(at("effects[0].value"), 38);
    assert_eq!(at("effects[0].entity"), 27);
    let text = "set 0.5 if a.place == b";
    assert_eq!(position(text, Form::Rule, "condition.operands[1]"), 23);
    assert_eq!(position(text, Form::Rule, "change"), 5);
    assert_eq!(position("A.place = B", Form::Setting, "value"), 11);
}

#[test]
fn bombs_are_rejected() {
    let many = |piece: &str, end: &str| format!("{}{end}", piece.repeat(3_900 / piece.len()));
    for text in [
        many("(", ""),
        many("not ", "a"),
        many("min(", "1"),
        many("a[", ""),
        many("if a then b else ", "c"),
        many("if ", "a"),
        many("a.", "b"),
        many("count(x: t, ", ""),
    ] {
        let error = language::expression(&text).expect_err("too deep");
        assert!(
            error.to_string().contains("nested more than 64 deep"),
            "{error}"
        );
    }
    let effect = many("if a { ", "");
    let error = language::effect(&effect).expect_err("too deep");
    assert!(
        error.to_string().contains("nested more than 64 deep"),
        "{error}"
    );
    let long = language::expression(&"a + ".repeat(2_000)).expect_err("too long");
    assert!(long.to_string().contains("at most 4000 are read"), "{long}");
    // Long, but flat: read.
    assert!(language::expression(&many("a and ", "b")).is_ok());
    assert!(language::expression(&many("1 + ", "2")).is_ok());
}
