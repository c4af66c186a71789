#!/usr/bin/env python3
"""Answers to a blueprint in a store of 0.3.0 are found again, and nothing is asked. Where the research agent or judges
are asked in other words now, the run says so."""
import hashlib
import re
import shutil
import sqlite3
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

STORES = e2e.ROOT / "tests/data/stores"


def unpack(name, folder):
    (folder / ".assay").mkdir(parents=True)
    with zipfile.ZipFile(STORES / f"{name}.db.zip") as packed:
        (folder / ".assay/store.db").write_bytes(packed.read(packed.namelist()[0]))
    return folder


def as_asked(store):
    """What was recorded becomes what a service of 0.3.0's run answered: requests without the recording's name, which a
    key is the digest of."""
    database = sqlite3.connect(store)
    for number, request in database.execute("SELECT id, request FROM exchange").fetchall():
        text = re.sub(rb',"source":"replay:[^"]*"', b"", bytes(request)).replace(b'"demo"', b'"openai"')
        database.execute("UPDATE exchange SET request = ?, key = ? WHERE id = ?",
                         (text, hashlib.sha256(text).digest(), number))
    database.commit()
    database.close()


with e2e.scratch() as scratch:
    root = Path(scratch)

    blueprint = unpack("blueprint.13", root / "blueprint")
    as_asked(blueprint / ".assay/store.db")
    suite = (e2e.ROOT / "examples/pushback/pushback.yml").read_text()
    suite = re.sub(r"openrouter:google/[\w.-]+", "openrouter:google/gemini-2.5-flash", suite)
    suite = re.sub(r"openrouter:openai/[\w.-]+", "openrouter:openai/gpt-4.1-mini", suite)
    (blueprint / "suite.yml").write_text(suite.replace("demo:", "openai:"))
    told = e2e.assay("run", "suite.yml", "--offline", "--json", cwd=blueprint)
    found = e2e.one_run(told)
    e2e.check(found["requests_sent"] == 0, f"0.3.0: nothing is sent: {found}")
    e2e.check(all(each["errors"] == 0 for each in found["variants"]), f"0.3.0: answers are found: {found['variants']}")
    # Judges are asked in other words since: the run says so, and `cache explain` what differs.
    e2e.check("assay 0.3.0 asked judges in other words" in told.stderr, "why verdicts are not found", told)
    explained = e2e.assay("cache", "explain", "latest", cwd=blueprint)
    e2e.check("judge: not answered before, and not asked" in explained.stdout and
              "differs from the nearest request, of run 20261125T002959" in explained.stdout, "the nearest", explained)
    again = e2e.assay("run", "suite.yml", "--offline", cwd=blueprint)
    e2e.check("in other words" not in again.stderr, "it is said once", again)

    agent = unpack("agent.14", root / "agent")
    with sqlite3.connect(agent / ".assay/store.db") as database:  # the agent as 0.3.0 had it
        database.execute("UPDATE run SET assay_version = '0.3.0', generators = '{\"agent_turn\":1}'")
    database.close()
    shutil.copytree(e2e.ROOT / "examples/research-agent", agent / "examples/research-agent")
    told = e2e.assay("run", "examples/research-agent/matrix.toml", cwd=agent)
    e2e.expect(told, 0, "numbered documents over the whole run", "are requested again")
    again = e2e.assay("run", "examples/research-agent/matrix.toml", "--fresh", cwd=agent)
    e2e.check("numbered documents" not in again.stderr, "it is said once", again)
