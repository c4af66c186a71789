#!/usr/bin/env python3
"""Several processes on one run and one PostgreSQL store, beside one process and a file: prints the table of
bench/README.md.

    bench/shards.py PROGRAM [NAME...]    all rows, or those named: plain cpu waits killed equal limits budget cells

CPU is of whole processes, the server's of all its backends; medians of 3. Row `cells` needs `--cells N` (1000000).
Needs PostgreSQL; `killed` takes two minutes, `limits` three.
"""
import argparse
import os
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("program")
parser.add_argument("names", nargs="*")
parser.add_argument("--cells", type=int, default=1_000_000)
asked = parser.parse_args()
os.environ["ASSAY"] = os.path.abspath(asked.program)
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from server_runs import make, row, server_cpu  # noqa: E402
from spent import Running  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-30"}
CASES = 6_000
TIMES = 3


def suite(cases, model, distinct=None):
    lines = ["title: Words", "id: words", f"models: ['{model}']", "prompts:"]
    for i in range(cases):
        word = i % distinct if distinct else i
        lines += [f"  - id: case-{i}", f"    prompt: say word {word} " + "and some more of it " * 20, "    should:",
                  f"      - $contains: word {word}"]
    return "\n".join(lines) + "\n"


def start(place, *words):
    with (place / f"log-{time.monotonic_ns()}").open("w") as log:
        return Running([os.environ["ASSAY"], *words], place, env={**os.environ, **KEY}, log=log)


def wait(processes):
    return [process.end() for process in processes]


def once(place, *words):
    ended = start(place, *words).end()
    e2e.check(ended.code == 0, f"{words}: exit code {ended.code}, see {place}")
    return ended


def run(place, *words):
    return once(place, "run", "suite.yml", "--out", "out", *words)


def shards(place, url, of, *words):
    return wait([start(place, "run", "suite.yml", "--out", "out", "--store", url, "--shards", of, "--shard", i, *words)
                 for i in range(1, of + 1)])


def fold(server, place, url, name, *words):
    found = server.sql("SELECT id FROM run ORDER BY number DESC LIMIT 1", name)[0]
    return run(place, "--store", url, "--fold", found, *words)


def exchanges(server, name):
    return int(server.sql("SELECT count(*) FROM exchange", name)[0])


def medians(found):
    return [statistics.median(column) for column in zip(*found)]


def plain(folder, server):
    text = suite(CASES, "echo:a")
    file, there = [], []
    for i in range(TIMES):
        ended = run(make(folder, f"plain-{i}", text))
        file.append((ended.wall, ended.cpu))
        url, before = server.new(f"plain{i}"), server_cpu(server)
        ended = run(make(folder, f"plain-there-{i}", text), "--store", url)
        there.append((ended.wall, ended.cpu, (server_cpu(server) - before) * 1000 / exchanges(server, f"plain{i}")))
    wall, cpu = medians(file)
    wall_there, cpu_there, per = medians(there)
    row(f"a plain run of {CASES:,} calls, file | server", "none",
        f"{wall:.2f} s wall, {cpu:.2f} s CPU \\| {wall_there:.2f} s wall, {cpu_there:.2f} s CPU, the server "
        f"{per:.3f} ms an exchange")


def cpu(folder, server):
    text = suite(CASES, "echo:a")
    alone = medians([(run(make(folder, f"alone-{i}", text)).cpu,) for i in range(TIMES)])[0]
    # With as many calls under way as one machine has, and with so many that a commit has some 300 answers.
    for width, goal in ((60, "none"), (900, "0.1 ms")):
        found = []
        for i in range(TIMES):
            name = f"cpu{i}of{width}"
            url, before = server.new(name), server_cpu(server)
            place = make(folder, name, text)
            ended = shards(place, url, 3, "-j", width)
            e2e.check(all(each.code == 0 for each in ended), f"a shard failed, see {place}")
            spent = (server_cpu(server) - before) * 1000 / exchanges(server, name)
            found.append((sum(each.cpu for each in ended), fold(server, place, url, name, "-j", width).cpu, spent))
        together, folded, per = medians(found)
        row(f"CPU of 3 shards (and of the fold) for one machine's, -j {width}", "1.25",
            f"{together / alone:.2f} (and {folded / alone:.2f})")
        row(f"server CPU an exchange, with tables, look-up, claim and cell, -j {width}", goal, f"{per:.3f} ms")


def waits(folder, server):
    text = suite(900, "openai:gpt-4o-mini")
    with MockServer(delay=0.5) as mock:
        base = f"--base-url=openai={mock.url}/v1"
        alone = run(make(folder, "one", text), base).wall
        url = server.new("waits")
        place = make(folder, "three", text)
        together = max(each.wall for each in shards(place, url, 3, base))
        sent = len(mock.requests)
    row("900 calls of 0.5 s, 20 at once on each of 3 nodes", "2.6 × faster",
        f"{alone / together:.2f} × ({alone:.1f} s, {together:.1f} s), {sent - 900} calls for 900")


def killed(folder, server):
    width = 8
    text = suite(1_500, "openai:gpt-4o-mini")
    name = "killed"
    url = server.new(name)
    place = make(folder, name, text)
    with MockServer(delay=0.8) as mock:
        words = ["run", "suite.yml", "--out", "out", "--store", url, f"--base-url=openai={mock.url}/v1", "-j",
                 str(2 * width), "--shards", "2"]
        victim, other = start(place, *words, "--shard", "1"), start(place, *words, "--shard", "2")
        time.sleep(12)
        victim.kill()
        at = time.monotonic()
        dead = "(SELECT number FROM seat WHERE shard = 1)"
        held = server.sql(f"SELECT number FROM range WHERE is_done = 0 AND seat = {dead}", name)
        e2e.check(held, "it held nothing")
        taken = (f"SELECT count(*) FROM range WHERE number IN ({','.join(held)}) AND (is_done = 1 OR (seat IS NOT NULL "
                 f"AND seat <> {dead}))")
        while server.sql(taken, name) == ["0"]:
            time.sleep(0.2)
        after = time.monotonic() - at
        e2e.check([each.code for each in wait([victim, other])] == [-9, 0], f"see {place}")
        repeats = len(mock.requests) - 1_500
    row("node killed: calls that were repeated; others took over after", f"≤ {2 * width} in flight; 70 s",
        f"{repeats}; {after:.1f} s")


def equal(folder, server):
    text = suite(960, "openai:gpt-4o-mini", distinct=240)
    with MockServer(delay=0.2) as mock:
        ended = shards(make(folder, "equal", text), server.new("equal"), 3, f"--base-url=openai={mock.url}/v1")
        e2e.check(all(each.code == 0 for each in ended), "a shard failed")
        row("960 cells of 240 equal requests in 3 shards: sent", "240", f"{len(mock.requests)}")


def limits(folder, server):
    text = suite(1_500, "openai:gpt-4o-mini")
    at = []

    def note(_body):
        at.append(time.monotonic())

    with MockServer(refuse=note) as mock:
        shards(make(folder, "limits", text), server.new("limits"), 3, f"--base-url=openai={mock.url}/v1",
               "--requests-per-min", "600")
    at.sort()
    most = max(sum(1 for other in at if each <= other < each + 60) for each in at)
    used = (len(at) - 1) / ((at[-1] - at[0]) / 60 * 600)
    row("600 requests a minute for 3 shards: most in a minute; part that was used", "600; 0.9", f"{most}; {used:.2f}")


def budget(folder, server):
    text = suite(600, "openai:gpt-4o-mini")
    name, most = "budget", 60_000
    with MockServer(delay=0.05) as mock:
        shards(make(folder, name, text), server.new(name), 3, f"--base-url=openai={mock.url}/v1", "--budget-tokens",
               str(most), "--max-tokens", "40")
    spent = int(server.sql("SELECT coalesce(sum(input_tokens + output_tokens), 0) FROM exchange", name)[0])
    row(f"a budget of {most:,} tokens for 3 shards: part that was spent", "0.9 to 1", f"{spent / most:.3f}")


def cells(folder, server):
    cases = 1_000
    attempts = asked.cells // cases
    text = suite(cases, "echo:a")
    words = ["--attempts", str(attempts)]
    url = server.new("cells")
    place = make(folder, "cells", text)
    began = time.monotonic()
    ended = shards(place, url, 3, *words)
    e2e.check(all(each.code == 0 for each in ended), f"a shard failed, see {place}")
    wall = time.monotonic() - began
    # What a fold takes where no server is: the same run, in a file, unfinished.
    found = server.sql("SELECT id FROM run ORDER BY number DESC LIMIT 1", "cells")[0]
    in_file = make(folder, "cells-in-file", text)
    once(in_file, "cache", "copy", url, "copy.db", "--run", found)
    folded = fold(server, place, url, "cells", *words)
    folded_here = run(in_file, "--store", "copy.db", *words)
    alone = make(folder, "cells-alone", text)
    one = run(alone, *words)
    peaks = ", ".join(f"{each.peak:.0f}" for each in ended)
    row(f"{asked.cells:,} cells, 3 shards: peak memory of each", "200 MB", f"{peaks} MiB, {wall:.0f} s wall")
    row("their fold | the same of a copy in a file | one machine's whole run", "1.5 × the copy's",
        " \\| ".join(f"{each.wall:.1f} s wall, {each.cpu:.1f} s CPU, {each.peak:.0f} MiB"
                     for each in (folded, folded_here, one)))
    there, here = (once(where, "export", "latest", "--to", "html", "-o", "page.html", "--store", store)
                   for where, store in ((place, url), (alone, ".assay/store.db")))
    row("report.html made again of a server | of a file", "1.5 ×",
        f"{there.wall:.1f} s wall, {there.cpu:.1f} s CPU \\| {here.wall:.1f} s wall, {here.cpu:.1f} s CPU")


ROWS = {each.__name__: each for each in (plain, cpu, waits, killed, equal, limits, budget, cells)}
with e2e.scratch() as scratch, PostgresServer() as postgres:
    print("| what | goal | measured |\n|---|---|---|", flush=True)
    for wanted in asked.names or ROWS:
        ROWS[wanted](scratch, postgres)
