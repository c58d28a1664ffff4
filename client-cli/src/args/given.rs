//! What commands are given: a problem, and a plan of it.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

/// The problem: a positional argument, or `-f`.
#[derive(Debug, Clone)]
pub struct ProblemArgs {
    /// A file, `-` for stdin, or example:NAME.
    pub file: String,
}

/// A problem that may be left out.
#[derive(Debug, Clone)]
pub struct OptionalProblemArgs {
    /// A file, `-` for stdin, or example:NAME.
    pub file: Option<String>,
}

/// The plan: `--plan`, or the position where it once stood.
#[derive(Debug, Clone)]
pub struct PlanArgs {
    /// A file, or `-` for stdin.
    pub plan: String,
}

/// An argument that can be given in two ways, one of which has to be.
trait Pair: Sized {
    const SHOWN: &'static str;
    const OTHER: &'static str;
    const REQUIRED: bool = true;

    fn argument() -> Arg;
    fn alternative() -> Arg;
    fn found(value: Option<String>) -> Self;

    fn augmented(command: Command) -> Command {
        let shown = Self::argument();
        let shown = if Self::REQUIRED {
            shown.required_unless_present(Self::OTHER)
        } else {
            shown
        };
        command
            .arg(shown)
            .arg(Self::alternative().conflicts_with(Self::SHOWN))
    }

    fn from(matches: &ArgMatches) -> Self {
        let one = |name| matches.get_one::<String>(name);
        let value = one(Self::SHOWN).or_else(|| one(Self::OTHER));
        Self::found(value.cloned())
    }
}

impl Pair for ProblemArgs {
    const SHOWN: &'static str = "file";
    const OTHER: &'static str = "filename";

    fn argument() -> Arg {
        let help = "The problem: a JSON or YAML file, one in a foreign format that `stratagem \
                    convert` reads, `-` for stdin, or example:NAME";
        Arg::new("file").value_name("FILE").help(help)
    }

    fn alternative() -> Arg {
        let flag = Arg::new("filename").short('f').long("filename");
        flag.value_name("FILE").help("The problem, as an option")
    }

    fn found(file: Option<String>) -> Self {
        Self {
            file: file.unwrap_or_default(),
        }
    }
}

impl Pair for OptionalProblemArgs {
    const SHOWN: &'static str = ProblemArgs::SHOWN;
    const OTHER: &'static str = ProblemArgs::OTHER;
    const REQUIRED: bool = false;

    fn argument() -> Arg {
        ProblemArgs::argument()
    }

    fn alternative() -> Arg {
        ProblemArgs::alternative()
    }

    fn found(file: Option<String>) -> Self {
        Self { file }
    }
}

impl Pair for PlanArgs {
    const SHOWN: &'static str = "plan";
    const OTHER: &'static str = "plan_by_position";

    fn argument() -> Arg {
        let help = "The plan, or an answer with one, as commands print it with `-o json`; `-` for \
                    stdin";
        Arg::new("plan").long("plan").value_name("PLAN").help(help)
    }

    fn alternative() -> Arg {
        let plan = Arg::new("plan_by_position").value_name("PLAN");
        plan.hide(true).help("The plan, where it once stood")
    }

    fn found(plan: Option<String>) -> Self {
        Self {
            plan: plan.unwrap_or_default(),
        }
    }
}

macro_rules! arguments {
    ($($name:ty),*) => {$(
        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
                Ok(Pair::from(matches))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
                *self = Pair::from(matches);
                Ok(())
            }
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                Self::augmented(command)
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augmented(command)
            }
        }
    )*};
}

arguments!(ProblemArgs, OptionalProblemArgs, PlanArgs);
