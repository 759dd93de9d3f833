#!/usr/bin/env python3
"""False alarms and detections where many benchmarks are compared: `tare bench`, and the usual tools in the same time.

Usage: benches/alarms.py TARE RESULTS.csv [--project bitset|yarl] [--kinds same,2,5,10,function,version] [--runs 100]
                         [--budget 90s] [--bursts 0.5] [--layouts 1,8] [--names PATTERN] [--usual 1.0] [--minutes M]
                         [--seed N] [--work FOLDER]
       benches/alarms.py --tables RESULTS.csv

Takes a real project's benchmarks (benches/projects.py) and makes a second revision of it: `same` is identical but for a
comment in a file of no benchmark; 2, 5 and 10 make one function so many percent slower, by that share of its own work done
twice (bitset's Count, which two benchmarks are of); `function` adds a function that is linked, but never called, `version` adds
a text; both are other ones in every run, since each is one throw of the linker's dice. Each run is measured by `tare bench` with
each number of layouts, and, at the same wall time, as people usually do: for Go ten counts of the one, ten of the other, and
benchstat at its default α of 5%; for Python pytest-benchmark's own comparison, which fails at a mean 5% slower. All tools measure
the same two revisions, in random order; the usual one may be left out of some runs (--usual), whose time it would take.
A share of the runs (--bursts) has bursts of other load beside it: half a second to three of one or two busy processes, five
seconds apart in the mean.

An *alarm* is a benchmark that is called slower (or, for `same`, `function` and `version`, faster) though nothing of what it runs
was changed. Each run is a line of the CSV, written when it ends; runs that the file has are not made again, so that it can be
stopped at any time and started again. A run that fails is told on standard error, has no line, and is made again the next time;
it then ends with 1. `judged` counts the benchmarks that have a verdict, inconclusive or not: a budget that does not hold three
rounds of all of them (of yarl: four minutes and more) measures fewer, and so has fewer alarms.
"""
import argparse, contextlib, csv, json, os, pathlib, random, re, subprocess, sys, threading, time

import projects

COLUMNS = ["project", "kind", "number", "tool", "layouts", "bursts", "took", "rows", "judged", "alarms", "expected", "found",
           "which"]
# The benchmarks of bitset that spend their time in Count.
SLOWED = {"bitset": re.compile(r"^(Benchmark)?(Count|LemireCount)(-\d+)?$")}
COUNT = "\t\treturn uint(popcntSlice(b.set))\n"
# benchstat has no versions of its own but those of its commits.
BENCHSTAT = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
KINDS = {"bitset": ("same", "2", "5", "10", "function", "version"), "yarl": ("same", "function", "version")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path, nargs="?")
    parser.add_argument("results", type=pathlib.Path, nargs="?")
    parser.add_argument("--tables", type=pathlib.Path)
    parser.add_argument("--project", choices=["bitset", "yarl"], default="bitset")
    parser.add_argument("--kinds", default="same")
    parser.add_argument("--runs", type=int, default=100, help="of each kind")
    parser.add_argument("--budget", default="90s", help="of tare; the other tool has as long")
    parser.add_argument("--bursts", type=float, default=0.5, help="share of the runs")
    parser.add_argument("--layouts", default="", help="numbers of layouts (tare's own choice)")
    parser.add_argument("--names", default="", metavar="PATTERN", help="benchmarks to compare, a regular expression (all)")
    parser.add_argument("--usual", type=float, default=1.0, metavar="SHARE", help="the usual tool in this share of the runs")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no run after these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/alarms"))
    args = parser.parse_args()
    if args.tables:
        return tables(args.tables)
    if not (args.tare and args.results):
        parser.error("TARE and RESULTS.csv are missing")
    if unknown := set(args.kinds.split(",")) - set(KINDS[args.project]):
        parser.error(f"{args.project} has no {', '.join(sorted(unknown))}; it has {', '.join(KINDS[args.project])}")
    if args.names and args.project == "yarl":
        parser.error("--names is for bitset: pytest chooses by another kind of pattern")
    sys.exit(Campaign(args).run())


class Campaign:
    def __init__(self, args):
        self.args, self.random = args, random.Random(args.seed)
        self.tare = args.tare.resolve()
        args.work = args.work.resolve()
        args.work.mkdir(parents=True, exist_ok=True)
        self.place = projects.repository(args.work, args.project)
        self.environment, self.setup = projects.environment(args.work, args.project), projects.setup(args.project)
        self.usual = {"bitset": self.benchstat, "yarl": self.pytest}[args.project]
        self.length = None

    def run(self):
        """Makes the runs that the file does not have. Whether one failed."""
        args, began = self.args, time.monotonic()
        done, failed = set(), False
        if args.results.exists():
            done = {tuple(row[key] for key in COLUMNS[:5]) for row in csv.DictReader(args.results.open())}
        for number in range(args.runs):
            for kind in args.kinds.split(","):
                # Spread over the runs, so that any number of them has the share.
                bursts = int((number + 1) * args.bursts) > int(number * args.bursts)
                tools = [("tare", layouts) for layouts in args.layouts.split(",")]
                tools += [("usual", "")] if random.Random(f"{args.seed} {number}").random() < args.usual else []
                self.random.shuffle(tools)
                for tool, layouts in tools:
                    key = (args.project, kind, str(number), tool, layouts)
                    if key in done or time.monotonic() - began > 60 * args.minutes:
                        continue
                    try:
                        self.one(kind, number, tool, layouts, bursts)
                    except (subprocess.CalledProcessError, ValueError, LookupError) as error:
                        failed = True
                        words = getattr(error, "stderr", None) or ""
                        print(f"failed: {' '.join(key)}: {error!r}\n{words[-2000:]}", file=sys.stderr, flush=True)
        return failed

    def one(self, kind, number, tool, layouts, bursts):
        before, after = self.revisions(kind, number)
        began = time.monotonic()
        with other_load(self.random.random()) if bursts else contextlib.nullcontext():
            verdicts, judged = self.ours(before, after, layouts) if tool == "tare" else self.usual(before, after)
        took = time.monotonic() - began
        slowed = SLOWED.get(self.args.project)
        meant = {name for name in verdicts if kind.isdigit() and slowed.match(name)}
        changed = {name for name, verdict in verdicts.items() if verdict}
        row = [self.args.project, kind, number, tool, layouts, int(bursts), f"{took:.1f}", len(verdicts), judged,
               len(changed - meant), len(meant), sum(verdicts[name] == "worse" for name in meant), " ".join(sorted(changed))]
        new = not self.args.results.exists()
        with self.args.results.open("a") as file:
            writer = csv.writer(file)
            writer.writerows([COLUMNS, row] if new else [row])
        print(*row[:-1], row[-1][:100], flush=True)

    # --- what is compared ---

    def revisions(self, kind, number):
        """The tags of a project's first version and of the same with a change of this kind."""
        first = projects.PROJECTS[self.args.project].before
        tag = f"changed-{kind}-{number}" if kind in ("function", "version") else f"changed-{kind}"
        if not projects.git(self.place, "tag", "--list", tag):
            projects.git(self.place, "checkout", "--quiet", "--force", "--detach", first)
            self.change(kind, number)
            projects.git(self.place, "commit", "--quiet", "--all", "--message", f"change: {kind}")
            projects.git(self.place, "tag", tag)
        projects.git(self.place, "checkout", "--quiet", "--force", "--detach", tag)
        return first, tag

    def change(self, kind, number):
        python = self.args.project == "yarl"
        source = self.place / ("yarl/_path.py" if python else "bitset.go")
        text = source.read_text()
        if kind == "same":
            text += "\n# Nothing else.\n" if python else "\n// Nothing else.\n"
        elif kind == "function":
            steps = range(1 + number % 40)
            text += ("\n\ndef unused(x: int) -> int:\n" + "".join(f"    x = x * {step + 3} + 1\n" for step in steps) +
                     "    return x\n" if python else
                     "\nvar calls string\n\n// Unused is called by nobody, which no compiler knows.\nfunc Unused(x uint) uint {\n" +
                     "".join(f"\tx += x*{step + 3} ^ {step}\n" for step in steps) +
                     "\treturn x\n}\n\nfunc init() {\n\tif calls != \"\" {\n\t\tcalls = string(rune(Unused(1)))\n\t}\n}\n")
        elif kind == "version":
            version = "1.18.4-rc." + "1" * (1 + number % 40)
            text += (f'\n\nRELEASE = "{version}"\n' if python else
                     f'\n// Release names this revision.\nvar Release = "{version}"\n\n'
                     'func init() {\n\tif Release == "" {\n\t\tpanic("no release")\n\t}\n}\n')
        else:
            share = f"\t\tagain := popcntSlice(b.set[:len(b.set)*{int(kind)}/100])\n"
            assert text.count(COUNT) == 1, "Count is not as it was"
            # What is counted again is below 2^63, so that nothing is added, which no compiler knows.
            text = text.replace(COUNT, share + "\t\treturn uint(popcntSlice(b.set)) + uint(again>>63)\n")
        source.write_text(text)

    # --- how it is compared ---

    def ours(self, before, after, layouts):
        """Of each benchmark what is said of it: `worse`, `better` or nothing; and how many have a verdict."""
        command = [self.tare, "bench", f"{before}..{after}", "--budget", self.args.budget, "--margin", "1%",
                   "--format", "json"]
        command += [self.args.names] if self.args.names else []
        command += (["--layouts", layouts] if layouts else []) + (["--setup", self.setup] if self.setup else [])
        ran = subprocess.run(command, cwd=self.place, env=self.environment, capture_output=True, text=True)
        # With 1 it ends where a benchmark failed, or none has a verdict yet: the document says which.
        if ran.returncode not in (0, 1) or not ran.stdout:
            raise subprocess.CalledProcessError(ran.returncode, command, stderr=ran.stderr)
        verdicts, judged = {}, 0
        for benchmark in json.loads(ran.stdout)["benchmarks"]["list"]:
            first = next(iter(benchmark["figures"]), {})
            verdict = first.get("verdict")
            judged += verdict is not None
            verdicts[benchmark["name"]] = verdict if verdict in ("worse", "better") else None
        return verdicts, judged

    def seconds(self):
        amount, unit = re.fullmatch(r"(\d+)(s|m)", self.args.budget).groups()
        return int(amount) * (60 if unit == "m" else 1)

    def benchstat(self, before, after):
        programs = {}
        for side in (before, after):
            programs[side] = self.args.work / f"{side}.test"
            if not programs[side].exists():
                projects.git(self.place, "checkout", "--quiet", "--force", "--detach", side)
                subprocess.run(["go", "test", "-c", "-o", programs[side], "."], cwd=self.place, check=True)
        rows = len(set(self.lines(subprocess.run([programs[before], "-test.run", "^$", "-test.bench", self.pattern(), "-test.benchtime", "1x"],
                                                 cwd=self.place, check=True, capture_output=True, text=True).stdout)))
        # Ten counts of two sides; a benchmark takes about twice its time, to find out how often it is repeated.
        self.length = self.length or self.seconds() / (2 * 10 * rows) / 2
        began, outputs = time.monotonic(), []
        for side in (before, after):
            out = self.args.work / f"{side}.txt"
            with out.open("w") as file:
                subprocess.run([programs[side], "-test.run", "^$", "-test.bench", self.pattern(), "-test.count", "10", "-test.benchtime",
                                f"{self.length * 1000:.3f}ms"], cwd=self.place, check=True, stdout=file)
            outputs.append(out)
        # So that the next takes as long as tare.
        self.length *= self.seconds() / (time.monotonic() - began)
        ran = subprocess.run([self.tool(), "-format", "csv", *outputs], check=True, capture_output=True, text=True)
        verdicts = benchstat_verdicts(ran.stdout)
        return verdicts, len(verdicts)

    def pattern(self):
        return self.args.names or "."

    def lines(self, text):
        return re.findall(r"^(Benchmark\S+)\s+\d+\s", text, re.M)

    def tool(self):
        place = self.args.work / "bin"
        if not (place / "benchstat").exists():
            subprocess.run(["go", "install", BENCHSTAT], check=True, env={**os.environ, "GOBIN": str(place)})
        return place / "benchstat"

    def pytest(self, before, after):
        rows = 101
        self.length = self.length or self.seconds() / (2 * rows)
        began, kept = time.monotonic(), {}
        for side in (before, after):
            projects.git(self.place, "checkout", "--quiet", "--force", "--detach", side)
            kept[side] = self.args.work / f"{side}.json"
            if not list(self.place.glob("yarl/*.so")):
                # Both sides have the same: what changes is in Python.
                subprocess.run(["sh", "-c", self.setup], cwd=self.place, env=self.environment, check=True, capture_output=True,
                               text=True)
            subprocess.run(["python3", "-m", "pytest", "-q", "--benchmark-only", "--benchmark-warmup=off", "-p", "no:cacheprovider",
                            "-o", "addopts=", f"--benchmark-max-time={self.length / 2:.4f}", f"--benchmark-json={kept[side]}",
                            "tests/test_url_benchmarks.py", "tests/test_quoting_benchmarks.py"],
                           cwd=self.place, env=self.environment, check=True, capture_output=True, text=True)
        self.length *= self.seconds() / (time.monotonic() - began)
        means = [{one["fullname"]: one["stats"]["mean"] for one in json.loads(kept[side].read_text())["benchmarks"]}
                 for side in (before, after)]
        ratios = {name: means[1][name] / means[0][name] for name in means[0] if name in means[1]}
        return {name: "worse" if ratio > 1.05 else None for name, ratio in ratios.items()}, len(ratios)


def benchstat_verdicts(text):
    """What benchstat says of each time: its table as CSV, in which `~` is no difference."""
    verdicts, of_time = {}, False
    for row in csv.reader(text.splitlines()):
        if len(row) > 1 and row[1] in ("sec/op", "B/op", "allocs/op", "B/s"):
            of_time = row[1] == "sec/op"
        elif of_time and len(row) > 5 and row[0] and row[0] != "geomean":
            sign = row[5].strip()
            verdicts[row[0]] = {"+": "worse", "-": "better"}.get(sign[:1])
    return verdicts


@contextlib.contextmanager
def other_load(seed):
    """Bursts of busy processes while this lasts."""
    rng, stop = random.Random(seed), threading.Event()

    def bursts():
        while not stop.wait(rng.expovariate(1 / 5)):
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(rng.randint(1, 2))]
            stop.wait(rng.uniform(0.5, 3))
            for process in busy:
                process.kill()
                process.wait()

    thread = threading.Thread(target=bursts)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def tables(path):
    groups = {}
    for row in csv.DictReader(path.open()):
        groups.setdefault((row["project"], row["kind"], row["tool"], row["layouts"], row["bursts"]), []).append(row)
    print("| project | change | tool | layouts | other load | runs | rows | judged | seconds | runs with an alarm | alarms | found |")
    print("|---|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for (project, kind, tool, layouts, bursts), rows in sorted(groups.items()):
        alarmed = sum(int(row["alarms"]) > 0 for row in rows)
        meant = sum(int(row["expected"]) for row in rows)
        found = f"{sum(int(row['found']) for row in rows)} of {meant}" if meant else ""
        middle = lambda column: sorted(float(row[column]) for row in rows)[len(rows) // 2]
        alarms = sum(int(row["alarms"]) for row in rows)
        print(f"| {project} | {kind} | {tool} | {layouts} | {'bursts' if bursts == '1' else ''} | {len(rows)} | {rows[0]['rows']} | "
              f"{middle('judged'):.0f} | {middle('took'):.0f} | {alarmed} ({100 * alarmed / len(rows):.0f}%) | {alarms} | {found} |")


if __name__ == "__main__":
    main()
