#!/usr/bin/env python3
"""How late an open loop sends: `tare load --rate`, waiting asleep and awake, on a core of its own.

Usage: benches/lag.py TARE [--rate 20000] [--rounds 5] [--seconds 3] [--connections 64] [--cores LOAD,SERVER] [--seed N]
                      [--strict]

Drives benches/generators/server.c, which is kept to the second core, from the first one: asleep (no --cores is given to
tare, which is kept to the core from without) and awake (--cores), in rounds of random order. Prints the median and the
99.9th percentile of how late requests were sent, as tare tells them: for each way the median over rounds, and the worst;
and beside the aims for the awake one, 50 µs at the median and 1 ms at p99.9. With --strict it exits with 1 where an aim is
missed. The two cores must differ: on one, generator and server are each late because of the other.
"""
import argparse, json, os, pathlib, random, statistics, subprocess, sys, tempfile

from generators import build, free_port, pinned, until_ready

AIMS = {"lag_p50": 50e-6, "lag_p999": 1e-3}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--rate", type=float, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--cores", help="of the generator, and of the server; default: the first two that are allowed")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--strict", action="store_true", help="exit with 1 where an aim is missed")
    args = parser.parse_args()
    cores = [int(core) for core in args.cores.split(",")] if args.cores else sorted(os.sched_getaffinity(0))[:2]
    if len(set(cores)) < 2:
        sys.exit("this takes two cores: one for the generator, one for the server")
    print(f"seed {args.seed}, {args.rate:g} requests a second, generator on core {cores[0]}, server on core {cores[1]}")
    with tempfile.TemporaryDirectory() as folder:
        program, port = build(pathlib.Path(folder)), free_port()
        server = subprocess.Popen([program, str(port), "13"], preexec_fn=pinned(cores[1]))
        try:
            until_ready(server, port)
            found = measure(args, port, cores[0])
        finally:
            server.kill()
            server.wait()
    reached = [tell(way, rounds) for way, rounds in found.items()]
    sys.exit(1 if args.strict and not reached[-1] else 0)


def measure(args, port, core):
    found, rng = {"asleep": [], "awake": []}, random.Random(args.seed)
    for _ in range(args.rounds):
        for way in rng.sample(list(found), len(found)):
            found[way].append(load(args, port, core, way))
    return found


def load(args, port, core, way):
    command = [str(args.tare), "load", f"http://127.0.0.1:{port}/", "-c", str(args.connections), "--rate", str(args.rate),
               "-d", f"{args.seconds}s", "--format", "json", "-q"] + (["--cores", str(core)] if way == "awake" else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, preexec_fn=pinned(core))
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout.decode()}")
    document = json.loads(done.stdout)
    if document["awake"] != (way == "awake"):
        sys.exit(f"it was to wait {way}, and did not: run `{' '.join(command)}` without -q to see why")
    return document


def tell(way, rounds):
    """Prints the lateness of a way; whether it is within the aims."""
    reached = True
    for name, aim in AIMS.items():
        values = [one[name] for one in rounds]
        middle = statistics.median(values)
        reached &= middle <= aim
        said = f"; aim {micros(aim)}: {'reached' if middle <= aim else 'MISSED'}" if way == "awake" else ""
        print(f"{way}, {name.replace('lag_p', 'p').replace('p999', 'p99.9')}: {micros(middle)} (worst of {len(values)} rounds "
              f"{micros(max(values))}){said}")
    kept = sum(bool(one["rate_kept"]) for one in rounds)
    print(f"{way}: the rate was kept in {kept} of {len(rounds)} rounds; busy {max(one['busy'] for one in rounds) * 100:.0f}% "
          f"at the most, {statistics.median(one['cpu_per_op'] for one in rounds) * 1e6:.2f} µs of CPU per answer", flush=True)
    return reached


def micros(seconds):
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


if __name__ == "__main__":
    main()
