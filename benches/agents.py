#!/usr/bin/env python3
"""What agents cost, how many connections they hold together, and what kills leave: on machines of network namespaces.

Usage: benches/agents.py TARE [--same ROUNDS] [--rate 5000] [--seconds 3] [--many CONNECTIONS] [--agents 20] [--kills N] [--seed N]

--same: one server on n1 is loaded from n2, in rounds of random order: by `tare load` there, and by its agent there for a
conductor on another machine. Prints the ratio of the server's CPU per answer and of the median latency, each with its 95%
interval over rounds (Student's t of log ratios), and whether it is within 2%. Then contenders on n1, loaded from there and by
the agent: how long a slice takes beyond its load, and how much of that agents add (at most 5 ms is asked).
--many: so many connections of --agents agents together, at --rate; the request counts of all have to add up to the last one.
--kills: a run of two contenders loaded from n2 and n3, in which an agent, one of its generators or the conductor is killed at a
random time, so many times; each time it is continued. Prints what was killed and how many rounds were kept. Exits with 1 where a
finished round is lost, something keeps running, or an aim is missed.

Needs root, iproute2 and a C compiler. Without root or iproute2 it says so, and ends with 0.
"""
import argparse, contextlib, csv, io, json, math, os, pathlib, random, resource, signal, statistics, subprocess, sys, tempfile, time

from cluster import AGENT, LAB, PATIENCE, PORT, Check, address, cluster, impossible, output, until, within
from generators import build

# How far apart equal things may be.
LEVEL = 0.02
# The most that agents may add to a slice.
ADDED = 0.005


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--same", type=int, metavar="ROUNDS")
    parser.add_argument("--rate", type=float, default=5000)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--many", type=int, metavar="CONNECTIONS")
    parser.add_argument("--agents", type=int, default=20)
    parser.add_argument("--kills", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    if why := impossible():
        print(f"left out: {why}")
        return 0
    args.tare = args.tare.resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"seed {args.seed}")
    holds = True
    for wanted, nodes, what in [(args.same, 2, same), (args.many, 1 + args.agents, many), (args.kills, 3, kills)]:
        if not wanted:
            continue
        with cluster(nodes) as name, tempfile.TemporaryDirectory() as folder:
            one = Check(name, args.tare, nodes, pathlib.Path(folder))
            one.program = build(one.folder)
            holds &= what(one, args, random.Random(args.seed))
    return 0 if holds else 1


def served(one, processes=1):
    """The server on n1, once it answers."""
    where = f"{address(1)}:{PORT}"
    server = one.start("n1", [one.program, where, "13", processes])
    probe = f"import socket; socket.create_connection(('{address(1)}', {PORT}))"
    probe = within(one.name, "ctl", [sys.executable, "-c", probe])
    until("the server", lambda: subprocess.run(probe, capture_output=True).returncode == 0)
    return server


def said(process):
    """The document that a tare prints."""
    out, err = process.communicate(timeout=PATIENCE * 5)
    if process.returncode != 0:
        sys.exit(f"{' '.join(process.args)} ended with {process.returncode}:\n{err}")
    return json.loads(out)


def same(one, args, rng):
    """An agent against a load that is started on the same machine."""
    server = served(one)
    one.agent(2)
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    asked = ["-c", "32", "--rate", args.rate, "-d", f"{args.seconds}s", "--format", "json", "-q"]
    ways = {
        "local": lambda: one.start("n2", [one.tare, "load", one.url, "--remote", *asked], **pipes),
        "agent": lambda: one.start("ctl", [one.tare, "load", one.url, "--remote", "--from", one.names()[0],
                                           "--key-file", one.key, *asked], **pipes),
    }
    ratios = {"CPU per answer": [], "median latency": []}
    for number in range(args.same + 1):
        found = {}
        for way in rng.sample(list(ways), 2):
            before = clock(server.pid)
            document = said(ways[way]())
            used = clock(server.pid) - before
            assert document["lost"] == document["invalid"] == 0, document
            found[way] = (used / document["answers"], document["latency_p50"])
        # The first is a warm-up.
        for place, values in enumerate(ratios.values() if number else []):
            values.append(math.log(found["agent"][place] / found["local"][place]))
    holds = True
    for what, values in ratios.items():
        low, high = interval(values)
        within_level = -LEVEL <= low and high <= LEVEL
        holds &= within_level
        print(f"{what}, agent over local: {math.exp(statistics.mean(values)):.4f} [{math.exp(low):.4f}-{math.exp(high):.4f}] over "
              f"{len(values)} rounds: {'within' if within_level else 'NOT within'} {LEVEL:.0%}", flush=True)
    return added(one, args) and holds


def clock(pid):
    """CPU seconds of a process; `ip netns exec` becomes the program that it starts."""
    return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def interval(values):
    """The 95% interval of a mean: Student's t, whose quantile is Hill's expansion from the normal one (CACM algorithm 396)."""
    free = len(values) - 1
    z = statistics.NormalDist().inv_cdf(0.975)
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    half = t * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.mean(values) - half, statistics.mean(values) + half


def lab(one):
    """A lab with two contenders, the server. It is written once: a tare may be reading it."""
    words = ["-C", one.folder / "lab"]
    if words[1].exists():
        return words
    run = json.dumps([str(one.program), "{host}:{port}", "5"])
    contender = f'schema = 1\nlanguage = "fixture"\nsummary = "answers"\nstyle = "idiomatic"\nrun = {run}\n'
    files = LAB | {f"workloads/hello/contenders/{name}/contender.toml": contender for name in "ab"}
    files["workloads/hello/workload.toml"] = LAB["workloads/hello/workload.toml"].replace(', expect = "hello"', ', expect = "abcde"')
    for name, text in files.items():
        path = one.folder / "lab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return words


def slices(one):
    """The slices of the last run that counted."""
    table = output(*map(str, [one.tare, "report", *lab(one), "--format", "slices"]))
    return [row for row in csv.DictReader(io.StringIO(table)) if row["phase"] == "round"]


def added(one, args):
    """How long a slice takes beyond its load."""
    beyond = {}
    short = ["--rounds", "40", "--launches", "1", "--budget", "60s", "--format", "json", "-q"]
    hosts = ["--hosts", f"load={one.names()[0]}", "--key-file", one.key]
    for way, more in [("local", []), ("agent", hosts)]:
        run = one.start("n1", [one.tare, "run", *lab(one), "hello", *short, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said(run)
        rows = slices(one)
        pairs = zip(rows, rows[1:])
        gaps = [float(b["began"]) - float(a["began"]) - float(a["wall"]) for a, b in pairs if b["round"] == a["round"]]
        beyond[way] = statistics.median(gaps)
    more = beyond["agent"] - beyond["local"]
    print(f"a slice takes {1e3 * beyond['local']:.1f} ms beyond its load, driven by an agent {1e3 * beyond['agent']:.1f} ms: "
          f"{1e3 * more:.1f} ms more, {'within' if more <= ADDED else 'NOT within'} {1e3 * ADDED:g} ms", flush=True)
    return more <= ADDED


def many(one, args, rng):
    """Connections of many agents together."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    served(one, processes=-(-args.many * 11 // 10 // (files - 100)))
    for number in one.loads:
        one.agent(number)
    words = [one.tare, "load", one.url, "--remote", "--from", ",".join(one.names()), "--key-file", one.key, "-c", args.many,
             "--rate", args.rate, "-d", f"{args.seconds}s", "--format", "json", "-q", "--timeout", "60s"]
    document = said(one.start("ctl", words, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    agents = document["agents"]
    connections = sum(agent["connections"] for agent in agents)
    for part in [document, *agents]:
        assert part["sent"] == part["answers"] + part["invalid"] + part["lost"], part
    for key in ["sent", "answers", "invalid", "lost", "unsent"]:
        assert document[key] == sum(agent[key] for agent in agents), key
    print(f"{len(agents)} agents, {connections} connections: {document['sent']} sent = {document['answers']} right + "
          f"{document['invalid']} wrong + {document['lost']} lost, begun within {1e3 * document['started_within']:.1f} ms", flush=True)
    return connections == args.many and document["invalid"] == document["lost"] == 0


def kills(one, args, rng):
    """A run that loses somebody again and again, and goes on each time."""
    for number in one.loads:
        one.agent(number)
    hosts = "load=" + ",".join(one.names())
    words = [one.tare, "run", *lab(one), "--key-file", one.key, "--rounds", "3", "--format", "json", "-q"]
    first = ["hello", "--hosts", hosts, "--launches", "1000", "--budget", "10m", "--margin", "0"]
    kept = 0
    for number in range(args.kills):
        more = first if number == 0 else ["--resume", "latest", "--launches", "1000", "--budget", "10m"]
        run = one.start("n1", [*words, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until("a further round", lambda: run.poll() is not None or len(slices(one)) >= kept + 4)
        if run.poll() is not None:
            sys.exit(f"the run ended by itself with {run.returncode}:\n{run.stderr.read()}")
        time.sleep(rng.uniform(0, 2))
        what = rng.choice(["agent", "generator", "conductor"])
        node = rng.choice(list(one.loads))
        seen = len(slices(one))
        if what == "agent":
            one.agents[node].kill()
            one.agents[node].wait()
        elif what == "conductor":
            run.kill()
        else:
            for pid in one.generators(node)[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        run.communicate(timeout=PATIENCE)
        until("the generators to end", lambda: not any(one.generators(n) for n in one.loads))
        until("the contenders to end", lambda: str(one.program) not in running(one))
        kept = len(slices(one))
        print(f"{number + 1}: {what} killed{f' on n{node}' if what != 'conductor' else ''}: {kept} slices kept", flush=True)
        if kept < seen:
            print(f"LOST: {seen} slices were kept before")
            return False
        if what == "agent":
            one.agent(node)
    run = one.start("n1", [*words, "--resume", "latest", "--launches", "1000", "--budget", "5s"], stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    arena = said(run)["workloads"][0]
    print(f"after {args.kills} kills: {arena['launches']} launches, {arena['rounds']} rounds", flush=True)
    return all(contender["fault"] is None for contender in arena["contenders"])


def running(one):
    """The commands that run on n1."""
    found = []
    for pid in output("ip", "netns", "pids", f"{one.name}-n1").split():
        with contextlib.suppress(OSError):
            found.append(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace"))
    return "\n".join(found)


if __name__ == "__main__":
    sys.exit(main())
