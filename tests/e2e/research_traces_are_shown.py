#!/usr/bin/env python3
"""`assay show RUN --case ID` and report.html trace a turn of the research agent: its rounds with tokens and times, the
tools with arguments, and what they showed. What a model wrote stands there as text, whatever it is."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-1122"}
HOSTILE = "<script>alert(1)</script>\x1b[31mred\u202e"
RULES = "Ladders longer than 4 metres need a second person at the base. " * 8
MATRIX = """dataset = "./questions.yaml"
output_root = "./runs"
[[runs]]
id = "agent"
model_alias = "openai:plain"
source_provider = "mock_web"
mock_web_fixtures = "./web.yaml"
"""
QUESTIONS = """id: rules
docs: [{id: rules, title: Rules, url: "https://site.example/rules"}]
tests: [{id: ladder, doc_id: rules, query: "Who holds long ladders?", expected: {type: contains, text: second}}]
"""


def call(ident, name, arguments):
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


def reply(path, body):
    """One round with three calls, then the answer."""
    message = {"role": "assistant", "content": "A second person."}
    if not any(said["role"] == "tool" for said in body["messages"]):
        message = {"role": "assistant", "content": None, "tool_calls": [
            call("1", "get_relevant_content", json.dumps({"urls": [], "query": "ladder base"})),
            call("2", HOSTILE, json.dumps({"x": HOSTILE})),
            call("3", "save_finding", "{broken")]}
    return {"id": "r", "object": "chat.completion", "model": "plain",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234}}


def shown(folder):
    result = e2e.assay("show", "latest", "--case", "ladder", cwd=folder)
    e2e.expect(result, 0)
    lines = [line.strip() for line in result.stdout.split("trace:")[1].splitlines()]
    e2e.check("main 2,400 → 68 tokens" in lines[1], f"{lines}", result)
    rounds = [line.split(" · ") for line in lines if line.startswith("round ")]
    e2e.check([words[0] for words in rounds] == ["round 1", "round 2"], f"{rounds}", result)
    e2e.check(all(words[1].endswith(" ms") and words[2] == "1,200 → 34 tokens" for words in rounds), f"{rounds}",
              result)
    searched = next(i for i, line in enumerate(lines) if line.startswith("get_relevant_content "))
    e2e.check('"ladder base"' in lines[searched] and lines[searched].endswith(" ms"), lines[searched], result)
    relevance, source = lines[searched + 1].split()[:2]
    e2e.check(0 < float(relevance) <= 1 and source == "https://site.example/rules", lines[searched + 1], result)
    problems = [line for line in lines if line.startswith("error: ")]
    e2e.check(len(problems) == 2 and "There is no tool" in problems[0] and "no JSON object" in problems[1],
              f"{problems}", result)
    e2e.check("\x1b" not in result.stdout and "\u202e" not in result.stdout, "a model writes to the terminal", result)


def sent(folder, requests):
    """The words that went to the model, not those of the matrix: system prompt, question and tools."""
    first = requests[0]["messages"]
    result = e2e.assay("show", "latest", "--case", "ladder", cwd=folder)
    for message in first:
        for line in message["content"].splitlines():
            e2e.check(line in result.stdout, f"the {message['role']}'s words are not shown: {line}", result)
    names = ", ".join(tool["function"]["name"] for tool in requests[0]["tools"])
    e2e.check(f"tools: {names}\n" in result.stdout, "the tools are not shown", result)
    told_sent = json.loads(e2e.assay("show", "latest", "--case", "ladder", "--json", cwd=folder).stdout)
    told_sent = told_sent["attempts"][0]["sent"]
    e2e.check(told_sent["messages"] == [{"role": each["role"], "text": each["content"]} for each in first],
              f"{told_sent}")
    e2e.check(", ".join(told_sent["tools"]) == names, f"{told_sent}")


def told(folder):
    result = e2e.assay("show", "latest", "--case", "ladder", "--json", cwd=folder)
    e2e.expect(result, 0)
    trace = json.loads(result.stdout)["attempts"][0]["trace"]
    first, second = trace["rounds"]
    e2e.check([each["tool"] for each in first["calls"]] == ["get_relevant_content", HOSTILE, "save_finding"],
              f"{first}", result)
    e2e.check(first["calls"][0]["evidence"][0]["source"] == "https://site.example/rules", f"{first}", result)
    e2e.check(first["input_tokens"] == 1200 and second["calls"] == [] and second["round"] == 2, f"{second}", result)
    e2e.check(trace["tokens"]["main"] == {"input_tokens": 2400, "output_tokens": 68}, f"{trace['tokens']}", result)
    e2e.check(trace["timings_ms"]["tool_calls"] == 3, f"{trace['timings_ms']}", result)


def page(html):
    trace = e2e.page_data(html)["cases"]["ladder"]["cells"][0]["attempts"][0]["trace"]
    first, second = trace["rounds"]
    e2e.check(len(first["calls"]) == 3 and (first["input_tokens"], first["output_tokens"]) == (1200, 34)
              and second["calls"] == [], f"the page has no trace: {trace}")
    text = e2e.page_text(html)
    e2e.check("There is no tool" in text and "https://site.example/rules" in text, "the page lacks evidence")
    e2e.check("<script>alert(1)" not in html and "\x1b" not in html and "\u202e" not in html, "a model writes the page")


def main():
    with e2e.scratch() as scratch, MockServer(reply=reply) as server:
        folder = Path(scratch)
        folder.joinpath("matrix.toml").write_text(MATRIX)
        folder.joinpath("questions.yaml").write_text(QUESTIONS)
        folder.joinpath("web.yaml").write_text(
            f'pages: {{"https://site.example/rules": {{content_type: text/plain, body: "{RULES}"}}}}\n')
        result = e2e.assay("run", "matrix.toml", f"--base-url=openai={server.url}/v1", cwd=folder, env=KEY)
        e2e.expect(result, 0)
        shown(folder)
        sent(folder, [each["body"] for each in server.requests])
        told(folder)
        session, = folder.joinpath("runs").iterdir()
        page((session / "report.html").read_text())


main()
