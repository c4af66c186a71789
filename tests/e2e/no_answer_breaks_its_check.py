#!/usr/bin/env python3
"""Answers that made a function or a pattern of the suite fail were errors, and so left the mean. They have no point
now; a function that fails for every answer is still an error, and with --compat infibench all are."""
import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

MODULE = r'''
import re
def group(answer):
    return (1, 2, re.search("half(.)", answer).group(1))
def endless(answer):
    return (1 if re.search("(a+)+$", answer) else 0, 4, "")
def nothing(answer):
    if "half" in answer:
        return (1, 1, "")
def zero(answer):
    return (0, 0, "") if answer else (0, 3, "")
def divides(score, total, statuses):
    return (total / score, total, "")
def broken(answer):
    return (answr, 1, "")
def wants_more(answer, more):
    return (1, 1, "")
'''
LOST = "a" * 40 + "b"


def function(name):
    return f"  customized: {{module: m, func: {name}}}\n"


def rule(content):
    return f"  keywords: [{{content: {json.dumps(content)}}}]\n"


# name: (grading, answer)
LEFT = {
    "raises": (function("group"), "no"),
    "endless": (function("endless"), LOST),
    "no_tuple": (function("nothing"), "no"),
    "no_total": (function("zero"), "no"),
    "handler": ("  keywords: [half, {post_handler: {module: m, func: divides}}]\n", "no"),
    "pattern": (rule({"content": "(a+)+$", "regex": True}), LOST),
    "condition": (rule({"content": "n", "cond": "int(response) > 3"}), "no"),
    "index": (rule({"content": "n", "cond": "response[9] == 'x'"}), "no"),
}
BROKEN = {
    "name": (function("broken"), "no"),
    "arguments": (function("wants_more"), "no"),
    "context": (rule({"content": "n", "cond": "context[-1] == 'match'"}), "no"),
}
CASES = {**LEFT, **BROKEN}
BLUEPRINT = r"""title: Patterns
id: patterns
models: ["echo:a"]
prompts:
  - {id: matches, prompt: "ANSWER", should: [$matches: "^(a+)+$"]}
  - {id: not_matches, prompt: "ANSWER", should: [$not_matches: "^(a+)+$"]}
  - {id: should_not, prompt: "ANSWER", should_not: [$matches: "^(a+)+$"]}
""".replace("ANSWER", LOST)


def write_suite(folder):
    Path(folder, "answers").mkdir()
    Path(folder, "m.py").write_text(MODULE)
    paths = ""
    for name, (grading, answer) in CASES.items():
        Path(folder, f"{name}.yaml").write_text(
            f"id: {name}\nprompt_path: {name}.txt\ntype: code completion\nlang: python\ngrading:\n{grading}")
        Path(folder, f"{name}.txt").write_text("Write half.\n")
        Path(folder, f"answers/{name}.txt").write_text(answer)
        paths += f"  {name}.yaml: [{name}.txt]\n"
    Path(folder, "answers/params.yaml").write_text("answer_paths:\n" + paths)
    Path(folder, "suite.yaml").write_text("cases:\n" + "".join(f"- {name}.yaml\n" for name in CASES))


def graded(folder, name, *words):
    """By case: None for an error, else its score and full score; and the run."""
    result = e2e.assay("grade", "suite.yaml", "answers", "--store", f"{name}.db", "--out", name, *words, cwd=folder,
                       env={"PATH": "/usr/bin:/bin:" + os.environ.get("PATH", "")})
    text = next(Path(folder, name).glob("**/suite_answers.yaml")).read_text()
    cases = re.split(r"(?m)^(\w+)\.yaml:$", text)[1:]
    number = lambda body, key: float(re.search(rf"{key}: (\S+)", body)[1])
    return {case: None if "error encountered" in body else (number(body, "now_score"), number(body, "full_score"))
            for case, body in zip(cases[::2], cases[1::2])}, result


with e2e.scratch() as folder:
    if not shutil.which("python3"):
        e2e.skip("no python3 here")
    write_suite(folder)
    scores, result = graded(folder, "plain")
    if "programs ran in the sandbox" not in result.stderr:
        e2e.skip("no level of the sandbox works here")
    wrong = {name: scores[name] for name in LEFT if scores[name] != (0, 1)}
    e2e.check(not wrong, f"expected 0 of 1: {wrong}", result)
    wrong = {name: scores[name] for name in BROKEN if scores[name] is not None}
    e2e.check(not wrong, f"expected errors: {wrong}", result)
    for name in LEFT:
        shown = e2e.assay("show", "latest", "--store", "plain.db", "--case", f"{name}.yaml", "--json", cwd=folder)
        e2e.check("no credit: " in shown.stdout, f"{name} does not say why it has no credit", shown)
    scores, result = graded(folder, "compat", "--compat", "infibench")
    wrong = {name: scores[name] for name in CASES if scores[name] is not None}
    e2e.check(not wrong, f"expected errors as the original has them: {wrong}", result)

    Path(folder, "patterns.yml").write_text(BLUEPRINT)
    result = e2e.assay("run", "patterns.yml", "--json", "--store", "patterns.db", cwd=folder)
    for prompt in ("matches", "not_matches", "should_not"):
        shown = e2e.assay("show", "latest", "--store", "patterns.db", "--case", prompt, "--json", cwd=folder)
        points = json.loads(shown.stdout)["attempts"][0]["points"]
        e2e.check(points[0].get("score") == 0 and "no credit: " in shown.stdout, f"{prompt}: {points}", result)
