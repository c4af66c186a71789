#!/usr/bin/env python3
"""Files of results (Inspect, promptfoo, lm-eval, our own lines) are shown, compared and exported like runs: what goes
out comes in again with the same cases, states and scores, without a store; damaged ones are refused."""
import csv
import io
import json
import shutil
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import exported  # noqa: E402

FILES = {"promptfoo": "", "jsonl": "", "inspect": "#echo:b", "lm-eval-samples": "#echo:b"}


def table(name, cwd):
    result = e2e.assay("export", name, "--to", "csv", cwd=cwd)
    e2e.check(result.returncode == 0, f"{name} is exported", result)
    rows = csv.DictReader(io.StringIO(result.stdout))
    return [(row["case"], row["variant"], row["attempt"], row["state"], row["score"]) for row in rows]


def export(folder, form, variant=""):
    e2e.expect(e2e.assay("export", f"latest{variant}", "--to", form, "-o", f"out.{form}", "-q", cwd=folder), 0)


def files_come_in_as_they_went_out(folder, elsewhere):
    want = table("latest", folder)
    for form, variant in FILES.items():
        export(folder, form, variant)
        shutil.copy(folder / f"out.{form}", elsewhere / f"out.{form}")
        mine = [row for row in want if not variant or row[1] == variant[1:]]
        got = table(f"out.{form}", elsewhere)
        if form == "lm-eval-samples":  # names no model
            got = [(case, "echo:b", attempt, state, score) for case, _, attempt, state, score in got]
        e2e.check(sorted(got) == sorted(mine), f"{form}: {got} is not {mine}")


def logs_in_json_and_folders_of_models(elsewhere):
    """A log of Inspect as one JSON file shows what the archive does; lm-eval's folder names the model."""
    with zipfile.ZipFile(elsewhere / "out.inspect") as archive:
        log = json.loads(archive.read("header.json"))
        log["samples"] = [json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("samples/")]
    (elsewhere / "log.json").write_text(json.dumps(log, indent=2))
    e2e.check(table("log.json", elsewhere) == table("out.inspect", elsewhere), "the same in JSON")
    folder = elsewhere / "outputs/meta-llama__Llama-3-8B"
    folder.mkdir(parents=True)
    shutil.copy(elsewhere / "out.lm-eval-samples", folder / "samples_task_2026-11-21T20-40-10.jsonl")
    got = {variant for _, variant, _, _, _ in table(folder / "samples_task_2026-11-21T20-40-10.jsonl", elsewhere)}
    e2e.check(got == {"meta-llama/Llama-3-8B"}, f"the model's name is kept: {got}")


def they_are_shown_and_compared(elsewhere):
    for form in FILES:
        shown = e2e.assay("show", f"out.{form}", cwd=elsewhere)
        e2e.check(shown.returncode == 0 and "on 4 cases" in shown.stdout, f"{form} is shown", shown)
    one = e2e.assay("show", "out.promptfoo", "--case", "plain", cwd=elsewhere)
    e2e.check(one.returncode == 0 and "word4" in one.stdout and "no reply of echo:b" in one.stdout, "a case", one)
    failed = e2e.assay("show", "out.jsonl", "--failed", cwd=elsewhere)
    e2e.check("@cmd" in failed.stdout and "a/b" not in failed.stdout, "what failed", failed)
    value = json.loads(e2e.assay("show", "out.inspect", "--json", "--case", "@cmd", cwd=elsewhere).stdout)
    e2e.check(value["attempts"][0]["score"] == 0 and value["variants"][0]["mean"] == 0.75, f"JSON: {value}")

    pair = e2e.assay("compare", "out.promptfoo#:a", "out.promptfoo#:b", cwd=elsewhere)
    first = pair.stdout.split("\n")[0]
    e2e.check(first.startswith("echo:a and echo:b are not shown to differ: ") and "on 4 cases" in first,
              "compare", pair)
    for words in ([], ["--by-question"]):  # a log of Inspect does not tell the checks, so that both are the same
        across = e2e.assay("compare", "out.jsonl#:a", "out.inspect", *words, cwd=elsewhere)
        e2e.check(across.returncode == 0 and "on 4 cases" in across.stdout, "two formats", across)
        e2e.check("compared by their questions alone" in across.stdout, "it is told", across)


def a_file_is_a_base(folder):
    same = e2e.assay("show", "latest", "--fail-on-regression", "out.jsonl", cwd=folder)
    e2e.expect(same, 0, "echo:a against out.jsonl: No regression shown")
    # Our own lines know what a case was: a changed rubric is another case.
    text = (folder / "suite.yml").read_text()
    (folder / "suite.yml").write_text(text.replace("$contains: word1", "$icontains: word1"))
    e2e.assay("run", "suite.yml", "-q", cwd=folder)
    other = e2e.assay("compare", "latest#:a", "out.jsonl#:a", cwd=folder)
    e2e.check("1 case changed, not compared: @cmd" in other.stdout, "a changed rubric", other)


def what_is_no_result_is_refused(elsewhere):
    archive = (elsewhere / "out.inspect").read_bytes()
    (elsewhere / "cut.eval").write_bytes(archive[:-30])
    (elsewhere / "text.txt").write_text("hello")
    (elsewhere / "lines.jsonl").write_text((elsewhere / "out.jsonl").read_text() + "{\n")
    (elsewhere / "old.json").write_text('{"results": {"version": 2, "prompts": [], "results": []}}')
    with zipfile.ZipFile(elsewhere / "empty.eval", "w") as log:
        log.writestr("header.json", '{"eval": {"model": "m", "task": "t"}}')
    for name, fragment in (("cut.eval", "expected a whole ZIP archive"), ("text.txt", "is no file of results"),
                           ("lines.jsonl", "line 11: "), ("old.json", "expected results of version 3, found 2"),
                           ("empty.eval", "expected results, found none"), ("nothing", "nothing")):
        e2e.expect(e2e.assay("compare", name, "out.jsonl", cwd=elsewhere), 1, fragment)
        e2e.expect(e2e.assay("show", name, cwd=elsewhere), 1)


def pairs_are_limited(elsewhere):
    """A table has a place for each case and variant, so that 3 MB of lines could ask for gigabytes."""
    first = json.loads((elsewhere / "out.jsonl").read_text().splitlines()[0])
    lines = [json.dumps({**first, "case": f"c{i}", "variant": f"echo:{i}"}) for i in range(5000)]
    (elsewhere / "wide.jsonl").write_text("\n".join(lines) + "\n")
    e2e.expect(e2e.assay("show", "wide.jsonl", cwd=elsewhere), 1,
               "5000 cases x 5000 variants are more than 20000000 pairs")


with e2e.scratch() as one_place, e2e.scratch() as another:
    exported.run(Path(one_place))
    files_come_in_as_they_went_out(Path(one_place), Path(another))
    logs_in_json_and_folders_of_models(Path(another))
    they_are_shown_and_compared(Path(another))
    a_file_is_a_base(Path(one_place))
    what_is_no_result_is_refused(Path(another))
    pairs_are_limited(Path(another))
