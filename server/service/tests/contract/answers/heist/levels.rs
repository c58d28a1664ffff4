//! Levels with traps, and what there is to know about levels.

use super::games::{end, game};
use super::*;

#[tokio::test]
async fn a_level_is_explained_rated_and_helped() {
    let caller = Caller::new(settings()).await;
    let request = json!({"problem": trapped(), "options": limited_to(50_000)});
    let answer = check_answer(
        &caller,
        "AnalyzeHeist",
        request.clone(),
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        analysis.pitfalls[*].room_id = ["r1"]
        analysis.pitfalls[*].step = [1]
        analysis.pitfalls[0].unknown[0].by_id = "eye"
        analysis.difficulty = 1
        analysis.difficulty_above = 0
        analysis.help.kind = "HEIST_HELP_KIND_CHEAPEST"
        analysis.help.cost = 1
        analysis.help.cost_bound = 1
        analysis.hints[*].grade = [1, 2, 3, 4]
        analysis.hints[0].intervention_count = 1
        analysis.hints[1].room_ids[#] = 2
    "#,
    )
    .await;
    let (first, hints) = (
        &answer["analysis"]["help"]["interventions"][0],
        &answer["analysis"]["hints"],
    );
    assert_eq!(
        hints[1]["tick"].as_i64(),
        first["tick"].as_i64().or(Some(0))
    );
    assert_eq!(hints[2]["target_id"], first["target_id"]);
    assert_eq!(
        (&hints[3]["verb"], &hints[3]["target_id"]),
        (&first["verb"], &first["target_id"])
    );
    let alone = game(&caller, trapped(), &[]).await;
    assert_eq!(
        answer["analysis"]["unhelped_end"],
        alone.last().unwrap()["end"]
    );
    let help = answer["analysis"]["help"]["interventions"].clone();
    let helped = game(&caller, trapped(), &[("interventions", help.clone())]).await;
    end(&helped, "ending = \"HEIST_ENDING_WON\"\ncost = 1");
}

#[tokio::test]
async fn help_depends_on_the_game_and_its_price() {
    let caller = Caller::new(settings()).await;
    let request = json!({"problem": trapped(), "options": limited_to(50_000)});
    let first = caller.answer("AnalyzeHeist", &request).await;
    let help = first["analysis"]["help"]["interventions"].clone();
    // Under way it is no level any more.
    let mut later = replaced(request.clone(), "/interventions", help.clone());
    later["tick"] = help[0]["tick"].clone();
    check_answer(
        &caller,
        "AnalyzeHeist",
        later,
        r#"
        analysis.definitions = null
        analysis.help.kind = "HEIST_HELP_KIND_NEEDLESS"
        analysis.unhelped_end.ending = "HEIST_ENDING_WON"
    "#,
    )
    .await;
    check_answer(
        &caller,
        "AnalyzeHeist",
        replaced(request.clone(), "/max_help_cost", json!(0)),
        r#"
        analysis.help.kind = "HEIST_HELP_KIND_NONE"
        analysis.help.cost_bound = null
    "#,
    )
    .await;
    let early = check_answer(
        &caller,
        "AnalyzeHeist",
        replaced(request, "/options", limited_to(3)),
        r#"
        report.status = "SOLVE_STATUS_FEASIBLE"
        report.stop_reason = "STOP_REASON_ITERATION_LIMIT"
        analysis.pitfalls[#] = 1
    "#,
    )
    .await;
    assert!(
        value_at(&early, "report.objective.levels[0]")
            .as_f64()
            .unwrap()
            > 0.0,
        "open"
    );
}

#[tokio::test]
async fn what_needs_no_help_and_what_surprises() {
    let caller = Caller::new(settings()).await;
    let easy = json!({"problem": row(3), "options": limited_to(50_000)});
    check_answer(
        &caller,
        "AnalyzeHeist",
        easy,
        r#"
        analysis.help.kind = "HEIST_HELP_KIND_NEEDLESS"
        analysis.hints = null
        analysis.pitfalls = null
        analysis.difficulty = 0
    "#,
    )
    .await;
    let off = replaced(watched(false), "/cameras/0/active", json!(false));
    let spoil = json!({"problem": off, "options": limited_to(50_000), "aim": "HEIST_AIM_CAPTURE"});
    check_answer(
        &caller,
        "AnalyzeHeist",
        spoil,
        r#"
        analysis.help.cost = 2
        analysis.help.interventions[0].verb = "HEIST_INTERVENTION_VERB_SWITCH_ON"
    "#,
    )
    .await;
    let wrong = json!({"problem": surprise(), "options": limited_to(50_000)});
    check_answer(
        &caller,
        "AnalyzeHeist",
        wrong,
        r#"
        analysis.surprises[*].subject_id = ["d2"]
        analysis.surprises[*].refusal = ["IS_LOCKED"]
    "#,
    )
    .await;
}

/// A request for a trap in a ring.
fn design() -> Value {
    json!({"problem": ring(), "options": limited_to(20_000), "trap_count": 1})
}

#[tokio::test]
async fn levels_catch_whom_nobody_helps() {
    let caller = Caller::new(settings()).await;
    let request = design();
    for kind in ["HEIST_TRAP_KIND_CAMERAS", "HEIST_TRAP_KIND_GUARDS"] {
        let request = replaced(request.clone(), "/trap_kind", json!(kind));
        let answer = check_answer(
            &caller,
            "DesignHeist",
            request,
            r#"
            report.status = "SOLVE_STATUS_OPTIMAL"
            plan.traps[*].by_id = ["trap_1"]
            plan.missing_trap_count = null
            analysis.difficulty = 1
        "#,
        )
        .await;
        let (level, trap) = (&answer["plan"], &answer["plan"]["traps"][0]);
        assert_eq!(
            answer["analysis"]["pitfalls"][0]["room_id"],
            trap["room_id"]
        );
        assert_eq!(answer["analysis"]["help"]["interventions"], level["help"]);
        let alone = game(&caller, level["world"].clone(), &[]).await;
        end(
            &alone,
            &format!(
                "ending = \"HEIST_ENDING_CAUGHT\"\nby_id = {}\nroom_id = {}",
                trap["by_id"], trap["room_id"]
            ),
        );
        let helped = game(
            &caller,
            level["world"].clone(),
            &[("interventions", level["help"].clone())],
        )
        .await;
        end(
            &helped,
            &format!(
                "ending = \"HEIST_ENDING_WON\"\ncost = {}",
                level["help_cost"]
            ),
        );
        let cost = level["help_cost"].as_f64().unwrap();
        check(
            &answer,
            &format!("report.objective.levels = [0, {}]", -cost),
        );
    }
}

#[tokio::test]
async fn levels_report_what_is_missing_and_what_cannot_be() {
    let caller = Caller::new(settings()).await;
    let request = design();
    check_answer(
        &caller,
        "DesignHeist",
        replaced(request.clone(), "/trap_count", json!(2)),
        r#"
        plan.traps[#] = 1
        plan.missing_trap_count = 1
        report.objective.levels[0] = 1
        report.explanation.summary = "1 of 2 traps were placed."
        report.explanation.reasons[0].code = "ROOM_UNAVOIDABLE"
    "#,
    )
    .await;
    check_answer(&caller, "DesignHeist", replaced(request.clone(), "/problem", row(4)), r#"
        plan = null
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[*].code = ["ROOM_UNAVOIDABLE", "ROOM_UNAVOIDABLE", "ROOM_UNAVOIDABLE"]
    "#).await;
    // One game is played: enough for no proof about help.
    let three = replaced(
        replaced(request.clone(), "/trap_count", json!(3)),
        "/options",
        limited_to(1),
    );
    check_answer(
        &caller,
        "DesignHeist",
        three,
        r#"
        report.stop_reason = "STOP_REASON_ITERATION_LIMIT"
        report.bound.levels[0] = 2
        report.bound.method = "sets"
    "#,
    )
    .await;
    let unplayed = replaced(request.clone(), "/simulate", json!(false));
    check_answer(
        &caller,
        "DesignHeist",
        unplayed,
        "plan.traps[#] = 1\nplan.help = null",
    )
    .await;
}

#[tokio::test]
async fn a_level_costs_to_play_what_it_was_made_for() {
    let caller = Caller::new(settings()).await;
    let request = design();
    let dear = replaced(request, "/problem/costs", json!({"door": 3}));
    check_answer(&caller, "DesignHeist", dear.clone(), "plan.help_cost = 2").await;
    let answer = check_answer(
        &caller,
        "DesignHeist",
        replaced(dear, "/rules", json!({"costs": {"camera": 5}})),
        r#"
        plan.help_cost = 3
        plan.world.costs.door = 3
        plan.world.costs.camera = 5
        plan.world.costs.container = 1
    "#,
    )
    .await;
    let helped = game(
        &caller,
        answer["plan"]["world"].clone(),
        &[("interventions", answer["plan"]["help"].clone())],
    )
    .await;
    end(&helped, "cost = 3");
}
