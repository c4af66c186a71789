#!/usr/bin/env python3
"""The README's first commands on a machine that has Debian's packages and nothing else: exit 0, nothing missing."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# What a built checkout and Debian itself bring: ./dev installs the compiler and Python.
THERE = {"python", "c++", "bash", "sql", "html"}
README = (e2e.ROOT / "README.md").read_text()
COMMANDS = re.findall(r"(?m)^(?:\./dev|assay) (run|grade) (examples/[^#\n]+?) *(?:#.*)?$", README)

e2e.check({verb for verb, _ in COMMANDS} == {"run", "grade"}, f"the README runs and grades: {COMMANDS}")
cases = (e2e.ROOT / "examples/infibench-small/cases").glob("*.yaml")
langs = set(re.findall(r"(?m)^ *lang: (\S+)$", "\n".join(case.read_text() for case in cases)))
e2e.check(langs <= THERE, f"the example needs no more than a checkout has: {langs - THERE}")

with e2e.scratch() as folder, e2e.bare_toolchains() as bare:
    Path(folder, "examples").symlink_to(e2e.ROOT / "examples")
    env = {"PATH": "/usr/bin:/bin", "HOME": folder, "ASSAY_TOOLCHAINS": bare}
    for verb, words in COMMANDS:
        names = [name for word in words.split()
                 for name in (sorted(str(path.relative_to(folder)) for path in Path(folder).glob(word))
                              if "*" in word else [word])]
        result = e2e.assay(verb, *names, cwd=folder, env=env)
        e2e.expect(result, 0)
        # An invented model answers a question without code, which the end of the run counts.
        told = re.sub(r"(?m)^warning: \d+ answers? failed because no code was found;.*$", "", result.stderr)
        e2e.check("missing" not in told and "warning" not in told, "nothing is missing", result)
