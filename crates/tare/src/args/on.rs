//! A cluster to run on: `--on ssh:n1,n2`, `--on slurm:lab`.

use clap::Args;
use tare_cluster::Target;

/// Options for a cluster.
#[derive(Debug, Clone, Args)]
pub struct ClusterOptions {
    /// Run on each node of a cluster, and take their launches together: `ssh:HOST,HOST`, `ssh:./FILE` (a host a line), `slurm`,
    /// `slurm:PARTITION`
    #[arg(long, value_name = "CLUSTER", conflicts_with_all = ["hosts", "resume", "plan", "cores_contender", "cores_load"])]
    pub on: Option<Target>,
    /// The number of nodes [default: all]
    #[arg(long, value_name = "N", requires = "on", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub nodes: Option<u32>,
    /// Take nodes together whose processors or numbers of cores differ
    #[arg(long, requires = "on")]
    pub unlike: bool,
    /// What is measured, as the repository of whoever started this describes it
    #[arg(long, value_name = "TEXT", hide = true)]
    pub revision: Option<String>,
}
