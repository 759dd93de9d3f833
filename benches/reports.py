#!/usr/bin/env python3
"""The five reports, measured again: runs each by its one command, and makes the page of what became of their findings.

Usage: benches/reports.py --measure TARE [NAME …]     runs each by its suite `report`, and keeps its document and chart
       benches/reports.py [--check]                   makes the page, and README's table, from the documents that are kept
       benches/reports.py --documents DIR             the page of the documents in DIR, into DIR

The documents are docs/results/report-NAME.json, the charts report-NAME.svg, the page docs/five-reports.md. All figures of
the page are read from the documents; with --check nothing is written, and it exits with 1 where the page has others.
"""
import argparse, json, math, pathlib, re, shutil, subprocess, sys, tempfile

LAB = pathlib.Path(__file__).resolve().parent.parent
RESULTS, PAGE, README = LAB / "docs/results", LAB / "docs/five-reports.md", LAB / "README.md"
NAMES = ["http", "capnp", "records", "doubling", "bigtable"]
STANDINGS = {"holds": "holds", "does-not-hold": "does not hold", "opposite": "the opposite holds",
             "inconclusive": "inconclusive", "not-measured": "not measured"}
DECIDED = ("holds", "does-not-hold", "opposite")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="reports to measure (all)")
    parser.add_argument("--measure", type=pathlib.Path, metavar="TARE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--documents", type=pathlib.Path, metavar="DIR")
    args = parser.parse_args()
    if unknown := set(args.names) - set(NAMES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(NAMES)}")
    if args.measure:
        for name in args.names or NAMES:
            measure(args.measure.resolve(), name)
    folder = args.documents or RESULTS
    kept = {name: folder / document(name).name for name in NAMES}
    reports = {name: json.loads(path.read_text()) for name, path in kept.items() if path.exists()}
    if not reports:
        sys.exit("no document of a report is there yet: benches/reports.py --measure target/release/tare")
    texts = {args.documents / PAGE.name if args.documents else PAGE: page(reports)}
    if not args.documents:
        texts[README] = put(README.read_text(), "five-reports", summary(reports, "docs/five-reports.md#"))
    differ = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    if args.check:
        for path in differ:
            print(f"{path} differs from what the documents give: benches/reports.py", file=sys.stderr)
        sys.exit(1 if differ else 0)
    for path in differ:
        path.write_text(texts[path])
        print(f"wrote {path}")


def document(name):
    return RESULTS / f"report-{name}.json"


def command(name):
    return f"tare run {name} --suite report"


def measure(tare, name):
    """One report by its one command; its document and its chart take the place of those before."""
    subprocess.run([tare, "-C", LAB, *command(name).split()[1:]], check=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for form, out in (("json", folder / "report.json"), ("svg", folder / "charts")):
            subprocess.run([tare, "-C", LAB, "report", "latest", "--format", form, "--out", out], check=True)
        text = json.dumps(without_host(json.loads((folder / "report.json").read_text())), ensure_ascii=False, indent=1)
        document(name).write_text(text + "\n")
        shutil.copy(folder / "charts" / f"{name}-findings.svg", RESULTS / f"report-{name}.svg")


def without_host(report):
    """A machine's name is nobody's business; what it is made of is."""
    report["run"]["machine"].pop("host", None)
    return report


# --- what the documents say ---

def findings(report):
    """Every finding with the case, mode and size that it is of."""
    for workload in report["workloads"]:
        for finding in workload["findings"]:
            yield workload, finding


def standing(finding):
    return finding["standing"]


def counted(report):
    """How many findings there are, are decided, hold, do not hold."""
    all_of = [standing(finding) for _, finding in findings(report)]
    return len(all_of), sum(one in DECIDED for one in all_of), all_of.count("holds"), sum(
        one in ("does-not-hold", "opposite") for one in all_of)


def minutes(report):
    """How long it took, to half a minute."""
    halves = max(1, round(report["run"]["took"] / 30))
    return f"{halves // 2 or ''}{'½' if halves % 2 else ''}"


def figure(pair):
    """A pair's figure with its interval, in words."""
    found = pair.get("figure")
    if not found:
        return pair.get("reason") or "not measured"
    if found["low"] is None or found["high"] is None:
        return f"{number(found['estimate'])} (no interval yet)"
    provisional = ", provisional" if found["provisional"] else ""
    return f"{number(found['estimate'])} ({number(found['low'])} to {number(found['high'])}{provisional})"


def number(value):
    """Three digits; small ones with the SI prefix of a time."""
    if value == 0 or not math.isfinite(value):
        return str(value)
    for limit, scale, unit in ((1e-6, 1e9, " ns"), (1e-3, 1e6, " µs")):
        if abs(value) < limit:
            return f"{value * scale:.3g}{unit}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


# --- the page ---

def summary(reports, link):
    rows = [["report", "minutes", "findings", "decided", "hold", "do not hold"], ["---"] + ["---:"] * 5]
    for name, report in reports.items():
        rows.append([f"[{name}]({link}{name})", minutes(report), *map(str, counted(report))])
    return table(rows)


def page(reports):
    parts = [f"""# Five reports, weighed again

Five published benchmark reports, measured again by one command each, on one machine: every finding with its standing here.
A finding *holds* or *does not hold* where the whole interval says so, at the error rate given; else it is *inconclusive*.
Ratios are compared, not times: hardware differs. This page is made by `benches/reports.py` from the documents that it
names, which `tare run NAME --suite report` gave.

{summary(reports, "#")}"""]
    parts += [section(name, report) for name, report in reports.items()]
    return "\n".join(parts)


def section(name, report):
    run, machine = report["run"], report["run"]["machine"]
    source = next((finding["source"] for _, finding in findings(report)), "")
    memory = f"{machine['memory'] / 2**30:.0f} GiB"
    return f"""## {name}

{source[:1].upper()}{source[1:]}.

    {command(name)}

{run['started'][:10]}, {minutes(report)} minutes; {machine['cpu']}, {machine['cores']} cores, {memory}, {machine['os']}.
[The whole document](results/report-{name}.json); the job is described in [workloads/{name}](../workloads/{name}).

![The findings of {name}: each ratio with its interval](results/report-{name}.svg)

{findings_table(report)}"""


def findings_table(report):
    rows = [["finding", "case", "pair", "holds if", "published", "today (interval)", "α", "standing"], ["---"] * 8]
    for workload, finding in findings(report):
        first = True
        for pair in finding["pairs"]:
            published = pair.get("published")
            alpha = (pair.get("figure") or {}).get("alpha", finding["alpha"])
            rows.append([finding["claim"] if first else "", where(workload) if first else "",
                         f"`{finding['contender']}` / `{pair['other']}`", asked(finding) if first else "",
                         "" if published is None else number(published), figure(pair), f"{100 * alpha:.2g}%",
                         STANDINGS[pair["standing"]]])
            first = False
        if unlike := (finding.get("conditions") or {}).get("unlike"):
            rows[-1][-1] += f" ({unlike})"
    return table(rows)


def asked(finding):
    """What the figure must be for the finding to hold."""
    within = finding.get("within") and f"±{100 * finding['within']:.3g}%"
    least = f"at least {number(finding['at_least'])}" if (finding.get("at_least") or 1) != 1 else "more than 1"
    return {"faster": least, "same": f"1 {within}", "between": "{} to {}".format(*map(number, finding["between"] or [0, 0])),
            "about": f"{number(finding['about'] or 0)} {within}", "extra": f"{number(finding['about'] or 0)} {within}",
            "more-than-in": f"{least}, over {finding['than_in']}", "falls-with-size": f"{least}, first over last",
            "extra-per-unit": f"at most {number(finding['at_most'] or 0)} either way"}[finding["relation"]]


def where(workload):
    size = "" if workload.get("size") is None else f", {workload['size']}"
    return f"{workload['case']}, {workload['mode']}{size}"


def table(rows):
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in rows)


def put(text, name, content):
    """The text with what stands between its marks replaced; without marks as it is."""
    marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    return marked.sub(lambda found: found[1] + content + found[2], text)


if __name__ == "__main__":
    main()
