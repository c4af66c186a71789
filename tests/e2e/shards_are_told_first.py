#!/usr/bin/env python3
"""Shards of another version, beside runs that are asked afresh, and on servers without connections: who may not work is
told before anything is asked, and what is asked is asked once."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import Gate, Shared, differ, end_of, living, wait_for  # noqa: E402

CASES, QUESTIONS = 96, 48


with e2e.scratch() as folder, PostgresServer() as server:
    shared = Shared(folder, CASES, QUESTIONS)
    with MockServer() as mock:
        e2e.expect(shared.run("alone", mock), 0)
        # A page tells what was planned: more is known of answers the second time.
        e2e.expect(shared.run("alone", mock, "--fresh", "--out", "afresh"), 0)
    alone = e2e.result_files(shared.place("alone") / "out")
    alone_afresh = e2e.result_files(shared.place("alone") / "afresh")

    # Another version of assay joins no run.
    with MockServer(refuse=(gate := Gate())) as mock:
        url = server.new("versions")
        first = shared.shard(mock, url, 1, 2, "-j", "8")
        wait_for(lambda: living(server, "versions") == 1, "a seat")
        server.sql("UPDATE run SET assay_version = '0.0.7'", "versions")
        joined = shared.run("other", mock, "--store", url, "--shards", 2, "--shard", 2, "-j", "8")
        e2e.expect(joined, 2, "cannot be joined: it was begun by assay 0.0.7, and this is")
        gate.open()
        e2e.expect(end_of(first), 0, "no cells are left for this shard")

    # --fresh of two shards: one run that asks everything again, once.
    with MockServer(refuse=(gate := Gate())) as mock:
        url = server.new("fresh")
        gate.open()
        shared.shards(mock, url, 2, "-j", "8")
        shared.fold(server, "fresh", "stale", mock, 0)
        gate.left, before = 0, len(mock.requests)
        shards = [shared.shard(mock, url, number, 2, "-j", "8", "--fresh") for number in (1, 2)]
        wait_for(lambda: living(server, "fresh") == 2, "two seats")
        gate.open()
        for process in shards:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        e2e.check(server.sql("SELECT count(*) FROM run", "fresh") == ["2"], "one run was begun afresh")
        e2e.check(len(mock.requests) - before == QUESTIONS, f"{len(mock.requests) - before} were asked afresh")
        differs = differ(alone_afresh, shared.fold(server, "fresh", "afresh", mock, 0, "--fresh"))
        e2e.check(not differs, f"files differ: {differs}")

    # Who finds no connection is told before anything is asked.
    with MockServer() as mock:
        server.sql("CREATE ROLE eve LOGIN CONNECTION LIMIT 2")
        server.sql("CREATE DATABASE few OWNER eve")
        few = server.url("few").replace("assay@", "eve@")
        holder = subprocess.Popen([server.bin / "psql", "-qAtX", few, "-c", "SELECT pg_sleep(60)"])
        sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'eve'"
        wait_for(lambda: server.sql(sessions) == ["1"], "a session")
        refused = shared.run("few", mock, "--store", few, "--shards", 2, "--shard", 1)
        e2e.expect(refused, 2, "takes no more connections")
        e2e.check(not mock.requests, "something was asked")
        holder.kill()
        holder.wait()
