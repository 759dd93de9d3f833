#!/usr/bin/env python3
"""The calibration of the statistics at full size, as the tables of docs/validation.md.

Usage: benches/tables.py [PRINTED] [--write | --check]

Runs the long calibration (some minutes; the seed is fixed, so its numbers are the same but for what a processor's last bits
can turn), or reads what it PRINTED before, such as docs/calibration.txt. Prints the tables. With --write they take the place
of those in docs/validation.md, between its marks, and its results that of docs/calibration.txt; with --check it exits with 1
where either has others, by more than that. Exits with 1, too, where an upper 99% bound at α = 5% is over 5%.
"""
import argparse, itertools, pathlib, re, subprocess, sys

LAB = pathlib.Path(__file__).resolve().parent.parent
PAGE = LAB / "docs/validation.md"
STORED = LAB / "docs/calibration.txt"
COMMAND = ["cargo", "test", "--release", "-p", "tare-stats", "--", "--ignored", "--nocapture", "--test-threads=1"]
ABOUT = f"""The long calibration of tare-stats: what it printed of each setting, behind the name of its test. The seed is fixed: it is
the same whenever it is made.
    {" ".join(COMMAND)}
benches/tables.py --write has put it here; x86-64, Debian GNU/Linux 12.
"""
TEST = re.compile(r"test (\S+)(?: \.\.\. (.*))?$")
# What the first table says at length, the others name.
SHORT = {"gaussian": "Gaussian", "bursts": "bursts", "machine-drift": "wandering machine", "steal": "hypervisor",
         "pauses": "pauses", "attached-drift": "contender's own AR 0.8", "student-2": "Student's t, 2 degrees"}
NAMES = {"gaussian": "Gaussian", "bursts": "bursts of 4 slices, 15% of the time", "machine-drift": "a machine that wanders, AR 0.97",
         "steal": "a hypervisor that takes time", "pauses": "pauses of the contender's own",
         "attached-drift": "good and bad moments of its own, AR 0.8", "student-2": "Student's t with 2 degrees of freedom"}
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SETTING = re.compile(r"(?:blocks of\s+(?P<block>\d+): |cost of\s+(?P<cost>\d+): )?(?P<noise>\S+)\s+(?P<starts>gaussian|two-valued|heavy-tailed)\s+σ\s+(?P<sigma>[\d.]+)% effect (?P<effect>[\d.]+)%")
TRUTH = re.compile(r"truth\s+(?P<truth>[\d.]+)% α\s+(?P<alpha>[\d.]+)%")
MISSED = re.compile(r"missed\s+(?P<missed>[\d.]+)% \(≤ (?P<bound>[\d.]+)%\)\s+false\s+(?P<false>[\d.]+)%\s+covered\s+(?P<covered>[\d.]+)%")
SOON = re.compile(r"(?P<unit>launches|rounds) to verdict: 10% (?P<tenth>\S+) half (?P<half>\S+) 90% (?P<most>\S+)")
SIZES = re.compile(r"fixed ([\d.]+)%\s+per unit ([\d.]+)%\s+Δ fixed ([\d.]+)%\s+Δ per unit ([\d.]+)%\s+break-even ([\d.]+)%\s+"
                   r"cheaper ([\d.]+)%")

LEADS = re.compile(r"α ([\d.]+)%\s+across cases ([\d.]+)%\s+over sizes ([\d.]+)%\s+extra ([\d.]+)%\s+extra a unit ([\d.]+)%")
WIDTH = re.compile(r"(\d+) ±([\d.]+)%")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("printed", type=pathlib.Path, nargs="?")
    parser.add_argument("--write", action="store_true", help="into docs/validation.md and docs/calibration.txt")
    parser.add_argument("--check", action="store_true", help="whether those have them")
    args = parser.parse_args()
    if args.printed:
        text = args.printed.read_text()
    else:
        text = subprocess.run(COMMAND, cwd=LAB, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = list(parsed(text))
    tables = {"launches": over_launches(rows), "rounds": over_rounds(rows), "chosen": over_chosen(rows),
              "blocks": over_blocks(rows), "soon-launches": soon(rows, "launches"), "soon-rounds": soon(rows, "rounds"),
              "widths-rounds": widths(rows), "sizes": over_sizes(rows), "leads": of_leads(rows)}
    for name, table in tables.items():
        print(f"{name}:\n\n{table}")
    bounds = [row["bound"] for row in rows if row.get("alpha") == 5.0 and "bound" in row]
    print(f"{len(bounds)} settings at α = 5%: the largest upper bound is {max(bounds):.2f}%")
    page = PAGE.read_text()
    new = page
    for name, table in tables.items():
        new = put(new, name, table)
    results = kept(text)
    if args.write:
        PAGE.write_text(new)
        STORED.write_text(f"{ABOUT}{results}")
    stored = {"docs/validation.md": (page, new), "docs/calibration.txt": (kept(STORED.read_text()), results)}
    differ = args.check and not agree(stored)
    return 1 if differ or max(bounds) > 5.0 else 0


def agree(texts):
    """Whether what is kept (name: the kept, this run's) is what this run gave; the first line that differs is told."""
    for name, (stored, now) in texts.items():
        pairs = itertools.zip_longest(now.splitlines(), stored.splitlines(), fillvalue="")
        other = next((pair for pair in pairs if not alike(*pair)), None)
        if other:
            print(f"{name} has other results than this run: benches/tables.py --write\n  this run: {other[0]}\n"
                  f"  the file: {other[1]}", file=sys.stderr)
            return False
    return True


def alike(now, then):
    """Whether two lines say the same. A processor's last bit of a logarithm may turn one of 2,000 trials, or move a time to a
    verdict by a step; what is changed on purpose moves more."""
    words, numbers = (lambda text: NUMBER.sub("#", text).split()), (lambda text: [float(n) for n in NUMBER.findall(text)])
    near = lambda one, two: abs(one - two) <= max(0.15, 0.05 * abs(two))
    return words(now) == words(then) and all(map(near, numbers(now), numbers(then)))


def kept(text):
    """The results in a run's output, each test's behind its name: what does not change from run to run."""
    lines, test, told = [], None, None
    for line in text.splitlines():
        if found := TEST.match(line):
            test, line = found[1], found[2] or ""
        if not SETTING.match(line):
            continue
        if test != told:
            lines += ["", f"test {test}"]
            told = test
        lines.append(line.rstrip())
    return "".join(f"{line}\n" for line in lines)


def put(page, name, table):
    """The page with a table between its marks."""
    marked = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.S)
    if len(marked.findall(page)) != 1:
        sys.exit(f"{PAGE} does not have the marks of table {name} once")
    return marked.sub(lambda found: found[1] + table + found[2], page)


def table(heading, rows):
    """In Markdown, with a line end after it."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"|{'|'.join(line)}|\n" if line[0] == "---" else f"| {' | '.join(line)} |\n" for line in lines)


def parsed(text):
    """A row for each line of results, with the name of its test."""
    test = ""
    for line in text.splitlines():
        if found := TEST.match(line):
            test, line = found[1], found[2] or ""
        if not (setting := SETTING.match(line)):
            continue
        row = {"test": test, **setting.groupdict()}
        for pattern in (TRUTH, MISSED, SOON):
            if found := pattern.search(line):
                row |= found.groupdict()
        if found := SIZES.search(line):
            row["sizes"] = [float(share) for share in found.groups()]
        if found := LEADS.search(line):
            row["of"], *row["leads"] = (float(share) for share in found.groups())
        if "half width after rounds" in line:
            row["widths"] = WIDTH.findall(line)
        numbers = ("truth", "alpha", "missed", "bound", "false", "covered")
        yield row | {name: float(row[name]) for name in numbers if name in row}


def of(rows, test, **wanted):
    return [row for row in rows if row["test"] == test and all(row.get(key) == value for key, value in wanted.items())]


def noises(rows):
    return list(dict.fromkeys(row["noise"] for row in rows))


def worst(rows, key):
    return f"{max(row[key] for row in rows):.2f}%" if rows else "–"


def least(rows, key):
    return f"{min(row[key] for row in rows):.2f}%" if rows else "–"


def over_launches(rows):
    lines = []
    for noise in noises(of(rows, "long_form_over_launches")):
        five = of(rows, "long_form_over_launches", noise=noise, alpha=5.0)
        half = of(rows, "long_form_over_launches", noise=noise, alpha=0.5)
        margin = of(rows, "long_form_at_the_margin", noise=noise)
        lines.append([NAMES.get(noise, noise), worst(five, "missed"), worst(five, "bound"), worst(half, "missed"),
                      worst(margin, "false"), least(five, "covered")])
    return table(["noise of a slice", "ever missed", "upper bound", "at α = 0.5%", "false verdict at the margin",
                  "held at the last look"], lines)


def over_chosen(rows):
    some = [row for row in rows if row["cost"]]
    costs = sorted({int(row["cost"]) for row in some})
    lines = []
    for noise in noises(some):
        mine = [row for row in some if row["noise"] == noise]
        of_cost = lambda cost: [row for row in mine if int(row["cost"]) == cost]
        lines.append([SHORT.get(noise, noise), *(worst(of_cost(cost), "bound") for cost in costs), worst(mine, "false"),
                      least(mine, "covered")])
    return table(["noise", *(f"start of {cost} rounds" for cost in costs), "false verdict", "held at the last look"], lines)


def over_rounds(rows):
    lines = []
    for noise in noises(of(rows, "long_form_over_rounds")):
        cells = []
        for test in ("long_form_over_rounds", "long_form_over_batches", "long_form_over_two_launches"):
            five, half = (of(rows, test, noise=noise, alpha=alpha) for alpha in (5.0, 0.5))
            cells += [worst(five, "missed"), worst(five, "bound"), worst(half, "missed")]
        lines.append([SHORT.get(noise, noise), *cells])
    return table(["noise", "rounds: ever missed", "upper bound", "at α = 0.5%", "batches: ever missed", "upper bound",
                  "at α = 0.5%", "two launches: ever missed", "upper bound", "at α = 0.5%"], lines)


def widths(rows):
    some = [row for row in rows if "widths" in row]
    after = [rounds for rounds, _ in some[0]["widths"]] if some else []
    lines = [[SHORT.get(row["noise"], row["noise"]), *(f"±{width}%" for _, width in row["widths"])] for row in some]
    return table(["noise", *(f"{rounds} rounds" for rounds in after)], lines)


def over_blocks(rows):
    some = [row for row in rows if row["block"]]
    blocks = sorted({int(row["block"]) for row in some})
    lines = []
    for noise in noises(some):
        mine = [row for row in some if row["noise"] == noise]
        of_block = lambda block: [row for row in mine if int(row["block"]) == block]
        lines.append([SHORT.get(noise, noise), *(worst(of_block(block), "bound") for block in blocks), least(mine, "covered")])
    return table(["noise", *(f"blocks of {block}" for block in blocks), "held at the last look"], lines)


def soon(rows, unit):
    some = [row for row in rows if row.get("unit") == unit]
    truths = sorted({row["truth"] for row in some} - {0.0})
    lines = []
    for noise in noises(some):
        cells = [SHORT.get(noise, noise)]
        for truth in truths:
            row = next((row for row in some if row["noise"] == noise and row["truth"] == truth), None)
            cells.append(" / ".join(row[key] for key in ("tenth", "half", "most")).replace("—", "–") if row else "–")
        lines.append(cells)
    return table(["noise", *(f"{truth:g}%" for truth in truths)], lines)


def over_sizes(rows):
    some = [row for row in rows if "sizes" in row]
    lines = []
    for noise in noises(some):
        columns = zip(*(row["sizes"] for row in some if row["noise"] == noise))
        lines.append([SHORT.get(noise, noise), *(f"{max(column):.2f}%" for column in columns)])
    return table(["noise of a slice", "a", "b", "Δa", "Δb", "break-even", "the wrong one called cheaper, at any size"], lines)


def of_leads(rows):
    some = [row for row in rows if "leads" in row]
    lines = []
    for noise in noises(some):
        at = lambda alpha: [row["leads"] for row in some if row["noise"] == noise and row["of"] == alpha]
        careful = zip(*at(0.5))
        columns = [f"{max(column):.2f}% / {max(other):.2f}%" for column, other in zip(zip(*at(5.0)), careful)]
        lines.append([SHORT.get(noise, noise), *columns])
    return table(["noise of a slice", "lead over lead, two cases", "lead over lead, two sizes", "extra", "extra a unit"], lines)


if __name__ == "__main__":
    sys.exit(main())
