#!/usr/bin/env python3
"""What `./dev install` puts below a prefix: the program, licences, the AppArmor profile where doctor looks for it."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    words = ["cmake", "--install", Path(e2e.PROGRAM).parent, "--prefix", folder]
    installed = subprocess.run(words, capture_output=True, text=True, check=False)
    e2e.check(installed.returncode == 0, "cmake --install", installed)
    documents = Path(folder, "share/doc/assay")
    for path in (Path(folder, "bin/assay"), documents / "LICENSE", documents / "LICENSE.quickjs-ng"):
        e2e.check(path.is_file(), f"{path} is not there", installed)
    profile = (e2e.ROOT / "packaging/apparmor/assay").read_bytes()
    e2e.check((documents / "apparmor/assay").read_bytes() == profile, "another profile", installed)
