#!/usr/bin/env python3
"""Releases of real projects, and what their notes claim, held against `tare bench`.

Usage: benches/releases.py --measure TARE [NAME …] [--work FOLDER] [--budget TIME] [--results FOLDER]
       benches/releases.py [--check]

The first compares both versions of each project (benches/projects.py, which says what it needs) by their own benchmarks and
keeps the documents, docs/results/release-NAME.json. Without names these are the projects that have none yet, so that it goes on
where it was stopped; one that fails is named at the end, and the others are measured all the same. The second makes the page
docs/releases.md from the documents that are kept; with --check nothing is written, and it exits with 1 where the page differs.
With --results both documents and page are in that folder.
"""
import argparse, json, pathlib, re, shlex, subprocess, sys

import projects

LAB = pathlib.Path(__file__).resolve().parent.parent
RESULTS, PAGE = LAB / "docs/results", "releases.md"
MOST_SHOWN = 12


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--measure", type=pathlib.Path, metavar="TARE")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/releases"))
    parser.add_argument("--budget", help="of each project (each its own, 8 to 30 minutes)")
    parser.add_argument("--results", type=pathlib.Path, help="instead of docs/results, with the page in docs")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if unknown := set(args.names) - set(projects.PROJECTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(projects.PROJECTS)}")
    failed = []
    if args.measure:
        wanted = args.names or [name for name in projects.PROJECTS if not document_of(args, name).exists()]
        failed = [f"{name}: {why}" for name in wanted if (why := measure(args, name))]
    kept = {name: document_of(args, name) for name in projects.PROJECTS}
    found = {name: json.loads(path.read_text()) for name, path in kept.items() if path.exists()}
    text, place = page(found), (args.results or LAB / "docs") / PAGE
    same = place.exists() and place.read_text() == text
    if args.check:
        sys.exit(None if same else f"{PAGE} differs from what the documents give: benches/releases.py")
    place.write_text(text)
    sys.exit("\n".join(failed) or None)


def document_of(args, name):
    return (args.results or RESULTS) / f"release-{name}.json"


def measure(args, name):
    """Measures a project, and keeps the document. Returns what went wrong."""
    project = projects.PROJECTS[name]
    print(f"{name}: {project.before} to {project.after}", file=sys.stderr, flush=True)
    try:
        place = projects.repository(args.work, name)
        environment = projects.environment(args.work, name)
        projects.git(place, "checkout", "--quiet", "--force", "--detach", project.after)
        ran = subprocess.run([args.measure.resolve(), *words(name), "--budget", args.budget or project.budget, "--format", "json"],
                             cwd=place / project.folder, env=environment, stdout=subprocess.PIPE, text=True)
        # With 1 it ends where a benchmark failed, too: the document says which.
        if ran.returncode not in (0, 1) or not ran.stdout:
            return f"tare ended with {ran.returncode}"
    except subprocess.CalledProcessError as error:
        return f"{error}\n{error.stderr or ''}"
    document = json.loads(ran.stdout)
    document["run"]["machine"].pop("host", None)
    # Whole or not at all: what is there is not measured again.
    kept = document_of(args, name)
    kept.parent.mkdir(parents=True, exist_ok=True)
    scratch = kept.with_suffix(".part")
    scratch.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    scratch.rename(kept)
    counts = counted(document)
    print(f"{name}: {sum(counts.values()) - counts[None]} of {sum(counts.values())} benchmarks are judged", flush=True)


def words(name):
    """The words of `tare bench` for a project."""
    project, setup = projects.PROJECTS[name], projects.setup(name)
    only = [project.only] if project.only else []
    only += ["--benchmarks-from", project.benchmarks] if project.benchmarks else []
    return ["bench", f"{project.before}..{project.after}", *only, *(["--setup", setup] if setup else [])]


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
             f"    tare {shlex.join(words(name))}", "",
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
