#!/usr/bin/env python3
"""Recorded replies that are not there, or not readable."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2, model="openai:gpt-4o"))
    Path(folder, "bad.jsonl").write_text('{"v":1}\n')
    Path(folder, "bad.yml").write_text("responses: [\n")
    for words, fragment in [
        ([], "openai:gpt-4o"),
        (["--fixtures", "none.yml"], "none.yml"),
        (["--fixtures", "bad.yml"], "bad.yml:"),
        (["--replay", "none.jsonl"], "none.jsonl"),
        (["--replay", "bad.jsonl"], "bad.jsonl:1:1"),
    ]:
        e2e.expect(e2e.assay("run", "suite.yml", *words, cwd=folder), 1, fragment)
    e2e.nothing_written(folder, "suite.yml", "bad.*")
    # One answer of two: what it lacks needs a key; the missing one is an error and never a wrong answer.
    Path(folder, "half.yml").write_text("responses: {case-0: {default: say word 0}}\n")
    keyless = e2e.assay("run", "suite.yml", "--fixtures", "half.yml", cwd=folder)
    e2e.expect(keyless, 1, 'OPENAI_API_KEY is not set, but "openai:gpt-4o" would be asked 1 time')
    half = e2e.assay("run", "suite.yml", "--fixtures", "half.yml", "--offline", "--json", cwd=folder)
    e2e.expect(half, 2, "1 request failed for good", "--offline forbids to ask")
    variant = e2e.one_run(half)["variants"][0]
    e2e.check((variant["scored"], variant["errors"]) == (1, 1), "expected one score and one error", half)
