#!/usr/bin/env python3
"""A Slurm cluster on one machine: nodes with a network, a host name, mounts and processes of their own, that share its files.

Usage: benches/slurm.py [--nodes 3] COMMAND…
       benches/slurm.py [--nodes 3] [--launches 3] --check TARE

Runs COMMAND where jobs can be submitted, with SLURM_CONF set. Ends with its exit status. All is taken down at the end, also when
this process is killed (benches/cluster.py, whose namespaces these are).

--check runs a workload on all nodes (`tare run --on slurm`) with so many launches on each, undisturbed, then with the same seed and
a node whose power is cut twice and that comes back. Exits with 1 if the second run has not what the first has: the same contenders
without a fault, the same launches, the same nodes.

Needs root, iproute2, and Debian's slurm-wlm and munge. Without them it says so, and ends with 0.
"""
import argparse, contextlib, json, os, pathlib, shutil, signal, sqlite3, subprocess, sys, tempfile, time

import cluster as net

PATIENCE = 180  # Far more than anything takes.
NEEDED = {"slurmctld": "slurm-wlm", "slurmd": "slurm-wlm", "sbatch": "slurm-wlm", "munged": "munge"}


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
        with Slurm(name, args.nodes, pathlib.Path(folder)) as slurm:
            if args.check:
                return check(slurm, args.check.resolve(), args.launches)
            return subprocess.run(slurm.control(args.command), env=slurm.environment).returncode


def impossible():
    """Why there can be no cluster here."""
    for program, package in NEEDED.items():
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            return f"there is no `{program}` (Debian: {package})"
    return net.impossible()


class Slurm:
    def __init__(self, name, nodes, folder):
        self.name, self.folder = name, folder
        self.nodes = {f"n{number}": net.address(number) for number in range(1, nodes + 1)}
        self.conf = folder / "slurm.conf"
        self.environment = dict(os.environ, SLURM_CONF=str(self.conf))
        self.daemons = {}
        self.munge = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        began = time.monotonic()
        self.configure()
        socket = self.folder / "munge.socket"
        words = ["munged", "--foreground", "--force", f"--key-file={self.folder / 'munge.key'}", f"--socket={socket}"]
        words += [f"--{what}-file={self.folder / f'munge.{what}'}" for what in ("pid", "log", "seed")]
        self.munge = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        net.until("munge", socket.exists)
        self.daemon("ctl", ["slurmctld", "-D", "-c"])
        for node in self.nodes:
            self.daemon(node, ["slurmd", "-D"])
        net.until("idle nodes", lambda: self.asked("sinfo", "-h", "-N", "-t", "idle", "-o", "%n").split() == list(self.nodes))
        print(f"Slurm with {len(self.nodes)} nodes in {time.monotonic() - began:.2f} s", flush=True)

    def __exit__(self, *_):
        for process in [*self.daemons.values(), self.munge]:
            if process:
                process.kill()
                process.wait()

    def configure(self):
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        hosts = "".join(f"{address} {node}\n" for node, address in {"ctl": "10.77.0.1", **self.nodes}.items())
        (self.folder / "hosts").write_text(f"127.0.0.1 localhost\n{hosts}")
        for one in ("state", *(f"spool.{node}" for node in self.nodes)):
            (self.folder / one).mkdir()
        nodes = "\n".join(f"NodeName={node} NodeAddr={address} CPUs={os.cpu_count()} RealMemory=1000"
                          for node, address in self.nodes.items())
        self.conf.write_text(f"""ClusterName=tare
SlurmctldHost=ctl(10.77.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={self.folder}/munge.socket
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool.%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SchedulerParameters=bf_interval=1,sched_interval=1
ReturnToService=2
SlurmdTimeout=10
MinJobAge=3600
{nodes}
PartitionName=lab Nodes={','.join(self.nodes)} Default=YES OverSubscribe=EXCLUSIVE
""")

    def daemon(self, node, words):
        script = f"hostname {node}; mount --bind {self.folder}/hosts /etc/hosts; exec \"$@\""
        inside = ["unshare", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script, "sh"]
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
        self.daemons[node] = subprocess.Popen(self.within(node, [*inside, *words, "-f", self.conf]),
                                              env={**self.environment, "PATH": path}, stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL)

    def control(self, words):
        """A command where jobs can be submitted."""
        script = f"mount --bind {self.folder}/hosts /etc/hosts; exec \"$@\""
        inside = ["unshare", "--mount", "sh", "-c", script, "sh"]
        return self.within("ctl", [*inside, *words])

    def within(self, node, words):
        """Not by `ip netns exec`, which mounts another /sys, without control groups."""
        return ["nsenter", f"--net=/run/netns/{self.name}-{node}", *map(str, words)]

    def asked(self, *words):
        ran = subprocess.run(self.control(words), env=self.environment, capture_output=True, text=True)
        return ran.stdout

    def cut(self, node):
        """Cuts a node's power: its namespace of processes ends, and all in it with it."""
        self.daemons[node].kill()
        self.daemons[node].wait()

    def power(self, node):
        self.daemon(node, ["slurmd", "-D"])


LAB = net.LAB | {"workloads/hello/workload.toml": net.LAB["workloads/hello/workload.toml"].replace("connections = 16", "connections = 4")}


class Check:
    def __init__(self, slurm, tare):
        self.slurm, self.tare = slurm, tare
        self.lab = slurm.folder / "lab"
        serve = json.dumps([sys.executable, os.path.abspath(net.__file__), "__serve", "{host}", "{port}"])
        contender = f'schema = 1\nlanguage = "fixture"\nsummary = "says hello"\nstyle = "idiomatic"\nrun = {serve}\n'
        for name, text in (LAB | {f"workloads/hello/contenders/{one}/contender.toml": contender for one in "ab"}).items():
            path = self.lab / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def begin(self, launches):
        words = [self.tare, "run", "-C", self.lab, "hello", "--on", "slurm:lab", "--rounds", 3, "--launches", launches,
                 "--until", "decided", "--margin", "0", "--seed", 7, "--format", "json"]
        return subprocess.Popen(self.slurm.control(words), env=self.slurm.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def ended(self, run, nodes, launches):
        out, err = run.communicate(timeout=PATIENCE * launches)
        assert run.returncode == 0, (run.returncode, err)
        document = json.loads(out)
        hosts = [node["host"] for node in document["run"].get("nodes", [])]
        assert sorted(hosts) == sorted(nodes), (hosts, err)
        arena = document["workloads"][0]
        assert all(one["fault"] is None for one in arena["contenders"]), arena
        comparison = arena["comparisons"][0]
        assert comparison["launches"] <= launches and len(comparison["by_node"]) == len(nodes), comparison
        return arena, err

    def kept(self, node):
        """The measured slices that a node has kept so far, of all its runs."""
        store = self.lab / ".tare/cluster" / node / ".tare/results.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM slices WHERE phase = 'round'").fetchone()[0]


def shape(arena):
    """What two runs have in common that differ in time alone."""
    contenders = [one["id"] for one in arena["contenders"]]
    pairs = [(one["launches"], sorted(node["node"] for node in one["by_node"])) for one in arena["comparisons"]]
    return contenders, pairs, arena["launches"]


def check(slurm, tare, launches):
    one, nodes = Check(slurm, tare), list(slurm.nodes)
    undisturbed, _ = one.ended(one.begin(launches), nodes, launches)
    print(f"matrix: {undisturbed['launches']} launches on each of {len(nodes)} nodes", flush=True)
    victim = nodes[-1]
    run = one.begin(launches)
    for _ in range(2):
        before = one.kept(victim)
        net.until("some rounds", lambda: one.kept(victim) > before + 2)
        slurm.cut(victim)
        time.sleep(1)
        slurm.power(victim)
    arena, err = one.ended(run, nodes, launches)
    assert "began again" in err, err
    assert shape(arena) == shape(undisturbed), (shape(arena), shape(undisturbed))
    print(f"power cut twice: {arena['launches']} launches on each of {len(nodes)} nodes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
