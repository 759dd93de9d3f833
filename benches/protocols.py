#!/usr/bin/env python3
"""What TLS, HTTP/2, WebSocket and gRPC cost a server: measures the suite `protocols` of the workload http, and makes its page.

Usage: benches/protocols.py --measure TARE       runs it, and keeps its document and charts
       benches/protocols.py [--check]            makes the page from the document that is kept
       benches/protocols.py --document FILE      prints the page of another document

The document is docs/results/protocols.json, the page docs/protocols.md; with --check nothing is written, and it exits with 1
where the page has other figures. Cases that a document has not are left out, but `json`. Ratios within a case are the document's own, with its intervals. Cases are not measured in
turns with each other: between them the page has bounds, from the ends of both intervals.
"""
import argparse, json, pathlib, shutil, subprocess, sys, tempfile

from reports import LAB, RESULTS, minutes, number, table, without_host

DOCUMENT, PAGE = RESULTS / "protocols.json", LAB / "docs/protocols.md"
COMMAND = "tare run http --suite protocols"
CLEAR = "json"
# Beside the same in clear, and alone.
BESIDE = {"json-tls": "over TLS", "json-h2": "HTTP/2", "json-h2-tls": "HTTP/2 over TLS"}
ALONE = {"echo-ws": "WebSocket: a message echoed", "unary-grpc": "gRPC: a unary call"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=pathlib.Path, metavar="TARE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--document", type=pathlib.Path, metavar="FILE")
    args = parser.parse_args()
    if args.measure:
        measure(args.measure.resolve())
    kept = args.document or DOCUMENT
    if not kept.exists():
        sys.exit(f"{kept} is not there: benches/protocols.py --measure target/release/tare")
    text = page(json.loads(kept.read_text()))
    if args.document:
        print(text, end="")
    elif args.check:
        if PAGE.read_text() != text:
            sys.exit(f"{PAGE} differs from what the document gives: benches/protocols.py")
    else:
        PAGE.write_text(text)
        print(f"wrote {PAGE}")


def measure(tare):
    subprocess.run([tare, "-C", LAB, *COMMAND.split()[1:]], check=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for form, out in (("json", folder / "report.json"), ("svg", folder)):
            subprocess.run([tare, "-C", LAB, "report", "latest", "--format", form, "--out", out], check=True)
        DOCUMENT.write_text(json.dumps(without_host(json.loads((folder / "report.json").read_text())), ensure_ascii=False, indent=1) + "\n")
        for case in [*BESIDE, *ALONE]:
            shutil.copy(folder / f"http-{case}-cost-ratio.svg", RESULTS / f"protocols-{case}.svg")


def page(report):
    run, machine = report["run"], report["run"]["machine"]
    cases = {workload["case"]: workload for workload in report["workloads"]}
    parts = [f"""# What TLS, HTTP/2, gRPC and WebSocket cost a server

The CPU time that a server takes for one answer, kernel included: the same small object in clear, over TLS, by HTTP/2, and both,
on connections that are kept; then an echo over WebSocket, and a unary call of gRPC. Each is written as its language's good
programmers would; all answers are checked. This page is made by `benches/protocols.py` from [one document](results/protocols.json),
which

    {COMMAND}

gave on {run['started'][:10]}, in {minutes(report)} minutes; {machine['cpu']}, {machine['cores']} cores, {machine['os']}. The
[contenders](../workloads/http/README.md#contenders) are described with the workload.

## The same answer in four ways

{beside(cases)}
Each with its interval; *floor* is the least program in C. Behind ×: how many times the cost in clear. That compares two cases,
which were not measured in turns, so it is given as bounds, from the ends of the two intervals.
"""]
    parts += [chart(case, f"`{case}`, {name}") for case, name in BESIDE.items() if case in cases]
    parts += [f"## {name}\n\n{alone(cases[case])}\n{chart(case, f'`{case}`')}" for case, name in ALONE.items() if case in cases]
    return "\n".join(parts)


def chart(case, name):
    return f"![{name}: CPU time per answer, each as a ratio with its interval](results/protocols-{case}.svg)\n"


def cost(workload, contender):
    """A contender's CPU time per answer in a case; nothing where it has none."""
    found = [one for one in (workload or {}).get("contenders", []) if one["id"] == contender]
    return found[0]["metrics"].get("cpu_per_op") if found else None


def ranked(workload):
    """Contenders of a case, floors first, then the cheapest."""
    costs = [(one["id"] != workload["floor"], cost(workload, one["id"]), one["id"]) for one in workload["contenders"]]
    return [name for _, found, name in sorted((row for row in costs if row[1]), key=lambda row: (row[0], row[1]["estimate"]))]


def beside(cases):
    floors = {case: workload["floor"] for case, workload in cases.items()}
    there = [case for case in BESIDE if case in cases]
    names = [name for name in ranked(cases[CLEAR]) if name != floors[CLEAR]]
    further = [name for case in there for name in ranked(cases[case]) if name not in [*names, *floors.values()]]
    rows = [["", "in clear", *(BESIDE[case] for case in there)], ["---"] + ["---:"] * (1 + len(there))]
    rows.append(["floor", *(in_words(cost(cases[case], floors[case])) for case in (CLEAR, *there))])
    for name in [*names, *dict.fromkeys(further)]:
        clear = cost(cases[CLEAR], name)
        rows.append([f"`{name}`", in_words(clear), *(times(cost(cases[case], name), clear) for case in there)])
    return table(rows)


def alone(workload):
    rows = [["", "CPU time per answer"], ["---", "---:"]]
    for name in ranked(workload):
        rows.append([f"`{name}`" + (" (floor)" if name == workload["floor"] else ""), in_words(cost(workload, name))])
    return table(rows)


def in_words(found):
    """A cost with its interval, in microseconds."""
    if not found:
        return ""
    if found["low"] is None or found["high"] is None:
        return f"{micro(found['estimate'])} µs (no interval)"
    return f"{micro(found['estimate'])} µs ({micro(found['low'])}–{micro(found['high'])})"


def micro(seconds):
    return number(1e6 * seconds)


def times(found, clear):
    if not found or not clear or None in (found["low"], found["high"], clear["low"], clear["high"]):
        return in_words(found)
    return f"{in_words(found)}, ×{number(found['low'] / clear['high'])}–{number(found['high'] / clear['low'])}"


if __name__ == "__main__":
    main()
