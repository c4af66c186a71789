#!/usr/bin/env python3
"""A warm start of Python ends as a cold one does: status, outputs and the proof of the end."""
import json
import os
import subprocess
import sys

PRELUDE = "import json\nimport math\nfrom collections import *\n"
EPILOGUE = {"path": "main.py", "text": "\nimport os\nos.write(3, b'@NONCE@')\n"}
PROGRAMS = [
    "print('hello', __name__, __file__)",
    "import sys; print(sys.argv, sys.path[0]); print('error', file=sys.stderr)",
    "import sys; sys.exit(3)",
    "import sys; sys.exit('words')",
    "import sys; sys.exit()",
    "raise SystemExit(256 + 7)",
    "raise ValueError('broken')",
    "def f():\n    return 1 / 0\nf()",
    "this is no Python",
    "import os; os._exit(5)",
    "import os; os.abort()",
    "import os; print(os.getcwd(), os.listdir('.'), os.getuid(), sorted(os.environ))",
    "import os; print(sorted(os.listdir('/proc/self/fd')), os.getpid())",
    "import atexit; atexit.register(print, 'at the end')",
    "import threading, time; threading.Thread(target=lambda: (time.sleep(0.05), print('thread'))).start()",
    "import subprocess; print(subprocess.run(['echo', 'child'], capture_output=True).stdout)",
    "from multiprocessing import Process\nif __name__ == '__main__':\n    p = Process(target=print, args=('other',))\n"
    "    p.start()\n    p.join()",
    "import sys; print(sys.stdin.read() == '')",
    "try:\n    Counter\nexcept NameError:\n    print('names of the prelude are not there')",
    "open('left', 'w').write('x'); import os; os.remove('main.py')",
]


def main():
    runner = subprocess.Popen([os.environ["ASSAY_RUN_PROGRAMS"], "ns"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/"})

    def run(code, prelude):
        request = {"toolchain": "python", "argv": ["python3", "main.py"], "files": {"main.py": code},
                   "epilogue": EPILOGUE, **({"prelude": PRELUDE} if prelude else {})}
        try:
            runner.stdin.write(json.dumps(request) + "\n")
            runner.stdin.flush()
        except BrokenPipeError:
            pass
        line = runner.stdout.readline()
        if line.startswith("skipped") or "no toolchain" in line:
            print(line if line.startswith("skipped") else "skipped: no Python is here")
            sys.exit(77)
        reply = json.loads(line)
        reply.pop("us", None)
        reply["sandbox"] = reply["sandbox"].partition(",")[0]  # without how long it waited for processors
        return reply

    failures = 0
    for code in PROGRAMS:
        cold, warm = run(code, False), run(code, True)
        if cold != warm:
            failures += 1
            print(f"{code!r}\n  cold {cold}\n  warm {warm}")
    seen = {run("import random; print(random.random())", True)["out"] for _ in range(3)}
    if len(seen) != 3:
        failures += 1
        print(f"chance repeats itself: {seen}")
    print(f"{len(PROGRAMS)} programs, {failures} differ")
    sys.exit(failures > 0)


main()
