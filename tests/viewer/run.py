#!/usr/bin/env python3
"""The viewer's pages in a real browser: installs the pinned npm packages below $ASSAY_VIEWER_DIR and starts run.mjs
with the arguments given. --units: the pages' parts that need no browser, under Node's own test runner. Skipped, with
the reason, where node, npm, chromium or the packages cannot be had."""
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = HERE.parents[1] / "src" / "view" / "pages"
NODE_LEAST = 20   # the first whose test runner is stable
SKIPPED = 77
SECONDS_TO_INSTALL = 300


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def prepared():
    """The folder with the packages of package-lock.json; installed anew only when that file changes."""
    place = Path(os.environ.get("ASSAY_VIEWER_DIR", HERE.parents[1] / "build" / "viewer"))
    place.mkdir(parents=True, exist_ok=True)
    stamp = place / "stamp"
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, place / name)
        install = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=place, text=True,
                                 capture_output=True, timeout=SECONDS_TO_INSTALL)
        if install.returncode != 0:
            skip(f"npm could not install the packages of tests/viewer: {install.stderr.strip()[-300:]}")
        stamp.write_text(wanted)
    return place


def units():
    """Starts the tests beside the pages; they need neither npm nor a browser."""
    if shutil.which("node") is None:
        skip("there is no node")
    version = subprocess.run(["node", "--version"], text=True, capture_output=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < NODE_LEAST:
        skip(f"node {version} is older than {NODE_LEAST}")
    tests = sorted(PAGES.glob("*_test.mjs"))
    assert tests, f"no test lies in {PAGES}"
    sys.exit(subprocess.run(["node", "--test", *tests]).returncode)


def main():
    if sys.argv[1:] == ["--units"]:
        units()
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            skip(f"there is no {program}")
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser")):
        skip("there is no chromium (apt-get install chromium fonts-dejavu)")
    # Of the built program ($ASSAY): its pages, and how long they take. Of a folder: the documents as a site.
    own = {"--program": "program.mjs", "--measure": "measure.mjs", "--site": "site.mjs"}
    script = own.get(sys.argv[1] if sys.argv[1:] else "", "run.mjs")
    options = sys.argv[1:] if script == "run.mjs" else sys.argv[2:]
    done = subprocess.run(["node", HERE / script, prepared(), *options])
    sys.exit(done.returncode)


main()
