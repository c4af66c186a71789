#!/usr/bin/env python3
"""A test may expect that the answer quotes a document: the documents are asked, whoever answers, and the quote is told
with its place. What cannot be read is an error of the row; a document of another test is refused before the run."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import research_folder as research  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-1122"}
RULES = "Visitors report to the harbour office before 20:00. Who comes later ties up at the yel-\nlow buoy and waits."
QUOTED = "The rules say: \"ties up at the yellow buoy and waits\"."
CITATION = "{type: citation, doc: rules, words: 6}"


def write(folder, expected=CITATION, documents=None, profile=""):
    documents = documents or {"rules.txt": RULES, "other.txt": "Nothing of the kind is here."}
    research.write(folder, documents, profile, questions={"quote": [name.split(".")[0] for name in documents]})
    dataset = Path(folder, "notes.yaml")
    dataset.write_text(dataset.read_text().replace("{type: contains, text: x}", expected))


def row(folder, server, *words, code=0):
    result = e2e.assay("run", "matrix.toml", f"--base-url=openai={server.url}/v1", *words, cwd=folder, env=KEY)
    e2e.expect(result, code)
    session = sorted(Path(folder, "runs").iterdir())[-1]
    return json.loads(next(session.glob("*/artifacts/results.jsonl")).read_text().splitlines()[0]), result


def quotes_are_found():
    for answer, passed in ((QUOTED, True), ("They tie up at a buoy.", False)):
        with e2e.scratch() as folder, MockServer(answer=lambda text, answer=answer: answer) as server:
            write(folder)
            told, result = row(folder, server)
            e2e.check(told["pass"] is passed and told["error"] is None, f"{told}", result)
            words = "quotes rules.txt, line 1" if passed else "quotes no 6 words in a row of rules"
            e2e.check(words in told["assertion_detail"], told["assertion_detail"], result)
            e2e.check(told["expected"] == {"type": "citation", "doc": "rules", "words": 6}, f"{told}", result)
            again, result = row(folder, server, "--offline")
            e2e.check(again["pass"] is passed, "graded from the store", result)


def parts_and_negations_hold():
    expected = "{type: all_of, of: [{type: citation}, {type: not, of: {type: citation, doc: other, words: 3}}]}"
    with e2e.scratch() as folder, MockServer(answer=lambda text: QUOTED) as server:
        write(folder, expected)
        told, result = row(folder, server)
        e2e.check(told["pass"] is True, f"{told}", result)


def programs_are_held_to_it():
    """Nobody of ours reads the documents for the answer; the check does."""
    with e2e.scratch() as folder, MockServer(answer=lambda text: QUOTED) as server:
        write(folder, profile='source_provider = "live_web"\nlean = true\nresearch_mode = false\n')
        told, result = row(folder, server)
        e2e.check(told["pass"] is True, f"{told}", result)


def what_is_wrong_is_told():
    with e2e.scratch() as folder, MockServer(answer=lambda text: QUOTED) as server:
        write(folder, documents={"rules.txt": b"", "other.txt": "Something else."})
        told, result = row(folder, server, code=2)
        e2e.check("document rules cannot be read" in told["error"] and told["pass"] is False, f"{told}", result)
        write(folder, "{type: citation, doc: rulez}")
        e2e.expect(e2e.assay("check", "matrix.toml", cwd=folder), 1, 'a citation of "rulez"', "notes.yaml:")
        write(folder, "{type: citation, words: 1}")
        e2e.expect(e2e.assay("check", "matrix.toml", cwd=folder), 1, "words")


quotes_are_found()
parts_and_negations_hold()
programs_are_held_to_it()
what_is_wrong_is_told()
