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
        e2e.expect(missed, 3, "missed --fail-under 0.9: echo:a (system prompt “Be brief.”) has 50 points",
                   "missed --fail-under 0.9: Birch (no system prompt) has 50 points")
        more = HEAD.replace("echo:a,", "echo:a, {model: echo:c, label: Cedar},")
        Path(folder, "s.yml").write_text(more + CASES)
        gated = e2e.assay("run", "s.yml", "--fail-on-regression", "latest", cwd=folder)
        e2e.expect(gated, 0, "Birch (system prompt “Be brief.”) against ",
                   "no gate for Cedar (no system prompt), echo:c")
        e2e.check("sp_idx" not in missed.stderr, "an id where nobody types one", missed)


def while_it_goes_on():
    with e2e.scratch() as folder:
        Path(folder, "d.yaml").write_text(DATASET)
        matrix = ('dataset = "./d.yaml"\noutput_root = "runs"\n' + RUN.format("one") + RUN.format("two")
                  + 'label = "Birch, lean"\n')
        Path(folder, "m.toml").write_text(matrix)
        ran = e2e.assay("run", "m.toml", "-j", "1", cwd=folder)
        e2e.expect(ran, 0)
        lines = (ran.stdout + ran.stderr).splitlines()
        for number, case, status in ((1, "t1", "PASS"), (2, "t2", "FAIL")):
            for name in ("one", "Birch, lean"):
                told = [line for line in lines if line.startswith(f"  [{number}/2] {name} · {case}: {status} (")]
                e2e.check(len(told) == 1, f"{name} tells {case} on one line", ran)
        for line in ("[run 1/2] one started (2 cases)", "[run 2/2] Birch, lean started (2 cases)",
                     "- Birch, lean: passed=1/2 failed=1 errors=0 halted=0"):
            e2e.check(line in lines, f"a run's line: {line}", ran)
        e2e.check("running..." not in ran.stderr and "run_turn" not in ran.stderr, "no other line", ran)
        last = [line for line in ran.stdout.splitlines() if line.strip()][-1]
        e2e.check(last.startswith("one and Birch, lean are not shown to differ: "), "the verdict is told last", ran)
        original = e2e.assay("run", "m.toml", "--fresh", "--compat", "asky", "-j", "1", cwd=folder)
        e2e.check("[run 2/2] two started (2 cases)" in original.stdout and "- two: passed=1/2" in original.stdout,
                  "its own lines", original)


def models_of_a_suite():
    """A suite labels the models that are asked; recorded answers have the name that stands beside them."""
    with e2e.scratch() as folder:
        Path(folder, "c.txt").write_text("say word")
        Path(folder, "c.yaml").write_text("id: c\nprompt_path: c.txt\ntype: knowledge question-answering\nlang: bash\n"
                                          "grading: {keywords: [word]}\n")
        Path(folder, "s.yaml").write_text("cases: [c.yaml]\nlabels: {'echo:a': Ash tree}\n")
        asked = e2e.assay("run", "s.yaml", "-m", "echo:a", "-m", "echo:b", cwd=folder)
        e2e.expect(asked, 0)
        e2e.check("Ash tree" in asked.stdout and "echo:b" in asked.stdout, "a label, and a model without", asked)
        e2e.check("echo:a" not in asked.stdout, "an id where nobody types one", asked)
        answers = Path(folder, "answers")
        answers.mkdir()
        Path(answers, "c_0.txt").write_text("word")
        Path(answers, "params.yaml").write_text("model_name: Elm 7B\nanswer_paths: {c.yaml: [c_0.txt]}\n")
        graded = e2e.assay("grade", "s.yaml", "answers", cwd=folder)
        e2e.expect(graded, 0)
        e2e.check("Elm 7B" in graded.stdout, "the name that stands beside the answers", graded)
        Path(answers, "params.yaml").write_text("model_name: Elm 7B\nanswer_paths: {d.yaml: [c_0.txt]}\n")
        e2e.expect(e2e.assay("grade", "s.yaml", "answers", cwd=folder), 2,
                   "nothing was graded of Elm 7B: it has no answer to the only case")


at_the_end()
models_of_a_suite()
while_it_goes_on()
