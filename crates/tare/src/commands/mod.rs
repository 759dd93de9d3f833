//! The commands. Each is a file, which holds its options and runs it, and a line in the list below.

pub mod aa;
pub mod agent;
pub mod bench;
pub mod check;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod forker;
pub mod generator;
pub mod guard;
pub mod history;
pub mod holder;
pub mod import;
pub mod list;
pub mod load;
pub mod man;
pub mod merge;
pub mod new;
pub mod report;
pub mod run;
pub mod setup;
pub mod show;
pub mod site;
pub mod started;
pub mod time;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;

/// Makes [`Command`] of a list of `Name(module::Options)`: the module's `run` takes the context and its options, and
/// returns the exit status. The documentation of the options is the command's help.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($module:ident::$options:ident),)*) => {
        /// What is to be done.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($(#[$attribute])* $name($module::$options),)*
        }

        impl Command {
            /// Does it; the exit status.
            pub fn run(&self, context: &Context) -> Result<u8, Failure> {
                match self {
                    $(Self::$name(options) => $module::run(context, options),)*
                }
            }
        }
    };
}

impl Command {
    /// Whether what it runs writes to standard error, too: then no line there can be drawn again.
    pub fn shows_output(&self) -> bool {
        matches!(self, Self::Time(args) if args.show_output)
    }
}

// In the order of the help.
commands! {
    Run(run::RunArgs),
    Check(check::CheckArgs),
    List(list::ListArgs),
    Show(show::ShowArgs),
    Report(report::ReportArgs),
    Explain(explain::ExplainArgs),
    Import(import::ImportArgs),
    Merge(merge::MergeArgs),
    Load(load::LoadArgs),
    Agent(agent::AgentArgs),
    Time(time::TimeArgs),
    Diff(diff::DiffArgs),
    Bench(bench::BenchArgs),
    History(history::HistoryArgs),
    Site(site::SiteArgs),
    Setup(setup::SetupArgs),
    Doctor(doctor::DoctorArgs),
    New(new::NewArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    #[command(name = "__guard", hide = true)]
    Guard(guard::GuardArgs),
    #[command(name = "__aa", hide = true)]
    Aa(aa::AaArgs),
    #[command(name = "__forker", hide = true)]
    Forker(forker::ForkerArgs),
    #[command(name = "__generator", hide = true)]
    Generator(generator::GeneratorArgs),
    #[command(name = "__agent", hide = true)]
    Started(started::StartedArgs),
    #[command(name = "__holder", hide = true)]
    Holder(holder::HolderArgs),
}
