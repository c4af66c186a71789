#!/usr/bin/env python3
"""An output folder that cannot be written is told before anything is asked."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2))
    Path(folder, "file").write_text("")
    result = e2e.assay("run", "suite.yml", "--out", "file/results", cwd=folder)
    e2e.expect(result, 2, "file/results", "--out")
    e2e.nothing_written(folder, "suite.yml", "file")
