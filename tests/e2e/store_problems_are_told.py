#!/usr/bin/env python3
"""A store that cannot be used: its folder, its writer, its bytes. The file is left as it was."""
import fcntl
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2))
    Path(folder, "file").write_text("")
    e2e.expect(e2e.assay("run", "suite.yml", "--store", "file/store.db", cwd=folder), 2, "error: file", "--store")

    Path(folder, "noise.db").write_bytes(b"this is no database " * 1000)
    e2e.expect(e2e.assay("run", "suite.yml", "--store", "noise.db", cwd=folder), 2, "noise.db")
    e2e.check(Path(folder, "noise.db").read_bytes() == b"this is no database " * 1000, "a foreign file was changed")

    e2e.expect(e2e.assay("run", "suite.yml", "--store", "cut.db", cwd=folder), 0)
    whole = Path(folder, "cut.db").read_bytes()
    Path(folder, "cut.db").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    e2e.expect(e2e.assay("run", "suite.yml", "--store", "cut.db", cwd=folder), 2, "cut.db")

    e2e.expect(e2e.assay("run", "suite.yml", "--store", "held.db", cwd=folder), 0)
    with open(Path(folder, "held.db.lock"), "r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        e2e.expect(e2e.assay("run", "suite.yml", "--store", "held.db", cwd=folder), 2, "held.db", "process")
        e2e.expect(e2e.assay("runs", "--store", "held.db", cwd=folder), 0)
    e2e.expect(e2e.assay("runs", "--store", "nothing.db", cwd=folder), 1, "nothing.db")
    e2e.check(not Path(folder, "nothing.db").exists(), "`runs` made a store")
