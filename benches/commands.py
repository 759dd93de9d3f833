#!/usr/bin/env python3
"""`tare time` held against hyperfine, against a known truth, and against nothing.

Usage: benches/commands.py TARE OUT [help] [overhead] [slower] [twins]
           [--runs 200]                                  help
           [--pairs 20] [--runs 200] [--millis 5]        overhead
           [--trials 10] [--percent 2] [--budget 1m]     slower: a command of 50 ms and one that works longer
           [--twins 200] [--twins-budget 10s]            twins: one command against itself
           [--seed 1]

All commands but those of `help` are one program that spins for a number of rounds of a chain that no compiler can shorten;
what a round costs is measured here first. Needs a C compiler, and hyperfine for `overhead` (Debian: apt install hyperfine).

help: how long `tare --help` takes, beside `true` started in the same way, in interleaved rounds of `tare time -N`, and again
by hyperfine where there is one; against the aim of 10 ms. Of a release build on a quiet machine; told, never judged.
overhead: `hyperfine -N` and `tare time -N` time the same command, one right after the other, in random order. Told are
the ratio of the medians that they found, pair by pair, and what each run took beside the command (the whole
invocation's time, less the command's own, by the number of runs).
slower, twins: with `--margin 0`. Told are how often and how soon a difference was found; in the twins each is false.
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
    parser.add_argument("what", nargs="*", choices=["help", "overhead", "slower", "twins"], default=["overhead", "slower"])
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--millis", type=float, default=5)
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--percent", type=float, default=2)
    parser.add_argument("--budget", default="1m")
    parser.add_argument("--twins", type=int, default=200)
    parser.add_argument("--twins-budget", default="10s")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "workloads").mkdir(exist_ok=True)
    args.tare = args.tare.resolve()
    print(f"seed {args.seed}")
    random.seed(args.seed)
    if args.what == ["help"]:
        return help_time(args)
    args.spin = (args.out / "spin").resolve()
    source = args.out / "spin.c"
    source.write_text(SPIN)
    subprocess.run(["cc", "-O2", "-o", args.spin, source], check=True)
    args.round = seconds_a_round(args.spin)
    print(f"a round of the spinning chain takes {args.round * 1e9:.2f} ns")
    for what in args.what:
        {"help": help_time, "overhead": overhead, "slower": slower, "twins": twins}[what](args)


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
    """Of each tool: the median of tare's own runs, that of `true`, and what lies between."""
    commands = [f"{args.tare} --help", "true"]
    tools = {"tare time -N": [args.tare, "time", "-N", "-q", "-C", args.out, "--names", "help,true", "--export-hyperfine"]}
    if shutil.which("hyperfine"):
        # One after the other, as it does: so beside tare's, and not in its place.
        tools["hyperfine -N"] = ["hyperfine", "-N", "--warmup", "5", "--style", "none", "--export-json"]
    for tool, words in tools.items():
        path = args.out / f"help-{tool.split()[0]}.json"
        subprocess.run([*words, path, "--runs", str(args.runs), *commands], check=True, stdout=subprocess.DEVNULL)
        own, nothing = json.loads(path.read_text())["results"]
        told = [f"{one['median'] * 1e3:.2f} ms ({one['min'] * 1e3:.2f} to {one['max'] * 1e3:.2f})" for one in (own, nothing)]
        verdict = "within" if own["median"] <= AIM else "NOT within"
        print(f"help, by {tool}, {len(own['times'])} runs: `tare --help` {told[0]}, `true` {told[1]}; "
              f"{(own['median'] - nothing['median']) * 1e3:.2f} ms above it, {verdict} the aim of {AIM * 1e3:.0f} ms", flush=True)


def overhead(args):
    text = command(args, args.millis)
    ratios, beside = [], {"hyperfine": [], "tare": []}
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
                words = [args.tare, "time", "-N", "--warmup", "1", "--runs", str(args.runs), "-q", "-C", args.out,
                         "--export-hyperfine", path, text]
            began = time.perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            whole = time.perf_counter() - began
            result = json.loads(path.read_text())["results"][0]
            medians[tool] = result["median"]
            beside[tool].append((whole - sum(result["times"])) / args.runs)
        ratios.append(math.log(medians["tare"] / medians["hyperfine"]))
        print(f"pair {pair + 1}: hyperfine {medians['hyperfine'] * 1e3:.4f} ms, tare {medians['tare'] * 1e3:.4f} ms")
    middle, spread = statistics.mean(ratios), statistics.stdev(ratios) / math.sqrt(len(ratios))
    print(f"overhead: tare's median over hyperfine's {math.exp(middle):.4f}, standard error {spread * 100:.2f}%; "
          f"that is {(math.exp(middle) - 1) * args.millis * 1e3:+.0f} µs a run of {args.millis:g} ms")
    for tool, values in beside.items():
        note = " (a run of the do-nothing process with each)" if tool == "tare" else ""
        print(f"  beside the command, {tool}: {statistics.median(values) * 1e6:.0f} µs a run{note}")


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
    print(f"slower: {found} of {args.trials} found within {args.budget}")


def twins(args):
    text = command(args, 50)
    false = 0
    for trial in range(args.twins):
        _, comparisons = tare(args, f"twins-{trial}", text, text, "-N", "--names", "one,two", "--margin", "0",
                              "--budget", args.twins_budget, "--seed", str(args.seed + trial))
        c = comparisons[0]
        false += c["verdict"] != "undecided"
        print(f"twins {trial + 1}: ratio {c['ratio']:.4f} [{c['low']}, {c['high']}] {c['verdict']}; "
              f"false so far {false}", flush=True)
    print(f"twins: {false} false verdicts in {args.twins} (at most 18 in 200 are to be)")


if __name__ == "__main__":
    main()
