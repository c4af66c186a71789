#!/usr/bin/env python3
"""`check` of a table counts rows that are like others and keeps none of them: what it says of drawn tables with
planted faults is what `check --json` says, which makes a case of each row. So it is where the command line chooses
cases. `--limit` reads the first rows alone. A large table takes no memory, however cases are chosen of it."""
import csv
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HEAD = "models: [echo:a]\ndataset: %s\n---\n"
# suites, with the faults that a cell of each column may have
SUITES = {
    'prompt: "{{q}}"\nshould: [{$numeric: "{{a}}"}]\n': {"q": ["", "   "], "a": ["", "x", "1 and 2"]},
    'prompt: "Q: {{q}}?"\ngroup: "{{g}}"\ntags: ["{{g}}"]\nshould: [{$choice: {answer: "{{a}}", of: 4}}]\n':
        {"q": [""], "a": ["", "E", "AB"], "g": [""]},
    'messages:\n- {role: system, content: "Be {{g}}"}\n- {role: user, content: "{{q}}"}\nideal: "{{a}}"\n'
    'should: ["{{must}}", {$contains: "{{a}}"}]\n': {"q": ["", " "], "a": [""], "must": ["", "$js"], "g": [""]},
    'prompt: "{{q | after(\':\')}}"\ncluster: "{{g}}"\nshould:\n- $matches: "{{a}}"\nshould_not: ["{{must}}"]\n':
        {"q": ["no mark", ":"], "a": ["(", "[a-"], "must": ["", "$5"]},
    'prompt: "{{q}}"\nsystem: "{{g}}"\nextract: {number: last}\nshould: [{$equals: "{{a}}"}, {$count: {of: words, '
    'at_most: "{{n}}"}}]\n': {"n": ["x", "-1", ""], "a": [""]},
}
COUNTS = re.compile(r"(?:(\d+) errors?, |; )(\d+) warnings?$", re.M)


def cell(text):
    return f'"{text}"' if re.search('[",\n]', text) else text


def table(draw, rows, faults):
    """CSV with about one fault in 40 rows; several of a kind."""
    lines = ["q,a,g,must,n"]
    for number in range(rows):
        row = {"q": f"part: how many of {number}", "a": str(draw.randint(0, 3)) if draw.random() < 0.5 else "A",
               "g": draw.choice(["calm", "short"]), "must": draw.choice(["names it", "is short"]), "n": "50"}
        if "numeric" in faults or draw.random() < 0.8:
            row["a"] = str(draw.randint(0, 3))
        if draw.random() < 1 / 40:
            column = draw.choice(sorted(set(faults) - {"numeric"}))
            row[column] = draw.choice(faults[column])
        lines.append(",".join(cell(row[name]) for name in ("q", "a", "g", "must", "n")))
        if draw.random() < 1 / 300:
            lines.append(draw.choice(["", ",,,,", lines[-1]]))
    return "\n".join(lines) + "\n"


def untold(found, diagnostics):
    """Problems that people are not told; problems of one place stand below the first."""
    said = found.stderr + found.stdout
    return [each for each in diagnostics if each["code"] != "diagnostics.more" and each["message"] not in said]


def same_as_json():
    for number, (suite, faults) in enumerate(SUITES.items()):
        for seed in range(3):
            draw = random.Random(100 * number + seed)
            with e2e.scratch() as folder:
                wanted_faults = {} if seed == 2 else faults
                Path(folder, "t.csv").write_text(table(draw, 400, {**(wanted_faults or {"g": ["calm"]})}))
                Path(folder, "s.yml").write_text(HEAD % "t.csv" + suite)
                plain = e2e.assay("check", "s.yml", cwd=folder)
                as_json = e2e.assay("check", "--json", "s.yml", cwd=folder)
                diagnostics = json.loads(as_json.stdout)["diagnostics"]
                e2e.check(plain.returncode == as_json.returncode, f"{suite}: the exit code", plain)
                e2e.check(not untold(plain, diagnostics), f"{suite}: {untold(plain, diagnostics)}", plain)
                counts = [sum(each["severity"] == kind for each in diagnostics) for kind in ("error", "warning")]
                said = [int(count) for count in COUNTS.search(plain.stdout).groups() if count]
                e2e.check(said == counts or said == counts[1:], f"{suite}: {counts} problems", plain)
                if as_json.returncode == 0:
                    count = len(json.loads(as_json.stdout)["prompts"])
                    e2e.check(f" {count} case" in plain.stdout.replace(",", ""), f"{count} cases", plain)


# What the command line chooses, and last what the dataset does.
CHOICES = [["--limit", "7", ""], ["--limit", "150", ""], ["--filter", "row-*7", ""],
           ["--filter", "row-0*", "--limit", "2", ""], ["--where", "g=calm", ""],
           ["--where", "g=calm", "--limit", "3", ""], ["--sample", "20", ""],
           ["--sample", "20", "--sample-seed", "5", "--filter", "row-*a*", ""], ["--where", "g=loud", ""],
           ["--filter", "nothing-*", ""], ["--select", "nothing", ""], ["--limit", "5", ", shuffle: 3"],
           ["--filter", "row-*b*", ", shuffle: 3"], ["--limit", "9", ", shuffle: 3, limit: 30"],
           [", shuffle: 3, limit: 12"], [", sample: {n: 4, per: g}"],
           [", sample: {n: 9, seed: 2}, shuffle: 1, limit: 5"],
           ["--filter", "x-row-*7", ", id: 'x-{{_id}}'"], ["--limit", "4", ", id: 'x-{{_id}}', where: {g: short}"]]


def chosen_cases(folder, words):
    """Of a run, in its order; what it said where it made none."""
    ran = e2e.assay("run", "s.yml", "-q", "--fresh", "--store", "runs.db", *words, cwd=folder)
    if ran.returncode != 0:
        return ran.returncode, re.findall(r"error: ([^[]*)", ran.stderr)
    told = e2e.assay("export", "latest", "--to", "jsonl", "--store", "runs.db", cwd=folder)
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    return [(line["case"], line["digest"]) for line in lines]


def inline_rows(text):
    """The same table in the file itself: such rows all become cases."""
    rows = [{name: value for name, value in row.items() if value} for row in csv.DictReader(io.StringIO(text))]
    return json.dumps([row for row in rows if row])


def choices_are_those_of_all_cases():
    for number, suite in enumerate(list(SUITES)[:2]):
        with e2e.scratch() as folder:
            text = table(random.Random(number), 250, {"g": ["calm"], "numeric": []})
            Path(folder, "t.csv").write_text(text)
            for *words, more in CHOICES:
                found = []
                for rows in ("path: t.csv", f"rows: {inline_rows(text)}"):
                    Path(folder, "s.yml").write_text(HEAD % f"{{{rows}, duplicates: drop{more}}}" + suite)
                    found.append(chosen_cases(folder, words))
                e2e.check(found[0] == found[1] and found[0], f"{words} {more}: {found[0]} in place of {found[1]}")


def choices_hide_no_fault():
    """`check --json` makes a case of each row."""
    for number, (suite, faults) in enumerate(list(SUITES.items())[:3]):
        with e2e.scratch() as folder:
            Path(folder, "t.csv").write_text(table(random.Random(number), 300, faults))
            for *words, more in CHOICES:
                Path(folder, "s.yml").write_text(HEAD % f"{{path: t.csv, duplicates: drop{more}}}" + suite)
                plain = e2e.assay("check", "s.yml", *words, cwd=folder)
                as_json = e2e.assay("check", "--json", "s.yml", *words, cwd=folder)
                e2e.check(plain.returncode == as_json.returncode, f"{words}: the exit code", plain)
                diagnostics = json.loads(as_json.stdout)["diagnostics"]
                e2e.check(not untold(plain, diagnostics), f"{words}: {untold(plain, diagnostics)}", plain)
                counts = [sum(each["severity"] == kind for each in diagnostics) for kind in ("error", "warning")]
                said = [int(count) for count in COUNTS.search(plain.stdout).groups() if count]
                e2e.check(said == counts or said == counts[1:], f"{words}: {counts} problems", plain)


def columns_that_come_late():
    """A column that only later rows have is one all the same."""
    with e2e.scratch() as folder:
        rows = [{"q": f"What is {n}?"} for n in range(300)] + [{"q": "Last?", "hint": "think"}]
        Path(folder, "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        Path(folder, "s.yml").write_text(
            HEAD % "t.jsonl" + "prompt: \"{{q}} {{hint | default('')}}\"\nshould: [{$contains: x}]\n")
        for words in ([], ["--limit", "5"]):
            found = e2e.assay("check", "s.yml", *words, cwd=folder)
            e2e.check(found.returncode == 0, "it is read", found)
        ran = e2e.assay("run", "s.yml", "--limit", "5", cwd=folder)
        e2e.check("dataset.part" not in ran.stdout + ran.stderr, "all rows are read", ran)


def first_rows_alone():
    with e2e.scratch() as folder:
        lines = ["q,a"] + [f"What is {n}?,{n}" for n in range(500)]
        lines[300] = "one cell"
        Path(folder, "t.csv").write_text("\n".join(lines) + "\n")
        Path(folder, "s.yml").write_text(HEAD % "t.csv" + 'prompt: "{{q}}"\nshould: [{$numeric: "{{a}}"}]\n')
        whole = e2e.assay("check", "s.yml", "--limit", "20", cwd=folder)
        e2e.check(whole.returncode != 0 and "dataset.ragged" in whole.stderr, "check reads all rows", whole)
        ran = e2e.assay("run", "s.yml", "--limit", "20", cwd=folder)
        e2e.check(ran.returncode == 0 and "only the first 20 rows are read" in ran.stdout + ran.stderr,
                  "the run says that it read 20 rows", ran)
        some = e2e.assay("run", "s.yml", "--limit", "20", "--where", "a=3", cwd=folder)
        e2e.check("dataset.ragged" in some.stdout + some.stderr, "where reads all rows", some)
        lines[300] = "What?,7"
        Path(folder, "t.csv").write_text("\n".join(lines) + "\n")
        for limit in (500, 501):
            ran = e2e.assay("run", "s.yml", "--limit", limit, "--fresh", cwd=folder)
            e2e.check(ran.returncode == 0 and "dataset.part" not in ran.stdout + ran.stderr, "all were read", ran)


def measured(folder, *words):
    """What the program said, and the most memory that it took, in MiB."""
    child = e2e.start(*words, cwd=folder, output=subprocess.PIPE)
    said = child.stdout.read()
    used = os.wait4(child.pid, 0)[2]
    child.returncode = 0
    return said, used.ru_maxrss >> 10


def large_tables_take_no_memory():
    """100,000 rows, plain and packed: as cases they would take 270 MB."""
    with e2e.scratch() as folder:
        text = "q,a\n" + "".join(f"{f'How many are {n}?':.<150},{n}\n" for n in range(100_000))
        Path(folder, "t.csv").write_text(text)
        Path(folder, "t.csv.gz").write_bytes(gzip.compress(text.encode(), 1))
        Path(folder, "t16.csv").write_bytes(text.encode("utf-16"))
        Path(folder, ".assay").mkdir()
        for name in ("t.csv", "t.csv.gz", "t16.csv"):
            Path(folder, "s.yml").write_text(HEAD % name + 'prompt: "{{q}}"\nshould: [{$numeric: "{{a}}"}]\n')
            said, peak = measured(folder, "check", "s.yml")
            e2e.check("100,000 cases" in said and "100,000 checks" in said, f"{name}: {said}")
            e2e.check(peak < 100, f"{name} took {peak} MiB")
        e2e.check(os.listdir(Path(folder, ".assay")) == [], "nothing is left beside the store")


def choices_of_large_tables_take_no_memory():
    """200,000 rows: kept they would take 150 MB, and 500 MB as cases."""
    with e2e.scratch() as folder:
        with open(Path(folder, "t.csv"), "w") as file:  # line by line: a child begins with the memory of this script
            file.write("question,answer,kind\n")
            file.writelines(f"{f'How many are {n}?':.<150},{n},k{n % 1000}\n" for n in range(200_000))
        suite = 'prompt: "{{question}}"\nshould: [{$numeric: "{{answer}}"}]\n'
        Path(folder, "s.yml").write_text(HEAD % "t.csv" + suite)
        for wanted, *words in (("10 cases", "check", "s.yml", "--limit", "10"),
                               ("10 cases", "run", "s.yml", "--limit", "10", "--filter", "row-0*"),
                               ("200 cases", "run", "s.yml", "--where", "kind=k7"),
                               ("100 cases", "run", "s.yml", "--sample", "100"),
                               ("200 cases", "check", "s.yml", "--where", "kind=k7"),
                               ("", "init", "dataset", "t.csv")):
            said, peak = measured(folder, *words)
            e2e.check(wanted in said, f"{words}: {said}")
            e2e.check(peak < 100, f"{words} took {peak} MiB")
        e2e.check("200000 rows" in Path(folder, "t.yml").read_text(), "init counts all rows")


same_as_json()
choices_are_those_of_all_cases()
choices_hide_no_fault()
columns_that_come_late()
first_rows_alone()
choices_of_large_tables_take_no_memory()
large_tables_take_no_memory()
