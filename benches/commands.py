#!/usr/bin/env python3
"""`tare time` held against hyperfine, against a known truth, and against nothing.

Usage: benches/commands.py TARE OUT [help] [overhead] [slower] [aa]
           [--runs 200]                                  help
           [--pairs 20] [--runs 200] [--millis 5]        overhead
           [--trials 10] [--percent 2] [--budget 1m]     slower: a command of 50 ms and one that works longer
           [--aa 200] [--aa-budget 10s]                  aa: one command against itself
           [--seed 1]

All commands but those of `help` are one program that spins for a number of rounds of a chain that no compiler can shorten;
what a round costs is measured here first. Needs a C compiler, and hyperfine for `overhead` (Debian: apt install hyperfine).

Of a release build, on a quiet machine. It ends with 1 where one of these does not hold:

help: `tare --help` takes at most 10 ms (median), as `tare time -N` finds it in interleaved rounds with `true`, and as
hyperfine does, where there is one.
overhead: `hyperfine -N` and `tare time -N` time the same command, one right after the other, in random order. The median
that tare found must not surely be above hyperfine's: the mean ratio of the pairs, less three standard errors, at most 1.
Told, too, is what each run took beside the command (the whole invocation's time, less the command's own, by the number of
runs); with tare that holds a run of the process that does nothing, which is told by itself.
slower: with `--margin 0`, in at least nine of ten trials the longer one is found to be slower within the budget.
aa: with `--margin 0`, where each verdict is false: at most 18 in 200, which is 9% of any other number, rounded down, and
one at the least.
Every results document is kept under OUT.
"""
import argparse, json, math, pathlib, random, shutil, statistics, subprocess, sys, time

SPIN = """
#include <stdlib.h>
int main(int argc, char **argv) {
    volatile unsigned long x = 88172645463325252UL;
    for (unsigned long n = argc > 1 ? strtoul(argv[1], 0, 10) : 0; n--;) {
        unsigned long y = x; y ^= y << 13; y ^= y >> 7; y ^= y << 17; x = y;
    }
    return 0;
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("what", nargs="*", choices=["help", "overhead", "slower", "aa"], default=["overhead", "slower"])
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--millis", type=float, default=5)
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--percent", type=float, default=2)
    parser.add_argument("--budget", default="1m")
    parser.add_argument("--aa", type=int, default=200)
    parser.add_argument("--aa-budget", default="10s")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "workloads").mkdir(exist_ok=True)
    args.tare = args.tare.resolve()
    print(f"seed {args.seed}")
    random.seed(args.seed)
    if args.what == ["help"]:
        return judged({"help": help_time(args)})
    args.spin = (args.out / "spin").resolve()
    source = args.out / "spin.c"
    source.write_text(SPIN)
    subprocess.run(["cc", "-O2", "-o", args.spin, source], check=True)
    args.round = seconds_a_round(args.spin)
    print(f"a round of the spinning chain takes {args.round * 1e9:.2f} ns")
    parts = {"help": help_time, "overhead": overhead, "slower": slower, "aa": aa}
    judged({what: parts[what](args) for what in args.what})


def judged(held):
    """Says what did not hold, and ends with it."""
    failed = [what for what, holds in held.items() if not holds]
    sys.exit(f"beyond the limit: {', '.join(failed)}" if failed else 0)


def seconds_a_round(spin):
    """The least of some runs: what the program takes when nothing disturbs it."""
    def took(rounds):
        began = time.perf_counter()
        subprocess.run([spin, str(rounds)], check=True)
        return time.perf_counter() - began
    few, many = 1_000_000, 21_000_000
    return (min(took(many) for _ in range(9)) - min(took(few) for _ in range(9))) / (many - few)


def command(args, millis):
    return f"{args.spin} {round(millis / 1e3 / args.round)}"


def tare(args, name, *words):
    path = args.out / f"{name}.json"
    run = subprocess.run([args.tare, "time", *words, "--export-json", path, "-q", "-C", args.out],
                         stdout=subprocess.DEVNULL)
    if run.returncode != 0:
        sys.exit(f"tare ended with {run.returncode}")
    document = json.loads(path.read_text())
    workload = document["workloads"][0]
    return document, [c for c in workload["comparisons"] if c["metric"] == "duration"]


AIM = 0.010


def help_time(args):
    """Of each tool: the median of tare's own runs, that of `true`, and what lies between; whether all are within the aim."""
    commands = [f"{args.tare} --help", "true"]
    tools = {"tare time -N": [args.tare, "time", "-N", "-q", "-C", args.out, "--names", "help,true", "--export-hyperfine"]}
    if shutil.which("hyperfine"):
        # One after the other, as it does: so beside tare's, and not in its place.
        tools["hyperfine -N"] = ["hyperfine", "-N", "--warmup", "5", "--style", "none", "--export-json"]
    holds = True
    for tool, words in tools.items():
        path = args.out / f"help-{tool.split()[0]}.json"
        subprocess.run([*words, path, "--runs", str(args.runs), *commands], check=True, stdout=subprocess.DEVNULL)
        own, nothing = json.loads(path.read_text())["results"]
        told = [f"{one['median'] * 1e3:.2f} ms ({one['min'] * 1e3:.2f} to {one['max'] * 1e3:.2f})" for one in (own, nothing)]
        within = own["median"] <= AIM
        holds = holds and within
        verdict = "within" if within else "NOT within"
        print(f"help, by {tool}, {len(own['times'])} runs: `tare --help` {told[0]}, `true` {told[1]}; "
              f"{(own['median'] - nothing['median']) * 1e3:.2f} ms above it, {verdict} the aim of {AIM * 1e3:.0f} ms", flush=True)
    return holds


def nothing_in(path):
    """Seconds that a run of the process that does nothing took, from a results document."""
    workload = json.loads(path.read_text())["workloads"][0]
    return next(c["spread"]["mean"] for c in workload["contenders"] if c["id"] == workload["floor"])


def overhead(args):
    text = command(args, args.millis)
    ratios, beside, nothing = [], {"hyperfine": [], "tare": []}, []
    for pair in range(args.pairs):
        medians = {}
        tools = ["hyperfine", "tare"]
        random.shuffle(tools)
        for tool in tools:
            path = args.out / f"overhead-{pair}-{tool}.json"
            if tool == "hyperfine":
                words = ["hyperfine", "-N", "--warmup", "1", "--runs", str(args.runs), "--style", "none",
                         "--export-json", path, text]
            else:
                document = path.with_name(f"overhead-{pair}-results.json")
                words = [args.tare, "time", "-N", "--warmup", "1", "--runs", str(args.runs), "-q", "-C", args.out,
                         "--export-hyperfine", path, "--export-json", document, text]
            began = time.perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            whole = time.perf_counter() - began
            result = json.loads(path.read_text())["results"][0]
            medians[tool] = result["median"]
            beside[tool].append((whole - sum(result["times"])) / args.runs)
            if tool == "tare":
                nothing.append(nothing_in(document))
        ratios.append(math.log(medians["tare"] / medians["hyperfine"]))
        print(f"pair {pair + 1}: hyperfine {medians['hyperfine'] * 1e3:.4f} ms, tare {medians['tare'] * 1e3:.4f} ms")
    middle, spread = statistics.mean(ratios), statistics.stdev(ratios) / math.sqrt(len(ratios))
    print(f"overhead: tare's median over hyperfine's {math.exp(middle):.4f}, standard error {spread * 100:.2f}%; "
          f"that is {(math.exp(middle) - 1) * args.millis * 1e3:+.0f} µs a run of {args.millis:g} ms")
    for tool, values in beside.items():
        own = f", of which {statistics.median(nothing) * 1e6:.0f} µs are the run of the do-nothing process that goes with it"
        print(f"  beside the command, {tool}: {statistics.median(values) * 1e6:.0f} µs a run{own if tool == 'tare' else ''}")
    return middle - 3 * spread <= 0


def slower(args):
    one, two = command(args, 50), command(args, 50 * (1 + args.percent / 100))
    found = 0
    for trial in range(args.trials):
        began = time.perf_counter()
        document, comparisons = tare(args, f"slower-{trial}", one, two, "-N", "--names", "one,two", "--margin", "0",
                                     "--budget", args.budget, "--seed", str(args.seed + trial))
        c = comparisons[0]
        found += c["verdict"] == "slower"
        print(f"trial {trial + 1}: ratio {c['ratio']:.4f} [{c['low']}, {c['high']}] {c['verdict']} after "
              f"{c['rounds']} rounds, {time.perf_counter() - began:.0f} s; truth {1 + args.percent / 100:.3f} and less "
              f"of what is beside the spinning", flush=True)
    print(f"slower: {found} of {args.trials} found within {args.budget} (at least nine of ten are to be)")
    return found * 10 >= args.trials * 9


def aa(args):
    text = command(args, 50)
    false = 0
    for trial in range(args.aa):
        _, comparisons = tare(args, f"aa-{trial}", text, text, "-N", "--names", "one,two", "--margin", "0",
                              "--budget", args.aa_budget, "--seed", str(args.seed + trial))
        c = comparisons[0]
        false += c["verdict"] != "inconclusive"
        print(f"aa {trial + 1}: ratio {c['ratio']:.4f} [{c['low']}, {c['high']}] {c['verdict']}; "
              f"false so far {false}", flush=True)
    most = max(1, args.aa * 18 // 200)
    print(f"aa: {false} false verdicts in {args.aa} (at most {most} are to be)")
    return false <= most


if __name__ == "__main__":
    main()
