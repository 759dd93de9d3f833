#!/usr/bin/env python3
"""Many connections: what the generator holds for each, and whether an idle-rate load feels them.

Usage: benches/scale.py TARE [--connections 50000] [--rate 2000] [--seconds 6] [--few 300] [--rounds 5] [--harm 1.5] [--seed N]

Starts benches/generators/server.c on one port in as many processes as the limit of open files asks for (SO_REUSEPORT),
then `tare load` at one rate over --few connections and over all of them, in rounds of random order, by as many generator
processes each time, with source addresses of their own: what more processes than cores cost is no matter of connections.
While each load goes on, the resident memory of all its processes is read from /proc (the peak counts; the kernel's memory
for sockets is apart), and how many connections the server's processes hold. Prints memory per connection (more than with
--few, divided by how many more), the latencies of each load, and whether the p99 is unharmed: the median of the rounds over
all connections at most --harm times that over few. Exits with 1 over 2 KB a connection, where the p99 is harmed, or where
connections are missing or answers are wrong.
"""
import argparse, json, os, pathlib, random, resource, statistics, subprocess, sys, tempfile, threading

from generators import build, free_port, until_ready


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--connections", type=int, default=50_000)
    parser.add_argument("--rate", type=float, default=2000)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--few", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--harm", type=float, default=1.5, help="how many times the p99 of few connections is no harm")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # A tenth of room: the kernel shares connections out by chance.
    processes = -(-args.connections * 11 // 10 // (files - 100)) if args.connections > files * 0.9 else 1
    print(f"seed {args.seed}; {files} open files a process: {processes} processes of the server, and of the generator; "
          f"{available()} MB of memory are available")
    with tempfile.TemporaryDirectory() as folder:
        program, port = build(pathlib.Path(folder)), free_port()
        server = subprocess.Popen([program, str(port), "13", str(processes)])
        try:
            until_ready(server, port)
            few, many = measure(args, port, server.pid, processes)
        finally:
            server.kill()
            server.wait()
    most = lambda loads: max(one["memory"] for one in loads)
    each = (most(many) - most(few)) / (args.connections - args.few)
    print(f"generator memory: {each:.0f} bytes a connection, all processes' own included "
          f"({most(many) / 2**20:.1f} MB in {many[0]['processes']} processes)")
    unharmed = judge([one["latency_p99"] for one in few], [one["latency_p99"] for one in many], args.harm)
    whole = all(one["invalid"] == one["lost"] == 0 for one in few + many)
    whole &= all(one["held"] >= args.connections for one in many)
    sys.exit(0 if each < 2048 and whole and unharmed else 1)


def measure(args, port, server, processes):
    """The loads over few connections, and those over all."""
    found, rng = {args.few: [], args.connections: []}, random.Random(args.seed)
    for _ in range(args.rounds):
        for count in rng.sample(list(found), len(found)):
            one = load(args, port, server, count, processes)
            found[count].append(one)
            print(f"{one['held']} connections held: p50 {micros(one['latency_p50'])}, p99 {micros(one['latency_p99'])}, "
                  f"{one['answers']} answers, {one['lost']} lost", flush=True)
    return found[args.few], found[args.connections]


def micros(seconds):
    return "not told (the generator could not keep the rate)" if seconds is None else f"{seconds * 1e6:.0f} µs"


def judge(few, many, harm):
    """Says by what the p99 over all connections is more than over few, and whether that is harm."""
    if None in few + many:
        print("p99: not judged, since a load did not keep its rate")
        return False
    ratio = statistics.median(many) / statistics.median(few)
    print(f"p99 over all connections, median of {len(many)}: {micros(statistics.median(many))}, {ratio:.2f} times that over few "
          f"(which went from {micros(min(few))} to {micros(max(few))}): {'unharmed' if ratio <= harm else 'HARMED'}, "
          f"the limit being {harm:g}")
    return ratio <= harm


def load(args, port, server, connections, processes):
    command = [str(args.tare), "load", f"http://127.0.0.1:{port}/", "-c", str(connections), "--processes", str(processes),
               "--rate", str(args.rate), "-d", f"{args.seconds}s", "--format", "json", "-q", "--timeout", "60s"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    seen = {"memory": 0, "processes": 0, "held": 0}
    over = threading.Event()

    def look():
        while not over.wait(0.25):
            family = family_of(child.pid)
            seen["memory"] = max(seen["memory"], sum(resident(pid) for pid in family))
            seen["processes"] = max(seen["processes"], len(family))
            # To count 50,000 files takes a core for long enough that the load would feel it.
            if seen["held"] < connections:
                seen["held"] = sum(descriptors(pid) for pid in family_of(server))

    looker = threading.Thread(target=look)
    looker.start()
    out, _ = child.communicate()
    over.set()
    looker.join()
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}:\n{out.decode()}")
    return json.loads(out) | seen


def family_of(pid):
    """A process and its children."""
    try:
        tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return [pid]
    return [pid, *map(int, children)]


def resident(pid):
    """Resident memory that is the process's own (not of files), in bytes."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


def descriptors(pid):
    """Open files besides the standard ones, the listener and the queue: connections."""
    try:
        return max(0, len(os.listdir(f"/proc/{pid}/fd")) - 5)
    except OSError:
        return 0


def available():
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable"))


if __name__ == "__main__":
    main()
