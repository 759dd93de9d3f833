#!/usr/bin/env python3
"""How long builds of tare take until their intervals are narrow: each build in turn, on the same case.

Usage: benches/until_width.py OUT TARE TARE… [--case doubling/one-core] [--only NAMES] [--width 0.05] [--budget 5m] [--rounds 3]
                              [--seed N] [--lab DIR…]

Runs each TARE on the case with --margin 0, in rounds of random order, each in a copy of the lab of its own in the folder OUT
(a store is not read by an older tare). Where an older one does not know the manifests of today: --lab with a lab for each. After each launch the interval of every contender's ratio to the baseline is what verdicts rest on
(docs/statistics.md, "Across launches"): the time is when the median of their half widths first is at most --width. A run that
had decided everything ends before its budget; one that did not get that far counts with the time that it would take if its
spread went on as it was, marked with ~. Prints for each run the time, the launches, and where its wall time went by phases;
for each build the median and the range; and for each but the first its time over the first build's, round by round.
Nothing else should run on the machine.
"""
import argparse, csv, io, json, math, pathlib, random, shutil, statistics, subprocess, sys

LAB = pathlib.Path(__file__).resolve().parent.parent
# What a lab consists of.
PARTS = ("workloads", "services", "languages", "kits")
# The least spread of fresh starts, and the prior's variance (docs/statistics.md).
LEAST_SPREAD, PRIOR = 0.0015, 100.0
# Further than this no run is prolonged.
FURTHEST = 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("tare", type=pathlib.Path, nargs="+")
    parser.add_argument("--case", default="doubling/one-core")
    parser.add_argument("--only", help="contenders, as tare's --only")
    parser.add_argument("--width", type=float, default=0.05, help="the half width to reach, as a log ratio")
    parser.add_argument("--budget", default="5m", help="of each run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each build")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--lab", type=pathlib.Path, nargs="+", default=[LAB], help="whose workloads are run: one, or one for each TARE")
    args = parser.parse_args()
    builds = [tare.resolve() for tare in args.tare]
    if len(args.lab) not in (1, len(builds)):
        parser.error(f"{len(args.lab)} labs for {len(builds)} builds: one, or one for each")
    sources = args.lab * len(builds) if len(args.lab) == 1 else args.lab
    labs = [copied(lab, args.out.resolve() / str(number)) for number, lab in enumerate(sources, 1)]
    print(f"seed {args.seed}: {args.case} until ±{100 * args.width:g}%, {args.rounds} runs of each build")
    for number, tare in enumerate(builds, 1):
        print(f"build {number}: {tare}")
    rng, found = random.Random(args.seed), [[] for _ in builds]
    for _ in range(args.rounds):
        for number in rng.sample(range(len(builds)), len(builds)):
            one = measured(builds[number], labs[number], args, rng.randrange(2**32))
            found[number].append(one)
            tell(number + 1, one)
    summary(found)


def copied(lab, out):
    """A lab of its own, so that its runs do not end up among others."""
    out.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        if (lab / part).is_dir():
            shutil.copytree(lab / part, out / part, dirs_exist_ok=True)
    return out


def measured(tare, lab, args, seed):
    command = [str(tare), "run", args.case, "-C", str(lab), "--margin", "0", "--budget", args.budget, "--seed", str(seed),
               "--format", "json", "-q"] + (["--only", args.only] if args.only else [])
    document = json.loads(output(command))
    run = document["run"]
    slices = output([str(tare), "report", run["id"], "-C", str(lab), "--format", "slices"])
    ends = launch_ends(csv.DictReader(io.StringIO(slices)), run["took"])
    pairs = [(pair["centres"], pair["alpha"]) for pair in document["workloads"][0]["comparisons"] if pair["primary"]]
    if not pairs:
        sys.exit(f"`{' '.join(command)}` compared nothing: name contenders that this machine has with --only")
    reached, launches, prolonged = until(args.width, pairs, ends)
    phases = {phase["name"]: phase["seconds"] for phase in run["phases"]}
    return {"reached": reached, "launches": launches, "prolonged": prolonged, "took": ends[-1], "phases": phases,
            "made": len(ends), "each": ends[-1] / len(ends)}


def output(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def launch_ends(rows, took):
    """When each launch ended, in seconds since the run began: when the next one's first slice began; for the last one, the end
    of the run. So that a launch has the starts of the next, and the first run's own start counts with the first."""
    first = {}
    for row in rows:
        number, began = int(row["launch"]), float(row["began"])
        first[number] = min(began, first.get(number, math.inf))
    begins = [first[number] for number in sorted(first)]
    return [*begins[1:], took]


def until(width, pairs, ends):
    """When the median half width was at most that, after how many launches, and whether that is a prediction."""
    for launches in range(1, len(ends) + 1):
        widths = [half_width(centres[:launches], launches, alpha) for centres, alpha in pairs]
        if statistics.median(widths) <= width:
            return ends[launches - 1], launches, False
    # What follows takes as long as what was, the first launch aside, which is the longest.
    each = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else ends[-1]
    for launches in range(len(ends) + 1, FURTHEST):
        widths = [half_width(centres, launches, alpha) for centres, alpha in pairs]
        if statistics.median(widths) <= width:
            return ends[-1] + each * (launches - len(ends)), launches, True
    return math.inf, FURTHEST, True


def half_width(centres, launches, alpha):
    """Of the interval after so many launches with the spread of these centres, as a log ratio."""
    if len(centres) < 2:
        return math.inf
    spread = math.sqrt(statistics.variance(map(math.log, centres)) + LEAST_SPREAD**2)
    return spread * radius(launches, alpha)


def radius(n, alpha):
    """In standard deviations: docs/statistics.md, "Across launches"."""
    r = (math.sqrt(1 + n * PRIOR) / alpha) ** (2 / n)
    if r >= 1 + n * PRIOR:
        return math.inf
    return math.sqrt((n - 1) * (r - 1) / (1 - r / (1 + n * PRIOR)) / n)


def tell(number, one):
    whole = sum(one["phases"].values())
    phases = ", ".join(f"{name} {100 * seconds / whole:.0f}%" for name, seconds in one["phases"].items() if whole)
    print(f"build {number}: {seconds(one)} after {one['launches']} launches; made {one['made']} in {one['took']:.0f} s, "
          f"{one['each']:.1f} s each: {phases}", flush=True)


def seconds(one):
    return f"{'~' if one['prolonged'] else ''}{one['reached']:.0f} s"


def summary(found):
    for number, runs in enumerate(found, 1):
        times = sorted(one["reached"] for one in runs)
        print(f"build {number}: until the width {statistics.median(times):.0f} s ({times[0]:.0f}–{times[-1]:.0f}), "
              f"{sum(one['prolonged'] for one in runs)} of {len(runs)} predicted")
    for number, runs in enumerate(found[1:], 2):
        ratios = sorted(one["reached"] / first["reached"] for one, first in zip(runs, found[0]))
        print(f"build {number} over build 1: {statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
