#!/usr/bin/env python3
"""An answer of which a point has no verdict is graded in part: outside every mean, exit 2, asked again by the same
command; --accept-partial and --compat weval count it; --max-errors allows it. An unknown function stays an error."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

SUITE = """title: Parts
id: parts
models: [echo:a]
evaluationConfig:
  llm-coverage: {judges: [{model: openai:one}, {model: openai:other}]}
prompts:
  - {id: whole, prompt: say word, should: [Says a word, $contains: word]}
  - {id: half, prompt: say thing, should: [Says a thing, $contains: nothing, $js: null.x]}
"""
IDEAL = """title: Ideals
id: ideals
models: [echo:a]
evaluationConfig:
  llm-coverage: {judges: [{model: openai:one}], judgeModels: [openai:extractor]}
prompts:
  - {id: ideal, prompt: say word, ideal: A word is said.}
"""
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
KEY = {"OPENAI_API_KEY": "sk-test-0818"}


def run(folder, mock, *words):
    return e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--max-retries", "0", *words, cwd=folder,
                     env=KEY)


def variant(result):
    return e2e.one_run(result)["variants"][0]


def with_suite(folder):
    Path(folder, "suite.yml").write_text(SUITE)
    return folder


def told_nothing(text):
    """A reply that cannot be read, of the point of the second prompt alone."""
    return "Hm." if "Says a thing" in text or "could not be read" in text else VERDICT


with e2e.scratch() as folder, MockServer(answer=told_nothing) as mock, MockServer(answer=lambda _: VERDICT) as clear:
    with_suite(folder)
    result = run(folder, mock, "--json")
    e2e.expect(result, 2, "1 of 2 cells is graded in part", "the same command asks", "--accept-partial")
    got = variant(result)
    e2e.check((got["scored"], got["partial"], got["errors"], got["mean"]) == (1, 1, 0, 1), "outside the mean", result)
    core = next(path for path in e2e.one_run(result)["files"] if path.endswith("core.json"))
    entry = e2e.json.loads(Path(folder, core).read_text())["evaluationResults"]["llmCoverageScores"]["half"]["echo:a"]
    e2e.check(entry["avgCoverageExtent"] == 0, f"the format's own file counts what there is: {entry}")
    page = Path(folder, next(path for path in e2e.one_run(result)["files"] if path.endswith("report.html"))).read_text()
    text = e2e.page_text(page)
    e2e.check("missing: 1" in text and "graded in part: a criterion has no verdict" in text, "the page marks it")

    shown = e2e.assay("show", "latest", cwd=folder)
    e2e.check("◐ 1 missing" in shown.stdout and "partial" in shown.stdout, "the terminal marks it", shown)
    case = e2e.assay("show", "latest", "--case", "half", cwd=folder)
    e2e.check("missing" in case.stdout and "all failed" in case.stdout, "and says what is missing and why", case)
    e2e.check("of null" in case.stdout, "a script that fails is an error of its point", case)

    # The last question of each judge whose replies could not be read is asked again, and nothing else is.
    count = len(mock.texts())
    result = run(folder, mock, "--json")
    e2e.expect(result, 2)
    asked = mock.texts()[count:]
    e2e.check(len(asked) == 2, f"the last question of two judges: {len(asked)}", result)

    for words, code in ((["--max-errors", "1"], 0), (["--max-errors", "0"], 3), (["--fail-under", "0.9"], 2),
                        (["--accept-partial"], 0), (["--accept-partial", "--fail-under", "0.9"], 3),
                        (["--compat", "weval", "--skip-executive-summary", "--fresh"], 0)):
        e2e.expect(run(folder, mock, *words), code)
    result = run(folder, mock, "--accept-partial", "--json")
    e2e.check((variant(result)["partial"], variant(result)["mean"]) == (0, 0.5), "counted by what there is", result)

    # Another judge behind the same address can be read: what is missing is asked, once for each judge.
    mock.answer = lambda _: VERDICT
    count = len(mock.texts())
    result = run(folder, mock, "--json")
    e2e.expect(result, 0)
    e2e.check(len(mock.texts()) - count == 2 and variant(result)["mean"] == 0.75, "mended", result)
    e2e.expect(run(folder, mock, "--json"), 0)
    e2e.check(len(mock.texts()) - count == 2, "and then nothing more is asked")

# One lost answer of many is no success; nor is a judge that nobody can reach, of which every cell is partial.
with e2e.scratch() as folder, MockServer(fault=lambda *_: status(500)) as mock:
    with_suite(folder)
    result = run(folder, mock, "--json", "--fail-under", "0.1")
    e2e.expect(result, 3, "missed --fail-under 0.1: echo:a has no score")
    e2e.check(variant(result)["partial"] == 2, "both cells lack a verdict", result)
    mock.fault = lambda *_: None
    mock.answer = lambda _: VERDICT
    e2e.expect(run(folder, mock, "--json"), 0)
with e2e.scratch() as folder, MockServer(fault=lambda text, _: status(400) if text == "say word 7" else None) as mock:
    Path(folder, "suite.yml").write_text(e2e.suite(20, model="openai:gpt-4o"))
    result = run(folder, mock)
    e2e.expect(result, 2, "1 of 20 cells is an error")
    e2e.expect(run(folder, mock, "--max-errors", "1"), 0)

# What the budget left out is partial where the answer was paid for, skipped where not; counts of requests agree.
with e2e.scratch() as folder, MockServer(answer=lambda _: VERDICT) as mock:
    with_suite(folder)
    result = run(folder, mock, "--json", "--budget-tokens", "1537", "-j", "1")
    e2e.expect(result, 5, "3 requests were not sent", "1 of 2 cells is graded in part")
    got = variant(result)
    e2e.check((got["partial"], got["skipped"], got["errors"]) == (1, 1, 0), "no errors", result)
    counted = e2e.one_run(result)
    e2e.check(counted["requests"] == counted["requests_sent"] == 1, "one request was sent and used", result)
    e2e.expect(run(folder, mock), 0)

# Key points that nobody could extract, then one that nobody could judge: each time only that is asked for anew.
with e2e.scratch() as folder, MockServer(answer=lambda _: "Hm.") as mock:
    Path(folder, "suite.yml").write_text(IDEAL)
    result = run(folder, mock, "--json")
    e2e.expect(result, 2)
    e2e.check(variant(result)["partial"] == 1 and len(mock.texts()) == 1, "nothing could be graded", result)

    def of_two_points(text):
        if "<key_point>" in text:
            return "<key_point>First</key_point><key_point>Second</key_point>"
        return "Hm." if "Second" in text or "could not be read" in text else VERDICT

    mock.answer = of_two_points
    result = run(folder, mock, "--json")
    e2e.expect(result, 2)
    e2e.check(len(mock.texts()) == 1 + 1 + 3, f"points, a verdict, and twice none: {len(mock.texts())}", result)
    mock.answer = lambda _: VERDICT
    result = run(folder, mock, "--json")
    e2e.expect(result, 0)
    e2e.check(len(mock.texts()) == 6 and variant(result)["mean"] == 1, f"one verdict: {len(mock.texts())}", result)
