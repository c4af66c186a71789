#!/usr/bin/env python3
"""A run of the agent is told by its store, not by today's agent: what was said is stored, what shaped the run too, and
a run of another version is never a damaged store."""
import json
import shutil
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

NOTE = "another version of assay made some of the answers"


def change(folder, statement):
    """Writes to the store by another way; it counts as the user's own again, so that nothing else differs."""
    with sqlite3.connect(Path(folder, ".assay/store.db")) as store:
        rows = store.execute(statement).fetchall()
    store.close()
    e2e.expect(e2e.adopt(cwd=folder), 0)
    return rows


def told(folder):
    """Every cell with all its words, the page, and what stands on standard error."""
    exported = e2e.assay("export", "latest", "--to", "jsonl", cwd=folder)
    e2e.expect(exported, 0)
    page = e2e.assay("export", "latest", "--to", "html", cwd=folder)
    e2e.expect(page, 0)
    e2e.check("damaged" not in exported.stderr + page.stderr, "a store that is whole", exported)
    return [json.loads(line) for line in exported.stdout.splitlines()], e2e.page_text(page.stdout), exported.stderr


with e2e.scratch() as scratch:
    shutil.copy(e2e.ROOT / "assay.toml", scratch)
    shutil.copytree(e2e.ROOT / "examples/research-agent", Path(scratch, "examples/research-agent"))
    ran = e2e.assay("run", "examples/research-agent/matrix.toml", "--offline", "--pass-at", "0.75", cwd=scratch)
    e2e.expect(ran, 0)
    (generators, spec), = change(scratch, "SELECT generators, spec FROM run")
    e2e.check(json.loads(generators) == {"agent_turn": 2}, f"the run says with which generators: {generators}")
    e2e.check(json.loads(spec)["pass_at"] == 0.75, f"the run says what shaped it: {spec}")
    (cells, kept), = change(scratch, "SELECT count(*), count(transcript) FROM score")
    e2e.check(cells > 0 and kept == cells, f"{kept} of {cells} answers are stored in words")
    made, page, notes = told(scratch)
    e2e.check(NOTE not in notes, "nothing is missing of a run of today")

    # Another version of the agent made it: what is stored is read.
    change(scratch, "UPDATE run SET generators = '{\"turn\":99}'")
    e2e.check(told(scratch) == (made, page, notes), "a run of another version is what it was")

    # Nothing was stored: scores, states and calls stay, and so do the words of the last replies.
    change(scratch, "UPDATE score SET transcript = NULL")
    later, _, notes = told(scratch)
    e2e.check(NOTE in notes, "what is told in part is said to be")
    for cell, was in zip(later, made, strict=True):
        for name in ("state", "score", "points", "answer", "error"):
            e2e.check(cell[name] == was[name], f"{name} of {cell['case']} is {cell[name]!r}, it was {was[name]!r}")

    # How the run was shaped is its own, not that of its words.
    change(scratch, "UPDATE run SET source = 'not a command', generators = '{\"turn\":1}'")
    shown = e2e.assay("export", "latest", "--to", "junit", cwd=scratch)
    e2e.expect(shown, 0)
    e2e.check("0.75" in shown.stdout, "the pass mark of the run", shown)
    shown = e2e.assay("show", "latest", "--json", cwd=scratch)
    e2e.expect(shown, 0)
    change(scratch, "UPDATE run SET spec = '{\"pass_at\":7}'")
    broken = e2e.assay("show", "latest", cwd=scratch)
    e2e.check(broken.returncode == 2 and "cannot be read" in broken.stderr, "a spec nobody wrote is damage", broken)
print(f"{cells} cells")
