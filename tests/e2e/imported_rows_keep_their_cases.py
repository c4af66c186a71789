#!/usr/bin/env python3
"""Rows of other tools become as many cases as were asked, whatever they are called; a file says which of its filters
and metrics is read, and which scores lie outside 0 to 1."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402


def shown(folder, *words):
    result = e2e.assay("show", *words, "--json", cwd=folder)
    e2e.check(result.returncode == 0, f"{words} is shown", result)
    return json.loads(result.stdout), result.stderr


def promptfoo(scores, description):
    results = [{"provider": {"id": "openai:a", "label": ""}, "prompt": {"raw": f"Q {i}", "label": "p"},
                "vars": {"a": i}, "response": {"output": "x"}, "score": score, "success": score > 0.5,
                "failureReason": 0, "testIdx": i, "promptIdx": 0,
                "testCase": {"description": description, "vars": {"a": i}, "assert": []}}
               for i, score in enumerate(scores)]
    return json.dumps({"evalId": "e", "results": {"version": 3, "prompts": [{"raw": "Q {{a}}", "label": "p"}],
                                                  "results": results}, "config": {}})


def tests_of_one_description(folder):
    (folder / "p.json").write_text(promptfoo([1, 0, 1], "sums"))
    value, _ = shown(folder, "p.json")
    e2e.check(value["statistics"]["ranking"][0]["cases"] == 3, f"three cases: {value}")
    one, _ = shown(folder, "p.json", "--case", 'sums {"a":1}')
    e2e.check([each["score"] for each in one["attempts"]] == [0], f"one attempt: {one['attempts']}")


def scores_outside(folder):
    (folder / "wide.json").write_text(promptfoo([3, -0.5, 1], "t"))
    warning = "warning: wide.json: 2 of 3 scores lie outside 0 to 1 (from -0.5 to 3)"
    for words in (["show", "wide.json"], ["compare", "wide.json#openai:a", "p.json#openai:a"],
                  ["export", "wide.json", "--to", "csv"]):
        result = e2e.assay(*words, cwd=folder)
        e2e.check(result.stderr.count(warning) == 1, f"{words} warns", result)
    value, _ = shown(folder, "wide.json")
    e2e.check(value["remarks"][0].startswith("2 of 3 scores lie outside"), f"JSON: {value['remarks']}")


def samples(filters):
    lines = []
    for name, scores in filters.items():
        for i, score in enumerate(scores):
            lines.append({"doc_id": i, "doc": {"question": f"q{i}"}, "target": "4", "resps": [["4"]], "filter": name,
                          "arguments": {"gen_args_0": {"arg_0": f"Question: q{i}"}}, "filtered_resps": [f"{name} {i}"],
                          "metrics": ["exact_match"], "exact_match": score})
    return "".join(json.dumps(line) + "\n" for line in lines)


def filters_are_named_and_chosen(folder):
    (folder / "s.jsonl").write_text(samples({"strict-match": [1, 0, 1], "flexible-extract": [1, 1, 1]}))
    first = e2e.assay("show", "s.jsonl", cwd=folder)
    e2e.check("s.jsonl: exact_match, filter strict-match" in first.stdout, "the title names it", first)
    e2e.check("also in the file: filter flexible-extract (choose with s.jsonl#flexible-extract)" in first.stderr,
              "the other is listed", first)
    value, _ = shown(folder, "s.jsonl#flexible-extract")
    e2e.check(value["variants"][0]["mean"] == 1, f"the other is chosen: {value['variants']}")
    e2e.expect(e2e.assay("show", "s.jsonl#none", cwd=folder), 1,
               '"s.jsonl" has no part "none"; it has strict-match, flexible-extract, exact_match')
    e2e.expect(e2e.assay("show", "p.json#none", cwd=folder), 1, '"p.json" has no parts to choose from')
    pair = e2e.assay("compare", "s.jsonl#strict-match", "s.jsonl#flexible-extract", cwd=folder)
    e2e.check(pair.returncode == 0 and "s.jsonl#flexible-extract" in pair.stdout and "on 3 cases" in pair.stdout
              and "66.7 against 100.0" in pair.stdout, "two filters of one file", pair)
    out = e2e.assay("export", "s.jsonl#flexible-extract", "--to", "jsonl", cwd=folder)
    e2e.check(out.returncode == 0 and "flexible-extract 1" in out.stdout and "strict-match 1" not in out.stdout,
              "exported", out)
    e2e.check("s.jsonl: scores are exact_match, filter flexible-extract" in out.stderr, "and named", out)


def answers_of_a_filter_are_graded(folder):
    cases = "".join(f"- {{id: '{i}', prompt: 'Question: q{i}', should: [$contains: flexible]}}\n" for i in range(3))
    (folder / "suite.yml").write_text("title: T\nid: t\nmodels: [echo:a]\n---\n" + cases)
    graded = e2e.assay("grade", "suite.yml", "s.jsonl#flexible-extract", "--json", cwd=folder)
    value = e2e.one_run(graded)
    e2e.check(value["variants"][0]["mean"] == 1, "the chosen answers are graded", graded)
    e2e.check("scores are exact_match, filter flexible-extract" in graded.stderr, "and named", graded)


def files_of_one_name_are_two_cases(folder):
    (folder / "answers").mkdir()
    for name in ("undo.txt", "undo.md", "redo.txt"):
        (folder / "answers" / name).write_text(name)
    csv = e2e.assay("export", "answers/", "--to", "csv", cwd=folder).stdout.splitlines()[1:]
    e2e.check(sorted(line.split(",")[1] for line in csv) == ["redo", "undo.md", "undo.txt"], f"three cases: {csv}")


with e2e.scratch() as place:
    tests_of_one_description(Path(place))
    scores_outside(Path(place))
    filters_are_named_and_chosen(Path(place))
    answers_of_a_filter_are_graded(Path(place))
    files_of_one_name_are_two_cases(Path(place))
