#!/usr/bin/env python3
"""What would spoil a run is an error of `check` as of `run`, at its place and once; --strict counts warnings; the
public blueprints, if they are here, still pass."""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

PUBLIC = Path(os.environ.get("ASSAY_SHARED", e2e.ROOT.parent / "shared"), "data/weval-configs/blueprints")
POINT = "models: [echo:a]\n---\nprompt: say word\nshould:\n  - {}\n"
# text of the file, then what both commands say; with --compat weval `check` lets all of them pass
ERRORS = [
    ("models: [opnai:gpt-4o]\n---\nprompt: hi\n", 'suite.yml:1:10: error: there is no provider "opnai"',
     "did you mean openai?"),
    ("models: [gpt-4o]\n---\nprompt: hi\n", 'suite.yml:1:10: error: "gpt-4o" names no provider',
     "write provider:model"),
    ("models: [echo:a]\nevaluationConfig: {llm-coverage: {judges: [{model: 'nobody:j'}]}}\n---\nprompt: hi\n"
     "should: [it is polite]\n", 'error: there is no provider "nobody"', "as a judge 1 time"),
    (POINT.format("$matches: '(('"), "suite.yml:5:15: error: $matches", "[check.broken]"),
    (POINT.format("$matches_all_of: [a, '[']"), "error: $matches_all_of", "[check.broken]"),
    (POINT.format("$js: r.length >"), "suite.yml:5:10: error: $js: this is no script", "[check.broken]"),
    ("models: [echo:a]\npoint_defs: {broken: 'r.length >'}\n---\n- prompt: a\n  should: [$ref: broken]\n"
     "- prompt: b\n  should: [$ref: broken]\n", "suite.yml:2:22: error: $js", "[check.broken]"),
    (POINT.format("$matchs: word"), 'error: there is no check named "matchs"', "[check.unknown]"),
    (POINT.format("$contians: word"), 'there is no check named "contians"', 'did you mean "contains"?'),
    ("models: [echo:a]\n---\nprompt: say word\nshoud:\n  - $contains: word\n", "suite.yml:4:1: error",
     'did you mean "should"?'),
    ("modles: [echo:a]\n---\nprompt: say word\n", "suite.yml:1:1: error", 'did you mean "models"?'),
    ("models:\n  - {id: 'custom:a', url: 'http://127.0.0.1:1/', modelName: a, inherit: openai, format: text}\n---\n"
     "prompt: hi\n", "error: custom model", "expected chat or completions"),
]
WARNINGS = [
    ("models: [echo:a, COER]\n---\nprompt: hi\n", "did you mean CORE?"),
    ("models: [echo:a, consumer:me]\n---\nprompt: hi\n", "answered by a person"),
    ("models: [echo:a]\ntemprature: 1\n---\nprompt: hi\n", 'did you mean "temperature"?'),
    # Published blueprints hold many of these.
    (POINT.format("\"$contains: 'word'\""), "take off the outer quotes"),
]

with e2e.scratch() as scratch:
    folder = Path(scratch)
    suite = folder / "suite.yml"
    for text, *fragments in ERRORS:
        suite.write_text(text)
        for command in ("check", "run"):
            result = e2e.assay(command, "suite.yml", "--replay", "none", cwd=folder)
            e2e.expect(result, 1, *fragments)
            e2e.check(result.stderr.count("error:") == 1, f"one cause, one message:\n{text}", result)
        e2e.nothing_written(folder, "suite.yml")
        # weval refuses it too.
        refused = 1 if "format: text" in text else 0
        e2e.expect(e2e.assay("check", "suite.yml", "--compat", "weval", cwd=folder), refused)
    for text, fragment in WARNINGS:
        suite.write_text(text)
        result = e2e.assay("check", "suite.yml", cwd=folder)
        e2e.expect(result, 0, "warning:", fragment)
        e2e.check(result.stderr.count("warning:") == 1, f"one cause, one message:\n{text}", result)
        e2e.expect(e2e.assay("check", "suite.yml", "--strict", cwd=folder), 1, fragment)
    suite.write_text(POINT.format("$contains: word"))
    e2e.expect(e2e.assay("check", "suite.yml", "--strict", cwd=folder), 0)

    # No model is left: a warning of `check`, the end of a run.
    for models in ("COER", "consumer:me"):
        suite.write_text(f"models: [{models}]\n---\nprompt: hi\n")
        e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 0, "no model is left to ask")
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 1, "the suite names no model to ask")

    # Recordings answer for models that exist nowhere else.
    suite.write_text("models: [demo:a]\n---\nid: p\nprompt: say word\nshould: [$contains: word]\n")
    (folder / "f.yml").write_text("responses: {p: {default: word}}\n")
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 1, 'there is no provider "demo"')
    e2e.expect(e2e.assay("check", "suite.yml", "--fixtures", "f.yml", cwd=folder), 0)
    e2e.expect(e2e.assay("run", "suite.yml", "--fixtures", "f.yml", "--record", "suite.replay.jsonl", cwd=folder), 0)
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 0)

    # One cause, one message, over several files and sets of answers too.
    suite.write_text("models: [echo:a]\ntemprature: 1\n---\nprompt: say word\nshould: [$contains: word]\n")
    twice = e2e.assay("run", "suite.yml", "suite.yml", "--replay", "none", cwd=folder)
    e2e.expect(twice, 0)
    e2e.check(twice.stderr.count('unknown key "temprature"') == 1, "a warning is told once", twice)
    (folder / "other.yml").write_text(suite.read_text().replace("temprature: 1\n", ""))
    result = e2e.assay("run", "suite.yml", "other.yml", "--base-url", "opnai=http://127.0.0.1:1", "--replay", "none",
                       cwd=folder)
    e2e.expect(result, 1)
    e2e.check(result.stderr.count("--base-url: there is no provider") == 1, "a wrong option is told once", result)
    e2e.expect(e2e.assay("run", "--config", "suite.yml", cwd=folder), 1, "assay run needs FILE")

    if PUBLIC.is_dir():
        files = sorted(str(path) for path in PUBLIC.rglob("*") if path.suffix in (".yml", ".yaml", ".json"))

        def refused(*words):
            verdicts = e2e.assay("check", *files, *words, cwd=folder).stdout.splitlines()
            e2e.check(len(verdicts) == len(files) > 150, f"expected a verdict for each file, found {len(verdicts)}")
            return {line.split(":")[0] for line in verdicts if re.search(r" [1-9]\d* errors?, ", line)}
        as_upstream = refused("--compat", "weval")
        e2e.check(len(as_upstream) < 5, f"{as_upstream}")
        for words in (), ("--collections-repo-path", PUBLIC.parent):
            e2e.check(refused(*words) <= as_upstream, f"{refused(*words) - as_upstream}")
