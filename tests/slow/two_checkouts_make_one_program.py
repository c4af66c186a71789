#!/usr/bin/env python3
"""A checkout in another folder builds the portable program of this one, byte for byte, and packages of the same sums.
It builds from nothing, and takes nothing from ccache."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import portable  # noqa: E402
import e2e  # noqa: E402

# The commit is in the program, so it is told there too.
LEFT_OUT = shutil.ignore_patterns("build", "results", ".assay", "__pycache__", "*.log")


def must(*words, cwd):
    done = subprocess.run(list(map(str, words)), cwd=cwd, env={**os.environ, "CCACHE_DISABLE": "1"}, text=True,
                          capture_output=True, check=False, stdin=subprocess.DEVNULL)
    e2e.check(done.returncode == 0, f"{words[0]} ended in {done.returncode}", done)


def sums_of_packages(checkout):
    made = checkout / "build/packages-compared"
    must(sys.executable, checkout / "packaging/make.py", checkout / "build/portable/assay", made, cwd=checkout)
    sums = (made / "SHA256SUMS").read_text(encoding="utf-8")
    shutil.rmtree(made)
    return sums


# Of this commit, whatever was built before.
must("cmake", "--build", "build/portable", "--target", "assay", cwd=e2e.ROOT)

with e2e.scratch() as folder:
    other = Path(folder, "another name")
    shutil.copytree(e2e.ROOT, other, ignore=LEFT_OUT, symlinks=True)
    must("cmake", "--preset", "portable", cwd=other)
    must("cmake", "--build", "build/portable", "--target", "assay", "--parallel", os.environ.get("ASSAY_JOBS", "2"),
         cwd=other)
    same = (other / "build/portable/assay").read_bytes() == portable.PROGRAM.read_bytes()
    e2e.check(same, "the other checkout made another program")
    here, there = sums_of_packages(e2e.ROOT), sums_of_packages(other)
    e2e.check(here == there and here.count("\n") > 5, f"the other checkout made other packages:\n{here}\n{there}")
