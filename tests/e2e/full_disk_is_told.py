#!/usr/bin/env python3
"""A disk that fills up: a clear message, no torn file, and the run goes on once there is space."""
import os
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

def on_small_disk(folder, megabytes):
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], capture_output=True)
    return mounted.returncode == 0

def smaller_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

with e2e.scratch() as folder:
    small = Path(folder, "small")
    small.mkdir()
    is_mounted = os.geteuid() == 0 and on_small_disk(small, 1)
    try:
        (small / "suite.yml").write_text(e2e.suite(400))
        words = ["run", "suite.yml", "--attempts", "5"]
        full = e2e.assay(*words, cwd=small, preexec_fn=None if is_mounted else smaller_files)
        e2e.expect(full, 2, "space" if is_mounted else "")
        for torn in Path(small).rglob("*.json"):
            e2e.json.loads(torn.read_text())
        if is_mounted:
            e2e.check(subprocess.run(["mount", "-o", "remount,size=200m", small]).returncode == 0, "remount")
        e2e.expect(e2e.assay(*words, cwd=small), 0)
    finally:
        if is_mounted:
            subprocess.run(["umount", small], check=True)
