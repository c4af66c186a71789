#!/usr/bin/env python3
"""Programs of answers run in the sandbox: passed, failed, out of time, early, cleaned up, without a runtime."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# name: (answer, test as YAML, passes, passes by --strict-programs)
CASES = {
    "good": ("```bash\ndouble() { echo $((2 * $1)); }\n```", "'[ $(double 2) = 4 ]'", 1, 1),
    "bad": ("```bash\ndouble() { echo $1; }\n```", "'[ $(double 2) = 4 ]'", 0, 0),
    "slow": ("```bash\nwhile :; do sleep 1; done\n```", "{content: 'true', timeout: 0.3}", 0, 0),
    "early": ("```bash\nexit 0\n```", "'false'", 1, 0),
    "cleaned": ("```bash\necho left > behind\n```", "{content: '[ -e behind ]', cleanup_path: clean.py}", 1, 1),
}


def write_suite(folder):
    Path(folder, "cases").mkdir()
    Path(folder, "answers").mkdir()
    Path(folder, "cases/clean.py").write_text("import os\nos.remove('behind')\n")
    paths = ""
    for name, (answer, test, _, _) in CASES.items():
        Path(folder, f"cases/{name}.yaml").write_text(
            f"id: {name}\nprompt_path: cases/{name}.txt\ntype: code completion\nlang: bash\ngrading:\n"
            f"  unit_test:\n    tests:\n    - {test}\n")
        Path(folder, f"cases/{name}.txt").write_text("Write it.\n")
        Path(folder, f"answers/{name}_0.txt").write_text(answer)
        paths += f"  cases/{name}.yaml: [{name}_0.txt]\n"
    Path(folder, "answers/params.yaml").write_text("answer_paths:\n" + paths)
    Path(folder, "suite.yaml").write_text("cases:\n" + "".join(f"- cases/{name}.yaml\n" for name in CASES))


def grade(folder, *options, env=None):
    """The run's JSON, what was said, and now_score by case."""
    out = Path(folder, f"out-{len(list(Path(folder).glob('out-*')))}")
    result = e2e.assay("grade", "suite.yaml", "answers", "--json", "--out", out, *options, cwd=folder, env=env)
    run = e2e.one_run(result)
    text = (out / "suite_answers.yaml").read_text()
    scores = {name: float(score) for name, score in
              re.findall(r"^cases/(\w+)\.yaml:.*?^  now_score: (\S+)$", text, re.M | re.S)}
    return run, result, scores


with e2e.scratch() as folder:
    write_suite(folder)
    run, result, scores = grade(folder)
    if "programs ran in the sandbox" not in result.stderr:
        print("skipped: no sandbox works here")
        sys.exit(77)
    want = {name: float(passes) for name, (_, _, passes, _) in CASES.items()}
    e2e.check(scores == want, f"wanted {want}, got {scores}", result)
    page = next(Path(folder, "out-0").glob("*/report.html")).read_text()
    e2e.check("suspicious: it ended with status 0" in e2e.page_text(page), "the page says who ended early", result)

    # Of a check of several parts people only saw its sum.
    shown = e2e.assay("show", "latest", "--case", "cases/bad.yaml", "--json", cwd=folder)
    e2e.expect(shown, 0)
    (item,) = json.loads(shown.stdout)["attempts"][0]["points"][0]["items"]
    e2e.check(item["wanted"] == "[ $(double 2) = 4 ]" and item["points"] == 0 and item["weight"] == 1, f"{item}")
    e2e.check(item["found"].startswith("failed: returncode: 1") and "echo $1" in item["program"], f"{item}")
    shown = e2e.assay("show", "latest", "--case", "cases/bad.yaml", cwd=folder)
    e2e.check("0 of 1" in shown.stdout and "failed: returncode: 1" in shown.stdout, "the table tells it", shown)

    again, result, scores = grade(folder)
    e2e.check(scores == want, "the same again", result)
    e2e.check(again["up_to_date"], "a finished run runs nothing again, not even what was late", result)

    _, result, scores = grade(folder, "--strict-programs")
    want = {name: float(passes) for name, (_, _, _, passes) in CASES.items()}
    e2e.check(scores == want, f"--strict-programs: wanted {want}, got {scores}", result)

    Path(folder, "nothing").mkdir()
    run, result, scores = grade(folder, env={"PATH": str(Path(folder, "nothing"))})
    e2e.check(run["variants"][0]["errors"] == len(CASES), "every case without a runtime is an error", result)
    e2e.check("programs in bash cannot run here" in result.stderr, "and that is said", result)
