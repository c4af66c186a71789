#!/usr/bin/env python3
"""What breaks scoring is an error of `check` and of `run`, before anything is asked: functions and languages that
nobody has, a rubric that is a text, cases without a question, files that are no suite."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

HEAD = "models: [echo:a]\n---\n"
DATASET = "id: d\ndocs:\n  - {id: a, title: A, url: 'https://example.com/a.pdf'}\ntests: []\n"
INFIBENCH = {"suite.yaml": "cases: [one.yaml]\n", "one.txt": "Say"}
CASE = "id: one\nprompt_path: one.txt\ntype: code completion\nlang: python\n"
# file named, other files, what is said
ROWS = [
    ("a.yml", {"a.yml": HEAD + "- {prompt: q, should: [{$contians: x}]}\n"}, 'did you mean "contains"?'),
    ("a.yml", {"a.yml": HEAD + "- {prompt: q, should: be nice}\n"},
     "should: expected a list of criteria, found a text"),
    ("a.yml", {"a.yml": "title: T\nmodels: [echo:a]\n"}, "expected prompts after the header"),
    ("a.yml", {"a.yml": HEAD + "- {prompt: q, should: [7, {$contians: x}]}\n"}, 'did you mean "contains"?'),
    ("notes.txt", {"notes.txt": "Ask about deposits.\n"}, "in a file that ends in .yml, .yaml or .json"),
    ("suite.yaml", {**INFIBENCH, "one.yaml": CASE.replace("prompt_path", "promt_path") + "grading: {keywords: [x]}\n"},
     "the case has no question"),
    ("suite.yaml", {**INFIBENCH, "one.yaml": CASE + "grading: {}\n"}, "`grading` says nothing"),
    ("suite.yaml", {**INFIBENCH, "one.yaml": CASE + "grading: {keywords: [{content: {content: x, cond: '('}}]}\n"},
     "`cond` is no expression of Python"),
    ("suite.yaml", {**INFIBENCH, "one.yaml": CASE + "grading: {customized: {real_metric_type: a, module: m}}\n"},
     "a handler must be {module, func}"),
    ("suite.yaml", {**INFIBENCH, "one.yaml": CASE + "grading: {unit_test: {lang: pyhton, tests: [assert 1]}}\n"},
     'did you mean "python"?'),
    ("suite.yaml", {"suite.yaml": "cases: []\n"}, "`cases` is empty"),
    # A file that is not there lies in the suite's folder all the same.
    ("suite.yaml", {**INFIBENCH, "one.yaml": CASE + "grading: {customized: {module: m, func: f}}\n"},
     "there is no file"),
]

# name, text, words that must come, code
FOREIGN = [
    ("redteam.yaml", "targets: [echo]\nredteam: {plugins: [x]}\n", "red team", "suite.promptfoo"),
    ("tests.yaml", "- vars: {a: 1}\n  assert: [{type: contains, value: x}]\n", "promptfoo", "suite.promptfoo"),
    ("tests.jsonl", '{"vars": {"a": 1}}\n{"vars": {"a": 2}}\n', "promptfoo", "suite.promptfoo"),
    ("task.yaml", "task: t\ndataset_path: json\ndoc_to_text: '{{q}}'\n", "--data t=FILE", "lm-eval.data"),
    ("results.json", '{"results": {"t": {}}, "configs": {}, "versions": {}}', "lm-evaluation", "suite.results"),
    ("letta.yaml", "name: n\ndataset: d.jsonl\ntarget: {kind: a}\ngraders: {q: {}}\n", "letta", "suite.other-tool"),
    ("registry.yaml", "a:\n  id: a.dev.v0\na.dev.v0:\n  class: evals.elsuite.basic.match:Match\n", "samples_jsonl",
     "evals.args"),
    ("rubric.yaml", "fact: {prompt_in: x}\nchoice_strings: ABC\nprompt_text: y\n", "modelgraded", "evals.class"),
    ("samples.jsonl", '{"input": [{"role": "user", "content": "q"}], "ideal": "a"}\n',
     "`assay init dataset samples.jsonl` writes one", "suite.no-suite"),
    ("log.jsonl", '{"spec": {"eval_name": "e"}}\n{"run_id": "r", "event_id": 0}\n', "a log of OpenAI Evals",
     "suite.other-tool"),
    ("data.jsonl", '{"input": "q", "target": "a"}\n{"input": "r", "target": "b"}\n', "Inspect", "suite.no-suite"),
    ("any.jsonl", '{"question": "q"}\n', "rows, no suite", "suite.no-suite"),
    ("list.json", '[{"question": "q", "answer": "a"}]', "rows, no suite", "suite.no-suite"),
    ("rows.csv", "question,answer\nq,a\n", "`assay init dataset rows.csv`", "suite.no-suite"),
    ("tests.csv", "question,__expected\nq,a\n", "a promptfoo test file", "suite.promptfoo"),
    ("rows.parquet", "PAR1", "copy (from 'rows.parquet') to 'rows.parquet.jsonl'", "dataset.parquet"),
    ("rows.arrow", "ARROW1", "JSON Lines or CSV", "dataset.parquet"),
    ("answers.csv", "filename,completion\na.yaml,x\n", "a table of answers", "suite.no-suite"),
    ("case.yaml", CASE + "grading: {keywords: [x]}\n", "a case of InfiBench", "suite.no-suite"),
    ("params.yaml", "answer_paths: {a.yaml: [a.txt]}\n", "a folder of answers", "suite.no-suite"),
    ("task.py", "@task\ndef t(): pass\n", "a program", "suite.other-tool"),
    ("log.json", '{"version": 2, "status": "success", "eval": {"eval_id": "e"}}', "assay show log.json",
     "suite.results"),
    ("own.jsonl", '{"suite": "s", "case": "c", "variant": "v", "points": []}\n', "assay show own.jsonl",
     "suite.results"),
]

for name, text, said, code in FOREIGN:
    with e2e.scratch() as folder:
        Path(folder, name).write_text(text)
        for words in (["check", name], ["run", name], ["plan", name], ["grade", name, name]):
            e2e.expect(e2e.assay(*words, cwd=folder), 1, said, f"[{code}]")

# What asks something is ours, whatever words it holds.
with e2e.scratch() as folder:
    Path(folder, "a.json").write_text(
        '{"models": ["echo:a"], "prompts": [{"prompt": "q", "should": ["results", "eval"]}]}')
    e2e.expect(e2e.assay("check", "a.json", cwd=folder), 0)

for name, files, said in ROWS:
    with e2e.scratch() as folder:
        for path, text in files.items():
            Path(folder, path).write_text(text)
        checked = e2e.assay("check", name, cwd=folder)
        e2e.expect(checked, 1, said)
        ran = e2e.assay("run", name, "-m", "echo:a", "--offline", cwd=folder)
        e2e.expect(ran, 1, said)
        e2e.check("lies outside" not in checked.stderr, "the file is said to lie elsewhere", checked)

with e2e.scratch() as folder:
    Path(folder, "dataset.yaml").write_text(DATASET)
    e2e.expect(e2e.assay("run", "dataset.yaml", "-m", "echo:a", cwd=folder), 1, "this is a dataset", "run its matrix")
    # As the formats' own tools have it.
    Path(folder, "a.yml").write_text(HEAD + "- {id: one, prompt: q, should: be nice}\n"
                                     "- {prompt: r, should: [$contians: x]}\n")
    checked = e2e.assay("check", "a.yml", "--compat", "weval", cwd=folder)
    e2e.expect(checked, 0, "blueprint.rubric-not-list", "check.unknown")
    Path(folder, "b.yml").write_text(HEAD + "- {id: one, prompt: q, should: ['Says so: as it is.', A: Act 1940]}\n"
                                     "- id: two\n  prompt: r\n"
                                     "  citation: {title: The Act, url: 'https://example.com/act'}\n"
                                     "  should:\n    - Names it: one to three times.\n")
    checked = e2e.assay("check", "b.yml", cwd=folder)
    e2e.expect(checked, 0, "quote it: - 'Names it: one to three times.'")
    e2e.check("1 warning" in checked.stdout, "only the cut criterion is told", checked)
    e2e.assay("run", "b.yml", "--judge", "echo:j", "-q", cwd=folder)
    shown = e2e.assay("show", "latest", "--case", "one", cwd=folder)
    e2e.expect(shown, 0)
    e2e.check("citation: Act 1940" in shown.stdout, "the point's citation", shown)
    other = e2e.assay("show", "latest", "--case", "two", cwd=folder)
    e2e.check("citation: The Act, https://example.com/act" in other.stdout, "the case's citation", other)
