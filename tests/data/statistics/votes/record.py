#!/usr/bin/env python3
"""Writes suite.yml and suite.replay.jsonl of this folder: three made-up judges vote three times on eight answers. Two of
them seldom change their mind; `kind` does often, gives more, and now and then names another class than its reasons. Run it
with ASSAY set to the program when what judges are asked has changed."""
import json
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, reply_of, verdict_with_code  # noqa: E402

CASES, VOTES = 8, 3
JUDGES = {"strict": "one", "kind": "two", "third": "three"}
CLASSES = ["UTTERLY_UNMET", "UNMET", "SLIGHT", "PARTIAL", "MAJOR", "EXACT"]


def suite(provider):
    judges = ", ".join(f"{{id: {name}, model: {provider}:{model}}}" for name, model in JUDGES.items())
    lines = ["title: Garden", "id: votes", f"models: [{provider}:alder]", "evaluationConfig:",
             f"  llm-coverage: {{judges: [{judges}]}}", "prompts:"]
    lines += [f"  - {{id: q{i:02}, prompt: Question {i}, should: [Answers it]}}" for i in range(1, CASES + 1)]
    return "\n".join(lines) + "\n"


class Judges:
    def __init__(self):
        random_ = random.Random(3)
        self.deserved = {i: random_.choice([0, 1, 3, 4, 5, 5]) for i in range(1, CASES + 1)}
        self.count = 0

    def reply(self, path, body):
        asked = json.dumps(body)
        if body["model"] == "alder":
            return reply_of(path, body, "Answer " + re.search(r"Question (\d+)", asked).group(1))
        if again := verdict_with_code(body):
            return reply_of(path, body, again)
        case = int(re.search(r"Answer (\d+)", asked).group(1))
        self.count += 1
        random_ = random.Random(self.count * 7 + case)
        if body["model"] == JUDGES["kind"]:
            step = random_.choice([-1, 0, 1, 2, 2])
        else:
            step = random_.choice([-1, 1]) if random_.random() < 0.08 else 0
        given = min(max(self.deserved[case] + step, 0), len(CLASSES) - 1)
        words = "It answers most of it."
        if body["model"] == JUDGES["kind"] and random_.random() < 0.12:
            words = f"All of it is there: CLASS_{'UNMET' if given > 2 else 'EXACT'}."
        return reply_of(path, body, f"<reflection>{words}</reflection>"
                                    f"<classification>CLASS_{CLASSES[given]}</classification>")


if __name__ == "__main__":
    with MockServer(reply=Judges().reply) as mock, e2e.scratch() as folder:
        Path(folder, "suite.yml").write_text(suite("openai"))
        ran = e2e.assay("run", "suite.yml", "--votes", str(VOTES), "-j", "1", "--record", "new.replay.jsonl",
                        f"--base-url=openai={mock.url}/v1", cwd=folder, env={"OPENAI_API_KEY": "sk-made-up"})
        e2e.expect(ran, 0)
        recorded = Path(folder, "new.replay.jsonl").read_text()
    recorded = recorded.replace('"model_call":"openai"', '"model_call":"demo"')
    HERE.joinpath("suite.replay.jsonl").write_text(re.sub(r'"base_url":"http://127[^"]*",', "", recorded))
    HERE.joinpath("suite.yml").write_text(suite("demo"))
