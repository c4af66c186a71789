#!/usr/bin/env python3
"""Exports are what their formats say, as the standard library reads them: numbers agree with the run, foreign text is
escaped, a spreadsheet takes no text for a formula, failures, errors and skipped cases are apart."""
import csv
import io
import json
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import exported  # noqa: E402


def export(folder, form, run="latest", code=0):
    result = e2e.assay("export", run, "--to", form, "-o", f"out.{form}", "-q", cwd=folder)
    e2e.expect(result, code)
    return folder / f"out.{form}"


def tables(folder, cells):
    text = export(folder, "csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    e2e.check(len(rows) == len(cells), f"{len(rows)} lines for {len(cells)} cells")
    for row, cell in zip(rows, cells):
        shown = "'" + cell["case"] if cell["case"][0] in "=+-@" else cell["case"]
        want = {"case": shown, "variant": cell["variant"], "state": cell["state"]}
        e2e.check({key: row[key] for key in want} == want, f"{row} is not {want}")
        e2e.check((float(row["score"]) if row["score"] else None) == cell["score"], f"score: {row}")
    answers = list(csv.DictReader(io.StringIO(export(folder, "answers-csv").read_text())))
    formula = next(row for row in answers if row["case"] == "'=1+1" and row["variant"] == "echo:a")
    e2e.check(formula["answer"] == "'=HYPERLINK(\"x\"),\nword0", f"a formula: {formula}")
    checks = list(csv.DictReader(io.StringIO(export(folder, "check-csv").read_text())))
    e2e.check(all(row["state"] == "scored" and float(row["max"]) == 1 for row in checks), f"checks: {checks[:2]}")
    e2e.check(len(checks) == 2 * sum(cell["state"] == "scored" for cell in cells), f"{len(checks)} checks")


def lines_are_objects(folder, cells):
    lines = [json.loads(line) for line in export(folder, "jsonl").read_text().splitlines()]
    e2e.check([(x["case"], x["variant"], x["state"], x["score"]) for x in lines]
              == [(x["case"], x["variant"], x["state"], x["score"]) for x in cells], "the lines are the cells")
    first = lines[0]
    e2e.check(first["messages"][0] == {"role": "user", "content": "say word0"}, f"messages: {first['messages']}")
    e2e.check(first["points"][0]["kind"] == "contains" and first["passed"] is True, f"points: {first['points']}")


def junit(folder, cells):
    root = ElementTree.parse(export(folder, "junit")).getroot()
    counted = {name: int(root.get(name)) for name in ("tests", "failures", "errors", "skipped")}
    scored = [cell for cell in cells if cell["state"] == "scored"]
    failed = [cell for cell in scored if cell["score"] < 0.5]
    e2e.check(counted == {"tests": len(cells), "failures": len(failed), "errors": len(cells) - len(scored),
                          "skipped": 0}, f"counts: {counted}")
    tests = root.findall("testsuite/testcase")
    e2e.check(len(root.findall("testsuite")) == 2 and len(tests) == len(cells), "a suite a variant, a test a case")
    for kind in ("failure", "error"):
        e2e.check(len(root.findall(f".//{kind}")) == counted[kind + "s"], f"{kind}s are {kind}s")
    e2e.check(all(test.find("properties/property[@name='attempts']").get("value") == "1" for test in tests), "attempts")
    e2e.check(any(test.get("name") == "<&\"'\ufffd>" for test in tests), f"names: {[t.get('name') for t in tests]}")


def markdown(folder):
    for form in ("markdown", "github-summary"):
        text = export(folder, form).read_text()
        e2e.check("| rank | variant | mean | 95 % |" in text, f"{form}: {text}")
        e2e.check("Failed: 2 (they do not pass, or are errors)" in text, f"{form}: {text}")
        e2e.check("# Formats \\& more" in text and "| plain | echo:b | error |" in text, f"escaped: {text}")


def promptfoo(folder, cells):
    value = json.loads(export(folder, "promptfoo").read_text())
    results = value["results"]
    e2e.check(results["version"] == 3 and len(results["prompts"]) == 2, "version 3")
    e2e.check([x["score"] for x in results["results"]] == [x["score"] or 0 for x in cells], "scores")
    stats = results["stats"]
    e2e.check(stats["successes"] + stats["failures"] + stats["errors"] == len(cells), f"stats: {stats}")
    e2e.check(stats["errors"] == sum(cell["state"] != "scored" for cell in cells), f"stats: {stats}")


def one_variant(folder, cells):
    for form in ("inspect", "lm-eval", "lm-eval-samples"):
        e2e.expect(e2e.assay("export", "latest", "--to", form, cwd=folder), 1, "holds one variant", "echo:b")
    mine = [cell for cell in cells if cell["variant"] == "echo:b"]
    with zipfile.ZipFile(export(folder, "inspect", "latest#:b")) as log:
        e2e.check(log.testzip() is None, "the archive is whole")
        header = json.loads(log.read("header.json"))
        e2e.check(header["eval"]["model"] == "echo/b", f"{header}")
        e2e.check(header["results"]["total_samples"] == len(mine), f"{header}")
        summaries = json.loads(log.read("summaries.json"))
        samples = [json.loads(log.read(name)) for name in log.namelist() if name.startswith("samples/")]
    for sample, summary, cell in zip(samples, summaries, mine):
        got = sample.get("scores", {}).get("assay", {}).get("value")
        e2e.check((sample["id"], got) == (cell["case"], cell["score"]), f"{sample}")
        e2e.check(summary["id"] == sample["id"], f"{summary}")
        e2e.check(("error" in sample) == (cell["state"] == "error"), f"errors are told: {sample}")
    results = json.loads(export(folder, "lm-eval", "latest#:b").read_text())["results"]["formats"]
    scores = [cell["score"] for cell in mine if cell["score"] is not None]
    e2e.check(abs(results["score,none"] - sum(scores) / len(scores)) < 1e-12, f"{results}")
    lines = [json.loads(x) for x in export(folder, "lm-eval-samples", "latest#:b").read_text().splitlines()]
    e2e.check([line.get("score") for line in lines] == [cell["score"] for cell in mine], f"{lines}")


def attempts_are_properties():
    with e2e.scratch() as name:
        folder = Path(name)
        exported.run(folder, "--attempts", "3")
        root = ElementTree.parse(export(folder, "junit")).getroot()
        test = root.find("testsuite/testcase")
        got = {each.get("name"): each.get("value") for each in test.findall("properties/property")}
        e2e.check(got == {"attempts": "3", "passed": "3", "scores": "1 1 1", "score": "1"}, f"{got}")


with e2e.scratch() as scratch:
    here = Path(scratch)
    shown = exported.run(here)
    tables(here, shown)
    lines_are_objects(here, shown)
    junit(here, shown)
    markdown(here)
    promptfoo(here, shown)
    one_variant(here, shown)
attempts_are_properties()
