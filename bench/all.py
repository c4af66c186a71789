#!/usr/bin/env python3
"""Every row of bench/README.md that a whole program is measured for, one script after the other.

    bench/all.py PROGRAM     a release build; half an hour
"""
import os
import subprocess
import sys
from pathlib import Path

SCRIPTS = ["goals.py", "measure.py", "models.py", "agent.py", "research.py"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for script in SCRIPTS:
        print(f"\n{script}", flush=True)
        subprocess.run([sys.executable, Path(__file__).with_name(script), os.path.abspath(sys.argv[1])], check=True)


main()
