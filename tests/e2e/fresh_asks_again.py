#!/usr/bin/env python3
"""A second run asks nothing, --fresh asks all of it again, and earlier runs stay as they were."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

def sent(folder, *words):
    result = e2e.assay("run", "suite.yml", "--json", *words, cwd=folder)
    e2e.expect(result, 0)
    run = e2e.one_run(result)
    return {**run, "asked": 0 if run["up_to_date"] else run["requests_sent"]}

def shown(folder, run):
    """All but when it was last found up to date."""
    return {**e2e.json.loads(e2e.assay("show", run["run"], "--json", cwd=folder).stdout), "finished_ms": 0}

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(4))
    first = sent(folder)
    before = shown(folder, first)
    counts = [first["asked"], sent(folder)["asked"], sent(folder, "--fresh")["asked"], sent(folder)["asked"],
              sent(folder, "--fresh")["asked"]]
    e2e.check(counts == [4, 0, 4, 0, 4], f"requests sent: {counts}")
    e2e.check(shown(folder, first) == before, "the first run changed")
