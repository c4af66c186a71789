#!/usr/bin/env python3
"""assay grade SUITE FILE: answers that another tool or an earlier run wrote down are graded by any suite, asking
no model but its judges; so are folders of texts. What is not there is not asked, and is told."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

ASKED = """title: Words
id: words
models: ["echo:a", "echo:b"]
prompts:
  - {id: one, prompt: say alpha, should: [$contains: alpha]}
  - {id: two, prompt: say beta, should: [$contains: nothing]}
  - id: talk
    messages: [{user: say gamma}, {assistant: null}, {user: say delta}]
    should: [$contains: gamma]
"""
# Another rubric, other models, one case under another id, one that nobody answered.
AGAIN = """title: Words again
id: again
models: ["openai:never-asked"]
prompts:
  - {id: first, prompt: say alpha, should: [$matches: "^say alpha$"]}
  - {id: two, prompt: say beta, should: [$contains: beta]}
  - id: talk
    messages: [{user: say gamma}, {assistant: null}, {user: say delta}]
    should: [$contains: delta]
  - {id: new, prompt: say more, should: [$contains: more]}
"""
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"


def graded(folder, suite, answers, *words, env=None, code=0):
    result = e2e.assay("grade", suite, answers, "--json", *words, cwd=folder, env=env)
    e2e.expect(result, code)
    run = e2e.one_run(result)
    shown = json.loads(e2e.assay("export", run["run"], "--to", "jsonl", cwd=folder).stdout.join(["[", "]"])
                       .replace("}\n{", "},\n{"))
    return result, {(cell["case"], cell["variant"]): (cell["state"], cell["score"]) for cell in shown}


def files_of_runs(folder):
    e2e.expect(e2e.assay("run", "asked.yml", "-q", cwd=folder), 0)
    e2e.expect(e2e.assay("export", "latest", "--to", "jsonl", "-o", "answers.jsonl", cwd=folder), 0)
    e2e.expect(e2e.assay("export", "latest", "--to", "promptfoo", "-o", "answers.json", cwd=folder), 0)
    # Of conversations only our own lines keep the earlier answers.
    for name, talk, code in (("answers.jsonl", ("scored", 1), 0), ("answers.json", ("error", None), 2)):
        result, cells = graded(folder, "again.yml", name, code=code)
        for variant in ("echo:a", "echo:b"):
            e2e.check(cells["first", variant] == ("scored", 1), f"{name}: by its question: {cells}", result)
            e2e.check(cells["two", variant] == ("scored", 1), f"{name}: by another rubric: {cells}", result)
            e2e.check(cells["talk", variant] == talk, f"{name}: both turns: {cells}", result)
            e2e.check(("new", variant) not in cells, f"{name}: nobody answered it: {cells}", result)
        e2e.check("no answers to 1 of the 4 cases" in result.stderr, "it is told", result)


def folders_of_texts(folder):
    for model, text in (("wren", "say alpha"), ("owl", "say omega")):
        (folder / "texts" / model).mkdir(parents=True)
        (folder / "texts" / model / "first.txt").write_text(text)
    result, cells = graded(folder, "again.yml", "texts")
    e2e.check(cells == {("first", "wren"): ("scored", 1), ("first", "owl"): ("scored", 0)}, f"{cells}", result)
    shown = e2e.assay("show", "texts/", cwd=folder)
    e2e.check(shown.returncode == 0 and "wren" in shown.stdout and "unscored" in shown.stdout, "shown", shown)
    e2e.expect(e2e.assay("show", "texts/", "--case", "first", cwd=folder), 0)
    (folder / "empty").mkdir()
    e2e.expect(e2e.assay("grade", "again.yml", "empty", cwd=folder), 1, "expected results, found none")


def nothing_is_graded(folder):
    """No answer to any case is no success, and who was answered instead is named."""
    (folder / "strangers").mkdir()
    for case in ("frist", "b", "c", "d", "e"):
        (folder / "strangers" / f"{case}.txt").write_text("say alpha")
    result, cells = graded(folder, "again.yml", "strangers", code=2)
    e2e.check(cells == {}, f"{cells}", result)
    for fragment in ('answers to 5 cases that the suite does not list: "b", "c", "d", "e" and 1 more',
                     "error: nothing was graded of strangers: it has no answer to any of 4 cases"):
        e2e.check(fragment in result.stderr, fragment, result)
    e2e.expect(e2e.assay("grade", "again.yml", "strangers", "-q", cwd=folder), 2,
               "nothing was graded")
    (folder / "slip").mkdir()
    (folder / "slip" / "frist.txt").write_text("say alpha")
    e2e.expect(e2e.assay("grade", "again.yml", "slip", cwd=folder), 2, '"frist" (did you mean "first"?)')
    e2e.expect(e2e.assay("grade", "again.yml", "slip", "--select", "first", cwd=folder), 2,
               "nothing was graded of slip: it has no answer to the only case")
    # A file of answers to more than the part that is graded has no strangers.
    part = e2e.assay("grade", "again.yml", "answers.jsonl", "--filter", "two", cwd=folder)
    e2e.check(part.returncode == 0 and "does not list" not in part.stderr, "a part is graded", part)


def judges_are_asked(folder):
    (folder / "judged.yml").write_text(AGAIN.replace("$contains: beta", "Says beta"))
    with MockServer(answer=lambda _: VERDICT) as mock:
        where = [f"--base-url=openai={mock.url}/v1", "--judge", "openai:judge"]
        result, cells = graded(folder, "judged.yml", "answers.jsonl", *where, env={"OPENAI_API_KEY": "sk-test-9"})
        e2e.check(cells["two", "echo:a"] == ("scored", 1), f"{cells}", result)
        e2e.check({request["body"]["model"] for request in mock.requests} == {"judge"}, "only the judge is asked")


with e2e.scratch() as name:
    place = Path(name)
    (place / "asked.yml").write_text(ASKED)
    (place / "again.yml").write_text(AGAIN)
    files_of_runs(place)
    folders_of_texts(place)
    nothing_is_graded(place)
    judges_are_asked(place)
