#!/usr/bin/env python3
"""A real Slurm works on a run: three tasks make the files of one machine, a task that is stopped goes on later, and
tasks and nodes that are killed are stood in for."""
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from slurm import SlurmCluster  # noqa: E402

SECRET = "sk-never-shown-4712"
CASES, SHARDS, IN_FLIGHT = 192, 3, 6


def make(folder, name):
    place = Path(folder, name)
    place.mkdir()
    (place / "suite.yml").write_text(e2e.suite(CASES, "openai:gpt-4o-mini"))
    return place


def wait_for(condition, what, seconds=90):
    end = time.monotonic() + seconds
    while not condition():
        e2e.check(time.monotonic() < end, f"waited in vain for {what}")
        time.sleep(0.2)


def same_files(place, alone, what):
    here, there = e2e.result_files(alone / "out"), e2e.result_files(place / "out")
    e2e.check(len(here) > 1 and here == there,
              f"{what}: files differ: {sorted(p for p in here if here[p] != there.get(p))}")


class Work:
    """One run on the cluster, of a database and a folder of its own."""

    def __init__(self, folder, name, server, cluster, mock, *more):
        self.place, self.server, self.cluster, self.name = make(folder, name), server, cluster, name
        self.url = server.new(name)
        self.words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--max-retries", "0", "--store", self.url,
                      "--out", "out", "-j", str(IN_FLIGHT), "--cluster", "slurm", "--shards", str(SHARDS), *more]

    def submit(self):
        return e2e.assay(*self.words, cwd=self.place, env=self.cluster.environment)

    def start(self):
        return e2e.start(*self.words, cwd=self.place, env=self.cluster.environment)

    def seats(self):
        if self.server.sql("SELECT to_regclass('seat')", self.name) == [""]:
            return []
        return [line.split("|") for line in self.server.sql(
            "SELECT shard, process FROM seat WHERE ended_at IS NULL ORDER BY shard", self.name)]

    def log(self, name):
        found = sorted((self.place / ".assay" / "cluster").glob(f"*/{name}"))
        return found[0].read_text(errors="replace") if found else ""

    def end(self, process, code, what):
        output, errors = process.communicate(timeout=600)
        logs = "".join(self.log(name) for name in ("shard-1.log", "shard-2.log", "shard-3.log", "fold.log"))
        e2e.check(process.returncode == code, f"{what}: exit {process.returncode}\n{output}{errors}{logs}")
        return errors


with e2e.scratch() as folder, PostgresServer("max_connections=150") as server, SlurmCluster(SHARDS) as cluster:
    key = Path(folder, "key")
    key.write_text(SECRET + "\n")
    key.chmod(0o600)
    e2e.own_settings(f"[providers.openai]\nkey_file = '{key}'\n")
    alone = make(folder, "alone")
    with MockServer() as mock:
        e2e.expect(e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--max-retries", "0", "--out",
                             "out", cwd=alone), 0)

    # What Slurm refuses is told in its own words; the same command goes on with the run.
    with MockServer(delay=0.3) as mock:
        refused = Work(folder, "refused", server, cluster, mock, "--cluster-arg=--partition=nowhere").submit()
        e2e.expect(refused, 2, "nvalid partition", "nothing was handed over")
        many = Work(folder, "many", server, cluster, mock, "--shards", "60", "-j", "60").submit()
        e2e.expect(many, 2, "nvalid job array", "nothing was handed over")

        # Three tasks, the report behind them, and the files of one machine.
        work = Work(folder, "three", server, cluster, mock, "--wait")
        process = work.start()
        wait_for(lambda: len(work.seats()) == SHARDS, "three seats")
        # One is told that its time ends: it commits what it has, and is queued again.
        job = next(task.split("_")[0] for task in cluster.jobs() if "_" in task)
        cluster.run("scancel", "--batch", "--signal=USR1", f"{job}_2")
        wait_for(lambda: "stopped; the same command continues" in work.log("shard-2.log"), "a task that stopped")
        told = work.end(process, 0, "three shards")
        e2e.check("ranges of cells" in told, f"--wait tells nothing: {told}")
        # What was under way when it stopped is asked again, and nothing else.
        e2e.check(len(mock.requests) <= CASES + IN_FLIGHT, f"{len(mock.requests)} requests of {CASES} cases were sent")
        same_files(work.place, alone, "three shards")
        # The report waits for no task that was queued again: the second may not have come back.
        for number in (1, 3):
            e2e.check("no cells are left" in work.log(f"shard-{number}.log"), work.log(f"shard-{number}.log"))

        # A shard is killed: the others take over what it held.
        work = Work(folder, "killed", server, cluster, mock, "--wait")
        process = work.start()
        wait_for(lambda: len(work.seats()) == SHARDS, "three seats")
        asked = len(mock.requests)
        wait_for(lambda: len(mock.requests) > asked + 12, "requests")
        victim = int(work.seats()[1][1])
        asked = len(mock.requests)
        os.kill(victim, signal.SIGKILL)
        work.end(process, 0, "a shard that was killed")
        same_files(work.place, alone, "a shard that was killed")

        # A node is gone, with its job: Slurm finds out, queues the task again, and the others have its cells.
        work = Work(folder, "gone", server, cluster, mock, "--wait")
        process = work.start()
        wait_for(lambda: len(work.seats()) == SHARDS, "three seats")
        asked = len(mock.requests)
        wait_for(lambda: len(mock.requests) > asked + 12, "requests")
        cluster.kill_node("n2")
        work.end(process, 0, "a node that is gone")
        same_files(work.place, alone, "a node that is gone")

    # The key is in nothing that Slurm or assay has written.
    for file, data in cluster.spooled().items():
        e2e.check(SECRET.encode() not in data, f"the key is in {file}")
    for file in sorted(Path(folder).rglob("*")):
        is_other = file.is_file() and file != key
        e2e.check(not is_other or SECRET.encode() not in file.read_bytes(), f"the key is in {file}")
