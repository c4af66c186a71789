#!/usr/bin/env python3
"""Shards that stand still, strangers among shards: the files are those of one machine, nothing is paid for twice but
what was under way, and no key is left anywhere."""
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Shared, differ, end_of, living, run_of, wait_for  # noqa: E402

CASES, QUESTIONS = 96, 48


with e2e.scratch() as folder, \
        PostgresServer("log_min_duration_statement=0", "logging_collector=on", "log_filename=all.log") as server:
    shared = Shared(folder, CASES, QUESTIONS)
    with MockServer() as mock:
        e2e.expect(shared.run("alone", mock), 0)
    alone = e2e.result_files(shared.place("alone") / "out")

    # One stands still for longer than others wait, and wakes: its seat is another's. Only the server's clock is put on:
    # by its own it may send what it had claimed (slow/a_shard_sleeps.py sleeps indeed).
    with MockServer(delay=0.3) as mock:
        url = server.new("zombie")
        zombie = shared.shard(mock, url, 1, 2, "-j", "8")
        wait_for(lambda: len(mock.requests) >= 8, "requests of the first")
        zombie.send_signal(signal.SIGSTOP)
        server.sql("UPDATE seat SET beat_at = beat_at - interval '90 s'", "zombie")
        other = shared.shard(mock, url, 2, 2, "-j", "8")
        e2e.expect(end_of(other), 0, "no cells are left for this shard")
        zombie.send_signal(signal.SIGCONT)
        e2e.expect(end_of(zombie), 0, "has taken this one's place")
        e2e.check(len(mock.requests) <= QUESTIONS + 16, f"{len(mock.requests)} requests were sent beside a zombie")
        e2e.check(not differ(alone, shared.fold(server, "zombie", "woken", mock, 0)), "after a zombie files differ")

    # Another program at work on one node: it says what it would make, and makes nothing.
    with MockServer(delay=0.3) as mock:
        url = server.new("other")
        first = shared.shard(mock, url, 1, 2, "-j", "8")
        wait_for(lambda: living(server, "other") == 1, "a seat")
        stranger = Shared(Path(folder, "stranger"), CASES, QUESTIONS)
        stranger.folder.mkdir()
        stranger.text = stranger.text.replace("word 3\n", "word 3 please\n", 1)
        before = len(mock.requests)
        joined = stranger.run("suite", mock, "--store", url, "--shards", 2, "--shard", 2, "-j", "8", "--join",
                              run_of(server, "other"))
        e2e.expect(joined, 2, "cannot be continued with these cases")
        e2e.expect(end_of(first), 0)

    # No key in a table, in what the server logs, or in what was written beside the suites.
    key = KEY["OPENAI_API_KEY"]
    for database in ("zombie", "other"):
        dump = subprocess.run([server.bin / "pg_dump", server.url(database)], capture_output=True, text=True,
                              check=True)
        e2e.check("exchange" in dump.stdout and key not in dump.stdout, f"a key lies in the tables of {database}")
    log = Path(server.data, "log", "all.log").read_bytes()
    e2e.check(b"INSERT INTO exchange" in log and key.encode() not in log, "a key lies in the server's log")
    for path in Path(folder).rglob("*"):
        e2e.check(not path.is_file() or key.encode() not in path.read_bytes(), f"a key lies in {path}")
