#!/usr/bin/env python3
"""An A/A test on this machine: the same program entered twice, or once with extra CPU per operation.

Usage: benches/aa.py TARE LAB OUT [--runs 20] [--budget 75s] [--margin 0] [--burn ROUNDS] [--launches N]
                       [--rounds N] [--rate R]

Makes a lab in the folder OUT whose two contenders are copies of LAB's floor of `doubling`. With --burn one of them
spins before each answer; what that costs is measured here, by the CPU clock of a process that does only that. Runs
`tare run` so many times and keeps each results document under OUT. Prints, per run, the ratio, its interval and the
verdict at margins 0 and 1%, both read from the same interval, which holds at every margin; then the sums.
"""
import argparse, json, pathlib, shutil, subprocess, sys

WORKLOAD = """schema = 1
summary = "integers in, one a line; their doubles out"
job = { kind = "doubling" }
[cases.aa]
summary = "two of the same"
placement = "one-core"
baseline = "one"
modes = ["cost"]
[modes.cost]
primary = "cpu_per_op"
connections = 32
depth = 1
"""

# Spins between reading and answering, for a number of rounds of a chain that no compiler can shorten.
BURN = """
static void burn(unsigned long rounds) {
    volatile unsigned long x = 88172645463325252UL;
    while (rounds--) { unsigned long y = x; y ^= y << 13; y ^= y >> 7; y ^= y << 17; x = y; }
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("lab", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--budget", default="75s")
    parser.add_argument("--margin", default="0")
    parser.add_argument("--burn", type=int, default=0, help="rounds of the spinning chain before each answer")
    parser.add_argument("--launches", type=int)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--rate", type=float)
    args = parser.parse_args()
    make_lab(args)
    burnt = seconds_burnt(args) if args.burn else 0.0
    if args.burn:
        print(f"each answer of `two` spins for {burnt * 1e9:.1f} ns of CPU")
    sums = {"distinguishable at margin 0": 0, "equivalent at 1%": 0, "inconclusive at 1%": 0, "beyond 1%": 0}
    for number in range(args.runs):
        document = run(args, number)
        workload = document["workloads"][0]
        found = [c for c in workload["comparisons"] if c["metric"] == workload["primary"]][0]
        low, high = found["low"], found["high"]
        zero, one = judge(low, high, 0.0), judge(low, high, 0.01)
        sums["distinguishable at margin 0"] += zero != "inconclusive"
        key = {"equivalent": "equivalent at 1%", "inconclusive": "inconclusive at 1%"}.get(one, "beyond 1%")
        sums[key] += 1
        figures = {c["name"]: c["metrics"]["cpu_per_op"]["estimate"] for c in workload["contenders"]}
        truth = f"truth about {1 + burnt / figures['one']:.4f}; " if args.burn else ""
        print(f"run {number + 1}: {truth}ratio {found['ratio']:.4f} [{low}, {high}] launches {found['launches']} "
              f"took {document['run']['took']:.0f} s; margin 0: {zero}; margin 1%: {one}; "
              f"CPU {figures['one'] * 1e6:.3f} and {figures['two'] * 1e6:.3f} µs", flush=True)
    print(f"{args.runs} runs: " + ", ".join(f"{name}: {count}" for name, count in sums.items()))


def judge(low, high, margin):
    if low is None or high is None:
        return "inconclusive"
    least, most = 1 / (1 + margin), 1 + margin
    if low > most:
        return "slower"
    if high < least:
        return "faster"
    return "equivalent" if least <= low and high <= most and margin > 0 else "inconclusive"


def make_lab(args):
    lab = args.out / "lab"
    shutil.rmtree(lab, ignore_errors=True)
    shutil.copytree(args.lab / "languages", lab / "languages")
    (lab / "workloads/aa").mkdir(parents=True)
    (lab / "workloads/aa/workload.toml").write_text(WORKLOAD)
    source = args.lab / "workloads/doubling/contenders/c-epoll"
    for name in ("one", "two"):
        folder = lab / "workloads/aa/contenders" / name
        shutil.copytree(source, folder)
        manifest = 'schema = 1\nlanguage = "c"\nsummary = "one of two copies"\nstyle = "floor"\n'
        (folder / "contender.toml").write_text(manifest)
        if name == "two" and args.burn:
            text = (folder / "main.c").read_text()
            answering = "out = answer(out, *in, len);"
            if text.count(answering) != 1:
                sys.exit(f"{source / 'main.c'} does not answer at one place (`{answering}`)")
            after_includes = text.index("\n", text.rindex("#include")) + 1
            text = text[:after_includes] + BURN + text[after_includes:]
            (folder / "main.c").write_text(text.replace(answering, f"burn({args.burn}UL); {answering}"))


def seconds_burnt(args):
    """CPU seconds that one answer's spinning takes, by the clock of a process that does nothing else."""
    program = "#include <stdio.h>\n#include <time.h>\n" + BURN + """
int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int i = 0; i < 2000000; i++) burn(ROUNDS);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%.15f\\n", ((b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9) / 2e6);
}
"""
    binary = args.out / "burn"
    command = ["cc", "-O2", f"-DROUNDS={args.burn}UL", "-x", "c", "-", "-o", str(binary)]
    subprocess.run(command, input=program, text=True, check=True)
    return float(subprocess.run([str(binary)], stdout=subprocess.PIPE, check=True).stdout)


def run(args, number):
    command = [str(args.tare), "run", "aa", "-C", str(args.out / "lab"), "--format", "json", "-q",
               "--budget", args.budget, "--margin", args.margin, "--seed", str(1000 + number)]
    for name in ("launches", "rounds", "rate"):
        if (value := getattr(args, name)) is not None:
            command += [f"--{name}", str(value)]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}")
    (args.out / f"run-{number + 1:02}.json").write_bytes(done.stdout)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
