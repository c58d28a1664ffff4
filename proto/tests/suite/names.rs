//! No name of the contract gets in the way of a language that clients are written in.

use prost_reflect::{DescriptorPool, FieldDescriptor, MessageDescriptor};
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::DESCRIPTOR_SET;

/// A language, how its generator writes the name of a field, and what such a name must not be.
struct Language {
    name: &'static str,
    written: fn(&str) -> String,
    taken: &'static str,
}

/// Generators that write names of fields as they are, or in camel case, without anything before or
/// after them. Java, Go, C#, PHP and Ruby write `getName`, `Name` or `.name`, of which nothing
/// below is a keyword.
const LANGUAGES: [Language; 7] = [
    Language {
        name: "C++",
        written: snake,
        taken: "alignas alignof and asm auto bool break case catch char class concept const constexpr continue decltype default \
                delete do double else enum explicit export extern false float for friend goto if inline int long mutable \
                namespace new noexcept not nullptr operator or private protected public register requires return short signed \
                sizeof static struct switch template this throw true try typedef typeid typename union unsigned using virtual \
                void volatile while xor max min major minor errno stdin stdout unix linux",
    },
    Language {
        name: "Python",
        written: snake,
        taken: "False None True and as assert async await break class continue def del elif else except finally for from global \
                if import in is lambda nonlocal not or pass raise return try while with yield",
    },
    Language {
        name: "GDScript",
        written: snake,
        taken: "if elif else for while match break continue pass return class class_name extends is in as self signal func \
                static const enum var breakpoint preload await yield assert void",
    },
    Language {
        name: "Rust",
        written: snake,
        taken: "as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop match mod \
                move mut pub ref return self static struct super trait true type unsafe use where while abstract become box do \
                final macro override priv try typeof unsized virtual yield",
    },
    Language {
        name: "TypeScript",
        written: camel,
        taken: "break case catch class const continue debugger default delete do else enum export extends false finally for \
                function if import in instanceof new null return super switch this throw true try typeof var void while with \
                constructor prototype toString valueOf",
    },
    Language {
        name: "Kotlin",
        written: camel,
        taken: "as break class continue do else false for fun if in interface is null object package return super this throw \
                true try typealias typeof val var when while",
    },
    Language {
        name: "Swift",
        written: camel,
        taken: "class deinit enum extension func import init inout let operator protocol static struct subscript typealias var \
                break case continue default defer do else fallthrough for guard if in repeat return switch where while as is \
                nil self super throw throws try",
    },
];

fn snake(name: &str) -> String {
    name.to_owned()
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| {
        let (head, tail) = part.split_at(part.len().min(1));
        whole + &head.to_ascii_uppercase() + tail
    })
}

fn messages() -> Vec<MessageDescriptor> {
    let pool = DescriptorPool::decode(DESCRIPTOR_SET).expect("the build made it");
    let all = pool.all_messages();
    all.filter(|it| it.package_name() == "stratagem.v1")
        .collect()
}

fn fields() -> Vec<FieldDescriptor> {
    messages()
        .iter()
        .flat_map(|it| it.fields().collect::<Vec<_>>())
        .collect()
}

#[test]
fn no_field_is_a_keyword() {
    for Language {
        name,
        written,
        taken,
    } in LANGUAGES
    {
        let taken: BTreeSet<&str> = taken.split_whitespace().collect();
        for field in fields() {
            let written = written(field.name());
            assert!(
                !taken.contains(written.as_str()),
                "{} in {name}",
                field.full_name()
            );
        }
    }
}

#[test]
fn fields_survive_the_way_to_camel_case_and_back() {
    for message in messages() {
        let mut seen = BTreeMap::new();
        for field in message.fields() {
            let other = seen.insert(
                camel(field.name()).to_ascii_lowercase(),
                field.full_name().to_owned(),
            );
            assert_eq!(other, None, "{}", field.full_name());
            let digits = field
                .name()
                .split('_')
                .skip(1)
                .any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
            assert!(
                !digits,
                "{}: x_1 and x1 are the same in camel case",
                field.full_name()
            );
        }
    }
}

#[test]
fn no_field_in_pascal_case_is_called_as_its_message() {
    // C# does not allow it.
    for field in fields() {
        let pascal = camel(&format!("_{}", field.name()));
        assert_ne!(
            pascal,
            field.parent_message().name(),
            "{}",
            field.full_name()
        );
    }
}

#[test]
fn messages_are_prefixed_by_their_planner_or_shared() {
    let prefixes = [
        "Allocation",
        "Crew",
        "Heist",
        "Narrative",
        "Patrol",
        "Puzzle",
        "Story",
        "Schedule",
        "Temporal",
        "Job",
        "Server",
        "Session",
        "Solve",
        "Objective",
        "Explanation",
        "Plan",
        "Picture",
        "Any",
    ];
    let shared = [
        "Explanation",
        "Objective",
        "ProvedBound",
        "MethodInfo",
        "StrategyInfo",
        "ExampleSummary",
        "ExportedFile",
        "ImportOptions",
    ];
    for message in messages() {
        let name = message.name();
        let of_method = name.ends_with("Request") || name.ends_with("Response");
        let known =
            prefixes.iter().any(|prefix| name.starts_with(prefix)) || shared.contains(&name);
        assert!(of_method || known, "{name} is of nobody");
    }
}
