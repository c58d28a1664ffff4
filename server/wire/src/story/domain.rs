//! Learned domains as domains of stories.

use anytime::{Fault, Path, fault};
use domain_learning::{Domain, domain};
use story::Problem;
use story::language::{self, SyntaxError};
use story::spec::{
    ActionSpec, AttributeSpec, BelievabilitySpec, GoalSpec, Literal, NameSpec, Setting, Spec,
    TableSpec, TypeSpec,
};

/// The check of learned domains: the faults that the planner of stories finds.
pub(super) fn check(domain: &Domain) -> Vec<Fault> {
    match spec_of(domain) {
        Ok(spec) => Problem::new(&spec).err().unwrap_or_default(),
        Err(error) => vec![fault!("SYNTAX", Path::WHOLE, "{}", error.to_string())],
    }
}

/// A learned domain with its texts read.
///
/// # Errors
/// The first text that is not of the language.
pub(super) fn spec_of(domain: &Domain) -> Result<Spec, SyntaxError> {
    let types = domain.types.iter().map(|kind| TypeSpec {
        name: kind.name.clone(),
        entities: kind.entities.iter().map(|it| it.name.clone()).collect(),
    });
    let entities = domain.types.iter().flat_map(|kind| &kind.entities);
    let names = entities.filter_map(|entity| {
        Some(NameSpec {
            entity: entity.name.clone(),
            name: entity.label.clone()?,
            pronouns: Vec::new(),
        })
    });
    let init = domain.start_places.iter().map(|start| Setting {
        entity: start.entity.clone(),
        attribute: "place".into(),
        value: Literal::Name(start.place.clone()),
    });
    let tables = domain.tables.iter().map(|table| TableSpec {
        name: table.name.clone(),
        entries: table.entries.clone(),
        default: table.default,
    });
    Ok(Spec {
        types: types.collect(),
        attributes: read_all(&domain.attributes, attribute)?,
        init: init.collect(),
        tables: tables.collect(),
        actions: read_all(&domain.actions, action)?,
        goals: read_all(&domain.goals, goal)?,
        events: Vec::new(),
        sliders: Vec::new(),
        actions_max: domain.actions_max,
        names: names.collect(),
    })
}

fn read_all<T, U>(
    given: &[T],
    read: impl Fn(&T) -> Result<U, SyntaxError>,
) -> Result<Vec<U>, SyntaxError> {
    given.iter().map(read).collect()
}

fn attribute(given: &domain::Attribute) -> Result<AttributeSpec, SyntaxError> {
    let default = given.default.as_deref().map(language::literal);
    Ok(AttributeSpec {
        owner: given.owner.clone(),
        name: given.name.clone(),
        kind: language::values(&given.values)?,
        is_static: false,
        default: default.transpose()?,
    })
}

fn action(given: &domain::ActionSchema) -> Result<ActionSpec, SyntaxError> {
    Ok(ActionSpec {
        name: given.name.clone(),
        params: given.params.clone(),
        distinct: true,
        preconditions: read_all(&given.preconditions, |text| language::expression(text))?,
        effects: read_all(&given.effects, |text| language::effect(text))?,
        believability: BelievabilitySpec {
            base: language::expression(&given.believability)?,
            rules: read_all(&given.rules, |text| language::rule(text))?,
        },
        texts: given.texts.clone(),
    })
}

fn goal(given: &domain::Goal) -> Result<GoalSpec, SyntaxError> {
    Ok(GoalSpec {
        name: given.name.clone(),
        expr: language::expression(&given.condition)?,
        weight: given.weight,
    })
}

#[cfg(test)]
mod tests {
    use super::{check, spec_of};
    use anytime::{Control, Limits};
    use domain_learning::{DomainParams, Edit, LearnParams, Learned, Learning, Reader, kinds};
    use story::{Cost, Params, Plan, Problem, Strategy, solve, verify};

    const TALE: &str = "Bram walked from the mill to the castle. The queen went to the castle.
        The thief went to the castle. The thief stole the crown from the queen. Bram took a knife.
        The thief stole the knife from Bram. The soldier killed the thief with the knife. The
        soldier went to the tower. Bram married the queen. The king took the crown in the castle.
        The soldier arrested the thief in the tower. The king gave the crown to the queen.";

    fn learned(edits: Vec<Edit>) -> Learned {
        let mut reader = Reader::new(&kinds()).unwrap();
        reader.push(TALE.as_bytes()).unwrap();
        let corpus = reader.finish().unwrap();
        let learning = Learning::new(&corpus, LearnParams::default()).with_edits(edits);
        let mut ignore = |_: &_, _| {};
        let mut control = Control::new(Limits::iterations(9), 0, &mut ignore);
        learning.run(&mut control).unwrap()
    }

    #[test]
    fn a_story_is_planned_in_a_learned_domain() {
        let edits = vec![Edit::Rename {
            word: "king".into(),
            name: "King 'Otto'".into(),
        }];
        let domain = learned(edits).domain(&DomainParams::default(), check);
        let problem = Problem::new(&spec_of(&domain.unwrap()).unwrap()).unwrap();
        let mut stories: Vec<(Plan, Cost)> = Vec::new();
        let mut sink = |plan: &Plan, cost: Cost| stories.push((plan.clone(), cost));
        let mut control = Control::new(Limits::iterations(3_000), 7, &mut sink);
        let params = Params {
            strategy: Strategy::Mcts,
            ..Params::default()
        };
        solve(&problem, &params, &mut control).unwrap();
        let (story, cost) = stories.last().unwrap();
        assert_eq!(verify(&problem, story), Ok(*cost));
        assert!(cost.score() > 0.0 && !story.actions.is_empty());
    }

    #[test]
    fn goals_that_no_story_reaches_are_left_out() {
        let params = |actors| DomainParams {
            actors,
            ..DomainParams::default()
        };
        let learned = learned(Vec::new());
        let mistakes = learned.domain(&params(1), check).unwrap_err();
        assert_eq!(mistakes[0].field(), "domain.goals", "all of them take two");
        let domain = learned.domain(&params(2), check).unwrap();
        assert!(check(&domain).is_empty() && domain.goals.len() > 1);
    }

    #[test]
    fn learned_domains_are_small_enough_for_stories() {
        assert_eq!(domain_learning::ACTIONS_MAX, story::problem::ACTIONS_MAX);
        assert_eq!(
            domain_learning::NAME_BYTES_MAX,
            story::problem::NAME_BYTES_MAX
        );
    }
}
