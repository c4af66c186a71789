#!/usr/bin/env python3
"""assay calibrate --draw: the list that people fill in, and what its labels say; labels that somebody picked are found
out, whatever their file says; how far each judge is from the labels."""
import csv
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

CASES = 48
FAILED = 16
SUITE = "title: Words\nid: words\nmodels: [echo:a]\nprompts:\n" + "".join(
    f"  - {{id: q{i}, prompt: say word{i}, should: [$contains: {'never' if i < FAILED else f'word{i}'}]}}\n"
    for i in range(CASES))
JUDGED = "title: Judged\nid: judged\nmodels: [echo:a]\nprompts:\n" + "".join(
    f"  - {{id: q{i}, prompt: say word{i}, should: [Says the word.], should_not: [Says too much.]}}\n"
    for i in range(CASES))


def truth(case):
    """People give half to what failed, and agree with the rest: 83 in all."""
    return 0.5 if int(case[1:]) < FAILED else 1


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def calibrate(folder, rows, *words, run="latest"):
    write(folder / "labels.csv", rows)
    result = e2e.assay("calibrate", run, "--labels", "labels.csv", *words, cwd=folder)
    e2e.check(result.returncode == 0, "calibrate ends well", result)
    return json.loads(result.stdout)[0] if "--json" in words else result.stdout


def draws(folder):
    drawn = e2e.assay("calibrate", "latest", "--draw", "12", "-o", "drawn.csv", cwd=folder)
    e2e.expect(drawn, 0)
    e2e.check("12 answers of 48, drawn from 2 strata" in drawn.stderr and
              "assay calibrate latest --labels drawn.csv" in drawn.stderr, "what to do with the list", drawn)
    text = (folder / "drawn.csv").read_text()
    rows = rows_of(text)
    e2e.check(len(rows) == 12 and all(row["label"] == "" for row in rows), "an empty column label", drawn)
    e2e.check(all(row["answer"] == row["question"] for row in rows), "the words", drawn)
    e2e.check("score" not in rows[0] and "model" not in rows[0], "nothing of what judges gave", drawn)
    e2e.check(e2e.assay("calibrate", "latest", "--draw", "12", cwd=folder).stdout == text, "the same draw again")
    other = e2e.assay("calibrate", "latest", "--draw", "12", "--seed", "1", cwd=folder)
    e2e.check(other.stdout != text and "s1-answer-" in other.stdout, "another seed", other)
    more = rows_of(e2e.assay("calibrate", "latest", "--draw", "30", cwd=folder).stdout)
    e2e.check({row["unit"] for row in rows} <= {row["unit"] for row in more}, "a longer draw has the shorter one")

    # A list that is there may have labels.
    e2e.expect(e2e.assay("calibrate", "latest", "--draw", "12", "-o", "drawn.csv", cwd=folder), 1, "exists already")
    e2e.check((folder / "drawn.csv").read_text() == text, "it is not overwritten")
    e2e.expect(e2e.assay("calibrate", "latest", "--draw", "12", "--labels", "drawn.csv", cwd=folder), 1, "use one")
    e2e.expect(e2e.assay("calibrate", "latest", "--draw", "0", cwd=folder), 1, "--draw")
    e2e.expect(e2e.assay("calibrate", "latest", "--draw", "12", "--json", cwd=folder), 1, "leave out --json")
    e2e.expect(e2e.assay("calibrate", "latest", "--labels", "drawn.csv", "-o", "x", cwd=folder), 1, "leave it out")
    e2e.expect(e2e.assay("calibrate", "latest", "--labels", "drawn.csv", cwd=folder), 1, "no line has a label")
    return rows


def fills_in(folder, rows):
    for row in rows:
        row["label"] = truth(row["case"])
    told = calibrate(folder, rows, "--json")
    e2e.check((told["mode"], told["labels"], told["others"]) == ("drawn", 12, 36), f"drawn: {told}")
    e2e.check(abs(told["estimate"] - (1 - FAILED / CASES / 2)) < 1e-9, f"the truth: {told}")
    e2e.check((told["interval"], told["why"]) == (None, "no_spread"), f"people agree within each stratum: {told}")
    said = calibrate(folder, rows)
    e2e.check(said.startswith("Humans would give 83 (no spread, so no interval)")
              and "from 12 drawn labels; the judges gave 67" in said
              and "blindly" not in said, f"the sentence: {said}")
    bare = [{name: row[name] for name in ("case", "variant", "label")} for row in rows]
    e2e.check(calibrate(folder, bare, "--json")["mode"] == "drawn", "the draw is seen without its marks")
    e2e.check("if they were picked blindly" in calibrate(folder, bare, "--seed", "1"), "it is none by another seed")
    half = calibrate(folder, rows[:1], "--json")
    e2e.check((half["estimate"], half["why"]) == (None, "few_labels"), f"a draw that has just begun: {half}")
    rows[3]["label"] = "skip"
    skipped = calibrate(folder, rows)
    e2e.check("1 of 12 was skipped" in skipped, f"cannot tell: {skipped}")


def picks(folder, drawn):
    """Who labels the failures, the natural thing, is told nothing of all answers."""
    cells = rows_of(e2e.assay("export", "latest", "--to", "csv", cwd=folder).stdout)
    for number, row in enumerate(cells):
        row["label"] = 0.45 + 0.1 * (number % 2) if float(row["score"]) < 0.5 else ""
    said = calibrate(folder, cells)
    e2e.check("Humans would give" not in said and said.startswith(
        "The judges gave the answers of these 16 labels a mean of 0, and all answers a mean of 67. The numbers below "
        "hold for such answers only."), f"failures alone: {said}")
    e2e.check("--draw 60` draws answers that represent all of them." in said and "agreement with the labels" in said,
              f"what to do, and the agreement: {said}")
    told = calibrate(folder, cells, "--json")
    e2e.check(told["estimate"] is None and told["interval"] is None and told["bias"] is None and
              told["why"] == "not_like_the_rest" and told["p_like"] < 0.001, f"no number either: {told}")

    # The same with the marks of a draw, on every line: of another line's unit, or without a unit.
    marked = [row | {"draw": drawn[0]["draw"]} for row in cells]
    said = calibrate(folder, marked)
    e2e.check(said.startswith("The file says that its labels were drawn, and they are not where the draw begins. ")
              and "Humans would give" not in said, f"found out: {said}")
    whole = rows_of(e2e.assay("calibrate", "latest", "--draw", CASES, cwd=folder).stdout)
    for row in whole:
        row["label"] = truth(row["case"]) if int(row["case"][1:]) < FAILED else ""
    said = calibrate(folder, whole)
    e2e.check("Humans would give" not in said and "not where the draw begins" in said, f"picked of a draw: {said}")
    for row in whole:
        row["draw"] = "s0-answer-0123456789"
    said = calibrate(folder, whole)
    e2e.check("Humans would give" not in said and "the scores changed after the draw" in said, f"other strata: {said}")

    # Picked without a look at the scores: the sentence says on what it depends.
    for number, row in enumerate(cells):
        row["label"] = truth(row["case"]) if number % 3 == 0 else ""
    said = calibrate(folder, cells)
    e2e.check("from 16 labels, if they were picked blindly; the judges gave 67" in said, f"blindly: {said}")

    for row in cells:
        row["label"] = truth(row["case"])
    said = calibrate(folder, cells)
    e2e.check(said.startswith("Humans would give 83") and "from labels of all 48 answers" in said, f"all: {said}")


def refuses(folder):
    for label, meant in (("85%", "write 0.85"), ("yes", "write 1"), ("no", "write 0"), ("85", "write 0.85 if")):
        (folder / "wrong.csv").write_text(f"case,variant,label\nq0,echo:a,1\nq1,echo:a,{label}\n")
        e2e.expect(e2e.assay("calibrate", "latest", "--labels", "wrong.csv", cwd=folder), 1, "wrong.csv: line 3: ",
                   meant)


def verdict(text):
    """Two judges: one finds everything met, the other only what has an even number."""
    if "CLASS_EXACT" not in text:
        return text.removeprefix("say ")
    return "<reflection>So.</reflection><classification>CLASS_EXACT</classification>"


def judges(folder):
    with MockServer(answer=verdict) as mock:
        run = e2e.assay("run", "judged.yml", f"--base-url=openai={mock.url}/v1", "--judge", "openai:kind",
                        "--judge", "openai:other", cwd=folder, env={"OPENAI_API_KEY": "sk-test"})
        e2e.expect(run, 0)
    drawn = rows_of(e2e.assay("calibrate", "latest", "--draw", "20", cwd=folder).stdout)
    e2e.check(len(drawn) == 20 and {row["check"] for row in drawn} == {"1", "2"}, f"verdicts: {drawn[0]}")
    e2e.check({row["criterion"] for row in drawn} == {"Says the word.", "should not: Says too much."}, f"{drawn[0]}")
    for row in drawn:
        row["label"] = 1 if row["check"] == "1" else 0
    told = calibrate(folder, drawn, "--json")
    e2e.check(told["mode"] == "drawn" and told["judge_mean"] == 0.5 and told["estimate"] == 0.5, f"{told}")
    names = [judge["judge"] for judge in told["judges"]]
    e2e.check(names[0] is None and len(names) == 3, f"each judge: {names}")
    e2e.check(all(judge["same_band"] == 1 and judge["distance"] == 0 for judge in told["judges"]), f"{told['judges']}")
    met = sum(1 for row in drawn if row["check"] == "1")
    e2e.check(told["judges"][1]["confusion"] == [[20 - met, 0, 0], [0, 0, 0], [0, 0, met]], f"{told['judges'][1]}")
    e2e.check(told["nearest"]["is_shown"] is False, f"{told['nearest']}")
    said = calibrate(folder, drawn)
    e2e.check("all judges together" in said and "Nearest to the labels: " in said and "labels ↓, judges →" in said,
              f"the tables: {said}")


with e2e.scratch() as scratch:
    here = Path(scratch)
    (here / "suite.yml").write_text(SUITE)
    (here / "judged.yml").write_text(JUDGED)
    e2e.expect(e2e.assay("run", "suite.yml", cwd=here), 0)
    drawn_rows = draws(here)
    fills_in(here, [dict(row) for row in drawn_rows])
    picks(here, drawn_rows)
    refuses(here)
    judges(here)
