#!/usr/bin/env python3
"""Beside the id of a case that nobody named, `show` and its tables have the first words of its question, as pages do;
ids that somebody wrote stand alone, and both are found by --case."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SUITE = """id: s
title: S
models: [echo:a]
prompts:
  - prompt: |

      What is rain?
      Say it at length.
    should: [{$contains: snow}]
  - id: named
    prompt: What is hail?
    should: [{$contains: snow}]
  - prompt: 'What is the name of the kind of frozen rain that falls in the mountains of the north in late spring?'
    should: [{$contains: rain}]
"""

with e2e.scratch() as folder:
    Path(folder, "s.yml").write_text(SUITE)
    e2e.expect(e2e.assay("run", "s.yml", cwd=folder), 0)
    outputs = {words: e2e.assay("show", "latest", *words, cwd=folder)
               for words in ((), ("-v",), ("--failed",))}
    for words, shown in outputs.items():
        e2e.expect(shown, 0)
        title = re.search(r"(?m)^hash-[0-9a-f]{12}: What is rain\?  ", shown.stdout)
        e2e.check(title, f"show {words}: its title", shown)
        e2e.check("Say it at length.  " not in shown.stdout, f"show {words}: the first line alone", shown)
        e2e.check(re.search(r"(?m)^named  ", shown.stdout), f"show {words}: a name stands alone", shown)
    cut = re.search(r"(?m)^hash-[0-9a-f]{12}: What is the name of the ki\w*…  ", outputs[()].stdout)
    e2e.check(cut, "cut", outputs[()])
    made = re.search(r"hash-[0-9a-f]{12}", outputs[("--failed",)].stdout)[0]
    shown = e2e.assay("show", "latest", "--case", made, cwd=folder)
    e2e.expect(shown, 0)
    e2e.check(shown.stdout.startswith(f"case {made}: What is rain?\n"), "show --case", shown)
    e2e.check(e2e.assay("show", "latest", "--case", "named", cwd=folder).stdout.startswith("case named\n"), "a name")
