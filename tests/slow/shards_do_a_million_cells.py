#!/usr/bin/env python3
"""1,000,000 cells over three shards: each within 200 MB, each answer there once, and the report made of them takes no
more than one and a half times what it takes of the same run in a file. ASSAY_CELLS asks for fewer."""
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bench")]
CELLS = int(os.environ.get("ASSAY_CELLS", 1_000_000))
import e2e  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from spent import Running  # noqa: E402

CASES, SHARDS, PEAK_MB = 1_000, 3, 200
ENVIRONMENT = e2e.clean_environment()


def start(place, *words):
    with (place / "log").open("a") as log:
        return Running([e2e.PROGRAM, *map(str, words)], place, env=ENVIRONMENT, log=log)


def end(process, place):
    ended = process.end()
    e2e.check(ended.code == 0, f"exit code {ended.code}: {(place / 'log').read_text()}")
    return ended


with e2e.scratch() as folder, PostgresServer() as server:
    text = e2e.suite(CASES)
    places = {name: Path(folder, name) for name in ("shards", "file")}
    for place in places.values():
        place.mkdir()
        (place / "suite.yml").write_text(text)
    url = server.new("many")
    run = ["run", "suite.yml", "--out", "out", "--attempts", CELLS // CASES]

    here = places["shards"]
    started = [start(here, *run, "--store", url, "--shards", SHARDS, "--shard", i) for i in range(1, SHARDS + 1)]
    peaks = [end(each, here).peak for each in started]
    e2e.check(max(peaks) * 2**20 <= PEAK_MB * 1e6, f"peaks of {peaks} MiB")
    counts = server.sql("SELECT count(*), count(DISTINCT key), (SELECT count(*) FROM cell), (SELECT count(*) FROM "
                        "score), sum(reusable) FROM exchange", "many")
    e2e.check(counts == ["|".join([str(CELLS)] * 5)], f"exchanges, keys, cells, scores, those that count: {counts}")

    # The same run in a file, before anybody has made its report.
    name = server.sql("SELECT id FROM run", "many")[0]
    copied = places["file"]
    end(start(copied, "cache", "copy", url, "copy.db", "--run", name), copied)
    there = end(start(here, *run, "--store", url, "--fold", name), here)
    in_file = end(start(copied, *run, "--store", "copy.db"), copied)
    print(f"peaks {[round(each) for each in peaks]} MiB; fold {there.cpu:.1f} s CPU and {there.wall:.1f} s, in a file "
          f"{in_file.cpu:.1f} s and {in_file.wall:.1f} s; {there.peak:.0f} MiB")
    e2e.check("0 asked" in (copied / "log").read_text(), (copied / "log").read_text())
    e2e.check(there.cpu <= 1.5 * in_file.cpu, f"the report took {there.cpu} s of CPU, and {in_file.cpu} s of a file")
    e2e.check(there.peak * 2**20 <= PEAK_MB * 1e6, f"the report took {there.peak} MiB")
    files = [e2e.result_files(place / "out") for place in (here, copied)]
    e2e.check(files[0] == files[1], "the files of both differ")
