#!/usr/bin/env python3
"""`assay init dataset FILE`: whatever the table is, what it writes passes `assay check` at once. It names the columns,
chooses the check by the answers, says what it guessed and which rows it left out, and asks on a terminal. A policy
expert's spreadsheet goes all the way: init, check, run."""
import gzip
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CAPITALS = [("France", "Paris"), ("Norway", "Oslo"), ("Peru", "Lima"), ("Kenya", "Nairobi"), ("Japan", "Tokyo")]
# name of the file -> (bytes, what stands in the blueprint, what is said)
TABLES = {
    "numbers.csv": ("question,answer\nTwo and two?,4\nHalf of five?,2.5\nA dozen dozens?,144\n",
                    ['$numeric: "{{answer}}"', "End with the number."], []),
    "semicolons.csv": ("Nr;Frage;Antwort\n1;Was ist zwei und drei, als Zahl?;5\n2;Und zwei und vier, als Zahl?;6\n",
                       ['id: "{{Nr}}"', "{{Frage}}", '$numeric: "{{Antwort}}"'], []),
    "finnish.csv": ("Nr;Kysymys;Vastaus\n1;Paljonko on kaksi ja kolme?;5\n2;Paljonko on kaksi ja yksi?;3\n",
                    ['id: "{{Nr}}"', "{{Kysymys}}", "judges decide"], ['guess: "Kysymys" is the question']),
    "wide.csv": ("Question,Answer\nWho wrote Emma?,Jane Austen\nWho wrote Dracula?,Bram Stoker\n".encode("utf-16"),
                 ['$equals: {text: "{{Answer}}"'], ['guess: "Answer" is compared: short answers']),
    "letters.csv": ("question,A,B,C,D,answer,subject\nFirst?,a,b,c,d,B,abc\nLast?,w,x,y,z,D,abc\n",
                    ['$choice: {answer: "{{answer}}", of: 4}', "A. {{A}}", 'group: "{{subject}}"'], []),
    "texts.csv": ("question,option a,option b,answer\nGo?,yes,no,yes\nStop?,now,later,later\n",
                  ['of: ["{{option a}}", "{{option b}}"]'], []),
    "gaps.csv": ("question,A,B,C,answer\nOne?,1,2,3,A\nTwo?,yes,no,,B\n", ['C. {{C | default("-")}}'], []),
    "from_one.csv": ("question,A,B,C,answer\nOne?,a,b,c,3\nTwo?,d,e,f,1\n", ["3. {{C}}", '$numeric: "{{answer}}"'], []),
    "lists.jsonl": ('{"question": "Which?", "choices": ["a", "b", "c"], "answer": 2}\n'
                    '{"question": "Who?", "choices": ["x", "y"], "answer": 0}\n',
                    ["{{choices | options}}", '$choice: {answer: "{{answer}}", of: "{{choices}}"}'], []),
    "cells.csv": ("question,choices,answer\nWhich?,red; blue,A\nWho?,Ann; Bob; Cy,C\n",
                  ['"choices": {list: ";"}', "{{choices | options}}"], []),
    "solved.jsonl": ('{"question": "2+2?", "answer": "We add. #### 4"}\n{"question": "3+3?", "answer": "So: #### 6"}\n',
                     ["$numeric: '{{answer | after(\"####\")}}'"], []),
    "labels.tsv": ("text\tlabel\n" + "".join(f"Review {i}\t{'good' if i % 3 else 'bad'}\n" for i in range(30)),
                   ["Reply with one of these alone: good, bad."], []),
    "samples.jsonl": ('{"input": [{"role": "user", "content": "Capital of Chad?"}], '
                      '"ideal": ["N\'Djamena", "Ndjamena"]}\n',
                      ['messages: "{{input}}"', '$equals: {any_of: "{{ideal}}"'], []),
    "long.csv": ("question,reference\n" + "".join(
        f'Why {n}?,"Because the rule for case {n} says so, and since nothing in the law of the land is against it, '
        f'as the court has found in its decisions more than once."\n' for n in range(9)),
        ['ideal: "{{reference}}"', '"Says the same as this answer: {{reference}}"'], []),
    "criteria.csv": ("Question,Must 1,Must 2,Must not,Source\nHow long?,Names 30 days,,Names a year,Art. 5\n"
                     "How much?,Names two months,Says who pays,,Art. 6\n",
                     ['  - "{{Must 1}}"', '  - "{{Must not}}"', 'citation: "{{Source}}"'], []),
    "in_one.csv": ('Question,Criteria\nHow long?,"Names 30 days\nSays from when"\nHow much?,Names two months\n',
                   ['"Criteria": {list: "\\n"}', '  - "{{Criteria}}"'], []),
    "packed.csv.gz": (gzip.compress(b"question,answer\nTwo?,2\nThree?,3\n"), ["path: packed.csv.gz"], []),
    "marks.csv": ('"Question\n(in full)",Answer: short,"50% rule?"\nWhat is it?,Oslo,x\nAnd that?,Rome,y\n',
                  ['"Question (in full)": "Question\\n(in full)"', '{{Answer: short}}'], []),
    "odd.csv": ("question,answer\n" + "".join(f"Number {n}?,{n}\n" for n in range(40)) + "What?,twelve or so\n,5\n",
                ["not: [\"twelve or so\"]", "exists: true"],
                ['odd.csv:42 has "twelve or so"', 'no "question" in odd.csv:43']),
    "twice.csv": ("Nr,question,answer\n7,Two?,2\n7,Three?,3\n7,Two?,2\n", ["duplicates: drop"],
                  ["twice.csv:2 and twice.csv:3 have the same \"Nr\"", "in the table twice"]),
    "worded.csv": ("Ref no.;Policy area;Citizen's question;A good answer must say;State of the row\n" + "".join(
        f"{n};heat;Why {n}?;{'' if n == 5 else 'Names Art. 5'};{'raw' if n == 3 else 'final'}\n" for n in range(1, 41)),
        ['id: "{{Ref no.}}"', 'group: "{{Policy area}}"', 'prompt: "{{Citizen\'s question}}"',
         '- "{{A good answer must say}}"'],
        ["nothing to grade by in worded.csv:6", '"final" (39), "raw" (1)']),
    # What line 1 is: names, a title above them, or a row.
    "titled.csv": ("My questions\nQuestion\nWhy does a kettle sing?\nWhy is the sky blue?\n",
                   ["# Guess: the first line is a title, and line 2"],
                   ['guess: the first line is a title, and line 2 has the names of the columns ("Question")']),
    "two_titles.csv": ("Policy questions,2026\nQuestion,Answer\nTwo and two?,4\nTwo and three?,5\n", [],
                       ['is a title, and line 2 has the names of the columns ("Question", "Answer")']),
    "unnamed.csv": ("Why does a kettle sing?\nWhy is the sky blue?\nWhy do cats purr?\n",
                    ["# Guess: the first line is a row"],
                    ['guess: the first line is a row, and no names: "Why does a kettle sing?"; add a line']),
    "unnamed_pairs.csv": ("Two and two?,4\nTwo and three?,5\nTwo and one?,3\n", [],
                          ['guess: the first line is a row, and no names: "Two and two?", "4"']),
    "one_name.csv": ("Anfrage\nWarum singt der Kessel?\nWarum ist der Himmel blau?\n", [],
                     ['guess: the first line has the name of the column: "Anfrage"']),
    "keyed.csv": ("id,question,answer\na/1,Two?,2\na/2,Three?,3\n", [], []),
}
# what cannot be read -> what is said of it
FAULTS = {
    "latin.csv": ("Frage,Antwort\nWie hei\xdft es?,so\n".encode("latin-1"),
                  ["latin.csv:2:8", "utf-16, windows-1252 or latin-1", "--encoding windows-1252"]),
    "ragged.csv": (b"question,answer\nTwo?,2,of them\n", ["ragged.csv:2:", "3 cells, the header has 2"]),
    "open.csv": (b'question,answer\n"Two?,2\n', ["open.csv:2:1", "dataset.quote"]),
    "sheet.xlsx": (b"PK\x03\x04rest", ["save the sheet as CSV"]),
    "sheet.xls": (b"\xd0\xcf\x11\xe0rest", ["save the sheet as CSV"]),
    "empty.csv": (b"", ["dataset.empty"]),
    "same.csv": (b"id,question\na,Two?\na,Three?\n", ["same.csv:3:1", "same.csv:2", "dataset.id-twice"]),
    "rows.parquet": (b"PAR1rest", ["duckdb"]),
    "none.csv": (None, ["none.csv"]),
}
EXPERT = "Nr;Status;Topic;Question;Source;Must 1;Must 2\n" + "".join(
    f"{n};{'draft' if n % 10 == 0 else 'ready'};{['rent', 'heat'][n % 2]};How many days does notice {n} take?;"
    f"Art. {n};Says {n} days;{'' if n % 3 else 'Says from when they count'}\n" for n in range(1, 201))


def write(folder, name, content):
    Path(folder, name).write_bytes(content.encode() if isinstance(content, str) else content)


def tables():
    with e2e.scratch() as folder:
        for name, (content, fragments, said) in TABLES.items():
            write(folder, name, content)
            made = e2e.assay("init", "dataset", name, cwd=folder)
            suite = name.split(".")[0] + ".yml"
            e2e.expect(made, 0, f"wrote {suite}", f"next: assay check {suite}", *said)
            text = Path(folder, suite).read_text()
            for fragment in fragments:
                e2e.check(fragment in text, f"{name}: no {fragment!r} in\n{text}", made)
            checked = e2e.assay("check", "--strict", suite, cwd=folder)
            e2e.check(checked.returncode == 0 and "0 warnings" in checked.stdout, f"{name}:\n{text}", checked)
            e2e.check(all(len(line) <= 120 for line in text.splitlines()), f"{name}: long lines in\n{text}")


def faults():
    with e2e.scratch() as folder:
        for name, (content, fragments) in FAULTS.items():
            if content is not None:
                write(folder, name, content)
            made = e2e.assay("init", "dataset", name, cwd=folder)
            e2e.expect(made, 1, "nothing was written", *fragments)
            e2e.check(not list(Path(folder).glob("*.yml")), f"{name}: something was written")
        made = e2e.assay("init", "dataset", "latin.csv", "--encoding", "windows-1252", cwd=folder)
        e2e.expect(made, 0, "wrote latin.yml")
        checked = e2e.assay("check", "latin.yml", cwd=folder)
        e2e.check(checked.returncode == 0, "the encoding is in the file", checked)
        e2e.expect(e2e.assay("init", "dataset", "latin.csv", cwd=folder), 1, "latin.yml is there already")
        e2e.expect(e2e.assay("init", "dataset", cwd=folder), 1, "expected a table")
        e2e.expect(e2e.assay("init", "datset", cwd=folder), 1, "did you mean dataset?")
        e2e.expect(e2e.assay("init", "--encoding", "utf-8", cwd=folder), 1, "of `assay init dataset FILE`")


def asked():
    """On a terminal the user decides: another question column, the rows that are ready, judges for short answers."""
    with e2e.scratch() as folder:
        Path(folder, "t.csv").write_text("Status,Body,Hint,Remark\nready,Which town is this of all?,Rome,x\n"
                                         "draft,And which is that one?,Oslo,y\n")
        said, code = e2e.on_terminal("init", "dataset", "t.csv", cwd=folder, env={"CI": None},
                                     typed=b"3\n9\n1\n1\n2\n")
        text = Path(folder, "t.yml").read_text()
        e2e.check(code == 0 and "Which column is the question?" in said, said)
        e2e.check('"Status": "ready"' in text and 'prompt: "{{Body}}"' in text, text)
        e2e.check('"Says the same as this answer: {{Hint}}"' in text, text)


def expert():
    """From the spreadsheet to a run: 180 cases of 200 rows, judged by a model that the user names."""
    with e2e.scratch() as folder:
        Path(folder, "notice.csv").write_text(EXPERT)
        made = e2e.assay("init", "dataset", "notice.csv", cwd=folder)
        e2e.expect(made, 0, "notice.csv: 200 rows", "its criteria need a judge")
        suite = Path(folder, "notice.yml")
        text = suite.read_text()
        words = " ".join(text.replace("#", " ").split())
        e2e.check('"ready" (180)' in words and "200 rows" in text, text)
        e2e.check('prompt: "{{Question}}"' in text and 'id: "{{Nr}}"' in text, text)
        # What the comment says can be done, is done.
        suite.write_text(text.replace("dataset:\n", 'dataset:\n  where: {"Status": ready}\n', 1))
        checked = e2e.assay("check", "notice.yml", cwd=folder)
        e2e.expect(checked, 0)
        e2e.check("180 cases" in checked.stdout, "all that are ready", checked)
        planned = e2e.assay("plan", "notice.yml", "--judge", "echo:judge", "--json", cwd=folder)
        e2e.expect(planned, 0)
        e2e.check(sum(call["calls"] for call in json.loads(planned.stdout)[0]["calls"]) >= 360, "calls", planned)

        # Without judges: what is written is compared, and echo says it.
        Path(folder, "words.csv").write_text("Question,Answer\n" + "".join(f"{c},{c}\n" for c, _ in CAPITALS))
        e2e.expect(e2e.assay("init", "dataset", "words.csv", cwd=folder), 0, "assay run words.yml")
        suite = Path(folder, "words.yml")
        suite.write_text("\n".join(line for line in suite.read_text().splitlines() if "Reply with" not in line))
        ran = e2e.assay("run", "words.yml", cwd=folder)
        e2e.check(ran.returncode == 0 and "echo:first scores 100" in ran.stdout, "echo is right", ran)


tables()
faults()
asked()
expert()
