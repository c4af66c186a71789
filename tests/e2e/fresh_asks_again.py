#!/usr/bin/env python3
"""A second run asks nothing, --fresh asks all of it again, and earlier runs stay as they were."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

def sent(folder, *words):
    result = e2e.assay("run", "suite.yml", "--json", *words, cwd=folder)
    e2e.expect(result, 0)
    return e2e.one_run(result)

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(4))
    first = sent(folder)
    before = e2e.assay("show", first["run"], "--json", cwd=folder).stdout
    counts = [first["requests_sent"], sent(folder)["requests_sent"], sent(folder, "--fresh")["requests_sent"],
              sent(folder)["requests_sent"], sent(folder, "--fresh")["requests_sent"]]
    e2e.check(counts == [4, 0, 4, 0, 4], f"requests sent: {counts}")
    e2e.check(e2e.assay("show", first["run"], "--json", cwd=folder).stdout == before, "the first run changed")
