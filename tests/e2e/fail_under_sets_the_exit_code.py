#!/usr/bin/env python3
"""--fail-under: 0 if every variant reaches it, else 3, with the same results, and who missed it by how much."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2))
    for limit, code, told in [("0.5", 0, ""), ("0.99", 3, "missed --fail-under 0.99: echo:a has 83 points, 16 less")]:
        e2e.expect(e2e.assay("run", "suite.yml", "--fail-under", limit, cwd=folder), code, told)
