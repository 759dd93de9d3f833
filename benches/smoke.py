#!/usr/bin/env python3
"""A short round of every script here: each runs, and prints what it is for. No figure is judged by it.

Usage: benches/smoke.py TARE OUT [--only NAME,…]

What a script says of its options is held against what it takes. Then it is run for some seconds; what it measures then means
nothing, so that an aim that it says was missed is no failure here: one that breaks, hangs, or does not print its figures is.
Files go into the folder OUT. What this machine lacks (a second core, a browser) is left out with a word. Needs a C compiler.
"""
import argparse, json, os, pathlib, re, shutil, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent
LAB = HERE.parent
# Far more than any takes on a machine that is busy with other things.
PATIENCE = 300


class Missing(Exception):
    """What a script cannot do without is not here."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="", help="names of scripts, without their ends")
    args = parser.parse_args()
    args.tare, args.out = args.tare.resolve(), args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    there = {path.stem for path in HERE.glob("*.py")} - {"smoke"}
    if there != set(SCRIPTS):
        sys.exit(f"scripts without a short round, or the other way round: {', '.join(sorted(there ^ set(SCRIPTS)))}")
    wanted = args.only.split(",") if args.only else list(SCRIPTS)
    broken = [name for name in wanted if not holds(name, args)]
    sys.exit(f"broken: {', '.join(broken)}" if broken else 0)


def holds(name, args):
    """Whether a script does what it is for."""
    began = time.monotonic()
    why = options(name)
    try:
        words, prints = SCRIPTS[name](args)
        why = why or tried(name, words, prints)
        said = why or "runs"
    except Missing as missing:
        said = why or f"left out: {missing}"
    print(f"{name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return not why


def options(name):
    """What is wrong with the options that its usage names; nothing where it takes none."""
    text = (HERE / f"{name}.py").read_text()
    if "argparse" not in text:
        return None
    taken = set(re.findall(r'add_argument\("(--[a-z-]+)"', text))
    usage = re.search(r"Usage:.*?\n\n", text, re.S)
    named = set(re.findall(r"--[a-z-]+", usage[0])) if usage else set()
    return f"its usage and its options differ in {', '.join(sorted(named ^ taken))}" if named ^ taken else None


def tried(name, words, prints):
    """Runs it; what is wrong with what came of it. It may end with 1, which says that an aim was missed."""
    command = [sys.executable, HERE / f"{name}.py", *map(str, words)]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired as late:
        return f"has not ended within {PATIENCE} s:\n{(late.stdout or b'').decode()}"
    lacks = [pattern for pattern in prints if not re.search(pattern, done.stdout)]
    if done.returncode not in (0, 1) or "Traceback" in done.stdout or lacks:
        return f"ended with {done.returncode}, without {lacks}:\n{done.stdout}"
    return None


def cores(count):
    if len(os.sched_getaffinity(0)) < count:
        raise Missing(f"it takes {count} cores")


def alarms(args):
    go()
    words = [args.tare, args.out / "alarms.csv", "--runs", 1, "--kinds", 10, "--budget", "10s", "--bursts", 1, "--work",
             args.out / "alarms"]
    (args.out / "alarms.csv").unlink(missing_ok=True)
    return words, [r"bitset 10 0 tare", "bitset 10 0 usual"]


def go():
    if not shutil.which("go"):
        raise Missing("go is missing")


def base_images(args):
    needed = [tool for tool in ("podman", "mmdebstrap") if not shutil.which(tool)]
    if needed or os.geteuid() != 0:
        raise Missing(f"it needs {' and '.join(needed or ['root'])}")
    return ["debian", "--storage", args.out / "images"], [r"\$ .*import"]


def campaign(args):
    results = args.out / "campaign.csv"
    results.unlink(missing_ok=True)
    words = [args.tare, results, "--kinds", "probe", "--same", 1, "--extra", "", "--budget", "4s", "--launches", 3]
    return words, [r"probe \+0% run 0.*ratio"]


def cluster(args):
    return ["--check", args.tare], [r"cut off: its generators ended|left out"]


def agents(args):
    words = [args.tare, "--same", "2", "--seconds", "0.5", "--many", "400", "--agents", "3", "--kills", "2"]
    return words, [r"median latency, agent over local|left out", r"beyond its load|left out",
                   r"3 agents, 400 connections|left out", r"after 2 kills|left out"]


def slurm(args):
    return ["--launches", 2, "--check", args.tare], [r"power cut twice|left out", r"conductor killed|left out"]


def sshd(args):
    return ["--launches", 2, "--check", args.tare], [r"cable pulled|left out", r"disk full since measuring|left out", r"placed|left out"]


def commands(args):
    parts = ["help", "slower", "aa"]
    prints = ["help, by tare", r"slower: \d of 1 found", r"aa: \d false verdicts in 1"]
    if shutil.which("hyperfine"):
        parts.append("overhead")
        prints.append("overhead: tare's median over hyperfine's")
    words = ["--runs", 5, "--pairs", 2, "--trials", 1, "--budget", "3s", "--aa", 1, "--aa-budget", "3s"]
    return [args.tare, args.out / "commands", *parts, *words], prints


def conformance(args):
    go()
    return [args.tare, "--sections", "4.1"], [r"\d+ of \d+ cases passed"]


def generators(args):
    prints = {"small": "64 connections.*tare ", "deep": ".*depth 16", "chunked": ".*in chunks of 8192"}
    if pathlib.Path("/usr/include/openssl/ssl.h").exists():
        prints |= {"tls": ".*tare ", "h2-32": ".*depth 32"}
    words = [args.tare, "--rounds", 1, "--seconds", 1, "--cases", ",".join(prints)]
    return words, [f"{case}: {found}" for case, found in prints.items()]


def lag(args):
    cores(2)
    words = [args.tare, "--rate", 1000, "--rounds", 1, "--seconds", 1, "--connections", 8]
    return words, ["asleep, p50: ", "awake, p99.9: .*aim"]


def newcomer(args):
    words = [args.tare, args.out / "newcomer", "--only", "size,help,verdict,report,lab", "--budget", "10s"]
    return words, ["the program: ", "`tare --help`: ", "a first verdict: ", r"ten contenders: \d.* kB", "lab: left out"]


def page(args):
    axe = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", LAB / "target")) / "ci/axe/node_modules/axe-core/axe.min.js"
    if not shutil.which("chromium") or not axe.exists():
        raise Missing("chromium or axe-core is missing: `.ci/run page` installs that")
    return [args.tare, args.out / "page", "--axe", axe], [r"time, \d+ kB:", r"site, \d+ kB:"]


def pair(args):
    words = [args.tare, args.out / "pair", "--tries", 1, "--same", 1, "--budget", "6s", "--same-rounds", 80]
    return words, ["apart 1: ratio ", "alike 1: ratio ", r"1% apart: \d of 1 told rightly"]


def scale(args):
    words = [args.tare, "--connections", 400, "--few", 100, "--rate", 500, "--rounds", 1, "--seconds", 1]
    return words, [r"generator memory: -?\d+ bytes a connection", "p99"]


def site(args):
    if not shutil.which("chromium"):
        raise Missing("chromium is missing")
    # A site of one run of its own.
    lab = args.out / "pair"
    if not (lab / "lab/.tare").is_dir():
        why = tried("pair", *pair(args))
        if why:
            raise Missing(f"no run to make a site of: {why}")
    folder = args.out / "site"
    subprocess.run([args.tare, "site", folder, "-C", lab / "lab", "-q"], check=True, stdout=subprocess.DEVNULL)
    # A browser that is short of a core may show the page before its clock was read: then no time is told.
    return [folder / "index.html", args.out / "filled", "--contenders", 20], [r"MB, 20 rows, drawn after "]


def stall(args):
    server = args.out / "doubling"
    source = LAB / "workloads/doubling/contenders/c-epoll/main.c"
    subprocess.run(["cc", "-O2", "-pthread", "-o", server, source], check=True)
    return [args.tare, server, 3], [r"\d+ stalls of ", "latency_p99: .*arithmetic says"]


def tables(args):
    return [LAB / "docs/calibration.txt"], ["soon-launches:", r"settings at α = 5%: the largest upper bound is"]


def aa(args):
    words = [args.tare, LAB, args.out / "aa", "--runs", 1, "--budget", "6s", "--launches", 3, "--rounds", 4, "--burn", 20]
    return words, ["each answer of `two` spins", "run 1: truth about .*ratio", "1 runs: distinguishable at margin 0"]


def projects(args):
    go()
    return [args.out / "projects", "bitset"], [r"bitset v1\.21\.0 v1\.22\.0"]


def releases(args):
    go()
    shutil.rmtree(args.out / "releases", ignore_errors=True)
    words = ["--measure", args.tare, "zap", "--budget", "20s", "--work", args.out / "projects", "--results", args.out / "releases"]
    return words, [r"zap: [1-9]\d* of \d+ benchmarks are judged"]


def readme(args):
    page = args.out / "README.md"
    shutil.copy(LAB / "README.md", page)
    return [args.tare, "--words", "--readme", page], ["1 output of README taken anew"]


def reports(args):
    # Of a document that is there; measuring takes a quarter of an hour a report.
    (args.out / "reports").mkdir(exist_ok=True)
    newest = max((LAB / "docs/results").glob("*doubling*.json"))
    shutil.copy(newest, args.out / "reports/report-doubling.json")
    return ["--documents", args.out / "reports"], [r"wrote .*five-reports\.md"]


def protocols(args):
    # Of a document that is there; measuring takes half an hour.
    return ["--document", LAB / "docs/results/http-capacity-2026-11-22.json"], [r"in clear", r"`haskell-warp@prepared`"]


def suites(args):
    """A folder of FrameworkBenchmarks' form, written here: one server, in a container of Debian and Python."""
    if os.geteuid() != 0 or not shutil.which("podman"):
        raise Missing("it needs root and podman")
    image = "docker.io/library/python:3.13"
    if subprocess.run(["podman", "image", "exists", image]).returncode != 0:
        raise Missing(f"there is no image {image}: benches/base_images.py python:3.13")
    folder = args.out / "frameworks-checkout/frameworks/Python/short"
    folder.mkdir(parents=True, exist_ok=True)
    test = {"json_url": "/json", "port": 8080, "language": "Python", "database": "None", "display_name": "Short"}
    (folder / "benchmark_config.json").write_text(json.dumps({"framework": "short", "tests": [{"default": test}]}))
    (folder / "short.dockerfile").write_text("FROM python:3.13\nCOPY main.py /\nCMD [\"python3\", \"/main.py\"]\n")
    (folder / "main.py").write_text(SHORT)
    shutil.rmtree(args.out / "suites", ignore_errors=True)
    words = [args.tare, args.out / "suites", "--tfb", args.out / "frameworks-checkout", "--tests", "json", "--budget", "8s"]
    return words, ["1 of 1 implementations can run", "short json: right", "1 implementations, 1 tests"]


# What the folder above runs.
SHORT = """\
import asyncio, email.utils

HELLO = b'{"message":"Hello, World!"}'


async def talk(reader, writer):
    try:
        while True:
            await reader.readuntil(b"\\r\\n\\r\\n")
            head = f"HTTP/1.1 200 OK\\r\\nServer: short\\r\\nDate: {email.utils.formatdate(usegmt=True)}\\r\\n"
            writer.write(head.encode() + b"Content-Type: application/json\\r\\nContent-Length: 27\\r\\n\\r\\n" + HELLO)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    async with await asyncio.start_server(talk, "0.0.0.0", 8080, backlog=4096) as server:
        await server.serve_forever()


asyncio.run(main())
"""


def until_width(args):
    only = "c-epoll,python-asyncio"
    words = [args.out / "until_width", args.tare, args.tare, "--only", only, "--budget", "12s", "--rounds", 1, "--width", 3]
    return words, [r"build 1: ~?\S+ s after \d+ launches.*warm-up \d+%", r"build 2 over build 1: \S+ \("]


EVERY = (aa, agents, alarms, base_images, campaign, cluster, commands, conformance, generators, lag, newcomer, page, pair, projects, readme,
         protocols, releases, reports, scale, site, slurm, sshd, stall, suites, tables, until_width)
SCRIPTS = {one.__name__: one for one in EVERY}

if __name__ == "__main__":
    main()
