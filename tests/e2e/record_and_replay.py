#!/usr/bin/env python3
"""A recording answers for the run that it was made of, also unasked when it lies beside the suite."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(3))
    first = e2e.assay("run", "suite.yml", "--record", "r.jsonl", "--json", cwd=folder)
    e2e.expect(first, 0)
    lines = Path(folder, "r.jsonl").read_text().splitlines()
    e2e.check(len(lines) == 3 and all(e2e.json.loads(line)["v"] == 1 for line in lines), "expected three lines", first)

    elsewhere = ["--store", "other.db", "--offline", "--json"]
    replayed = e2e.assay("run", "suite.yml", "--replay", "r.jsonl", *elsewhere, cwd=folder)
    e2e.expect(replayed, 0)
    e2e.check(e2e.one_run(replayed)["variants"] == e2e.one_run(first)["variants"], "other scores", replayed)

    Path(folder, "r.jsonl").rename(Path(folder, "suite.replay.jsonl"))
    e2e.expect(e2e.assay("run", "suite.yml", *elsewhere, cwd=folder), 0, "3 recorded replies", "--replay none")
    e2e.expect(e2e.assay("run", "suite.yml", "--replay", "none", "--store", "third.db", "--offline", cwd=folder), 2)

    again = e2e.assay("run", "suite.yml", "--record", "again.jsonl", "--json", cwd=folder)
    e2e.expect(again, 0)
    same = Path(folder, "again.jsonl").read_text() == Path(folder, "suite.replay.jsonl").read_text()
    e2e.check(same, "a recording of a replay differs from it", again)
