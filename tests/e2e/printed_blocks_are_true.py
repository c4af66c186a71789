#!/usr/bin/env python3
"""Blocks of documents that show what the program prints are what it prints.

A block without a language (```) shows output. The comment above it says how it is made:

    <!-- printed in FOLDER: assay run suite.yml --fixtures replies.json; assay show latest -->

The test runs the commands in a copy of FOLDER. The block is what the last one printed: whole lines that follow each
other, of standard output, then of standard error. A line "…" stands for lines that are left out. Ids of runs and times
may differ. Every document is read; a block of something else (a tree of folders, commands, a text) names its language:
```text, ```sh. Such a block with <!-- file: PATH --> above it is that file, line by line. The help that docs/cli.md
holds is compared by docs_name_every_option.py."""
import re
import shlex
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

DOCUMENTS = ["README.md", *sorted(str(path.relative_to(e2e.ROOT)) for path in (e2e.ROOT / "docs").rglob("*.md"))]
HELP = re.compile(r"<!-- begin: help.*?<!-- end: help -->", re.S)

FENCE = re.compile(r"^( *)```(.*)$")
COMMENT = re.compile(r"<!-- printed in (\S+): (.+?) -->")
FILE = re.compile(r"<!-- file: (\S+) -->")
LEFT_OUT = "…"
CODES = (0, 2, 4)  # a gate may end in 2 or 4


def files_of(text):
    """(line number, path, lines) of each block that shows a file."""
    lines = text.split("\n")
    for at, line in enumerate(lines[:-1]):
        shown = FILE.fullmatch(line.strip())
        if shown and FENCE.match(lines[at + 1]):
            end = next((i for i in range(at + 2, len(lines)) if lines[i].strip() == "```"), len(lines))
            yield at + 1, shown[1], lines[at + 2:end]


def blocks_of(text):
    """(line number, comment above it or None, lines) of each block without a language."""
    text = HELP.sub(lambda help_texts: "\n" * help_texts.group().count("\n"), text)
    lines, at, blocks = text.split("\n"), 0, []
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if not fence:
            at += 1
            continue
        end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == "```"), len(lines))
        if not fence.group(2):
            comment = COMMENT.fullmatch(lines[at - 1].strip()) if at else None
            blocks.append((at + 1, comment, [line.removeprefix(fence.group(1)) for line in lines[at + 1:end]]))
        at = end + 1
    return blocks


def printed(source, commands, known={}):
    """What the last command prints, as lines; the same commands are run once."""
    if (source, commands) in known:
        return known[(source, commands)]
    with e2e.scratch() as scratch:
        folder = Path(scratch, "suite")
        shutil.copytree(e2e.ROOT / source, folder)
        for command in commands.split(";"):
            name, *words = shlex.split(command)
            e2e.check(name == "assay", f"a command of a document that is not assay: {command}")
            result = e2e.assay(*words, cwd=folder)
            e2e.check(result.returncode in CODES, f"{command} ends well", result)
        text = result.stdout + result.stderr
    known[(source, commands)] = [line.rstrip() for line in e2e.normalised(text).split("\n")]
    return known[(source, commands)]


def is_printed(lines, output):
    """Whether the lines stand in the output in this order, parts between "…" without a gap."""
    parts, at = [[]], 0
    for line in lines:
        if line.strip() == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line.rstrip())
    for part in [part for part in parts if part]:
        found = next((i for i in range(at, len(output)) if output[i:i + len(part)] == part), None)
        if found is None:
            return False
        at = found + len(part)
    return any(line.strip() for line in lines)


def problems_of(name, text):
    problems = [f"{name}:{line}: the block is not {path}" for line, path, lines in files_of(text)
                if (e2e.ROOT / path).read_text().splitlines() != lines]
    for line, comment, lines in blocks_of(text):
        where = f"{name}:{line}"
        if comment is None:
            problems.append(f"{where}: a block without a language needs <!-- printed in FOLDER: assay … --> above it")
            continue
        output = printed(*comment.groups())
        if not is_printed(e2e.normalised("\n".join(lines)).split("\n"), output):
            problems.append(f"{where}: the block is not what is printed:\n" + "\n".join(output))
    return problems


def the_test_can_fail():
    """A digit that differs, a line in another place and a block without a comment are found."""
    comment = "<!-- printed in tests/data/statistics/few: assay plan suite.yml --fixtures replies.json --power -->"
    first = printed("tests/data/statistics/few", "assay plan suite.yml --fixtures replies.json --power")[0]
    good = f"{comment}\n```\n{first}\n```\n"
    e2e.check(not problems_of("good", good), "a block that is printed is found")
    other = first.replace("9", "8", 1)
    e2e.check(other != first and len(problems_of("bad", good.replace(first, other))) == 1, "a digit differs")
    e2e.check(len(problems_of("bad", good.replace(first, f"{first}\n{first}"))) == 1, "a line that is not there")
    e2e.check(len(problems_of("bad", good.replace(first, ""))) == 1, "an empty block")
    e2e.check(len(problems_of("bad", good.replace(comment, ""))) == 1, "no comment")
    e2e.check(not problems_of("good", "```yaml\na: 1\n```\n"), "a block of another language")
    shown = (e2e.ROOT / "tests/data/readme/deposit.yml").read_text()
    block = f"<!-- file: tests/data/readme/deposit.yml -->\n```yaml\n{shown}```\n"
    e2e.check(not problems_of("good", block), "a block that is a file")
    e2e.check(len(problems_of("bad", block.replace("30", "31"))) == 1, "a file that differs")
    e2e.check(not problems_of("good", "<!-- begin: help -->\n```\na\n```\n<!-- end: help -->\n"), "compared elsewhere")


if __name__ == "__main__":
    the_test_can_fail()
    e2e.check(len(DOCUMENTS) > 40, f"all documents are read: {DOCUMENTS}")
    found = [each for name in DOCUMENTS for each in problems_of(name, (e2e.ROOT / name).read_text())]
    e2e.check(not found, "\n\n".join(found))
