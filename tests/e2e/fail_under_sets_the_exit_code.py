#!/usr/bin/env python3
"""--fail-under: 0 if every variant reaches it, else 3, with the same results."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2))
    for limit, code in [("0.5", 0), ("0.99", 3)]:
        e2e.expect(e2e.assay("run", "suite.yml", "--fail-under", limit, cwd=folder), code)
