#!/usr/bin/env python3
"""What a model thought is folded in report.html and in show --case, and no grader sees it; an answer that was held back
has its own class of error and a remedy, in show, in --json and in the result file, and is not asked for again."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """title: Thoughts
models: ["openai-compatible:thinker"]
prompts:
  - {id: told, prompt: say four, should: [$contains: four], should_not: [$contains: secret]}
  - id: twice
    messages:
      - user: say one
      - assistant: null
      - user: say two
    should: [$contains: two]
  - {id: held, prompt: say nothing, should: [$contains: nothing]}
  - {id: private, prompt: say a name, should: [$contains: name]}
"""
ENDS = {"say nothing": "content_filter", "say a name": "SPII"}


def reply(path, body):
    text = body["messages"][-1]["content"]
    message = {"role": "assistant", "content": text.removeprefix("say "),
               "reasoning_content": f"A secret thought on <b>{text}</b>.\nIn two lines."}
    return {"choices": [{"index": 0, "message": message, "finish_reason": ENDS.get(text, "stop")}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 9}}


with e2e.scratch() as folder, MockServer(reply=reply) as mock:
    Path(folder, "suite.yml").write_text(SUITE)
    words = ["run", "suite.yml", f"--base-url=openai-compatible={mock.url}/v1", "--json", "--eval-method=llm-coverage"]
    result = e2e.assay(*words, cwd=folder)
    run = e2e.one_run(result)
    e2e.check(run["unanswered"] == {"content-filter": 1, "personal-data": 1}, f"{run['unanswered']}", result)
    e2e.check(len(mock.requests) == 5, f"held back once is held back again: {len(mock.requests)} requests", result)

    page = next(Path(folder).rglob("report.html")).read_text()
    e2e.check(e2e.page_text(page).count("\nthoughts: A secret thought on ") == 3, "each turn has its own")
    e2e.check("thoughts: A secret thought on <b>say four</b>." in e2e.page_text(page), "no thoughts as they are")

    def show(*more):
        shown = e2e.assay("show", "latest", *more, cwd=folder)
        e2e.expect(shown, 0)
        return shown.stdout

    e2e.check("▸ thoughts (" in show("--case", "told") and "In two lines.\n" not in show("--case", "told"), "folded")
    e2e.check("thoughts:\nA secret thought on <b>say four</b>.\nIn two lines.\n" in show("--case", "told", "-v"), "all")
    cell = json.loads(show("--case", "twice", "--json"))["attempts"][0]
    e2e.check(cell["reasoning"].count("A secret thought") == 2 and cell["error_class"] is None, f"{cell}")
    cell = json.loads(show("--case", "held", "--json"))["attempts"][0]
    e2e.check(cell["error_class"] == "content-filter" and "relax the filter" in cell["error"], f"{cell}")
    e2e.check("no answer (personal-data): " in show("--case", "private"), "the class stands before the words")
    failed = {row["case"]: row for row in json.loads(show("--failed", "--json"))["failed"]}
    e2e.check(failed["private"]["error_class"] == "personal-data", f"{failed}")
    e2e.check("told" not in failed, "what was only thought is graded", result)
    compared = json.loads(next(Path(folder).rglob("*_comparison.json")).read_text())
    entry = next(iter(compared["evaluationResults"]["llmCoverageScores"]["held"].values()))
    e2e.check(entry.get("errorClass") == "content-filter", f"{entry}")
