#!/usr/bin/env python3
"""A program whose file was changed is another program, in every format and as a judge too; one that is the same is not
asked again, and neither is one that names no file."""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

PROGRAM = '''import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    if message["type"] == "turn":
        print(json.dumps({"type": "result", "id": message["id"], "answer": ANSWER}), flush=True)
    if message["type"] == "shutdown":
        break
'''
JUDGE = "<reflection>R.</reflection><classification>CLASS_{}</classification>"
SUITES = {
    "blueprint": ("suite.yml", {
        "suite.yml": "models: [echo:a]\n---\n- {id: one, prompt: Say, should: [{$contains: NEW}]}\n"}),
    "infibench": ("suite.yaml", {
        "suite.yaml": "cases: [one.yaml]\nattempt_reduce_mode: avg\n",
        "one.yaml": "id: one\nprompt_path: one.txt\ntype: code completion\nlang: python\ngrading: {keywords: [NEW]}\n",
        "one.txt": "Say"}),
}


def write_program(path, answer):
    path.write_text(f"ANSWER = {answer!r}\n{PROGRAM}")


def mean(result):
    e2e.expect(result, 0)
    return e2e.one_run(result)["mean"]


for name, (suite, files) in SUITES.items():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        for path, text in files.items():
            (folder / path).write_text(text)

        def run(*words):
            return e2e.assay("run", suite, "--json", "-m", "exec:python3 up.py", *words, cwd=folder)

        write_program(folder / "up.py", "old")
        e2e.check(mean(run()) == 0, f"{name}: the old program's answer")
        e2e.check(mean(run("--offline")) == 0, f"{name}: the same program is not asked again")
        write_program(folder / "up.py", "NEW")
        e2e.check(mean(run()) == 1, f"{name}: the changed program is asked")
        write_program(folder / "up.py", "old")
        e2e.check(mean(run("--offline")) == 0, f"{name}: what the older one said is still there")

with e2e.scratch() as scratch:
    folder = Path(scratch)
    (folder / "suite.yml").write_text("models: [echo:a]\n---\n- {id: one, prompt: Say, should: [Is polite.]}\n")

    def judge():
        return e2e.assay("run", "suite.yml", "--json", "--judge", "exec:python3 judge.py", cwd=folder)

    write_program(folder / "judge.py", JUDGE.format("UNMET"))
    e2e.check(mean(judge()) == 0, "the old judge's verdict")
    write_program(folder / "judge.py", JUDGE.format("EXACT"))
    e2e.check(mean(judge()) == 1, "the changed judge is asked")

# A program that names no file is found by its words alone.
with e2e.scratch() as scratch:
    folder = Path(scratch)
    (folder / "bin").mkdir()
    program = folder / "bin" / "my-agent"
    path = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    for path_, text in SUITES["blueprint"][1].items():
        (folder / path_).write_text(text)
    for answer in "old", "NEW":
        write_program(program, answer)
        program.write_text(f"#!{sys.executable}\n" + program.read_text())
        program.chmod(0o755)
        result = e2e.assay("run", "suite.yml", "--json", "-m", "exec:my-agent", cwd=folder, env=path)
        e2e.check(mean(result) == 0, "the answer is found again", result)
