#!/usr/bin/env python3
"""CPU of the load generator per answer: `tare load` against wrk and others, in paired rounds of random order.

Usage: benches/generators.py TARE [--rounds 12] [--seconds 1] [--cases small,deep,large,chunked,fine,…]
                             [--others wrk,ab,h2load,oha] [--cores LOAD,SERVER] [--seed N] [--strict]

All drive the same server, one core each. CPU is what the kernel charged to the whole generator process (wait4), its start
included; answers are what it says it had. tare checks each answer (of large ones the length and the end of all, and every
byte of the share that is printed), the others none.
The servers are ours (benches/generators/server.c and secure.c: what one read brought is answered by one write), and, in
the cases that name it, nghttpd. Large pages in chunks, of 8 KiB and of 1 KiB, are cases apart: a chunked page is decoded, by
all, and costs what its chunks do. Cases: `small`, `deep`, `large`, `chunked`, `fine` are HTTP/1.1 in clear; `tls` over TLS 1.3;
`h2c`, `h2c-32`, `h2`, `h2-32` are HTTP/2 in clear and over TLS with one stream and with 32; `nghttpd` and `nghttpd-tls` those
with 32 streams against nghttpd.
Prints per case the medians, and for each other the median ratio of the pairs with its bootstrap interval (95%, 10,000
resamples), and the aim where there is one. wrk, ab, h2load and nghttpd are Debian's (`apt-get install wrk apache2-utils
nghttp2-client nghttp2-server`), oha is had by `cargo install oha`; what is missing is left out with a word, and so is what
another cannot: wrk and ab HTTP/2, ab TLS, several requests in flight, and chunks. ab speaks HTTP/1.0, and has a server of its own that tells
it to keep its connections. With --strict it exits with 1 where an aim is missed, or cannot be judged for want of the other.
"""
import argparse, json, os, pathlib, random, re, shutil, socket, statistics, subprocess, sys, tempfile, time
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Case:
    """Connections, requests in flight on each, bytes of the body; bytes of a chunk (0: the answer has its length); the ratios
    to reach (of others that have none, they are stated)."""
    connections: int
    depth: int
    size: int
    chunk: int = 0
    version: int = 1
    tls: bool = False
    server: str = "ours"
    aims: dict = field(default_factory=dict)

    @property
    def scheme(self):
        return "https" if self.tls else "http"

    @property
    def plain(self):
        return self.version == 1 and not self.tls


CASES = {
    "small": Case(64, 1, 13, aims={"wrk": 0.78, "oha": 0.60}),
    "deep": Case(64, 16, 13, aims={"wrk": 0.60}),
    "large": Case(64, 1, 551_015, aims={"wrk": 0.60, "oha": 0.60}),
    "chunked": Case(64, 1, 551_015, 8192),
    "fine": Case(64, 1, 551_015, 1024),
    "tls": Case(64, 1, 13, tls=True, aims={"wrk": 0.65, "oha": 0.60}),
    "h2c": Case(64, 1, 13, version=2, aims={"h2load": 0.65, "oha": 0.60}),
    "h2c-32": Case(64, 32, 13, version=2, aims={"h2load": 0.35, "oha": 0.60}),
    "h2": Case(64, 1, 13, version=2, tls=True, aims={"h2load": 0.60, "oha": 0.60}),
    "h2-32": Case(64, 32, 13, version=2, tls=True, aims={"h2load": 0.35, "oha": 0.60}),
    "nghttpd": Case(64, 32, 13, version=2, server="nghttpd", aims={"h2load": 0.55, "oha": 0.60}),
    "nghttpd-tls": Case(64, 32, 13, version=2, tls=True, server="nghttpd", aims={"h2load": 0.55, "oha": 0.60}),
}
# wrk pipelines by a script only.
DEEP = """init = function() local r = {} for i = 1, %d do r[i] = wrk.format() end batch = table.concat(r) end
request = function() return batch end
"""


# How each is had.
OTHERS = {"wrk": "apt-get install wrk", "ab": "apt-get install apache2-utils", "h2load": "apt-get install nghttp2-client",
          "oha": "cargo install oha"}
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
        made = Servers(pathlib.Path(folder))
        reached = [measure(name, made, args, cores, rng) for name in args.cases.split(",")]
    sys.exit(1 if args.strict and not all(reached) else 0)


def here(other):
    if other not in OTHERS:
        sys.exit(f"{other} is not known here: one of {', '.join(OTHERS)}")
    if not shutil.which(other):
        print(f"{other} is missing (`{OTHERS[other]}`): left out")
    return shutil.which(other)


def build(folder, name="server", libraries=()):
    program = folder / name
    source = HERE / "generators" / f"{name}.c"
    subprocess.run(["cc", "-O2", "-o", program, source, *(f"-l{library}" for library in libraries)], check=True)
    return program


class Servers:
    """What is built and made for the servers, once."""

    def __init__(self, folder):
        self.folder = folder
        self.made = {}

    def once(self, what, make):
        if what not in self.made:
            self.made[what] = make()
        return self.made[what]

    def certificate(self):
        """A file with a certificate of 127.0.0.1 and its key."""
        def make():
            made = self.folder / "both.pem"
            key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                            "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
                            "basicConstraints=critical,CA:FALSE", "-keyout", key, "-out", certificate],
                           check=True, capture_output=True)
            made.write_text(certificate.read_text() + key.read_text())
            return made
        return self.once("certificate", make)

    def command(self, case, port, keep):
        """The server of a case; `keep`: for ab."""
        if case.server == "nghttpd":
            return self.nghttpd(case, port)
        if case.plain:
            program = self.once("server", lambda: build(self.folder))
            return [program, port, case.size, 1, case.chunk, *(["keep"] if keep else [])]
        program = self.once("secure", lambda: build(self.folder, "secure", ("ssl", "crypto")))
        return [program, port, case.size, f"h{case.version}", *([self.certificate()] if case.tls else [])]

    def nghttpd(self, case, port):
        pages = self.folder / f"pages-{case.size}"
        pages.mkdir(exist_ok=True)
        (pages / "index.html").write_text("".join(chr(97 + k % 26) for k in range(case.size)))
        pem = self.certificate() if case.tls else None
        return ["nghttpd", "-d", pages, "-n", 1, "-a", "127.0.0.1", *([] if case.tls else ["--no-tls"]), port,
                *([self.folder / "key.pem", self.folder / "certificate.pem"] if pem else [])]


def measure(name, made, args, cores, rng):
    """Measures a case; whether its aims were reached."""
    case = CASES[name]
    if case.server != "ours" and not shutil.which(case.server):
        print(f"{name}: {case.server} is missing (`apt-get install nghttp2-server`): left out")
        return True
    kinds = [False] + [True] * (case.plain and "ab" in args.found)
    ports = {keep: free_port() for keep in kinds}
    servers = {keep: subprocess.Popen([str(word) for word in made.command(case, ports[keep], keep)],
                                      preexec_fn=pinned(cores[1]), stdout=subprocess.DEVNULL) for keep in kinds}
    try:
        for keep, server in servers.items():
            until_ready(server, ports[keep])
        commands = {who: command for who in ["tare", *args.found]
                    if (command := COMMANDS[who](args, ports.get(who == "ab"), case, made))}
        found, shares = rounds_of(commands, args.rounds, cores[0], rng)
    finally:
        for server in servers.values():
            server.kill()
            server.wait()
    return told(name, case, found, shares, rng)


def rounds_of(commands, rounds, core, rng):
    """CPU per answer of each in every round, and the shares of the answers that tare checked whole."""
    found, shares = {who: [] for who in commands}, []
    for _ in range(rounds):
        order = list(commands)
        rng.shuffle(order)
        for who in order:
            cost, share = cpu_per_answer(who, commands[who], core)
            found[who].append(cost)
            shares += [] if share is None else [share]
    return found, shares


def told(name, case, found, shares, rng):
    medians = ", ".join(f"{who} {statistics.median(values) * 1e6:.3f} µs" for who, values in found.items())
    chunks = f" in chunks of {case.chunk}" if case.chunk else ""
    line = f"{name}: {case.connections} connections, depth {case.depth}, {case.size} bytes{chunks}: {medians}"
    print(f"{line}; tare checked every byte of {statistics.mean(shares):.0%} of the answers", flush=True)
    reached = True
    for who in found.keys() - {"tare"}:
        pairs = [a / b for a, b in zip(found["tare"], found[who])]
        low, high = interval(pairs, rng)
        aim = f", to reach {case.aims[who]}" if who in case.aims else ""
        print(f"  tare over {who}: {statistics.median(pairs):.3f} [{low:.3f}, {high:.3f}]{aim}", flush=True)
        reached &= statistics.median(pairs) <= case.aims.get(who, float("inf"))
    # oha takes long to build, so it may be missing.
    if missing := case.aims.keys() - found.keys() - {"oha"}:
        print(f"  without {', '.join(missing)} the aim cannot be judged")
    return reached and not missing


def tare(args, port, case, made):
    scheme = "h2c" if case.version == 2 and not case.tls else case.scheme
    depth = "--streams" if case.version == 2 else "--pipeline"
    return [str(args.tare), "load", f"{scheme}://127.0.0.1:{port}/", "-c", str(case.connections), depth, str(case.depth),
            *(["--cacert", str(made.certificate())] if case.tls else []),
            *(["--http", "2"] if case.tls and case.version == 2 else []), "-d", f"{args.seconds}s", "--format", "json", "-q"]


def wrk(args, port, case, made):
    if case.version == 2:
        return None
    command = ["wrk", "-t", "1", "-c", str(case.connections), "-d", f"{args.seconds:.0f}s"]
    if case.depth > 1:
        script = made.folder / f"deep-{case.depth}.lua"
        script.write_text(DEEP % case.depth)
        command += ["-s", str(script)]
    return command + [f"{case.scheme}://127.0.0.1:{port}/"]


def ab(args, port, case, made):
    if not case.plain or case.depth > 1 or case.chunk:
        return None
    # As many as it cannot have in the time: it keeps a record of each.
    most = str(max(400_000, int(400_000 * args.seconds)))
    return ["ab", "-k", "-q", "-c", str(case.connections), "-t", f"{args.seconds:.0f}", "-n", most, f"http://127.0.0.1:{port}/"]


def h2load(args, port, case, made):
    return ["h2load", *(["--h1"] if case.version == 1 else []), "-t", "1", "-c", str(case.connections), "-m", str(case.depth),
            "-D", f"{args.seconds:.0f}", f"{case.scheme}://127.0.0.1:{port}/"]


def oha(args, port, case, made):
    if case.version == 1 and case.depth > 1:
        return None
    return ["oha", "-z", f"{args.seconds:.0f}s", "-c", str(case.connections), "--no-tui", "--output-format", "json",
            *(["--http2", "-p", str(case.depth)] if case.version == 2 else []), *(["--insecure"] if case.tls else []),
            f"{case.scheme}://127.0.0.1:{port}/"]


COMMANDS = {"tare": tare, "wrk": wrk, "ab": ab, "h2load": h2load, "oha": oha}


def cpu_per_answer(who, command, core):
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, preexec_fn=pinned(core))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}:\n{text}")
    document = json.loads(text) if who in ("tare", "oha") else None
    cpu = usage.ru_utime + usage.ru_stime
    if who == "tare":
        return cpu / document["answers"], document["checked"]
    answers = document["statusCodeDistribution"]["200"] if document else int(re.search(COUNTS[who], text)[1])
    return cpu / answers, None


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
