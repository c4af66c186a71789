#!/usr/bin/env python3
"""The research example runs offline from the root of the checkout in one command: two profiles of its own program over its
pinned documents, with every file of a session."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

FILES = {"summary.json", "report.md", "report.html"} | {
    f"{run}/artifacts/{name}" for run in ("searching", "first-page") for name in ("results.jsonl", "results.md", "summary.json")}


def main():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        shutil.copy(e2e.ROOT / "assay.toml", folder)
        shutil.copytree(e2e.ROOT / "examples/research-orchard", folder / "examples/research-orchard")
        command = re.search(r"\./dev run (examples/research-orchard/\S+)", (e2e.ROOT / "examples/README.md").read_text())[1]
        result = e2e.assay("run", command, cwd=folder)
        e2e.expect(result, 0)
        session, = folder.joinpath("results/research").iterdir()
        made = {str(path.relative_to(session)) for path in session.rglob("*") if path.is_file()}
        e2e.check(made >= FILES, f"missing: {FILES - made}", result)
        runs = {run["run_id"]: run for run in json.loads((session / "summary.json").read_text())["runs"]}
        e2e.check(runs["searching"]["passed_cases"] == 4 and runs["first-page"]["passed_cases"] == 2
                  and runs["searching"]["tool_call_counts"] == {"search": 4}, f"{runs}", result)
        other = folder / "elsewhere"
        other.mkdir()
        elsewhere = e2e.assay("run", folder / command, cwd=other)
        e2e.expect(elsewhere, 2, "orchard-reader")


main()
