#!/usr/bin/env python3
"""Shards that stand still, servers that lose the reply of a commit, run out of connections or of disk: the files are
those of one machine, nothing is paid for twice but what was under way, and no key is left anywhere."""
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import CuttingProxy, PostgresServer  # noqa: E402
from sharing import KEY, Gate, Shared, end_of, living, run_of, wait_for  # noqa: E402

CASES, QUESTIONS = 96, 48


def differ(here, there):
    return sorted(path for path in here if here[path] != there.get(path))


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

    # The server commits, and its word is lost: of one commit in so many, whichever these are.
    for each in (3, 7):
        with MockServer(delay=0.05) as mock, CuttingProxy(server, each) as proxy:
            name = f"cut{each}"
            server.new(name)
            shared.shards(mock, proxy.url(name), 2, "-j", "8")
            e2e.check(proxy.cuts > 3, f"{proxy.cuts} replies of commits were lost")
            e2e.check(len(mock.requests) == QUESTIONS, f"{len(mock.requests)} requests were sent")
            e2e.check(not differ(alone, shared.fold(server, name, f"off-{each}", mock, 0)), "after cuts files differ")

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
        e2e.expect(joined, 2, "is of another suite")
        e2e.expect(end_of(first), 0)

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
        e2e.check(not differ(alone, shared.fold(server, "fresh", "afresh", mock, 0, "--fresh")), "files differ")

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

    # No key in a table, in what the server logs, or in what was written beside the suites.
    key = KEY["OPENAI_API_KEY"]
    for database in ("zombie", "cut3", "other"):
        dump = subprocess.run([server.bin / "pg_dump", server.url(database)], capture_output=True, text=True,
                              check=True)
        e2e.check("exchange" in dump.stdout and key not in dump.stdout, f"a key lies in the tables of {database}")
    log = Path(server.data, "log", "all.log").read_bytes()
    e2e.check(b"INSERT INTO exchange" in log and key.encode() not in log, "a key lies in the server's log")
    for path in Path(folder).rglob("*"):
        e2e.check(not path.is_file() or key.encode() not in path.read_bytes(), f"a key lies in {path}")


def small_disk(place, megabytes):
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", place]
    return os.geteuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0


# The server's disk fills up: what was answered lies in a recording, and the same shard goes on once there is space.
MANY = 1_600
with e2e.scratch() as folder:
    place = Path(folder, "disk")
    place.mkdir()
    if not small_disk(place, 24):
        e2e.skip("no small disk can be made here: the rest of the test")
    try:
        Path(folder).chmod(0o755)  # the server runs as another user
        room = place / "room"
        room.mkdir()
        with PostgresServer() as server, \
                MockServer(answer=lambda text: text.removeprefix("say ") + os.urandom(9_000).hex()) as mock:
            if server.user:
                shutil.chown(room, server.user)
            shared = Shared(folder, MANY, MANY)
            # The rest of the server lies elsewhere: without a log it would not run at all.
            server.sql(f"CREATE TABLESPACE small LOCATION '{room}'")
            server.sql("CREATE DATABASE filled TABLESPACE small")
            full = shared.run("full", mock, "--store", server.url("filled"), "--shards", 1, "--shard", 1)
            e2e.expect(full, 2, "disk is full", "that the store did not take")
            held = list(shared.place("full").glob("held-*.jsonl"))
            e2e.check(len(held) == 1 and held[0].read_text().count("\n") > 0, f"{held}")
            e2e.check(KEY["OPENAI_API_KEY"] not in held[0].read_text(), "a key lies in what was held")
            # Whoever replays that asks for the rest alone.
            lines, before = held[0].read_text().count("\n"), len(mock.requests)
            e2e.expect(shared.run("full", mock, "--replay", held[0].name, "--store", "own.db"), 0)
            asked = len(mock.requests) - before
            e2e.check(asked == MANY - lines, f"{asked} of {MANY} were asked beside {lines} in a recording")
            # With some space the same shard goes on, and asks for what the store never had.
            subprocess.run(["mount", "-o", "remount,size=400m", place], check=True)
            kept, before = int(server.sql("SELECT count(*) FROM exchange", "filled")[0]), len(mock.requests)
            e2e.expect(shared.run("full", mock, "--store", server.url("filled"), "--shards", 1, "--shard", 1), 0,
                       "no cells are left for this shard")
            asked = len(mock.requests) - before
            e2e.check(kept > 0 and asked == MANY - kept, f"{asked} of {MANY} were asked beside {kept} in the store")
            shared.fold(server, "filled", "refilled", mock, 0)
    finally:
        subprocess.run(["umount", "-l", place], check=True)
