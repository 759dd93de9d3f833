//! Why an implementation, or one of its tests, cannot run here.

/// Why an implementation, or one of its tests, cannot run here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The suite says so.
    #[error("the suite marks it as broken")]
    Broken,
    /// The suite has switched it off.
    #[error("the suite has it switched off")]
    Disabled,
    /// It is for another system.
    #[error("it runs on {0}, not on Linux")]
    System(String),
    /// It has no port, or an impossible one.
    #[error("it names no port from 1 to 65535")]
    NoPort,
    /// It has no tests.
    #[error("it has no tests that are known here")]
    NoTests,
    /// Its Dockerfile is missing.
    #[error("its Dockerfile `{0}` is missing")]
    NoDockerfile(String),
    /// It is built by a script that does more than to build one image.
    #[error("its build.sh does more than build one image: `{0}`")]
    BuildScript(String),
    /// It needs a service that is not there.
    #[error("it needs {0}, for which there is no service here")]
    Service(String),
    /// A test without a profile.
    #[error("the suite has no profile `{0}`")]
    NoProfile(String),
    /// The scripts of the suite are not there, so nobody knows what a profile sends.
    #[error("without the suite's scripts (scripts/lib/profiles.sh) nothing is known of the profile `{0}`")]
    NoScripts(String),
    /// A profile is sent by a program whose requests are not read.
    #[error(
        "the profile `{profile}` is sent by {tool}, whose requests are not read: TLS, HTTP/2, HTTP/3, or a script"
    )]
    Tool {
        /// The profile.
        profile: String,
        /// The program.
        tool: String,
    },
    /// What a profile sends was not understood.
    #[error("what the profile `{profile}` sends is not understood: {why}")]
    Profile {
        /// The profile.
        profile: String,
        /// Why not.
        why: String,
    },
}
