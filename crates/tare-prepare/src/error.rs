//! Why there is no plan that can be run.

use std::io;
use std::path::PathBuf;

use tare_host::error::HostError;
use tare_load::limits::LimitError;
use tare_model::fault::Fault;
use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::ManifestError;
use tare_model::metric::Mode;
use tare_rig::BadFile;
use tare_rig::fleet::AgentError;
use tare_suites::{LabError, SuiteError};

use crate::bench::error::BenchError;
use crate::commands::error::CommandsError;
use crate::hosts::HostsError;
use crate::naming::NamingError;
use crate::resume::error::ResumeError;
use crate::servers::error::ServersError;

/// The result of preparing.
pub type Result<T> = std::result::Result<T, PrepareError>;

/// What prevents a plan. [`PrepareError::hint`] says what helps.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// An agent does not take part.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Other machines cannot take part.
    #[error(transparent)]
    Hosts(#[from] HostsError),
    /// A manifest is wrong.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A reference file is wrong.
    #[error(transparent)]
    Reference(#[from] BadFile),
    /// The lab is empty.
    #[error("the lab has no workloads")]
    NoWorkloads,
    /// A contender was named that is in none of the cases.
    #[error("no contender `{asked}` takes part in what was asked for")]
    UnknownContender {
        /// The name.
        asked: ContenderId,
        /// The contenders that there are.
        known: Vec<ContenderId>,
    },
    /// A case was named that the workload does not have.
    #[error("workload `{workload}` has no case `{case}`")]
    UnknownCase {
        /// The workload.
        workload: String,
        /// The name.
        case: String,
        /// Its cases.
        known: Vec<String>,
    },
    /// A suite was named that the workload does not have.
    #[error("workload `{workload}` has no suite `{suite}`")]
    UnknownSuite {
        /// The workload.
        workload: String,
        /// The name.
        suite: String,
        /// Its suites.
        known: Vec<String>,
    },
    /// A suite was named, and a case.
    #[error("`{case}` is one case, and the suite `{suite}` says which cases are measured")]
    SuiteOfCase {
        /// The suite.
        suite: String,
        /// What was named.
        case: Selector,
    },
    /// A contender was named that the suites leave out.
    #[error("`{asked}` is not in the {}", suites.join(", nor in the "))]
    NotInSuite {
        /// The name.
        asked: ContenderId,
        /// The suites, each with its workload.
        suites: Vec<String>,
    },
    /// The choice selects no contender.
    #[error("no contender is left of what was asked for")]
    NothingChosen,
    /// The choice selects only contenders that are not measured unless named.
    #[error("no contender of what was asked for is measured by default")]
    NothingByDefault,
    /// A core was named that this process may not use.
    #[error("core {core} is not among those that tare may use: {cores:?}")]
    UnknownCore {
        /// The core.
        core: u32,
        /// The cores that it may use.
        cores: Vec<u32>,
    },
    /// A mode was named that the case does not have.
    #[error("`{case}` has no mode `{mode}`: it has {}", names(known))]
    UnknownMode {
        /// The case, with its workload.
        case: String,
        /// The mode.
        mode: Mode,
        /// Its modes.
        known: Vec<Mode>,
    },
    /// Several levels of connections were given for a mode that has one.
    #[error("several levels of connections are for capacity, not for {0}")]
    SeveralLevels(Mode),
    /// The baseline is not one of the contenders.
    #[error("the baseline `{asked}` does not take part in case `{case}`")]
    UnknownBaseline {
        /// The name.
        asked: ContenderId,
        /// The case.
        case: String,
        /// Its contenders.
        known: Vec<ContenderId>,
    },
    /// A contender was named that does not take part in the case.
    #[error("`{asked}` does not take part in {case}")]
    NotInCase {
        /// The name.
        asked: ContenderId,
        /// The case, with its workload.
        case: String,
        /// Its contenders.
        known: Vec<ContenderId>,
    },
    /// A name without a variant means several contenders where one is needed.
    #[error("`{asked}` may be any of {}", list(meant))]
    Ambiguous {
        /// The name.
        asked: ContenderId,
        /// What it may mean.
        meant: Vec<ContenderId>,
    },
    /// Two contenders were asked for, and both are the same.
    #[error("`{0}` against itself has no gap to explain")]
    SameTwice(ContenderId),
    /// A size was named that the case is not measured at.
    #[error("{case} is not measured at size {size}")]
    UnknownSize {
        /// The case, with its workload.
        case: String,
        /// The size.
        size: u64,
        /// Its sizes.
        known: Vec<u64>,
    },
    /// A contender that is needed has a fault.
    #[error("{id} cannot be measured: {fault}")]
    Unmeasurable {
        /// The contender.
        id: ContenderId,
        /// Its fault.
        fault: Fault,
    },
    /// The front of a contender cannot be prepared.
    #[error(transparent)]
    Front(Fault),
    /// A manifest is wrong at one of two revisions.
    #[error("{side} ({revision}): {error}")]
    AtRevision {
        /// `before` or `after`.
        side: &'static str,
        /// The revision.
        revision: String,
        /// What is wrong.
        error: ManifestError,
    },
    /// A contender takes part in no case at both revisions.
    #[error("there is no case that both sides take part in")]
    NoCommonCase {
        /// The workload's cases.
        known: Vec<String>,
    },
    /// There is no such revision.
    #[error(transparent)]
    Revision(HostError),
    /// The setup of a side failed.
    #[error("the build of one side failed: {0}")]
    SetupFailed(Fault),
    /// A command fails.
    #[error(transparent)]
    CommandFailed(Fault),
    /// The machine cannot carry the load.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The operating system refused.
    #[error(transparent)]
    Host(#[from] HostError),
    /// There is no certificate for contenders that are reached over TLS.
    #[error("a certificate for this run cannot be made: {0}")]
    Certificate(tare_tls::BadTls),
    /// The state folder cannot be taken.
    #[error(transparent)]
    State(HostError),
    /// A folder cannot be made.
    #[error("cannot make {}: {source}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Commands cannot be compared.
    #[error(transparent)]
    Commands(#[from] CommandsError),
    /// Benchmarks cannot be measured.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// Servers cannot be loaded.
    #[error(transparent)]
    Servers(#[from] ServersError),
    /// There is nothing of a name, or a name is wrong.
    #[error(transparent)]
    Naming(#[from] NamingError),
    /// A folder is of no suite.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// There is no lab of what was asked for.
    #[error(transparent)]
    ForeignLab(#[from] LabError),
    /// A folder has no such implementation.
    #[error("{} has no implementation `{asked}`", .folder.display())]
    NoImplementation {
        /// The folder.
        folder: PathBuf,
        /// The name.
        asked: String,
        /// Those that it has, as contenders.
        known: Vec<String>,
    },
    /// A folder has several implementations where one is compared.
    #[error("{} has several implementations, of which one is compared", .folder.display())]
    SeveralImplementations {
        /// The folder.
        folder: PathBuf,
        /// Those that it has, as contenders.
        known: Vec<String>,
    },
    /// A lab of other suites' folders was removed.
    #[error("the lab that was made of those folders is not there any more: {}", .folder.display())]
    NoForeignLab {
        /// Where it was.
        folder: PathBuf,
    },
    /// A folder is of the other suite.
    #[error("{} is of {is}", .folder.display())]
    OtherSuite {
        /// The folder.
        folder: PathBuf,
        /// Its suite.
        is: &'static str,
    },
    /// A folder is not in a revision.
    #[error("there is no folder {} at {revision}", .folder.display())]
    NotInRevision {
        /// The folder, from the repository's.
        folder: PathBuf,
        /// The revision.
        revision: String,
    },
    /// An earlier run cannot be continued.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// A person asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Where an error lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// In the request, or in a manifest.
    Request,
    /// In the machine, or in another program.
    Outside,
    /// A person asked to stop.
    Interrupted,
}

impl PrepareError {
    /// Where the error lies.
    pub fn cause(&self) -> Cause {
        match self {
            Self::Interrupted => Cause::Interrupted,
            Self::Hosts(error) => error.cause(),
            Self::Unmeasurable { .. }
            | Self::Front(_)
            | Self::SetupFailed(_)
            | Self::CommandFailed(_)
            | Self::Limit(_)
            | Self::Agent(_)
            | Self::Host(_)
            | Self::State(_)
            | Self::Folder { .. }
            | Self::Servers(ServersError::NobodyListens { .. }) => Cause::Outside,
            Self::Bench(error) if error.is_outside() => Cause::Outside,
            _ => Cause::Request,
        }
    }

    /// What helps, where that is known.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoWorkloads => "make one with `tare new workload workloads/NAME`".to_owned(),
            Self::UnknownContender { known, .. } => format!("there are {}", list(known)),
            Self::UnknownCase { known, .. } => format!("its cases are {}", known.join(", ")),
            Self::NoCommonCase { known } => format!("the workload's cases are {}", known.join(", ")),
            Self::UnknownSuite { known, .. } => format!("its suites are {}", known.join(", ")),
            Self::SuiteOfCase { suite, case } => format!(
                "the case by itself: `{case}` without `--suite`; the suite: `{} --suite {suite}`",
                case.workload
            ),
            Self::NotInSuite { .. } => {
                "name a case to measure any of its contenders, or take all cases with `--suite full`".to_owned()
            }
            Self::NothingChosen => "see `tare list contenders`".to_owned(),
            Self::NothingByDefault => "name them with `--only`".to_owned(),
            Self::UnknownCore { .. } => {
                "start tare with a wider affinity mask (taskset), or choose other cores".to_owned()
            }
            Self::UnknownBaseline { known, .. } | Self::NotInCase { known, .. } => {
                format!("its contenders are {}", list(known))
            }
            Self::Ambiguous { .. } => "name the variant, as in `NAME@VARIANT`".to_owned(),
            Self::SameTwice(_) => {
                "name two contenders of one case; `tare list contenders` has them".to_owned()
            }
            Self::UnknownSize { known, .. } if known.is_empty() => {
                "it is not measured over sizes at all".to_owned()
            }
            Self::UnknownSize { known, .. } => format!("its sizes are {}", list(known)),
            Self::State(HostError::Os { .. }) => {
                "tare keeps builds and results in .tare/ under the lab's folder: make that writable, or work on a \
                 copy of the lab (-C DIR)"
                    .to_owned()
            }
            Self::Commands(error) => error.hint()?,
            Self::Bench(error) => error.hint()?,
            Self::Servers(error) => error.hint()?,
            Self::Agent(error) => error.hint()?,
            Self::Hosts(error) => error.hint().to_owned(),
            Self::Resume(error) => error.hint()?.to_owned(),
            _ => return self.hint_of_folders(),
        };
        Some(hint)
    }

    /// What helps where folders of another suite are at fault.
    fn hint_of_folders(&self) -> Option<String> {
        let hint = match self {
            Self::Suite(_) => {
                "name a checkout of the suite, its folder `frameworks`, or a folder in that, as in \
                 `tare import FrameworkBenchmarks/frameworks/Go`"
                    .to_owned()
            }
            Self::ForeignLab(error) => foreign_hint(error)?,
            Self::NoImplementation { known, .. } => format!("it has {}", known.join(", ")),
            Self::SeveralImplementations { folder, known } => {
                let first = known.first().map_or("NAME", String::as_str);
                let at = folder.display();
                format!(
                    "name it after the folder, as in `{at}:{first}`: there are {}",
                    known.join(", ")
                )
            }
            Self::NoForeignLab { .. } => {
                "labs of other suites' folders are kept for 30 days: start a new run".to_owned()
            }
            Self::OtherSuite { .. } => {
                "`tfb:DIR` is for FrameworkBenchmarks, `httparena:DIR` for HttpArena".to_owned()
            }
            _ => return None,
        };
        Some(hint)
    }
}

fn foreign_hint(error: &LabError) -> Option<String> {
    Some(match error {
        LabError::TwoSuites => "measure each suite's folders in a run of their own".to_owned(),
        LabError::OtherProfiles => {
            "name folders of one checkout, or of revisions with the same scripts".to_owned()
        }
        LabError::UnknownTest { known, .. } => format!("their tests are {}", known.join(", ")),
        LabError::Nothing { .. } => "`tare import DIR` lists what of a checkout can run here".to_owned(),
        LabError::TooMany { .. } => "name single folders, or choose with --only".to_owned(),
    })
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

fn names(modes: &[Mode]) -> String {
    modes
        .iter()
        .map(|mode| mode.name())
        .collect::<Vec<_>>()
        .join(", ")
}
