//! Changes of a narrative as people write them: `search.upper=60m`, `clara=2`, `how=system`,
//! `how.robbery=offered`.

use super::{ids, near};
use crate::durations::parse_span;
use prost_types::Duration;
use stratagem_proto::v1::{NarrativeChoice, NarrativeChooser, NarrativeProblem};
use stratagem_render::time::from_micros;

/// Makes a change.
///
/// # Errors
/// Why it cannot be made, for people, with names that are near a mistyped one.
pub fn apply(problem: &mut NarrativeProblem, change: &str) -> Result<(), String> {
    let wanted = "LINK.lower=TIME, LINK.upper=TIME, RESOURCE=NUMBER, CHOICE=system, \
                  CHOICE=player, CHOICE.OPTION=offered, CHOICE.OPTION=withheld or horizon=TIME";
    let Some((name, value)) = change.split_once('=') else {
        return Err(format!("`{change}` is no change: {wanted} is wanted"));
    };
    let (name, value) = (name.trim(), value.trim());
    let reason = |why: String| format!("`{change}`: {why}");
    if name == "horizon" && !problem.resources.iter().any(|r| r.id == name) {
        problem.horizon_offset = bound(value, false).map_err(reason)?;
        return Ok(());
    }
    if let Some((link, side @ ("lower" | "upper"))) = name.rsplit_once('.') {
        return set_bound(problem, link, side, value).map_err(reason);
    }
    if let Some((choice, option)) = name.rsplit_once('.')
        && let Some(choice) = problem.choices.iter_mut().find(|c| c.id == choice)
    {
        return set_offered(choice, option, value).map_err(reason);
    }
    if let Some(resource) = problem.resources.iter_mut().find(|r| r.id == name) {
        let number = value.parse::<i32>().ok().filter(|n| *n >= 0);
        let why = || reason("a whole number of 0 or above is wanted".into());
        resource.capacity = Some(number.ok_or_else(why)?);
        return Ok(());
    }
    if let Some(choice) = problem.choices.iter_mut().find(|c| c.id == name) {
        let chooser = match value {
            "system" => NarrativeChooser::System,
            "player" => NarrativeChooser::Player,
            _ => return Err(reason("`system` or `player` is wanted".into())),
        };
        choice.set_chooser(chooser);
        return Ok(());
    }
    Err(reason(unknown(problem, name)))
}

/// No resource or choice has the name: perhaps it is a link without a side.
fn unknown(problem: &NarrativeProblem, name: &str) -> String {
    let ids = ids(problem);
    let mut links = ids.requirements.iter().chain(&ids.contingent);
    if links.any(|id| id == name) {
        return format!("link {name} has two bounds: `{name}.lower` and `{name}.upper`");
    }
    let resources = problem.resources.iter().map(|r| r.id.as_str());
    let choices = problem.choices.iter().map(|c| c.id.as_str());
    let known = resources.chain(choices).chain(["horizon"]);
    format!(
        "there is no resource or choice `{name}`{}",
        hint(&near(name, known))
    )
}

fn hint(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        names => format!("; near it: {}", names.join(", ")),
    }
}

fn set_offered(choice: &mut NarrativeChoice, id: &str, value: &str) -> Result<(), String> {
    let withheld = match value {
        "offered" => false,
        "withheld" => true,
        _ => return Err("`offered` or `withheld` is wanted".into()),
    };
    let Some(option) = choice.options.iter_mut().find(|o| o.id == id) else {
        let near = near(id, choice.options.iter().map(|o| o.id.as_str()));
        let why = format!("{} has no option `{id}`{}", choice.id, hint(&near));
        return Err(why);
    };
    option.withheld = withheld;
    Ok(())
}

fn set_bound(
    problem: &mut NarrativeProblem,
    name: &str,
    side: &str,
    value: &str,
) -> Result<(), String> {
    let ids = ids(problem);
    let at = |list: &[String]| list.iter().position(|id| id == name);
    let (lower, upper, contingent) = if let Some(i) = at(&ids.requirements) {
        let link = &mut problem.links[i];
        (&mut link.lower, &mut link.upper, false)
    } else if let Some(i) = at(&ids.contingent) {
        let link = &mut problem.contingent_links[i];
        (&mut link.lower, &mut link.upper, true)
    } else {
        let known = ids.requirements.iter().chain(&ids.contingent);
        let near = near(name, known.map(String::as_str));
        return Err(format!("there is no link `{name}`{}", hint(&near)));
    };
    let new = bound(value, !contingent)?;
    if contingent && new.is_none() {
        return Err(format!("{name} is picked by players and needs both bounds"));
    }
    *(if side == "lower" { lower } else { upper }) = new;
    Ok(())
}

/// A time; `none` for no bound; below 0 where it may be.
fn bound(value: &str, signed: bool) -> Result<Option<Duration>, String> {
    if value == "none" {
        return Ok(None);
    }
    let us = match value.strip_prefix('-') {
        Some(rest) if signed => -parse_span(rest)?,
        _ => parse_span(value)?,
    };
    Ok(Some(from_micros(us)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Kind, built_in, example};
    use stratagem_render::time::micros;

    fn dragon() -> NarrativeProblem {
        match example(built_in("narrative/dragon").unwrap().unwrap()).unwrap() {
            Kind::Narrative(problem) => problem,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn bounds_numbers_choosers_and_the_horizon_are_set() {
        let mut problem = dragon();
        for change in [
            "search.upper=60m",
            "whole-quest.lower=none",
            "to-the-fight.lower=-5m",
            "sword = 3",
            "how=player",
            "how.magic=withheld",
            "how.sword=withheld",
            "how.sword=offered",
            "horizon=2h",
        ] {
            apply(&mut problem, change).unwrap();
        }
        let search = &problem.contingent_links[0];
        assert_eq!(micros(search.upper.as_ref()), 3_600_000_000);
        assert_eq!(micros(search.lower.as_ref()), 600_000_000);
        assert_eq!(problem.links[0].lower, None);
        assert_eq!(micros(problem.links[1].lower.as_ref()), -300_000_000);
        assert_eq!(problem.resources[0].capacity, Some(3));
        assert_eq!(problem.choices[0].chooser(), NarrativeChooser::Player);
        let withheld = problem.choices[0].options.iter().map(|o| o.withheld);
        assert_eq!(withheld.collect::<Vec<_>>(), [false, true, false]);
        let horizon = problem.horizon_offset.as_ref();
        assert_eq!(micros(horizon), 7_200_000_000);
    }

    #[test]
    fn mistyped_changes_are_refused_with_names_that_are_near() {
        for (change, why) in [
            (
                "serch.upper=5m",
                "`serch.upper=5m`: there is no link `serch`; near it: search",
            ),
            (
                "swrod=2",
                "`swrod=2`: there is no resource or choice `swrod`; near it: sword",
            ),
            (
                "how.rob=offered",
                "`how.rob=offered`: how has no option `rob`; near it: robbery",
            ),
            (
                "how.robbery=2",
                "`how.robbery=2`: `offered` or `withheld` is wanted",
            ),
            (
                "search=5m",
                "`search=5m`: link search has two bounds: `search.lower` and `search.upper`",
            ),
            (
                "sword=-1",
                "`sword=-1`: a whole number of 0 or above is wanted",
            ),
            ("how=us", "`how=us`: `system` or `player` is wanted"),
            (
                "search.lower=none",
                "`search.lower=none`: search is picked by players and needs both bounds",
            ),
        ] {
            assert_eq!(apply(&mut dragon(), change).unwrap_err(), why);
        }
        assert!(apply(&mut dragon(), "sword").is_err());
        assert!(apply(&mut dragon(), "search.upper=soon").is_err());
    }
}
