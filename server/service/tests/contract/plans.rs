//! Every plan that a method returns passes `VerifyPlan` at its cost, and has pictures.

use crate::calls::{Caller, example, member, mistakes, searches, settings};
use crate::requests::requests;
use crate::searches::levels;
use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Value, json};

/// All plans of an answer that `VerifyPlan` knows, with the member of `AnyPlan` that they are.
pub(crate) fn plans(message: &MessageDescriptor, answer: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for field in message.fields() {
        let Kind::Message(inner) = field.kind() else {
            continue;
        };
        let plural = ["plan", "plans"].contains(&field.name());
        let Some(value) = answer.get(field.name()).filter(|_| plural) else {
            continue;
        };
        let list = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for one in list {
            match member("AnyPlan", &inner) {
                Some(kind) => found.push((kind, one.clone())),
                None => found.extend(plans(&inner, one)),
            }
        }
    }
    found
}

/// A problem and a plan as any planner's; `None` where a method is about less than a problem.
pub(crate) fn any_plan(
    method: &prost_reflect::MethodDescriptor,
    request: &Value,
    plan: &(String, Value),
) -> Option<Value> {
    let problem = method.input().get_field_by_name("problem")?;
    let kind = member("AnyProblem", problem.kind().as_message()?)?;
    Some(json!({
        "problem": {kind: request["problem"]},
        "plan": {plan.0.clone(): plan.1},
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_plan_passes_the_check_at_its_cost_and_is_drawn() {
    let caller = Caller::new(settings()).await;
    let mut kinds = std::collections::BTreeSet::new();
    let mut compared = std::collections::BTreeSet::new();
    for method in searches().iter().filter(|it| !it.is_server_streaming()) {
        for request in requests(&caller, method).await {
            let answer = caller.answer(method.name(), &request).await;
            for plan in plans(&method.output(), &answer) {
                let Some(any) = any_plan(method, &request, &plan) else {
                    continue;
                };
                let verdict = caller.answer("VerifyPlan", &any).await;
                assert_eq!(verdict["valid"], true, "{}: {verdict}", method.name());
                if answer.get("plan").is_some() && verdict.get("objective").is_some() {
                    let (claimed, own) = (&answer["report"]["objective"], &verdict["objective"]);
                    let (one, other) = (levels(claimed), levels(own));
                    let mut both = one.iter().zip(&other);
                    let is_same = both.all(|(one, other)| (one - other).abs() < 1e-9);
                    let name = method.name();
                    assert!(
                        one.len() == other.len() && is_same,
                        "{name}: {claimed} {own}"
                    );
                    if !own.is_null() && !other.is_empty() {
                        compared.insert(plan.0.clone());
                    }
                }
                draw(&caller, any).await;
                kinds.insert(plan.0);
            }
        }
    }
    let union = crate::calls::message("AnyPlan");
    let all: Vec<_> = union
        .fields()
        .map(|field| field.name().to_owned())
        .collect();
    assert_eq!(kinds.len(), all.len(), "{kinds:?} of {all:?}");
    // Verdicts about temporal networks have no cost, and sets of plans one each.
    let have_cost = [
        "allocation",
        "crew",
        "heist",
        "narrative",
        "patrol",
        "patrol_mixture",
        "puzzle",
        "schedule",
        "story",
    ];
    assert_eq!(Vec::from_iter(compared), have_cost);
}

/// All formats of a picture that there are.
async fn draw(caller: &Caller, mut any: Value) {
    for (format, start, media) in [
        ("PICTURE_FORMAT_SVG", "<svg", "image/svg+xml"),
        ("PICTURE_FORMAT_HTML", "<!DOCTYPE html>", "text/html"),
        ("PICTURE_FORMAT_ANIMATED_SVG", "<svg", "image/svg+xml"),
    ] {
        any["format"] = json!(format);
        let drawn = caller.answer("RenderPlan", &any).await;
        let picture = drawn["picture"].as_str().unwrap();
        let is_inert = !picture.to_lowercase().contains("<script");
        assert!(is_inert || any.get("plan").is_some(), "{format}");
        assert!(picture.starts_with(start), "{format}: {picture:.80}");
        let kind = drawn["media_type"].as_str().unwrap();
        assert!(kind.starts_with(media), "{format}: {kind}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_drawn_and_what_cannot_be_is_refused() {
    let caller = Caller::new(settings()).await;
    for one in stratagem_proto::EXAMPLES {
        draw(
            &caller,
            json!({"problem": {one.planner: example(one.name)}}),
        )
        .await;
    }
    let ship = json!({"crew": example("crew/ship")});
    for (asked, field) in [
        (json!({}), "problem "),
        (json!({"problem": {}}), "problem "),
        (json!({"problem": ship, "plan": {}}), "plan "),
        (
            json!({"problem": ship, "plan": {"allocation": {}}}),
            "plan ",
        ),
        (json!({"problem": ship, "format": 99}), "format "),
        (json!({"problem": {"crew": {}}}), "problem.crew.nodes "),
    ] {
        let status = caller.ask("RenderPlan", &asked).await.unwrap_err();
        let found = mistakes(&status);
        assert!(
            found.iter().any(|it| it.starts_with(field)),
            "{asked}: {found:?}"
        );
    }
}
