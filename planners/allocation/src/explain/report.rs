//! Reasons as text: code, field, sentence and shortfall of each obstacle.

use super::{Obstacle, Reason};
use crate::bound::earliest_arrival::Source;
use crate::certificate::CouplingId;
use crate::problem::{MICRO, Problem};
use crate::release::Release;
use crate::verify::skills;
use anytime::{Argument, Fault, Path, Time, element, time};

/// The parts of a fault about a task that is left out.
struct Sentence {
    code: &'static str,
    /// The field of the task; empty: it is about more than that.
    field: &'static str,
    of_agent: &'static str,
    of_all: &'static str,
    of_release: &'static str,
    arguments: Vec<Argument>,
}

macro_rules! obstacle_fault {
    ($code:expr, $field:literal, $text:literal $(, $argument:expr)* $(,)?) => {
        Sentence {
            code: $code,
            field: $field,
            of_agent: concat!("task {} by agent {}: ", $text, "{}"),
            of_all: concat!("task {} by any agent: ", $text, "{}"),
            of_release: concat!(
                "agent {} cannot go on with task {}, which it has under way: ",
                $text,
                "; it keeps {}"
            ),
            arguments: vec![$(Argument::from($argument)),*],
        }
    };
}

impl Sentence {
    /// The fault with this text, arguments before those of the obstacle, and one after them.
    fn fault(self, text: &'static str, task: usize, before: Vec<Argument>, after: String) -> Fault {
        let tasks_at = Path::root("tasks");
        let task_at = tasks_at.index(task);
        let at = match self.field {
            "" => Path::WHOLE,
            field => task_at.field(field),
        };
        let mut arguments = before;
        arguments.extend(self.arguments);
        arguments.push(after.into());
        Fault::new(self.code, &at, text, arguments)
    }
}

impl Reason {
    /// The reason as it is reported. `problem` is the one that was explained.
    #[must_use]
    pub fn report(&self, problem: &Problem) -> anytime::Reason {
        let sentence = self.obstacle.sentence();
        let mut before = vec![element("task", self.task)];
        before.extend(self.agent.map(|agent| element("agent", agent)));
        let text = match self.agent {
            Some(_) => sentence.of_agent,
            None => sentence.of_all,
        };
        let fault = sentence.fault(text, self.task, before, self.now(problem));
        report(fault, self.task, self.agent, &self.obstacle, self.proved)
    }

    /// The current time, if the agent, or any, is too late because it waits for now.
    fn now(&self, problem: &Problem) -> String {
        let is_late = matches!(
            self.obstacle,
            Obstacle::Window { .. } | Obstacle::Shift { .. }
        );
        let mut agents = match self.agent {
            Some(agent) => agent..agent + 1,
            None => 0..problem.agents().len(),
        };
        if is_late && agents.any(|agent| waits_for_now(problem, agent)) {
            format!("; now is {}", Time(problem.now_us()))
        } else {
            String::new()
        }
    }
}

impl Release {
    /// The release as a reason.
    #[must_use]
    pub fn report(&self) -> anytime::Reason {
        let sentence = match self.obstacle {
            Obstacle::NoPlace if self.proved => obstacle_fault!(
                "STARTED_RELEASED",
                "",
                "no plan has it together with what all other agents keep"
            ),
            Obstacle::NoPlace => obstacle_fault!(
                "STARTED_RELEASED",
                "",
                "no plan was found that has it together with what all other agents keep"
            ),
            ref other => Sentence {
                code: "STARTED_RELEASED",
                ..other.sentence()
            },
        };
        let before = vec![element("agent", self.agent), element("task", self.task)];
        let keeps = match self.retained {
            0 => "nothing that it has under way".into(),
            1 => "the first task that it has under way".into(),
            count => format!("the first {count} tasks that it has under way"),
        };
        let text = sentence.of_release;
        let fault = sentence.fault(text, self.task, before, keeps);
        report(
            fault,
            self.task,
            Some(self.agent),
            &self.obstacle,
            self.proved,
        )
    }
}

/// Whether an agent waits for now: it has no tasks under way, or they end before now.
fn waits_for_now(problem: &Problem, agent: usize) -> bool {
    let now_us = problem.now_us();
    now_us > 0 && Source::new(problem, agent).free_us == now_us
}

fn report(
    fault: Fault,
    task: usize,
    agent: Option<usize>,
    obstacle: &Obstacle,
    is_proved: bool,
) -> anytime::Reason {
    anytime::Reason {
        fault,
        subject: Some(("task", task)),
        blocker: agent.map(|agent| ("agent", agent)),
        shortfall: obstacle.shortfall(),
        is_proved,
    }
}

impl Obstacle {
    fn sentence(&self) -> Sentence {
        let special = self.time_sentence().or_else(|| self.coupling_sentence());
        special.unwrap_or_else(|| self.plain_sentence())
    }

    fn plain_sentence(&self) -> Sentence {
        match *self {
            Self::MissingSkill { missing } => {
                obstacle_fault!(
                    "SKILLS_MISSING",
                    "required_skills",
                    "lacks {}",
                    skills(missing)
                )
            }
            Self::Capacity {
                dimension,
                shortfall,
            } => obstacle_fault!(
                "CAPACITY_EXCEEDED",
                "demands",
                "{} more than it can carry in dimension {}",
                shortfall,
                dimension
            ),
            Self::TotalLoad {
                dimension,
                shortfall,
            } => obstacle_fault!(
                "TOTAL_LOAD",
                "demands",
                "all mandatory tasks are {} more than all agents can carry in dimension {}",
                shortfall,
                dimension
            ),
            Self::Unreachable => obstacle_fault!("UNREACHABLE", "place", "there is no path"),
            Self::Changes => obstacle_fault!(
                "TOO_MANY_CHANGES",
                "",
                "would change the previous plan more than max_changes allows"
            ),
            Self::Price => obstacle_fault!(
                "PRICE",
                "drop_penalty",
                "fits, but doing it costs no less than leaving it out"
            ),
            Self::Fits => obstacle_fault!("FITS", "", "fits: the search has not found it"),
            // All that is left is untested.
            _ => obstacle_fault!(
                "UNTESTED",
                "",
                "was not tried: too many tasks are left out of too long routes"
            ),
        }
    }

    fn coupling_sentence(&self) -> Option<Sentence> {
        Some(match *self {
            Self::Needs { task } => obstacle_fault!(
                "NEEDS_TASK",
                "",
                "cannot be done without task {}, which is not",
                element("task", task)
            ),
            Self::OneAgent { by } => obstacle_fault!(
                match by {
                    CouplingId::Order(_) => "ORDER_AGENTS",
                    CouplingId::Pair(_) | CouplingId::Group(_) => "PAIR_AGENTS",
                },
                "",
                "no agent can do both tasks of {}",
                by.field()
            ),
            Self::GroupAgents { group } => obstacle_fault!(
                "GROUP_AGENTS",
                "",
                "too few agents can do the tasks of {}",
                CouplingId::Group(group).field()
            ),
            Self::LateTogether { shortfall_us } => obstacle_fault!(
                "LATE_TOGETHER",
                "windows",
                "it and the tasks that it goes with would have to start {} later than they may, \
                 added up",
                time(shortfall_us)
            ),
            Self::NoPlace => obstacle_fault!(
                "NO_PLACE",
                "",
                "fits nowhere in the plan with the tasks that it goes with"
            ),
            Self::CouplingTime {
                by,
                earliest_us,
                latest_us,
            } => obstacle_fault!(
                match by {
                    CouplingId::Order(_) => "ORDER_TOO_LATE",
                    CouplingId::Pair(_) => "PAIR_TOO_LATE",
                    CouplingId::Group(_) => "GROUP_TOO_LATE",
                },
                "windows",
                "{} lets it start at {} at the earliest, it must by {}",
                by.field(),
                time(earliest_us),
                time(latest_us)
            ),
            _ => return None,
        })
    }

    fn time_sentence(&self) -> Option<Sentence> {
        Some(match *self {
            Self::Window {
                arrival_us,
                latest_us,
            } => obstacle_fault!(
                "WINDOW_MISSED",
                "windows",
                "arrives at {} at the earliest, must start by {}",
                time(arrival_us),
                time(latest_us)
            ),
            Self::Shift { shortfall_us } => obstacle_fault!(
                "SHIFT_EXCEEDED",
                "service_duration",
                "done {} after the shift ends",
                time(shortfall_us)
            ),
            Self::NoRoom { shortfall_us } => obstacle_fault!(
                "NO_ROOM",
                "windows",
                "each place on the route makes something {} too late",
                time(shortfall_us)
            ),
            _ => return None,
        })
    }

    /// The amount by which the obstacle fails, and its unit.
    fn shortfall(&self) -> Option<(f64, &'static str)> {
        let shortfall_us = match *self {
            Self::Capacity { shortfall, .. } | Self::TotalLoad { shortfall, .. } => {
                return Some((shortfall as f64, "units"));
            }
            Self::Window {
                arrival_us,
                latest_us,
            } => arrival_us - latest_us,
            Self::CouplingTime {
                earliest_us,
                latest_us,
                ..
            } => earliest_us - latest_us,
            Self::Shift { shortfall_us }
            | Self::NoRoom { shortfall_us }
            | Self::LateTogether { shortfall_us } => shortfall_us,
            _ => return None,
        };
        Some((shortfall_us as f64 / MICRO as f64, "s"))
    }
}
