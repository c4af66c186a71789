#!/usr/bin/env python3
"""`cases_from` of InfiBench suites and `tests_from` of research datasets: rows of a table become cases. Columns that
`keep` names are in the exports, also when the table is gone, and `check` says how many rows became cases."""
import csv
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

ROWS = "name,question,word,kind,lang,points\n" + "".join(
    f"c{n},Say word {n},word {n},{'code completion' if n % 2 else 'code debugging'},python,{n % 3 + 1}\n"
    for n in range(1, 7))
SUITE = """cases_from:
- dataset: {path: rows.csv, where: {word: {not: word 6}}, keep: [word, points]}
  case:
    id: "{{name}}"
    prompt: "{{question}}"
    type: "{{kind}}"
    lang: "{{lang}}"
    full_score: "{{points}}"
    grading:
      keywords: ["{{word}}"]
"""
# what is changed in the suite -> what is said
FAULTS = {
    ("    prompt:", "  shots: {n: 2}\n    prompt:"): None,
    ("{{question}}", "{{qestion}}"): ["suite.yaml:5:14", 'no column "qestion"', "{{question}}"],
    ("  case:", "  shots: {n: 1}\n  case:"): ["suite.yaml:3:3", "shots", "dataset.shots"],
    ("rows.csv", "row.csv"): ["suite.yaml:2:", "row.csv", "dataset.file"],
    ("  case:", "  cases:"): ["suite.yaml:2:", "expected mappings with `dataset` and `case`"],
    ("[word, points]", "[words]"): ["no column \"words\"", 'did you mean "word"?', "dataset.column"],
}
BLUEPRINT = """models: [echo:a]
dataset: {path: rows.csv, id: "{{name}}", keep: [word, points]}
---
prompt: "{{question}}"
should: [{$contains: "{{word}}"}]
"""


def infibench():
    with e2e.scratch() as folder:
        Path(folder, "rows.csv").write_text(ROWS)
        suite = Path(folder, "suite.yaml")
        suite.write_text(SUITE)
        checked = e2e.assay("check", "--strict", "suite.yaml", "-m", "echo:a", cwd=folder)
        e2e.expect(checked, 0)
        e2e.check("5 cases of rows.csv (6 rows: 1 by where), 1 variant, 5 checks" in checked.stdout, "", checked)
        ran = e2e.assay("run", "suite.yaml", "-m", "echo:a", cwd=folder)
        e2e.check(ran.returncode == 0, "it runs", ran)
        one = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--select", "c3", cwd=folder)
        e2e.check("1 case of" in one.stdout, "--select", one)
        two = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--limit", "2", cwd=folder)
        e2e.check("2 cases of" in two.stdout, "--limit", two)
        none = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--select", "c33", cwd=folder)
        e2e.check(none.returncode == 1 and "lists no case" in none.stdout + none.stderr, "--select", none)
        shown = e2e.assay("show", "latest", "--case", "c2", cwd=folder)
        e2e.check("Say word 2" in shown.stdout, "the case has the row's id", shown)
        for (old, new), said in FAULTS.items():
            if said is None:
                continue
            suite.write_text(SUITE.replace(old, new, 1))
            bad = e2e.assay("check", "suite.yaml", "-m", "echo:a", cwd=folder)
            for fragment in said:
                e2e.check(bad.returncode == 1 and fragment in bad.stdout + bad.stderr, f"{new}: {fragment}", bad)
        suite.write_text(SUITE)
        compat = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--compat", "infibench", cwd=folder)
        e2e.check(compat.returncode == 1 and "dataset.compat" in compat.stdout + compat.stderr, "compat", compat)

        # Beside cases of files, whose names may not be taken again.
        Path(folder, "cases").mkdir()
        Path(folder, "cases/own.txt").write_text("Say own")
        Path(folder, "cases/own.yaml").write_text("id: own\nprompt_path: own.txt\ntype: code completion\nlang: python\n"
                                                  "grading: {keywords: [own]}\n")
        suite.write_text("cases: [cases/own.yaml]\n" + SUITE)
        both = e2e.assay("check", "--strict", "suite.yaml", "-m", "echo:a", cwd=folder)
        e2e.expect(both, 0)
        e2e.check("6 cases" in both.stdout, "both kinds", both)


def research():
    with e2e.scratch() as folder:
        Path(folder, "tests.jsonl").write_text("".join(
            json.dumps({"n": n, "q": f"What is {n}?", "a": str(n)}) + "\n" for n in range(1, 4)))
        Path(folder, "dataset.yaml").write_text(
            "docs: [{id: d, title: D, url: d.md}]\ntests_from:\n- dataset: tests.jsonl\n  test:\n"
            '    id: "t-{{n}}"\n    query: "{{q}}"\n    doc_id: d\n'
            '    expected: {type: contains, text: "{{a}}"}\n')
        Path(folder, "d.md").write_text("one two three")
        checked = e2e.assay("check", "--strict", "dataset.yaml", cwd=folder)
        e2e.check(checked.returncode == 0 and "3 tests" in checked.stdout, "three tests of a table", checked)
        text = Path(folder, "dataset.yaml").read_text()
        Path(folder, "dataset.yaml").write_text(text.replace("{{a}}", "{{b}}"))
        bad = e2e.assay("check", "dataset.yaml", cwd=folder)
        e2e.check(bad.returncode == 1 and "template.unknown" in bad.stdout + bad.stderr, "no such column", bad)


def kept():
    with e2e.scratch() as folder:
        Path(folder, "rows.csv").write_text(ROWS)
        Path(folder, "s.yml").write_text(BLUEPRINT)
        e2e.expect(e2e.assay("run", "s.yml", cwd=folder), 0)
        Path(folder, "rows.csv").unlink()
        Path(folder, "s.yml").unlink()
        lines = e2e.assay("export", "latest", "--to", "jsonl", cwd=folder)
        e2e.expect(lines, 0)
        first = json.loads(lines.stdout.splitlines()[0])
        e2e.check(first["row.word"] == "word 1" and first["row.points"] == "2", f"{first}", lines)
        table = e2e.assay("export", "latest", "--to", "csv", cwd=folder)
        e2e.expect(table, 0)
        rows = list(csv.DictReader(io.StringIO(table.stdout)))
        e2e.check([row["row.points"] for row in rows] == ["2", "3", "1", "2", "3", "1"], f"{rows}", table)


infibench()
research()
kept()
