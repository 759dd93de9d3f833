//! Contenders that can be started, and what they have in common in a case.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tare_host::containers::{Engine, HostAddress};
use tare_host::private::PrivateFolder;
use tare_model::manifest::{Exchange, Job, Limits, Listen, Ready, Speaks};
use tare_model::placement::Placement;
use tare_model::scheme::Scheme;

use crate::reference::References;

/// A contender that is built and can be started.
#[derive(Debug, Clone)]
pub struct Runnable {
    /// Its id, as people write it.
    pub name: String,
    /// The command, with `{port}`, `{host}` and `{role}` still in it.
    pub run: Vec<String>,
    /// Its environment, likewise.
    pub env: BTreeMap<String, String>,
    /// Values of all other placeholders.
    pub values: BTreeMap<String, String>,
    /// The folder that it runs in.
    pub cwd: PathBuf,
    /// How the load speaks to it; none where nothing goes over a socket.
    pub scheme: Option<Scheme>,
    /// The path of its requests, where it is another than the job's.
    pub path: Option<String>,
    /// The protocol that it speaks to its clients.
    pub speaks: Speaks,
    /// How it gets the socket that it listens on.
    pub listen: Listen,
    /// The web server in front of it.
    pub front: Option<Front>,
    /// The container that it runs in; its command is there.
    pub container: Option<ContainerRun>,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// Where its output goes.
    pub log: PathBuf,
    /// The results that it must return, if the job is done in process.
    pub references: Option<Arc<References>>,
    /// Messages (`FORMAT/NAME`) that it is known not to survive, and what happens then.
    pub fails_on: BTreeMap<String, String>,
}

/// A container that can be started.
#[derive(Debug, Clone)]
pub struct ContainerRun {
    /// What starts it.
    pub engine: Engine,
    /// Its image's id.
    pub image: String,
    /// What messages call the image.
    pub name: String,
    /// The port that it listens on, in a network of its own.
    pub port: u16,
    /// What is run instead of the image's own command, with placeholders; empty: that.
    pub command: Vec<String>,
    /// Its limits.
    pub limits: Limits,
    /// Further names that it knows, and their addresses, with placeholders.
    pub hosts: BTreeMap<String, String>,
    /// Files and folders of this machine, by the path where the container finds them, which it can only read.
    pub files: BTreeMap<String, PathBuf>,
    /// Where the services of its case listen; none if there are none.
    pub reaches: Option<Arc<HostAddress>>,
}

/// A group of contenders that do the same job in the same placement.
#[derive(Debug, Clone)]
pub struct RigGroup {
    /// What they do.
    pub job: Job,
    /// The exchanges that they must pass before they are timed.
    pub exchanges: Vec<Exchange>,
    /// Cores of each side.
    pub placement: Placement,
    /// By entrant; none if there is nothing to run (a tool is missing, the build failed).
    pub contenders: Vec<Option<Runnable>>,
    /// Tare's own command that starts CGI programs if no web server does ([`tare_host::forker`]), without its arguments.
    pub forker: Vec<String>,
    /// What those that are reached over TLS show; none if none is.
    pub certificate: Option<RunCertificate>,
    /// The services that they need: indices into the rig's.
    pub services: Vec<usize>,
    /// The sizes of a swept case; empty without a sweep.
    pub sizes: Vec<u64>,
    /// How long an answer may take.
    pub timeout: Duration,
    /// How long a contender may take from its start until it is ready.
    pub ready_within: Duration,
    /// The seed of the requests.
    pub seed: u64,
    /// The address of this machine where contenders listen, if agents on other machines drive them.
    pub reached: Option<IpAddr>,
}

impl RigGroup {
    /// The address where contenders listen.
    pub(crate) fn host(&self) -> IpAddr {
        self.reached.unwrap_or(Ipv4Addr::LOCALHOST.into())
    }
}

/// The certificate that contenders show over TLS, the same for all of a run.
#[derive(Debug, Clone)]
pub struct RunCertificate {
    /// The authority that signed it, as PEM: the load trusts no other.
    pub authority: String,
    /// Its file, as PEM.
    pub certificate: PathBuf,
    /// The file of its key, as PEM.
    pub key: PathBuf,
    /// Where the files are, which are removed with the last that holds this.
    pub folder: Arc<PrivateFolder>,
}

/// A web server in front of a contender, which can be started.
#[derive(Debug, Clone)]
pub struct Front {
    /// The service's name.
    pub name: String,
    /// The command, with placeholders, `{config}` among them.
    pub run: Vec<String>,
    /// Its configuration for what the contender speaks, with placeholders: `{host}` and `{port}` to listen on,
    /// `{backend}` (the contender's port), `{program}` (a CGI program's path), `{environment}` (further variables for
    /// it, as `"NAME" => "value"`, separated by commas), `{out}` (the contender's files), `{state}` (a folder to write to).
    pub config: String,
    /// Values of all other placeholders.
    pub values: BTreeMap<String, String>,
    /// Its folder.
    pub state: PathBuf,
}
