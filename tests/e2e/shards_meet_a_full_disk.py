#!/usr/bin/env python3
"""A server whose disk is full loses nothing that was answered: it lies in a recording, and once there is space the
same shard goes on."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Shared  # noqa: E402


def small_disk(place, megabytes):
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", place]
    return os.geteuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0


# The server's disk fills up: what was answered lies in a recording, and the same shard goes on once there is space.
MANY = 600
with e2e.scratch() as folder:
    place = Path(folder, "disk")
    place.mkdir()
    if not small_disk(place, 24):
        e2e.skip("no small disk can be made here")
    try:
        Path(folder).chmod(0o755)  # the server runs as another user
        room = place / "room"
        room.mkdir()
        with PostgresServer() as server, \
                MockServer(answer=lambda text: text.removeprefix("say ") + os.urandom(24_000).hex()) as mock:
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
            e2e.check(held[0].stat().st_mode & 0o077 == 0, "others may read what was held")
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
