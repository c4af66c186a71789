#!/usr/bin/env python3
"""Every mistake of an InfiBench suite and its cases, and of a research matrix and its dataset, is told in one pass (the
blueprint's own script is every_mistake_is_told_at_once.py). Faults come from tables that have every code."""
import hashlib
import json
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import mistakes  # noqa: E402

FILES = 40
CASES = 4
SUITE = [("mode", "attempt_reduce_mode: avg"), ("full", "full_score_per_question: 1.0"),
         ("null", "null_score_per_question: 0.0"), ("system", "system_prompt: You help."),
         ("qa", "qa_system_prompt: You answer."), ("temp", "temp: 0.2"), ("top_p", "top_p: 0.9"),
         ("max_tokens", "max_tokens: 50"), ("sample_n", "sample_n: 2"), ("labels", "labels: {'echo:a': A}"),
         ("more", "# nothing more"), ("cases", "cases:"),
         *((f"entry{n}", f"- {{path: cases/c{n}.yaml, weight: 2}}") for n in range(CASES))]


def case(n):
    return [("id", f"id: c{n}"), ("prompt", "prompt_path: p.txt"), ("type", "type: code completion"),
            ("lang", "lang: python"), ("full", "full_score: 1"), ("null", "null_score: 0"), ("cluster", "cluster: c"),
            ("flaky", "flaky: true"), ("group", "group: g"), ("more", "# nothing more"),
            ("title", "title: Some words"), ("grading", "grading:"),
            ("max", "  max_score: 1"),
            ("keywords", "  keywords: [hello, {content: {content: 'h.', regex: true}, weight: 2}]"),
            ("blanks", "  blank_filling: {template: 'a [blank] b', targets: [x]}"),
            ("tests", "  unit_test: {lang: python, tests: ['assert half(4) == 2']}"),
            ("similarity", "  similarity: [{metric: rouge1, references: [words]}]"),
            ("customized", "  customized: {module: handlers, func: grade, real_metric_type: keywords}")]


OF_SUITE = [
    ("infibench.reduce", "mode", "attempt_reduce_mode: average"), ("infibench.value", "mode", "attempt_reduce_mode: 5"),
    ("infibench.value", "full", "full_score_per_question: much"), ("infibench.value", "null",
     "null_score_per_question: 2.0"),
    ("infibench.value", "null", "null_score_per_question: nothing"), ("infibench.value", "system",
     "system_prompt: [a]"),
    ("infibench.value", "qa", "qa_system_prompt: 5"), ("infibench.value", "temp", "temp: warm"),
    ("infibench.value", "temp", "temp: -1"), ("infibench.value", "top_p", "top_p: 1.9"),
    ("infibench.value", "max_tokens", "max_tokens: many"), ("infibench.value", "sample_n", "sample_n: 0.5"),
    ("infibench.value", "labels", "labels: [a]"), ("infibench.value", "labels", "labels: {a: 5}"),
    ("infibench.unknown-key", "more", "colour: red"), ("infibench.cut-text", "system",
     "system_prompt: You help with C #1"),
]
OF_CASE = [
    ("infibench.value", "prompt", "prompt_path: 5"), ("infibench.prompt", "prompt", "prompt_path: q.txt"),
    ("infibench.missing", "prompt", "prmpt_path: p.txt"), ("infibench.type", "type", "type: coding"),
    ("infibench.lang", "lang", "lang: pyhton"), ("infibench.number", "full", "full_score: '1'"),
    ("infibench.value", "null", "null_score: 3"), ("infibench.number", "null", "null_score: much"),
    ("infibench.cluster", "cluster", "cluster: 5"),
    ("infibench.group", "group", "group: 5"), ("infibench.flaky", "flaky", "flaky: often"),
    ("infibench.ignored", "more", "max_tokens: 5"), ("infibench.unknown-key", "more", "colour: red"),
    ("infibench.typographic-quotes", "title", "title: “Some words”"),
    ("infibench.cut-text", "title", "title: Some words #1"), ("infibench.number", "max", "  max_score: '1'"),
    ("check.broken", "keywords", "  keywords: [hello, 5]"),
    ("check.broken", "keywords", "  keywords: [{content: {content: '(', regex: true}}]"),
    ("infibench.ignored", "keywords", "  keywords: [{content: a, regex: true}]"),
    ("infibench.truth", "keywords", "  keywords: [{content: a, to_lower: 'false'}]"),
    ("infibench.lowered-regex", "keywords", "  keywords: [{content: {content: '\\S', regex: true}, to_lower: true}]"),
    ("infibench.condition", "keywords", "  keywords: [{content: {content: a, cond: 'a ='}}]"),
    ("infibench.dict-blank", "blanks", "  blank_filling: {template: 'a [blank] b', targets: [{content: {or: [x]}}]}"),
    ("infibench.unreachable-blank", "blanks", "  blank_filling: {template: '[blank] b', targets: [x]}"),
    ("infibench.unreachable-answer", "blanks", "  blank_filling: {template: 'a [blank] b', targets: [' x']}"),
    ("check.broken", "blanks", "  blank_filling: {template: 5, targets: [x]}"),
    ("check.broken", "tests", "  unit_test: {lang: pyhton, tests: ['assert half(4) == 2']}"),
    ("check.broken", "tests", "  unit_test: {lang: python, tests: [5, {content: 5}]}"),
    ("infibench.no-assertion", "tests", "  unit_test: {lang: python, tests: ['half(4)']}"),
    ("infibench.characters", "similarity", "  similarity: [{metric: rouge1, references: words}]"),
    ("check.broken", "similarity", "  similarity: [{metric: rouge9, references: [words]}]"),
    ("infibench.handler", "customized", "  customized: {module: handlers, func: garde, real_metric_type: keywords}"),
    ("check.broken", "customized", "  customized: {module: no_such, func: grade, real_metric_type: keywords}"),
]
ALONE_OF_INFIBENCH = {
    "infibench.duplicate-case": "the case of the other line is not read", "infibench.duplicate-id": "of two cases",
    "infibench.suite": "there is nothing else in the file", "infibench.cases": "the cases are lost",
    "infibench.grading": "of a case without grading", "infibench.zero-total": "of a case with keywords alone",
    "infibench.external-url": "of a file that the case names", "infibench.swallowed-item": "of two lines",
    "infibench.select": "of the command line", "infibench.filter": "of the command line",
    "infibench.responses": "of answers", "infibench.answer": "of answers",
}
RUNS = 3
MATRIX = [("dataset", 'dataset = "./questions.yaml"'), ("snapshots", 'snapshot_root = "./snapshots"'),
          ("output", 'output_root = "out"'), ("more", "# nothing more"),
          *((slot + str(n), line.format(n=n)) for n in range(RUNS) for slot, line in (
              ("head", "[[runs]]"), ("id", 'id = "r{n}"'), ("label", 'label = "Run {n}"'), ("model",
               'model_alias = "echo:a"'),
              ("provider", 'source_provider = "local_snapshot"'), ("mode", "research_mode = true"),
              ("tools", 'disabled_tools = ["web_search"]'), ("suffix", 'query_suffix = "Be short."'),
              ("web", "# no web"), ("extra", "# nothing more"), ("parameters", "parameters = {{temperature = 0.1}}"),
              ("limits", "limits = {{seconds = 60}}")))]
TESTS = 3
DATASET = [("id", "id: small"), ("more", "# nothing more"), ("docs", "docs:"),
           *((f"doc{n}", f"- {{id: d{n}, title: T, url: 'https://x.example/d{n}.txt'}}") for n in range(2)),
           ("tests", "tests:"),
           *((slot + str(n), line.format(n=n)) for n in range(TESTS) for slot, line in (
               ("test", "- id: t{n}"), ("about", "  doc_ids: [d0, d1]"), ("query", "  query: Who signs?"),
               ("extra", "  # nothing more"), ("expected", "  expected: {{type: contains, text: keeper}}")))]
OF_MATRIX = [
    ("research.snapshot", "snapshots", 'snapshot_root = "./snapshosts"'), ("research.field", "snapshots",
     "snapshot_root = 5"),
    ("research.field", "output", "output_root = []"), ("research.path", "output", 'output_root = "~nobody/out"'),
    ("research.unknown-key", "more", 'colour = "red"'),
]
OF_RUN = [
    ("research.field", "id", "id = 5"), ("research.id", "id", 'id = "a/b"'), ("research.field", "label", "label = 5"),
    ("research.field", "model", "model_alias = 5"), ("research.alias", "model", 'model_alias = "gpt"'),
    ("run.no-provider", "model", 'model_alias = "ehco:a"'), ("plan.unknown-model", "model",
     'model_alias = "openai:gpt-4o-minni"'),
    ("research.field", "provider", 'source_provider = "local"'), ("research.switch", "mode", 'research_mode = "false"'),
    ("research.tool", "tools", 'disabled_tools = ["web_serch"]'), ("research.field", "tools", "disabled_tools = 5"),
    ("research.field", "suffix", "query_suffix = 5"), ("research.field", "web", "mock_web_fixtures = 5"),
    ("research.unknown-key", "extra", 'lable = "x"'), ("research.field", "parameters", "parameters = 5"),
    ("research.limits", "limits", "limits = {secs = 5}"), ("research.limits", "limits", "limits = {usd = -1}"),
    ("research.field", "limits", "limits = 5"),
]
OF_DATASET = [("research.unknown-key", "more", "colour: red")]
OF_TEST = [
    ("research.field", "test", "- id: 5"), ("research.unknown-doc", "about", "  doc_ids: [d0, d9]"),
    ("research.field", "about", "  doc_ids: d0"), ("research.field", "query", "  query: [a]"),
    ("research.cut-text", "query", "  query: Who signs #5"), ("research.unknown-key", "extra", "  colour: red"),
    ("research.tags", "extra", "  tags: 5"),
    ("research.field", "expected", "  expected: {type: contians, text: a}"),
    ("research.field", "expected", "  expected: {type: contains}"), ("research.field", "expected", "  expected: 5"),
    ("research.pattern", "expected", "  expected: {type: regex, pattern: '('}"),
]
ALONE_OF_RESEARCH = {
    "research.dataset": "the dataset is lost", "research.duplicate-id": "of two lines",
    "research.swallowed-item": "of two lines", "research.mock-web": "of a run's provider",
    "research.run": "of the command line", "research.model": "of the command line", "research.judge": "of the settings",
    "research.embedder": "of the command line", "research.summarizer": "of the settings",
    "research.filter": "of the command line", "research.select": "of the command line",
    "research.parameters": "of a plan",
    "research.expected": "of deep nesting",
}


def infibench():
    files = {"suite.yaml": SUITE, **{f"cases/c{n}.yaml": case(n) for n in range(CASES)}}
    faults = [(code, "suite.yaml", slot, line) for code, slot, line in OF_SUITE]
    faults += [(code, "suite.yaml", f"entry{n}", line.format(n=n)) for n in range(CASES) for code, line in (
        ("infibench.unknown-key", "- {{path: cases/c{n}.yaml, wieght: 2}}"),
        ("infibench.case", "- {{path: cases/c{n}.yaml, weight: heavy}}"))]
    faults += [(code, f"cases/c{n}.yaml", slot, line) for n in range(CASES) for code, slot, line in OF_CASE]
    others = [("cases/p.txt", "Write half(n) of a number.\n"),
              ("handlers.py", "def grade(*args, **names):\n    return 1.0, 1.0, []\n")]
    unnamed = "  unit_test: {lang: python, tests: ['assert third(6) == 2']}"  # told where the question is known
    return mistakes.Form("suite.yaml", files, faults, others,
                         [("infibench.unnamed-call", "cases/c0.yaml", "tests", unnamed)])


def research():
    faults = [(code, "matrix.toml", slot, line) for code, slot, line in OF_MATRIX]
    faults += [(code, "matrix.toml", f"{slot}{n}", line) for n in range(RUNS) for code, slot, line in OF_RUN]
    faults += [(code, "questions.yaml", slot, line) for code, slot, line in OF_DATASET]
    faults += [(code, "questions.yaml", f"{slot}{n}", line) for n in range(TESTS) for code, slot, line in OF_TEST]
    faults += [("research.field", "questions.yaml", "doc0", "- {id: d0, title: 5, url: 'https://x.example/d0.txt'}"),
               ("research.unknown-key", "questions.yaml", "doc1",
                "- {id: d1, title: T, url: 'https://x.example/d1.txt', ulr: a}")]
    text = "The keeper signs.\n"
    manifest = {"dataset_id": "small", "docs": {f"d{n}": {
        "path": f"docs/d{n}.txt", "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "url": f"https://x.example/d{n}.txt"} for n in range(2)}}
    others = [("snapshots/small/manifest.json", json.dumps(manifest)),
              *((f"snapshots/small/docs/d{n}.txt", text) for n in range(2))]
    return mistakes.Form("matrix.toml", {"matrix.toml": MATRIX, "questions.yaml": DATASET}, faults, others)


def all_codes_are_drawn(heading, family, form, alone):
    page = Path(e2e.ROOT, "docs/errors.md").read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    known = set(re.findall(rf"`({family}\.[a-z-]+)`", page))
    missing = known - {code for code, *_ in form.faults + form.alone} - set(alone)
    e2e.check(not missing, f"no fault of the table has the codes {sorted(missing)}")


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20261127
    print(f"seed {seed}")
    for heading, family, form, alone in (("InfiBench", "infibench", infibench(), ALONE_OF_INFIBENCH),
                                         ("Research", "research", research(), ALONE_OF_RESEARCH)):
        all_codes_are_drawn(heading, family, form, alone)
        with e2e.scratch() as folder:
            looked_at = mistakes.prove(form, folder, random.Random(seed), FILES)
        print(f"{family}: {len(form.faults)} faults alone, {FILES} files with {looked_at} faults")


main()
