#!/usr/bin/env python3
"""A spreadsheet becomes a suite: check, plan, run and show work on it, the command line selects rows, the stored run
stands by itself, each planted fault is named with its places, and paths obey the rules of paths."""
import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SUITE = """models: [echo:a]
dataset: {path: questions.csv, id: "{{Nr}}", where: {Status: ready}}
---
prompt: "{{Question}}"
tags: ["{{Topic}}"]
should:
  - $contains: "{{Must 1}}"
  - $contains: "{{Must 2}}"
"""
ROWS = "Nr;Status;Topic;Question;Must 1;Must 2\n" + "".join(
    f"q{n};{'draft' if n % 5 == 0 else 'ready'};t{n % 3};Question {n}; {n};{'' if n % 2 else 'Question'}\n"
    for n in range(1, 21))
# what is planted -> (the table, the suite), what is printed
FAULTS = {
    "a column misspelled": ((ROWS, SUITE.replace("{{Question}}", "{{Qestion}}")),
                            ["s.yml:4:10", 'no column "Qestion"', "did you mean {{Question}}?", "template.unknown"]),
    "an empty question": ((ROWS.replace(";Question 3;", ";;"), SUITE),
                          ["s.yml:4:9", "questions.csv:4", "template.null"]),
    "a row cut short": ((ROWS.replace(";Question 7; 7;\n", ";Question 7\n"), SUITE),
                        ["questions.csv:8:13", "4 cells, the header has 6", "dataset.ragged"]),
    "an id twice": ((ROWS.replace("q9;", "q8;"), SUITE), ["questions.csv:10:1", "questions.csv:9", "dataset.id-twice"]),
    "a quote left open": ((ROWS.replace(";Question 7;", ';"Question 7;'), SUITE),
                          ["questions.csv:8:13", "dataset.quote"]),
    "a condition of no column": ((ROWS, SUITE.replace("Status", "State")),
                                 ["s.yml:2:", 'no column "State"', "dataset.column"]),
    "nothing left": ((ROWS, SUITE.replace("ready", "Ready")), ["none of 20 rows", "dataset.none-left"]),
    "no such filter": ((ROWS, SUITE.replace("{{Topic}}", "{{Topic | lowr}}")),
                       ["s.yml:5:9", "did you mean lower?", "template.filter"]),
    "a key misspelled": ((ROWS, SUITE.replace("where:", "wher:")), ['did you mean "where"?', "dataset.key"]),
    "a template without quotes": ((ROWS, SUITE.replace('"{{Question}}"', "{{Question}}")), ["s.yml:4:"]),
}


def says(words, *fragments, cwd, code=0):
    """Runs the program, which prints each fragment, on whichever output."""
    result = e2e.assay(*words, cwd=cwd)
    e2e.check(result.returncode == code, f"{words}: {result.returncode}", result)
    for fragment in fragments:
        e2e.check(fragment in result.stdout + result.stderr, f"{words}: no {fragment!r}", result)
    return result


def asked(folder, *words):
    result = e2e.assay("show", "latest", "--json", *words, cwd=folder)
    e2e.expect(result, 0)
    return json.loads(result.stdout)


with e2e.scratch() as folder:
    suite = Path(folder, "s.yml")
    table = Path(folder, "questions.csv")
    suite.write_text(SUITE)
    table.write_text(ROWS)
    says(["check", "s.yml"], "16 cases", cwd=folder)
    says(["plan", "s.yml"], "16", cwd=folder)
    says(["check", "s.yml", "--where", "Topic=t1"], "6 cases", cwd=folder)
    says(["check", "s.yml", "--sample", "4", "--sample-seed", "3"], "4 cases", cwd=folder)
    says(["check", "s.yml", "--where", "Topic"], "COLUMN=VALUE", cwd=folder, code=1)
    says(["run", "s.yml"], cwd=folder)
    says(["show", "latest", "--case", "q4"], "Question 4", cwd=folder)
    before = asked(folder)
    table.unlink()
    suite.unlink()
    e2e.check(asked(folder) == before, "a stored run changed with its table")

    for name, ((rows, text), fragments) in FAULTS.items():
        table.write_text(rows)
        suite.write_text(text)
        says(["check", "s.yml"], *fragments, cwd=folder, code=1)

    # A member that only some rows have is empty in the others; one that no row has is a slip.
    table = Path(folder, "items.jsonl")
    table.write_text('{"item": {"q": "a", "label": "x", "tags": [{"w": "t"}]}}\n{"item": {"q": "b"}}\n')
    members = ('models: [echo:a]\ndataset: items.jsonl\n---\nprompt: "{{item.q}}"\nshould:\n'
               '  - $contains: "{{item.q}}"\n')
    suite.write_text(members + '  - $contains: "{{item.label}}"\n  - $contains: "{{item.tags[0].w}}"\n')
    says(["check", "s.yml"], "4 checks", cwd=folder)
    for path, near in (("item.lable", "{{item.label}}"), ("item.tags[0].v", "{{item.tags[0].w}}"),
                       ("item.reference", None)):
        suite.write_text(members + f'  - $contains: "{{{{{path}}}}}"\n')
        said = f"did you mean {near}?" if near else 'the members are "q", "label", "tags"'
        says(["check", "s.yml"], "s.yml:7:17", f'no row has "{path}"', said, "template.unknown", cwd=folder, code=1)
    suite.write_text(members + '  - $contains: "{{item.lable}}"\n')
    says(["check", "s.yml", "--sample", "1"], 'no row has "item.lable"', cwd=folder, code=1)
    suite.write_text(members + '  - $contains: "{{item.label}}"\n')
    for part in ("a", "b"):
        says(["check", "s.yml", "--where", f"item.q={part}"], "1 case", cwd=folder)

    # The same table in other forms is the same suite.
    suite.write_text(SUITE)
    table.write_text(ROWS)
    plain = e2e.assay("check", "s.yml", "--json", cwd=folder)
    Path(folder, "questions.csv.gz").write_bytes(gzip.compress(ROWS.encode()))
    suite.write_text(SUITE.replace("questions.csv", "questions.csv.gz"))
    packed = e2e.assay("check", "s.yml", "--json", cwd=folder)
    e2e.expect(plain, 0)
    e2e.expect(packed, 0)

    # A table outside the folder needs permission.
    outside = Path(folder, "outside")
    outside.mkdir()
    (outside / "t.csv").write_text("q\nHi\n")
    inside = Path(folder, "inside")
    inside.mkdir()
    (inside / "s.yml").write_text('models: [echo:a]\ndataset: ../outside/t.csv\n---\n'
                                  'prompt: "{{q}}"\nshould: [$contains: Hi]\n')
    says(["check", "s.yml"], "--allow-path", cwd=inside, code=1)
    says(["check", "s.yml", "--allow-path", str(outside)], "1 case", cwd=inside)
