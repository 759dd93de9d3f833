#!/usr/bin/env python3
"""Known truth on this machine, by the hundred: the same program entered twice, and once with extra CPU.

Usage: benches/campaign.py TARE RESULTS.csv [--kinds probe,lines,http] [--same 200 | --same 100,50,50]
                           [--extra 1,2,5,10] [--each 10]
                           [--budget 60s | --budget 12s,24s,24s] [--margin 0,1] [--launches N] [--minutes M] [--seed N] [--keep FOLDER]
       benches/campaign.py --tables RESULTS.csv [--strict]

Three kinds of pairs: `probe` (arithmetic in process), `lines` (the floor of `doubling`), `http` (the server of
benches/generators); in C, built here. --same A/A runs are spread evenly over the kinds, or are so many of
each; of every size in --extra (in percent) each kind has --each A/B runs, in which the second of the pair spins before it
answers (a probe spins by more of its own work). What the spinning costs is measured apart, by the CPU clock of a process
that does nothing else; the truth of a run is 1 + that cost over the figure of the pair's first. A server that spins goes to
sleep less often, which saves a part of that: the context switches per operation of both are kept.

Runs come in a random order (printed seed), so that a change of the machine falls on all alike. Each run is a line of the
CSV, written when it has ended; runs that the file has already are not made again, so that a campaign can be stopped and
resumed. A run ends when its question is decided, which with a margin is another question: --margin (in percent, several
make each run once for each) says what tare is asked, and so when it stops. The machine is described in the file's first
lines. --tables prints what the file says, for each margin that runs were made with: false verdicts at margins 0 and 1%,
detections and how many runs of those had their verdict, the estimates against the truth, and the time to a verdict (one run
in ten / half / nine in ten; a dash: not within the budget). Runs that gave no interval, because a contender failed or there
was no time for three launches, are shown in a column of their own and count nowhere else. With --strict it exits with 1 where
more A/A runs were distinguishable at margin 0 than 9 in 100 (18 in 200), or where fewer than half of those with an interval were
equivalent at margin 1%.
"""
import argparse, csv, json, math, os, pathlib, platform, random, shutil, statistics, subprocess, sys, tempfile, time

from pair import SOURCE as PROBE
from aa import BURN, judge

HERE = pathlib.Path(__file__).resolve().parent
LAB = HERE.parent
COLUMNS = ["kind", "extra", "number", "seed", "ratio", "low", "high", "truth", "launches", "rounds", "took", "provisional",
           "state_one", "state_two", "one", "two", "margin", "switches_one", "switches_two"]
# Of each kind: the metric that is compared, the job, the mode.
KINDS = {
    "probe": ("time_per_op", 'job = { kind = "probe", reference = "reference.txt" }', "capacity", ""),
    "lines": ("cpu_per_op", 'job = { kind = "doubling" }', "cost", "connections = 32\ndepth = 1\n"),
    "http": ("cpu_per_op", 'job = { kind = "http", path = "/", answer = { kind = "text", body = "LETTERS" } }', "cost",
             "connections = 32\ndepth = 1\n"),
}
# Units of arithmetic of a probe's iteration: about a microsecond.
UNITS = 400
BODY = 64
# The work of a probe as a chain of its own: a unit a round.
WORK = """
static void burn(unsigned long rounds) {
    static volatile unsigned long kept = 88172645463325252UL;
    unsigned long x = kept;
    while (rounds--) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    kept = x;
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path, nargs="?")
    parser.add_argument("--tables", action="store_true", help="print the tables of a file, and measure nothing")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where the A/A runs of the tables miss their limits")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--same", default="200", help="A/A runs, over all kinds; or so many of each, in their order")
    parser.add_argument("--extra", default="1,2,5,10", help="extra CPU of A/B runs, in percent")
    parser.add_argument("--each", type=int, default=10, help="A/B runs of each kind and size")
    parser.add_argument("--budget", default="60s", help="of a run; or one for each of --kinds, in their order")
    parser.add_argument("--margin", default="0", help="what tare is asked with, in percent")
    parser.add_argument("--launches", type=int)
    parser.add_argument("--minutes", type=float, help="begin no run after so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="where labs and results documents go, and stay")
    args = parser.parse_args()
    if args.tables:
        return 0 if tables(args.tare) or not args.strict else 1
    if args.results is None:
        parser.error("where do the results go?")
    with tempfile.TemporaryDirectory() as folder:
        campaign(args, args.keep or pathlib.Path(folder))
    return 0 if tables(args.results) or not args.strict else 1


def campaign(args, folder):
    folder.mkdir(parents=True, exist_ok=True)
    tare = args.tare.resolve()
    kinds = args.kinds.split(",")
    sizes = [float(size) for size in args.extra.split(",") if size]
    pairs = [(kind, 0.0, n) for kind, same in of_each(args.same, kinds).items() for n in range(same)]
    pairs += [(kind, size, n) for kind in kinds for size in sizes for n in range(args.each)]
    margins = [float(margin) for margin in args.margin.split(",")]
    wanted = [(*pair, margin) for margin in margins for pair in pairs]
    random.Random(args.seed).shuffle(wanted)
    done = {(row["kind"], float(row["extra"]), int(row["number"]), margin_of(row)) for row in read(args.results)}
    columns = begin_file(args, tare)
    if "margin" not in columns and margins != [0.0]:
        sys.exit(f"{args.results} was begun before margins were kept: give this campaign a file of its own")
    pairs, began = Pairs(tare, folder, args), time.monotonic()
    for kind, extra, number, margin in wanted:
        if (kind, extra, number, margin) in done:
            continue
        if args.minutes and time.monotonic() - began > args.minutes * 60:
            print("the time is over; the same command goes on from here")
            break
        row = pairs.run(kind, extra, number, margin)
        with args.results.open("a", newline="") as out:
            csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n").writerow(row)
        print(f"{kind} +{extra:g}% run {number}, margin {margin:g}%: ratio {row['ratio']} [{row['low']}, {row['high']}], truth {row['truth']}, "
              f"{row['launches']} launches, {row['took']} s", flush=True)


def of_each(same, kinds):
    """A/A runs of each kind: as told, or spread evenly."""
    counts = [int(count) for count in same.split(",")]
    if len(counts) == 1:
        counts = [counts[0] // len(kinds) + (place < counts[0] % len(kinds)) for place in range(len(kinds))]
    if len(counts) != len(kinds):
        sys.exit(f"--same has {len(counts)} for {len(kinds)} kinds: give one, or one for each")
    return dict(zip(kinds, counts))


def begin_file(args, tare):
    """Describes the machine in a new file; the columns of the file."""
    if args.results.exists():
        rows = [line for line in args.results.read_text().splitlines() if not line.startswith("#")]
        return rows[0].split(",")
    args.results.parent.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([tare, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    facts = [f"{version}; budget {args.budget}; seed {args.seed}; begun {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC",
             f"{cpu()}, {len(os.sched_getaffinity(0))} cores, {memory()}, Linux {platform.release()}, {system()}"]
    with args.results.open("w", newline="") as out:
        out.writelines(f"# {fact}\n" for fact in facts)
        csv.DictWriter(out, COLUMNS, lineterminator="\n").writeheader()
    return COLUMNS


def first(path, key, default):
    try:
        lines = pathlib.Path(path).read_text().splitlines()
    except OSError:
        return default
    found = [line.split(sep, 1)[1].strip(' "') for line in lines for sep in (":", "=") if line.startswith(key) and sep in line]
    return found[0] if found else default


def cpu():
    return first("/proc/cpuinfo", "model name", platform.machine())


def memory():
    kib = first("/proc/meminfo", "MemTotal", "0 kB").split()[0]
    return f"{int(kib) / 2**20:.0f} GiB"


def system():
    return first("/etc/os-release", "PRETTY_NAME", "an unknown system")


class Pairs:
    """Labs with a pair each: made when they are first asked for."""

    def __init__(self, tare, folder, args):
        self.tare, self.folder, self.args = tare, folder, args
        self.base, self.per_round = {}, {}
        kinds, budgets = args.kinds.split(","), args.budget.split(",")
        if len(budgets) not in (1, len(kinds)):
            sys.exit(f"--budget has {len(budgets)} for {len(kinds)} kinds: give one, or one for each")
        self.budgets = dict(zip(kinds, budgets if len(budgets) > 1 else budgets * len(kinds)))

    def run(self, kind, extra, number, margin):
        if extra and kind not in self.base:
            # What an operation costs here, to know what the extra percents are.
            self.base[kind] = float(self.measured(kind, 0, "base", 999_000, 0.0, ["--launches", "1", "--rounds", "20"])["one"])
        seed = 1000 + number + int(extra * 1000)
        more = ["--launches", str(self.args.launches)] if self.args.launches else []
        rounds = self.rounds_for(kind, extra / 100 * self.base[kind]) if extra else 0
        row = self.measured(kind, rounds, f"{extra:g}", seed, margin, more)
        spun = rounds * self.per_round[kind] if rounds else 0.0
        row["truth"] = f"{1 + spun / float(row['one']):.6f}" if row["one"] else ""
        return row | {"kind": kind, "extra": f"{extra:g}", "number": number, "seed": seed, "margin": f"{margin:g}"}

    def rounds_for(self, kind, seconds):
        """Rounds of the spinning chain that cost so many seconds of CPU."""
        if kind not in self.per_round:
            chain = WORK if kind == "probe" else BURN
            few, many = burnt(self.folder, chain, 100), burnt(self.folder, chain, 1100)
            self.per_round[kind] = (many - few) / 1000
        return max(1, round(seconds / self.per_round[kind]))

    def measured(self, kind, burn, name, seed, margin, more):
        lab = self.folder / f"{kind}-{name}"
        if not lab.exists():
            make_lab(lab, kind, burn)
        command = [self.tare, "run", "aa", "-C", lab, "--format", "json", "-q", "--budget", self.budgets[kind],
                   "--margin", f"{margin:g}%", "--seed", str(seed), *more]
        done = subprocess.run(command, stdout=subprocess.PIPE)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}")
        document = json.loads(done.stdout)
        if self.args.keep:
            (self.folder / f"{kind}-{name}-{seed}-margin-{margin:g}.json").write_bytes(done.stdout)
        return figures(document, KINDS[kind][0])


def figures(document, metric):
    workload = document["workloads"][0]
    found = [c for c in workload["comparisons"] if c["metric"] == metric] or [{}]
    one, two = (next(c for c in workload["contenders"] if c["id"] == name) for name in ("one", "two"))
    value = lambda contender: contender["metrics"].get(metric, {}).get("estimate")
    shown = lambda number: "" if number is None else f"{number:.9g}"
    row = {name: shown(found[0].get(name)) for name in ("ratio", "low", "high")}
    row |= {name: found[0].get(name, "") for name in ("launches", "rounds", "provisional")}
    switches = lambda contender: shown(contender["covariates"].get("switches_per_op"))
    return row | {"took": f"{document['run']['took']:.1f}", "state_one": one["state"], "state_two": two["state"],
                  "one": shown(value(one)), "two": shown(value(two)),
                  "switches_one": switches(one), "switches_two": switches(two)}


def make_lab(lab, kind, burn):
    metric, job, mode, driving = KINDS[kind]
    folder = lab / "workloads/aa"
    folder.mkdir(parents=True)
    shutil.copytree(LAB / "languages", lab / "languages")
    job = job.replace("LETTERS", "".join(chr(ord("a") + k % 26) for k in range(BODY)))
    (folder / "workload.toml").write_text(
        f'schema = 1\nsummary = "two of the same"\n{job}\n[cases.aa]\nsummary = "two of the same"\n'
        f'placement = "one-core"\nbaseline = "one"\nmodes = ["{mode}"]\n[modes.{mode}]\nprimary = "{metric}"\n{driving}')
    if kind == "probe":
        (folder / "reference.txt").write_text("".join(f"{number:02x}00000000000000\n" for number in range(8)))
    for name, rounds in (("one", 0), ("two", burn)):
        contender = folder / "contenders" / name
        contender.mkdir(parents=True)
        (contender / "main.c").write_text(source(kind, rounds))
        (contender / "contender.toml").write_text(manifest(kind))


def manifest(kind):
    words = {"probe": "", "lines": ', "{port}", "{cores}"', "http": f', "{{port}}", "{BODY}"'}[kind]
    units = f', "-DUNITS={UNITS}"' if kind == "probe" else ""
    return (f'schema = 1\nlanguage = "c"\nsummary = "one of two"\nstyle = "floor"\n'
            f'build = [["{{cc}}", "-O2"{units}, "-o", "{{out}}/server", "main.c"]]\nrun = ["{{out}}/server"{words}]\n')


def source(kind, rounds):
    """The program, and where rounds are asked for one that spins so long before each answer; both are laid out alike."""
    file, at, instead = {
        "probe": (None, "units = UNITS;", "units = UNITS + ROUNDS;"),
        "lines": (LAB / "workloads/doubling/contenders/c-epoll/main.c", "out = answer(out, *in, len);",
                  "burn(ROUNDS); out = answer(out, *in, len);"),
        "http": (HERE / "generators/server.c", "conn->matched = 0; found++;", "conn->matched = 0; found++; burn(ROUNDS);"),
    }[kind]
    text = file.read_text() if file else PROBE
    chain = BURN if file else ""
    if text.count(at) != 1:
        sys.exit(f"the program of {kind} does not have `{at}` once")
    after = text.index("\n", text.rindex("#include")) + 1
    return text[:after] + chain + text[after:].replace(at, instead.replace("ROUNDS", f"{rounds}UL"))


def burnt(folder, chain, rounds):
    """CPU seconds that so many rounds of a spinning chain take."""
    program = "#include <stdio.h>\n#include <time.h>\n" + chain + """
int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int i = 0; i < 300000; i++) burn(ROUNDS);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%.15f\\n", ((b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9) / 3e5);
}
"""
    binary = folder / f"burn-{rounds}"
    command = ["cc", "-O2", f"-DROUNDS={rounds}UL", "-x", "c", "-", "-o", str(binary)]
    subprocess.run(command, input=program, text=True, check=True)
    # The least of a few: what disturbs a process only ever adds.
    return min(float(subprocess.run([str(binary)], stdout=subprocess.PIPE, check=True).stdout) for _ in range(3))


def read(path):
    if not path.exists():
        return []
    with path.open() as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def number(text):
    return float(text) if text else None


def margin_of(row):
    """What a run was asked with, in percent; files without the column are of margin 0."""
    return float(row.get("margin") or 0)


def tables(path):
    """Prints them; whether the A/A runs are within their limits."""
    rows, within = read(path), True
    for row in rows:
        row["interval"] = (number(row["low"]), number(row["high"]))
    for margin in sorted({margin_of(row) for row in rows}):
        some = [row for row in rows if margin_of(row) == margin]
        print(f"\nAsked with a margin of {margin:g}%: {len(some)} runs")
        within &= the_same([row for row in some if float(row["extra"]) == 0], margin)
        with_more([row for row in some if float(row["extra"]) != 0], margin)
    return within


def measured(rows):
    """Those that gave an interval: what has none is neither right nor wrong."""
    return [row for row in rows if None not in row["interval"]]


def the_same(rows, margin):
    if not rows:
        return True
    print(f"\nA/A: {len(rows)} runs\n")
    print("| pair | runs | without an interval | distinguishable, margin 0 | equivalent, margin 1% | inconclusive, margin 1% | beyond 1% | "
          f"half width: one in ten, half, nine in ten | decided at {margin:g}% | time to that |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for kind in [*KINDS, "all"]:
        all_of_it = [row for row in rows if kind in ("all", row["kind"])]
        some = measured(all_of_it)
        if some:
            decided = [row for row in some if verdict(row, margin) != "inconclusive"]
            print(f"| {kind} | {len(all_of_it)} | {len(all_of_it) - len(some)} | {told_apart(some)} | " +
                  " | ".join(map(str, at_margin(some))) +
                  f" | {width(some)} | {share(decided, some)} | {times(decided, some)} |")
    some = measured(rows)
    return told_apart(some) <= 0.09 * len(some) and 2 * at_margin(some)[0] >= len(some)


def with_more(rows, margin):
    if not rows:
        return
    print(f"\nA/B: {len(rows)} runs\n")
    print("| pair | extra | runs | without an interval | truth, median | found slower, margin 0 | slower by more than 1% | found faster | "
          f"truth in the interval | estimate off by, median | decided at {margin:g}% | time to that |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        for extra in sorted({float(row["extra"]) for row in rows}):
            some = [row for row in rows if row["kind"] == kind and float(row["extra"]) == extra]
            if some:
                print(difference(kind, extra, some, margin))


def difference(kind, extra, all_of_it, margin):
    rows = measured(all_of_it)
    begin = f"| {kind} | {extra:g}% | {len(all_of_it)} | {len(all_of_it) - len(rows)} |"
    if not rows:
        return begin + " – |" * 8
    decided = [row for row in rows if verdict(row, margin) != "inconclusive"]
    zero, one = ([verdict(row, percent) for row in rows] for percent in (0, 1))
    held = [row for row in rows if row["interval"][0] <= float(row["truth"]) <= row["interval"][1]]
    off = [abs(math.log(float(row["ratio"]) / float(row["truth"]))) for row in rows]
    truth = f"{statistics.median(float(row['truth']) for row in rows):.4f}"
    return (f"{begin} {truth} | {rate(zero.count('slower'), rows)} | "
            f"{rate(one.count('slower'), rows)} | {sum('faster' in pair for pair in zip(zero, one))} | "
            f"{len(held)} of {len(rows)} | {statistics.median(off) * 100:.2f}% | {share(decided, rows)} | {times(decided, rows)} |")


def verdict(row, percent):
    return judge(*row["interval"], percent / 100)


def rate(count, rows):
    return f"{count} ({count / len(rows):.0%})"


def share(decided, rows):
    return rate(len(decided), rows)


def times(decided, rows):
    """When one run in ten, half and nine in ten of all had been decided."""
    ends = sorted(float(row["took"]) for row in decided)
    at = lambda part: math.ceil(part * len(rows)) - 1
    return " / ".join(f"{ends[at(part)]:.0f} s" if at(part) < len(ends) else "–" for part in (0.1, 0.5, 0.9))


def told_apart(rows):
    return sum(judge(*row["interval"], 0.0) != "inconclusive" for row in rows)


def at_margin(rows):
    verdicts = [judge(*row["interval"], 0.01) for row in rows]
    counts = [verdicts.count("equivalent"), verdicts.count("inconclusive")]
    return counts + [len(rows) - sum(counts)]


def width(rows):
    widths = sorted((row["interval"][1] - row["interval"][0]) / 2 for row in rows)
    at = lambda part: f"±{widths[math.ceil(part * len(widths)) - 1] * 100:.2f}%"
    return " / ".join(map(at, (0.1, 0.5, 0.9)))


if __name__ == "__main__":
    sys.exit(main())
