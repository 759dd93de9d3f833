#!/usr/bin/env python3
"""Several machines on one, as far as the network goes: namespaces that are joined by a bridge.

Usage: benches/cluster.py [--nodes 3] COMMAND…
       benches/cluster.py [--nodes 3] --check TARE

Makes a network namespace for each node, NAME-n1 to NAME-nK with the addresses 10.77.0.11 and up, and one with the bridge,
NAME-ctl, 10.77.0.1. The network of this machine is not touched. Runs COMMAND in NAME-ctl, with TARE_CLUSTER=NAME: on a node
it runs something by `ip netns exec $TARE_CLUSTER-n2 …`. Ends with its exit status. All namespaces are taken down at the end
with whatever runs in them; a guard process does it, also when this one is killed.

--check drives servers on n1 from agents on the other nodes (`tare load --from`), and contenders on n1 (`tare run --hosts`), and
takes something away: an agent, the conductor, a cable, most of an agent's network. Exits with 1 if figures do not add up, an end goes unnoticed, something
keeps running, or a run that lost an agent cannot be continued.

Needs root and iproute2. Without them it says so, and ends with 0.
"""
import argparse, asyncio, contextlib, json, os, pathlib, shutil, signal, subprocess, sys, tempfile, time

PORT, AGENT = 8080, 7400
PATIENCE = 60  # Far more than anything takes.


def main():
    # Processes that this one starts.
    if sys.argv[1:2] == ["__guard"]:
        return guard(sys.argv[2])
    if sys.argv[1:2] == ["__serve"]:
        return asyncio.run(serve(sys.argv[2], int(sys.argv[3])))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3, choices=range(1, 100), metavar="K")
    parser.add_argument("--check", type=pathlib.Path, metavar="TARE")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if not args.check and not args.command:
        parser.error("what is to be run? COMMAND or --check TARE")
    why = impossible()
    if why:
        print(f"left out: {why}")
        return 0
    # Whoever ends this ends it in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with cluster(args.nodes) as name:
        if args.check:
            return check(name, args.check.resolve(), args.nodes)
        environment = dict(os.environ, TARE_CLUSTER=name)
        return subprocess.run(within(name, "ctl", args.command), env=environment).returncode


def impossible():
    """Why there can be no namespaces here."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not shutil.which("ip"):
        return "there is no `ip` (Debian: iproute2)"
    probe = subprocess.run(["unshare", "--net", "true"], capture_output=True, text=True)
    return probe.stderr.strip() if probe.returncode else None


@contextlib.contextmanager
def cluster(nodes):
    """The namespaces; their common name."""
    name, began = f"tare-{os.getpid()}", time.monotonic()
    # Its standard input ends with this process, however that ends.
    keeper = subprocess.Popen([sys.executable, __file__, "__guard", name], stdin=subprocess.PIPE, start_new_session=True)
    try:
        build(name, nodes)
        print(f"{nodes} nodes in {time.monotonic() - began:.2f} s: {name}-n1 to {name}-n{nodes}", flush=True)
        yield name
    finally:
        keeper.stdin.close()
        keeper.wait()


def build(name, nodes):
    control = f"{name}-ctl"
    ip("netns", "add", control)
    inside = lambda *words: ip("-n", control, *words)
    inside("link", "set", "lo", "up")
    inside("link", "add", "br0", "type", "bridge")
    inside("address", "add", "10.77.0.1/24", "dev", "br0")
    inside("link", "set", "br0", "up")
    for number in range(1, nodes + 1):
        node = f"{name}-n{number}"
        ip("netns", "add", node)
        inside("link", "add", f"v{number}", "type", "veth", "peer", "name", "eth0", "netns", node)
        inside("link", "set", f"v{number}", "master", "br0")
        inside("link", "set", f"v{number}", "up")
        for words in [("link", "set", "lo", "up"), ("address", "add", f"{address(number)}/24", "dev", "eth0"),
                      ("link", "set", "eth0", "up")]:
            ip("-n", node, *words)


def address(number):
    return f"10.77.0.{10 + number}"


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def within(name, node, command):
    return ["ip", "netns", "exec", f"{name}-{node}", *map(str, command)]


def within_host(name, node, command):
    """Not by `ip netns exec`, which mounts another /sys, without control groups."""
    return ["nsenter", f"--net=/run/netns/{name}-{node}", *map(str, command)]


def hosts(folder, nodes):
    """A file of the names of the control node and of so many others."""
    names = {"ctl": "10.77.0.1"} | {f"n{number}": address(number) for number in range(1, nodes + 1)}
    (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"{where} {name}\n" for name, where in names.items()))
    return folder / "hosts"


def machine(name, node, prelude, words, **more):
    """A daemon on a node as on a machine of its own, with a host name, mounts and processes: when it is killed, all that it
    started is. `prelude`: what a shell there does first."""
    # Names of control groups come of the lab's path and the number of a process, and nodes share /sys: they are to have other numbers.
    number = f"echo {1000 * int(node.removeprefix('n') if node != 'ctl' else 0)} > /proc/sys/kernel/ns_last_pid"
    script = f"hostname {node}; {number}; {prelude}; exec \"$@\""
    inside = ["unshare", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script, "sh", *words]
    environment = {**more.pop("env", os.environ)}
    environment["PATH"] += ":/usr/sbin:/sbin"
    return subprocess.Popen(within_host(name, node, inside), env=environment, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **more)


def guard(name):
    """Takes the namespaces down when its input ends."""
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    sys.stdin.read()
    for _ in range(100):
        left = [line.split()[0] for line in output("ip", "netns", "list").splitlines() if line.startswith(f"{name}-")]
        if not left:
            return 0
        for node in left:
            for pid in output("ip", "netns", "pids", node).split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            if not output("ip", "netns", "pids", node):
                subprocess.run(["ip", "netns", "delete", node], stderr=subprocess.DEVNULL)
        time.sleep(0.05)
    print(f"these could not be taken down: {', '.join(left)}", file=sys.stderr)
    return 1


def output(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


async def serve(where, port):
    """A server that answers every request alike."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    async def talk(reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(answer)
        writer.close()

    server = await asyncio.start_server(talk, where, port, backlog=1024)
    await server.serve_forever()


class Check:
    def __init__(self, name, tare, nodes, folder):
        self.name, self.tare, self.folder = name, tare, folder
        self.loads = range(2, nodes + 1)
        self.url = f"http://{address(1)}:{PORT}/"
        self.key = folder / "key"
        self.key.touch(mode=0o600)
        self.key.write_text(os.urandom(24).hex())
        self.agents = {}

    def start(self, node, command, **more):
        # What is kept outside of a lab is kept here: another tare may work there.
        environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"))
        return subprocess.Popen(within(self.name, node, command), cwd=self.folder, env=environment, text=True, **more)

    def agent(self, number):
        """Starts the agent of a node, and waits until it listens."""
        words = [self.tare, "agent", "--listen", f"{address(number)}:{AGENT}", "--key-file", self.key, "-q"]
        process = self.start(f"n{number}", words, stdout=subprocess.PIPE)
        line = process.stdout.readline()
        assert line.startswith("listening at"), line
        self.agents[number] = process

    def names(self):
        return [f"{address(number)}:{AGENT}" for number in self.loads]

    def load(self, *more):
        """A load from all agents, begun; it is waited for until the generators are there."""
        names = ",".join(self.names())
        words = [self.tare, "load", self.url, "--remote", "--from", names, "--key-file", self.key, "-c", "64", *more]
        return self.start("ctl", words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def generators(self, number):
        """The generator processes that run on a node."""
        found = []
        for pid in output("ip", "netns", "pids", f"{self.name}-n{number}").split():
            with contextlib.suppress(OSError):
                if b"__generator" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(int(pid))
        return found

    def begun(self):
        """A load without an end, once the generators of all nodes have connections."""
        conductor = self.load("-d", "10m")
        connected = lambda number: output("ip", "netns", "exec", f"{self.name}-n{number}", "cat", "/proc/net/tcp").count(
            f":{PORT:04X} 01 ")
        until("the generators of all nodes", lambda: all(self.generators(n) and connected(n) for n in self.loads))
        return conductor

    def gone(self, what, numbers):
        began = time.monotonic()
        until("the generators to end", lambda: not any(self.generators(number) for number in numbers))
        print(f"{what}: its generators ended after {time.monotonic() - began:.2f} s", flush=True)

    def lost(self, conductor, number):
        """The conductor names the agent that is gone, and has no figures."""
        out, err = conductor.communicate(timeout=PATIENCE)
        assert conductor.returncode == 1, (conductor.returncode, err)
        assert f"the agent at {address(number)}:{AGENT} was lost" in err, err
        assert not out, out
        return err

    def lost_of_run(self, run, number):
        """The same of a run, which shows what it has."""
        out, err = run.communicate(timeout=PATIENCE)
        assert run.returncode == 1, (run.returncode, err)
        assert f"the agent at {address(number)}:{AGENT} was lost" in err, err
        assert not json.loads(out)["run"]["complete"], out
        return err


def until(what, holds):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


def check(name, tare, nodes):
    if nodes < 3:
        sys.exit("a server and two agents are three nodes")
    with tempfile.TemporaryDirectory() as folder:
        one = Check(name, tare, nodes, pathlib.Path(folder))
        for port in (PORT, PORT + 1):
            one.start("n1", [sys.executable, __file__, "__serve", address(1), port])
        for number in one.loads:
            one.agent(number)
        for port in (PORT, PORT + 1):
            probe = f"import socket; socket.create_connection(('{address(1)}', {port}))"
            probe = within(name, "ctl", [sys.executable, "-c", probe])
            until("the server", lambda: subprocess.run(probe, capture_output=True).returncode == 0)
        balanced(one)
        compared(one)
        last = one.loads[-1]
        conductor = one.begun()
        one.agents[last].kill()
        one.lost(conductor, last)
        one.gone("agent killed", one.loads)
        one.agent(last)
        conductor = one.begun()
        conductor.kill()
        conductor.wait()
        one.gone("conductor killed", one.loads)
        conductor = one.begun()
        ip("-n", f"{name}-ctl", "link", "set", f"v{last}", "down")
        why = one.lost(conductor, last)
        assert "nothing was heard from it" in why, why
        one.gone("cut off", one.loads)
        ip("-n", f"{name}-ctl", "link", "set", f"v{last}", "up")
        balanced(one)
        slowed(one, last)
        measured(one, last)
    return 0


def compared(one):
    """Two servers against each other, in slices that all agents drive together."""
    conductor = one.load(f"http://{address(1)}:{PORT + 1}/", "-d", "5s", "--format", "json")
    out, err = conductor.communicate(timeout=PATIENCE)
    assert conductor.returncode == 0, err
    document = json.loads(out)
    arena = document["workloads"][0]
    assert [agent["name"] for agent in arena["placement"]["agents"]] == one.names(), arena["placement"]
    assert arena["comparisons"] and all(contender["fault"] is None for contender in arena["contenders"]), err
    print(f"compared: two servers, rounds: {arena['rounds']}", flush=True)


def slowed(one, last):
    """An agent whose network carries 2 Mbit/s: it has fewer answers than the others, and all of them add up."""
    slow = ("dev", "eth0", "root")
    tc = lambda *words: subprocess.run(["tc", "-n", f"{one.name}-n{last}", "qdisc", *words], check=True)
    tc("add", *slow, "tbf", "rate", "2mbit", "burst", "16kb", "latency", "200ms")
    conductor = one.load("-d", "3s", "--format", "json")
    out, err = conductor.communicate(timeout=PATIENCE)
    tc("delete", *slow)
    assert conductor.returncode == 0, err
    document = adds_up(one, out)
    *quick, late = [agent["answers"] for agent in document["agents"]]
    assert 0 < late < min(quick), document["agents"]
    print(f"slowed: {late} answers there, {min(quick)} and more elsewhere", flush=True)


LAB = {
    "languages/fixture.toml": 'schema = 1\nsummary = "a fixture"\n',
    "workloads/hello/workload.toml": '''schema = 1
summary = "says hello"
job = { kind = "http", path = "/", expect = "hello" }
[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "a"
modes = ["capacity"]
[modes.capacity]
primary = "cpu_per_op"
connections = 16
''',
}


def measured(one, last):
    """Contenders on n1, loaded from the others, until one of those is cut off; then continued."""
    serve = json.dumps([sys.executable, os.path.abspath(__file__), "__serve", "{host}", "{port}"])
    contender = f'schema = 1\nlanguage = "fixture"\nsummary = "says hello"\nstyle = "idiomatic"\nrun = {serve}\n'
    files = LAB | {f"workloads/hello/contenders/{name}/contender.toml": contender for name in "ab"}
    for name, text in files.items():
        path = one.folder / "lab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    words = [one.tare, "run", "-C", "lab", "--key-file", one.key, "--rounds", "3", "--format", "json"]
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    hosts = "load=" + ",".join(one.names())
    run = one.start("n1", [*words, "hello", "--hosts", hosts, "--launches", "100", "--budget", "5m"], **pipes)
    rounds = [one.tare, "report", "-C", one.folder / "lab", "--format", "slices"]
    until("some rounds", lambda: output(*map(str, rounds)).count(",round,") >= 6)
    ip("-n", f"{one.name}-ctl", "link", "set", f"v{last}", "down")
    err = one.lost_of_run(run, last)
    assert "tare run --resume" in err, err
    one.gone("cut off from a run", one.loads)
    ip("-n", f"{one.name}-ctl", "link", "set", f"v{last}", "up")
    resumed = one.start("n1", [*words, "--resume", "latest", "--launches", "3", "--budget", "1m"], **pipes)
    out, err = resumed.communicate(timeout=PATIENCE * 2)
    assert resumed.returncode == 0, err
    arena = json.loads(out)["workloads"][0]
    assert arena["launches"] >= 2 and all(one["fault"] is None for one in arena["contenders"]), arena
    print(f"continued: {arena['launches']} launches of two contenders", flush=True)


def balanced(one):
    """A load at a rate: every agent has its share, and all add up."""
    count = 8000
    conductor = one.load("--rate", "2000", "-n", str(count), "--format", "json")
    out, err = conductor.communicate(timeout=PATIENCE)
    assert conductor.returncode == 0, err
    document = adds_up(one, out)
    agents = document["agents"]
    assert document["sent"] == count, document
    shares = [agent["sent"] for agent in agents]
    assert max(shares) - min(shares) <= 1, shares
    print(f"balanced: {document['sent']} sent by {len(agents)} agents, begun within "
          f"{document['started_within'] * 1e6:.0f} µs", flush=True)


def adds_up(one, out):
    """The document of a load, whose books balance: of each agent, and of all together."""
    document = json.loads(out)
    agents = document["agents"]
    assert len(agents) == len(one.loads), document
    for part in [document, *agents]:
        assert part["sent"] == part["answers"] + part["invalid"] + part["lost"], part
    for key in ["sent", "answers", "invalid", "lost", "unsent"]:
        assert document[key] == sum(agent[key] for agent in agents), key
    return document


if __name__ == "__main__":
    sys.exit(main())
