#!/usr/bin/env python3
"""What graders found in an answer is kept with its scores and stands in report.html: the bytes that matched, the part
that was run and what its program printed, how far the evidence of a document came, and the text of the document."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import research_folder as research  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-1122"}
RULES = "Visitors report to the harbour office before 20:00.\n" + "Nothing else is of note here.\n" * 90 + \
    "Who comes later ties up at the yellow buoy and waits for the pilot.\n"


def page_of(folder, *words):
    """What report.html of the latest run holds."""
    result = e2e.assay("export", "latest", "--to", "html", "-o", "report.html", *words, cwd=folder)
    e2e.expect(result, 0)
    return e2e.page_data(Path(folder, "report.html").read_text())


def attempt_of(page, case):
    return page["cases"][case]["cells"][0]["attempts"][0]


def marked(attempt):
    """By point, the words that its grader marked."""
    answer = "\n\n".join(turn["text"] for turn in attempt["turns"]).encode()
    return [point["spans"] and [answer[start:end].decode() for start, end in point["spans"]]
            for point in attempt["points"]]


def suite(should):
    return {"id": "spans", "models": ["echo:a"], "prompts": [{"id": "p", "prompt": "Der Jänner war 12 Grad warm.",
                                                              "should": should}]}


def texts_are_marked():
    with e2e.scratch() as folder:
        file = Path(folder, "suite.json")
        file.write_text(json.dumps(suite([{"$icontains": "JÄNNER"}, {"$matches": "\\d+ Grad"}, {"$contains": "Juni"},
                                          {"$not_contains": "warm"}, {"$contains_all_of": ["war", "Grad"]}])))
        e2e.expect(e2e.assay("run", "suite.json", cwd=folder), 0)
        want = [["Jänner"], ["12 Grad"], None, ["warm"], ["war", "Grad"]]
        found = marked(attempt_of(page_of(folder), "p"))
        e2e.check(found == want, f"{found}")

        # The same answers graded by other checks have marks of their own.
        file.write_text(json.dumps(suite([{"$matches": "^Der"}])))
        e2e.expect(e2e.assay("run", "suite.json", "--offline", cwd=folder), 0)
        found = marked(attempt_of(page_of(folder), "p"))
        e2e.check(found == [["Der"]], f"{found}")


def programs_are_told():
    with e2e.scratch() as folder:
        Path(folder, "answers").mkdir()
        Path(folder, "say.yaml").write_text(
            "id: say\nprompt_path: say.txt\ntype: code completion\nlang: bash\ngrading:\n  keywords:\n  - printf\n"
            "  - content: 'NAME'\n    to_lower: true\n  unit_test:\n    tests:\n"
            "    - content: |\n        say\n        echo told >&2\n        exit 3\n      only_longest: true\n")
        Path(folder, "say.txt").write_text("Write a function say.\n")
        answer = "Short:\n```\nx\n```\nLonger:\n```bash\nsay() {\n  printf 'hello %s\\n' name\n}\n```\n"
        Path(folder, "answers/say.txt").write_text(answer)
        Path(folder, "answers/params.yaml").write_text("answer_paths:\n  say.yaml: [say.txt]\n")
        Path(folder, "suite.yaml").write_text("cases:\n- say.yaml\n")
        result = e2e.assay("grade", "suite.yaml", "answers", cwd=folder)
        if "programs ran in the sandbox" not in result.stderr:
            print("programs: no sandbox works here")
            return
        attempt = attempt_of(page_of(folder), "say.yaml")
        points = {point["kind"]: point for point in attempt["points"]}
        e2e.check(marked({**attempt, "points": [points["keywords"]]}) == [["printf", "name"]], f"{points}", result)
        block = points["unit_test"]["block"]
        e2e.check(block == {"rule": "longest_fenced", "lines": [[7, 9]],
                            "text": "say() {\n  printf 'hello %s\\n' name\n}"}, f"{block}", result)
        [output] = points["unit_test"]["outputs"]
        ended = [output[name] for name in ("exit", "signal", "stdout", "error")]
        e2e.check(ended == [3, None, "hello name\n", None] and "told" in output["stderr"] and output["ms"] > 0 and
                  output["sandbox"], f"{output}", result)


def evidence_is_followed():
    documents = {"rules.txt": RULES, "none.txt": "", "two.pdf": research.pdf("First of all, wax.", "Then a buoy.")}
    with e2e.scratch() as folder, MockServer(answer=lambda text: "At the yellow buoy.") as server:
        research.write(folder, documents, questions={"where": ["rules", "two"], "gone": ["none"]})
        dataset = Path(folder, "notes.yaml")
        dataset.write_text(dataset.read_text().replace("{type: contains, text: x}",
                                                       "{type: regex, pattern: 'yel+ow\\s+buoy'}", 1))
        result = e2e.assay("run", "matrix.toml", f"--base-url=openai={server.url}/v1", cwd=folder, env=KEY)
        page = page_of(folder)
        run = next(path for path in page if path.startswith("run/") and path.count("/") == 1)
        [path] = attempt_of(page, "where")["evidence"]
        e2e.check(path["needed"] == "yel+ow\\s+buoy" and path["is_pattern"] and path["in_corpus"] and path["used"] and
                  path["retrieved"] is not None, f"{path}", result)
        [path] = attempt_of(page, "gone")["evidence"]
        e2e.check(path["in_corpus"] is None and path["used"] is False, f"{path}", result)

        rules = page[f"{run}/doc/rules"]
        e2e.check(rules["state"] == "stored" and rules["text"] == RULES and rules["bytes"] == len(RULES), f"{rules}")
        needed = [span for span in rules["spans"] if span["kind"] == "needed"]
        e2e.check([RULES[span["from"]:span["to"]] for span in needed] == ["yellow buoy"], f"{needed}")
        e2e.check(needed[0]["cells"][0]["case"] == "where", f"{needed}")
        two = page[f"{run}/doc/two"]
        e2e.check(len(two["pages"]) == 2 and "buoy" in two["text"][two["pages"][1]["from"]:], f"{two}")
        gone = page[f"{run}/doc/none"]
        e2e.check(gone["state"] == "unreadable" and gone["remedy"] == "assay doctor matrix.toml" and
                  gone["spans"][0]["cells"][0]["case"] == "gone" and gone["problem"], f"{gone}")


texts_are_marked()
programs_are_told()
evidence_is_followed()
