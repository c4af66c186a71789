#!/usr/bin/env python3
"""Faults of a team's store, in real time: each row is a fault that was made, what came of the report, how many requests
were sent and how each process ended. Whatever happens, the report is that of a calm run, and none waits for ever."""
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Gate, Shared, differ, end_of, run_of, wait_for  # noqa: E402

CASES, QUESTIONS, WIDTH = 192, 192, 24
GOES_ON_WITHIN = 90


class Team:
    """A server, a suite, and the files of a calm run of it."""

    def __init__(self, folder, server):
        self.folder, self.server = Path(folder), server
        self.shared = Shared(folder, CASES, QUESTIONS)
        self.other = Shared(self.folder / "other", CASES - 1, QUESTIONS)
        self.other.folder.mkdir()
        with MockServer() as mock:
            e2e.expect(self.shared.run("alone", mock), 0)
        self.alone = e2e.result_files(self.shared.place("alone") / "out")

    def words(self, mock, url, *more):
        return [*self.shared.words(mock, "--store", url), "--max-retries", "5", "-j", WIDTH, *more]

    def single(self, mock, url, place, shared=None):
        shared = shared or self.shared
        return e2e.start(*self.words(mock, url), cwd=shared.place(place), env=KEY)

    def shards(self, mock, url, of, place):
        return [e2e.start(*self.words(mock, url, "--shards", of, "--shard", number), env=KEY,
                          cwd=self.shared.place(f"{place}-{number}")) for number in range(1, of + 1)]

    def is_equal(self, place):
        return not differ(self.alone, e2e.result_files(self.shared.place(place) / "out"))

    def fold(self, mock, database, place):
        fold = e2e.assay(*self.words(mock, self.server.url(database), "--fold", run_of(self.server, database)),
                         cwd=self.shared.place(place), env=KEY)
        e2e.expect(fold, 0)
        return self.is_equal(place)


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


def told(fault, is_equal, requests, most, codes):
    print(f"| {fault} | {'EQUAL' if is_equal else 'DIFFERS'} | {requests} | {codes} |", flush=True)
    e2e.check(is_equal, f"{fault}: files differ")
    e2e.check(requests <= most, f"{fault}: {requests} requests, {most} at most")


def other_run(team, how, name):
    """Another run of the same questions is killed, or stands still, with calls under way."""
    gate = Gate(8)
    with MockServer(refuse=gate) as mock:
        url = team.server.new(name)
        victim = team.single(mock, url, name, team.other)
        wait_for(lambda: len(mock.requests) >= 8 + WIDTH, "requests of the other run")
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
        codes = [ended.returncode]
        if how == signal.SIGSTOP:
            victim.send_signal(signal.SIGCONT)
            codes.append(end_of(victim).returncode)
            e2e.check(codes == [0, 0], f"{name}: the other run ends with {codes[1]}")
        else:
            victim.wait()
        told(name, team.is_equal(name), len(mock.requests), QUESTIONS + 2 * WIDTH, codes)


def service_down(team, shards, name):
    down = Down(40, 40)
    with MockServer(fault=down, delay=0.2) as mock:
        url = team.server.new(name)
        running = team.shards(mock, url, shards, name) if shards else [team.single(mock, url, name)]
        codes = [end_of(process).returncode for process in running]
        e2e.check(not any(codes), f"{name}: the codes are {codes}")
        is_equal = team.fold(mock, name, name) if shards else team.is_equal(name)
        told(name, is_equal, len(mock.requests), QUESTIONS + 3 * WIDTH * max(shards, 1), codes)


def shard_killed(team, name):
    with MockServer(delay=0.3) as mock:
        url = team.server.new(name)
        killed, *others = team.shards(mock, url, 3, name)
        wait_for(lambda: len(mock.requests) >= 2 * WIDTH, "requests")
        killed.kill()
        killed.wait()
        codes = [end_of(process).returncode for process in others]
        e2e.check(not any(codes), f"{name}: the codes are {codes}")
        told(name, team.fold(mock, name, name), len(mock.requests), QUESTIONS + 2 * WIDTH, codes)


with e2e.scratch() as scratch, PostgresServer() as postgres:
    e2e.SECONDS_MAX = 300
    crew = Team(scratch, postgres)
    print("| fault | report | requests | exit codes |\n|---|---|---|---|")
    shard_killed(crew, "shard_killed")
    other_run(crew, signal.SIGKILL, "other_run_killed")
    other_run(crew, signal.SIGSTOP, "other_run_stopped")
    service_down(crew, 0, "service_down_alone")
    service_down(crew, 3, "service_down_shards")
