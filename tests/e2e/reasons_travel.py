#!/usr/bin/env python3
"""Wherever a failure is told, it says which test or point failed and why: JUnit, tables, Markdown, the step summary and
`show --failed`. Only judges vote. Sets of recorded answers are variants of one run. The pass mark stands under each
table; what a run reused is said; errors of files that others wrote stay theirs."""
import csv
import io
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

WHY = "assert half(5) == 2.5: AssertionError"
CASE = """id: half
prompt_path: half.txt
type: code completion
lang: python
grading:
  unit_test:
    tests: ['assert half(4) == 2', 'assert half(5) == 2.5', {content: 'while True: pass', timeout: 0.3}]
"""
VERDICT = ("<reflection>The capital is never named.</reflection><classification>CLASS_UNMET</classification>")


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def exported(folder, form, run="latest"):
    result = e2e.assay("export", run, "--to", form, cwd=folder)
    e2e.expect(result, 0)
    return result.stdout


def programs(folder):
    (folder / "half.yaml").write_text(CASE)
    (folder / "half.txt").write_text("Write half.\n")
    (folder / "suite.yaml").write_text("cases: [half.yaml]\n")
    for model, answer in (("heron", "return n // 2"), ("finch", "return n / 2")):
        (folder / model).mkdir()
        (folder / model / "half_0.txt").write_text(f"```python\ndef half(n):\n    {answer}\n```\n")
        (folder / model / "params.yaml").write_text("answer_paths: {half.yaml: [half_0.txt]}\n")
    result = e2e.assay("grade", "suite.yaml", "heron", "finch", "--json", "--pass-at", "0.9", cwd=folder)
    if "programs ran in the sandbox" not in result.stderr:
        e2e.skip("no sandbox works here")
    run = e2e.one_run(result)
    e2e.check([variant["id"] for variant in run["variants"]] == ["heron", "finch"], "one run, two variants", result)
    e2e.check("heron" in e2e.assay("compare", "latest", cwd=folder).stdout, "which are compared")

    junit = exported(folder, "junit")
    failure = ElementTree.fromstring(junit).find(".//testcase[@classname='suite.heron']/failure")
    e2e.check(failure is not None and failure.get("message").startswith(WHY + "; while True: pass: time out"), junit)
    e2e.check("expected 90 or more" in failure.get("message") and "property name=\"pass_at\" value=\"0.9\"" in junit,
              "and the pass mark")
    check = [row for row in rows(exported(folder, "check-csv")) if row["variant"] == "heron"][0]
    e2e.check(WHY in check["reason"] and check["votes"] == "0", f"no judge, no vote: {check}")
    answer = [row for row in rows(exported(folder, "answers-csv")) if row["variant"] == "heron"][0]
    e2e.check(answer["reason"].startswith(WHY), f"{answer}")
    for form in ("markdown", "github-summary"):
        text = exported(folder, form)
        e2e.check("assert half(5) == 2.5: AssertionError" in text, text)
        e2e.check("An answer passes with 90 points or more (--pass-at 0.9)." in text, text)
    failed = e2e.assay("show", "latest", "--failed", cwd=folder).stdout
    e2e.check("assert half(5) == 2.5: AssertionError" in failed
              and "passed: 90 points or more (--pass-at 0.9)" in failed, failed)
    page = next((folder / "results").rglob("report.html")).read_text()
    e2e.check(any(path.endswith("/judges") and told["judges"] == [] for path, told in e2e.page_data(page).items())
              and "time out" in e2e.page_text(page), "tests are no judges")

    one = exported(folder, "markdown", "latest#finch")
    e2e.check("**finch scores" in one and "heron" not in one and "1 case × 1 variant" in one, one)


def judges(folder):
    (folder / "judged.yml").write_text("title: Judged\nid: judged\nmodels: ['echo:a']\nprompts:\n"
                                       "  - {id: capital, prompt: say Rome, should: [Names the capital]}\n")
    with MockServer(answer=lambda _: VERDICT) as mock:
        words = ["run", "judged.yml", f"--base-url=openai={mock.url}/v1", "--judge", "openai:judge"]
        e2e.expect(e2e.assay(*words, cwd=folder, env={"OPENAI_API_KEY": "sk-test-9"}), 0)
        again = e2e.assay(*words, "--filter", "capital", cwd=folder, env={"OPENAI_API_KEY": "sk-test-9"})
        e2e.expect(again, 0, "0 asked, 2 reused")
    failure = ElementTree.fromstring(exported(folder, "junit")).find(".//failure")
    e2e.check(failure.get("message").startswith("Names the capital: The capital is never named."),
              "a judge's own words")
    failed = json.loads(e2e.assay("show", "latest", "--failed", "--json", cwd=folder).stdout)["failed"]
    e2e.check(failed[0]["reason"] == "Names the capital: The capital is never named.", f"{failed}")


def pass_marks(folder):
    (folder / "half.yml").write_text("title: Half\nid: half\nmodels: ['echo:a']\nprompts:\n  - {id: one, prompt: say "
                                     "a b, should: [$contains: a, $contains: b, $contains: never]}\n")
    plain = e2e.assay("run", "half.yml", cwd=folder)
    e2e.check("✗ 67" in plain.stdout and "100 where all checks are yes-or-no or unit tests" in plain.stdout,
              "the mark", plain)
    (folder / "assay.toml").write_text("[report]\npass_at = 0.7\n")
    strict = e2e.assay("run", "half.yml", cwd=folder)
    e2e.check("✗ 67" in strict.stdout and "passed: 70 points or more (--pass-at 0.7)" in strict.stdout,
              "of assay.toml", strict)
    e2e.check("✓ 67" in e2e.assay("run", "half.yml", "--pass-at", "0.6", cwd=folder).stdout, "said first")
    e2e.check("✓ 67" in e2e.assay("show", "latest", cwd=folder).stdout, "and kept with the run")


def errors_of_others(folder):
    (folder / "suite.yml").write_text("title: Words\nid: words\nmodels: ['openai:a']\nprompts:\n"
                                      "  - {id: one, prompt: say alpha, should: [$contains: alpha]}\n")
    with MockServer(fault=lambda text, attempt: status(400)) as mock:
        e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", cwd=folder, env={"OPENAI_API_KEY": "sk-t"})
    said = json.loads(e2e.assay("show", "latest", "--failed", "--json", cwd=folder).stdout)["failed"][0]["reason"]
    (folder / "answers.jsonl").write_text(exported(folder, "jsonl"))
    result = e2e.assay("grade", "suite.yml", "answers.jsonl", cwd=folder)
    e2e.check(said in result.stderr, f"the file's own error: {said}", result)
    e2e.check("these again" not in result.stderr, "nobody can be asked again", result)
    shown = e2e.assay("show", "latest", "--failed", cwd=folder)
    e2e.check("failed requests again" not in shown.stdout, "nor later", shown)


def word_suite(folder, *cases):
    for case in cases:
        (folder / f"{case}.yaml").write_text(f"id: {case}\nprompt_path: word.txt\ntype: code completion\nlang: python\n"
                                             "grading:\n  keywords: [word]\n")
    (folder / "word.txt").write_text("Say a word.\n")
    (folder / "suite.yaml").write_text(f"cases: [{', '.join(f'{case}.yaml' for case in cases)}]\n")


def answers(folder, name, files):
    (folder / name).mkdir(parents=True)
    for i in range(max(files.values())):
        (folder / name / f"{i}.txt").write_text("a word")
    listed = ", ".join(f"{case}.yaml: [{', '.join(f'{i}.txt' for i in range(count))}]" for case, count in files.items())
    (folder / name / "params.yaml").write_text(f"answer_paths: {{{listed}}}\n")


def sets_join(folder):
    """Of sets of several lengths as many answers are graded of each as the shortest has; a case that one set lacks is
    the other's alone."""
    word_suite(folder, "one", "two")
    answers(folder, "heron", {"one": 3, "two": 1})
    answers(folder, "finch", {"one": 2})
    result = e2e.assay("grade", "suite.yaml", "heron", "finch", "--json", cwd=folder)
    e2e.expect(result, 0, "differ in how many answers they have to 1 of the 2 cases")
    scored = {variant["id"]: variant["scored"] for variant in e2e.one_run(result)["variants"]}
    e2e.check(scored == {"heron": 3, "finch": 2}, f"{scored}", result)
    e2e.check("Total cases with response: 1" in (folder / "results/suite_finch.txt").read_text(), "who lacks an answer")
    e2e.check("Total cases with response: 2" in (folder / "results/suite_heron.txt").read_text(), "and who does not")
    answers(folder, "other/heron", {"one": 1})
    twice = e2e.assay("grade", "suite.yaml", "heron", "other/heron", cwd=folder)
    e2e.expect(twice, 1, "another set of answers is called")


def errors_are_no_zeros(folder):
    word_suite(folder, "word")
    (folder / "heron").mkdir()
    (folder / "heron/params.yaml").write_text("answer_paths: {word.yaml: [gone.txt]}\n")
    result = e2e.assay("grade", "suite.yaml", "heron", cwd=folder)
    table = result.stdout[result.stdout.index("Overall Score"):]
    e2e.check("–" in table and "0.00 " not in table.split("\n")[0].split("|")[1], "no score is no 0.00", result)


for test in (programs, judges, pass_marks, errors_of_others, errors_are_no_zeros, sets_join):
    with e2e.scratch() as name:
        test(Path(name))
