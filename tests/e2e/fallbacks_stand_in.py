#!/usr/bin/env python3
"""A model that is down is stood in for; whoever answered is named; it is asked again by the next run. A
recording lets the same model stand in, and the plan says what that may cost."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

SUITE = """title: Down
models: [{model: "openai:one", fallback: "openai:two"}]
prompts:
"""
PROMPTS = "".join(f"  - {{id: p{i}, prompt: say word {i}, should: [$contains: word {i}]}}\n" for i in range(12))
down = {"one"}

with e2e.scratch() as folder, MockServer(refuse=lambda body: status(503) if body["model"] in down else None) as mock:
    Path(folder, "suite.yml").write_text(SUITE + PROMPTS)
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--max-retries=0", "-j", "1"]
    env = {"OPENAI_API_KEY": "sk-test-openai-4711"}
    first = e2e.assay(*words, "--record", "r.jsonl", cwd=folder, env=env)
    e2e.expect(first, 0)
    e2e.check("openai:two stood in" in first.stdout + first.stderr, "expected a word on who stood in", first)
    asked = [request["body"]["model"] for request in mock.requests]
    e2e.check(asked.count("two") == 12 and 0 < asked.count("one") <= 12, f"{asked}")
    shown = e2e.assay("show", "latest", "--case", "p3", cwd=folder)
    e2e.expect(shown, 0)
    e2e.check("answered by openai:two, which stood in\nword 3\n" in shown.stdout, "who answered is not named", shown)
    compared = json.loads(next(Path(folder).rglob("*_comparison.json")).read_text())
    last = next(iter(compared["fullConversationHistories"]["p3"].values()))[-1]
    e2e.check(last == {"role": "assistant", "content": "word 3", "answeredBy": "openai:two"}, f"{last}")
    page = next(Path(folder).rglob("report.html")).read_text()
    e2e.check("answered_by: openai:two" in e2e.page_text(page), "the page does not name who answered")

    # A recording of it has who was down and who stood in.
    lines = [json.loads(line) for line in Path(folder, "r.jsonl").read_text().splitlines()]
    e2e.check([line["v"] for line in lines] == [2, 1] * 12, f"errors and answers: {lines[:2]}")
    replay = ["run", "suite.yml", "--replay", "r.jsonl", "--store", "other.db", "--offline", "--out", "other"]
    replayed = e2e.assay(*replay, "--json", cwd=folder)
    e2e.expect(replayed, 0)
    e2e.check(e2e.one_run(replayed)["mean"] == 1, "expected the same answers", replayed)
    shown = e2e.assay("show", "latest", "--case", "p3", "--store", "other.db", cwd=folder)
    e2e.check("answered by openai:two, which stood in\nword 3\n" in shown.stdout, "who it was is forgotten", shown)

    # What it may cost at worst: each answer by the one that stands in, too.
    planned = e2e.assay("plan", "suite.yml", "--fresh", "--json", cwd=folder, env=env)
    lines = {line["model"]: (line["calls"], line["calls_max"]) for line in json.loads(planned.stdout)[0]["calls"]}
    e2e.check(lines == {"openai:one": (12, 12), "openai:two": (0, 12)}, f"{lines}", planned)

    down.clear()
    again = e2e.assay(*words, cwd=folder, env=env)
    e2e.expect(again, 0)
    asked = [request["body"]["model"] for request in mock.requests][len(asked):]
    e2e.check(asked == ["one"] * 12, f"expected the model itself to be asked: {asked}", again)
    shown = e2e.assay("show", "latest", "--case", "p3", cwd=folder)
    e2e.check("stood in" not in shown.stdout, "nobody stood in", shown)
