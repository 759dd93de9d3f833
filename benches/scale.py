#!/usr/bin/env python3
"""Many connections: what the generator holds for each, and whether an idle-rate load feels them.

Usage: benches/scale.py TARE [--connections 50000] [--rate 2000] [--seconds 10] [--few 100] [--harm 1.5]

Starts benches/generators/server.c on one port in as many processes as the limit of open files asks for (SO_REUSEPORT),
then `tare load` at one rate over --few connections, over all of them, and over --few again. tare splits itself into
generator processes with source addresses of their own. While each load goes on, the resident memory of all its
processes is read from /proc (the peak counts; the kernel's memory for sockets is apart), and how many connections the
server's processes hold. Prints memory per connection (more than with --few, divided by how many more), and the
latencies of the three loads, and whether the p99 is unharmed: over all connections at most --harm times what it was over
few (the larger of the two, whose own difference is what chance does). Exits with 1 over 2 KB a connection, where the p99
is harmed, or where connections are missing or answers are wrong.
"""
import argparse, json, os, pathlib, resource, subprocess, sys, tempfile, threading, time

from generators import build, free_port, until_ready


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--connections", type=int, default=50_000)
    parser.add_argument("--rate", type=float, default=2000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--harm", type=float, default=1.5, help="how many times the p99 of few connections is no harm")
    args = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # A tenth of room: the kernel shares connections out by chance.
    servers = -(-args.connections * 11 // 10 // (files - 100)) if args.connections > files * 0.9 else 1
    print(f"{files} open files a process: {servers} server processes; {available()} MB of memory are available")
    with tempfile.TemporaryDirectory() as folder:
        program, port = build(pathlib.Path(folder)), free_port()
        server = subprocess.Popen([program, str(port), "13", str(servers)])
        try:
            until_ready(server, port)
            loads = [load(args, port, server.pid, count) for count in (args.few, args.connections, args.few)]
        finally:
            server.kill()
            server.wait()
    few, many, again = loads
    each = (many["memory"] - few["memory"]) / (args.connections - args.few)
    print(f"generator memory: {each:.0f} bytes a connection, all processes' own included "
          f"({many['memory'] / 2**20:.1f} MB in {many['processes']} processes)")
    for name, one in (("few", few), ("all", many), ("few again", again)):
        print(f"{name}: {one['held']} connections held; p50 {micros(one['latency_p50'])}, "
              f"p99 {micros(one['latency_p99'])}, {one['answers']} answers, {one['lost']} lost")
    unharmed = judge(few["latency_p99"], many["latency_p99"], again["latency_p99"], args.harm)
    whole = all(one["wrong"] == one["lost"] == 0 for one in loads) and many["held"] >= args.connections
    sys.exit(0 if each < 2048 and whole and unharmed else 1)


def micros(seconds):
    return "not told (the generator could not keep the rate)" if seconds is None else f"{seconds * 1e6:.0f} µs"


def judge(few, many, again, harm):
    """Says by what the p99 over all connections is more than over few, and whether that is harm."""
    if None in (few, many, again):
        print("p99: not judged, since a load did not keep its rate")
        return False
    ratio = many / max(few, again)
    print(f"p99 over all connections: {ratio:.2f} times that over few (which differed by {max(few, again) / min(few, again):.2f} "
          f"times between themselves): {'unharmed' if ratio <= harm else 'HARMED'}, the limit being {harm:g}")
    return ratio <= harm


def load(args, port, server, connections):
    command = [str(args.tare), "load", f"http://127.0.0.1:{port}/", "-c", str(connections), "--rate", str(args.rate),
               "-d", f"{args.seconds}s", "--format", "json", "-q", "--timeout", "60s"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    seen = {"memory": 0, "processes": 0, "held": 0}
    over = threading.Event()

    def look():
        while not over.wait(0.25):
            family = family_of(child.pid)
            seen["memory"] = max(seen["memory"], sum(resident(pid) for pid in family))
            seen["processes"] = max(seen["processes"], len(family))
            held = sum(descriptors(pid) for pid in family_of(server))
            seen["held"] = max(seen["held"], held)

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
