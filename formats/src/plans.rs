//! Which message with a plan a document is.

use super::messages::{PACKAGE, POOL, descriptor, typed};
use super::tree::Tree;
use prost_reflect::{DynamicMessage, FieldDescriptor, MessageDescriptor, Value};
use stratagem_proto::v1::{AnyPlan, any_plan};

/// How deep messages are compared with a document.
const DEPTH_MAX: usize = 8;

/// Where a plan can be found in a document.
pub enum PlanIn {
    /// It is the union of all plans.
    Union,
    /// It is the plan, which is this field of the union.
    Member(FieldDescriptor),
    /// It is a response whose plan is this field of the union.
    Response(FieldDescriptor),
}

/// The messages that are a plan or hold one.
pub fn with_plans() -> Vec<(MessageDescriptor, PlanIn)> {
    let union = descriptor::<AnyPlan>();
    let mut found = Vec::new();
    for field in union.fields() {
        let kind = field.kind();
        found.extend(
            kind.as_message()
                .cloned()
                .map(|kind| (kind, PlanIn::Member(field))),
        );
    }
    found.push((union.clone(), PlanIn::Union));
    for method in POOL
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
    {
        // The stream of a method has the same messages.
        if found.iter().any(|(kind, _)| *kind == method.output()) {
            continue;
        }
        let plan = method.output().get_field_by_name("plan");
        let is_it =
            |field: &FieldDescriptor| plan.as_ref().is_some_and(|it| it.kind() == field.kind());
        let field = union.fields().find(is_it);
        found.extend(field.map(|field| (method.output(), PlanIn::Response(field))));
    }
    found
}

/// The plan in a message; `None` where it has none.
pub fn plan_in(message: DynamicMessage, place: &PlanIn) -> Option<any_plan::Kind> {
    let (field, plan) = match place {
        PlanIn::Union => return typed::<AnyPlan>(&message).kind,
        PlanIn::Member(field) => (field, Value::Message(message)),
        PlanIn::Response(field) if message.has_field_by_name("plan") => {
            (field, message.get_field_by_name("plan")?.into_owned())
        }
        PlanIn::Response(_) => return None,
    };
    let mut union = DynamicMessage::new(descriptor::<AnyPlan>());
    union.set_field(field, plan);
    typed::<AnyPlan>(&union).kind
}

/// Number of keys of a document that are no fields of a message, at a depth: 0 is the top.
fn unknown_keys(kind: &MessageDescriptor, tree: &Tree, depth: usize) -> usize {
    let of_entry = |(key, value): &(String, Tree)| {
        let field = kind.get_field_by_name(key);
        let Some(field) = field.or_else(|| kind.get_field_by_json_name(key)) else {
            return usize::from(depth == 0);
        };
        // Foreign messages, such as durations, have their own form.
        let kind = field.kind();
        let own = kind.as_message().filter(|it| it.package_name() == PACKAGE);
        let inner = own.filter(|_| depth > 0 && !field.is_map());
        inner.map_or(0, |own| unknown_keys(own, value, depth - 1))
    };
    match tree {
        Tree::Map(entries) => entries.iter().map(of_entry).sum(),
        Tree::List(items) => items
            .iter()
            .map(|item| unknown_keys(kind, item, depth))
            .sum(),
        _ => 0,
    }
}

/// The message that a document is: the one to which fewest keys are unknown at its top, then below
/// that, and so on; of equal ones the first.
pub(super) fn best_match<T>(
    mut kinds: Vec<(MessageDescriptor, T)>,
    tree: &Tree,
) -> Option<(MessageDescriptor, T)> {
    for depth in 0..DEPTH_MAX {
        if kinds.len() <= 1 {
            break;
        }
        let unknown = |(kind, _): &(MessageDescriptor, T)| unknown_keys(kind, tree, depth);
        let counts: Vec<usize> = kinds.iter().map(unknown).collect();
        let fewest = counts.iter().min().copied();
        let mut counts = counts.into_iter();
        kinds.retain(|_| counts.next() == fewest);
    }
    kinds.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::with_plans;

    #[test]
    fn each_message_that_holds_a_plan_is_there_once() {
        let mut names: Vec<_> = with_plans()
            .into_iter()
            .map(|it| it.0.full_name().to_owned())
            .collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(all > 15, "{names:?}");
    }
}
