#!/usr/bin/env python3
"""Checks the house rules over the whole checkout and prints every offence; a ctest (label unit).

usage: tidy.py ROOT [PROGRAM]      PROGRAM: the built assay, for the licences of what it links
Exemptions, each with its reason: exemptions.txt beside this file.
"""
import sys
from pathlib import Path

import rules


class Exemptions:
    """Rows `rule | path or path:function | largest size, or - | reason`. A row that exempts nothing is an error."""

    def __init__(self, text: str):
        self.rows: dict[tuple[str, str], int | None] = {}
        self.used: set[tuple[str, str]] = set()
        self.problems: list[str] = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != 4 or not cells[3] or not (cells[2] == "-" or cells[2].isdigit()):
                self.problems.append(f"exemptions.txt:{number}: expected `rule | path | size or - | reason`")
                continue
            self.rows[(cells[0], cells[1])] = None if cells[2] == "-" else int(cells[2])

    def covers(self, offence: rules.Offence) -> bool:
        for where in (offence.path, f"{offence.path}:{offence.name}"):
            key = (offence.rule, where)
            if key in self.rows and (self.rows[key] is None or offence.size <= self.rows[key]):
                self.used.add(key)
                return True
        return False

    def unused(self) -> list[str]:
        return [f"exemptions.txt: `{rule} | {path}` exempts nothing any more: remove the row"
                for rule, path in sorted(set(self.rows) - self.used)]


def check(tree: rules.Tree, exemptions: Exemptions, program: str | None = None) -> list[str]:
    """Everything that is wrong, one line each."""
    offences = [offence for rule in rules.RULES for offence in rule(tree)]
    if program:
        offences += rules.linked_libraries(program)
    lines = [f"{o.path}:{o.line}: {o.text} [{o.rule}]" for o in offences if not exemptions.covers(o)]
    return lines + exemptions.problems + exemptions.unused()


def main() -> int:
    root = Path(sys.argv[1])
    exemptions = Exemptions(Path(__file__).with_name("exemptions.txt").read_text(encoding="utf-8"))
    program = sys.argv[2] if len(sys.argv) > 2 else None
    if program and not Path(program).exists():
        print(f"tidy: {program} is not built (sanitizer builds make tests only): its libraries are not looked at")
        program = None
    problems = check(rules.Tree(root), exemptions, program)
    for problem in problems:
        print(problem)
    print(f"tidy: {len(problems)} problems" if problems else "tidy: clean")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
