#!/usr/bin/env python3
"""The rows of bench/README.md, one script after the other: of the whole program, of several on one run, of the limits
of services, of the viewer, and of single parts.

    bench/all.py PROGRAM     a release build; 20 minutes on a quick machine with nothing beside it
"""
import os
import subprocess
import sys
from pathlib import Path

SCRIPTS = ["goals.py", "measure.py", "datasets.py", "models.py", "agent.py", "research.py", "limits.py", "shards.py"]
ROOT = Path(__file__).resolve().parents[1]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    for script in SCRIPTS:
        print(f"\n{script}", flush=True)
        subprocess.run([sys.executable, ROOT / "bench" / script, program], check=True)
    for words in (["tests/viewer/run.py", "--measure"], ["./dev", "bench"]):
        print(f"\n{' '.join(words)}", flush=True)
        subprocess.run(words, cwd=ROOT, env={**os.environ, "ASSAY": program}, check=True)


main()
