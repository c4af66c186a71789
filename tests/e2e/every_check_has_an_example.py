#!/usr/bin/env python3
"""examples/every-function holds each row of `assay list checks`; the examples of the table itself are right."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

EXAMPLE = e2e.ROOT / "examples/every-function/every-function.yml"

with e2e.scratch() as folder:
    rows = json.loads(e2e.assay("list", "checks", "--json", cwd=folder).stdout)
    rows = [row for row in rows if "dialect" not in row]  # kinds of grading that only other formats name
    e2e.check(len(rows) > 40, f"expected the table of checks, found {len(rows)} rows")
    read = json.loads(e2e.assay("check", EXAMPLE, "--json", cwd=folder).stdout)
    used = set()
    for prompt in read["prompts"]:
        points = prompt.get("points", []) + prompt.get("should_not", [])
        flat = [leaf for point in points for leaf in (point if isinstance(point, list) else [point])]
        used |= {leaf.get("fn", "judge") for leaf in flat}
    used.add("unit_test")  # examples/humaneval-like: it needs a sandbox and Python
    missing = [row["name"] for row in rows if row["name"] not in used]
    e2e.check(not missing, f"{EXAMPLE.name} lacks {missing}; add a point, a reply in fixtures.yml, and record again")

    rows = [row for row in rows if row["name"] != "unit_test" or shutil.which("python3")]
    points = [row["example"] if row["example"].startswith("- ") else f"- {row['example']}" for row in rows]
    suite = Path(folder, "examples.yml")
    suite.write_text("prompt: What is the capital of France?\nshould:\n" + "".join(f"  {p}\n" for p in points))
    result = e2e.assay("check", suite, "-m", "echo:a", cwd=folder)
    e2e.expect(result, 0)
    e2e.check("; 0 warnings" in result.stdout, "an example of the table is not right", result)
