"""Files with mistakes from a table, for the law that all of them are told at once: of several faults all are told, each
at its line, and what is told after mending one is what was told before without it."""
import json
import shutil
from pathlib import Path

import e2e


class Form:
    """Good files, line by line; a fault replaces a line."""

    def __init__(self, main, files, faults, others=(), alone=()):
        self.main = main  # the file that is checked
        self.files = files  # name -> [(slot, line)]
        self.faults = faults  # [(code, name of a file, slot, line)]
        self.others = others  # files that lie beside: [(name, text)]
        self.alone = list(alone)  # faults that depend on other lines

    def line_of(self, name, slot):
        return [each for each, _ in self.files[name]].index(slot) + 1

    def write(self, folder, faults):
        """`faults`: (name, slot) -> (code, line)"""
        for name, lines in self.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(faults.get((name, slot), ("", line))[1] + "\n" for slot, line in lines))
        for name, text in self.others:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def told(self, folder, drafts):
        """Of each draft, what is told: triples of code, file and line."""
        names = [f"d{n}" for n in range(len(drafts))]
        for name, faults in zip(names, drafts):
            self.write(Path(folder, name), faults)
        done = e2e.assay("check", "--json", *(f"{name}/{self.main}" for name in names), cwd=folder)
        values = [json.loads(line) for line in done.stdout.splitlines()]
        e2e.check(len(values) == len(drafts), f"{len(values)} answers to {len(drafts)} files", done)
        told = []
        for name, value in zip(names, values):
            told.append(sorted({(each["code"], f"/{each['file']}".rsplit(f"/{name}/", 1)[-1], each.get("line") or 0)
                                for each in value["diagnostics"] if each["severity"] != "note"}))
            shutil.rmtree(Path(folder, name))
        return told

    def text(self, faults):
        return "\n".join(f"{name}:{self.line_of(name, slot)}: {line}  [{code}]"
                         for (name, slot), (code, line) in faults.items())


def draw(form, random_number, most=6):
    wanted = random_number.randint(2, most)
    faults = {}
    while len(faults) < wanted:
        code, name, slot, line = random_number.choice(form.faults)
        faults.setdefault((name, slot), (code, line))
    return faults


def prove(form, folder, random_number, files):
    """Each fault alone, and the law for so many drawn files; how many mended ones were looked at."""
    alone = [{(name, slot): (code, line)} for code, name, slot, line in form.faults + form.alone]
    good, *single = form.told(folder, [{}, *alone])
    e2e.check(good == [], f"the good files have problems: {good}")
    for draft, said in zip(alone, single):
        [((name, slot), (code, line))] = draft.items()
        e2e.check((code, name, form.line_of(name, slot)) in said, f"{line}: expected {code}, told {said}")
    drafts = [draw(form, random_number) for _ in range(files)]
    mended = [{other: fault for other, fault in draft.items() if other != key} for draft in drafts for key in draft]
    said = form.told(folder, drafts + mended)
    after = iter(said[len(drafts):])
    for draft, before in zip(drafts, said):
        for (name, slot), (code, line) in draft.items():
            at = (name, form.line_of(name, slot))
            e2e.check((code, *at) in before, f"{line}: {code} is not told\n{form.text(draft)}\n{before}")
            left = next(after)
            expected = [each for each in before if each[1:] != at]
            e2e.check(left == expected, f"mending {line!r} leaves {left}, not {expected}\n{form.text(draft)}")
    return len(mended)
