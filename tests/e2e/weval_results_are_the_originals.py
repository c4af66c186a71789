#!/usr/bin/env python3
"""--compat weval: who is listed, what failed answers and key points leave in result files, as the original has them."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-1122"}
HEADER = """id: s
models: [{models}]
evaluationConfig:
  llm-coverage: {{judgeModels: ["openai:points"], judges: [{{model: "openai:judge", approach: holistic}}]}}
prompts:
"""
IDEAL = "- {id: ideal, prompt: Which herb?, ideal: Thyme.}\n"
PLAIN = "- {id: plain, prompt: Which salt?, should: [{$contains: salt}]}\n"
VERDICT = "<reflection>Yes.</reflection><classification>CLASS_EXACT</classification>"


def server_of(points, answer):
    """`points` is what the extracting model says; `answer(body)` what the others do, None for a refusal."""
    def reply(path, body):
        text = {"points": points, "judge": VERDICT}.get(body["model"]) or answer(body)
        if text is None:
            return status(400)
        return {"id": "r", "object": "chat.completion", "model": body["model"],
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
    return MockServer(reply=reply)


def herbs(body):
    return None if body["model"] == "mute" else "thyme and salt"


def comparison(suite, points="", answer=herbs, mode="weval"):
    """(the comparison file, how often the extracting model was asked)."""
    with e2e.scratch() as folder, server_of(points, answer) as server:
        Path(folder, "s.yml").write_text(suite)
        more = ["--compat", "weval"] if mode == "weval" else []
        result = e2e.assay("run", "s.yml", "--skip-executive-summary", "--eval-method", "llm-coverage", "--max-retries",
                           "0", "--base-url", f"openai={server.url}/v1", "--out", "out", *more, cwd=folder, env=KEY)
        files = list(Path(folder, "out").rglob("*_comparison.json"))
        e2e.check(len(files) == 1, f"one file: {files}", result)
        asked = sum(request["body"]["model"] == "points" for request in server.requests)
        return json.loads(files[0].read_text()), asked


def header(*models):
    return HEADER.format(models=", ".join(f'"openai:{model}"' for model in models))


def temperature(model):
    return f"openai:{model}[temp:0]"


# An empty key point is a point for weval, and nothing for us.
reply = "<key_point>Names thyme</key_point><key_point></key_point>"
file, _ = comparison(header("a") + IDEAL, reply)
entry = file["evaluationResults"]["llmCoverageScores"]["ideal"][temperature("a")]
e2e.check(file["extractedKeyPoints"] == {"ideal": ["Names thyme", ""]}, f"{file['extractedKeyPoints']}")
e2e.check(entry["keyPointsCount"] == 2 and entry["pointAssessments"][1]["keyPointText"] == "", f"{entry}")
file, _ = comparison(header("a") + IDEAL, reply, mode="ours")
e2e.check(file["extractedKeyPoints"] == {"ideal": ["Names thyme"]}, f"{file['extractedKeyPoints']}")

# Key points are extracted whatever became of the answers; where that fails, a prompt has an entry that is empty.
file, asked = comparison(header("mute") + IDEAL + PLAIN, "<key_point>Names thyme</key_point>")
scores = file["evaluationResults"]["llmCoverageScores"]
e2e.check(file["extractedKeyPoints"] == {"ideal": ["Names thyme"]} and asked == 1, f"{file['extractedKeyPoints']}")
e2e.check(scores["ideal"][temperature("mute")]["error"].startswith("Generation failed: "), f"{scores}")
file, asked = comparison(header("mute") + IDEAL + PLAIN, "<key_point>Names thyme</key_point>", mode="ours")
e2e.check(file["extractedKeyPoints"] == {} and asked == 0, f"by default nobody pays for them: {asked}")
file, _ = comparison(header("a", "mute") + IDEAL + PLAIN, "nothing")
scores = file["evaluationResults"]["llmCoverageScores"]
e2e.check(scores["ideal"] == {} and set(scores["plain"]) == {temperature("a"), temperature("mute")}, f"{scores}")
e2e.check(set(file["errors"]["ideal"]) == {temperature("mute")}, f"{file['errors']}")

# An answer that calls itself an error is one, but nothing was cut short: the whole conversation is there.
TALK = """- id: talk
  messages: [{user: first}, {assistant: null}, {user: last}]
  should: [{$contains: tail}]
"""
MARKED = "<<error>> said no <</error>> tail"


def ends_in(text):
    return lambda body: text if body["messages"][-1]["content"] == "last" else "one"


file, _ = comparison(header("a") + TALK, answer=ends_in(MARKED))
history = file["fullConversationHistories"]["talk"][temperature("a")]
e2e.check([turn["content"] for turn in history] == ["first", "one", "last", MARKED], f"{history}")
e2e.check(file["errors"]["talk"] == {temperature("a"): "said no"}, f"{file['errors']}")
file, _ = comparison(header("a") + TALK, answer=ends_in(None))
history = file["fullConversationHistories"]["talk"][temperature("a")]
e2e.check([turn["role"] for turn in history] == ["user", "user", "assistant"], f"a failure cuts it: {history}")

# Of prompts of one id only the last one's models are listed.
DOUBLE = """- {id: x, prompt: one, system: Be brief., temperature: 0.7, should: [{$contains: salt}]}
- {id: x, prompt: two, should: [{$contains: salt}]}
- {id: y, prompt: three, system: Be kind., temperature: 1, should: [{$contains: salt}]}
"""
file, _ = comparison(header("a") + DOUBLE)
e2e.check(file["effectiveModels"] == ["openai:a[temp:0]", "openai:a[temp:1]"], f"{file['effectiveModels']}")
e2e.check(file["modelSystemPrompts"] == {"openai:a[temp:0]": None, "openai:a[temp:1]": "Be kind."},
          f"{file['modelSystemPrompts']}")
