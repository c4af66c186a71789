#!/usr/bin/env python3
"""--update-summaries adds each model to the suite's leaderboard once, ranks it, and keeps what people wrote there."""
import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402


def write_suite(folder):
    Path(folder, "case.yaml").write_text("id: c\nprompt_path: case.txt\ntype: code completion\nlang: bash\ngrading:\n"
                                         "  keywords: [one, two]\n")
    Path(folder, "case.txt").write_text("Say it.\n")
    Path(folder, "suite.yaml").write_text("cases: [case.yaml]\n")
    for model, answer in {"half": "one", "whole": "one two"}.items():
        Path(folder, model).mkdir()
        Path(folder, model, "case_0.txt").write_text(answer)
        Path(folder, model, "params.yaml").write_text(
            f"answer_paths: {{case.yaml: [case_0.txt]}}\nmodel_name: {model}\neval_type: Open\n")


def board(folder):
    with open(Path(folder, "results/suite_leaderboard.csv"), encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


with e2e.scratch() as folder:
    write_suite(folder)
    e2e.expect(e2e.assay("grade", "suite.yaml", "half", "whole", "--update-summaries", cwd=folder), 0)
    rows = board(folder)
    shown = ("raw_name", "Overall Score_score", "Lang: bash_num_pblms", "yamlfile")
    e2e.check([tuple(row[column] for column in shown) for row in rows]
              == [("half", "50.00%", "1", "suite_half.yaml"), ("whole", "100.00%", "1", "suite_whole.yaml")], f"{rows}")
    records = Path(folder, "results/suite_leaderboard.yaml")
    text = records.read_text()
    e2e.check(text.index("rank: 1") < text.index("title: /whole") < text.index("rank: 2") < text.index("title: /half"),
              f"the better one stands first:\n{text}")

    path = Path(folder, "results/suite_leaderboard.csv")
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    at = lines[0].split(",").index("model_family")
    cells = lines[1].split(",")
    cells[at] = "Halves"
    path.write_text("\ufeff" + "\n".join([lines[0], ",".join(cells), *lines[2:]]))
    Path(folder, "half/case_0.txt").write_text("nothing")
    e2e.expect(e2e.assay("grade", "suite.yaml", "half", "--update-summaries", cwd=folder), 0)
    rows = board(folder)
    e2e.check([(row["raw_name"], row["Overall Score_score"], row["model_family"]) for row in rows]
              == [("half", "0.00%", "Halves"), ("whole", "100.00%", "")], f"a later run takes its place: {rows}")
    e2e.check("title: Halves/half" in records.read_text(), "and what was written by hand is in the records")

    path.write_text("name,score\n")
    e2e.expect(e2e.assay("grade", "suite.yaml", "half", "--update-summaries", cwd=folder), 2, "a column raw_name")
