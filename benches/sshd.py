#!/usr/bin/env python3
"""Nodes with an sshd each, on one machine: with a network, a host name, a home's cache, /tmp and processes of their own.

Usage: benches/sshd.py [--nodes 3] COMMAND…
       benches/sshd.py [--nodes 3] [--launches 3] --check TARE

Runs COMMAND where `ssh n1` reaches the first node, and so on. Ends with its exit status. All is taken down at the end, also when
this process is killed (benches/cluster.py, whose namespaces these are).

--check runs a workload on all nodes (`tare run --on ssh`) with so many launches on each, undisturbed, then with the same seed and a
fault: a node's power cut, a cable pulled until ssh gives up; then a node whose disk is full from some time on, a conductor that is
interrupted, and one that is killed; then contenders on one node and their load from the others (`tare run --hosts`). Exits with 1 if a run with a fault has not what the
undisturbed one has, or something goes on running on a node.

Needs root, iproute2, and Debian's openssh-server and openssh-client. Without them it says so, and ends with 0.
"""
import argparse, contextlib, json, os, pathlib, shutil, signal, subprocess, sys, tempfile, time

import cluster as net
from slurm import Check, again, shape

# How long a node is off whose power is cut, in seconds.
OFF = 30

NEEDED = {"sshd": "openssh-server", "ssh": "openssh-client", "ssh-keygen": "openssh-client"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3, choices=range(1, 20), metavar="K")
    parser.add_argument("--launches", type=int, default=3, metavar="N")
    parser.add_argument("--check", type=pathlib.Path, metavar="TARE")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if not args.check and not args.command:
        parser.error("what is to be run? COMMAND or --check TARE")
    if why := impossible():
        print(f"left out: {why}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with net.cluster(args.nodes) as name, tempfile.TemporaryDirectory() as folder:
        with Nodes(name, args.nodes, pathlib.Path(folder)) as nodes:
            if args.check:
                return check(nodes, args.check.resolve(), args.launches)
            return subprocess.run(nodes.control(args.command)).returncode


def impossible():
    """Why there can be no such nodes here."""
    for program, package in NEEDED.items():
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            return f"there is no `{program}` (Debian: {package})"
    return net.impossible()


class Nodes:
    environment = os.environ

    def __init__(self, name, nodes, folder):
        self.name, self.folder = name, folder
        self.nodes = {f"n{number}": net.address(number) for number in range(1, nodes + 1)}
        self.on = f"ssh:{','.join(self.nodes)}"
        self.hosts = net.hosts(folder, nodes)
        self.daemons = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        began = time.monotonic()
        own = self.folder / "ssh"
        own.mkdir(mode=0o700)
        for key in ("id", "host"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", own / key], check=True)
        shutil.copy(own / "id.pub", own / "authorized_keys")
        home = pathlib.Path.home() / ".ssh"
        (own / "config").write_text(f"IdentityFile {home}/id\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n")
        (own / "sshd_config").write_text(f"HostKey {home}/host\nPidFile none\nPermitRootLogin yes\nPasswordAuthentication no\n")
        home.mkdir(mode=0o700, exist_ok=True)
        # Of the daemon for all that it has not yet let in.
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        for node in self.nodes:
            (self.folder / f"cache.{node}").mkdir()
            self.power(node)
        for node in self.nodes:
            net.until(f"sshd on {node}", lambda: self.ran(node, "true") == 0)
        print(f"sshd on {len(self.nodes)} nodes in {time.monotonic() - began:.2f} s", flush=True)

    def __exit__(self, *_):
        for process in self.daemons.values():
            process.kill()
            process.wait()

    def mounts(self):
        return f"mount --bind {self.hosts} /etc/hosts; mount --bind {self.folder}/ssh {pathlib.Path.home()}/.ssh"

    def power(self, node):
        cache = pathlib.Path.home() / ".cache"
        cache.mkdir(exist_ok=True)
        # /tmp last, since what is mounted may be there.
        prelude = f"{self.mounts()}; mount --bind {self.folder}/cache.{node} {cache}; mount -t tmpfs tare /tmp; chmod 1777 /tmp"
        words = [shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin"), "-D", "-f", f"{pathlib.Path.home()}/.ssh/sshd_config",
                 "-o", f"ListenAddress={self.nodes[node]}"]
        self.daemons[node] = net.machine(self.name, node, prelude, words)

    def cut(self, node):
        """Cuts a node's power: nothing that ran there is left to say so."""
        self.cable(node, "down")
        self.daemons[node].kill()
        self.daemons[node].wait()
        self.cable(node, "up")

    @contextlib.contextmanager
    def small_disk(self, node):
        """A node with a disk of its own, which a trial can fill."""
        disk = self.folder / f"cache.{node}"
        self.cut(node)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=500m", "tare", disk], check=True)
        try:
            self.power(node)
            net.until(f"sshd on {node}", lambda: self.ran(node, "true") == 0)
            yield disk
            self.cut(node)
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)
        self.power(node)
        net.until(f"sshd on {node}", lambda: self.ran(node, "true") == 0)

    def cable(self, node, state):
        net.ip("-n", f"{self.name}-ctl", "link", "set", f"v{node[1:]}", state)

    def control(self, words):
        """A command where ssh reaches the nodes."""
        script = f"{self.mounts()}; exec \"$@\""
        return net.within_host(self.name, "ctl", ["unshare", "--mount", "sh", "-c", script, "sh", *words])

    def ran(self, node, *words):
        return subprocess.run(self.control(["ssh", "-o", "ConnectTimeout=1", node, *words]), stderr=subprocess.DEVNULL).returncode

    def fresh(self, tare, name):
        """A lab that no node has, nor any other."""
        for node in self.nodes:
            shutil.rmtree(self.folder / f"cache.{node}/tare", ignore_errors=True)
        return Check(self, tare, name)

    def store(self, lab, node):
        there = [*(self.folder / f"cache.{node}").glob("tare/labs/*/.tare/results.sqlite")]
        return there[0] if there else lab / "nothing"

    def running(self):
        """What of tare runs on the nodes."""
        found = []
        for node in self.nodes:
            for pid in net.output("ip", "netns", "pids", f"{self.name}-{node}").split():
                if (line := net.output("ps", "-o", "args=", "-p", pid)) and ("tare" in line or "__serve" in line) and "sshd" not in line:
                    found.append(f"{node}: {line.strip()}")
        return found

    def connections(self, node):
        """The ids of the processes on this machine that hold a connection to a node."""
        pids = set(net.output("ip", "netns", "pids", f"{self.name}-ctl").split())
        return {pid for pid in pids if (line := net.output("ps", "-o", "args=", "-p", pid)).startswith("ssh ") and f" {node} " in line}

    def quiet(self, what):
        began = time.monotonic()
        net.until(f"the end of {self.running()}", lambda: not self.running())
        print(f"{what}: nothing runs on a node after {time.monotonic() - began:.1f} s", flush=True)


def check(nodes, tare, launches):
    one = nodes.fresh(tare, "undisturbed")
    undisturbed, _ = one.ended(one.begin(launches), launches)
    nodes.quiet(f"matrix: {undisturbed['launches']} launches on each of {len(nodes.nodes)} nodes")
    for fault in (power_cut, cable_pulled):
        name = fault.__name__.replace("_", " ")
        arena = fault(nodes, nodes.fresh(tare, fault.__name__), launches)
        assert shape(arena) == shape(undisturbed), (name, shape(arena), shape(undisturbed))
        nodes.quiet(f"{name}: {launches} launches on each of {len(nodes.nodes)} nodes")
    for since in ("begun", "measuring"):
        disk_full(nodes, nodes.fresh(tare, f"disk_full.{since}"), launches, since)
        nodes.quiet(f"disk full since {since}: launches on the other nodes")
    for how in (signal.SIGINT, signal.SIGKILL):
        one = nodes.fresh(tare, f"conductor-{how.name}")
        run = one.begin(launches)
        one.measuring(list(nodes.nodes)[-1])
        run.send_signal(how)
        run.communicate()
        nodes.quiet(f"conductor ended by {how.name}")
    placed(nodes, nodes.fresh(tare, "placed"))
    return 0


def power_cut(nodes, one, launches):
    run, victim = one.begin(launches), list(nodes.nodes)[-1]
    one.measuring(victim)
    nodes.cut(victim)
    # Three tries in a row would not last so long.
    time.sleep(OFF)
    nodes.power(victim)
    return again(one, run, launches)


def cable_pulled(nodes, one, launches):
    """The node goes on by itself meanwhile: whether something is left to begin again depends on how long ssh waits."""
    run, victim = one.begin(launches), list(nodes.nodes)[-1]
    one.measuring(victim)
    held = nodes.connections(victim)
    assert held, f"nothing is connected to {victim}"
    nodes.cable(victim, "down")
    net.until("ssh to give up", lambda: not held & nodes.connections(victim))
    nodes.cable(victim, "up")
    return one.ended(run, launches)[0]


def disk_full(nodes, one, launches, since):
    """The node is left out, with why, unless it was done in what it had; the others make their parts."""
    victim = list(nodes.nodes)[-1]
    with nodes.small_disk(victim) as disk:
        run = one.begin(launches)
        if since == "begun":
            net.until("a store", lambda: nodes.store(one.lab, victim).exists())
        else:
            one.measuring(victim)
        fill(disk)
        out, err = run.communicate(timeout=net.PATIENCE * launches)
    assert run.returncode == 0, (run.returncode, err)
    document = json.loads(out)
    lost = f"{victim}: left out" in err
    assert lost or since == "measuring", err
    made = sorted(node["host"] for node in document["run"]["nodes"])
    assert made == [node for node in nodes.nodes if node != victim or not lost], (made, err)
    assert all(contender["fault"] is None for contender in document["workloads"][0]["contenders"]), (document, err)
    print(*(line for line in err.splitlines() if line.startswith(victim)), sep="\n", flush=True)


def fill(disk):
    with open(disk / "full", "wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))


def placed(nodes, one):
    """Contenders on one node, their load from the others."""
    server, *loads = nodes.nodes
    words = [one.tare, "run", "-C", one.lab, "hello", "--hosts", f"server={server},load={','.join(loads)}", "--rounds", 3,
             "--launches", 3, "--format", "json"]
    ran = subprocess.run(nodes.control(words), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    arena = json.loads(ran.stdout)["workloads"][0]
    agents = [agent["name"] for agent in arena["placement"]["agents"]]
    assert len(agents) == len(loads) and all(contender["fault"] is None for contender in arena["contenders"]), arena
    for contender in arena["contenders"]:
        requests = contender["requests"]
        assert requests["sent"] == requests["valid"] + requests["invalid"] + requests["lost"], requests
    nodes.quiet(f"placed: contenders on {server}, load from {', '.join(agents)}")


if __name__ == "__main__":
    sys.exit(main())
