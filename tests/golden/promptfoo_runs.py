#!/usr/bin/env python3
"""Whole runs of promptfoo, replayed: assay runs the same config against the same service, sends the same requests and
writes the same results, but for texts of errors, tokens (which the service counts by bytes), times and HTTP headers.

The runs are in golden/promptfoo/runs beside the checkout, or below $ASSAY_SHARED; without them the test is skipped."""
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import CUT, MockServer, status  # noqa: E402

RUNS = Path(os.environ.get("ASSAY_SHARED", e2e.ROOT.parent / "shared")) / "golden/promptfoo/runs"
ADDRESS = "127.0.0.1:8190"    # of the service in the recorded runs
# What depends on the machine, the time and the service's way to count.
VOLATILE = {"id", "latencyMs", "totalLatencyMs", "durationMs", "evaluationDurationMs", "metadata", "raw", "isRefusal",
            "guardrails", "tokenUsage", "tokensUsed", "cost", "finishReason", "logProbs"}
# What the service answers where nothing says what; it is not compared.
MOCK = "Mock answer."
# The grader of the recorded runs.
RUBRICS = {"is good about": {"pass": True, "score": 0.9, "reason": "fine"},
           "is bad": {"pass": True, "score": 0.3, "reason": "meh"}}


def answer(text):
    rubric = re.search(r"RUBRIC=(.*?) Q=", text)
    if rubric:
        return next((json.dumps(said) for start, said in RUBRICS.items() if rubric[1].startswith(start)), "no idea")
    said = re.search(r"\[\[reply:(.*)\]\]", text, re.S)
    return said[1] if said else MOCK


def fault(body):
    model = body.get("model", "")
    if "p500" in model:
        return status(500)
    return CUT if "pbadjson" in model else None


def reply(path, body):
    if "pempty" not in body.get("model", ""):
        return None
    message = {"role": "assistant", "content": ""}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": {}}


def differences(path, theirs, ours):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return [each for key in theirs if key not in VOLATILE for each in
                (differences(f"{path}.{key}", theirs[key], ours[key]) if key in ours else [f"{path}.{key} is missing"])]
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        return [each for i, pair in enumerate(zip(theirs, ours)) for each in differences(f"{path}[{i}]", *pair)]
    if isinstance(theirs, (int, float)) and isinstance(ours, (int, float)) and abs(theirs - ours) <= 1e-9:
        return []
    return [] if theirs == ours else [f"{path}: {theirs!r} in promptfoo, {ours!r} here"]


def table(results):
    """The cells in order; of errors of a service only that there is one."""
    cells = sorted(results["results"]["results"], key=lambda cell: (cell["testIdx"], cell["promptIdx"]))
    for cell in cells:
        if str(cell.get("response", {}).get("output", "")).startswith("Mock answer"):
            cell["response"]["output"] = MOCK
        if cell["failureReason"] == 2:
            cell["error"] = cell["response"] = cell["prompt"] = "an error"
    return {"results": cells, "prompts": results["results"]["prompts"], "stats": results["results"]["stats"]}


def sent(bodies):
    return sorted(json.dumps(body, sort_keys=True) for body in bodies)


def replay(run, scratch):
    folder = Path(scratch, run.name)
    folder.mkdir()
    with MockServer(answer=answer, refuse=fault, reply=reply) as server:
        for file in run.iterdir():
            if file.is_file():
                (folder / file.name).write_text(file.read_text().replace(ADDRESS, f"127.0.0.1:{server.port}"))
        base = f"http://127.0.0.1:{server.port}"
        done = e2e.assay("run", "promptfooconfig.yaml", "--compat", "promptfoo", "--base-url", f"openai={base}/v1",
                         "--base-url", f"anthropic={base}", "--allow-host", "127.0.0.1", cwd=folder,
                         env={"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x"})
        bodies = [request["body"] for request in server.requests]
    e2e.check(done.returncode == int((folder / "exit").read_text()), f"{run.name}: the exit code", done)
    theirs = table(json.loads((folder / "results.json").read_text()))
    ours = table(json.loads(next(folder.glob("results/*/promptfoo.json")).read_text()))
    found = differences(run.name, theirs, ours)
    e2e.check(not found, "\n".join(found[:20]), done)
    recorded = folder / "requests.jsonl"
    if recorded.exists():
        wanted = [json.loads(line)["body"] for line in recorded.read_text().splitlines()]
        # Equal requests are sent once.
        wanted = list({json.dumps(body, sort_keys=True): body for body in wanted}.values())
        bodies = list({json.dumps(body, sort_keys=True): body for body in bodies}.values())
        lost = [body for body in sent(wanted) if body not in sent(bodies)]
        more = [body for body in sent(bodies) if body not in sent(wanted)]
        e2e.check(not lost and not more, f"{run.name}: not sent: {lost[:2]}\nsent besides: {more[:2]}", done)


if not RUNS.exists():
    e2e.skip(f"{RUNS.name} of promptfoo are not beside the checkout")
with e2e.scratch() as scratch:
    for run in sorted(path for path in RUNS.iterdir() if path.is_dir()):
        if "anthropic" not in run.name:    # its prompt is YAML, which promptfoo does not read for this provider
            replay(run, scratch)
            print(f"{run.name}: the same")
