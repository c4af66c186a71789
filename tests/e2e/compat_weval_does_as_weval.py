#!/usr/bin/env python3
"""--compat weval: prompts of one id, groups that failed, ids that are numbers; the default does otherwise."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SUITE = """
models: ["echo:a"]
point_defs:
  heavy: {fn: contains, fnArgs: "say", weight: 9}
---
- {id: 7, prompt: say seven, should: [{$ref: heavy}, {$contains: "eight"}]}
- {id: p, prompt: say one, should: [{$contains: one}]}
- {id: p, prompt: say two, should: [{$contains: two}]}
- {id: failed, prompt: say three, should: [{$js: null.x}]}
- {id: half, prompt: say four, should: [{$contains: four}, [{$js: null.x}]]}
"""
OPTIONS = ("--eval-method", "llm-coverage", "--skip-executive-summary")


def comparison(folder, out, *options):
    result = e2e.assay("run", "suite.yml", "--out", out, "--json", *OPTIONS, *options, cwd=folder)
    [file] = Path(folder, out).rglob("*_comparison.json")
    return json.loads(file.read_text()), e2e.one_run(result), result


def coverage(file):
    [model] = file["effectiveModels"]
    return {prompt: entry[model].get("avgCoverageExtent")
            for prompt, entry in file["evaluationResults"]["llmCoverageScores"].items()}


with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(SUITE)
    file, run, result = comparison(folder, "weval", "--compat", "weval")
    e2e.check(file["promptIds"] == [7, "failed", "half", "p"], f"a number stays one: {file['promptIds']}", result)
    scores = coverage(file)
    e2e.check(scores == {"7": 0.5, "p": 0, "failed": 0, "half": 0.5}, f"weval's scores: {scores}", result)
    e2e.check(file["promptContexts"]["p"][-1]["content"] == "say two", "the last prompt of an id is shown", result)
    e2e.check(run["requests"] == 5, f"both prompts of one id are asked: {run['requests']}", result)

    file, run, result = comparison(folder, "ours")
    scores = coverage(file)
    want = {"7": 0.9, "p": 1, "p-2": 1, "failed": None, "half": 1}
    e2e.check(scores == want, f"by default a failed group has no share: {scores}", result)

    Path(folder, "suite.yml").write_text("models: ['echo:a']\n---\n- {id: p, prompt: a}\n- {id: 7, prompt: b}\n")
    result = e2e.assay("run", "suite.yml", *OPTIONS, "--compat", "weval", cwd=folder)
    e2e.expect(result, 1, "suite.yml:4:8", "is a number")
    e2e.expect(e2e.assay("run", "suite.yml", "--out", "more", cwd=folder), 0)
