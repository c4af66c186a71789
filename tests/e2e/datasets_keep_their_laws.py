#!/usr/bin/env python3
"""Laws of datasets, over drawn tables: no selection changes what a row asks that stays; a run in another order gives
the same cells; a row put in leaves all other requests; a table saved as CSV, TSV, JSON Lines or packed gives the same
cases."""
import csv
import gzip
import io
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

ROUNDS = 6
COLUMNS = ["question", "answer", "subject", "must"]
SUITE = """models: [echo:a, echo:b]
dataset: %s
---
prompt: "{{question}} ({{subject | default('none')}})"
group: "{{subject | default('none')}}"
should:
- $icontains: "{{answer}}"
- "{{must}}"
"""
PIECES = ["river", "lake", "two\nlines", 'the "old" mill', "a,b;c", "tab|bar", "Ä, é and 漢字", "7 × 6", "{{x}}", "$5",
          "0.50"]


def table(draw, rows):
    """Rows without equal ones; some cells are empty."""
    made = []
    for number in range(rows):
        question = f"{number}: " + " ".join(draw.choice(PIECES) for _ in range(draw.randint(1, 5)))
        made.append({"question": question, "answer": draw.choice(PIECES) + str(number),
                     "subject": draw.choice(["", "maths", "law", "history"]),
                     "must": draw.choice(["", "names the river", "$js is a word here"])})
    return made


def separated(rows, delimiter):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def lines(rows):
    return "".join(json.dumps({key: value or None for key, value in row.items()}, ensure_ascii=False) + "\n"
                   for row in rows)


def cases(folder, dataset, *words):
    """Of each case by its id: what is asked, what is expected, its group."""
    Path(folder, "s.yml").write_text(SUITE % dataset)
    found = e2e.assay("check", "--json", "s.yml", *words, cwd=folder)
    e2e.check(found.returncode == 0, f"{dataset} is read", found)
    return {prompt["id"]: (prompt["messages"], prompt.get("points"), prompt.get("group"))
            for prompt in json.loads(found.stdout)["prompts"]}


def selections(draw, folder, rows):
    Path(folder, "t.csv").write_text(separated(rows, ","))
    whole = cases(folder, "t.csv")
    e2e.check(len(whole) == len(rows), "each row is a case")
    seed = draw.randint(0, 99)
    for dataset in (f"{{path: t.csv, sample: {{n: 7, seed: {seed}}}}}", f"{{path: t.csv, shuffle: {seed}}}",
                    "{path: t.csv, where: {subject: law}}", "{path: t.csv, limit: 5}",
                    f"{{path: t.csv, shuffle: {seed}, limit: 9, where: {{subject: {{not: law}}}}}}"):
        some = cases(folder, dataset)
        e2e.check(0 < len(some) and all(whole[name] == what for name, what in some.items()),
                  f"{dataset} changes what is asked")
    some = cases(folder, "t.csv", "--sample", "6")
    e2e.check(len(some) == 6 and all(whole[name] == what for name, what in some.items()), "--sample changes a case")
    row = {"question": f"put in {seed}", "answer": "x", "subject": "law", "must": ""}
    place = draw.randint(0, len(rows))
    Path(folder, "t.csv").write_text(separated([*rows[:place], row, *rows[place:]], ","))
    more = cases(folder, "t.csv")
    e2e.check(len(more) == len(whole) + 1 and all(more[name] == what for name, what in whole.items()),
              "a row that is put in changes another case")


def forms(folder, rows):
    texts = {"t.csv": separated(rows, ","), "t.tsv": separated(rows, "\t"), "t.jsonl": lines(rows),
             "t.json": json.dumps([{key: value or None for key, value in row.items()} for row in rows]),
             "semicolons.csv": separated(rows, ";"), "unix.csv": separated(rows, ",").replace("\n", "\r\n")}
    for name, text in texts.items():
        Path(folder, name).write_bytes(text.encode())
        Path(folder, name + ".gz").write_bytes(gzip.compress(text.encode()))
    Path(folder, "mark.csv").write_bytes(b"\xef\xbb\xbf" + texts["t.csv"].encode())
    Path(folder, "wide.csv").write_bytes(texts["t.csv"].encode("utf-16"))
    wanted = cases(folder, "t.csv")
    for name in [*texts, *(name + ".gz" for name in texts), "mark.csv", "wide.csv"]:
        if name.startswith("unix.csv"):
            continue  # line ends inside cells are other cells
        e2e.check(cases(folder, name) == wanted, f"{name} gives the cases of t.csv")


def cells(folder, dataset, store):
    Path(folder, "s.yml").write_text(SUITE.replace('- "{{must}}"\n', "") % dataset)
    ran = e2e.assay("run", "s.yml", "-q", "--store", store, cwd=folder)
    e2e.check(ran.returncode == 0, f"{dataset} runs", ran)
    told = e2e.assay("export", "latest", "--to", "jsonl", "--store", store, cwd=folder)
    e2e.check(told.returncode == 0, "it is exported", told)
    found = {}
    for line in told.stdout.splitlines():
        cell = json.loads(line)
        found[cell["case"], cell["variant"]] = (cell["digest"], cell["messages"], cell["score"], cell["group"])
    return found


def orders(folder, rows):
    Path(folder, "t.csv").write_text(separated(rows, ","))
    in_order = cells(folder, "t.csv", "a.db")
    e2e.check(len(in_order) == 2 * len(rows), "each row is a cell of each variant")
    e2e.check(in_order == cells(folder, "{path: t.csv, shuffle: 3}", "b.db"), "the order changes a cell")


def main():
    for round_number in range(ROUNDS):
        draw = random.Random(round_number)
        rows = table(draw, 20 + 30 * round_number)
        with e2e.scratch() as folder:
            selections(draw, folder, rows)
            forms(folder, rows)
            if round_number % 3 == 0:
                orders(folder, rows)


main()
