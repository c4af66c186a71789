#!/usr/bin/env python3
"""A store of 0.3.0 with a run of a million cells and as many replies is brought up to date by who writes to it, in 10 s
at most: keys of replies get a table of their own, and every run shows what it showed."""
import sqlite3
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

STORE = e2e.ROOT / "tests/data/stores/blueprint.13.db.zip"
CELLS = 1_000_000
SECONDS_MAX = 10
ADD_RUN = """
CREATE TEMP TABLE one AS SELECT * FROM run LIMIT 1;
UPDATE one SET number = 1000, id = 'million', cells = {cells};
INSERT INTO run SELECT * FROM one;
CREATE TEMP TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last})
  SELECT i FROM n;
INSERT INTO cell SELECT 1000, 1, i, x'', i % 100, 0, 0, (i * 7919 % 101) / 100.0, 1 FROM numbers;
INSERT INTO score SELECT 1000, i, '{{"v":1,"s":[[0,1],[0,0.5]]}}', NULL, NULL FROM numbers;
CREATE TEMP TABLE reply AS SELECT * FROM exchange WHERE reusable = 1 LIMIT 1;
UPDATE reply SET id = NULL;
INSERT INTO exchange SELECT reply.* FROM numbers CROSS JOIN reply;
"""


def rows(store, question):
    with sqlite3.connect(store) as database:
        return database.execute(question).fetchall()


with e2e.scratch() as scratch:
    store = Path(scratch, "store.db")
    zipfile.ZipFile(STORE).extract("store.db", scratch)
    with sqlite3.connect(store) as database:
        database.executescript(ADD_RUN.format(cells=CELLS, last=CELLS - 1))
    before = e2e.assay("runs", "--store", "store.db", cwd=scratch).stdout
    started = time.monotonic()
    adopted = e2e.adopt("--store", "store.db", cwd=scratch)
    took = time.monotonic() - started
    e2e.expect(adopted, 0)
    e2e.check(rows(store, "PRAGMA user_version") == [(14,)], "the store is of version 14")
    keyed = rows(store, "SELECT count(*) FROM exchange_key")[0][0]
    e2e.check(keyed > CELLS, f"{keyed} keys")
    e2e.check(e2e.assay("runs", "--store", "store.db", cwd=scratch).stdout == before, "its runs are listed as before")
    e2e.check(took <= SECONDS_MAX, f"{CELLS:,} cells took {took:.1f} s, more than {SECONDS_MAX}")
print(f"{CELLS:,} cells in {took:.1f} s")
