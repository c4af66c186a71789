"""A Slurm cluster for tests: munged, slurmctld and several slurmd on this machine, in a temporary folder. Tests import
it by path."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import e2e

WAIT_S = e2e.SECONDS_MAX
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")
CONF = """
ClusterName=assay
SlurmctldHost={host}({address})
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=30
KillWait=5
MinJobAge=600
MaxArraySize=50
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SlurmCluster:
    """With `with`; ends the test, aloud, where Slurm is not installed, or its daemons do not start here."""

    def __init__(self, nodes):
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        missing = [name for name in PROGRAMS if shutil.which(name) is None]
        if missing:
            e2e.skip(f"{', '.join(missing)}: not installed (packages slurm-wlm and munge)")
        self.temporary = tempfile.TemporaryDirectory(prefix="assay-slurm-")
        self.folder = Path(self.temporary.name)
        self.names = [f"n{i + 1}" for i in range(nodes)]
        self.daemons = {}
        ports = _free_ports(nodes + 1)
        host = socket.gethostname().split(".")[0]
        lines = [f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN"
                 for name, port in zip(self.names, ports)]
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(CONF.format(
            host=host, address="127.0.0.1", port=ports[-1], folder=self.folder, user=user, nodes="\n".join(lines)))
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o400)
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": os.environ["PATH"]}

    def _start(self, name, *words):
        with open(self.folder / f"{name}.out", "ab") as output:
            self.daemons[name] = subprocess.Popen([*map(str, words)], env={**os.environ, **self.environment},
                                                  stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def start_node(self, name):
        self._start(name, "slurmd", "-D", "-N", name)

    def kill_node(self, name):
        """The daemon, and what it started, as if the machine were gone."""
        children = self._below(self.daemons[name].pid, name)
        self.daemons[name].kill()
        self.daemons.pop(name).wait()
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def _below(self, process, node):
        """The processes of a node's jobs: those below its step daemons, which are nobody's children."""
        parents, mine = {}, {process}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                words = (entry / "environ").read_bytes()
            except (OSError, ValueError):
                continue
            ours = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode() in words
            if ours and f"SLURMD_NODENAME={node}".encode() in words:
                mine.add(int(entry.name))
                mine.add(parents[int(entry.name)])
        daemons = {each.pid for each in self.daemons.values()} | {1, os.getpid()}
        return mine - daemons

    def __enter__(self):
        folder = self.folder
        folder.chmod(0o755)
        self._start("munged", "munged", "-F", "--force", f"--socket={folder}/munge.sock",
                    f"--key-file={folder}/munge.key", f"--pid-file={folder}/munged.pid",
                    f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")
        self._await(lambda: (folder / "munge.sock").exists(), "munged")
        self._start("slurmctld", "slurmctld", "-D")
        for name in self.names:
            self.start_node(name)
        self._await(lambda: self.states() == ["idle"] * len(self.names), "slurmd")
        return self

    def _await(self, condition, what):
        end = time.monotonic() + WAIT_S
        while not condition():
            if time.monotonic() > end or any(each.poll() is not None for each in self.daemons.values()):
                said = "".join(file.read_text(errors="replace")[-1500:] for file in sorted(self.folder.glob("*.out")))
                self.__exit__()
                e2e.skip(f"{what} does not start here: {said}")
            time.sleep(0.2)

    def states(self):
        said = self.run("sinfo", "-h", "-N", "-o", "%T")
        return said.stdout.split()

    def run(self, *words):
        return subprocess.run([*map(str, words)], env={**os.environ, **self.environment}, capture_output=True,
                              text=True, check=False, timeout=e2e.SECONDS_MAX)

    def jobs(self):
        """Of the queue: task -> state."""
        said = self.run("squeue", "-h", "-r", "-t", "all", "-o", "%i %T")
        return dict(line.split() for line in said.stdout.splitlines())

    def spooled(self):
        """Everything that Slurm has written down."""
        return {p: p.read_bytes() for p in sorted(self.folder.rglob("*")) if p.is_file()}

    def __exit__(self, *_):
        if "slurmctld" in self.daemons:
            self.run("scancel", "-u", str(os.getuid()), "--signal=KILL", "--full")
            self.run("scancel", "-u", str(os.getuid()))
            end = time.monotonic() + e2e.SECONDS_MAX
            while self.run("squeue", "-h").stdout.strip() and time.monotonic() < end:
                time.sleep(0.2)
        for name in list(self.daemons):  # those of nodes come after the controller here
            if name not in ("munged", "slurmctld"):
                self._end(name)
        for name in ("slurmctld", "munged"):
            self._end(name)
        self.temporary.cleanup()

    def _end(self, name):
        process = self.daemons.pop(name, None)
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=e2e.SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
