#!/usr/bin/env python3
"""A supervisor that is killed while its program runs: the program has failed, to be tried once more, and leaves neither
a process nor a file. It used to be an error, which took a wrong answer out of the score."""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNNER = os.environ["ASSAY_RUN_PROGRAMS"]
DEADLINE_S = 60 * int(os.environ.get("ASSAY_SLOWNESS", "1"))


def processes():
    """(number, parent, words) of each."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            yield int(folder.name), int((folder / "stat").read_text().rpartition(")")[2].split()[1]), words
        except (OSError, IndexError):
            continue


def wait_for(what):
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.02)   # other processes give no event to wait for
    sys.exit("it never came to that")


def ours(token):
    return [(number, parent) for number, parent, words in processes() if token in words]


def supervisor_of(token):
    """The parent of the process that no other of ours has started."""
    found = ours(token)
    numbers = {number for number, _ in found}
    return next((parent for _, parent in found if parent not in numbers), None)


def main():
    rows = 0
    for level in ("ns", "landlock", "landlock:1"):
        token = f"{os.getpid()}-{level}"
        with tempfile.TemporaryDirectory() as work:
            os.chmod(work, 0o711)
            runner = subprocess.Popen([RUNNER, level], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                      env={"PATH": "/usr/bin:/bin", "HOME": "/", "ASSAY_PROGRAM_FOLDER": work})

            def ask(request):
                runner.stdin.write(json.dumps({"toolchain": "bash", "files": {}, **request}) + "\n")
                runner.stdin.flush()

            # Its child is nobody's child any more when both are gone.
            text = "(setsid bash -c 'sleep 1000; :' $0 &) ; touch x; bash -c 'sleep 1000; :' $0; :"
            ask({"argv": ["bash", "-c", text, token], "wall_ms": 100000})
            if runner.poll() is not None:
                print(f"{level}: {runner.stdout.readline().strip()}")
                continue
            wait_for(lambda: len(ours(token.encode())) >= 3 or runner.poll() is not None)
            if runner.poll() is not None:
                print(f"{level}: {runner.stdout.readline().strip()}")
                continue
            os.kill(supervisor_of(token.encode()), 9)
            reply = json.loads(runner.stdout.readline())
            assert "error" not in reply and reply["signal"] == 9 and reply["held_up"] and reply["limit"], reply
            wait_for(lambda: not ours(token.encode()))
            wait_for(lambda: not [path for folder in Path(work).iterdir() for path in folder.iterdir()])
            ask({"argv": ["bash", "-c", "exit 4"]})
            assert json.loads(runner.stdout.readline())["exit"] == 4
            runner.stdin.close()
            runner.wait()
            rows += 1
    if rows == 0:
        print("skipped: no level of the sandbox works here, or only root may end a supervisor")
        sys.exit(77)


if __name__ == "__main__":
    main()
