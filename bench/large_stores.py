#!/usr/bin/env python3
"""A large run in a team's store: prints the table of bench/README.md.

    bench/large_stores.py PROGRAM [first] [large] [--cells N] [--times N]

200000 cells are of half as many prompts and two models. Both rows, or those named.

Three shards ask a model that answers at once (`echo:`). Then, by turns: the report made of the server and of a copy in
a file, the same command when nothing is left, and a copy into a file. CPU is of assay's process, and of all the
server's backends. `first` is from the start of three processes to the first request of each. Needs PostgreSQL.
"""
import argparse
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("program")
parser.add_argument("names", nargs="*")
parser.add_argument("--cells", type=int, default=200_000)
parser.add_argument("--times", type=int, default=3)
asked = parser.parse_args()
os.environ["ASSAY"] = os.path.abspath(asked.program)
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from server_runs import make, row, server_cpu  # noqa: E402
from spent import Running  # noqa: E402

ENVIRONMENT = {**e2e.clean_environment(), "OPENAI_API_KEY": "sk-test-45"}
SHARDS = 3


def suite(prompts, models):
    """Some 100 bytes a prompt; two points for each."""
    lines = ["title: Words", "id: words", f"models: [{', '.join(repr(each) for each in models)}]", "prompts:"]
    for i in range(prompts):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i} and some more of it about rivers and lakes",
                  "    should:", f"      - $contains: word {i}", "      - $icontains: LAKES"]
    return "\n".join(lines) + "\n"


def start(place, *words, **more):
    with (place / "log").open("a") as log:
        return Running([os.environ["ASSAY"], *words], place, env={**ENVIRONMENT, **more}, log=log)


def once(server, place, *words):
    """Wall seconds, CPU seconds, those of the server, MiB."""
    before = server_cpu(server)
    ended = start(place, *words).end()
    e2e.check(ended.code == 0, f"{words}: exit code {ended.code}\n{(place / 'log').read_text()[-2000:]}")
    return ended.wall, ended.cpu, server_cpu(server) - before, ended.peak


def told(rows):
    wall, cpu, there, peak = (statistics.median(column) for column in zip(*rows))
    return f"{wall:.1f} s wall, {cpu:.1f} s CPU, the server {there:.1f} s, {peak:.0f} MiB"


class Timed(MockServer):
    """Notes when a request of each key comes first. It answers: a shard without a place waits for those of others."""

    def __init__(self):
        super().__init__(delay=0.2)
        self.began, self.first = time.monotonic(), {}

    def handle(self, handler):
        self.first.setdefault(handler.headers["authorization"], time.monotonic() - self.began)
        super().handle(handler)


def first_requests(folder, server, prompts):
    """Seconds until each of three shards has sent its first request; each has a key of its own."""
    place = make(folder, "first", suite(prompts, ["openai:gpt-4o-mini"]))
    with Timed() as mock:
        words = ["run", "suite.yml", "--out", "out", "--store", server.new("first"), "--shards", SHARDS,
                 f"--base-url=openai={mock.url}/v1"]
        running = [start(place, *words, "--shard", i, OPENAI_API_KEY=f"sk-test-{i}") for i in range(1, SHARDS + 1)]
        while len(mock.first) < SHARDS and time.monotonic() - mock.began < 300:
            time.sleep(0.05)
        for each in running:
            each.kill()
        spent = [each.end().cpu for each in running]
        at = sorted(mock.first.values())
    e2e.check(len(at) == SHARDS, (place / "log").read_text()[-2000:])
    row(f"{prompts:,} prompts, {SHARDS} shards: until the first request, and until each has sent its own", "5 s",
        f"{at[0]:.1f} s, {at[-1]:.1f} s; {statistics.median(spent):.1f} s CPU each")


def large(folder, server, cells):
    text = suite(cells // 2, ["echo:a", "echo:b"])
    url, place = server.new("large"), make(folder, "large", text)
    words = ["run", "suite.yml", "--out", "out", "--store", url]
    before, began = server_cpu(server), time.monotonic()
    ended = [each.end() for each in [start(place, *words, "-j", "900", "--shards", SHARDS, "--shard", i)
                                     for i in range(1, SHARDS + 1)]]
    e2e.check(all(each.code == 0 for each in ended), f"a shard failed, see {place}")
    count = int(server.sql("SELECT count(*) FROM exchange", "large")[0])
    row(f"{cells:,} cells, {SHARDS} shards, -j 900: server CPU an exchange", "0.1 ms",
        f"{(server_cpu(server) - before) * 1000 / count:.3f} ms ({time.monotonic() - began:.0f} s wall, "
        f"{sum(each.cpu for each in ended):.0f} s CPU of assay)")
    found = server.sql("SELECT id FROM run", "large")[0]
    copied = make(folder, "copied", text)
    row("`cache copy` into a file", "40 s wall", told(
        [once(server, copied, "cache", "copy", url, f"copy{i}.db", "--run", found) for i in range(asked.times)]))
    there, here = [], []
    for i in range(asked.times):
        server.sql("UPDATE run SET state = 0, said = ''", "large")  # as the shards left it
        shutil.rmtree(place / "out", ignore_errors=True)
        there.append(once(server, place, *words, "--fold", found))
        here.append(once(server, copied, "run", "suite.yml", "--out", "out", "--store", f"copy{i}.db"))
    row("fold of the server", "2 × the file's", told(there))
    row("fold of the file", "", told(here))
    row("the same command when nothing is left, of the server", "2 s wall", told(
        [once(server, place, *words) for _ in range(asked.times)]))
    row("the same of the file", "2 s wall", told(
        [once(server, copied, "run", "suite.yml", "--out", "out", "--store", "copy0.db") for _ in range(asked.times)]))
    for path in sorted(Path(place, "out").rglob("*")):
        if path.is_file() and path.stat().st_size > 1e6:
            row(f"`{path.name}`", "", f"{path.stat().st_size / 1e6:.1f} MB")


with e2e.scratch() as scratch, PostgresServer() as postgres:
    print("| what | goal | measured |\n|---|---|---|", flush=True)
    if "large" not in asked.names or "first" in asked.names:
        first_requests(scratch, postgres, asked.cells // 2)
    if "first" not in asked.names or "large" in asked.names:
        large(scratch, postgres, asked.cells)
