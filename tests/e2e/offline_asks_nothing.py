#!/usr/bin/env python3
"""--offline uses what is stored, and asks nothing when something is missing."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(3))
    missing = e2e.assay("run", "suite.yml", "--offline", "--json", cwd=folder)
    e2e.expect(missing, 2, "--offline")
    e2e.check(e2e.one_run(missing)["requests_sent"] == 0, "something was asked", missing)

    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    stored = e2e.assay("run", "suite.yml", "--filter", "case-*", "--offline", "--json", cwd=folder)
    e2e.expect(stored, 0)
    run = e2e.one_run(stored)
    e2e.check(run["requests_sent"] == 0 and run["variants"][0]["scored"] == 3, "expected 3 stored answers", stored)
