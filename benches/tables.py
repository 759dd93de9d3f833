#!/usr/bin/env python3
"""The calibration of the statistics at full size, as the tables of docs/method.md.

Usage: benches/tables.py [PRINTED]

Runs the long calibration (a few minutes; the seed is fixed, so its numbers are the same on every machine), or reads what
it PRINTED before, such as docs/calibration.txt. Prints the tables as they stand in docs/method.md, with the coverage at the
last look, which is not there for want of room. Exits with 1 where an upper 99% bound at α = 5% is over 5%.
"""
import pathlib, re, subprocess, sys

LAB = pathlib.Path(__file__).resolve().parent.parent
COMMAND = ["cargo", "test", "--release", "-p", "tare-stats", "--", "--ignored", "--nocapture", "--test-threads=1"]
NAMES = {"gaussian": "Gaussian", "bursts": "bursts of 4 slices, 15% of the time", "machine-drift": "a machine that wanders, AR 0.97",
         "steal": "a hypervisor that takes time", "pauses": "pauses of the contender's own",
         "attached-drift": "good and bad moments of its own, AR 0.8", "student-2": "Student's t with 2 degrees of freedom"}
SETTING = re.compile(r"(?P<noise>\S+)\s+(?P<starts>gaussian|two-valued|heavy-tailed)\s+σ\s+(?P<sigma>[\d.]+)% effect (?P<effect>[\d.]+)%")
TRUTH = re.compile(r"truth\s+(?P<truth>[\d.]+)% α\s+(?P<alpha>[\d.]+)%")
MISSED = re.compile(r"missed\s+(?P<missed>[\d.]+)% \(≤ (?P<bound>[\d.]+)%\)\s+false\s+(?P<false>[\d.]+)%\s+covered\s+(?P<covered>[\d.]+)%")
SOON = re.compile(r"(?P<unit>epochs|rounds) to verdict: 10% (?P<tenth>\S+) half (?P<half>\S+) 90% (?P<most>\S+)")
SIZES = re.compile(r"fixed ([\d.]+)%\s+per unit ([\d.]+)%\s+Δ fixed ([\d.]+)%\s+Δ per unit ([\d.]+)%\s+break-even ([\d.]+)%\s+"
                   r"cheaper ([\d.]+)%")


def main():
    if len(sys.argv) > 1:
        text = pathlib.Path(sys.argv[1]).read_text()
    else:
        text = subprocess.run(COMMAND, cwd=LAB, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = list(parsed(text))
    bounds = [row["bound"] for row in rows if row.get("alpha") == 5.0 and "bound" in row]
    over_epochs(rows)
    over_rounds(rows)
    soon(rows, "epochs", 40)
    soon(rows, "rounds", 1000)
    over_sizes(rows)
    worst = max(bounds)
    print(f"\n{len(bounds)} settings at α = 5%: the largest upper bound is {worst:.2f}%")
    return 0 if worst <= 5.0 else 1


def parsed(text):
    """A row for each line of results, with the name of its test."""
    test = ""
    for line in text.splitlines():
        if found := re.match(r"test (\S+) \.\.\. (.*)", line):
            test, line = found.groups()
        if not (setting := SETTING.match(line)):
            continue
        row = {"test": test, **setting.groupdict()}
        for pattern in (TRUTH, MISSED, SOON):
            if found := pattern.search(line):
                row |= found.groupdict()
        if found := SIZES.search(line):
            row["sizes"] = [float(share) for share in found.groups()]
        numbers = ("truth", "alpha", "missed", "bound", "false", "covered")
        yield row | {name: float(row[name]) for name in numbers if name in row}


def of(rows, test, **wanted):
    return [row for row in rows if row["test"] == test and all(row.get(key) == value for key, value in wanted.items())]


def noises(rows):
    return list(dict.fromkeys(row["noise"] for row in rows))


def worst(rows, key):
    return f"{max(row[key] for row in rows):.2f}%" if rows else "–"


def over_epochs(rows):
    print("| noise of a slice | ever missed | upper bound | at α = 0.5% | false verdict at the margin | covered at the last look, at least |")
    print("|---|---|---|---|---|---|")
    for noise in noises(of(rows, "long_form_over_epochs")):
        five = of(rows, "long_form_over_epochs", noise=noise, alpha=5.0)
        half = of(rows, "long_form_over_epochs", noise=noise, alpha=0.5)
        margin = of(rows, "long_form_at_the_margin", noise=noise)
        print(f"| {NAMES.get(noise, noise)} | {worst(five, 'missed')} | {worst(five, 'bound')} | {worst(half, 'missed')} | "
              f"{worst(margin, 'false')} | {min(row['covered'] for row in five):.2f}% |")


def over_rounds(rows):
    print("\n| noise, one epoch | ever missed | upper bound | at α = 0.5% | covered at the last look, at least |\n|---|---|---|---|---|")
    for noise in noises(of(rows, "long_form_over_rounds")):
        five = of(rows, "long_form_over_rounds", noise=noise, alpha=5.0)
        half = of(rows, "long_form_over_rounds", noise=noise, alpha=0.5)
        print(f"| {NAMES.get(noise, noise)} | {worst(five, 'missed')} | {worst(five, 'bound')} | {worst(half, 'missed')} | "
              f"{min(row['covered'] for row in five):.2f}% |")


def soon(rows, unit, most):
    some = [row for row in rows if row.get("unit") == unit]
    truths = sorted({row["truth"] for row in some} - {0.0})
    print(f"\n{unit} until a true difference is told: one run in ten / half / nine in ten; a dash: not within {most}\n")
    print("| noise | " + " | ".join(f"{truth:g}%" for truth in truths) + " |\n|---|" + "---|" * len(truths))
    for noise in noises(some):
        cells = []
        for truth in truths:
            row = next((row for row in some if row["noise"] == noise and row["truth"] == truth), None)
            cells.append(" / ".join(row[key] for key in ("tenth", "half", "most")).replace("—", "–") if row else "–")
        print(f"| {NAMES.get(noise, noise)} | " + " | ".join(cells) + " |")


def over_sizes(rows):
    some = [row for row in rows if "sizes" in row]
    if not some:
        return
    print("\n| noise, over sizes | a | b | Δa | Δb | break-even | the wrong one called cheaper |\n|---|---|---|---|---|---|---|")
    for noise in noises(some):
        columns = zip(*(row["sizes"] for row in some if row["noise"] == noise))
        print(f"| {NAMES.get(noise, noise)} | " + " | ".join(f"{max(column):.2f}%" for column in columns) + " |")


if __name__ == "__main__":
    sys.exit(main())
