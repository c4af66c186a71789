#!/usr/bin/env python3
"""The documents as a site: every page and link is there, nothing comes from another host, and two builds are the same
bytes. In Chromium, from its files, the search finds "rate limit"."""
import filecmp
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
BYTES_MAX = 12_000_000


def run(*words, environment=None):
    done = subprocess.run([sys.executable, *map(str, words)], cwd=ROOT, env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        sys.exit(done.returncode)


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


with tempfile.TemporaryDirectory() as scratch:
    first, second = Path(scratch, "first"), Path(scratch, "second")
    run("tools/site/build.py", first, "--if-possible")
    run("tools/site/build.py", second)
    names = files_below(first)
    assert names == files_below(second), "the builds have other files"
    _, others, problems = filecmp.cmpfiles(first, second, names, shallow=False)
    assert not others and not problems, f"other bytes the second time: {others + problems}"
    size = sum((first / name).stat().st_size for name in names)
    assert size <= BYTES_MAX, f"the site has {size:,} bytes"
    for page in ("index.html", "faq.html", "tutorials/researcher.html", "reference/checks.html", "caching.html",
                 "coming-from/weval.html"):
        assert page in names, f"{page} is missing"
    run("tests/viewer/run.py", "--site", first, environment={"ASSAY_VIEWER_DIR": str(ROOT / "build/viewer")})
