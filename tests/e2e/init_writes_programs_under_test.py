#!/usr/bin/env python3
"""`assay init exec` writes a program under test, a matrix, a dataset and its documents that run as they are: an
agent for OpenAI's chat protocol, and asky's public client. Nothing that is there is touched."""
import importlib.util
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

# What the adapter uses of asky's public interface, and no more: the client, its settings, trackers and two stages.
ASKY = {
    "api/__init__.py": """
class AskyConfig:
    def __init__(self, **settings): self.__dict__.update(settings)
class AskyTurnRequest(AskyConfig): pass
class Result:
    def __init__(self, answer, halted=False, reason=None):
        self.final_answer, self.halted, self.halt_reason, self.notices = answer, halted, reason, ["a notice"]
class AskyClient:
    def __init__(self, config, usage_tracker, summarization_tracker):
        self.config, self.main, self.summed = config, usage_tracker, summarization_tracker
    def run_turn(self, request, event_callback, preload_status_callback, summarization_status_callback,
                 local_ingestion_executor, shortlist_executor):
        print("noise on standard output")
        preload_status_callback("loading")
        if request.preload_local_sources: local_ingestion_executor(request.query_text)
        if "pears" in request.query_text: raise KeyError("pears")
        event_callback("llm_start", {"turn": 1, "messages": object()})
        call = {"turn": 1, "call_index": 1, "tool_name": "get_relevant_content"}
        event_callback("tool_start", {**call, "tool_arguments": "{}"})
        event_callback("tool_end", call)
        event_callback("llm_end", {"turn": 1})
        event_callback("session_start", {})
        self.main.used, self.summed.used = (10, 2), (4, 1)
        temperature = self.config.model_parameters_override.get("temperature")
        if "signs" in request.query_text: return Result("", True, "no corpus")
        return Result(f"every 21 days at {temperature}, lean {request.lean}")
""",
    "api/preload.py": "def preload_local_research_sources(query): return query\n"
                      "def shortlist_prompt_sources(query): return query\n",
    "config/__init__.py": 'MODELS = {"gf": {"alias": "gf"}}\nSUMMARIZATION_MODEL = "small"\n',
    "core/api_client.py": """
class UsageTracker:
    used = (0, 0)
    def get_usage_breakdown(self, alias): return {"input": self.used[0], "output": self.used[1]}
    def get_tool_usage(self): return {"get_relevant_content": 1, "save_memory": 0}
""",
    "storage/__init__.py": "import os\ndef init_db(): open(os.environ['ASKY_DB_PATH'], 'w').close()\n",
    "__init__.py": "", "core/__init__.py": "",
}


def init(folder, *words):
    result = e2e.assay("init", "exec", *words, cwd=folder)
    e2e.expect(result, 0, "assay prepare --dataset questions.yaml")
    return result


def run(folder, env):
    e2e.expect(e2e.assay("prepare", "--dataset", "questions.yaml", "--snapshot-root", "snapshots", cwd=folder), 0)
    result = e2e.assay("run", "matrix.toml", cwd=folder, env=env)
    e2e.check("there is no tool" not in result.stderr, "the starter's own tools are known to its program", result)
    return result


def rows(folder):
    found = {}
    for path in sorted(folder.glob("runs/*/*/artifacts/results.jsonl")):
        for row in map(json.loads, path.read_text().splitlines()):
            found[row["run_id"], row["test_id"]] = row
    return found


def chat(path, body):
    """A model that looks the question up once, where it may, and then answers with what it found."""
    said = [message for message in body["messages"] if message["role"] == "tool"]
    words = body["messages"][-1]["content"]
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    offered = [tool["function"]["name"] for tool in body.get("tools", [])]
    if not said and offered:
        name, arguments = "search_sources", {"words": words.split("\n\nThe sources: ")[0]}
        if name not in offered:
            title = "no such source" if "valve inspected" in words else "Cold storage rules"
            name, arguments = "read_source", {"source": title}
        message = {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]}
    else:
        message = {"role": "assistant", "content": said[-1]["content"] if said else words}
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})


def for_openai(scratch):
    folder = Path(scratch, "agent")
    init(scratch, "agent")
    with MockServer(reply=chat) as server:
        result = run(folder, {"OPENAI_BASE_URL": server.url + "/v1", "OPENAI_API_KEY": "key-123456789"})
        e2e.expect(result, 0)
        asked = [each["body"] for each in server.requests]
        e2e.check({value for each in server.requests for name, value in each["headers"].items()
                   if name.lower() == "authorization"} == {"Bearer key-123456789"},
                  "the key that assay.toml allows", result)
    e2e.check({body["model"] for body in asked} == {"gpt-6-luna"}, f"{asked[:1]}")
    e2e.check(any(body.get("temperature") == 0.1 for body in asked), "the profile's parameters are sent")
    found = rows(folder)
    e2e.check(len(found) == 6, f"two profiles of three cases: {list(found)}", result)
    looked_up = found["with-tools", "valve-interval"]
    e2e.check(looked_up["pass"] and looked_up["tool_calls"][0]["tool_name"] == "search_sources"
              and looked_up["tool_usage"] == {"search_sources": 1}, f"{looked_up}", result)
    timings = looked_up["timings_ms"]
    e2e.check(timings["llm_calls"] == 2 and timings["tool_calls"] == 1 and timings["local_ingestion_calls"] == 1
              and looked_up["token_usage"]["main"]["input_tokens"] == 200, f"{looked_up}", result)
    e2e.check(found["with-tools", "both"]["pass"], f"both documents: {found['with-tools', 'both']}", result)
    e2e.check(found["without-search", "store-temperature"]["tool_calls"][0]["tool_name"] == "read_source",
              "a tool that is switched off is not offered", result)
    e2e.check("KeyError" in found["without-search", "valve-interval"]["answer"],
              "a mistake is told to the model", result)


def for_asky(scratch):
    folder = Path(scratch, "asky")
    init(scratch, "--for", "asky", "asky")
    for name, text in ASKY.items():
        path = Path(scratch, "lib/asky", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    result = run(folder, {"PYTHONPATH": str(Path(scratch, "lib"))})
    e2e.expect(result, 2)
    found = rows(folder)
    answered = found["research-lean", "valve-interval"]
    e2e.check(answered["answer"] == "every 21 days at 0.1, lean True" and answered["pass"], f"{answered}", result)
    e2e.check(answered["token_usage"]["main"] == {"model_alias": "gf", "input_tokens": 10, "output_tokens": 2,
                                                  "total_tokens": 12}
              and answered["token_usage"]["summarizer"]["model_alias"] == "small", f"{answered}", result)
    e2e.check(answered["tool_usage"] == {"get_relevant_content": 1, "save_memory": 0}
              and answered["timings_ms"]["local_ingestion_calls"] == 1 and answered["notices"] == ["a notice"],
              f"{answered}", result)
    e2e.check("at None" in found["research", "valve-interval"]["answer"], "a profile has its own parameters", result)
    e2e.check(found["research", "store-temperature"]["error"] == "KeyError: 'pears'", "its error is the case's", result)
    halted = found["research", "both"]
    e2e.check(halted["halted"] and halted["halt_reason"] == "no corpus", f"{halted}", result)
    e2e.check(len(list(folder.glob("runs/*/research/runtime/*/history.db"))) > 0, "each process has its own history")
    for name, old, new in (("matrix.toml", '"gf"', '"nobody"'), ("assay.toml", "models.gf", "models.nobody")):
        folder.joinpath(name).write_text(folder.joinpath(name).read_text().replace(old, new))
    e2e.expect(e2e.assay("run", "matrix.toml", cwd=folder), 1, "nobody has trusted", "agent.py as nobody")
    env = {"PYTHONPATH": str(Path(scratch, "lib")), "ASSAY_TRUST": e2e.digest_of_powers(folder)}
    unknown = e2e.assay("run", "matrix.toml", cwd=folder, env=env)
    e2e.expect(unknown, 2, "Unknown model alias: nobody")


def for_real_asky(scratch):
    """Where asky is installed: its own client, one prompt without tools, against a service on the loopback."""
    folder, home = Path(scratch, "real"), Path(scratch, "asky-home")
    init(scratch, "--for", "asky", "real")
    home.mkdir()
    matrix = 'dataset = "./questions.yaml"\noutput_root = "./runs"\n[[runs]]\nid = "plain"\nmodel_alias = "gf"\n'
    folder.joinpath("matrix.toml").write_text(matrix + "research_mode = false\nlean = true\n")
    with MockServer(answer=lambda text: "every 21 days") as server:
        home.joinpath("api.toml").write_text(f'[api.mine]\nurl = "{server.url}/v1/chat/completions"\napi_key = "x"\n')
        home.joinpath("models.toml").write_text('[models.gf]\nid = "small"\napi = "mine"\ncontext_size = 8000\n')
        home.joinpath("general.toml").write_text('[general]\ndefault_model = "gf"\nsummarization_model = "gf"\n')
        e2e.assay("run", "matrix.toml", cwd=folder, env={"ASKY_HOME": str(home)})
    row = rows(folder)["plain", "valve-interval"]
    e2e.check(row["pass"] and row["timings_ms"]["llm_calls"] == 1, f"{row}")


def refusals(scratch):
    again = e2e.assay("init", "exec", "agent", cwd=scratch)
    e2e.expect(again, 1, "agent/agent.py", "is there already")
    e2e.expect(e2e.assay("init", "exec", "--for", "smoke", "other", cwd=scratch), 1, "openai or asky", '"smoke"')
    e2e.expect(e2e.assay("init", "research", "--for", "asky", "other", cwd=scratch), 1, "nobody in particular")
    e2e.check(not Path(scratch, "other").exists(), "nothing is written after an error")


def main():
    with e2e.scratch() as scratch:
        for_openai(scratch)
        for_asky(scratch)
        refusals(scratch)
        if importlib.util.find_spec("asky") is None:
            print("asky is not installed here: its real client was not asked, a stand-in was")
        else:
            for_real_asky(scratch)


main()
