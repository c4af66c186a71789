#!/usr/bin/env python3
"""examples/infibench-small, graded: what is printed, and the files that come out; `--approve` accepts.

Programs' own messages differ from machine to machine: only which attempts passed is compared."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

NAME = "examples/infibench-small"
MODELS = ("heron-2", "finch-1")
SHOWN = ("{0}.txt", "{0}_table.txt", "{0}_table.csv", "{0}.yaml")
PRINTED = re.compile(r"(?m)^( +result:\n) +- .*\n(?: {8,}.*\n|\n)*")


def copy(folder):
    for file in (e2e.ROOT / NAME).rglob("*"):
        if file.is_file():
            to = Path(folder, NAME, file.relative_to(e2e.ROOT / NAME))
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(file.read_bytes())


def graded(folder):
    answers = [f"{NAME}/responses/{model}" for model in MODELS]
    result = e2e.assay("grade", f"{NAME}/suite.yaml", *answers, cwd=folder)
    if "cannot run here" in result.stderr:
        print("skipped: a runtime of the unit tests is missing; ./dev doctor --install brings it")
        raise SystemExit(77)
    e2e.expect(result, 0)
    parts = {"standard output": e2e.normalised(result.stdout)}
    for model in MODELS:
        for name in SHOWN:
            file = name.format(f"suite_{model}")
            parts[file] = PRINTED.sub(r"\1", Path(folder, "results", file).read_text())
    return "".join(f"=== {name}\n{text}\n" for name, text in parts.items())


with e2e.scratch() as folder:
    copy(folder)
    text = graded(folder)
approved = Path(__file__).parent / "infibench-small.approved"
if "--approve" in sys.argv:
    approved.write_text(text)
elif not approved.exists() or approved.read_text() != text:
    print(f"{approved.name} differs; this was printed:\n{text}")
    sys.exit(1)
