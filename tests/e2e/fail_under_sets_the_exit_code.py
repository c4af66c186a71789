#!/usr/bin/env python3
"""--fail-under and --pass-rate: 0 if they are reached, else 3 or --failed-exit-code, with the same results, and what
missed them by how much."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2))
    for limit, code, told in [("0.5", 0, ""), ("0.99", 3, "missed --fail-under 0.99: echo:a has 83 points, 16 less")]:
        e2e.expect(e2e.assay("run", "suite.yml", "--fail-under", limit, cwd=folder), code, told)

    # A gate of shares counts cells; the code that a run which missed ends with is the user's to choose.
    Path(folder, "rate.yml").write_text(
        e2e.suite(3) + "  - id: wrong\n    prompt: say nothing\n    should:\n      - $contains: gone\n")
    e2e.expect(e2e.assay("run", "rate.yml", cwd=folder), 0)
    e2e.expect(e2e.assay("run", "rate.yml", "--pass-rate", "0.75", "--failed-exit-code", "100", cwd=folder), 0)
    missed = "missed --pass-rate 0.8: 3 of 4 cells passed"
    e2e.expect(e2e.assay("run", "rate.yml", "--pass-rate", "0.8", cwd=folder), 3, missed)
    runs = e2e.counted_in_store(folder, "run")
    for _ in range(2):  # the second says it again
        result = e2e.assay("run", "rate.yml", "--pass-rate", "0.8", "--failed-exit-code", "100", cwd=folder)
        e2e.expect(result, 100, missed)
        e2e.check(e2e.counted_in_store(folder, "run") == runs, "neither is a part of what a run is found by", result)
    result = e2e.assay("run", "rate.yml", "--pass-rate=0.8", "--failed-exit-code=100", "--json", cwd=folder)
    e2e.check(json.loads(result.stdout)[0]["exit"] == 100, "JSON says the code, too", result)
    e2e.expect(e2e.assay("run", "rate.yml", "--fail-under", "0.9", "--failed-exit-code", "7", cwd=folder), 7)
    for wrong in "0", "256", "x":
        e2e.expect(e2e.assay("run", "rate.yml", "--failed-exit-code", wrong, cwd=folder), 1, "from 1 to 255")
    e2e.expect(e2e.assay("run", "rate.yml", "--pass-rate", "80", cwd=folder), 1, "0.9 means 9 of 10 cells")

    # Errors do not pass, and a gate that they miss decides the code.
    Path(folder, "fault.yml").write_text(e2e.suite(1, model="openai:gpt-6-luna"))
    words = ["run", "fault.yml", "--base-url", "openai=http://127.0.0.1:9/v1", "--max-retries", "0", "--fresh"]
    for more, code in ((), 2), (("--pass-rate", "1"), 3), (("--pass-rate", "1", "--failed-exit-code", "100"), 100):
        e2e.expect(e2e.assay(*words, *more, cwd=folder, env={"OPENAI_API_KEY": "k"}), code)
