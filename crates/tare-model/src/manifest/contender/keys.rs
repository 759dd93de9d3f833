//! What a contender is, and the keys of its manifest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::container::{Container, ContainerKind};
use super::parts::{Broken, BrokenKind, CasesKind, FailsOnKind, Origin, OriginKind, WithKind};
use super::paths::PathsKind;
use crate::ids::ContenderId;
use crate::manifest::argv::{Checked, CommandKind, EnvKind, StepsKind};
use crate::manifest::keys::{Keys, field};
use crate::manifest::kinds::{Maybe, OneOf, PhraseKind, TextKind, TextsKind, TruthKind};
use crate::manifest::process::{Ready, ReadyKind, STOP_SIGNAL, StopKind};
use crate::manifest::scheme::scheme_kind;
use crate::manifest::sources::Sources;
use crate::manifest::speaks::{Listen, Speaks};
use crate::manifest::tools::{Needs, NeedsKind};
use crate::scheme::Scheme;

/// A contender, or a variant of one, resolved against its language.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contender {
    /// Its name, and its variant.
    pub id: ContenderId,
    /// Its workload.
    pub workload: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its language.
    pub language: String,
    /// One line.
    pub summary: String,
    /// How it is written.
    pub style: Style,
    /// Cases that it takes part in.
    pub cases: Vec<String>,
    /// Whether `tare run` measures it when no contender is named.
    pub by_default: bool,
    /// Build steps: argv lists, no shell; run in a copy of the folder.
    pub build: Vec<Vec<String>>,
    /// The command that runs it, in the build's output folder.
    pub run: Vec<String>,
    /// Environment.
    pub env: BTreeMap<String, String>,
    /// How the load speaks to it; none: as its case says.
    pub scheme: Option<Scheme>,
    /// What it speaks to the sender of its requests.
    pub speaks: Speaks,
    /// Where it finds the socket that it listens on.
    pub listen: Listen,
    /// The web server in front of it: a service that is a front.
    pub front: Option<String>,
    /// The container that it runs in; then there is nothing else to build or to run.
    pub container: Option<Container>,
    /// Paths of its requests by case, where they are others than the case has.
    pub paths: BTreeMap<String, String>,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// What has to be installed, for its language as well.
    pub needs: Needs,
    /// What it stands in for, and why.
    pub stands_in_for: Option<String>,
    /// Further languages whose tools its commands may name, and whose packages it needs.
    pub uses: Vec<String>,
    /// Files and folders of the lab, relative to it, that its build finds as `with/NAME`.
    pub with: Vec<String>,
    /// Where it was taken from.
    pub origin: Option<Origin>,
    /// Messages (`FORMAT/NAME`) that it is known not to survive, and what happens.
    pub fails_on: BTreeMap<String, String>,
    /// Why it is left out for now.
    pub broken: Option<Broken>,
    /// Where each value came from.
    pub sources: Sources,
}

/// How a contender is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Style {
    /// As the language's good programmers would write it.
    #[default]
    Idiomatic,
    /// For speed, within the language.
    Tuned,
    /// As the reproduced report had it.
    Reference,
    /// The least program that gives the right answers.
    Floor,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 4] = [Style::Idiomatic, Style::Tuned, Style::Reference, Style::Floor];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Style::Idiomatic => "idiomatic",
            Style::Tuned => "tuned",
            Style::Reference => "reference",
            Style::Floor => "floor",
        }
    }
}

/// What the keys are checked against. The default is for showing only.
#[derive(Default)]
pub(super) struct Context<'c> {
    /// Names of the workload's cases.
    pub cases: Vec<String>,
    /// Those of them whose job is to answer requests by HTTP, and the path of each.
    pub jobs: Vec<(String, String)>,
    /// Placeholders of build steps.
    pub built: Checked<'c>,
    /// Placeholders of a running contender.
    pub running: Checked<'c>,
}

/// The keys of `contender.toml`, in the order in which `tare show` prints them.
pub(super) fn keys<'c>(context: &Context<'c>) -> Keys<'c, Contender> {
    let mut keys = Keys::<Contender>::new();
    keys.must(field!(language), TextKind).of_all_variants();
    keys.must(field!(summary), PhraseKind);
    keys.must(field!(style), OneOf("style", &Style::ALL, Style::name))
        .of_all_variants();
    let cases = CasesKind(context.cases.clone());
    keys.may_or(field!(cases), cases, context.cases.clone());
    keys.may_or(field!(by_default), TruthKind, true)
        .shown_if(|contender| !contender.by_default);
    keys.may(field!(build), StepsKind(context.built));
    keys.may(field!(run), CommandKind(context.running));
    keys.may(field!(env), EnvKind(context.running));
    keys.may(field!(scheme), scheme_kind());
    // Most contenders speak what their job does, so only another choice is shown.
    keys.may(field!(speaks), OneOf("way to speak", &Speaks::ALL, Speaks::name))
        .shown_if(|contender| contender.speaks != Speaks::Own);
    keys.may(field!(listen), OneOf("way to listen", &Listen::ALL, Listen::name))
        .shown_if(|contender| contender.speaks != Speaks::Own && contender.speaks.is_resident());
    keys.may(field!(front), Maybe(TextKind));
    keys.may(field!(container), Maybe(ContainerKind(context.running)))
        .of_all_variants();
    keys.may(field!(paths), PathsKind(context.jobs.clone()))
        .of_all_variants();
    keys.may(field!(ready), ReadyKind).of_all_variants();
    keys.may_or(field!(stop_signal as "stop"), StopKind, STOP_SIGNAL.to_owned())
        .of_all_variants();
    keys.may(field!(needs), NeedsKind).of_all_variants();
    keys.may(field!(uses), TextsKind)
        .of_all_variants()
        .shown_if(|contender| !contender.uses.is_empty());
    keys.may(field!(with), WithKind)
        .of_all_variants()
        .shown_if(|contender| !contender.with.is_empty());
    keys.may(field!(stands_in_for), Maybe(PhraseKind))
        .of_all_variants();
    keys.may(field!(origin), Maybe(OriginKind)).of_all_variants();
    keys.may(field!(fails_on), FailsOnKind).of_all_variants();
    keys.may(field!(broken), Maybe(BrokenKind)).of_all_variants();
    keys
}

impl Contender {
    /// Its keys and values, as `tare show` prints them.
    pub(in crate::manifest) fn shown(&self) -> Vec<(String, toml_edit::Value)> {
        keys(&Context::default()).show(self)
    }
}
