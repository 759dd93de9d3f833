#!/usr/bin/env python3
"""A Slurm cluster on one machine: nodes with a network, a host name, mounts and processes of their own, that share its files.

Usage: benches/slurm.py [--nodes 3] COMMAND…
       benches/slurm.py [--nodes 3] [--launches 3] [--limit] --check TARE

Runs COMMAND where jobs can be submitted, with SLURM_CONF set. Ends with its exit status. All is taken down at the end, also when
this process is killed (benches/cluster.py, whose namespaces these are).

--check runs a workload on all nodes (`tare run --on slurm`) with so many launches on each, undisturbed, then with the same seed and
a fault: a node's power cut twice, a job cancelled by another person, the controller away for a while, the conductor killed and its
nodes' stores merged by hand, and with --limit (minutes) jobs that reach their time limit. Exits with 1 if one of them has not what
the first has: the same contenders without a fault, the same launches, the same nodes.

Needs root, iproute2, and Debian's slurm-wlm and munge. Without them it says so, and ends with 0.
"""
import argparse, contextlib, json, os, pathlib, shutil, signal, sqlite3, subprocess, sys, tempfile, time

import cluster as net

PATIENCE = 180  # Far more than anything takes.
LONG = 60  # Launches that do not fit into a job of a minute.
NEEDED = {"slurmctld": "slurm-wlm", "slurmd": "slurm-wlm", "sbatch": "slurm-wlm", "munged": "munge"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3, choices=range(1, 20), metavar="K")
    parser.add_argument("--launches", type=int, default=3, metavar="N")
    parser.add_argument("--limit", action="store_true")
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
                return check(slurm, args.check.resolve(), args.launches, args.limit)
            return subprocess.run(slurm.control(args.command), env=slurm.environment).returncode


def impossible():
    """Why there can be no cluster here."""
    for program, package in NEEDED.items():
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            return f"there is no `{program}` (Debian: {package})"
    return net.impossible()


class Slurm:
    on = "slurm:lab"

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
        self.hosts = net.hosts(self.folder, len(self.nodes))
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
        self.daemons[node] = net.machine(self.name, node, f"mount --bind {self.hosts} /etc/hosts", [*words, "-f", self.conf],
                                         env=self.environment)

    def control(self, words):
        """A command where jobs can be submitted."""
        script = f"mount --bind {self.hosts} /etc/hosts; exec \"$@\""
        return net.within_host(self.name, "ctl", ["unshare", "--mount", "sh", "-c", script, "sh", *words])

    @staticmethod
    def store(lab, node):
        return lab / ".tare/cluster" / node / ".tare/results.sqlite"

    def asked(self, *words):
        ran = subprocess.run(self.control(words), env=self.environment, capture_output=True, text=True)
        return ran.stdout

    def cut(self, node):
        """Cuts the power of a node or of the controller: its namespace of processes ends, and all in it with it."""
        self.daemons[node].kill()
        self.daemons[node].wait()

    def power(self, node):
        self.daemon(node, ["slurmctld" if node == "ctl" else "slurmd", "-D"])


LAB = net.LAB | {"workloads/hello/workload.toml": net.LAB["workloads/hello/workload.toml"].replace("connections = 16", "connections = 4")}


class Check:
    """A lab of its own, and a run on all nodes of a cluster, of Slurm or another (benches/sshd.py)."""

    def __init__(self, cluster, tare, name):
        self.cluster, self.tare = cluster, tare
        self.lab = cluster.folder / name
        serve = json.dumps([sys.executable, os.path.abspath(net.__file__), "__serve", "{host}", "{port}"])
        contender = f'schema = 1\nlanguage = "fixture"\nsummary = "says hello"\nstyle = "idiomatic"\nrun = {serve}\n'
        for name, text in (LAB | {f"workloads/hello/contenders/{one}/contender.toml": contender for one in "ab"}).items():
            path = self.lab / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def begin(self, launches, **environment):
        words = [self.tare, "run", "-C", self.lab, "hello", "--on", self.cluster.on, "--rounds", 3, "--launches", launches,
                 "--until", "decided", "--margin", "0", "--seed", 7, "--format", "json"]
        return subprocess.Popen(self.cluster.control(words), env={**self.cluster.environment, **environment},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ended(self, run, launches):
        out, err = run.communicate(timeout=PATIENCE * launches)
        assert run.returncode == 0, (run.returncode, out, err)
        document, nodes = json.loads(out), self.cluster.nodes
        hosts = [node["host"] for node in document["run"].get("nodes", [])]
        assert sorted(hosts) == sorted(nodes), (hosts, err)
        arena = document["workloads"][0]
        assert all(one["fault"] is None for one in arena["contenders"]), arena
        comparison = arena["comparisons"][0]
        assert comparison["launches"] <= launches and len(comparison["by_node"]) == len(nodes), comparison
        return arena, err

    def stores(self):
        return [self.cluster.store(self.lab, node) for node in self.cluster.nodes]

    def measuring(self, node):
        """Waits until a node has measured some slices more than it has now."""
        measured = lambda: counted(self.cluster.store(self.lab, node), "slices WHERE phase = 'round'")
        before = measured()
        net.until("some rounds", lambda: measured() > before + 2)


def counted(store, what):
    """How many rows of a store; none as long as there is no such store."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return connection.execute(f"SELECT count(*) FROM {what}").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def shape(arena):
    """What two runs have in common that differ in time alone."""
    contenders = [one["id"] for one in arena["contenders"]]
    # Of the measure that is judged: on a busy machine another, such as a high quantile, may not be told of a launch.
    judged = (one for one in arena["comparisons"] if one["primary"])
    pairs = [(one["launches"], sorted(node["node"] for node in one["by_node"])) for one in judged]
    return contenders, pairs, arena["launches"]


def check(slurm, tare, launches, limit):
    one = Check(slurm, tare, "undisturbed")
    undisturbed, _ = one.ended(one.begin(launches), launches)
    print(f"matrix: {undisturbed['launches']} launches on each of {len(slurm.nodes)} nodes", flush=True)
    for fault in (power_cut_twice, job_cancelled, controller_away, conductor_killed):
        name = fault.__name__.replace("_", " ")
        arena = fault(slurm, Check(slurm, tare, fault.__name__), launches)
        assert arena is None or shape(arena) == shape(undisturbed), (name, shape(arena), shape(undisturbed))
        print(f"{name}: {launches} launches on each of {len(slurm.nodes)} nodes", flush=True)
    if limit:
        time_limit(slurm, Check(slurm, tare, "limit"))
    return 0


def power_cut_twice(slurm, one, launches):
    run, victim = one.begin(launches), list(slurm.nodes)[-1]
    for _ in range(2):
        one.measuring(victim)
        slurm.cut(victim)
        time.sleep(1)
        slurm.power(victim)
    return again(one, run, launches)


def job_cancelled(slurm, one, launches):
    run, victim = one.begin(launches), list(slurm.nodes)[-1]
    one.measuring(victim)
    slurm.asked("scancel", *slurm.asked("squeue", "-h", "-w", victim, "-o", "%i").split())
    return again(one, run, launches)


def controller_away(slurm, one, launches):
    run = one.begin(launches)
    one.measuring(list(slurm.nodes)[-1])
    slurm.cut("ctl")
    time.sleep(5)
    slurm.power("ctl")
    return one.ended(run, launches)[0]


def conductor_killed(slurm, one, launches):
    """The nodes go on by themselves; what they kept is merged by hand."""
    run = one.begin(launches)
    for node in slurm.nodes:
        one.measuring(node)
    run.kill()
    run.communicate()
    net.until("the end of all jobs", lambda: not slurm.asked("squeue", "-h").strip())
    merged = subprocess.run([one.tare, "merge", "-C", one.lab, *one.stores()], capture_output=True, text=True)
    assert merged.returncode == 0, merged.stderr
    kept = counted(one.lab / ".tare/results.sqlite", "launches")
    assert kept == launches * len(slurm.nodes), (kept, merged.stdout)


def again(one, run, launches):
    arena, err = one.ended(run, launches)
    assert "began again" in err, err
    return arena


def time_limit(slurm, one):
    """Slurm's least limit is a minute, and it looks at limits every half: launches for two and a half."""
    run, began = one.begin(LONG, SBATCH_TIMELIMIT="1"), time.monotonic()
    arena, err = one.ended(run, LONG)
    assert "TIMEOUT" in err and arena["launches"] == LONG, (arena["launches"], err)
    print(f"time limit of a minute: {LONG} launches on each node in {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
