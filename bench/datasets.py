#!/usr/bin/env python3
"""Tables of questions: prints each row of the table "Datasets" of bench/README.md.

    bench/datasets.py PROGRAM [ROWS]     a release build; ROWS of the large table (1,000,000)

Where the program refuses a table, the row has its message in place of numbers.
"""
import http.server
import json
import os
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

from measure import heading
from spent import spent

RUN_ROWS = 100_000
LIMIT = 100
# A few rows of many.
CHOICES = ["check -q --limit 10 s.yml", "run -q --limit 10 --filter row-0* s.yml", "run -q --where kind=k7 s.yml",
           "run -q --sample 100 s.yml", "init dataset rows.csv"]
SUITE = """models: [{model}]
dataset: rows.csv
---
prompt: "{{{{question}}}}"
should: [{{$numeric: "{{{{answer}}}}"}}]
"""
REPLY = {"choices": [{"message": {"role": "assistant", "content": "4"}, "finish_reason": "stop"}]}


def row(what, goal, found):
    print(f"| {what} | {goal} | {found} |", flush=True)


def table(folder, rows, is_each_other=False, has_kinds=False):
    """Rows of 161 bytes; about a thousand different answers, or each another. A third column has 1,000 values."""
    with open(Path(folder, "rows.csv"), "w") as file:
        file.write("question,answer,kind\n" if has_kinds else "question,answer\n")
        for n in range(rows):
            text = f"Case {n:07}: a river has {n % 977} bridges and a lake has {n % 31}; how many have both together?"
            kind = f",k{n % 1000}" if has_kinds else ""
            file.write(f"{text:.<150},{n if is_each_other else n % 977 + n % 31:09}{kind}\n")


def suite(folder, model="echo:a"):
    Path(folder, "s.yml").write_text(SUITE.format(model=model))


def told(program, words, folder):
    """What the program took, or what it said instead."""
    done = spent([program, *words], folder)
    if done.code == 0:
        return done, ""
    said = os.popen(f"cd {folder} && {program} {' '.join(words)} 2>&1").read()
    return done, re.sub(r"\s+", " ", said.splitlines()[0] if said else f"exit {done.code}")


def first_call(program, folder):
    """Seconds from the start of the program to its first request."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(time.monotonic())
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps(REPLY).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ.update(OPENAI_API_KEY="none", OPENAI_BASE_URL=f"http://127.0.0.1:{server.server_port}/v1")
    suite(folder, "openai:gpt-6-luna")
    begin = time.monotonic()
    _, said = told(program, ["run", "s.yml", "--limit", str(LIMIT), "-q"], folder)
    server.shutdown()
    return said or f"{(min(seen) - begin) * 1000:.0f} ms"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    rows = int(sys.argv[2]) if len(sys.argv) == 3 else 1_000_000
    heading(program)
    print("| what | goal | measured |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        table(folder, rows)
        suite(folder)
        size = Path(folder, "rows.csv").stat().st_size / 1e6
        done, said = told(program, ["check", "-q", "s.yml"], folder)
        row(f"check of {rows:,} CSV rows ({size:.0f} MB), one template, one point", "4 s CPU, 150 MB",
            said or f"{done.cpu:.2f} s CPU, {done.peak:.0f} MiB")
        table(folder, rows, is_each_other=True)
        done, said = told(program, ["check", "-q", "s.yml"], folder)
        row("the same, each row with an answer of its own", "none",
            said or f"{done.cpu:.2f} s CPU, {done.peak:.0f} MiB")
        row(f"run --limit {LIMIT} of {rows:,} rows: before the first call", "50 ms", first_call(program, folder))
    with tempfile.TemporaryDirectory() as folder:
        table(folder, rows, has_kinds=True)
        suite(folder)
        for words in CHOICES:
            done, said = told(program, words.split(), folder)
            row(f"of {rows:,} rows with three columns: {words}", "a few s CPU, 150 MB",
                said or f"{done.cpu:.2f} s CPU, {done.peak:.0f} MiB")
    with tempfile.TemporaryDirectory() as folder:
        table(folder, RUN_ROWS)
        suite(folder)
        done, said = told(program, ["run", "-q", "s.yml", "--out", "out"], folder)
        row(f"run of {RUN_ROWS:,} rows against echo", "0.1 ms CPU a row, 300 MB",
            said or f"{done.cpu / RUN_ROWS * 1000:.3f} ms CPU a row, {done.peak:.0f} MiB")


main()
