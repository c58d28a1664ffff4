//! Conflicts, and changes that help.

use super::*;

/// Makes the changes of a relaxation; whether a choice became ours.
fn changed(problem: &mut Value, relaxation: &Value) -> bool {
    let mut ours = false;
    for change in relaxation["changes"].as_array().unwrap() {
        let (kind, what) = change
            .as_object()
            .unwrap()
            .iter()
            .find(|(name, _)| *name != "message")
            .unwrap();
        let named = |list: &str, id: &Value| {
            let list = problem[list].as_array().unwrap();
            list.iter().position(|it| it["id"] == *id)
        };
        match kind.as_str() {
            "bound" => {
                let side = if what["side"] == "TEMPORAL_BOUND_SIDE_LOWER" {
                    "lower"
                } else {
                    "upper"
                };
                let (list, at) = match named("links", &what["link_id"]) {
                    Some(at) => ("links", at),
                    None => (
                        "contingent_links",
                        named("contingent_links", &what["link_id"]).unwrap(),
                    ),
                };
                assert_eq!(problem[list][at][side], what["old_bound"]);
                problem[list][at][side] = what["new_bound"].clone();
            }
            "capacity" => {
                let at = named("resources", &what["resource_id"]).unwrap();
                assert_eq!(problem["resources"][at]["capacity"], what["old_capacity"]);
                problem["resources"][at]["capacity"] = what["new_capacity"].clone();
            }
            "system_choice_id" => {
                let at = named("choices", what).unwrap();
                problem["choices"][at]["chooser"] = json!("NARRATIVE_CHOOSER_SYSTEM");
                ours = true;
            }
            withheld => {
                let at = named("choices", &what["choice_id"]).unwrap();
                let options = problem["choices"][at]["options"].as_array_mut().unwrap();
                let option = options
                    .iter_mut()
                    .find(|it| it["id"] == what["option_id"])
                    .unwrap();
                option["withheld"] = json!(withheld == "withheld_option");
            }
        }
    }
    ours
}

#[tokio::test]
async fn what_players_choose_must_work_and_each_relaxation_helps() {
    let caller = Caller::new(settings()).await;
    let mut only = quest();
    only["choices"][0]["options"][1]["withheld"] = json!(true);
    let mut short = of_players();
    short["contingent_links"][0]["upper"] = json!("30s");
    let mut ours = 0;
    let mut kinds = String::new();
    for problem in [of_players(), only, short] {
        let asked = replaced(request(&problem), "/detail", json!({"max_relaxations": 20}));
        let answer = check_answer(&caller, "ScheduleNarrative", asked, CANNOT).await;
        let members = answer["conflict"]["members"].as_array().unwrap();
        assert!(!members.is_empty() && !answer["conflict"]["summary"].as_str().unwrap().is_empty());
        assert!(
            members
                .iter()
                .all(|it| it["message"].is_string() && it.as_object().unwrap().len() > 1)
        );
        let relaxations = answer["relaxations"].as_array().unwrap();
        assert!(!relaxations.is_empty());
        kinds += &answer["relaxations"].to_string();
        for relaxation in relaxations {
            let mut problem = problem.clone();
            ours += usize::from(changed(&mut problem, relaxation));
            check_answer(&caller, "ScheduleNarrative", request(&problem), HOLDS).await;
        }
    }
    assert!(ours >= 1, "we could choose");
    assert!(
        kinds.contains("\"offered_option\"") && kinds.contains("\"withheld_option\""),
        "{kinds}"
    );
}

#[tokio::test]
async fn conflicts_name_activities_links_and_bounds_as_written() {
    let caller = Caller::new(settings()).await;
    let scene = |i: usize, needs: &[&str]| {
        let demands: Vec<_> = needs
            .iter()
            .map(|id| json!({"resource_id": id, "amount": 1}))
            .collect();
        json!({"id": format!("scene {i}"), "start_event_id": format!("begin {i}"), "end_event_id": format!("end {i}"), "demands": demands})
    };
    let scenes = json!({
        "events": [{"id": "begin 0"}, {"id": "end 0"}, {"id": "begin 1"}, {"id": "end 1"}],
        "links": [link("", "begin 0", "end 0", [3, 3]), link("", "begin 1", "end 1", [8, 8])],
        "activities": [scene(0, &["actor", "stage"]), scene(1, &["actor"])],
        "resources": [{"id": "actor", "capacity": 1}, {"id": "stage", "capacity": 1}],
    });
    // One actor has 3 and 8 s to play in 10.
    let short = replaced(scenes.clone(), "/horizon_offset", json!("10s"));
    let answer = check_answer(&caller, "ScheduleNarrative", request(&short), CANNOT).await;
    let overloads = value_at(&answer, "conflict.members[*].overload.resource_id");
    assert!(
        overloads.as_array().unwrap().contains(&json!("actor")),
        "{overloads}"
    );
    let capacities = answer["relaxations"].to_string();
    assert!(capacities.contains("\"new_capacity\":2"), "{capacities}");
    let mut cyclic = scenes;
    for (from, to) in [("end 0", "begin 1"), ("end 1", "begin 0")] {
        cyclic["links"]
            .as_array_mut()
            .unwrap()
            .push(link("", from, to, [0, 60]));
    }
    let table = format!("{CANNOT}\nconflict.minimal = true");
    let answer = check_answer(&caller, "ScheduleNarrative", request(&cyclic), &table).await;
    let links = value_at(&answer, "conflict.members[*].bound.link_id");
    let mut links: Vec<_> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    links.sort_unstable();
    assert_eq!(
        links,
        [
            "begin 0->end 0",
            "begin 1->end 1",
            "end 0->begin 1",
            "end 1->begin 0"
        ]
    );
    // The second group begins when all is over.
    let late = replaced(of_two(150), "/horizon_offset", json!("140s"));
    let table = format!("{CANNOT}\nconflict.members[*].message ~ \"by the horizon, 2 min 20 s\"");
    check_answer(&caller, "ScheduleNarrative", request(&late), &table).await;
    check_answer(&caller, "ScheduleNarrative", request(&of_two(0)), CANNOT).await;
}
