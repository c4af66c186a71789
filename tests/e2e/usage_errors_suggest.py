#!/usr/bin/env python3
"""Slips on the command line: exit 1 and the nearest name."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(1))
    for words, *fragments in [
        (["run", "suite.yml", "--modle", "echo:a"], "--modle", "--model"),
        (["run", "suite.yml", "--offlin"], "--offline"),
        (["run"], "FILE"),
        (["rum", "suite.yml"], "assay run"),
        (["suite.yml"], "assay run suite.yml"),
        (["run", "suite.yml", "--attempts", "zero"], "--attempts", "zero"),
        (["run", "suite.yml", "--attempts", "0"], "--attempts"),
        (["run", "suite.yml", "--compat", "wevel"], "--compat", "weval"),
        (["run", "suite.yml", "--model"], "model"),
        (["list", "check"], "checks"),
        (["show", "nothing", "--store", "none.db"], "none.db"),
    ]:
        e2e.expect(e2e.assay(*words, cwd=folder), 1, *fragments)
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder, env={"ASSAY_LIMIT": "many"}), 1, "--limit", "many")
    e2e.expect(e2e.assay("run", "suite.yml", "--limit", "1", cwd=folder, env={"ASSAY_LIMIT": "9"}), 0)
    e2e.nothing_written(folder, "suite.yml", r"results/", r"\.assay/")
