#!/usr/bin/env python3
"""On a fresh machine another apt-get holds the lock: set-up waits for it, says so once, and gives up in the end."""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HELD = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)"
# Fails as apt-get does while the lock is held, as many times as the file `held` has lines; notes what it was asked.
APT_GET = f"""#!/bin/bash
cd "$(dirname "$0")"
echo "$*" >>asked
[ -s held ] || exit "$(<status)"
sed -i 1d held
echo "{HELD}" >&2
exit 100
"""
SCRIPTS = (e2e.ROOT / "dev", e2e.ROOT / "scripts/toolchains/install.sh")


def executable(path, text):
    path.write_text(text)
    path.chmod(0o755)


def install(folder, held, status=0):
    """apt_get of a package while the lock is held `held` times; its end, what it said, how often it asked and slept."""
    Path(folder, "held").write_text("once\n" * held)
    Path(folder, "status").write_text(str(status))
    for name in ("asked", "slept"):
        Path(folder, name).write_text("")
    end = subprocess.run(["bash", "-euc", f". {e2e.ROOT}/scripts/apt.sh; apt_get {folder}/log install -y one"],
                         env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, capture_output=True, text=True,
                         check=False)
    counts = [len(Path(folder, name).read_text().splitlines()) for name in ("asked", "slept")]
    return end.returncode, end.stderr, *counts


with e2e.scratch() as folder:
    executable(Path(folder, "apt-get"), APT_GET)
    executable(Path(folder, "sudo"), '#!/bin/sh\nexec "$@"\n')
    executable(Path(folder, "sleep"), f"#!/bin/sh\necho >>{folder}/slept\n")
    got = install(folder, held=0)
    e2e.check(got == (0, "", 1, 0), f"nobody waits for a free lock: {got}")
    code, said, asked, slept = install(folder, held=3)
    e2e.check((code, asked, slept) == (0, 4, 3), f"it asks again until the lock is free: {code}, {asked}, {slept}")
    e2e.check(said.count("waiting for another package manager, process 4711 (apt-get)") == 1, f"and says so: {said}")
    code, said, asked, _ = install(folder, held=0, status=100)
    e2e.check((code, asked, said) == (100, 1, ""), f"another failure is no reason to wait: {code}, {asked}, {said}")
    code, _, asked, _ = install(folder, held=1000)
    e2e.check(code == 100 and asked < 1000, f"a lock that stays ends the waiting: {code}, {asked}")

for script in SCRIPTS:
    text = script.read_text()
    e2e.check("apt_get" in text and "apt-get update" not in text and "apt-get install -y" not in text,
              f"{script.name} installs through scripts/apt.sh")
