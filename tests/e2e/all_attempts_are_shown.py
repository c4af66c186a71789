#!/usr/bin/env python3
"""Every attempt of a case is shown with its answer and score, in the terminal, as JSON and on the page, and so are all
judges' votes with their reasons; a command that show prints keeps --offline. Several sets of answers get one page."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """title: Attempts
id: attempts
models: [openai:candidate]
evaluationConfig:
  llm-coverage: {judges: [{model: openai:one}, {model: openai:other}]}
prompts:
  - {id: first, prompt: say something, should: [Says a word, $contains: "2"]}
  - {id: second, prompt: say something else, should: [$contains: answer]}
"""
KEY = {"OPENAI_API_KEY": "sk-test-0818"}
counts = {"answer": 0}


def answer(text):
    if not text.startswith("say "):
        return "<reflection>Because it does.</reflection><classification>CLASS_MAJOR</classification>"
    counts["answer"] += 1
    return f"answer number {counts['answer']}"


def page_of(folder, result):
    page = Path(folder, next(path for path in e2e.one_run(result)["files"] if path.endswith("report.html"))).read_text()
    return e2e.page_text(page)


with e2e.scratch() as folder, MockServer(answer=answer) as mock:
    Path(folder, "suite.yml").write_text(SUITE)
    result = e2e.assay("run", "suite.yml", "--json", "--attempts", "3", "-j", "1", f"--base-url=openai={mock.url}/v1",
                       cwd=folder, env=KEY)
    e2e.expect(result, 0)
    page = page_of(folder, result)
    case = e2e.assay("show", "latest", "--case", "first", cwd=folder).stdout
    table = e2e.assay("show", "latest", "-v", cwd=folder).stdout
    shown = e2e.json.loads(e2e.assay("show", "latest", "--case", "first", "--json", cwd=folder).stdout)["attempts"]
    e2e.check([attempt["attempt"] for attempt in shown] == [1, 2, 3], f"three attempts: {shown}")
    for i, attempt in enumerate(shown):
        for text, where in ((case, "--case"), (table, "-v"), (page, "report.html")):
            e2e.check(attempt["answer"] in text, f"answer {i + 1} is missing in {where}: {text}")
        e2e.check(f"attempt {i + 1} of 3" in case and f"attempt: {i + 1}\n" in page, f"attempt {i + 1} has its number")
        e2e.check(f"{100 * attempt['score']:g}" in case, f"its score is shown: {attempt['score']}")
        votes = attempt["points"][0]["votes"]
        e2e.check([vote["score"] for vote in votes] == [0.75, 0.75], f"two votes: {votes}")
        e2e.check(all(vote["reason"] == "Because it does." for vote in votes), f"with reasons: {votes}")
    e2e.check(case.count("Because it does.") == 6 and "(openai:other)" in case, f"all votes are told: {case}")

    shown = e2e.json.loads(e2e.assay("show", "latest", "--failed", "--pass-at", "0.9", "--json", cwd=folder).stdout)
    e2e.check([pair["case"] for pair in shown["failed"]] == ["first"], f"only what failed: {shown['failed']}")
    e2e.check("--filter first" in shown["failed"][0]["command"], f"{shown['failed']}")

    again = e2e.assay("run", "suite.yml", "--attempts", "2", "--offline", f"--base-url=openai={mock.url}/v1",
                      cwd=folder)
    e2e.expect(again, 0)
    failed = e2e.assay("show", "latest", "--failed", "--pass-at", "0.9", cwd=folder).stdout
    e2e.check(" --offline --fresh" in failed and "--select first" in failed, f"--offline is kept: {failed}")

with e2e.scratch() as folder:
    Path(folder, "one.yaml").write_text("id: one\nprompt_path: one.txt\ntype: code completion\nlang: python\ngrading:\n"
                                        "  keywords: [word]\n")
    Path(folder, "one.txt").write_text("Say a word.\n")
    Path(folder, "suite.yaml").write_text("cases:\n- one.yaml\n")
    for name, said in (("heron", "a word"), ("finch", "nothing")):
        Path(folder, name).mkdir()
        Path(folder, name, "one_0.txt").write_text(said)
        Path(folder, name, "params.yaml").write_text("answer_paths: {one.yaml: [one_0.txt]}\n")
    result = e2e.assay("grade", "suite.yaml", "heron", "finch", "--json", cwd=folder)
    e2e.expect(result, 0)
    pages = list(Path(folder, "results").rglob("report.html"))
    e2e.check(len(pages) == 1, f"one page for both: {pages}", result)
    page = e2e.page_text(pages[0].read_text())
    e2e.check("id: heron" in page and "id: finch" in page and "mean: 1\n" in page and "mean: 0\n" in page,
              "with both of them", result)
    for run in e2e.json.loads(result.stdout):
        e2e.check(run["files"][-1].endswith("report.html"), f"each run names it: {run['files']}")
