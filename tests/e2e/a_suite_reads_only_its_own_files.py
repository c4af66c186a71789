#!/usr/bin/env python3
"""A suite that names files outside of its folder gets none of their bytes, until the user allows it."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CASE = "id: a\nprompt_path: ../secret.txt\ntype: code completion\nlang: python\ngrading:\n  keywords: [words]\n"

with e2e.scratch() as name:
    folder = Path(name)
    (folder / "suite").mkdir()
    (folder / "answers").mkdir()
    (folder / "secret.txt").write_text("the secret words")
    (folder / "suite/suite.yaml").write_text("cases: [case.yaml]\n")
    (folder / "suite/case.yaml").write_text(CASE)

    refused = e2e.assay("run", "suite/suite.yaml", "-m", "echo:a", cwd=folder)
    e2e.expect(refused, 1, "lies outside the suite's folder", "--allow-path")
    allowed = e2e.assay("run", "suite/suite.yaml", "-m", "echo:a", "--allow-path", ".", cwd=folder)
    e2e.expect(allowed, 0)
    answers = [path.read_text() for path in (folder / "results").glob("echo_a_*/case_0.txt")]
    e2e.check(len(answers) == 1 and "the secret words" in answers[0], f"{answers}", allowed)

    (folder / "answers/params.yaml").write_text("answer_paths:\n  case.yaml: [../secret.txt, link.txt]\n")
    (folder / "answers/link.txt").symlink_to("../secret.txt")
    graded = e2e.assay("grade", "suite/suite.yaml", "answers", cwd=folder)
    e2e.check(graded.stderr.count("lies outside") >= 2, "expected both answers to be refused", graded)
