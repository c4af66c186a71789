#!/usr/bin/env python3
"""A judge whose first reply cannot be read is asked once more, and the page says so beside that vote and no other."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = """title: Verdicts
id: verdicts
models: [echo:a]
evaluationConfig:
  llm-coverage: {judges: [{model: openai:one}, {model: openai:other}]}
prompts: [{id: a, prompt: say word, should: [Says a word]}]
"""
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"


def hazy_answer(text):
    return VERDICT if "could not be read" in text else "Hm."


with e2e.scratch() as folder, MockServer(answer=hazy_answer) as hazy, MockServer(answer=lambda _: VERDICT) as clear:
    for mock, marks in ((hazy, 2), (clear, 0)):
        Path(folder, "suite.yml").write_text(SUITE)
        result = e2e.assay("run", "suite.yml", "--json", "--fresh", f"--base-url=openai={mock.url}/v1", cwd=folder,
                           env={"OPENAI_API_KEY": "sk-test-0818"})
        e2e.expect(result, 0)
        run = e2e.one_run(result)
        e2e.check(run["mean"] == 1, "both judges are read in the end", result)
        page = Path(folder, next(path for path in run["files"] if path.endswith("report.html"))).read_text()
        found = e2e.page_text(page).count("repaired: True")
        e2e.check(found == marks, f"expected {marks} marks, found {found}")
