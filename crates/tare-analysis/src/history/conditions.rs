//! The conditions of a figure. Figures under different conditions do not form one history.

use tare_model::history::Conditions;
use tare_model::ids::ContenderId;
use tare_model::metric::Mode;
use tare_model::record::ArenaRecord;
use tare_model::settings::Settings;
use tare_model::subject::Subject;

/// What was run, how it was driven, and where. What the run itself determined, such as a common rate, is not part of it.
pub(super) fn conditions(settings: &Settings, arena: &ArenaRecord, id: &ContenderId) -> Conditions {
    let entrant = arena.entrants.iter().find(|entrant| entrant.id == *id);
    let around = settings.commands.as_ref().map(|commands| commands.around.clone());
    Conditions {
        subject: entrant.and_then(|entrant| unnamed(&entrant.subject)),
        around: around.filter(|_| arena.mode == Mode::Command),
        rate: settings.rate.filter(|_| arena.mode == Mode::Cost),
        driving: arena.driving.planned(),
        placement: arena.placement.clone(),
    }
}

/// What was run, where the name does not determine it: commands and servers may have any name.
fn unnamed(subject: &Subject) -> Option<Subject> {
    match subject {
        Subject::Contender { .. } | Subject::Benchmark { .. } => None,
        Subject::Command { .. } | Subject::NoCommand { .. } | Subject::Server { .. } => Some(subject.clone()),
    }
}
