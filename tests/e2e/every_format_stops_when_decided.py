#!/usr/bin/env python3
"""Recorded answers of the InfiBench format and a program under test of the research format stop like models of a
blueprint: --until belongs to no format."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CASES = 120
PROGRAM = '''import json, sys
def send(kind, **members):
    print(json.dumps({"type": kind, **members}), flush=True)
run = json.loads(sys.stdin.readline())["run"]
send("ready", protocol="assay-exec/1", sut={"name": "counter", "version": "1"},
     role_aliases={"main": run["model_alias"]})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "shutdown":
        break
    if message["type"] == "turn":
        number = int(message["query"].split("number ")[1].split("?")[0])
        right = number % 10 != 0 if run["id"] == "careful" else number % 10 < 3
        said = f"It is {number if right else 'unknown'}."
        send("result", id=message["id"], answer=said, halted=False, halt_reason=None, notices=[], tool_usage={},
             token_usage={}, error=None)
send("bye")
'''


def infibench(folder):
    (folder / "cases").mkdir(parents=True)
    paths = {}
    for i in range(CASES):
        (folder / f"cases/c{i}.prompt.txt").write_text(f"What is {i}?\n")
        (folder / f"cases/c{i}.yaml").write_text(
            f"id: c{i}\nprompt_path: c{i}.prompt.txt\ntype: knowledge question-answering\nlang: python\n"
            f"grading:\n  keywords:\n  - right{i}\n")
        paths[f"cases/c{i}.yaml"] = [f"c{i}_0.txt"]
    cases = "\n".join(f"- {path}" for path in paths)
    (folder / "suite.yaml").write_text(
        f"version: '1'\nattempt_reduce_mode: avg\nfull_score_per_question: 1.0\nnull_score_per_question: 0.0\n"
        f"cases:\n{cases}\nsystem_prompt: Answer.\nsample_n: 1\n")
    for name, is_right in (("alder", lambda i: i % 10 != 0), ("birch", lambda i: i % 10 < 4)):
        answers = folder / "responses" / name
        answers.mkdir(parents=True)
        for i in range(CASES):
            (answers / f"c{i}_0.txt").write_text(f"right{i}" if is_right(i) else "no idea")
        (answers / "params.yaml").write_text(json.dumps(
            {"answer_paths": paths, "model_name": name, "sample_n": 1, "temp": 0.2, "top_p": 0.9}))


def research(folder):
    folder.mkdir()
    (folder / "counter.py").write_text(PROGRAM)
    (folder / "assay.toml").write_text("")
    tests = "".join(f"  - id: n{i}\n    doc_id: d\n    query: What is number {i}?\n"
                    f"    expected: {{type: contains, text: It is {i}.}}\n" for i in range(CASES))
    (folder / "d.txt").write_text("Numbers.\n")
    (folder / "questions.yaml").write_text(
        f"id: numbers\ndocs:\n  - {{id: d, title: D, url: \"file:d.txt\"}}\ntests:\n{tests}")
    runs = "".join(f'[[runs]]\nid = "{name}"\nmodel_alias = "exec:python3 counter.py"\n'
                   for name in ("careful", "hasty"))
    (folder / "matrix.toml").write_text(
        f'dataset = "./questions.yaml"\nsnapshot_root = "./snapshots"\noutput_root = "results/research"\n{runs}')


with e2e.scratch() as scratch:
    bench = Path(scratch) / "bench"
    infibench(bench)
    words = ["grade", "suite.yaml", "responses/alder", "responses/birch", "--until", "decided"]
    result = e2e.assay(*words, "--json", cwd=bench)
    e2e.expect(result, 0)
    run = e2e.one_run(result)
    end = run["until"][0]
    e2e.check(end["end"]["reason"] == "first" and end["in_race"] == ["alder"] and run["stopped"] == "decided", str(end),
              result)
    shown = e2e.assay(*words, cwd=bench)
    e2e.check(end["sentence"] in shown.stdout and "(stopped: decided)" in shown.stdout, "the sentence", shown)
    asked = end["end"]["n"]
    part = f"{asked} of {CASES} cases (stopped: decided)"
    file = next(bench.rglob("*_alder.yaml")).read_text()
    e2e.check(file.startswith(f"# {part}\n") and file.count("now_score") < CASES, "cases that were asked alone", result)
    totals = next(bench.rglob("*_alder.txt")).read_text()
    e2e.check(f"Total cases: {file.count('full_score: ')}\n" in totals, f"totals too: {totals}")
    rest = e2e.assay("run", "--resume", run["run"], "--until", "all", "--json", cwd=bench)
    e2e.expect(rest, 0)
    e2e.check(e2e.one_run(rest)["variants"][0]["scored"] == CASES, "the rest is graded", rest)

    numbers = Path(scratch) / "numbers"
    research(numbers)
    e2e.expect(e2e.assay("prepare", "--dataset", "questions.yaml", "--snapshot-root", "snapshots", cwd=numbers), 0)
    words = ["run", "matrix.toml", "--allow-exec", "python3 counter.py", "--until", "decided"]
    result = e2e.assay(*words, "--json", cwd=numbers)
    e2e.expect(result, 0)
    run = e2e.one_run(result)
    end = run["until"][0]
    e2e.check(end["end"]["reason"] == "first" and len(end["in_race"]) == 1, str(end), result)
    e2e.check("careful" in end["in_race"][0], str(end), result)
    summary = json.loads(next(path for path in Path(numbers).rglob("summary.json") if "runs" in
                              json.loads(path.read_text())).read_text())
    e2e.check(summary["stopped"].endswith(f" of {CASES} cases (stopped: decided)"), str(summary["stopped"]))
    rows = list(Path(numbers).rglob("results.jsonl"))
    e2e.check(rows and all(json.loads(line) for path in rows for line in path.read_text().splitlines()),
              "rows of the session are whole", result)
    shutil.rmtree(numbers)
