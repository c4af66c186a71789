#!/usr/bin/env python3
"""A bare Python without numpy used to fail every program: what nobody uses is left out, and what fails for want of it
is an error, of every answer to its case. A package that is only named changes nothing."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# name: (answer, test, now_score; None: an error)
CASES = {
    "plain": ("def f():\n    return collections.Counter('aa')['a']", "assert f() == 2", 1.0),
    "wrong": ("def f():\n    return 3", "assert f() == 2", 0.0),
    "answer": ("def f():\n    return int(np.sum([1, 1]))", "assert f() == 2", None),
    "test": ("def f():\n    return 2", "assert numpy.int64(f()) == 2", None),
    "comment": ("# numpy is not needed\ndef f():\n    return 2", "assert f() == 2", 1.0),
    "text": ("def f():\n    return len('np')  # import numpy as np", "assert f() == 2", 1.0),
    "tries": ("try:\n    import numpy\nexcept ImportError:\n    numpy = None\ndef f():\n    return 2",
              "assert f() == 2", 1.0),
    "itself": ("def f():\n    return 2", "import no_such_package_anywhere", 0.0),
}


def write_suite(folder):
    Path(folder, "answers").mkdir()
    paths = ""
    for name, (answer, test, _) in CASES.items():
        Path(folder, f"{name}.yaml").write_text(
            f"id: {name}\nprompt_path: {name}.txt\ntype: code completion\nlang: python\ngrading:\n"
            f"  unit_test:\n    tests:\n    - {test!r}\n")
        Path(folder, f"{name}.txt").write_text("Write a function f().\n")
        Path(folder, f"answers/{name}.txt").write_text(f"```python\n{answer}\n```")
        paths += f"  {name}.yaml: [{name}.txt]\n"
    Path(folder, "answers/params.yaml").write_text("answer_paths:\n" + paths)
    Path(folder, "suite.yaml").write_text("cases:\n" + "".join(f"- {name}.yaml\n" for name in CASES))


def grade(folder, env, out, *options):
    result = e2e.assay("grade", "suite.yaml", "answers", "--out", out, *options, cwd=folder, env=env)
    text = Path(folder, out, "suite_answers.yaml").read_text()
    cases = re.split(r"(?m)^(\w+)\.yaml:$", text)[1:]
    return result, {name: None if "error encountered" in body else float(re.search(r"now_score: (\S+)", body)[1])
                    for name, body in zip(cases[::2], cases[1::2])}, " ".join(text.split())


with e2e.scratch() as folder, e2e.bare_toolchains() as bare:
    write_suite(folder)
    env = {"ASSAY_TOOLCHAINS": bare}

    result, scores, text = grade(folder, env, "out")
    if "programs ran in the sandbox" not in result.stderr:
        print("skipped: no sandbox works here")
        sys.exit(77)
    want = {name: score for name, (_, _, score) in CASES.items()}
    e2e.check(scores == want, f"wanted {want}, got {scores}", result)
    e2e.check(text.count("package missing: the program uses numpy") == 2, f"the error says what is missing\n{text}")
    e2e.check("apt-get install python3-numpy" in text, "and how to get it", result)
    warning = "1 test in python uses numpy, which is not installed"
    e2e.check(result.stderr.count(warning) == 1, "the test that needs it is told", result)
    e2e.expect(result, 2, "warning: answer.yaml needs numpy, which is not installed (used by answers)",
               "warning: test.yaml needs numpy")

    # Who did without the package is not graded either: all are compared over the same cases.
    Path(folder, "others").mkdir()
    Path(folder, "others/params.yaml").write_text("answer_paths:\n  answer.yaml: [a.txt]\n  plain.yaml: [p.txt]\n")
    for name in "ap":
        Path(folder, f"others/{name}.txt").write_text("```python\ndef f():\n    return 2\n```")
    for _ in range(2):  # the second time programs are found again, and the same is left out
        result = e2e.assay("grade", "suite.yaml", "answers", "others", "--out", "both", "--json", cwd=folder, env=env)
        e2e.expect(result, 2, "answer.yaml needs numpy, which is not installed (used by answers): an error for all")
        counts = {one["id"]: (one["scored"], one["errors"]) for one in e2e.one_run(result)["variants"]}
        e2e.check(counts == {"answers": (6, 2), "others": (1, 1)}, f"{counts}", result)
    shown = e2e.assay("show", "latest", "--case", "answer.yaml", cwd=folder)
    e2e.check("left out: numpy is not installed, and the program of answers uses it" in shown.stdout, "why", shown)

    [packages] = Path(bare, "python/lib").glob("python3*/site-packages")
    Path(packages, "numpy.py").write_text("import builtins\nsum = builtins.sum\nint64 = int\n")
    result, scores, _ = grade(folder, env, "later")
    want = {name: 1.0 if score is None else score for name, score in want.items()}
    e2e.check(scores == want, f"once it is there the same command grades again: wanted {want}, got {scores}", result)
    Path(packages, "numpy.py").unlink()

    result = e2e.assay("check", "suite.yaml", cwd=folder, env=env)
    e2e.expect(result, 0)
    e2e.check(warning in result.stderr and "test.yaml:8:7" in result.stderr, "check says it at its place", result)
    result = e2e.assay("run", "suite.yaml", "-m", "echo:a", "--out", "asked", cwd=folder, env=env)
    e2e.check(warning in result.stderr, "a run says it first", result)

    result, scores, _ = grade(folder, env, "original", "--compat", "infibench")
    e2e.check(set(scores.values()) == {0.0}, f"the original fails every program: {scores}", result)
    e2e.check("begin with numpy, pandas, requests, openpyxl, xlsxwriter, yolk" in result.stderr, "that is said", result)
