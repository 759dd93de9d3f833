#!/usr/bin/env python3
"""Releases of real projects, and what their notes claim, held against `tare bench`.

Usage: benches/releases.py --measure TARE [NAME …] [--work FOLDER] [--budget 8m]
       benches/releases.py [--check]

The first compares both versions of each project (benches/projects.py) by their own benchmarks and keeps the documents,
docs/results/release-NAME.json. The second makes the page docs/releases.md from the documents that are kept; with --check
nothing is written, and it exits with 1 where the page differs. Needs git, Go and Python.
"""
import argparse, json, pathlib, re, subprocess, sys

import projects

LAB = pathlib.Path(__file__).resolve().parent.parent
RESULTS, PAGE = LAB / "docs/results", LAB / "docs/releases.md"
# What projects in Python need beside themselves to run their benchmarks; of a multidict or a yarl its own sources.
PYTHON = ["pytest", "pytest-benchmark", "pytest-codspeed", "pytest-cov", "objgraph", "psutil", "propcache", "idna", "setuptools",
          "cython", "expandvars"]
MOST_SHOWN = 12


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--measure", type=pathlib.Path, metavar="TARE")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/releases"))
    parser.add_argument("--budget", default="8m", help="of each project")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if args.measure:
        for name in args.names or projects.PROJECTS:
            measure(args, name)
    kept = {name: RESULTS / f"release-{name}.json" for name in projects.PROJECTS}
    found = {name: json.loads(path.read_text()) for name, path in kept.items() if path.exists()}
    text = page(found)
    same = PAGE.exists() and PAGE.read_text() == text
    if args.check:
        sys.exit(None if same else f"{PAGE.name} differs from what the documents give: benches/releases.py")
    PAGE.write_text(text)


def measure(args, name):
    project = projects.PROJECTS[name]
    place = projects.repository(args.work, name)
    projects.git(place, "checkout", "--quiet", "--force", "--detach", project.after)
    command = [args.measure.resolve(), "bench", f"{project.before}..{project.after}"]
    command += [project.only] if project.only else []
    ran = subprocess.run([*command, "--budget", args.budget, "--format", "json"], cwd=place / project.folder,
                         check=True, stdout=subprocess.PIPE, text=True)
    document = json.loads(ran.stdout)
    document["run"]["machine"].pop("host", None)
    (RESULTS / f"release-{name}.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


# --- the page ---

def page(found):
    rows = ["| project | versions | its notes say | benchmarks | faster | slower | equivalent | inconclusive | not judged |",
            "|---|---|---|---:|---:|---:|---:|---:|---:|"]
    parts = []
    for name, document in found.items():
        project, counts = projects.PROJECTS[name], counted(document)
        rows.append(f"| [{name}](#{name}) | {project.before} to {project.after} | {project.note} | {sum(counts.values())} | "
                    + " | ".join(str(counts[key]) for key in ("better", "worse", "equivalent", "inconclusive", None)) + " |")
        parts.append(section(name, project, document))
    return f"""# Releases, and what their notes claim

Released versions of projects that many programs use, compared by the projects' own benchmarks. Of the changes called faster or
slower at most 5% are expected to be false ([method](method.md)). This page is made by `benches/releases.py` from the
documents that it names.

{chr(10).join(rows)}

{chr(10).join(parts)}"""


def counted(document):
    counts = dict.fromkeys(("better", "worse", "equivalent", "inconclusive", None), 0)
    for benchmark in document["benchmarks"]["list"]:
        counts[verdict(benchmark)] += 1
    return counts


def verdict(benchmark):
    return next(iter(benchmark["figures"]), {}).get("verdict") if benchmark["standing"] == "judged" else None


def section(name, project, document):
    run, machine = document["run"], document["run"]["machine"]
    judged = [one for one in document["benchmarks"]["list"] if verdict(one)]
    meant = re.compile(project.better) if project.better else None
    lines = [f"## {name}", "", f"{project.package}, {project.before} to {project.after}: {project.note}.", "",
             f"    tare bench {project.before}..{project.after}" + (f" '{project.only}'" if project.only else ""), "",
             f"{run['started'][:10]}, {run['took'] / 60:.0f} minutes; {machine['cpu']}, {machine['cores']} cores. "
             f"[The whole document](results/release-{name}.json).", ""]
    if meant:
        lines += [claim(judged, meant, "is claimed to be faster")]
    if project.control:
        lines += [claim(judged, re.compile(project.control), "is not concerned")]
    changed = sorted((one for one in judged if verdict(one) in ("better", "worse")), key=ratio)
    lines += ["| benchmark | before | after | ratio (interval) | verdict |", "|---|---:|---:|---|---|"]
    shown = changed if len(changed) <= MOST_SHOWN else changed[:MOST_SHOWN // 2] + changed[-MOST_SHOWN // 2:]
    lines += [row(one) for one in shown]
    if len(shown) < len(changed):
        lines += ["", f"And {len(changed) - len(shown)} more that changed, between these."]
    return "\n".join(lines) + "\n"


def claim(judged, pattern, words):
    concerned = [one for one in judged if pattern.search(one["name"])]
    said = ", ".join(f"{one['name']} {ratio(one):.3f} ({verdict(one)})" for one in concerned[:MOST_SHOWN]) or "none was judged"
    return f"What {words} (`{pattern.pattern}`): {said}.\n"


def ratio(benchmark):
    return (benchmark["figures"][0]["ratio"] or {}).get("estimate") or 1.0


def row(benchmark):
    figure = benchmark["figures"][0]
    found = figure["ratio"]
    name = benchmark["name"].replace("|", "/")
    return (f"| `{name}` | {seconds(figure['before'])} | {seconds(figure['after'])} | {found['estimate']:.3f} "
            f"({found['low']:.3f} to {found['high']:.3f}) | {verdict(benchmark)} |")


def seconds(figure):
    value = figure["estimate"]
    for limit, scale, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if value < limit:
            return f"{value * scale:.3g} {unit}"
    return f"{value:.3g} s"


if __name__ == "__main__":
    main()
