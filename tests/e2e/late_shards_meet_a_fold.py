#!/usr/bin/env python3
"""A shard that starts when all cells are done does not get into the way of the process that makes the report: the
fold with --wait waits for the shard's seat, and the shard ends as a shard without cells does."""
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Shared, end_of, run_of, wait_for  # noqa: E402

SIT = "INSERT INTO seat(run, shard, host, process, task) SELECT number, {}, 'elsewhere', 7, '' FROM run;"
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
RISE = "UPDATE seat SET ended_at = clock_timestamp() WHERE host = 'elsewhere'"


class Psql:
    """One session of psql, which takes statements one by one."""

    def __init__(self, server, database):
        self.process = subprocess.Popen([server.bin / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", server.url(database)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, statement):
        self.process.stdin.write(f"{statement};\n\\echo done\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.strip() == "done":
                return
        e2e.check(False, f"psql: {statement}")


def start_fold(shared, server, database, mock):
    return e2e.start(*shared.words(mock, "--store", server.url(database), "--fold", run_of(server, database), "--wait"),
                     cwd=shared.place("fold"), env=KEY)


def a_shard_sits_down_before_the_fold(shared, server, mock):
    """The fold has seen that all is done and is about to take its seat, when a shard takes one."""
    server.new("early")
    shared.shards(mock, server.url("early"), 2)
    lock = Psql(server, "early")
    lock("BEGIN; SELECT number FROM run FOR UPDATE")
    fold = start_fold(shared, server, "early", mock)
    wait_for(lambda: server.sql(WAITS) == ["1"], "the fold that sits down")
    lock(SIT.format(2) + "COMMIT")
    time.sleep(1)
    e2e.check(fold.poll() is None, "the fold does not wait for the shard", end_of(fold) if fold.poll() else None)
    lock(RISE)
    e2e.expect(end_of(fold), 0)


def a_fold_sits_down_before_the_shard(shared, server, mock):
    server.new("late")
    shared.shards(mock, server.url("late"), 2)
    server.sql(SIT.format("NULL"), "late")
    asked = len(mock.requests)
    e2e.expect(end_of(shared.shard(mock, server.url("late"), 2, 2)), 0, "no cells are left for this shard")
    server.sql(RISE, "late")
    e2e.expect(end_of(start_fold(shared, server, "late", mock)), 0)
    e2e.check(len(mock.requests) == asked, "a late shard asked again")


with e2e.scratch() as scratch, PostgresServer() as postgres, MockServer() as service:
    shared = Shared(scratch, 4, 4)
    a_shard_sits_down_before_the_fold(shared, postgres, service)
    a_fold_sits_down_before_the_shard(shared, postgres, service)
