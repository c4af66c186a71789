#!/usr/bin/env python3
"""The table said nothing of a lost vote, a cut answer, a stand-in or a point that is an error; show knew neither that a
run is unfinished, nor its --pass-at, nor its exit code."""
import json
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import HANG, MockServer, status  # noqa: E402

SUITE = """title: Marks
id: marks
models: [{model: "openai:one", fallback: "openai:two"}]
evaluationConfig:
  llm-coverage: {judges: [{model: openai:judge}, {model: openai:lost}]}
prompts:
  - {id: plain, prompt: say plain, should: [$contains: plain]}
  - {id: vote, prompt: say vote, should: [Says a vote]}
  - {id: cut, prompt: say cut, should: [$contains: cut]}
  - {id: other, prompt: say other, should: [$contains: other]}
  - {id: broken, prompt: say broken, should: [$contains: broken, $js: "r.nothing.at"]}
"""
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
KEY = {"OPENAI_API_KEY": "sk-test-0818"}


def refuse(body):
    said = body["messages"][-1]["content"]
    return status(503) if body["model"] == "one" and said == "say other" or body["model"] == "lost" else None


def reply(path, body):
    if body["messages"][-1]["content"] != "say cut":
        return None
    return {"choices": [{"message": {"role": "assistant", "content": "cut he"}, "finish_reason": "length"}]}


def answer(text):
    return text.removeprefix("say ") if text.startswith("say ") else VERDICT


def row(result, case):
    return next(line for line in result.stdout.splitlines() if line.startswith(case + " "))


with e2e.scratch() as folder, MockServer(answer=answer, refuse=refuse, reply=reply) as mock:
    Path(folder, "suite.yml").write_text(SUITE)
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--max-retries=0", "-j", "1"]
    for result in (e2e.assay(*words, cwd=folder, env=KEY), e2e.assay(*words, cwd=folder, env=KEY),
                   e2e.assay("show", "latest", cwd=folder)):
        e2e.expect(result, 0)
        marks = {case: row(result, case).split()[-1].lstrip("0123456789.")
                 for case in ("plain", "vote", "cut", "other", "broken")}
        e2e.check(marks == {"plain": "", "vote": "~", "cut": "…", "other": "°", "broken": "!"}, f"{marks}", result)
        for meaning in ("! some of its criteria are errors", "~ a judge gave no verdict", "… the answer was cut",
                        "° another model stood in"):
            e2e.check(meaning in result.stdout, f"expected the legend {meaning!r}", result)
    failed = e2e.assay("show", "latest", "--failed", cwd=folder)
    e2e.check("script failed" in row(failed, "broken"), "errors of points are listed", failed)
    cut = e2e.assay("show", "latest", "--case", "cut", cwd=folder)
    e2e.check("limit of tokens" in cut.stdout, "a cut answer says so", cut)
    attempts = json.loads(e2e.assay("show", "latest", "--case", "cut", "--json", cwd=folder).stdout)["attempts"]
    e2e.check([attempt["cut"] for attempt in attempts] == [True], f"{attempts}")

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2).replace("- $contains: word 1", "- $contains: nothing"))
    run = e2e.assay("run", "suite.yml", "--pass-at", "0.3", "--fail-under", "0.9", cwd=folder)
    e2e.expect(run, 3)
    shown = e2e.assay("show", "latest", cwd=folder)
    e2e.check("✓ 33" in shown.stdout, "show passes what the run passed", shown)
    e2e.check("nothing failed" in e2e.assay("show", "latest", "--failed", cwd=folder).stdout, "at 0.3 all passed")
    e2e.check("✗ 33" in e2e.assay("show", "latest", "--pass-at", "0.6", cwd=folder).stdout, "shown as told")
    Path(folder, "broken.yml").write_text(e2e.suite(1).replace("- $contains: word 0", "- $js: null.x")
                                          .replace("      - $word_count_between: [1, 2]\n", ""))
    e2e.expect(e2e.assay("run", "broken.yml", cwd=folder), 2)
    shown = json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)
    e2e.check(shown["exit"] == 2, f"show's exit code is the run's: {shown}")
    for words in (["--case"], ["--case", ""]):
        told = e2e.assay("show", "latest", *words, cwd=folder)
        e2e.expect(told, 1, "--case", "needs a value: --case ID" if len(words) < 2 else "expected a case's id")

with e2e.scratch() as folder, MockServer(fault=lambda text, _: HANG if "1" in text else None) as mock:
    Path(folder, "suite.yml").write_text(e2e.suite(2, model="openai:m"))
    Path(folder, "later.yml").write_text(e2e.suite(1).replace("id: echoes", "id: later"))
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--max-retries=0"]
    process = e2e.start(*words, cwd=folder, env=KEY)
    while len(mock.texts()) < 2:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    process.communicate()
    shown = e2e.assay("show", "latest", cwd=folder)
    e2e.check("unfinished (interrupted): " in shown.stdout and "assay run suite.yml" in shown.stdout,
              "it is unfinished", shown)
    failed = e2e.assay("show", "latest", "--failed", cwd=folder)
    e2e.check("so far" in failed.stdout and "unfinished" in failed.stdout, "nothing failed so far", failed)
    unfinished = json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)
    e2e.check(unfinished["exit"] == 2 and unfinished["finished_ms"] == 0, f"{unfinished}")
    # The run that was last worked on is the latest, whichever began last.
    e2e.expect(e2e.assay("run", "later.yml", cwd=folder), 0)
    mock.fault = lambda text, _: None
    e2e.expect(e2e.assay(*words, cwd=folder, env=KEY), 0)
    latest = json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)
    e2e.check(latest["run"] == unfinished["run"], f"{latest['run']} and {unfinished['run']}")
