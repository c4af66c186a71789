#!/usr/bin/env python3
"""A store that somebody else made moves no cursor by what it holds, and has no file read that only it names."""
import os
import re
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HOSTILE = "\x1b[2J\x1b]0;gone\x07\u202e\x9b2J\r"
SECRET = "models: [echo:a]\nprompts: [{prompt: q, should: [the password is hunter2]}]\n"


def change(folder, **columns):
    with sqlite3.connect(folder / ".assay" / "store.db") as store:
        for column, value in columns.items():
            store.execute(f"UPDATE run SET {column} = ?", (value,))


def made(name):
    folder = Path(name, "project")
    folder.mkdir()
    (folder / "suite.yml").write_text(e2e.suite(2))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    return folder


with e2e.scratch() as name:
    folder = made(name)
    change(folder, id="run" + HOSTILE, title=HOSTILE, run_label=HOSTILE, dialect=HOSTILE)
    source = sqlite3.connect(folder / ".assay" / "store.db").execute("SELECT source FROM run").fetchone()[0]
    for words in (["runs"], ["show", "latest"], ["show", "latest", "--failed"], ["show", "latest", "--case", "case-0"],
                  ["show", "run"], ["show", "x"], ["cache", "explain", "latest"], ["run", "suite.yml"]):
        for text in (source, source + HOSTILE):
            change(folder, source=text)
            result = e2e.assay(*words, cwd=folder)
            for stream in (result.stdout, result.stderr):
                for control in "\x1b\x07\u202e\x9b\r":
                    e2e.check(control not in stream, f"{words}: a raw {control!r} was printed", result)

with e2e.scratch() as name:
    folder = made(name)
    secret = Path(name, "secret.yml")
    secret.write_text(SECRET)
    (folder / "link.yml").symlink_to(secret)
    os.mkfifo(Path(name, "pipe"))
    # A run without a suite of its own: the files that its words name are nobody's business.
    change(folder, suite=None)
    for path in (secret, "../secret.yml", "link.yml", Path(name, "pipe"), "/etc/passwd", "suite.yml/../../secret.yml"):
        for more in ("", " --allow-path /", f" --collections-repo-path {name}"):
            change(folder, source=f"{path}{more}")
            result = e2e.assay("show", "latest", cwd=folder)
            e2e.expect(result, 2, "names no suite")
            e2e.check("hunter2" not in result.stdout + result.stderr, "the file was read", result)

with e2e.scratch() as name:
    folder = made(name)
    for odd in ({"mean_score": 1e308}, {"mean_score": float("inf")}, {"started_ms": 2**62, "finished_ms": -(2**62)},
                {"utc_offset_min": 2**31}, {"cells": -1}, {"requests_sent": -1}):
        change(folder, **odd)
    with sqlite3.connect(folder / ".assay" / "store.db") as store:
        store.execute("UPDATE exchange SET input_tokens = ?1, output_tokens = ?1, duration_ms = ?1", (2**63 - 1,))
        store.execute("INSERT INTO sitting SELECT 77, run, 77, 1, 1, 1, 1, '' FROM sitting")
        store.execute("UPDATE sitting SET requests_sent = ?1", (2**63 - 1,))
        store.execute("UPDATE cell SET part = 77 WHERE cell > 2")
    for words in (["runs"], ["show", "latest"], ["runs", "--json"], ["show", "latest", "--json"]):
        result = e2e.assay(*words, cwd=folder)
        e2e.check(result.returncode in (0, 2), "odd numbers are shown or refused", result)
        e2e.check(all(len(line) < 300 for line in result.stdout.splitlines()), "an odd number is printed", result)
        # A run's own name and a day may hold "-1".
        shown = re.sub(r"\d{8}T\d{6}-[0-9a-f]{4}|\d{4}-\d\d-\d\d", "RUN", result.stdout)
        e2e.check("9223372036854775807" not in shown and "-1" not in shown, "as it is", result)
