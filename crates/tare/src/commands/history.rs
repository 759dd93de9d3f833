//! `tare history`: one contender over the stored runs of one machine, that of the newest of them.

use std::path::PathBuf;

use clap::Args;
use tare_analysis::history::{Histories, Wanted};
use tare_model::ids::ContenderId;
use tare_report::{csv, history, terminal, words};

use crate::context::{self, Context};
use crate::failure::Failure;

/// One contender over the stored runs of one machine (that of the newest), with changes of level
#[derive(Debug, Clone, Args)]
pub struct HistoryArgs {
    #[arg(value_name = "WORKLOAD/CONTENDER")]
    pub contender: String,
    /// Only this case
    #[arg(long)]
    pub case: Option<String>,
    /// The number of newest runs of the workload to look at
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub last: u32,
    /// Charts as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
}

/// The width of a chart in its file.
const WIDTH: f64 = 860.0;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &HistoryArgs) -> Result<u8, Failure> {
    // A program of benchmarks may have slashes in its name, a contender has none.
    let (workload, contender) = args.contender.rsplit_once('/').ok_or_else(|| {
        Failure::usage(format!("`{}` is no contender", args.contender)).hint("expected WORKLOAD/CONTENDER")
    })?;
    let id: ContenderId = contender.parse().map_err(Failure::usage)?;
    let store = context.store()?;
    let runs = store.runs().map_err(Failure::outside)?;
    // The newest first. Runs of other workloads are not read whole.
    let about = runs.iter().filter(|run| {
        run.arenas
            .iter()
            .any(|arena| arena.workload == workload && arena.rounds > 0)
    });
    let mut records = Vec::new();
    for run in about.take(args.last as usize) {
        records.push(store.run(&run.id).map_err(Failure::outside)?);
    }
    let here = records
        .first()
        .map(|run| run.info.machine.identity())
        .unwrap_or_default();
    let wanted = Wanted {
        workload: workload.to_owned(),
        id,
        case: args.case.clone(),
    };
    let mut histories = Histories::new(wanted, here);
    records.iter().rev().for_each(|run| histories.add(run));
    let elsewhere = histories.elsewhere;
    let list = histories.finish();
    if list.is_empty() {
        return Err(
            Failure::usage(format!("no stored run has figures of `{}`", args.contender))
                .hint("`tare list runs` shows what there is"),
        );
    }
    if elsewhere > 0 {
        let runs = words::counted(u64::from(elsewhere), "run");
        context.say(format!("note: {runs} of other machines left out"));
    }
    let text = if context.json() {
        history::json(&list)
    } else if context.asked_for(&csv::FORMAT) {
        history::csv(&list)
    } else if context.asked_for(&terminal::FORMAT) {
        let terminal = context.terminal();
        let text: String = list.iter().map(|one| history::text(one, terminal)).collect();
        format!("{text}{}\n", history::CAVEAT)
    } else {
        return Err(Failure::usage("`tare history` prints text, json or csv").hint("a chart: --svg DIR"));
    };
    context::put(&text)?;
    if let Some(folder) = &args.svg {
        for (index, one) in list.iter().enumerate() {
            let path = folder.join(format!("history-{}-{}-{index}.svg", one.case, one.mode));
            context::write(&path, history::chart(one, WIDTH).standalone().as_bytes())?;
            context.say(format!("chart: {}", path.display()));
        }
    }
    Ok(0)
}
