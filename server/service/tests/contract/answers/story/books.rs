//! Domains that are learned from books.

use super::*;

fn books() -> Value {
    let read = |name: &str| {
        let path = format!("{}/../../docs/stories/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    json!({
        "books": {"text": read("manor.txt"), "relations": read("words.tsv")},
        "options": limited_to(100_000),
    })
}

#[tokio::test]
async fn a_domain_is_learned_corrected_and_has_a_story() {
    let caller = Caller::new(settings()).await;
    let asked = replaced(
        books(),
        "/edits",
        json!([
            {"rename": {"word": "doctor", "name": "Doctor Bray"}},
            {"word_class": {"word": "violin", "word_class": "STORY_WORD_CLASS_OTHER"}},
        ]),
    );
    let answer = check_answer(
        &caller,
        "LearnStoryDomain",
        asked,
        r#"
        report.status = "SOLVE_STATUS_FEASIBLE"
        report.explanation = null
        plan.domain.types[0].entities[*].id ~ "Doctor Bray"
    "#,
    )
    .await;
    let words = answer["plan"]["words"].as_array().unwrap();
    for word in words {
        let shares = word["probabilities"].as_array().unwrap().iter();
        let sum: f64 = shares.map(|it| it.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{word}");
    }
    for (text, class) in [
        ("doctor", "ACTOR"),
        ("knife", "ITEM"),
        ("library", "PLACE"),
        ("violin", "OTHER"),
    ] {
        let word = words.iter().find(|it| it["text"] == text).unwrap();
        assert_eq!(
            word["word_class"],
            format!("STORY_WORD_CLASS_{class}"),
            "{text}"
        );
    }
    let domain = &answer["plan"]["domain"];
    let story = caller.answer("GenerateStory", &request(domain)).await;
    assert!(story["plan"]["score"].as_f64().unwrap() > 0.0);
}

#[tokio::test]
async fn what_teaches_nothing_is_reported() {
    let caller = Caller::new(settings()).await;
    let calm = replaced(
        books(),
        "/books/text",
        json!("It was a dark and stormy night."),
    );
    check_answer(
        &caller,
        "LearnStoryDomain",
        calm,
        r#"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[0].code = "TEXT_UNUSABLE"
        report.explanation.reasons[0].field = "books.text"
    "#,
    )
    .await;
    let unknown = json!([{"rename": {"word": "dragon", "name": "Smaug"}}]);
    let refused = "report.explanation.reasons[0].code = \"EDIT_REFUSED\"";
    check_answer(
        &caller,
        "LearnStoryDomain",
        replaced(books(), "/edits", unknown),
        refused,
    )
    .await;
    let good = replaced(
        replaced(books(), "/domain", json!({})),
        "/learning",
        json!({}),
    );
    check_mistakes(
        &caller,
        "LearnStoryDomain",
        &good,
        r#"
        books/text = "" => books.text REQUIRED
        books/text = "The \u0000king" => books.text CHARACTER_UNKNOWN
        edits = [{}] => edits[0] REQUIRED
        domain/max_actors = 61 => domain.max_actors OUT_OF_RANGE
        learning/damping = "NaN" => learning.damping NOT_FINITE
    "#,
    )
    .await;
}
