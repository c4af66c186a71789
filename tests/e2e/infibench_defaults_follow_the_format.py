#!/usr/bin/env python3
"""InfiBench's defaults are its description's: totals, weights, characters around blanks; the code's by --compat."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

ABOUT = "prompt_path: p.txt\ntype: code completion\nlang: python\ngrading:\n"
CASES = {
    "bound": "  max_score: 4\n  keywords: [one, two]\n",  # solved in full: 2 of 2, or of 4
    "blank": "  blank_filling: {template: 'f([blank]);', targets: [x]}\n",
    "wrong": "  keywords: [three]\n",
}
ANSWERS = {"bound": "one two", "blank": "f(\u00b7`x`\u00b7);", "wrong": "nothing"}
SUITE = {"version": "1", "cases": ["bound.yaml", {"path": "blank.yaml", "weight": 1.0},
                                   {"path": "wrong.yaml", "weight": 3.0}]}


def grade(folder, out, *options):
    result = e2e.assay("grade", "suite.json", "answers", "--out", out, *options, cwd=folder)
    e2e.expect(result, 0)
    text = Path(folder, out, "suite_answers.txt").read_text()
    now, full = re.search(r"^Total score: (\S+) ± \S+ / (\S+)$", text, re.M).groups()
    table = Path(folder, out, "suite_answers_table.txt").read_text()
    overall = re.search(r"Overall Score *\| (\S+)", table)[1]
    return float(now), float(full), float(overall), result


with e2e.scratch() as folder:
    paths = "".join(f"  {name}.yaml: [{name}.txt]\n" for name in CASES)
    Path(folder, "answers").mkdir()
    Path(folder, "answers/params.yaml").write_text("answer_paths:\n" + paths)
    Path(folder, "p.txt").write_text("Say it.\n")
    for name, grading in CASES.items():
        Path(folder, f"{name}.yaml").write_text(f"id: {name}\n{ABOUT}{grading}")
        Path(folder, f"answers/{name}.txt").write_text(ANSWERS[name])
    # The suite itself as JSON: it is known by its structure.
    Path(folder, "suite.json").write_text(json.dumps(SUITE))

    for out, options, want in [("ours", [], (2, 5, 2)), ("alike", ["--no-weights"], (2, 3, 2)),
                               ("code", ["--compat", "infibench"], (0.5, 3, 0.5)),
                               ("both", ["--compat", "infibench", "--weighted"], (0.5, 5, 0.5))]:
        *got, result = grade(folder, out, *options)
        e2e.check(tuple(got) == want, f"{options}: wanted total, full score and table {want}, got {got}", result)
