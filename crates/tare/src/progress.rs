//! Progress of a run on standard error: what is measured now, the intervals so far, and how much time is left.

mod passes;

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use tare_lab::plan::Plan;
use tare_lab::rig::Who;
use tare_lab::sink::{Done, Event, Step};
use tare_model::claim::{ClaimResult, Standing};
use tare_model::comparison::Verdict;
use tare_model::fault::Fault;
use tare_model::metric::Mode;
use tare_model::record::{LaunchRecord, Phase, SliceRecord};
use tare_model::results::WorkloadResult;
use tare_model::units::Seconds;
use tare_report::words;

use crate::context::{Context, note};

/// The status line is not redrawn more often than this: drawing takes CPU time from contenders.
const REDRAW: Duration = Duration::from_millis(500);

/// Draws progress.
pub struct Progress<'a> {
    plan: &'a Plan,
    verbose: bool,
    quiet: bool,
    /// Whether standard error is a terminal whose last lines can be drawn again.
    live: bool,
    /// Whether blocks pass too fast for a line each where nothing is redrawn.
    brief: bool,
    /// The verdicts so far, as they are on the screen.
    standing: Vec<String>,
    /// Number of lines that the next drawing replaces.
    drawn: usize,
    last: Option<Instant>,
    launch: u32,
    /// Time left of the budget, and when that was.
    left: Option<(f64, Instant)>,
    /// How each group stands.
    stages: Vec<Stage>,
    in_passes: bool,
    /// What the last line on a pass said.
    last_standing: String,
}

/// How a group stands.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Waiting,
    Begun,
    Ended,
}

impl<'a> Progress<'a> {
    pub fn new(context: &Context, plan: &'a Plan) -> Self {
        Self {
            plan,
            verbose: context.common.verbose,
            quiet: context.common.quiet,
            live: context.redraws && !context.common.verbose,
            brief: plan.groups.iter().all(|group| group.warm_up_rounds.is_some()) && !context.common.verbose,
            standing: Vec::new(),
            drawn: 0,
            last: None,
            launch: 0,
            left: plan.rules.budget.map(|budget| (budget.0, Instant::now())),
            stages: vec![Stage::Waiting; plan.groups.len()],
            in_passes: in_passes(plan),
            last_standing: String::new(),
        }
    }

    pub fn event(&mut self, event: &Event<'_>) {
        if self.quiet {
            return;
        }
        match event {
            Event::LaunchBegan { launch, group, .. } => self.launch_began(*group, *launch),
            Event::Stepping { who, step } => self.stepping(*who, *step),
            Event::Failed { who, fault, .. } => self.failed(*who, fault),
            Event::Round {
                group,
                arena,
                slices,
                of,
            } => {
                if let Some(slice) = slices.first() {
                    self.round((*group, *arena), slice, *of);
                }
            }
            Event::WarmedUp { group, launch } => self.warmed_up(*group, launch),
            Event::Rate { group, rate, .. } => self.step(&format!("{}: {rate} for all", self.group(*group))),
            Event::Note { text } => self.line(text),
            Event::PassBegan {
                groups,
                launch,
                rounds,
            } => {
                self.launch = launch.number + 1;
                self.step(&passes::began(self.launch, groups.len(), *rounds));
            }
            Event::Passed {
                passes,
                results,
                done,
                left,
                ..
            } => {
                self.left = left.map(|left| (left.0, Instant::now()));
                self.passed(*passes, passes::standing(results, done));
            }
            Event::LeftOut { groups, enough } => self.left_out(groups, *enough),
            Event::Standing {
                group,
                results,
                done,
                left,
                ..
            } => {
                if done.is_some() {
                    self.stages[*group] = Stage::Ended;
                }
                self.stand(results, *done, left.map(|left| left.0));
            }
        }
    }

    fn stepping(&mut self, who: Who, step: Step) {
        let doing = match step {
            Step::Start => "starting",
            Step::Check => "checking",
            Step::Stop => "stopping",
        };
        self.step(&format!(
            "{}: {} {}, {doing} {}",
            self.group(who.group),
            self.unit(who.group),
            self.launch,
            self.name(who)
        ));
    }

    fn failed(&mut self, who: Who, fault: &Fault) {
        let first = fault.detail.lines().next().unwrap_or_default();
        self.line(&format!(
            "{} {} is out ({}): {first}",
            self.group(who.group),
            self.name(who),
            fault.kind.name()
        ));
    }

    /// A pass is over. A line that stays tells what is new; there may be a pass a second.
    fn passed(&mut self, passes: u32, standing: String) {
        let text = format!("pass {passes}: {standing}");
        if standing == self.last_standing {
            return self.status(&text);
        }
        let left = self
            .time_left()
            .map_or(String::new(), |left| format!(" ({left})"));
        self.last_standing = standing;
        self.line(&format!("{text}{left}"));
    }

    fn launch_began(&mut self, group: usize, launch: u32) {
        self.launch = launch;
        self.stages[group] = Stage::Begun;
        if self.in_passes {
            return self.step(&passes::tried(&self.group(group)));
        }
        self.step(&format!(
            "{}: {} {launch} begins",
            self.group(group),
            self.unit(group)
        ));
    }

    fn round(&mut self, (group, arena): (usize, usize), slice: &SliceRecord, of: u32) {
        let doing = match slice.phase {
            Phase::WarmUp => "warming up".to_owned(),
            Phase::Pilot => "pilot".to_owned(),
            Phase::Round => self.plan.groups[group].mode_of(arena).driving.mode.to_string(),
        };
        let of = match of {
            u32::MAX => String::new(),
            of => format!(" of {of}"),
        };
        if self.in_passes {
            return self.status(&format!("pass {}: {}", self.launch, self.group(group)));
        }
        let text = format!(
            "{} {}, {doing}, round {}{of}",
            self.unit(group),
            self.launch,
            slice.round + 1
        );
        self.status(&format!("{}: {text}", self.group(group)));
    }

    fn left_out(&mut self, groups: &[usize], enough: Seconds) {
        let cases: Vec<String> = groups.iter().map(|group| self.group(*group)).collect();
        self.line(&if self.in_passes {
            words::benchmarks_left_out(&cases, enough)
        } else {
            words::left_out(&cases, enough)
        });
    }

    fn warmed_up(&mut self, group: usize, launch: &LaunchRecord) {
        let restless = launch.steady.iter().filter(|record| !record.steady);
        let names: Vec<String> = restless
            .map(|record| {
                self.name(Who {
                    group,
                    entrant: record.entrant,
                })
            })
            .collect();
        if !names.is_empty() {
            let text = format!(
                "{} {}: not steady yet: {}",
                self.unit(group),
                self.launch,
                names.join(", ")
            );
            self.line(&format!("{} {text}", self.group(group)));
        }
    }

    fn group(&self, index: usize) -> String {
        let group = &self.plan.groups[index];
        // Benchmarks are named as they are written.
        let joint = if self.in_passes { ' ' } else { '/' };
        format!("{}{joint}{}", group.workload, group.case)
    }

    /// What a launch of a group is called.
    fn unit(&self, group: usize) -> &'static str {
        let modes = &self.plan.groups[group].modes;
        words::launch(modes.first().map_or(Mode::Cost, |mode| mode.driving.mode))
    }

    fn name(&self, who: Who) -> String {
        self.plan.groups[who.group].entrants[who.entrant].id.to_string()
    }

    fn stand(&mut self, results: &[WorkloadResult], done: Option<Done>, left: Option<f64>) {
        self.left = left.map(|left| (left, Instant::now()));
        let last = self.launch;
        for result in results {
            let primary = || result.comparisons.iter().filter(|comparison| comparison.primary);
            let decided = primary()
                .filter(|comparison| comparison.verdict != Verdict::Inconclusive)
                .count();
            let how = if primary().any(|comparison| comparison.provisional) {
                "provisionally decided"
            } else {
                "decided"
            };
            let known =
                words::alone(result).unwrap_or_else(|| format!("{decided} of {} {how}", primary().count()));
            let mut head = format!(
                "{}: {} {last}, {known}",
                result.title(),
                words::launch(result.mode)
            );
            if !result.claims.is_empty() {
                let told = result.claims.iter().filter(|claim| claim.standing.decided());
                let _ = write!(head, " and {} of {} findings", told.count(), result.claims.len());
            }
            if let Some(left) = left.filter(|_| done.is_none()) {
                let _ = write!(head, ", {} left", clock(left));
            }
            if let Some(done) = done {
                let waits = done == Done::Decided && result.claims.iter().any(is_open);
                let why = if waits {
                    "its findings wait for another case".to_owned()
                } else {
                    why(done, result.mode)
                };
                let _ = write!(head, "; {why}");
            }
            if !self.live && !self.brief {
                note(&head);
            }
            self.remember(result, head);
        }
        self.draw(&[]);
        if done.is_some() {
            // Final verdicts stay on the screen: the next ones are drawn below.
            self.drawn = 0;
            self.standing.clear();
        }
    }

    /// Replaces the lines of the same arena.
    fn remember(&mut self, result: &WorkloadResult, head: String) {
        let title = result.title();
        self.standing
            .retain(|line| !line.starts_with(&title) && !line.starts_with(&format!("  {title}")));
        let mut line = head;
        // Over many sizes there are more comparisons than lines on a screen: the count in the head suffices.
        let shown = result.comparisons.iter().filter(|_| result.size.is_none());
        for comparison in shown.filter(|comparison| comparison.primary) {
            let interval = match (comparison.low, comparison.high) {
                (Some(low), Some(high)) => format!("[{low:.3}, {high:.3}]"),
                _ => "[no interval yet]".to_owned(),
            };
            let provisional = if comparison.provisional {
                " (provisional)"
            } else {
                ""
            };
            let verdict = comparison.verdict.name();
            let ratio = comparison.ratio;
            let _ = write!(
                line,
                "\n    {:<24} ×{ratio:<7.3} {interval:<18} {verdict}{provisional}",
                comparison.a.to_string()
            );
        }
        self.standing.push(line);
    }

    /// A line that stays.
    fn line(&mut self, text: &str) {
        self.clear();
        note(text);
        self.draw(&[]);
    }

    /// A step: a passing status; with --verbose a line that stays.
    fn step(&mut self, text: &str) {
        if self.verbose {
            note(text);
        }
        self.status(text);
    }

    fn status(&mut self, text: &str) {
        if self.live && self.last.is_none_or(|last| last.elapsed() >= REDRAW) {
            self.last = Some(Instant::now());
            let around: Vec<String> = self.others().into_iter().chain(self.time_left()).collect();
            let around = if around.is_empty() {
                String::new()
            } else {
                format!("  ({})", around.join("; "))
            };
            self.draw(&[format!("{text}{around}")]);
        }
    }

    /// How many cases have ended, were begun and wait, where there are several.
    fn others(&self) -> Option<String> {
        if self.in_passes {
            return None;
        }
        let count = |stage| self.stages.iter().filter(|one| **one == stage).count();
        let (ended, begun, waiting) = (count(Stage::Ended), count(Stage::Begun), count(Stage::Waiting));
        (self.stages.len() > 1).then(|| format!("cases: {ended} done, {begun} begun, {waiting} waiting"))
    }

    fn time_left(&self) -> Option<String> {
        let (left, then) = self.left?;
        Some(format!(
            "about {} left",
            clock(left - then.elapsed().as_secs_f64())
        ))
    }

    fn clear(&mut self) {
        if self.live && self.drawn > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", self.drawn);
            self.drawn = 0;
        }
    }

    fn draw(&mut self, below: &[String]) {
        if !self.live {
            return;
        }
        self.clear();
        let width = terminal_size::terminal_size()
            .map_or(80, |(width, _)| usize::from(width.0))
            .max(20);
        for line in self
            .standing
            .iter()
            .flat_map(|block| block.lines())
            .chain(below.iter().map(String::as_str))
        {
            let cut: String = line.chars().take(width - 1).collect();
            note(cut);
            self.drawn += 1;
        }
        let _ = std::io::stderr().flush();
    }
}

/// Whether passes are made over benchmarks, instead of launches of one case after the other.
pub fn in_passes(plan: &Plan) -> bool {
    let mut modes = plan.groups.iter().flat_map(|group| &group.modes).peekable();
    modes.peek().is_some() && modes.all(|mode| mode.driving.mode == Mode::Benchmark)
}

/// Of a case that has ended: it is about another one, too, that has fewer launches.
fn is_open(claim: &ClaimResult) -> bool {
    claim.standing == Standing::Inconclusive
}

fn why(done: Done, mode: Mode) -> String {
    let launch = words::launch(mode);
    match done {
        Done::Decided => "every question is answered".to_owned(),
        Done::Budget => format!("the budget holds no further {launch}"),
        Done::LeftOut => "not begun: the budget does not hold it".to_owned(),
        Done::Launches => format!("all requested {} are measured", words::plural(2, launch)),
        Done::Nothing => "nothing is left to compare".to_owned(),
        Done::Interrupted => "interrupted".to_owned(),
    }
}

fn clock(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}
