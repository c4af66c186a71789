#!/usr/bin/env python3
"""Faults of a team's store, in real time: a row for each, with what came of the report, how many requests were sent and
how each process ended. Whatever happens, the report is that of a calm run, and nobody waits for ever.

    ASSAY=PROGRAM tests/slow/faults_of_a_team.py [NAME…]     all rows, or those named; a name that is none lists them

docs/testing.md keeps the table. Rows whose fault cannot be made here (no Slurm, pgbouncer or small disk) say so."""
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402
from postgres import CuttingProxy, Pooler, PostgresServer, StallingProxy  # noqa: E402
from sharing import KEY, Gate, Shared, differ, end_of, run_of, wait_for  # noqa: E402
from slurm import SlurmCluster  # noqa: E402

CASES, WIDTH = 192, 24
GOES_ON_WITHIN = 90
DAY, HOUR = 86400, 3600
SKIPPED = 77  # what e2e.skip ends with
AT_ONCE = 4  # rows: they wait most of the time


@dataclass
class Row:
    """What came of a fault. `most`: requests; above it something was paid for twice that was not under way."""
    is_equal: bool
    requests: int
    most: int
    codes: list = field(default_factory=list)
    remark: str = ""


def files_of(folder):
    """The result files, without how often each call was tried, which the page tells."""
    return {path: re.sub(r"(?m)^tries: \d+\n", "", text) for path, text in e2e.result_files(folder).items()}


class Team:
    """A server, a suite, and the files of a calm run of it."""

    def __init__(self, folder, server):
        self.folder, self.server = Path(folder), server
        self.shared = Shared(folder, CASES, CASES)
        self.other = Shared(self.folder / "other", CASES - 1, CASES)
        self.other.folder.mkdir()
        with MockServer() as mock:
            self.alone, self.alone_other = (self.calm(each, mock) for each in (self.shared, self.other))

    @staticmethod
    def calm(shared, mock):
        e2e.expect(shared.run("alone", mock), 0)
        return files_of(shared.place("alone") / "out")

    def words(self, mock, url, *more, shared=None):
        return [*(shared or self.shared).words(mock, "--store", url), "--max-retries", "5", "-j", WIDTH, *more]

    def single(self, mock, url, place, shared=None):
        shared = shared or self.shared
        return e2e.start(*self.words(mock, url, shared=shared), cwd=shared.place(place), env=KEY)

    def shard(self, mock, url, place, number, of, *more, env=None, shared=None):
        shared = shared or self.shared
        words = self.words(mock, url, "--shards", of, "--shard", number, *more, shared=shared)
        return e2e.start(*words, cwd=shared.place(f"{place}-{number}"), env={**KEY, **(env or {})})

    def shards(self, mock, url, place, of, *more, **how):
        return [self.shard(mock, url, place, number, of, *more, **how) for number in range(1, of + 1)]

    def is_equal(self, place, shared=None, but=None):
        shared = shared or self.shared
        calm = self.alone if shared is self.shared else self.alone_other
        found = files_of(shared.place(place) / "out")
        other = [path for path in differ(calm, found) if but is None or not path.endswith(but)]
        if other:
            print(f"{place}: {other} differ", file=sys.stderr)
        return not other

    def report(self, mock, url, run, place, *more, code=0, shared=None, env=None):
        shared = shared or self.shared
        e2e.expect(e2e.assay(*self.words(mock, url, "--fold", run, *more, shared=shared), cwd=shared.place(place),
                             env={**KEY, **(env or {})}), code)

    def fold(self, mock, url, run, place, *more, shared=None, env=None, but=None):
        """Whether the report is the calm run's."""
        self.report(mock, url, run, place, *more, shared=shared, env=env)
        return self.is_equal(place, shared, but)


def codes_of(processes):
    return [end_of(process).returncode for process in processes]


def sent(mock, count):
    wait_for(lambda: len(mock.requests) >= count, f"{count} requests")


def runs_of(server, database):
    return server.sql("SELECT id FROM run ORDER BY number", database)


# Processes that are killed, stand still, come twice, late or in greater number.

def two_of_four_killed(team, name):
    """kill -9 of 2 of 4 shards, one started again"""
    with MockServer(delay=0.3) as mock:
        url = team.server.new(name)
        running = team.shards(mock, url, name, 4)
        sent(mock, 2 * WIDTH)
        for victim in running[:2]:
            victim.kill()
            victim.wait()
        running.append(team.shard(mock, url, name, 1, 4))
        codes = codes_of(running)
        is_equal = team.fold(mock, url, run_of(team.server, name), name)
        return Row(is_equal, len(mock.requests), CASES + 2 * WIDTH, codes)


def shard_stopped(team, name):
    """SIGSTOP of a shard for longer than 60 s"""
    with MockServer(delay=0.3) as mock:
        url = team.server.new(name)
        stopped, other = team.shards(mock, url, name, 2)
        sent(mock, 2 * WIDTH)
        stopped.send_signal(signal.SIGSTOP)
        code = end_of(other).returncode
        stopped.send_signal(signal.SIGCONT)
        codes = [end_of(stopped).returncode, code]
        return Row(team.fold(mock, url, run_of(team.server, name), name), len(mock.requests), CASES + 2 * WIDTH, codes)


def shard_twice(team, name):
    """the same shard started twice"""
    with MockServer(delay=0.5) as mock:
        url = team.server.new(name)
        running = team.shards(mock, url, name, 3)
        sent(mock, 2 * WIDTH)
        running.append(team.shard(mock, url, name, 1, 3))
        codes = codes_of(running)
        return Row(team.fold(mock, url, run_of(team.server, name), name), len(mock.requests), CASES, codes)


def more_shards(team, name):
    """shard 4 of 4 later; 5 of 5 and 6 of 6 join a run of 4"""
    with MockServer(delay=0.5) as mock:
        url = team.server.new(name)
        running = [team.shard(mock, url, name, number, 4) for number in (1, 2, 3)]
        sent(mock, WIDTH)
        running += [team.shard(mock, url, name, number, number) for number in (4, 5, 6)]
        codes = codes_of(running)
        return Row(team.fold(mock, url, run_of(team.server, name), name), len(mock.requests), CASES, codes)


def shards_terminated(team, name):
    """SIGTERM to each shard in turn, each started again (spot nodes)"""
    with MockServer(delay=0.5) as mock:
        url = team.server.new(name)
        running, codes = dict(enumerate(team.shards(mock, url, name, 3), 1)), []
        for number in (1, 2, 3):
            sent(mock, number * WIDTH)
            running[number].terminate()
            codes.append(end_of(running[number]).returncode)
            running[number] = team.shard(mock, url, name, number, 3)
        codes += codes_of(running.values())
        is_equal = team.fold(mock, url, run_of(team.server, name), name)
        return Row(is_equal, len(mock.requests), CASES + 2 * WIDTH, codes)


# A database that stops, crashes, stalls, is full or loses the replies to its commits.

def server_away(team, name, how, seconds, times):
    """A server of its own goes away so often."""
    with PostgresServer() as server, MockServer(delay=0.4) as mock:
        url = server.new(name)
        running = team.shards(mock, url, name, 3)
        for i in range(times):
            sent(mock, (i + 1) * 2 * WIDTH)
            server.stop(how)
            time.sleep(seconds)
            server.start()
        codes = codes_of(running)
        return Row(team.fold(mock, url, run_of(server, name), name), len(mock.requests), CASES, codes)


def database_stopped(team, name):
    """database stopped for 30 s"""
    return server_away(team, name, signal.SIGINT, 30, 1)


def database_crashes(team, name):
    """immediate shutdown (SIGQUIT) twice"""
    return server_away(team, name, signal.SIGQUIT, 1, 2)


def pooler_killed(team, name):
    """pgbouncer, transaction mode, 3 connections for 4 shards, killed -9 for 5 s"""
    with Pooler(team.server, 3) as pooler, MockServer(delay=0.4) as mock:
        team.server.new(name)
        url = pooler.url(name)
        running = team.shards(mock, url, name, 4)
        sent(mock, 2 * WIDTH)
        pooler.kill()
        time.sleep(5)
        pooler.start()
        codes = codes_of(running)
        return Row(team.fold(mock, url, run_of(team.server, name), name), len(mock.requests), CASES, codes)


def database_stalled(team, name, seconds):
    with StallingProxy(team.server) as proxy, MockServer(delay=0.4) as mock:
        url = team.server.new(name)
        running = [team.shard(mock, proxy.url(name), name, 1, 3), *(team.shard(mock, url, name, i, 3) for i in (2, 3))]
        sent(mock, 2 * WIDTH)
        proxy.stall()
        time.sleep(seconds)
        proxy.go_on()
        codes = codes_of(running)
        return Row(team.fold(mock, url, run_of(team.server, name), name), len(mock.requests), CASES + 2 * WIDTH, codes)


def stalled_shortly(team, name):
    """TCP to the database stalled for one shard, 25 s"""
    return database_stalled(team, name, 25)


def stalled_long(team, name):
    """TCP to the database stalled for one shard, 100 s"""
    return database_stalled(team, name, 100)


def commits_unheard(team, name):
    """every fifth COMMIT is done and its reply lost with the connection"""
    with CuttingProxy(team.server, 5) as proxy, MockServer(delay=0.2) as mock:
        team.server.new(name)
        url = proxy.url(name)
        codes = codes_of(team.shards(mock, url, name, 3))
        run = run_of(team.server, name)
        is_equal = team.fold(mock, team.server.url(name), run, name)
        return Row(is_equal, len(mock.requests), CASES, codes, f"{proxy.cuts} cuts")


def long_answer(text):
    """Of 24 kB that no compression makes smaller, the same each time."""
    return text.removeprefix("say ") + " " + "".join(hashlib.sha256(f"{text} {i}".encode()).hexdigest()
                                                     for i in range(375))


def disk_full(team, name):
    """the database's disk full, later enlarged"""
    disk, long = team.folder / "disk", Shared(team.folder / "long", 400, 400)
    disk.mkdir()
    long.folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode != 0:
        return None
    try:
        with PostgresServer() as server, MockServer(answer=long_answer) as mock:
            room = disk / "room"
            room.mkdir()
            shutil.chown(room, server.user)
            server.sql(f"CREATE TABLESPACE small LOCATION '{room}'")
            server.sql(f"CREATE DATABASE {name} TABLESPACE small")
            calm, before = team.calm(long, mock), len(mock.requests)
            codes = codes_of(team.shards(mock, server.url(name), name, 3, shared=long))
            subprocess.run(["mount", "-o", "remount,size=400m", disk], check=True)
            held = sum(path.read_text().count("\n") for path in long.folder.glob(f"{name}-*/held-*.jsonl"))
            codes += codes_of(team.shards(mock, server.url(name), name, 3, shared=long))
            long.fold(server, name, "merged", mock, 0)
            is_equal = not differ(calm, files_of(long.place("merged") / "out"))
            return Row(is_equal, len(mock.requests) - before, 400 + held + 2 * WIDTH, codes,
                       f"{held} answers kept beside the logs")
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def clocks_apart(team, name):
    """clock of one +1 day, of one −2 h, report process +400 days; a shard killed beside"""
    library = team.folder / "shifted_clock.so"
    source = Path(__file__).resolve().parents[1] / "support/shifted_clock.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", library], check=True)

    def shifted(seconds):
        return {"LD_PRELOAD": str(library), "SHIFTED_BY": str(seconds)}

    with MockServer(delay=0.4) as mock:
        url = team.server.new(name)
        running = [team.shard(mock, url, name, number, 3, env=shifted(seconds))
                   for number, seconds in ((1, DAY), (2, -2 * HOUR), (3, 0))]
        sent(mock, 2 * WIDTH)
        running[2].kill()
        codes = codes_of(running)
        is_equal = team.fold(mock, url, run_of(team.server, name), name, env=shifted(400 * DAY))
        return Row(is_equal, len(mock.requests), CASES + 2 * WIDTH, codes)


# A service that is down or limits, and a budget.

class Down:
    """A service that answers, is down for a while, and answers again; by the clock."""

    def __init__(self, after, seconds):
        self.left, self.seconds, self.up_at, self.lock = after, seconds, None, threading.Lock()

    def __call__(self, _text, _attempt):
        with self.lock:
            self.left -= 1
            if self.left < 0 and self.up_at is None:
                self.up_at = time.monotonic() + self.seconds
            return status(502) if self.up_at is not None and time.monotonic() < self.up_at else None


def service_down(team, name, shards):
    with MockServer(fault=Down(40, 60), delay=0.2) as mock:
        url = team.server.new(name)
        running = team.shards(mock, url, name, shards) if shards else [team.single(mock, url, name)]
        codes = codes_of(running)
        is_equal = team.fold(mock, url, run_of(team.server, name), name) if shards else team.is_equal(name)
        return Row(is_equal, len(mock.requests), CASES + 3 * WIDTH * max(shards, 1), codes, "502s are among them")


def service_down_alone(team, name):
    """model service down for 60 s, one machine"""
    return service_down(team, name, 0)


def service_down_shards(team, name):
    """model service down for 60 s, 3 shards"""
    return service_down(team, name, 3)


class Limiter:
    """Lets so many requests a second through."""

    def __init__(self, per_second):
        self.per_second, self.tokens, self.at, self.refused = per_second, per_second, time.monotonic(), 0
        self.lock = threading.Lock()

    def __call__(self, _text, _attempt):
        with self.lock:
            now = time.monotonic()
            self.tokens = min(self.per_second, self.tokens + (now - self.at) * self.per_second)
            self.at = now
            if self.tokens >= 1:
                self.tokens -= 1
                return None
            self.refused += 1
            return status(429, {"retry-after": "1"})


def limited(team, name, limiter, *more):
    with MockServer(fault=limiter) as mock:
        url = team.server.new(name)
        codes = codes_of(team.shards(mock, url, name, 3, *more))
        is_equal = team.fold(mock, url, run_of(team.server, name), name, *more)
        return Row(is_equal, len(mock.requests), CASES + limiter.refused, codes, f"{limiter.refused} × 429")


def limit_untold(team, name):
    """service gives 20/s to all, no limit stated"""
    return limited(team, name, Limiter(20))


def limit_told(team, name):
    """21/s, `--requests-per-min 1200`"""
    limiter = Limiter(21)
    row = limited(team, name, limiter, "--requests-per-min", 1200)
    e2e.check(limiter.refused == 0, f"{limiter.refused} were refused")
    return row


def budget_spent(team, name):
    """a budget with a shard killed, then a larger one"""
    with MockServer(delay=0.3) as mock:
        url = team.server.new(name)
        small, large = (["--budget-tokens", tokens, "--max-tokens", 20] for tokens in (1200, 1000000))
        killed, other = team.shards(mock, url, name, 2, *small)
        sent(mock, WIDTH)
        killed.kill()
        codes = codes_of([killed, other])
        run = run_of(team.server, name)
        team.report(mock, url, run, f"{name}-spent", *small, code=5)  # of a part
        asked = len(mock.requests)
        e2e.check(asked < CASES, f"{asked} requests for a budget of fewer")
        codes += [5, *codes_of(team.shards(mock, url, name, 2, *large))]
        # The page says what was paid for earlier.
        is_equal = team.fold(mock, url, run_of(team.server, name), name, *large, but="report.html")
        return Row(is_equal, len(mock.requests), CASES + 2 * WIDTH, codes, "the page says what was paid earlier")


# Other runs of the same store.

def two_people(team, name):
    """two people, two runs, the same questions, 2 + 2 shards"""
    with MockServer(delay=0.3) as mock:
        url = team.server.new(name)
        mine = team.shards(mock, url, name, 2)
        wait_for(lambda: team.server.sql("SELECT to_regclass('run')", name) != [""] and runs_of(team.server, name),
                 "the first run")
        theirs = team.shards(mock, url, name, 2, shared=team.other)
        codes = codes_of([*mine, *theirs])
        first, second = runs_of(team.server, name)
        is_equal = team.fold(mock, url, first, name, but="report.html")
        is_equal = team.fold(mock, url, second, name, shared=team.other, but="report.html") and is_equal
        return Row(is_equal, len(mock.requests), CASES, codes, "both; the pages say who paid")


def other_run(team, name, how):
    """Another run of the same questions is killed, or stands still, with calls under way."""
    gate = Gate(8)
    with MockServer(refuse=gate) as mock:
        url = team.server.new(name)
        victim = team.single(mock, url, name, team.other)
        sent(mock, 8 + WIDTH)
        dead = run_of(team.server, name)
        waits = team.single(mock, url, name)
        wait_for(lambda: int(team.server.sql("SELECT count(*) FROM seat", name)[0]) == 2, "both runs")
        time.sleep(75)
        victim.send_signal(how)
        gate.open()
        began = time.monotonic()
        ended = end_of(waits)
        took = time.monotonic() - began
        e2e.expect(ended, 0, f"by run {dead} on ", "heard of ", "that another process makes, the first for 6")
        e2e.check(took < GOES_ON_WITHIN, f"{name}: it went on after {took:.0f} s")
        if how == signal.SIGSTOP:
            victim.send_signal(signal.SIGCONT)
        codes = [ended.returncode, end_of(victim).returncode]
        is_equal = team.is_equal(name, but="report.html")  # which says what another run has paid
        return Row(is_equal, len(mock.requests), CASES + 2 * WIDTH, codes, f"continued after {took:.0f} s")


def other_run_killed(team, name):
    """another run's process killed -9 on the same store"""
    return other_run(team, name, signal.SIGKILL)


def other_run_stopped(team, name):
    """another run's process stopped on the same store"""
    return other_run(team, name, signal.SIGSTOP)


def dump_restored(team, name):
    """pg_dump in the middle of two runs, restored, one of them resumed"""
    gate = Gate(30)
    with MockServer(refuse=gate) as mock:
        url = team.server.new(name)
        running = [team.single(mock, url, name), team.single(mock, url, name, team.other)]
        sent(mock, 30 + WIDTH)
        wait_for(lambda: int(team.server.sql("SELECT count(*) FROM seat", name)[0]) == 2, "both runs")
        wait_for(lambda: int(team.server.sql("SELECT count(*) FROM claim", name)[0]) > 0, "claims")
        dump = subprocess.run([team.server.bin / "pg_dump", url], capture_output=True, check=True).stdout
        for each in running:
            each.kill()
        gate.open()
        codes_of(running)
        restored, before = team.server.new(f"{name}_again"), len(mock.requests)
        subprocess.run([team.server.bin / "psql", "-qX", restored], input=dump, capture_output=True, check=True)
        time.sleep(61)  # until then the dump says that somebody works on the run, and the command ends with 2
        stuck = int(team.server.sql("SELECT count(*) FROM claim", f"{name}_again")[0])
        goes_on = [team.single(mock, restored, f"{name}-again")]
        codes = codes_of(goes_on)
        is_equal = team.is_equal(f"{name}-again", but="report.html")
        return Row(is_equal, len(mock.requests) - before, CASES, codes, f"{stuck} claims in the dump")


# Slurm.

class Slurm:
    """One run on a cluster of its own."""

    def __init__(self, team, name, mock, cluster):
        self.team, self.cluster, self.name = team, cluster, name
        self.url, self.place = team.server.new(name), team.shared.place(name)
        self.words = team.words(mock, self.url, "--cluster", "slurm", "--shards", 3, "--wait")
        key = team.folder / f"key-{name}"
        key.write_text(KEY["OPENAI_API_KEY"] + "\n")
        key.chmod(0o600)
        (self.place / "assay.toml").write_text(f"[providers.openai]\nkey_file = '{key}'\n")
        self.words.append(f"--trust={e2e.digest_of_powers(self.place)}")

    def start(self):
        return e2e.start(*self.words, cwd=self.place, env=self.cluster.environment)

    def seats(self):
        sql = "SELECT count(DISTINCT shard) FROM seat WHERE shard IS NOT NULL"
        made = self.team.server.sql("SELECT to_regclass('seat')", self.name) != [""]
        return int(self.team.server.sql(sql, self.name)[0]) if made else 0

    def job(self):
        return next(task.split("_")[0] for task in self.cluster.jobs() if "_" in task)


def on_slurm(team, name, act, most):
    """`act` makes the fault while three tasks are at work, and returns whether the command is given again."""
    if any(shutil.which(each, path=f"{os.environ['PATH']}:/usr/sbin") is None for each in ("slurmctld", "munged")):
        return None
    with SlurmCluster(3) as cluster, MockServer(delay=1.0) as mock:
        slurm = Slurm(team, name, mock, cluster)
        process = slurm.start()
        wait_for(lambda: slurm.seats() == 3, "three tasks")
        before = len(mock.requests)
        sent(mock, before + WIDTH)
        again = act(cluster, slurm.job())
        codes = codes_of([process])
        if again:
            codes += codes_of([slurm.start()])
        return Row(team.is_equal(name), len(mock.requests), most, codes)


def slurm_requeued(team, name):
    """Slurm: requeue of one task, USR1 to another"""
    def act(cluster, job):
        cluster.run("scontrol", "requeue", f"{job}_1")
        cluster.run("scancel", "--batch", "--signal=USR1", f"{job}_2")
    return on_slurm(team, name, act, CASES + WIDTH)


def slurm_node_killed(team, name):
    """Slurm: a node killed (slurmd and all), back after 60 s"""
    def act(cluster, _job):
        cluster.kill_node("n2")
        time.sleep(60)
        cluster.start_node("n2")
    return on_slurm(team, name, act, CASES + WIDTH)


def slurm_cancelled(team, name):
    """Slurm: scancel of all, the same command again"""
    def act(cluster, _job):
        cluster.run("scancel", "-u", str(os.getuid()))
        return True
    return on_slurm(team, name, act, CASES + WIDTH)


ROWS = [two_of_four_killed, shard_stopped, shard_twice, more_shards, database_stopped, database_crashes, pooler_killed,
        disk_full, clocks_apart, stalled_shortly, stalled_long, service_down_alone, service_down_shards, limit_untold,
        limit_told, budget_spent, two_people, slurm_requeued, slurm_node_killed, slurm_cancelled, other_run_killed,
        dump_restored, other_run_stopped, shards_terminated, commits_unheard]


def told(make, row):
    """Its line of the table; whether all is well."""
    if row is None:
        print(f"| {make.__doc__} | not made here | | | |", flush=True)
        return True
    codes = ", ".join(map(str, row.codes))
    print(f"| {make.__doc__} | {'EQUAL' if row.is_equal else 'DIFFERS'} | {row.requests} | {codes} | {row.remark} |",
          flush=True)
    return row.is_equal and row.requests <= row.most and all(code in (0, 2, 5, 130, 143, -9) for code in row.codes)


def main(names):
    known = {each.__name__: each for each in ROWS}
    if any(name not in known for name in names):
        sys.exit("rows: " + " ".join(known))
    e2e.SECONDS_MAX = 300 * e2e.SLOWNESS
    with e2e.scratch() as scratch, PostgresServer("max_connections=200") as postgres, \
            ThreadPoolExecutor(AT_ONCE) as pool:
        Path(scratch).chmod(0o755)  # the server runs as another user
        team = Team(scratch, postgres)
        print(f"{CASES} requests at least\n\n| fault | report | requests | exit codes | |\n|---|---|---|---|---|")
        made = [known[name] for name in names] or ROWS
        rows = [pool.submit(each, team, each.__name__) for each in made]
        failed = []
        for each, row in zip(made, rows):
            try:
                is_well = told(each, row.result())
            except (SystemExit, Exception) as problem:  # the others are still told
                is_skipped = isinstance(problem, SystemExit) and problem.code == SKIPPED
                print(f"{each.__name__}: {problem}", file=sys.stderr)
                is_well = is_skipped and told(each, None)
            failed += [] if is_well else [each.__name__]
        e2e.check(not failed, f"not as they should be: {', '.join(failed)}")


main(sys.argv[1:])
