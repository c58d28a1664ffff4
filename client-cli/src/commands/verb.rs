//! Methods of planners, as the contract has them: `plan`, `insert`, `evaluate` and the like.

mod pictures;
mod request;

pub(super) use request::{Asked, apply, refuse_other_agent};

use super::ask::{Asking, Outcome, show_dynamic};
use super::{heist, temporal};
use crate::args::{ConnectionArgs, VerbArgs};
use crate::call::quick_dynamic;
use crate::connect::Connection;
use crate::contract::{self, Flag, Kind as FlagKind, Planner, Verb};
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind as Problem};
use crate::output::{self, Display, answer, objective};
use crate::reflect;
use formats::answers::response_with;
use formats::messages;
use pictures::{draw, part};
use prost_reflect::{DynamicMessage, FieldDescriptor, ReflectMessage as _};
use stratagem_proto::v1::SolveReport;

/// Runs the command.
pub(super) async fn run(
    args: &VerbArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let unknown = || Failure::usage(format!("no such command: {} {}", args.planner, args.verb));
    let planner = contract::planner(&args.planner).ok_or_else(unknown)?;
    if planner.name == contract::OWN_PLANNER.0 {
        return temporal::run(args, server, display).await;
    }
    let mut sources = vec![Some(args.problem.file.as_str())];
    sources.extend([args.plan.as_deref(), args.previous.as_deref()]);
    let asker = Asker {
        args,
        server,
        display,
        planner,
    };
    if args.verb == "render" {
        input::one_stdin(&sources)?;
        return asker.render().await;
    }
    let verb = asker.verb().ok_or_else(unknown)?;
    let is_read = |flag: &&Flag| matches!(flag.kind, FlagKind::Rest | FlagKind::File(_));
    let files = verb.flags.iter().filter(is_read);
    sources.extend(files.map(|flag| args.value(flag)?.first()?.as_str()));
    input::one_stdin(&sources)?;
    let problem = asker.problem().await?;
    let mut asked = request::build(verb, args, problem)?;
    if verb.may_search_first() && args.plan.is_none() {
        asker.begin(verb, &mut asked).await?;
    }
    if let Problem::Heist(problem) = &asked.problem
        && args.verb != "plan"
    {
        heist::known(problem)?;
    }
    if verb.is_game() {
        return heist::simulate(&asked, args, server, display).await;
    }
    if verb.searches() {
        return asker.search(verb, asked).await;
    }
    asker.question(verb, &asked).await
}

struct Asker<'a> {
    args: &'a VerbArgs,
    server: &'a ConnectionArgs,
    display: &'a Display,
    planner: &'a Planner,
}

impl Asker<'_> {
    /// The method that is meant: where a flag names a variant, that.
    fn verb(&self) -> Option<&Verb> {
        let verb = self.planner.verb_of(&self.args.verb)?;
        let is_given = |it: &&Verb| self.args.values.contains_key(&it.name);
        Some(verb.variants.iter().find(is_given).unwrap_or(verb))
    }

    async fn problem(&self) -> Result<Problem, Failure> {
        let (file, foreign) = (&self.args.problem.file, self.args.foreign);
        input::problem_for(&self.planner.name, file, foreign, self.server).await
    }

    /// Searches for the best plan, which is what is then asked about.
    async fn begin(&self, verb: &Verb, asked: &mut Asked) -> Result<(), Failure> {
        let Some(first) = self.planner.verb_of("plan") else {
            return Ok(());
        };
        let asking = self.asking();
        let request = request::first(first, self.args, asked);
        let answer = asking.answer_of(&first.method, &request, false).await?;
        let plan = answer.get_field_by_name("plan");
        let plan = plan.as_ref().and_then(|plan| plan.as_message());
        if !plan.is_some_and(|plan| request::set_part(&mut asked.request, verb, plan)) {
            let name = &self.planner.name;
            let message = format!("no plan was found in which anything happens: see `{name} plan`");
            return Err(Failure::new(Exit::UNKNOWN, message));
        }
        Ok(())
    }

    fn asking(&self) -> Asking<'_> {
        Asking::new(self.server, self.display, &self.args.search)
    }

    async fn search(&self, verb: &Verb, asked: Asked) -> Result<Exit, Failure> {
        let asking = self.asking();
        let terms = objective::deciding(&asked.problem);
        let streamed = verb.stream.as_ref().filter(|_| self.args.stream);
        let (mut found, cut) = match streamed {
            Some(stream) => asking.stream_of(stream, &asked.request, terms).await?,
            None => {
                let has_stream = verb.stream.is_some();
                let answer = asking.answer_of(&verb.method, &asked.request, has_stream);
                (answer.await?, None)
            }
        };
        if cut.is_some() {
            // Nothing when the server does not answer now, or the user interrupts again: what was
            // found counts for more.
            let judged = tokio::select! {
                judged = self.judged(&asked.problem, &found) => judged.ok(),
                _ = tokio::signal::ctrl_c() => None,
            };
            found = judged.unwrap_or(found);
        }
        self.put(verb, &asked, &found)?;
        let report: Option<SolveReport> = reflect::part(&found, "report");
        let outcome = Outcome::new(reflect::has_plan(&found), report.as_ref(), cut);
        if outcome.is_open(self.display, streamed.is_some()) && !pictures::stands_alone(self.args) {
            self.show(verb, &asked.problem, &found)?;
        }
        outcome.exit()
    }

    async fn question(&self, verb: &Verb, asked: &Asked) -> Result<Exit, Failure> {
        let connection = Connection::open(self.server).await?;
        let answer = quick_dynamic(&connection, &verb.method, &asked.request).await?;
        self.put(verb, asked, &answer)?;
        self.show(verb, &asked.problem, &answer)?;
        let is_found = answer.has_field_by_name("plan");
        let has_plans = answer.descriptor().get_field_by_name("plan").is_some();
        Ok(if has_plans && !is_found {
            Exit::UNKNOWN
        } else {
            Exit::OK
        })
    }

    /// Draws and writes what was asked for.
    fn put(&self, verb: &Verb, asked: &Asked, answer: &DynamicMessage) -> Result<(), Failure> {
        if reflect::has_plan(answer) {
            let flags = &verb.flags;
            draw(self.args, flags, &asked.problem, Some(answer))?;
        }
        Ok(())
    }

    fn show(&self, verb: &Verb, problem: &Problem, answer: &DynamicMessage) -> Result<(), Failure> {
        let short = verb.flags.iter().find_map(|flag| match flag.kind {
            FlagKind::Text(text) => Some((text, self.args.value(flag)?.first()?.as_i64()?)),
            _ => None,
        });
        show_dynamic(self.display, answer, || match short {
            Some((text, number)) => text(answer, number),
            None => answer::text(self.display, problem, answer, part(self.args)),
        })
    }

    /// What was found, with what the server knows about the plan where the answer lacks it.
    async fn judged(
        &self,
        problem: &Problem,
        found: &DynamicMessage,
    ) -> Result<DynamicMessage, Failure> {
        let mut found = found.clone();
        let Some(judge) = contract::judge(self.planner).filter(|_| found.has_field_by_name("plan"))
        else {
            return Ok(found);
        };
        let known: Vec<_> = judge.method.output().fields().map(|it| it.kind()).collect();
        let is_lacking = |it: FieldDescriptor| known.contains(&it.kind()) && !found.has_field(&it);
        if !found.descriptor().fields().any(is_lacking) {
            return Ok(found);
        }
        let plan = found
            .get_field_by_name("plan")
            .map(|plan| plan.into_owned());
        let mut request = reflect::request(&judge.method, messages::of_problem(problem));
        let kind = plan
            .as_ref()
            .and_then(|plan| Some(plan.as_message()?.descriptor()));
        let fields: Vec<_> = judge.method.input().fields().collect();
        let is_it = |field: &&FieldDescriptor| field.kind().as_message() == kind.as_ref();
        let (Some(field), Some(plan)) = (fields.iter().find(is_it), plan) else {
            return Ok(found);
        };
        request.set_field(field, plan);
        let connection = Connection::open(self.server).await?;
        let judged = quick_dynamic(&connection, &judge.method, &request).await?;
        let fields: Vec<_> = found.descriptor().fields().collect();
        let lacking = fields.into_iter().filter(|field| !found.has_field(field));
        let known = lacking.filter_map(|field| {
            let mut parts = judged.fields();
            let (_, value) = parts.find(|(known, _)| known.kind() == field.kind())?;
            Some((field, value.clone()))
        });
        for (field, value) in known.collect::<Vec<_>>() {
            found.set_field(&field, value);
        }
        Ok(found)
    }

    async fn render(&self) -> Result<Exit, Failure> {
        let name = &self.planner.name;
        // What it prints is an explanation of a heist, not a plan.
        let verb = if name == "heist" { "analyze" } else { "plan" };
        let data = format!("{name} {verb} -o json");
        self.display.refuse_data(&format!("{name} render"), &data)?;
        let flags = contract::of_pictures(self.planner);
        let problem = request::with_flags(&flags, self.args, self.problem().await?)?;
        if let Problem::Heist(problem) = &problem {
            heist::known(problem)?;
        }
        let mut found = None;
        let first = self
            .planner
            .verb_of("plan")
            .filter(|_| self.args.plan.is_none());
        if let Some(first) = first.filter(|_| contract::renders_first(self.planner)) {
            let asked = request::build(first, self.args, problem.clone())?;
            let asking = self.asking();
            let answer = asking.answer_of(&first.method, &asked.request, false);
            found = Some(answer.await?);
        }
        if let Some(source) = &self.args.plan {
            let drawn = input::drawn_for(source, &problem)?;
            let response = match response_with(&drawn) {
                Some(response) => response,
                None => return Err(Failure::usage(format!("{source} is no plan of {name}"))),
            };
            found = Some(if self.args.offline {
                response
            } else {
                self.judged(&problem, &response).await?
            });
        }
        let is_drawn = draw(self.args, &flags, &problem, found.as_ref())?;
        if !is_drawn {
            let text = pictures::text(self.args, self.display, &problem, found.as_ref())?;
            output::print(&text)?;
        }
        Ok(Exit::OK)
    }
}
