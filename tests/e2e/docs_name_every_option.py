#!/usr/bin/env python3
"""docs/cli.md holds the help of every command, word for word."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

BEGIN, END = "<!-- begin: help", "<!-- end: help -->"

with e2e.scratch() as folder:
    texts = [e2e.assay("--help", cwd=folder).stdout]
    for command in ("run", "run-config", "eval", "check", "plan", "prepare", "report", "list", "runs", "show",
                    "export"):
        texts.append(e2e.assay(command, "--help", "all", cwd=folder).stdout)
    wanted = "".join(f"```\n{text}```\n\n" for text in texts).strip()
    page = (e2e.ROOT / "docs/cli.md").read_text()
    head, rest = page.split(BEGIN, 1)
    line, rest = rest.split("\n", 1)
    written, tail = rest.split(END, 1)
    if "--update" in sys.argv:
        (e2e.ROOT / "docs/cli.md").write_text(f"{head}{BEGIN}{line}\n{wanted}\n{END}{tail}")
    else:
        e2e.check(written.strip() == wanted, "docs/cli.md differs from the program; run this test with --update")
