//! What can be asked of planners, from the contract alone: planners, the methods of their services,
//! and what of a request can be given by flags.
//!
//! * [`Planner`]: a member of the union of problems, with its service.
//! * [`Verb`]: a method, with its flags, or a verb of the table; the first method of a planner is
//!   `plan`.
//! * [`Flag`]: a field of the request, or what `table` lists.

mod flags;
mod table;
mod values;
mod words;

pub use flags::{Flag, Kind, Output};
pub use values::{Choice, choices};

pub(crate) use flags::of_pictures;
pub(crate) use table::OWN_PLANNER;

use formats::messages::{POOL, descriptor};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, FileDescriptor, MessageDescriptor, MethodDescriptor,
    ReflectMessage as _, ServiceDescriptor, Value,
};
use std::collections::HashMap;
use std::iter;
use std::sync::{LazyLock, OnceLock};
use stratagem_proto::v1::{AnyPlan, AnyProblem};

/// A planner of the contract.
#[derive(Debug, Clone)]
pub struct Planner {
    /// Its name, as in `allocation`.
    pub name: String,
    /// Its problems.
    pub problem: MessageDescriptor,
    /// Its plans.
    pub plans: Vec<MessageDescriptor>,
    /// Its methods.
    pub service: ServiceDescriptor,
    verbs: OnceLock<Vec<Verb>>,
}

/// A method of a planner: a search, a question that is answered immediately, or a game.
#[derive(Debug, Clone)]
pub struct Verb {
    /// Its name, as in `plan`.
    pub name: String,
    /// Name of its planner.
    pub planner: String,
    /// What the contract or the table states about it.
    pub about: String,
    /// The method.
    pub method: MethodDescriptor,
    /// The same method with its steps.
    pub stream: Option<MethodDescriptor>,
    /// What can be given, besides problem, plans and options of the search.
    pub flags: Vec<Flag>,
    /// What is asked instead where a flag is given: several different plans, a mixture.
    pub variants: Vec<Verb>,
}

static PLANNERS: LazyLock<Vec<Planner>> = LazyLock::new(|| {
    let fields: Vec<_> = descriptor::<AnyProblem>().fields().collect();
    let planner = |field: FieldDescriptor| {
        let problem = field.kind().as_message().cloned()?;
        let service = problem.parent_file().services().next()?;
        Some(Planner {
            name: field.name().to_owned(),
            plans: plans(&problem),
            problem,
            service,
            verbs: OnceLock::new(),
        })
    };
    fields.into_iter().filter_map(planner).collect()
});

/// All planners, in the order of the contract.
#[must_use]
pub fn planners() -> &'static [Planner] {
    &PLANNERS
}

/// The planner of a name.
#[must_use]
pub fn planner(name: &str) -> Option<&'static Planner> {
    PLANNERS.iter().find(|planner| planner.name == name)
}

/// The plans of a planner: the members of the union that are in its file.
fn plans(problem: &MessageDescriptor) -> Vec<MessageDescriptor> {
    let file = problem.parent_file();
    let fields: Vec<_> = descriptor::<AnyPlan>().fields().collect();
    let kinds = fields.iter().map(FieldDescriptor::kind);
    let kinds = kinds.filter_map(|kind| kind.as_message().cloned());
    kinds.filter(|kind| kind.parent_file() == file).collect()
}

impl Planner {
    /// What can be asked, the first method first. What is a variant of another is not among it: see
    /// [`Verb::variants`].
    #[must_use]
    pub fn verbs(&self) -> &[Verb] {
        self.verbs.get_or_init(|| {
            if self.name == table::OWN_PLANNER.0 {
                return table::OWN
                    .iter()
                    .filter_map(|own| self.own_verb(own))
                    .collect();
            }
            let mut methods = self.methods();
            methods.retain(|method| table::VARIANTS.iter().all(|it| it.method != method.name()));
            let plan = methods.remove(0);
            let others = methods.into_iter();
            let others = others.map(|method| self.verb(first_word(method.name()), method));
            iter::once(self.plan_verb(plan)).chain(others).collect()
        })
    }

    /// The verb of a name.
    #[must_use]
    pub fn verb_of(&self, name: &str) -> Option<&Verb> {
        self.verbs().iter().find(|verb| verb.name == name)
    }

    /// A verb of the table.
    fn own_verb(&self, own: &table::Own) -> Option<Verb> {
        let mut methods = self.service.methods();
        let method = methods.find(|it| it.name() == table::OWN_PLANNER.1)?;
        Some(Verb {
            about: own.about.to_owned(),
            ..self.verb(own.name.to_owned(), method)
        })
    }

    /// The first method, with its variants and their flags.
    fn plan_verb(&self, method: MethodDescriptor) -> Verb {
        let mut verb = self.verb("plan".into(), method);
        for variant in table::VARIANTS {
            let mut methods = self.service.methods();
            let method = methods.find(|it| it.name() == variant.method);
            let variants = method.map(|method| self.verb(variant.flag.to_owned(), method));
            verb.variants.extend(variants);
        }
        for flag in verb.variants.iter().flat_map(|variant| &variant.flags) {
            if !verb.flags.iter().any(|own| own.long == flag.long) {
                verb.flags.push(flag.clone());
            }
        }
        verb
    }

    /// The methods; one that is the stream of another is not among them.
    fn methods(&self) -> Vec<MethodDescriptor> {
        let all: Vec<_> = self.service.methods().collect();
        let is_stream_of_another = |method: &&MethodDescriptor| {
            let plain = method.name().strip_prefix("Stream");
            plain.is_some_and(|plain| all.iter().any(|other| other.name() == plain))
        };
        let own = all.iter().filter(|method| !is_stream_of_another(method));
        own.cloned().collect()
    }

    fn verb(&self, name: String, method: MethodDescriptor) -> Verb {
        let streamed = format!("Stream{}", method.name());
        let stream = self.service.methods().find(|it| it.name() == streamed);
        let flags = flags::flags(self, &name, &method);
        Verb {
            name,
            planner: self.name.clone(),
            about: about_method(&method),
            method,
            stream,
            flags,
            variants: Vec::new(),
        }
    }
}

impl Verb {
    /// The field of requests that has a plan, and how it is given: as `plan` or as `previous`.
    #[must_use]
    pub fn plan_field(&self) -> Option<FieldDescriptor> {
        let plans = &planner(&self.planner)?.plans;
        let mut fields = self.method.input().fields().collect::<Vec<_>>().into_iter();
        fields.find(|field| is_plan(field, plans))
    }

    /// Whether the best plan is searched for where none is given.
    #[must_use]
    pub fn may_search_first(&self) -> bool {
        self.searches() && self.plan_field().is_some_and(|field| field.is_list())
    }

    /// Whether its answers are pictures, too.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        let response = self.method.output();
        ["plan", "plans"]
            .iter()
            .any(|name| response.get_field_by_name(name).is_some())
    }

    /// Whether its answers are the ticks of a game.
    #[must_use]
    pub fn is_game(&self) -> bool {
        self.method.is_server_streaming()
    }

    /// Whether it searches.
    #[must_use]
    pub fn searches(&self) -> bool {
        self.method.input().get_field_by_name("options").is_some()
    }
}

/// The method that reports how good a plan is, whatever made it: a question about a plan whose
/// answer has what responses of searches have, too.
#[must_use]
pub fn judge(planner: &Planner) -> Option<&Verb> {
    let verbs = planner.verbs();
    let known = |field: FieldDescriptor| {
        let kind = field.kind();
        let message = kind.as_message()?;
        let is_own = message.parent_file() == planner.problem.parent_file();
        let is_plan = planner.plans.contains(message);
        (is_own && !is_plan && !field.is_list()).then(|| message.clone())
    };
    let of = |verb: &Verb| {
        verb.method
            .output()
            .fields()
            .filter_map(known)
            .collect::<Vec<_>>()
    };
    let searches = verbs.iter().filter(|verb| verb.searches());
    let found: Vec<MessageDescriptor> = searches.flat_map(of).collect();
    let is_judge = |verb: &&Verb| {
        let answers = of(verb);
        !verb.searches()
            && verb.plan_field().is_some()
            && answers.iter().any(|kind| found.contains(kind))
    };
    verbs.iter().find(is_judge)
}

/// Whether a problem without a plan is planned before it is drawn.
#[must_use]
pub fn renders_first(planner: &Planner) -> bool {
    table::RENDERS_FIRST.contains(&planner.name.as_str())
}

/// Whether a field has a plan, or what a plan consists of.
fn is_plan(field: &FieldDescriptor, plans: &[MessageDescriptor]) -> bool {
    let kind = field.kind();
    let Some(message) = kind.as_message() else {
        return false;
    };
    let is_part = |plan: &MessageDescriptor| {
        let part = plan.get_field_by_name(field.name());
        part.is_some_and(|part| part.is_list() && field.is_list() && part.kind() == kind)
    };
    plans.contains(message) && !field.is_list() || plans.iter().any(is_part)
}

/// Earlier names of a planner or, with a verb, of that.
#[must_use]
pub fn aliases(planner: &str, verb: Option<&str>) -> Vec<&'static str> {
    let today = verb.map_or(planner.to_owned(), |verb| format!("{planner} {verb}"));
    let known = table::ALIASES.iter().filter(|(_, name)| *name == today);
    known
        .filter_map(|(earlier, _)| earlier.rsplit(' ').next())
        .collect()
}

/// `InsertTask`: `insert`.
fn first_word(name: &str) -> String {
    let end = name.char_indices().skip(1).find(|(_, c)| c.is_uppercase());
    let end = end.map_or(name.len(), |(at, _)| at);
    name[..end].to_ascii_lowercase()
}

/// Comments of the contract, by file and path.
static COMMENTS: LazyLock<HashMap<(String, Vec<i32>), String>> = LazyLock::new(|| {
    let mut found = HashMap::new();
    for file in POOL.files() {
        let info = file.file_descriptor_proto().source_code_info.as_ref();
        for location in info.map_or(&[][..], |info| &info.location) {
            let comment = location.leading_comments();
            if !comment.is_empty() {
                let key = (file.name().to_owned(), location.path.clone());
                found.insert(key, comment.to_owned());
            }
        }
    }
    found
});

fn comment(file: &FileDescriptor, path: &[i32]) -> String {
    let comment = COMMENTS.get(&(file.name().to_owned(), path.to_vec()));
    let comment = comment.map_or("", String::as_str);
    // The first paragraph; lines are broken where the terminal ends.
    let paragraph = comment.trim().split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    words.join(" ")
}

/// What the contract states about a service.
#[must_use]
pub fn about_service(service: &ServiceDescriptor) -> String {
    comment(&service.parent_file(), service.path())
}

/// What the contract states about a method.
#[must_use]
pub fn about_method(method: &MethodDescriptor) -> String {
    comment(&method.parent_service().parent_file(), method.path())
}

/// What the contract states about a field.
#[must_use]
pub fn about_field(field: &FieldDescriptor) -> String {
    comment(&field.parent_message().parent_file(), field.path())
}

/// The rules of a field, as in `int32` with `gte` and `lte`.
fn rules(field: &FieldDescriptor) -> Option<DynamicMessage> {
    let extension = POOL.get_extension_by_name("buf.validate.field")?;
    let options = field.options();
    let rules = options
        .has_extension(&extension)
        .then(|| options.get_extension(&extension).into_owned());
    rules?.as_message().cloned()
}

/// The least and the largest value that the contract allows.
fn range(field: &FieldDescriptor) -> [Option<f64>; 2] {
    let rules = rules(field);
    let rules = rules.as_ref().and_then(|rules| {
        let mut of_types = rules.fields().filter_map(|(_, value)| value.as_message());
        of_types.find(|rules| rules.descriptor().get_field_by_name("gte").is_some())
    });
    ["gte", "lte"].map(|name| {
        let rules = rules.filter(|rules| rules.has_field_by_name(name))?;
        match rules.get_field_by_name(name)?.as_ref() {
            Value::I32(number) => Some(f64::from(*number)),
            Value::I64(number) => Some(*number as f64),
            Value::F64(number) => Some(*number),
            _ => None,
        }
    })
}

/// Whether a list has to have elements.
fn is_required(field: &FieldDescriptor) -> bool {
    let rules = rules(field);
    let repeated = rules.as_ref().and_then(|rules| {
        let list = rules.get_field_by_name("repeated")?;
        list.as_message()
            .map(|list| list.has_field_by_name("min_items"))
    });
    repeated.unwrap_or(false)
        || rules.is_some_and(|rules| {
            let required = rules.get_field_by_name("required");
            required.is_some_and(|it| it.as_bool() == Some(true))
        })
}
