#!/usr/bin/env python3
"""A process that is killed blocks no other run of the same store: its claims are free once it is not heard of, in a
restored dump too. Of a file, its lock goes with it. Once all runs with the same questions sent nothing for ever."""
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Gate, Shared, differ, end_of, run_of, wait_for  # noqa: E402

CASES, QUESTIONS, WIDTH, ANSWERED = 64, 32, 4, 5


def colleague(folder):
    """The same questions, and another run: one case more."""
    other = Shared(Path(folder, "colleague"), CASES + 1, QUESTIONS)
    other.folder.mkdir(exist_ok=True)
    return other


def committed(store):
    """How many answers a file contains. Those that are not there yet are asked again after a kill."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM exchange").fetchone()[0]


def silence(server, database, run):
    """As if the run had not been heard of for a minute; only the server's clock counts."""
    server.sql(f"UPDATE seat SET beat_at = beat_at - interval '61 s' WHERE run = (SELECT number FROM run WHERE id = "
               f"'{run}')", database)


with e2e.scratch() as folder, PostgresServer() as server:
    shared, other = Shared(folder, CASES, QUESTIONS), colleague(folder)
    with MockServer() as mock:
        e2e.expect(other.run("alone", mock), 0)
    alone = e2e.result_files(other.place("alone") / "out")

    for name, shards in (("single", ()), ("shards", ("--shards", "1", "--shard", "1"))):
        gate = Gate(ANSWERED)
        with MockServer(refuse=gate) as mock:
            url = server.new(name)
            words = shared.words(mock, "--store", url, "-j", WIDTH, *shards)
            killed = e2e.start(*words, cwd=shared.place(name), env=KEY)
            wait_for(lambda: len(mock.requests) >= ANSWERED + WIDTH, "requests of the one to be killed")
            wait_for(lambda: int(server.sql("SELECT count(*) FROM claim", name)[0]) >= WIDTH, "claims")
            wait_for(lambda: int(server.sql("SELECT count(*) FROM exchange", name)[0]) >= ANSWERED, "answers")
            dead = run_of(server, name)
            goes_on = e2e.start(*other.words(mock, "--store", url, "-j", WIDTH), cwd=other.place(name), env=KEY)
            wait_for(lambda: int(server.sql("SELECT count(*) FROM seat WHERE ended_at IS NULL", name)[0]) == 2, "both")
            killed.kill()
            killed.wait()
            gate.open()
            # What nobody else has claimed is asked meanwhile; what the dead one has is waited for.
            wait_for(lambda: int(server.sql("SELECT count(*) FROM exchange", name)[0]) >= QUESTIONS - 2 * WIDTH, "rest")
            time.sleep(2)
            e2e.check(goes_on.poll() is None, "claims of a process that was heard of just now were taken over")
            dump = subprocess.run([server.bin / "pg_dump", url], capture_output=True, check=True).stdout
            silence(server, name, dead)
            e2e.expect(end_of(goes_on), 0)
            most = QUESTIONS + 2 * WIDTH
            e2e.check(len(mock.requests) <= most, f"{len(mock.requests)} requests, {most} at most")
            # The page also says how many replies came from another run.
            others = [path for path in differ(alone, e2e.result_files(other.place(name) / "out"))
                      if not path.endswith("report.html")]
            e2e.check(not others, f"the other run's files differ: {others}")

        # The dump of that moment, restored a minute later, and the other run gone on with.
        with MockServer() as mock:
            restored = server.new(f"restored_{name}")
            subprocess.run([server.bin / "psql", "-qX", restored], input=dump, capture_output=True, check=True)
            server.sql("UPDATE seat SET beat_at = beat_at - interval '61 s'", f"restored_{name}")
            e2e.check(int(server.sql("SELECT count(*) FROM claim", f"restored_{name}")[0]) > 0, "no claim was restored")
            e2e.expect(e2e.assay(*other.words(mock, "--store", restored), cwd=other.place(f"again-{name}"), env=KEY), 0)

    # A file has one writer, and nothing of it outlives a kill.
    gate = Gate(ANSWERED)
    with MockServer(refuse=gate) as mock:
        store = Path(folder, "one.db")
        killed = e2e.start(*shared.words(mock, "--store", store, "-j", WIDTH), cwd=shared.place("file"), env=KEY)
        wait_for(lambda: len(mock.requests) >= ANSWERED + WIDTH, "requests of the one to be killed")
        wait_for(lambda: committed(store) >= ANSWERED, "answers")
        killed.kill()
        killed.wait()
        gate.open()
        e2e.expect(e2e.assay(*other.words(mock, "--store", store), cwd=other.place("file"), env=KEY), 0)
        e2e.check(len(mock.requests) <= QUESTIONS + 2 * WIDTH, f"{len(mock.requests)} requests of a file's store")
