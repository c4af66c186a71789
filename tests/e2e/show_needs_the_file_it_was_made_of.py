#!/usr/bin/env python3
"""show reads the suite again; if it has changed it says so and shows what the store knows."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    suite = Path(folder, "suite.yml")
    suite.write_text(e2e.suite(2))
    e2e.expect(e2e.assay("run", "suite.yml", "-m", "echo:x", cwd=folder), 0)
    shown = e2e.assay("show", "latest", cwd=folder)
    e2e.expect(shown, 0)
    e2e.check("echo:x" in shown.stdout and "case-1" in shown.stdout, "expected the table", shown)
    case = e2e.assay("show", "latest", "--case", "case-1", cwd=folder)
    e2e.check("say word 1" in case.stdout, "expected the answer", case)
    failed = e2e.assay("show", "latest", "--failed", "--pass-at", "1", cwd=folder)
    e2e.check("--filter case-0" in failed.stdout, "expected the command that asks again", failed)
    suite.write_text(e2e.suite(3))
    changed = e2e.assay("show", "latest", cwd=folder)
    e2e.expect(changed, 1, "has changed")
    e2e.check("assay run suite.yml --model echo:x" in changed.stdout, "expected what the store knows", changed)
