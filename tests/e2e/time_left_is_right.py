#!/usr/bin/env python3
"""While programs run, the time left in progress lines is about right, or there is none: where programs answer, and
where answers are recorded and programs grade them."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

AGENT = """import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        time.sleep(0.4)
        print(json.dumps({"type": "result", "id": message["id"], "answer": "done"}), flush=True)
    else: break
"""
CASES, GRADED, SLOW = 40, 60, 14
TIMES_MAX, SLACK_MS = 3, 2_500  # a busy machine's pace changes


def are_right(name, stderr):
    """Every time that a line names, against what was left when the run ended."""
    lines = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    e2e.check(lines, f"{name}: there is progress: {stderr}")
    end = lines[-1]["elapsed_ms"]
    e2e.check(end > 4_000, f"{name}: long enough for a time left: {end} ms")
    wrong = []
    for line in lines:
        left, true = line["left_ms"], end - line["elapsed_ms"]
        if left is not None and not true / TIMES_MAX - SLACK_MS <= left <= TIMES_MAX * true + SLACK_MS:
            wrong.append(f"{left} ms left at {line['elapsed_ms']}, {true} were")
    e2e.check(not wrong, f"{name}: {wrong}")
    return [line["left_ms"] for line in lines]


with e2e.scratch() as scratch:
    answering = Path(scratch, "answering")
    answering.mkdir()
    (answering / "agent.py").write_text(AGENT)
    prompts = "".join(f"  - {{id: c{i}, prompt: 'question {i}', should: [$icontains: done]}}\n" for i in range(CASES))
    (answering / "suite.yml").write_text(f"id: slow\nmodels: ['exec:python3 agent.py']\nprompts:\n{prompts}")
    words = ["run", "suite.yml", "-m", "exec:python3 agent.py", "--allow-exec", "python3 agent.py", "-j", "2"]
    done = e2e.assay(*words, "--progress", "json", cwd=answering)
    e2e.expect(done, 0)
    told = are_right("answers", done.stderr)
    e2e.check(any(left is not None for left in told), f"a time is named: {told}", done)

    # Most cells are graded at once; the programs of the others take most of the time.
    grading = Path(scratch, "grading")
    (grading / "cases").mkdir(parents=True)
    (grading / "answers").mkdir()
    paths = ""
    for i in range(GRADED):
        test = "'sleep 0.8; [ $(double 2) = 4 ]'" if i < SLOW else None
        check = f"  unit_test:\n    tests:\n    - {test}\n" if test else "  keywords:\n  - content: double\n"
        (grading / f"cases/c{i}.yaml").write_text(f"id: c{i}\nprompt_path: cases/c{i}.txt\ntype: code completion\n"
                                                  f"lang: bash\ngrading:\n{check}")
        (grading / f"cases/c{i}.txt").write_text("Write it.\n")
        (grading / f"answers/c{i}_0.txt").write_text(f"```bash\ndouble() {{ echo $((2 * $1)); }}  # {i}\n```")
        paths += f"  cases/c{i}.yaml: [c{i}_0.txt]\n"
    (grading / "answers/params.yaml").write_text("answer_paths:\n" + paths)
    (grading / "suite.yaml").write_text("cases:\n" + "".join(f"- cases/c{i}.yaml\n" for i in range(GRADED)))
    done = e2e.assay("grade", "suite.yaml", "answers", "--progress", "json", cwd=grading)
    if re.search(r"no sandbox|cannot be isolated", done.stderr):
        print("skipped: programs of answers cannot run here")
        sys.exit(77)
    e2e.expect(done, 0)
    are_right("checks", done.stderr)
