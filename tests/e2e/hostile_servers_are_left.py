#!/usr/bin/env python3
"""A PostgreSQL server that says what none should is left with an error: soon, within bounds of memory, and without
anything on the terminal that moves its cursor."""
import itertools
import resource
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import hostile_postgres as pg  # noqa: E402

SECONDS_MAX = 60
MEMORY_KB_MAX = 1 << 20
COLUMNS = 40
ESCAPES = "\x1b]0;gone\x07\u202e"
NOISE = bytes(range(256)) * 64
ONE = pg.answer([pg.INT8], [pg.number(1)])
VERSION = pg.answer([pg.INT8], [pg.number(5)])


def third(parts):
    """There is a store, of this version; then `parts` are the answer."""
    return lambda count: [ONE] if count == 0 else [VERSION] if count == 1 else parts()


def first(parts):
    return lambda count: parts()


def forever(part, before=b""):
    return lambda: itertools.chain([before], itertools.repeat(part))


def columns(kind, value):
    return pg.answer([kind] * COLUMNS, [value] * COLUMNS)


REPLY = pg.message(b"1") + pg.message(b"2")
BIG_ROW = b"D" + struct.pack(">IHi", 0x7ffffff0, 1, 0x7fffffe0)
ERROR = pg.message(b"E", b"SERROR\0CXX000\0M" + ESCAPES.encode() + b"x" * (1 << 20) + b"\0\0") + pg.READY

GREETINGS = {
    "nothing": lambda: [],
    "another protocol": lambda: [b"HTTP/1.1 400 Bad Request\r\n\r\n"],
    "noise": forever(NOISE),
    "an error with escapes": lambda: [ERROR],
    "notices without end": forever(pg.NOTICE, pg.WELCOME),
    "settings without end": forever(pg.fields(b"S", b"a", b"b"), pg.WELCOME),
    "an unknown way to prove oneself": lambda: [pg.message(b"R", struct.pack(">I", 99))],
    "another encoding": lambda: [pg.WELCOME.replace(b"UTF8\0", b"\x1b[2J"), pg.READY],
}
ANSWERS = {
    "noise": first(forever(NOISE)),
    "an error with escapes": first(lambda: [ERROR]),
    "an error that is not ended": first(lambda: [pg.fields(b"E", b"SERROR", b"C57P01", b"Mgone", b"")]),
    "notices without end": first(forever(pg.NOTICE)),
    "notifications without end": first(forever(pg.message(b"A", struct.pack(">I", 1) + b"a\0b\0"))),
    "settings without end": first(forever(pg.fields(b"S", b"a", b"b"))),
    "a copy in": first(lambda: [REPLY + pg.message(b"G", b"\0\0\0")]),
    "a copy out": first(lambda: [REPLY + pg.message(b"H", b"\0\0\0")]),
    "no columns": first(lambda: [pg.answer([])]),
    "a count as text": first(lambda: [pg.answer([pg.TEXT], [b"1"])]),
    "a count of three bytes": first(lambda: [pg.answer([pg.INT8], [b"\0\0\1"])]),
    "a version beyond all": lambda count: [ONE if count == 0 else pg.answer([pg.INT8], [pg.number(2 ** 63 - 1)])],
    "runs of one column": third(lambda: [pg.answer([pg.TEXT], [b"x"])]),
    "runs of numbers": third(lambda: [columns(pg.INT8, pg.number(-1))]),
    "runs of texts": third(lambda: [columns(pg.TEXT, ESCAPES.encode())]),
    "runs of nothing": third(lambda: [columns(pg.TEXT, None)]),
    "runs of not a number": third(lambda: [columns(pg.FLOAT8, struct.pack(">d", float("nan")))]),
    "a row with a length below zero": third(lambda: [REPLY + pg.description(pg.TEXT) +
                                                     pg.message(b"D", struct.pack(">Hi", 1, -7)) + pg.READY]),
    "a row longer than its message": third(lambda: [REPLY + pg.description(pg.TEXT) +
                                                    pg.message(b"D", struct.pack(">Hi", 1, 1000)) + pg.READY]),
    "a row without end": third(forever(NOISE, REPLY + pg.description(pg.BYTEA) + BIG_ROW)),
    "rows without end": third(forever(pg.row(NOISE * 4) * 4, REPLY + pg.description(pg.BYTEA))),
    # Written faster than they are read, so that libpq's buffer never empties.
    "small rows without end": third(forever(pg.row(pg.number(14)) * 50_000, REPLY + pg.description(pg.INT8))),
    "empty rows without end": third(forever(pg.row(None) * 50_000, REPLY + pg.description(pg.INT8))),
}


def is_left(name, server, *words):
    began = time.monotonic()
    with server, e2e.scratch() as folder:
        Path(folder, "suite.yml").write_text(e2e.suite(1))
        result = e2e.assay(*words, "--store", server.url(), "--store-timeout", "1", cwd=folder)
    e2e.check(0 < result.returncode < 10, f"{name}, {words}: exit {result.returncode}", result)
    e2e.check(time.monotonic() - began < SECONDS_MAX, f"{name}, {words}: {time.monotonic() - began} s", result)
    e2e.check(len(result.stderr) < 5000, f"{name}: {len(result.stderr)} characters are printed")
    for control in "\x1b\x07\u202e\x00":
        e2e.check(control not in result.stdout + result.stderr, f"{name}, {words}: a raw {control!r}", result)


for name, greets in GREETINGS.items():
    is_left(f"greeted by {name}", pg.HostilePostgres(greets=greets), "runs")
for name, answers in ANSWERS.items():
    is_left(f"answered by {name}", pg.HostilePostgres(answers=answers), "runs")
    # Of one that says again and again that somebody else holds the runs it is waited for the end of that.
    if "without end" not in name and "runs" not in name and "count" not in name and name != "no columns":
        is_left(f"answered by {name}", pg.HostilePostgres(answers=answers), "run", "suite.yml")
# One that takes a statement and says nothing: its name is told while it is waited for, and not for ever.
began = time.monotonic()
with pg.HostilePostgres() as silent, e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(1))
    result = e2e.assay("run", "suite.yml", "--store", silent.url(), "--store-timeout", "1.2", cwd=folder)
    e2e.check(result.returncode == 2, f"a silent server: exit {result.returncode}", result)
    for words in (f"waiting for {silent.url()}", "it has not answered for 12 s"):
        e2e.check(words in result.stderr, f"a silent server: not told: {words}", result)
e2e.check(time.monotonic() - began < SECONDS_MAX, f"a silent server is waited for {time.monotonic() - began} s", result)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
e2e.check(used < MEMORY_KB_MAX, f"{used} kB of memory were taken")
