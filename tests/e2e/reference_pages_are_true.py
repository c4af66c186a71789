#!/usr/bin/env python3
"""The pages of docs/reference are what the program's tables say (tests/support/reference_pages.py). With --update, this
script writes them."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import reference_pages  # noqa: E402

with e2e.scratch() as folder:
    def ask(*words):
        result = e2e.assay(*words, cwd=folder)
        e2e.check(result.returncode == 0, " ".join(words), result)
        return result.stdout

    members = (e2e.ROOT / "tests/golden/json_members.txt").read_text().splitlines()
    made = reference_pages.pages(ask, members)

for name, text in made.items():
    path = e2e.ROOT / name
    e2e.check(text.count("\n| ") > 10, f"{name} has no rows: {text[:500]}")
    if "--update" in sys.argv:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    e2e.check(path.exists() and path.read_text() == text, f"{name} differs; run this test with --update")
strangers = {str(path.relative_to(e2e.ROOT)) for path in (e2e.ROOT / "docs/reference").glob("*.md")} - set(made)
e2e.check(not strangers, f"nobody makes {strangers}")
