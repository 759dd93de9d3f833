#!/usr/bin/env python3
"""How fast and how truly a pair in process is distinguishable, with a truth that is known by construction.

Usage: benches/pair.py TARE OUT [--tries 10] [--same 10] [--units 400] [--budget 60s] [--same-rounds 200]
                       [--languages FOLDER]

Makes a lab in the folder OUT with three probes in C, all of which do so many units of the same chain of arithmetic an
iteration: `one` and `same` --units of them, `more` one in a hundred more. Then, with --margin 0 and one launch, runs
`tare run` on the pair of one and more (--tries times) and on the pair of one and same (--same times, --same-rounds
rounds each). Prints, per try, the ratio, its interval, the verdict, and the measured time: slices and pilots, warm-ups apart. At the end: how many of
the first were distinguishable rightly within 2 s, and how many of the second were distinguishable at all. Exits with 1 where
fewer than nine in ten of the first were, or more than 3 in 40 of the second (of a number so small that this allows none,
more than one).
"""
import argparse, json, pathlib, shutil, subprocess, sys

WORKLOAD = """schema = 1
summary = "units of arithmetic, one after the other"
job = { kind = "probe", reference = "reference.txt" }
[cases.apart]
summary = "one does a hundredth more"
placement = "one-core"
baseline = "one"
[cases.alike]
summary = "both do the same"
placement = "one-core"
baseline = "one"
[modes.capacity]
primary = "time_per_op"
"""

CONTENDER = """schema = 1
language = "c"
summary = "{units} units an iteration"
style = "floor"
cases = {cases}
build = [["{{cc}}", "-O2", "-DUNITS={units}", "-o", "{{out}}/probe", "probe.c"]]
run = ["{{out}}/probe"]
"""

# Each unit needs the result of the one before, and the loop's trip count is opaque, so that no compiler shortens it.
# The result says only the input's number: it is the same whatever the units, and the chain is kept by a volatile.
SOURCE = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define INPUTS 8

static volatile uint64_t kept;
static volatile int units = UNITS;

static uint64_t work(uint64_t input) {
    uint64_t x = input + 88172645463325252u;
    for (int left = units; left > 0; left--) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    kept = x;
    return input;
}

static uint32_t term(uint64_t result) {
    uint32_t first = (uint32_t)result, last = (uint32_t)(result >> 32);
    return 8 * 2654435761u + first * 2246822519u + last * 3266489917u;
}

int main(void) {
    char line[256];
    uint64_t n;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "run %lu", &n) == 1) {
            struct timespec from, to;
            uint32_t sum = 0;
            clock_gettime(CLOCK_MONOTONIC, &from);
            for (uint64_t i = 0; i < n; i++)
                sum += term(work(i % INPUTS));
            clock_gettime(CLOCK_MONOTONIC, &to);
            long long nanos = (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
            printf("ok %lld %u\n", nanos, sum);
        } else if (sscanf(line, "show %lu", &n) == 1) {
            printf("ok %02x00000000000000\n", (unsigned)work(n % INPUTS));
        } else {
            printf("error unknown command\n");
        }
        fflush(stdout);
    }
    return 0;
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--languages", type=pathlib.Path, default=pathlib.Path(__file__).parents[1] / "languages")
    parser.add_argument("--tries", type=int, default=10, help="runs of the pair that differs by 1%%")
    parser.add_argument("--same", type=int, default=10, help="runs of the pair that does not differ")
    parser.add_argument("--units", type=int, default=400, help="units of work an iteration, a multiple of 100")
    parser.add_argument("--budget", default="60s")
    parser.add_argument("--same-rounds", type=int, default=200, help="rounds of each run of the pair that is alike")
    args = parser.parse_args()
    if args.units <= 0 or args.units % 100:
        sys.exit("--units must be a multiple of 100, so that a hundredth more can be done")
    make_lab(args)
    apart = [run(args, "apart", number, []) for number in range(args.tries)]
    alike = [run(args, "alike", number, ["--rounds", str(args.same_rounds)]) for number in range(args.same)]
    soon = sum(one["verdict"] == "slower" and one["seconds"] <= 2 for one in apart)
    false = sum(one["verdict"] != "inconclusive" for one in alike)
    print(f"1% apart: {soon} of {args.tries} told rightly within 2 s of measured time; "
          f"alike: {false} of {args.same} distinguishable")
    sys.exit(soon * 10 < 9 * args.tries or false > allowed(args.same))


def allowed(runs):
    """How many runs of two that are the same may be distinguishable."""
    return max(1, runs * 3 // 40)


def make_lab(args):
    lab = args.out / "lab"
    shutil.rmtree(lab, ignore_errors=True)
    folder = lab / "workloads/pair"
    folder.mkdir(parents=True)
    shutil.copytree(args.languages, lab / "languages")
    (folder / "workload.toml").write_text(WORKLOAD)
    (folder / "reference.txt").write_text("".join(f"{number:02x}00000000000000\n" for number in range(8)))
    more = args.units + args.units // 100
    all_of_them = {"one": (args.units, ["apart", "alike"]), "same": (args.units, ["alike"]), "more": (more, ["apart"])}
    for name, (units, cases) in all_of_them.items():
        contender = folder / "contenders" / name
        contender.mkdir(parents=True)
        manifest = CONTENDER.format(units=units, cases=json.dumps(cases))
        (contender / "contender.toml").write_text(manifest)
        (contender / "probe.c").write_text(SOURCE)


def run(args, case, number, more):
    command = [str(args.tare), "run", f"pair/{case}", "-C", str(args.out / "lab"), "--format", "json", "-q",
               "--launches", "1", "--margin", "0", "--budget", args.budget, "--seed", str(1000 + number), *more]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}")
    (args.out / f"{case}-{number + 1:02}.json").write_bytes(done.stdout)
    document = json.loads(done.stdout)
    workload = document["workloads"][0]
    found = [c for c in workload["comparisons"] if c["metric"] == workload["primary"]]
    if not found:
        states = {c["id"]: c["state"] for c in workload["contenders"]}
        print(f"{case} {number + 1}: nothing was compared: {states}", flush=True)
        return {"verdict": "inconclusive", "seconds": float("inf")}
    found = found[0]
    # Every slice of rounds and pilots: what `report --format slices` lists of them.
    slices = subprocess.run([str(args.tare), "report", "--format", "slices", "-C", str(args.out / "lab")],
                            stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    columns = slices[0].split(",")
    phase, wall = columns.index("phase"), columns.index("wall")
    rows = [line.split(",") for line in slices[1:]]
    seconds = sum(float(row[wall]) for row in rows if row[phase] != "warm-up")
    pilots = sum(row[phase] == "pilot" for row in rows)
    print(f"{case} {number + 1}: ratio {found['ratio']:.4f} [{found['low']}, {found['high']}] {found['verdict']} after "
          f"{found['rounds']} rounds and {pilots} pilot slices, {seconds:.2f} s measured", flush=True)
    return {"verdict": found["verdict"], "seconds": seconds}


if __name__ == "__main__":
    main()
