#!/usr/bin/env python3
"""A newcomer's mistakes are told at their place with the sentence that helps: one row for each, and what must not be
said beside it."""
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HEAD = "models: [echo:a]\nevaluationConfig: {llm-coverage: {judges: [{model: echo:j}]}}\n---\n"
# (a blueprint, what is told)
BLUEPRINTS = [
    (HEAD + "- prompt:Why?\n  should:\n    - a\n", "a.yml:4:3: error: a space is missing after \"prompt:\""),
    ("models: [echo:a]\n--\n- prompt: Why?\n  should:\n    - a\n", "a.yml:2:1: error: this line separates nothing: --"),
    (HEAD + "- prompt: Why?\nshould:\n  - a\n", "a.yml:5:1: error: \"should\" does not belong to the item above"),
    (HEAD + "- prompt: Why?\n  should:\n    – a\n    – b\n", "– begins no item: write a minus sign"),
    (HEAD + "- prompt: Why?\n  should:\n    - a\n    – b\n", "a.yml:7:5: error: – begins no item of a list"),
    ("models: [echo:a]\nprompts:\n  first: {prompt: Why?, should: [a]}\n",
     "a.yml:3:3: error: expected a list of prompts"),
    (HEAD + "- prompt: Why?\n  must: [a]\n",
     "a.yml:5:3: error: prompt 1: unknown key \"must\", so that it has no criteria"),
    (HEAD + "- prompt: Why?\n  must: [a]\n", "did you mean \"should\"?"),
    (HEAD + "- prompt: Why?\n  must_not: [a]\n  should: [b]\n", "did you mean \"should_not\"?"),
    (HEAD + "- prompt: Why?\n- prompt: How?\n  should: [a]\n", "a.yml:4:3: warning: prompt 1 has no criteria"),
    (HEAD + "- prompt: Why?\n- prompt: How?\n", "note: nothing is checked"),
    (HEAD + "- prompt: Why?\n  should:\n    - a\n     - b\n",
     "a.yml:7:6: warning: this line continues the text above"),
    (HEAD + "- prompt: What is issue #12?\n  should: [a]\n", "a.yml:4:25: warning: the text ends here"),
    (HEAD + "- prompt: Why?\n  should:\n    - \"open\n- prompt: b\n",
     "note: the rest of a.yml is checked when this error is repaired"),
    ("models: [openai:gpt-4o]\nprompts:\n- prompt: '" + "word " * 170_000 + "'\n  should: [$contains: a]\n",
     "[plan.long-question]"),
]
# Texts that look a little like these mistakes, and are none.
FINE = [
    HEAD + "- prompt: Why?  # a comment\n  should:\n    - one thing  # a comment\n    - another\n",
    HEAD + "- prompt: |\n    - a\n     - b #c\n  should: [a]\n",
    HEAD + "- {prompt: Why?, ideal: Because.}\n- {prompt: How?, should: [a]}\n",
    "models: [openai:gpt-4.1]\nprompts:\n- prompt: '" + "word " * 170_000 + "'\n  should: [$contains: a]\n",
]
# (text replaced in the example suite, what by, what is told)
SUITES = [
    ("suite.yaml", "  weight: 2.0 ", "  wieght: 2.0 ",
     "suite.yaml:16:3: warning: an entry of `cases`: unknown key \"wieght\""),
    ("suite.yaml", "temp: 0.2", "temp: warm", "suite.yaml:19:7: error: temp: expected a number from 0 to 2"),
    ("suite.yaml", "top_p: 0.9", "top_p: 1.9",
     "suite.yaml:20:8: error: top_p: expected a number from 0 to 1, found 1.9"),
    ("suite.yaml", "null_score_per_question: 0.0", "null_score_per_question: 2.0",
     "suite.yaml:6:26: warning: null_score is 2, more than the full score, 1"),
    ("suite.yaml", "\ncases:", "\ncase:", "suite.yaml:7:1: error: the suite has no `cases`: unknown key \"case\""),
    ("cases/undo-commit.yaml", "undo-commit.prompt", "undo-comit.prompt", "did you mean undo-commit.prompt.txt?"),
    ("cases/group-by.yaml", "lang: sql", "lang: pyhton", "cases/group-by.yaml:4:7: warning: lang: \"pyhton\""),
    ("cases/slug.yaml", "id: slug", "id: chunks",
     "cases/slug.yaml:1:5: warning: \"cases/chunks.yaml\" has the id \"chunks\" too"),
]
# (text replaced in the example matrix, what by, what is told)
MATRICES = [
    ('"./snapshots"', '"./snapshosts"', "matrix.toml:4:17: warning: the documents are not downloaded"),
    ('"./snapshots"', '"./snapshosts"', "did you mean"),
    ('model_alias = "orchard-reader"', 'model_alias = "gpt"',
     "warning: run \"searching\": there is no model alias \"gpt\""),
    ('model_alias = "orchard-reader"', 'model_alias = "opnai:gpt-4o"', "error: there is no provider \"opnai\""),
    ('dataset = "./q', 'datset = "./q',
     "matrix.toml:3:1: error: the matrix: unknown key \"datset\", so that it has no dataset"),
    ('"./questions.yaml"', '"./question.yaml"', "matrix.toml:3:11: error: the dataset: there is no file"),
]


def example(name, folder):
    shutil.copytree(e2e.ROOT / "examples" / name, folder)
    return folder


def replaced(path, old, new):
    text = Path(path).read_text()
    e2e.check(old in text, f"{path} has no {old!r}")
    Path(path).write_text(text.replace(old, new, 1))


def blueprints(folder):
    for text, want in BLUEPRINTS:
        Path(folder, "a.yml").write_text(text)
        done = e2e.assay("check", "a.yml", cwd=folder)
        e2e.check(want in done.stderr, f"{want!r} is not told of\n{text[:300]}", done)
    for text in FINE:
        Path(folder, "a.yml").write_text(text)
        done = e2e.assay("check", "a.yml", cwd=folder)
        e2e.check("warning:" not in done.stderr and "error:" not in done.stderr, f"of\n{text[:300]}", done)


def suites(folder):
    for n, (name, old, new, want) in enumerate(SUITES):
        suite = example("infibench-small", Path(folder, f"s{n}"))
        replaced(suite / name, old, new)
        done = e2e.assay("check", "suite.yaml", cwd=suite)
        e2e.check(want in done.stderr, f"{want!r} is not told", done)
    e2e.check("null_score" not in e2e.assay("check", "suite.yaml", cwd=example("infibench-small", Path(folder,
        "ok"))).stderr,
              "a good suite is told of")


def matrices(folder):
    for n, (old, new, want) in enumerate(MATRICES):
        matrix = example("research-orchard", Path(folder, f"m{n}"))
        replaced(matrix / "matrix.toml", old, new)
        done = e2e.assay("check", "matrix.toml", cwd=matrix)
        e2e.check(want in done.stderr, f"{want!r} is not told", done)


def answers(folder):
    suite = example("infibench-small", Path(folder, "answers"))
    Path(suite, "a.csv").write_text("filename,completion\nslugs,hi\nzzz,x\n")
    done = e2e.assay("grade", "suite.yaml", "a.csv", cwd=suite)
    e2e.expect(done, 2, 'did you mean "cases/slug.yaml"?', "nothing was graded of a")
    e2e.check("rank" not in done.stdout, "an empty table is shown", done)
    Path(suite, "b.csv").write_text("filename,completion\nzzz,x\n")
    e2e.expect(e2e.assay("grade", "suite.yaml", "b.csv", cwd=suite), 2, 'there are "cases/undo-commit.yaml"')
    Path(suite, "c.csv").write_text("filename,answer\ncases/slug.yaml,x\n")
    done = e2e.assay("grade", "suite.yaml", "c.csv", cwd=suite)
    e2e.expect(done, 1, "expected the columns `filename` and `completion`")
    e2e.check("names no model" not in done.stderr, "a second error follows from the first", done)


def words(folder):
    Path(folder, "a.yml").write_text(HEAD + "- prompt: Why?\n  should: [$contains: W]\n")
    e2e.expect(e2e.assay("run", "a.yml", "-model", "echo:a", cwd=folder), 1,
        "-model: a long name has two dashes; write --model")
    Path(folder, "broken.json").write_text('{"a": 1,\n')
    done = e2e.assay("show", "broken.json", cwd=folder)
    e2e.check("broken.json:2:1: " in done.stderr and "these can" not in done.stderr, "where JSON breaks", done)
    Path(folder, "usual.yml").write_text("models: [echo:a]\nprompts:\n- {prompt: Why?, should: [a]}\n")
    done = e2e.assay("check", "usual.yml", cwd=folder)
    e2e.check("the default judge openrouter:" in done.stderr or " ends on " not in done.stderr, "judges are named so",
        done)


def main():
    for each in (blueprints, suites, matrices, answers, words):
        with e2e.scratch() as folder:
            each(Path(folder))


main()
