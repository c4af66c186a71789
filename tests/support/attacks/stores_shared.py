"""Cells of a store name what they use, and short records unpack to long ones: a store of a megabyte that says one long
answer hundreds of times takes no more memory, and writes no more, than a store of its length may."""
import base64
import hashlib
import json
import random
import sqlite3

import e2e
from viewing import View

from . import Attack
from .sizes import within
from .stored_scores import example, stored_suite, zstd

STORE = ".assay/store.db"
RATIO_MAX, ANY_BYTES = 64, 64 << 20  # what is told of a store, for each byte of it, and at all
FORMS = ("html", "csv", "answers-csv", "junit", "jsonl", "promptfoo", "markdown", "inspect", "lm-eval-samples")
ONE = ("inspect", "lm-eval-samples")  # of one variant
PAGES = ("", "/judges", "/cost", "/cells.bin?layer=ms", "/rows?from=0&to=5", "/case/c0", "/case/c0?v=echo:a",
         "/find?q=a")


def noise(size):
    """Text that no packer makes shorter."""
    return base64.b64encode(random.Random(size).randbytes(size * 3 // 4)).decode()


def project(folder, cases=300, attempts=1, models=2):
    """A store whose cells have answers of a word."""
    text = f"id: t\nmodels: [{', '.join('echo:' + chr(97 + i) for i in range(models))}]\nattempts: {attempts}\n---\n"
    for i in range(cases):
        text += f"- id: c{i}\n  prompt: 'word {i}'\n  should: [{{$contains: word}}]\n"
    (folder / "suite.yml").write_text(text)
    e2e.expect(e2e.assay("run", "suite.yml", "-q", cwd=folder), 0)


def change(folder, *statements):
    with sqlite3.connect(folder / STORE) as store:
        for sql, *values in statements:
            store.execute(sql, values)
        store.execute("UPDATE run SET summary = NULL, tables = NULL, said = NULL")
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.execute("VACUUM")
    store.close()


def reply_of(text):
    return json.dumps({"v": 1, "text": text, "finish": "stop"}).encode()


def share(folder, size):
    """Each cell names the first exchange, whose reply is long."""
    links = "(SELECT exchanges FROM cell WHERE cell = 0 AND part = (SELECT max(part) FROM cell))"
    change(folder, ("UPDATE exchange SET reply = ? WHERE id = 1", reply_of(noise(size))),
           (f"UPDATE cell SET exchanges = {links}",), ("UPDATE score SET transcript = NULL",))


def told_too_much(folder, name):
    most = RATIO_MAX * (folder / STORE).stat().st_size + 2 * ANY_BYTES
    took = (folder / name).stat().st_size if (folder / name).exists() else 0
    return f"{took >> 20} MB are written, {most >> 20} at most" if took > most else None


def bounded(folder, *words):
    through = within(folder, STORE, *words) or told_too_much(folder, "o.txt")
    for name in ("o.txt", "c.db", "c.db.lock"):
        (folder / name).unlink(missing_ok=True)
    return f"{words}: {through}" if through else None


def commands(make, *all_words):
    def tries(folder):
        make(folder)
        for words in all_words:
            if through := bounded(folder, *words):
                return through
        return None
    return tries


def exports(*forms):
    return [("export", "latest#1" if form in ONE else "latest", "--to", form, "-o", "o.txt") for form in forms]


def shared(**shape):
    def make(folder):
        project(folder, **shape)
        share(folder, 1_200_000)
    return make


def pages(make):
    """What the server of the pages takes at most while each page is asked for."""
    def tries(folder):
        make(folder)
        view = View(folder, "latest")
        run = view.json("runs")["runs"][0]["run"]
        for page in PAGES:
            view.ask(f"run/{run}{page}")
        lines = open(f"/proc/{view.process.pid}/status").read().splitlines()
        took = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
        view.end()
        most = min(64 * (folder / STORE).stat().st_size + 64_000_000, 300_000_000)
        return None if took <= most else f"{took // 1_000_000} MB for {most // 1_000_000} at most"
    return tries


def many_links(folder):
    """One cell that names the long answer thousands of times."""
    project(folder, cases=3)
    with sqlite3.connect(folder / STORE) as store:
        links = store.execute("SELECT exchanges FROM cell WHERE cell = 0").fetchone()[0]
    many = links[:-2] + bytes([0xA0, 0x1F]) + links[-1:] + b"\0" * 3_999  # so many ids, each as far as the last one
    change(folder, ("UPDATE exchange SET reply = ? WHERE id = 1", reply_of(noise(1_000_000))),
           ("UPDATE cell SET exchanges = ?", many), ("UPDATE score SET transcript = NULL",))


def one_key(folder):
    """Thousands of exchanges of one key, answered by the longest of them."""
    project(folder, cases=1_000)
    change(folder, ("UPDATE exchange SET reply = ? WHERE id = 1", reply_of(noise(1_200_000))),
           ("UPDATE exchange SET key = (SELECT key FROM exchange WHERE id = 1)",),
           ("DELETE FROM exchange_key",))


def blank_requests(**shape):
    """Frames of a few hundred bytes that unpack to 8 MB of blanks."""
    def make(folder):
        project(folder, **shape)
        frame = zstd(["-c", "-19"], b'{"v":1,"messages":[{"user":"' + b" " * 8_300_000 + b'"}]}')
        change(folder, ("UPDATE exchange SET request = ?, input_tokens = 1, output_tokens = 1", frame))
    return make


def many_cells(variants, cases, attempts):
    """A suite of kilobytes that plans millions of cells, of which four have results."""
    def make(folder):
        project(folder, cases=2)
        head, case, *rest = stored_suite(folder).split(b"\n")
        planned = json.loads(head)
        planned["suite"].pop("details")
        planned["suite"]["attempts"] = attempts
        one = planned["suite"]["variants"][0]
        planned["suite"]["variants"] = [{**one, "id": f"e:{i}"} for i in range(variants)]
        each = [case.replace(b'"c0"', b'"c%d"' % i) for i in range(cases)]
        text = b"\n".join([json.dumps(planned).encode(), *each, *rest[1:]])
        digest = hashlib.sha256(text).digest()
        change(folder, ("INSERT INTO suite(digest, frame) VALUES(?, ?)", digest, zstd(["-c", "-9"], text)),
               ("UPDATE run SET suite = ?, cells = ?", digest, variants * cases * attempts))
    return make


def long_prompt(folder):
    """A prompt of megabytes in a suite of two kilobytes."""
    project(folder, cases=1, attempts=5)
    head, case, *rest = stored_suite(folder).split(b"\n")
    asked = json.loads(case)
    asked["turns"][0]["text"] = "word " * 3_000_000
    text = b"\n".join([head, json.dumps(asked).encode(), *rest])
    digest = hashlib.sha256(text).digest()
    change(folder, ("INSERT INTO suite(digest, frame) VALUES(?, ?)", digest, zstd(["-c", "-9"], text)),
           ("UPDATE run SET suite = ?", digest))


def long_check(folder):
    """Attempts whose evidence names one long check a thousand times."""
    (folder / "suite.yml").write_text("id: t\nmodels: [echo:a]\n---\n- id: c0\n  prompt: word\n"
                                      f"  should: [{{$contains: {noise(900_000)}}}]\n")
    e2e.expect(e2e.assay("run", "suite.yml", "-q", cwd=folder), 0)
    marks = json.dumps({"e": [[0, 1, 1, 1, 1, "", ""]] * 1_000, "p": []})
    change(folder, ("UPDATE score SET marks = ?", marks))


def passages(folder):
    """An attempt whose evidence names all of a long document a thousand times."""
    example(folder, "research")
    marks = json.dumps({"e": [], "p": [[0, 0, 0, 1_900_000]] * 1_000})
    text = b"x" * 1_900_000
    digest = hashlib.sha256(b"\0" + text).digest()
    change(folder, ("INSERT INTO document(digest, pages, frame) VALUES(?, '', ?)", digest, zstd(["-c"], text)),
           ("UPDATE document_use SET digest = ?", digest),
           ("UPDATE score SET marks = ?", marks))
    case = json.loads(stored_suite(folder).split(b"\n")[1])["id"]
    return bounded(folder, "show", "latest", "--case", case, "--verbose")


def transcripts(text):
    def make(folder):
        project(folder, cases=40)
        change(folder, ("UPDATE score SET transcript = ?", zstd(["-c", "-9"], json.dumps(text).encode())))
    return make


LONG = {"v": 1, "h": [[1, "q"], [2, "a" * 50_000_000]], "g": [0]}
AGAIN = {"v": 1, "h": [[1, "q"], [2, "a" * 1_000_000]], "g": [0] * 1_000}

def long_text(column, size=60_000_000):
    """One text that is longer than any that assay writes."""
    table, name = column.split(".")

    def make(folder):
        project(folder, cases=3)
        with sqlite3.connect(folder / STORE) as store:
            store.execute("UPDATE exchange SET error_code = 1" if name == "error" else "UPDATE run SET state = state")
            store.execute(f"UPDATE {table} SET {name} = replace(hex(zeroblob(?)), '0', 'a') "
                          f"WHERE rowid = (SELECT max(rowid) FROM {table})", (size // 2,))
        store.close()
    return make


SHARED = "cells that name one long answer take what one answer takes"
PACKED = "what is packed in little takes little memory, all of it together"
TEXTS = "a text of a store is no longer than assay writes them"
PLANNED = "a suite plans about as many cells as its store can have"

ATTACKS = [
    Attack(f"exported to {form}", SHARED, commands(shared(), *exports(form)), fast=form == "promptfoo")
    for form in FORMS
] + [
    Attack("shown, copied and looked for", SHARED, commands(
        shared(), ("show", "latest"), ("show", "latest", "--json"), ("show", "latest", "--case", "c0"),
        ("compare", "latest", "latest"), ("cache", "copy", STORE, "c.db"), ("run", "suite.yml", "-q"))),
    Attack("many variants and attempts of one case", SHARED, commands(
        shared(cases=1, attempts=40, models=10), *exports(*FORMS), ("show", "latest", "--case", "c0", "--json"),
        ("show", "latest", "--case", "c0"), ("compare", "latest#1", "latest#2", "--case", "c0", "--json"))),
    Attack("the pages", SHARED, pages(shared())),
    Attack("the pages of many attempts of one case", SHARED, pages(shared(cases=1, attempts=40, models=10))),
    Attack("one cell names it thousands of times", SHARED, commands(
        many_links, *exports("html", "csv", "answers-csv", "jsonl"), ("show", "latest", "--case", "c0"))),
    Attack("thousands of exchanges of one key, copied", SHARED, commands(one_key, ("cache", "copy", STORE, "c.db"))),
    Attack("requests of blanks", PACKED, commands(
        blank_requests(cases=12), ("show", "latest"), ("cache", "copy", STORE, "c.db"), *exports("html", "csv"))),
    Attack("requests of blanks, of one case", PACKED, commands(
        blank_requests(cases=1, attempts=40, models=5), ("show", "latest", "--case", "c0", "--json"),
        ("show", "latest", "--case", "c0"))),
    Attack("millions of cells without results", PLANNED, commands(
        many_cells(2_000, 4_000, 1), ("show", "latest"), ("show", "latest", "--case", "c0"), ("runs",),
        *exports("csv", "html"))),
    Attack("a billion attempts", PLANNED, commands(many_cells(1_000, 100, 10_000), *exports("csv", "html"))),
    Attack("a suite of one long prompt", PACKED, commands(
        long_prompt, ("show", "latest", "--case", "c0"), *exports("html", "jsonl", "promptfoo", "inspect"))),
    Attack("evidence that names a long check a thousand times", SHARED, commands(
        long_check, *exports("html", "jsonl"), ("show", "latest", "--case", "c0"))),
    Attack("evidence that names a long document a thousand times", PACKED, passages),
    Attack("transcripts of one long answer", PACKED, commands(
        transcripts(LONG), ("show", "latest", "--case", "c0"), *exports("html", "jsonl"))),
    *[Attack(f"a long {column}", TEXTS, commands(
        long_text(column), ("runs", "--json"), *exports("html"), ("run", "suite.yml", "-q"), ("show", "latest")),
        fast=column == "run.title")
      for column in ("run.title", "run.source", "run.given_up", "run.toolchains", "run.spec", "exchange.error",
                     "exchange.finish_reason")],
    Attack("a message that was generated a thousand times", PACKED, commands(
        transcripts(AGAIN), ("show", "latest", "--case", "c0"), *exports("html", "jsonl"))),
]
