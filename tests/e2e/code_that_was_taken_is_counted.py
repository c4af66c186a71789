#!/usr/bin/env python3
"""Right code in no fence, or beside a block of another language, fails as the format has it: the end of the run counts
such answers, and `only_lang` takes only blocks of the case's language."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

RIGHT = "def f():\n    return 2\n"
BESIDE = f"```bash\npip install x\n```\n```python\n{RIGHT}```\n"
# name: (answer, members of the test, whether it passes)
CASES = {
    "fenced": (f"```python\n{RIGHT}```", "", True),
    "bare": (f"Here: {RIGHT}", "", False),
    "tilde": (f"~~~python\n{RIGHT}~~~", "", False),
    "joined": (BESIDE, "", False),
    "of-lang": (BESIDE, ", only_lang: true", True),
    "unnamed": (f"```bash\nls\n```\n```\n{RIGHT}```", ", only_lang: true", True),
    "longest": (f"```py\nx = 1\n```\n{BESIDE}", ", only_lang: true, only_longest: true", True),
    "no-lang": ("```bash\nls\n```\n```js\n1\n```", ", only_lang: true", False),
}


def write_suite(folder):
    Path(folder, "answers").mkdir()
    paths = ""
    for name, (answer, members, _) in CASES.items():
        Path(folder, f"{name}.yaml").write_text(
            f"id: {name}\nprompt_path: p.txt\ntype: code completion\nlang: python\ngrading:\n  unit_test:\n    tests:\n"
            f"    - {{content: assert f() == 2{members}}}\n")
        Path(folder, f"answers/{name}.txt").write_text(answer)
        paths += f"  {name}.yaml: [{name}.txt]\n"
    Path(folder, "p.txt").write_text("Write f.\n")
    Path(folder, "answers/params.yaml").write_text("answer_paths:\n" + paths)
    Path(folder, "suite.yaml").write_text("cases:\n" + "".join(f"- {name}.yaml\n" for name in CASES))


with e2e.scratch() as folder:
    write_suite(folder)
    result = e2e.assay("grade", "suite.yaml", "answers", "--json", cwd=folder)
    if "programs ran in the sandbox" not in result.stderr:
        print("skipped: no sandbox works here")
        sys.exit(77)
    e2e.expect(result, 0, "warning: 3 answers failed because no code was found",
               "warning: 1 answer failed of which several blocks were joined", "only_lang: true")
    e2e.check(e2e.one_run(result)["variants"][0]["scored"] == len(CASES), "all are graded", result)
    for name, (_, _, passes) in CASES.items():
        shown = e2e.assay("show", "latest", "--case", f"{name}.yaml", cwd=folder)
        e2e.check(("answers · ✓ 100" in shown.stdout) == passes, f"{name}: {passes}", shown)
    shown = e2e.assay("show", "latest", "--case", "no-lang.yaml", cwd=folder)
    e2e.check("no code was found (no block is in python)" in shown.stdout, "why", shown)
    checked = e2e.assay("check", "suite.yaml", cwd=folder)
    e2e.check("unknown key" not in checked.stderr, "the key is known", checked)
