#!/usr/bin/env python3
"""docs/infibench.md and docs/authoring-infibench.md: every snippet is read without a problem.

`yaml suite` and `yaml case` are whole files; `yaml grading` stands below `grading:` of a case; `yaml finds CODE` is
such a part in which that is found; `yaml responses` is a params.yaml. The blocks ```python are the handlers."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

GUIDE = (e2e.ROOT / "docs/authoring-infibench.md").read_text()
PAGE = (e2e.ROOT / "docs/infibench.md").read_text()
BLOCK = re.compile(r"^```yaml (\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
HANDLER = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
ABOUT = "id: half\nprompt_path: half.prompt.txt\ntype: code completion\nlang: python\n"
SUITE = "cases:\n- cases/half.yaml\n"


def write(folder, path, text):
    path = Path(folder, path)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def read_without_a_problem(folder, text):
    result = e2e.assay("check", "suite.yaml", cwd=folder)
    e2e.expect(result, 0)
    e2e.check("; 0 warnings" in result.stdout, f"expected no warning for\n{text}", result)


def run_snippet(folder, kind, code, text):
    write(folder, "suite.yaml", text if kind == "suite" else SUITE)
    write(folder, "cases/half.yaml", ABOUT + "grading:\n  keywords: [a]\n")
    if kind == "case":
        write(folder, "cases/half.yaml", text)
    elif kind in ("grading", "finds"):
        write(folder, "cases/half.yaml", ABOUT + "grading:\n" + re.sub("^(?=.)", "  ", text, flags=re.M))
    if kind == "finds":
        result = e2e.assay("check", "suite.yaml", cwd=folder)
        e2e.check(f"[{code}]" in result.stderr, f"expected {code} in\n{text}", result)
    elif kind == "responses":
        for name in re.findall(r"\w[\w-]*\.txt", text):
            write(folder, f"answers/{name}", "b")
        write(folder, "answers/params.yaml", text.replace("undo-commit.yaml", "half.yaml"))
        e2e.expect(e2e.assay("grade", "suite.yaml", "answers", cwd=folder), 0)
    else:
        read_without_a_problem(folder, text)


with e2e.scratch() as folder:
    write(folder, "cases/handlers.py", "\n".join(HANDLER.findall(GUIDE)))
    write(folder, "cases/half.prompt.txt", "Write a function `half(x)`.\n")
    write(folder, "cases/third.yaml", ABOUT.replace("id: half", "id: third") + "grading:\n  keywords: [b]\n")
    counts = {}
    for kind, code, text in BLOCK.findall(PAGE) + BLOCK.findall(GUIDE):
        counts[kind] = counts.get(kind, 0) + 1
        run_snippet(folder, kind, code, text)
    wanted = {"suite": 1, "case": 1, "grading": 8, "finds": 3, "responses": 1}
    few = {kind: least for kind, least in wanted.items() if counts.get(kind, 0) < least}
    e2e.check(not few, f"snippets are missing: {few}")
    e2e.check(not re.search(r"^```yaml\n", PAGE + GUIDE, re.M), "a snippet says no kind")

