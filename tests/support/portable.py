"""The portable program, which the slow tests of packages share; they are skipped where it was not built."""
import os
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build/portable"
PROGRAM = BUILD / "assay"
ORDINARY = os.environ["ASSAY"]  # of the preset that is tested
if PROGRAM.exists():
    os.environ["ASSAY"] = str(PROGRAM)

import e2e  # noqa: E402

if not PROGRAM.exists():
    e2e.skip("the portable program is not built (./dev package)")
