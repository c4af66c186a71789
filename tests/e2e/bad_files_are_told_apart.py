#!/usr/bin/env python3
"""Files that are no suites: exit 1, the file is named, nothing is written."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

MEGABYTE = 1 << 20
BAD = {  # name -> (content, what the message must hold)
    "missing.yml": (None, "missing.yml"),
    "quote.yml": (b'prompts:\n  - prompt: "never closed\n', "quote.yml:2:"),
    "indent.yml": (b"prompts:\n  - a: 1\n b: 2\n", "indent.yml:3:"),
    "twice.yml": (b"title: a\ntitle: b\n", "twice.yml:2:1"),
    "nul.yml": (b"title: a\x00b\n", "nul.yml:1:"),
    "latin1.yml": (b"title: caf\xe9\nprompts:\n  - prompt: hi\n", "latin1.yml:1:"),
    "empty.yml": (b"", "empty.yml"),
    "bomb.yml": (b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
        b"%c: &%c [%s]\n" % (c + 1, c + 1, b",".join([b"*%c" % c] * 9)) for c in range(97, 106)), "bomb.yml"),
    "deep.json": (b"[" * 100_000, "deep.json"),
    "comma.json": (b'{"prompts": [1,]}', "comma.json:1:"),
    "huge.yml": (b"# " + b"x" * (70 * MEGABYTE), "huge.yml"),
}

with e2e.scratch() as folder:
    for name, (content, _) in BAD.items():
        if content is not None:
            Path(folder, name).write_bytes(content)
    Path(folder, "folder.yml").mkdir()
    for name, (_, fragment) in {**BAD, "folder.yml": (None, "folder.yml")}.items():
        for command in ("check", "run"):
            result = e2e.assay(command, name, cwd=folder)
            e2e.expect(result, 1, fragment, "error")
            e2e.check(len(result.stderr) < 20_000, f"{name}: the message is too long", result)
    e2e.nothing_written(folder, *map(e2e.re.escape, BAD))
    together = e2e.assay("check", "missing.yml", "quote.yml", cwd=folder)
    e2e.expect(together, 1, "missing.yml", "quote.yml")
