#!/usr/bin/env python3
"""assay calibrate: what humans would give, from labels beside the lines of an export; of all variants and of each.
assay plan --power: which differences a suite could show, by its own latest run or by an assumed spread."""
import csv
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CASES = 20


def suite(models):
    lines = ["title: Words", "id: words", f"models: [{', '.join(models)}]", "prompts:"]
    for i in range(CASES):
        lines += [f"  - id: q{i}", f"    prompt: say word{i}",
                  f"    should: [$contains: {'never' if i % 4 == 0 else f'word{i}'}, $contains: word]"]
    return "\n".join(lines) + "\n"


def calibrate(folder, form):
    """Labels of the first ten answers, or points, each a quarter below the score."""
    rows = list(csv.DictReader(io.StringIO(e2e.assay("export", "latest", "--to", form, cwd=folder).stdout)))
    for number, row in enumerate(rows):
        row["label"] = str(max(0, float(row["score"]) - 0.25)) if number < 20 else ""
    with open(folder / "labels.csv", "w") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    result = e2e.assay("calibrate", "latest", "--labels", "labels.csv", "--json", cwd=folder)
    e2e.check(result.returncode == 0, "calibrate ends well", result)
    return json.loads(result.stdout)


def labels(folder):
    # Both models answer alike: the 20 labels are of 10 different answers, of 20.
    every, *variants = calibrate(folder, "csv")
    e2e.check((every["labels"], every["others"], every["mode"]) == (10, 10, "picked"), f"{every}")
    e2e.check([row["variant"] for row in variants] == ["echo:a", "echo:b"], f"{variants}")
    e2e.check(every["bias"] == 0.25 and abs(every["judge_mean"] - 0.875) < 1e-12, f"{every}")
    e2e.check(abs(every["estimate"] - 0.625) < 0.01 and every["interval"][0] < 0.625, f"{every}")
    shown = e2e.assay("calibrate", "latest", "--labels", "labels.csv", cwd=folder)
    e2e.check("from 20 labels of 10 different answers, if they were picked blindly; the judges gave 88" in shown.stdout,
              "the sentence", shown)
    points = calibrate(folder, "check-csv")[0]
    e2e.check((points["labels"], points["others"]) == (10, 30), f"points: {points}")
    for text, fragment in (("case,variant,label\nnone,echo:a,1\n", "line 2: the run has no case"),
                           ("case,variant,label,attempt\nq0,echo:a,1,9\n", "line 2: the run has no score"),
                           ("a,b\n", "expected a column `case`")):
        (folder / "wrong.csv").write_text(text)
        e2e.expect(e2e.assay("calibrate", "latest", "--labels", "wrong.csv", cwd=folder), 1, "wrong.csv: ", fragment)
    e2e.expect(e2e.assay("calibrate", "latest", cwd=folder), 1, "--labels names the file")


def power(folder):
    own = e2e.assay("plan", "suite.yml", "--power", cwd=folder)
    e2e.check("With 20 cases this suite sees differences from 23 points up. 5 points need 387 cases." in own.stdout
              and "a spread of 0.35 is assumed" in own.stdout, "equal variants tell nothing", own)
    fixtures = {"responses": {f"q{i}": {"byModel": {"echo:a": f"word{i}", "echo:b": "word" if i % 2 else "no"}}
                              for i in range(CASES)}}
    (folder / "f.json").write_text(json.dumps(fixtures))
    e2e.expect(e2e.assay("run", "suite.yml", "--fixtures", "f.json", cwd=folder), 0)
    value = json.loads(e2e.assay("plan", "suite.yml", "--power", "--json", cwd=folder).stdout)[0]["power"]
    e2e.check(value["basis"].startswith("the differences of run ") and 0.1 < value["spread"] < 0.6, f"{value}")


with e2e.scratch() as scratch:
    here = Path(scratch)
    (here / "suite.yml").write_text(suite(["echo:a", "echo:b"]))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=here), 0)
    labels(here)
    power(here)
