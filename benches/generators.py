#!/usr/bin/env python3
"""CPU of the load generator per answer: `tare load` against wrk and others, in paired rounds of random order.

Usage: benches/generators.py TARE [--rounds 12] [--seconds 1] [--cases small,deep,large,chunked,fine]
                             [--others wrk,ab,h2load] [--cores LOAD,SERVER] [--seed N] [--strict]

All drive the same server (benches/generators/server.c), one core each. CPU is what the kernel charged to the whole
generator process (wait4), its start included; answers are what it says it had. tare checks each answer (of large ones the
length and the end of all, and every byte of the share that is printed), the others none. Large pages in chunks, of 8 KiB and
of 1 KiB, are cases apart: a chunked page is decoded, by all, and costs what its chunks do.
Prints per case the medians, and for each other the median ratio of the pairs with its bootstrap interval (95%, 10,000
resamples). The aims are against wrk. wrk, ab and h2load are Debian's (`apt-get install wrk apache2-utils
nghttp2-client`); what is missing is left out with a word, and so is ab where requests are to be in flight at once or
answers come in chunks, which it cannot. ab speaks HTTP/1.0, and has a server of its own that tells it to keep its
connections. With --strict it exits with 1 where an aim is missed, or cannot be judged for want of wrk.
"""
import argparse, json, os, pathlib, random, re, shutil, socket, statistics, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
# Connections, requests in flight on each, bytes of the body, bytes of a chunk (0: the answer has its length), and the ratio
# to reach; none: it is stated.
CASES = {
    "small": (64, 1, 13, 0, 0.78),
    "deep": (64, 16, 13, 0, 0.60),
    "large": (64, 1, 551_015, 0, 0.60),
    "chunked": (64, 1, 551_015, 8192, None),
    "fine": (64, 1, 551_015, 1024, None),
}
# wrk pipelines by a script only.
DEEP = """init = function() local r = {} for i = 1, %d do r[i] = wrk.format() end batch = table.concat(r) end
request = function() return batch end
"""


# The package of Debian that brings each.
OTHERS = {"wrk": "wrk", "ab": "apache2-utils", "h2load": "nghttp2-client"}
COUNTS = {"wrk": r"(\d+) requests in", "ab": r"Complete requests:\s+(\d+)", "h2load": r"(\d+) succeeded"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--others", default=",".join(OTHERS))
    parser.add_argument("--strict", action="store_true", help="exit with 1 where an aim is missed")
    parser.add_argument("--cores", help="of the generator, and of the server; default: the first two that are allowed")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    args = parser.parse_args()
    allowed = sorted(os.sched_getaffinity(0))
    cores = [int(core) for core in args.cores.split(",")] if args.cores else (allowed * 2)[:2]
    print(f"seed {args.seed}, generator on core {cores[0]}, server on core {cores[1]}"
          + ("" if cores[0] != cores[1] else " (shared: only one is there)"))
    args.found = [other for other in args.others.split(",") if here(other)]
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder))
        reached = [measure(name, program, pathlib.Path(folder), args, cores, rng) for name in args.cases.split(",")]
    sys.exit(1 if args.strict and not all(reached) else 0)


def here(other):
    if other not in OTHERS:
        sys.exit(f"{other} is not known here: one of {', '.join(OTHERS)}")
    if not shutil.which(other):
        print(f"{other} is missing (`apt-get install {OTHERS[other]}`): left out")
    return shutil.which(other)


def build(folder):
    program = folder / "server"
    subprocess.run(["cc", "-O2", "-o", program, HERE / "generators" / "server.c"], check=True)
    return program


def measure(name, program, folder, args, cores, rng):
    """Measures a case; whether its aim was reached."""
    connections, depth, size, chunk, goal = CASES[name]
    ports = free_port(), free_port()
    servers = [subprocess.Popen([program, str(port), str(size), "1", str(chunk), *more], preexec_fn=pinned(cores[1]))
               for port, more in zip(ports, ((), ("keep",)))]
    try:
        for server, port in zip(servers, ports):
            until_ready(server, port)
        commands = {"tare": tare(args, ports[0], connections, depth)}
        commands |= {other: command for other in args.found
                     if (other != "ab" or not chunk)
                     and (command := COMMANDS[other](args, ports[other == "ab"], connections, depth, folder))}
        found = {who: [] for who in commands}
        shares = []
        for _ in range(args.rounds):
            order = list(commands)
            rng.shuffle(order)
            for who in order:
                cost, share = cpu_per_answer(who, commands[who], cores[0])
                found[who].append(cost)
                shares += [] if share is None else [share]
    finally:
        for server in servers:
            server.kill()
            server.wait()
    told = ", ".join(f"{who} {statistics.median(values) * 1e6:.3f} µs" for who, values in found.items())
    chunks = f" in chunks of {chunk}" if chunk else ""
    line = f"{name}: {connections} connections, depth {depth}, {size} bytes{chunks}: {told}"
    print(f"{line}; tare checked every byte of {statistics.mean(shares):.0%} of the answers", flush=True)
    ratios = {who: [a / b for a, b in zip(found["tare"], found[who])] for who in found.keys() - {"tare"}}
    for who, pairs in ratios.items():
        low, high = interval(pairs, rng)
        aim = "" if who != "wrk" else f", to reach {goal}" if goal else ", stated apart"
        print(f"  tare over {who}: {statistics.median(pairs):.3f} [{low:.3f}, {high:.3f}]{aim}", flush=True)
    if not goal:
        return True
    if "wrk" not in ratios:
        print("  without wrk the aim cannot be judged")
        return False
    return statistics.median(ratios["wrk"]) <= goal


def tare(args, port, connections, depth):
    return [str(args.tare), "load", f"http://127.0.0.1:{port}/", "-c", str(connections), "--pipeline", str(depth),
            "-d", f"{args.seconds}s", "--format", "json", "-q"]


def wrk(args, port, connections, depth, folder):
    command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{args.seconds:.0f}s"]
    if depth > 1:
        script = folder / f"deep-{depth}.lua"
        script.write_text(DEEP % depth)
        command += ["-s", str(script)]
    return command + [f"http://127.0.0.1:{port}/"]


def ab(args, port, connections, depth, folder):
    # As many as it cannot have in the time: it keeps a record of each.
    most = str(max(400_000, int(400_000 * args.seconds)))
    return ["ab", "-k", "-q", "-c", str(connections), "-t", f"{args.seconds:.0f}", "-n", most,
            f"http://127.0.0.1:{port}/"] if depth == 1 else None


def h2load(args, port, connections, depth, folder):
    return ["h2load", "--h1", "-t", "1", "-c", str(connections), "-m", str(depth), "-D", f"{args.seconds:.0f}",
            f"http://127.0.0.1:{port}/"]


COMMANDS = {"wrk": wrk, "ab": ab, "h2load": h2load}


def cpu_per_answer(who, command, core):
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, preexec_fn=pinned(core))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}:\n{text}")
    document = json.loads(text) if who == "tare" else None
    answers = document["answers"] if document else int(re.search(COUNTS[who], text)[1])
    return (usage.ru_utime + usage.ru_stime) / answers, document and document["checked"]


def interval(ratios, rng):
    medians = sorted(statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(10_000))
    return medians[250], medians[9749]


def pinned(core):
    return lambda: os.sched_setaffinity(0, {core})


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until_ready(server, port):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if server.poll() is not None:
            sys.exit(f"the server ended with {server.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.005)
    sys.exit("the server did not listen within 10 s")


if __name__ == "__main__":
    main()
