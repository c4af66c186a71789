"""Tests of label interop run in a Python of their own that has other people's packages: the providers' official
clients, a proxy. It lies below the build folder, and a test that cannot have its packages is skipped aloud."""
import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import e2e

SUPPORT = Path(__file__).resolve().parent


def folder():
    return Path(os.environ.get("ASSAY_INTEROP_DIR", e2e.ROOT / "build" / "interop"))


def tried(name):
    """(folder, None) of the Python that has the packages of support/NAME.txt, made by the first test that asks for it;
    or (None, why there is none)."""
    wanted = SUPPORT / f"{name}.txt"
    place = folder() / f"{name}-{hashlib.sha256(wanted.read_bytes()).hexdigest()[:12]}"
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "ready").exists():
            pip = [place / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q",
                   "--prefer-binary", "-r", wanted]
            for command in ([sys.executable, "-m", "venv", "--clear", place], pip):
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace")
                if done.returncode != 0:
                    said = (done.stderr.strip() or done.stdout.strip() or "nothing said").splitlines()[-1]
                    return None, f"the packages of tests/support/{name}.txt cannot be had: {said}"
            (place / "ready").touch()
    return place, None


def prepared(name):
    """The same for a test that is nothing without them."""
    place, why = tried(name)
    if why:
        e2e.skip(why)
    return place


def enter(name):
    """Goes on in the Python that has the packages of support/NAME.txt: the test begins again there."""
    place = prepared(name)
    if Path(sys.prefix) == place:
        return
    sys.stdout.flush()
    os.execv(place / "bin" / "python", [str(place / "bin" / "python"), *sys.argv])
