#!/usr/bin/env python3
"""Checks that all that users read is plain English: Vale with the rules of styles/assay (docs/style.md).

usage: tools/vale/check.py [--if-possible] [FILE…]
       FILE: Markdown; without one, every document for users, and the texts of the program (strings.py).
       --if-possible: exit 77 where Vale cannot be built

Vale is built into .cache/vale from the versions that go.mod pins. A finding that has to stay is a row in
exceptions.txt, with its reason. A word that links to the glossary may be internal.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import strings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".cache" / "vale"
MODULE = "github.com/vale-cli/vale/v3/cmd/vale"
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md",
             "docs/*.md", "docs/*/*.md"]
OTHERS = "docs/decisions/"  # for those who change the program
EXPLAINED = re.compile(r"\[([^\]]+)\](?=\([^)]*glossary\.md)")  # the text of a link to the glossary
FENCED = re.compile(r"(?ms)(^ *```.*?^ *```$)")
CODE = re.compile(r"(?<!`)`((?:[^`\n]|\n(?!\n))+)`(?!`)")
EXCEPTIONS_MAX = 20
SKIPPED = 77


class CannotBuild(Exception):
    """What is missing to build Vale."""


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    rule: str
    text: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message} [{self.rule}]"


def wanted_go():
    return re.search(r"(?m)^go (\S+)$", (HERE / "go.mod").read_text()).group(1)


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def go_problem(installed, wanted):
    """Why Go cannot build Vale, or None. `installed`: what `go env GOVERSION` prints, or None without Go."""
    if installed is None:
        return f"Vale is built with Go {wanted} or newer, and there is no Go here"
    if numbers(installed) < numbers(wanted):
        return f"Vale is built with Go {wanted} or newer; this machine has {installed.removeprefix('go')}"
    return None


def installed_go():
    if not shutil.which("go"):
        return None
    return subprocess.run(["go", "env", "GOVERSION"], cwd="/", capture_output=True, text=True).stdout.strip()


def built_vale():
    """The program, built again when a pin changes."""
    program, stamp = CACHE / "vale", CACHE / "stamp"
    pins = (HERE / "go.mod").read_text() + (HERE / "go.sum").read_text()
    if program.exists() and stamp.exists() and stamp.read_text() == pins:
        return program
    problem = go_problem(installed_go(), wanted_go())
    if problem:
        raise CannotBuild(problem)
    CACHE.mkdir(parents=True, exist_ok=True)
    print("building Vale (a few minutes, once)", file=sys.stderr)
    built = subprocess.run(["go", "build", "-mod=readonly", "-o", str(program), MODULE], cwd=HERE, capture_output=True,
                           text=True)
    if built.returncode != 0:
        raise CannotBuild("Vale cannot be built:\n" + built.stderr[-2000:])
    stamp.write_text(pins)
    return program


def prose_of(text):
    """The document, line by line, with code as one word each and without words that the glossary explains."""
    parts = FENCED.split(text)
    parts[::2] = [EXPLAINED.sub("[word]", CODE.sub(lambda code: "`code`" + "\n" * code[1].count("\n"), part))
                  for part in parts[::2]]
    return "".join(parts)


def findings_of(vale, texts):
    """`texts`: the documents by their paths. They are read from copies, whose line numbers are the documents' own."""
    with tempfile.TemporaryDirectory(prefix="assay-vale-") as scratch:
        for path, text in texts.items():
            copy = Path(scratch, path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(prose_of(text))
        result = subprocess.run([vale, f"--config={HERE / 'vale.ini'}", "--output=JSON", *texts], cwd=scratch,
                                capture_output=True, text=True)
    if result.returncode not in (0, 1) or not result.stdout.startswith("{"):
        raise SystemExit(f"Vale failed:\n{result.stdout}{result.stderr}")
    return [Finding(path, row["Line"], row["Check"].removeprefix("assay."), row["Match"], row["Message"])
            for path, rows in json.loads(result.stdout).items() for row in rows]


class Exceptions:
    """Rows `rule | path | text of the finding | reason`. A row that excepts nothing is an error."""

    def __init__(self, text):
        self.rows, self.used, self.problems = [], set(), []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = tuple(cell.strip() for cell in line.split("|"))
            if len(cells) != 4 or not all(cells):
                self.problems.append(f"exceptions.txt:{number}: expected `rule | path | text | reason`")
            else:
                self.rows.append(cells)
        if len(self.rows) > EXCEPTIONS_MAX:
            self.problems.append(f"exceptions.txt has {len(self.rows)} rows: at most {EXCEPTIONS_MAX} are allowed")

    def cover(self, finding):
        for row in self.rows:
            if row[:3] == (finding.rule, finding.path, finding.text):
                self.used.add(row)
                return True
        return False

    def unused(self, paths):
        """Only rows of documents that were read can be said to except nothing."""
        return [f"exceptions.txt: `{' | '.join(row[:3])}` excepts nothing any more: remove the row"
                for row in self.rows if row not in self.used and row[1] in paths]


def texts_of(names):
    paths = [Path(name).resolve() for name in names] or sorted(path for each in DOCUMENTS for path in ROOT.glob(each))
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    return {path: text for path, text in texts.items() if not path.startswith(OTHERS)}


def findings_of_program(vale):
    """The findings in the texts of the program, at their lines in the sources, and how many sources were read."""
    sources = {path: (text, lines) for path, text, lines in strings.documents(ROOT)}
    found = findings_of(vale, {f"{path}.md": text for path, (text, _) in sources.items()})
    placed = []
    for finding in found:
        path = finding.path.removesuffix(".md")
        placed.append(replace(finding, path=path, line=sources[path][1][finding.line]))
    return placed, set(sources)


def main(words):
    try:
        vale = built_vale()
    except CannotBuild as problem:
        print(f"skipped: {problem}" if "--if-possible" in words else problem)
        return SKIPPED if "--if-possible" in words else 1
    names = [word for word in words if word != "--if-possible"]
    texts = texts_of(names)
    placed, sources = ([], set()) if names else findings_of_program(vale)
    exceptions = Exceptions((HERE / "exceptions.txt").read_text())
    found = [finding for finding in [*findings_of(vale, texts), *placed] if not exceptions.cover(finding)]
    problems = [*map(str, found), *exceptions.problems, *exceptions.unused({*texts, *sources})]
    for problem in problems:
        print(problem)
    print(f"vale: {len(problems) or 'no'} problems in {len(texts)} documents and the texts of {len(sources)} sources, "
          f"{len(exceptions.rows)} exceptions")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
