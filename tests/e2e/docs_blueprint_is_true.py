#!/usr/bin/env python3
"""docs/blueprint.md: every snippet is read without a problem, every function is named.
docs/judging.md: the scale is the program's.

A block ```yaml or ```json is a whole file; `yaml points` is a list of points; `yaml finds CODE` is a file in which that
is found; `yaml fixtures` serves the file before it."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

PAGE = (e2e.ROOT / "docs/blueprint.md").read_text()
BLOCK = re.compile(r"^```(yaml|json)(?: (\w+)(?: (\S+))?)?\n(.*?)^```$", re.M | re.S)
STEP = re.compile(r'\{"CLASS_(\w+)", ([0-9.]+), "([^"]+)"\}')


def read_without_a_problem(path):
    result = e2e.assay("check", path.name, "-m", "echo:a", cwd=path.parent)
    e2e.expect(result, 0)
    e2e.check("; 0 warnings" in result.stdout, f"expected no warning for\n{path.read_text()}", result)


# What snippets name beside themselves.
FILES = {"chart.png": b"\x89PNG\r\n\x1a\n", "a.png": b"\x89PNG\r\n\x1a\n",
         "report.pdf": b"%PDF-1.4", "remark.wav": b"RIFF\4\0\0\0WAVE"}

with e2e.scratch() as folder:
    for name, content in FILES.items():
        Path(folder, name).write_bytes(content)
    counts = {}
    for number, (language, kind, code, text) in enumerate(BLOCK.findall(PAGE)):
        counts[kind] = counts.get(kind, 0) + 1
        path = Path(folder, f"snippet-{number}.{'json' if language == 'json' else 'yml'}")
        if kind == "points":
            text = "prompt: q\nshould:\n" + re.sub("^", "  ", text, flags=re.M)
        path.write_text(text)
        if kind == "finds":
            result = e2e.assay("check", path.name, "-m", "echo:a", cwd=folder)
            e2e.check(f"[{code}]" in result.stderr, f"expected {code} in\n{text}", result)
        elif kind == "fixtures":
            result = e2e.assay("run", before.name, "--fixtures", path.name, "--fixtures-strict", cwd=folder)
            e2e.expect(result, 0)
        else:
            read_without_a_problem(path)
        before = path
    e2e.check(counts.get("", 0) > 8 and counts["points"] > 8 and counts["finds"] > 1, f"snippets are missing: {counts}")

    rows = json.loads(e2e.assay("list", "checks", "--json", cwd=folder).stdout)
    rows = [row for row in rows if "dialect" not in row]
    missing = [row["name"] for row in rows if row["name"] != "judge" and not re.search(rf"\${row['name']}\b", PAGE)]
    e2e.check(not missing, f"docs/blueprint.md shows no {missing}")

judging = (e2e.ROOT / "docs/judging.md").read_text()
steps = STEP.findall((e2e.ROOT / "src/checks/judge/reading/scale.cc").read_text())
e2e.check(len(steps) == 10, f"expected the ten steps of the scale, found {len(steps)}")
for name, score, meaning in steps:
    e2e.check(f"| {name} | {score} | {meaning} |\n" in judging, f"docs/judging.md differs from the program in {name}")
