#!/usr/bin/env python3
"""What is said of a variant at a run's end calls it as the tables do: by its label, or by its model and the parameters
that vary; ids stay where one is to be typed. Research runs tell a case on one line, and the verdict last."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HEAD = "models: [echo:a, {model: echo:b, label: Birch}]\nsystems: [null, Be brief.]\n---\n"
CASES = "".join(f"- {{id: q{i}, prompt: say word, should: [$contains: word, $contains: never]}}\n" for i in range(8))
DATASET = """docs: [{id: a, title: A, url: "https://e.example/a.pdf"}]
tests:
  - {id: t1, doc_id: a, query: say word, expected: {type: contains, text: word}}
  - {id: t2, doc_id: a, query: say word, expected: {type: contains, text: other}}
"""
RUN = '[[runs]]\nid = "{0}"\nmodel_alias = "echo:{0}"\nresearch_mode = false\nlean = true\n'


def at_the_end():
    with e2e.scratch() as folder:
        Path(folder, "s.yml").write_text(HEAD + CASES)
        missed = e2e.assay("run", "s.yml", "--fail-under", "0.9", cwd=folder)
        e2e.expect(missed, 3, "missed --fail-under 0.9: echo:a (system prompt “Be brief.”) has 0.5",
                   "missed --fail-under 0.9: Birch (no system prompt) has 0.5")
        more = HEAD.replace("echo:a,", "echo:a, {model: echo:c, label: Cedar},")
        Path(folder, "s.yml").write_text(more + CASES)
        gated = e2e.assay("run", "s.yml", "--fail-on-regression", "latest", cwd=folder)
        e2e.expect(gated, 0, "Birch (system prompt “Be brief.”) against ",
                   "no gate for Cedar (no system prompt), echo:c")
        e2e.check("sp_idx" not in missed.stderr, "an id where nobody types one", missed)


def while_it_goes_on():
    with e2e.scratch() as folder:
        Path(folder, "d.yaml").write_text(DATASET)
        matrix = 'dataset = "./d.yaml"\noutput_root = "runs"\n' + RUN.format("one") + RUN.format("two")
        Path(folder, "m.toml").write_text(matrix)
        ran = e2e.assay("run", "m.toml", "-j", "1", cwd=folder)
        e2e.expect(ran, 0)
        lines = (ran.stdout + ran.stderr).splitlines()
        for number, case, status in ((1, "t1", "PASS"), (2, "t2", "FAIL")):
            for name in ("one", "two"):
                told = [line for line in lines if line.startswith(f"  [{number}/2] {name} · {case}: {status} (")]
                e2e.check(len(told) == 1, f"{name} tells {case} on one line", ran)
        e2e.check("[run 1/2] one started (2 cases)" in lines, "a run's line", ran)
        e2e.check("running..." not in ran.stderr and "run_turn" not in ran.stderr, "no other line", ran)
        last = [line for line in ran.stdout.splitlines() if line.strip()][-1]
        e2e.check(last.startswith("one and two cannot be told apart: "), "the verdict is told last", ran)
        original = e2e.assay("run", "m.toml", "--fresh", "--compat", "asky", "-j", "1", cwd=folder)
        e2e.check("[run 1/2] one started (2 cases)" in original.stdout + original.stderr, "its own lines", original)


at_the_end()
while_it_goes_on()
