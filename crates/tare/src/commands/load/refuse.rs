//! Options that would have no effect, or an unexpected one: refused before anything is opened, with what to use instead.

use crate::args::LoadArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::measure;

/// Options that no load has.
pub fn anywhere(args: &LoadArgs) -> Result<(), Failure> {
    if args.requests == Some(0) {
        return Err(Failure::usage("-n 0 sends nothing: one request at the least"));
    }
    Ok(())
}

/// Options for several servers only.
pub fn of_one(context: &Context, args: &LoadArgs) -> Result<(), Failure> {
    let (versus, exports) = (&args.versus, &args.versus.exports);
    let given = [
        ("--names", !versus.names.is_empty()),
        ("--baseline", versus.baseline.is_some()),
        ("--margin", versus.margin.is_some()),
        ("--alpha", versus.alpha.is_some()),
        (
            "--fail-if slower",
            versus.fail_if.iter().any(|gate| gate.limit.is_none()),
        ),
        ("--export-md", exports.export_md.is_some()),
        ("--export-csv", exports.export_csv.is_some()),
        ("--export-html", exports.export_html.is_some()),
        ("--export-hyperfine", exports.export_hyperfine.is_some()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!(
            "{option} is for several servers: one alone is compared with nothing"
        ))
        .hint("name a second URL; the figures of one for a program: --format json, or --export-json FILE"));
    }
    if let Some(name) = versus.fail_if.iter().find_map(|gate| gate.name.as_ref()) {
        return Err(Failure::usage(format!(
            "--fail-if: one server has no name: leave out `:{name}`"
        )));
    }
    if context.text_or_json() {
        return Ok(());
    }
    Err(Failure::usage("`tare load` of one server prints text or json"))
}

/// Options for one server only.
pub fn of_several(context: &Context, args: &LoadArgs) -> Result<(), Failure> {
    measure::refuse_formats(context, "load")?;
    measure::refuse_hyperfine(&args.versus.exports)?;
    let given = [
        ("-n", args.requests.is_some()),
        ("--programs", args.programs.is_some()),
        (
            "--processes",
            args.more.processes.is_some() && args.from.is_empty(),
        ),
        ("--unix-socket", args.more.unix_socket.is_some()),
        ("--latency", args.more.latency),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::usage(format!(
            "{option} is for one server: several are loaded in turns, in slices of the same length"
        ))
        .hint("how long at the most: -d 30s")),
        None => Ok(()),
    }
}
