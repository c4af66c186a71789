"""What a store packs is data, too: a blob of kilobytes that unpacks to tens of megabytes, or to millions of values,
takes no more memory and time than a file of its size may."""
import hashlib
import json
import shutil
import time

import e2e

from . import Absent, Attack
from .sizes import within
from .stored_scores import example, rows, stored_suite, zstd
from .store_tables import SECONDS_MAX

STORE = ".assay/store.db"
SUITE = "examples/civic-knowledge/civic-knowledge.yml"
BYTES = 60 << 20
COMMANDS = [("show", "latest"), ("export", "latest", "--to", "jsonl", "-o", "o.txt"),
            ("cache", "copy", STORE, "c.db"), ("run", SUITE, "-q")]


def packed(text):
    return zstd(["-c", "-9"], text)


def filled(before, filler, after, size=BYTES):
    return before + filler * (size // len(filler)) + after


def put(folder, column, blob):
    """In the place of what the newest run has there; what was made of it is made again."""
    table, name = column.split(".")
    which = "run = (SELECT max(number) FROM run) AND cell = 0" if table == "score" else "id <= 100"
    rows(folder, f"UPDATE {table} SET {name} = ? WHERE {which}", blob)
    rows(folder, "UPDATE run SET summary = NULL, tables = NULL")


def put_suite(folder, text):
    rows(folder, "INSERT INTO suite(digest, frame) VALUES(?, ?)", hashlib.sha256(text).digest(), packed(text))
    rows(folder, "UPDATE run SET suite = ?, summary = NULL, tables = NULL", hashlib.sha256(text).digest())


def bounded(folder, commands):
    for words in commands:
        began = time.monotonic()
        through = within(folder, STORE, *words)
        if through:
            return f"{words}: {through}"
        if time.monotonic() - began > SECONDS_MAX:
            return f"{words}: {time.monotonic() - began:.0f} s"
        for name in ("c.db", "c.db.lock", "o.txt"):
            (folder / name).unlink(missing_ok=True)
    return None


def prepared(folder):
    if shutil.which("zstd") is None:
        raise Absent("zstd packs")
    example(folder, "judged")
    rows(folder, "PRAGMA wal_checkpoint(TRUNCATE)")


def blob(column, text):
    def tries(folder):
        prepared(folder)
        put(folder, column, packed(text()))
        return bounded(folder, COMMANDS)
    return tries


def suite(change):
    """`change` gets the lines of the stored suite."""
    def tries(folder):
        prepared(folder)
        lines = stored_suite(folder).split(b"\n")
        put_suite(folder, b"\n".join(change(lines)))
        return bounded(folder, COMMANDS[:3])
    return tries


def repeated(member, times):
    def change(lines):
        case = json.loads(lines[1])
        case[member] = case.get(member, ["t"]) * times
        return [lines[0], json.dumps(case, separators=(",", ":")).encode(), *lines[2:]]
    return change


def many_models(lines):
    head = json.loads(lines[0])
    for name, value in head["suite"].items():
        if isinstance(value, list):
            head["suite"][name] = value * 100_000
    return [json.dumps(head, separators=(",", ":")).encode(), *lines[1:]]


def honest(folder):
    """Cases that share a long text and a hundred checks are packed to a thousandth, and are read."""
    place = folder / "mine"
    place.mkdir()
    passage = " ".join(f"Rule {i} of the house says {i * 7919 % 1000}." for i in range(2_000))
    checks = [f"{{$not_contains: zebra {i}}}" for i in range(50)]
    (place / "suite.yml").write_text(
        "id: t\nmodels: [echo:a]\n---\n" + "".join(
            f"- id: c{i}\n  prompt: '{passage} {i}'\n  should: [{', '.join(checks)}]\n" for i in range(120)))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=place), 0)
    for words in (["show", "latest"], ["cache", "copy", STORE, "c.db"], ["runs"]):
        e2e.expect(e2e.assay(*words, cwd=place), 0)
    return None


BOUNDS = "what is packed in little takes little memory"

ATTACKS = [
    Attack(f"{column}: {what}", BOUNDS, blob(column, text), fast=column == "score.transcript")
    for column, what, text in (
        ("score.transcript", "small lists", lambda: filled(b'{"v":1,"h":[', b"[[]],", b"1]}")),
        ("score.scores", "scores", lambda: filled(b'{"v":1,"s":[', b"[0,1],", b"[0,1]]}", 2 << 20)),
        ("score.marks", "marks", lambda: filled(b'{"v":1,"m":[', b"{},", b"1]}")),
        ("exchange.request", "numbers", lambda: filled(b"[", b"1,", b"1]")),
        ("exchange.request", "maps", lambda: filled(b'{"v":1,"model_call":{"x":[', b"{},", b"1]}}")),
        ("exchange.request", "numbers, as many as fit", lambda: filled(b"[", b"1,", b"1]", 8 << 20)),
        ("exchange.reply", "a text", lambda: filled(b'{"v":1,"text":"', b"a", b'"}')))
] + [
    Attack(f"a suite with {what}", BOUNDS, suite(change))
    for what, change in (("many turns", repeated("turns", 400_000)), ("many tags", repeated("tags", 8_000_000)),
                         ("many models", many_models),
                         ("many cases", lambda lines: lines[:2] + [lines[1]] * (BYTES // len(lines[1]))))
] + [
    Attack("an honest suite that packs well", "what is packed in little and honest is read", honest),
]
