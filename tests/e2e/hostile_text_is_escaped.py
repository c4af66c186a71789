#!/usr/bin/env python3
"""Control characters of suites and answers never reach the terminal; exports keep them, but not on one."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HOSTILE = r'"\e[2J\e]0;gone\a\u202e\b\b"'

with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(
        f"title: {HOSTILE}\nid: hostile\nmodels: [echo:a]\nprompts:\n  - id: {HOSTILE}\n    prompt: {HOSTILE}\n"
        f"    should:\n      - $contains: {HOSTILE}\n      - {{{HOSTILE}: 1, odd: 2}}\n")
    checked = e2e.assay("check", "suite.yml", cwd=folder)
    Path(folder, "suite.yml").write_text(Path(folder, "suite.yml").read_text().split("      - {")[0])
    outputs = [checked, e2e.assay("run", "suite.yml", cwd=folder), e2e.assay("runs", cwd=folder),
               e2e.assay("show", "latest", cwd=folder),
               e2e.assay("show", "latest", "--failed", "--pass-at", "1", cwd=folder)]
    for result in outputs:
        for text in (result.stdout, result.stderr):
            for control in "\x1b\x07\x08\u202e":
                e2e.check(control not in text, f"a raw {control!r} was printed", result)
    formats = [line.split()[0] for line in e2e.assay("list", "exporters", cwd=folder).stdout.splitlines()[1:]
               if line and not line.startswith(" ")]
    e2e.check("csv" in formats and "html" in formats, f"formats: {formats}")
    kept = 0
    for name in formats:
        words = ["export", "latest", "--to", name]
        piped = e2e.assay(*words, cwd=folder)
        e2e.expect(piped, 0)
        kept += "\x1b" in piped.stdout
        said, code = e2e.on_terminal(*words, cwd=folder, env={"TERM": "xterm"})
        e2e.check(code == 0, f"{name} on a terminal")
        for control in "\x1b\x07\x08\u202e":
            e2e.check(control not in said, f"{name}: a raw {control!r} on a terminal: {said[-2000:]}")
        e2e.check(("-o FILE" in said) == any(control in piped.stdout for control in "\x1b\x07\x08\u202e\r"),
                  f"{name}: it is said where something was escaped")
    e2e.check(kept > 0, "a file keeps an answer as it is")
