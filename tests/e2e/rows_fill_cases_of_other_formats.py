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
    ("{{question}}", "{{qestion}}"): ["suite.yaml:5:14", 'no column "qestion"', "{{question}}"],
    ("  case:", "  shots: {n: 1}\n  case:"): ["suite.yaml:3:10", "shots: expected assistant", "shots.value"],
    ("  case:", '  shots: {n: 6, assistant: "{{word}}"}\n  case:'): ["rows.csv:2", "expected 6 examples, found 5",
                                                                    "suite.yaml:3:10", "shots.few"],
    ("  case:", '  shots: {n: 2, seed: [1, 2], assistant: "{{word}}"}\n  case:'): [
        "suite.yaml:3:23", "one seed", "shots.value"],
    ("  case:", '  shots: {n: 2, as: text, text: "{{word}}"}\n  case:'): [
        "suite.yaml:6:13", "`prompt` has no place for the text", "write {{shots}} before the question"],
    ("  case:", '  shots: {n: 2, assistant: "{{wrd}}"}\n  case:'): ["suite.yaml:3:29", "did you mean {{word}}?"],
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


def examples(folder, suite):
    """Examples are turns before the question, or a text in it; the row is none of its own."""
    def asked(name):
        lines = e2e.assay("export", "latest", "--to", "jsonl", cwd=folder)
        e2e.expect(lines, 0)
        cells = [json.loads(line) for line in lines.stdout.splitlines()]
        return " | ".join(message["content"] for cell in cells if cell["case"] == name for message in cell["messages"])

    suite.write_text(SUITE.replace("  case:", '  shots: {n: 2, pick: first, assistant: "It is {{word}}."}\n  case:', 1))
    e2e.check(e2e.assay("run", "suite.yaml", "-m", "echo:a", cwd=folder).returncode == 0, "examples as turns")
    first = asked("c1")
    e2e.check("It is word 2." in first and "It is word 3." in first and "It is word 1." not in first, first)
    e2e.check("It is word 1." in asked("c3"), "another row has the first one")
    suite.write_text(SUITE.replace("  case:", '  shots: {n: 1, pick: first, as: text, text: "{{word}} = {{points}}"}\n'
                                   "  case:", 1).replace("{{question}}", "{{shots}} / {{question}}"))
    e2e.check(e2e.assay("run", "suite.yaml", "-m", "echo:a", cwd=folder).returncode == 0, "examples as a text")
    e2e.check("word 2 = 3 / Say word 1" in asked("c1"), "an example in the question")
    suite.write_text(SUITE)


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
        for words, cases in ((["--where", "lang=python"], 5), (["--where", "kind=code debugging"], 2),
                             (["--sample", "2", "--sample-seed", "3"], 2)):
            some = e2e.assay("check", "suite.yaml", "-m", "echo:a", *words, cwd=folder)
            e2e.check(f"{cases} cases of rows.csv" in some.stdout, f"{words}", some)
        one = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--select", "c3", cwd=folder)
        e2e.check("1 case of" in one.stdout, "--select", one)
        two = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--limit", "2", cwd=folder)
        e2e.check("2 cases of" in two.stdout, "--limit", two)
        plain = Path(folder, "plain.yaml")
        plain.write_text("cases: [cases/own.yaml]\n")
        lost = e2e.assay("check", "plain.yaml", "-m", "echo:a", "--where", "a=b", cwd=folder)
        e2e.check(lost.returncode == 1 and "dataset.none" in lost.stdout + lost.stderr, "--where without a table", lost)
        none = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--select", "c33", cwd=folder)
        e2e.check(none.returncode == 1 and "lists no case" in none.stdout + none.stderr, "--select", none)
        shown = e2e.assay("show", "latest", "--case", "c2", cwd=folder)
        e2e.check("Say word 2" in shown.stdout, "the case has the row's id", shown)
        for (old, new), said in FAULTS.items():
            suite.write_text(SUITE.replace(old, new, 1))
            bad = e2e.assay("check", "suite.yaml", "-m", "echo:a", cwd=folder)
            for fragment in said:
                e2e.check(bad.returncode == 1 and fragment in bad.stdout + bad.stderr, f"{new}: {fragment}", bad)
        suite.write_text(SUITE)
        compat = e2e.assay("check", "suite.yaml", "-m", "echo:a", "--compat", "infibench", cwd=folder)
        e2e.check(compat.returncode == 1 and "dataset.compat" in compat.stdout + compat.stderr, "compat", compat)

        examples(folder, suite)

        # Beside cases of files, whose names may not be taken again.
        Path(folder, "cases").mkdir()
        Path(folder, "cases/own.txt").write_text("Say own")
        Path(folder, "cases/own.yaml").write_text("id: own\nprompt_path: own.txt\ntype: code completion\nlang: python\n"
                                                  "grading: {keywords: [own]}\n")
        suite.write_text("cases: [cases/own.yaml]\n" + SUITE)
        both = e2e.assay("check", "--strict", "suite.yaml", "-m", "echo:a", cwd=folder)
        e2e.expect(both, 0)
        e2e.check("6 cases" in both.stdout, "both kinds", both)


QUESTIONS = "".join(json.dumps({"n": n, "q": f"What is {n}?", "a": str(n), "level": "odd" if n % 2 else "even"}) + "\n"
                    for n in range(1, 5))
TESTS = """docs: [{id: d, title: D, url: d.md}]
tests_from:
- dataset: {path: tests.jsonl, keep: [level, a]}
  shots: {n: 1, pick: first, as: text, text: "{{q}} {{a}}."}
  test:
    id: "t-{{n}}"
    query: "{{shots}} {{q}}"
    doc_id: d
    group: ["{{level}}"]
    expected: {type: all_of, of: [{type: contains, text: "{{a}}"}, {type: numeric, value: "{{a}}"}]}
"""
MATRIX = """dataset = "dataset.yaml"
snapshot_root = "snapshots"
[[runs]]
id = "one"
model_alias = "echo:a"
source_provider = "mock_web"
mock_web_fixtures = "web.yaml"
"""


def research():
    with e2e.scratch() as folder:
        Path(folder, "tests.jsonl").write_text(QUESTIONS)
        dataset = Path(folder, "dataset.yaml")
        dataset.write_text(TESTS)
        Path(folder, "d.md").write_text("one two three")
        checked = e2e.assay("check", "--strict", "dataset.yaml", cwd=folder)
        e2e.check(checked.returncode == 0 and "4 tests" in checked.stdout, "four tests of a table", checked)
        for words, tests in ((["--where", "level=odd"], "2 tests"), (["--sample", "3"], "3 tests")):
            some = e2e.assay("check", "dataset.yaml", *words, cwd=folder)
            e2e.check(tests in some.stdout, f"{words}", some)
        for old, new, *said in (
                ("text: \"{{a}}\"}", "text: \"{{b}}\"}", "dataset.yaml:10:", "template.unknown"),
                ("{{shots}} ", "", "dataset.yaml:7:12", "`query` has no place for the text"),
                ("as: text, text: \"{{q}} {{a}}.\"", "assistant: \"{{a}}\"", "dataset.yaml:4:10", "write as: text"),
                ("[\"{{level}}\"]", "{a: b}", "expected `group`, a text, or a list of up to 8 texts")):
            e2e.check(old in TESTS, old)
            dataset.write_text(TESTS.replace(old, new))
            bad = e2e.assay("check", "dataset.yaml", cwd=folder)
            for fragment in said:
                e2e.check(bad.returncode == 1 and fragment in bad.stdout + bad.stderr, f"{new}: {fragment}", bad)
        dataset.write_text("docs: [{id: d, title: D, url: d.md}]\ntests: [{id: a, query: Q, doc_id: d, "
                           "expected: {type: contains, text: b}}]\n")
        lost = e2e.assay("check", "dataset.yaml", "--sample", "1", cwd=folder)
        is_refused = lost.returncode == 1 and "dataset.none" in lost.stdout + lost.stderr
        e2e.check(is_refused, "--sample without a table", lost)
        dataset.write_text(TESTS)
        Path(folder, "matrix.toml").write_text(MATRIX)
        Path(folder, "web.yaml").write_text("pages: {}\n")
        research_run(folder)


def research_run(folder):
    """Groups and kept columns of tests are in reports and exports, when the table is gone, too."""
    some = e2e.assay("plan", "matrix.toml", "--where", "level=odd", cwd=folder)
    e2e.check("2 cases" in some.stdout, "--where of a matrix", some)
    ran = e2e.assay("run", "matrix.toml", cwd=folder)
    e2e.check(ran.returncode in (0, 2), "it runs", ran)
    Path(folder, "tests.jsonl").unlink()
    by_group = e2e.assay("show", "latest", "--by", "group", cwd=folder)
    e2e.check("even" in by_group.stdout and "odd" in by_group.stdout, "groups of tests", by_group)
    table = e2e.assay("export", "latest", "--to", "csv", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(table.stdout)))
    e2e.check([row["row.a"] for row in rows] == ["1", "2", "3", "4"], f"{rows}", table)


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


def named():
    """Criteria with a name are columns of the tables: of each cell, and of each variant."""
    with e2e.scratch() as folder:
        Path(folder, "rows.csv").write_text(ROWS)
        Path(folder, "s.yml").write_text(BLUEPRINT.replace(
            'should: [{$contains: "{{word}}"}]',
            'should:\n- {$contains: "{{word}}", name: whole}\n- {$contains: "word {{points}}", name: "by, number"}'))
        e2e.expect(e2e.assay("run", "s.yml", cwd=folder), 0)
        table = e2e.assay("export", "latest", "--to", "csv", cwd=folder)
        rows = list(csv.DictReader(io.StringIO(table.stdout)))
        e2e.check([row["score.whole"] for row in rows] == ["1.0"] * 6, f"{rows}", table)
        e2e.check([row["score.by, number"] for row in rows] == ["0.0"] * 6, f"{rows}", table)
        table = e2e.assay("export", "latest", "--to", "table-csv", cwd=folder)
        rows = list(csv.DictReader(io.StringIO(table.stdout)))
        e2e.check((rows[0]["score.whole"], rows[0]["score.by, number"]) == ("1.0", "0.0"), f"{rows}", table)


infibench()
research()
named()
kept()
