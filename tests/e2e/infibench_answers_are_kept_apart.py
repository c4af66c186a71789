#!/usr/bin/env python3
"""Answers to cases of one name in two folders used to overwrite each other; what is written is graded as it was."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# The last is named as the first would be if its folder became a part of its name.
CASES = {"a/one.yaml": "alpha", "b/one.yaml": "beta", "b/two.yaml": "gamma", "c/a_one.yaml": "delta"}


def write_suite(folder):
    for path, word in CASES.items():
        case = Path(folder, path)
        case.parent.mkdir(exist_ok=True)
        case.with_suffix(".txt").write_text(f"say {word}\n")
        case.write_text(f"id: {word}\nprompt_path: {case.stem}.txt\ntype: code completion\nlang: python\ngrading:\n"
                        f"  keywords: [{word}]\n")
    Path(folder, "suite.yaml").write_text("cases:\n" + "".join(f"- {path}\n" for path in CASES))


with e2e.scratch() as folder:
    write_suite(folder)
    e2e.expect(e2e.assay("run", "suite.yaml", "-m", "echo:a", "--attempts", "2", cwd=folder), 0)
    [answers] = [path.parent for path in Path(folder, "results").glob("*/params.yaml")]
    texts = sorted(path.name for path in answers.glob("*.txt"))
    e2e.check(len(texts) == 2 * len(CASES), f"there is one file for each answer: {texts}")
    e2e.check("two_0.txt" in texts, "a name that is nobody else's stays")
    result = e2e.assay("grade", "suite.yaml", answers, "--out", "again", cwd=folder)
    e2e.expect(result, 0)
    summary = next(Path(folder, "again").glob("suite_*_suite.txt")).read_text()
    e2e.check(summary.startswith("Total score: 4.0 "), f"each case finds its own answers again: {summary}", result)

    # Names that no case has are told before anything is asked; `assay` used to run no case and to end well.
    for words in (("run", "suite.yaml", "-m", "echo:a", "--out", "none"), ("grade", "suite.yaml", str(answers)),
                  ("check", "suite.yaml"), ("plan", "suite.yaml", "-m", "echo:a")):
        e2e.expect(e2e.assay(*words, "--select", "a/on.yaml", cwd=folder), 1, "--select: the suite lists no case",
                   'did you mean "a/one.yaml"?')
        e2e.expect(e2e.assay(*words, "--filter", "z*", cwd=folder), 1, "no case matches the filter")
    e2e.check(not Path(folder, "none").exists(), "nothing is written")
    e2e.expect(e2e.assay("check", "suite.yaml", "--select", "a/one.yaml", cwd=folder), 0)

    # A table of other cases grades nothing.
    Path(folder, "other.csv").write_text("filename,completion\na/on.yaml,alpha\nx,y\n")
    for more in ((), ("--compat", "infibench")):
        e2e.expect(e2e.assay("grade", "suite.yaml", "other.csv", *more, cwd=folder), 2, "nothing was graded of other",
                   'answers to 2 cases that the suite does not list: "a/on.yaml" (did you mean "a/one.yaml"?), "x"')
