#!/usr/bin/env python3
"""csv and jsonl say what each answer took and where it belongs: seconds, cost, tokens, parameters, group. items-csv has
a row for each test, keyword and blank of a check."""
import csv
import io
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """id: took
models: [{model: "openai:gpt-6-luna", parameters: {seed: 1}}, {model: "openai:gpt-6-luna", parameters: {seed: 2}}]
prompts:
  - {id: one, prompt: "say word alpha", cluster: spring, should: [$icontains: alpha]}
  - {id: two, prompt: "say word beta", should: [$icontains: beta]}
"""
def rows_of(folder, kind):
    done = e2e.assay("export", "latest", "--to", kind, cwd=folder)
    e2e.expect(done, 0)
    return list(csv.DictReader(io.StringIO(done.stdout))) if kind.endswith("csv") else \
        [json.loads(line) for line in done.stdout.splitlines()]


with e2e.scratch() as scratch, MockServer(delay=0.05) as mock:
    folder = Path(scratch, "took")
    folder.mkdir()
    (folder / "suite.yml").write_text(SUITE)
    env = {"OPENAI_API_KEY": "sk-0123456789", "OPENAI_BASE_URL": f"{mock.url}/v1"}
    e2e.expect(e2e.assay("run", "suite.yml", "-q", cwd=folder, env=env), 0)
    table = rows_of(folder, "csv")
    e2e.check(len(table) == 4, f"a row for each answer: {table}")
    for row in table:
        e2e.check(float(row["seconds"]) >= 0.05, f"seconds: {row}")
        e2e.check(float(row["cost_usd"]) > 0, f"cost: {row}")
        e2e.check(int(row["input_tokens"]) > 0 and int(row["output_tokens"]) > 0, f"tokens: {row}")
    seeds = {json.loads(row["parameters"])["extra"]["seed"] for row in table}
    e2e.check(seeds == {1, 2}, f"parameters: {seeds}")
    groups = [(row["case"], row["cluster"]) for row in table]
    e2e.check(set(groups) == {("one", "spring"), ("two", "")}, f"cluster: {groups}")
    lines = [line for line in rows_of(folder, "jsonl") if "case" in line and "score" in line]
    e2e.check(len(lines) == 4, f"a line for each answer: {len(lines)}")
    for line, row in zip(lines, table):
        e2e.check(line["case"] == row["case"] and line["variant"] == row["variant"], "the same order")
        e2e.check(abs(line["seconds"] - float(row["seconds"])) < 1e-6, f"seconds: {line['seconds']}")
        e2e.check(abs(line["cost_usd"] - float(row["cost_usd"])) < 1e-9, f"cost: {line['cost_usd']}")
        e2e.check(line["parameters"] == json.loads(row["parameters"]), f"parameters: {line['parameters']}")

    graded = Path(scratch, "items")
    shutil.copytree(e2e.ROOT / "examples/infibench-small", graded)
    sets = sorted(path.relative_to(graded) for path in (graded / "responses").iterdir())
    e2e.assay("grade", "suite.yaml", *sets, "-q", cwd=graded)
    items = rows_of(graded, "items-csv")
    kinds = {row["kind"] for row in items}
    e2e.check({"keywords", "blank_filling", "unit_test"} <= kinds, f"tests, keywords and blanks have rows: {kinds}")
    checks = rows_of(graded, "check-csv")
    for check in checks:
        own = [row for row in items
               if all(row[name] == check[name] for name in ("case", "variant", "attempt", "check"))]
        if check["kind"] in ("keywords", "blank_filling", "unit_test"):
            e2e.check(own, f"a row for each item of {check}")
        for row in own:
            e2e.check(row["wanted"] and 0 <= float(row["share"]) <= 1, f"what was wanted: {row}")
