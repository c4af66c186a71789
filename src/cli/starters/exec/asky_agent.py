#!/usr/bin/env python3
"""asky as a program that assay evaluates (assay-exec/1): its public client answers, with the settings and keys of the
asky configuration. Usage: agent.py, with the Python that asky is installed for.
Each process has a history and an index of its own, in the folder that assay gives it."""
import json
import os
import sys
import time
from importlib import metadata
from pathlib import Path

STARTED = time.monotonic()
KEPT = ("turn", "call_index", "total_calls", "tool_name", "tool_arguments")
EVENTS = ("llm_start", "llm_end", "tool_start", "tool_end")


def now_ms():
    return (time.monotonic() - STARTED) * 1000


class Lines:
    """Standard output carries the protocol alone; what asky prints goes to the log."""

    def __init__(self):
        self.output = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def send(self, kind, **members):
        self.output.write(json.dumps({"type": kind, **members}, default=str) + "\n")
        self.output.flush()


class Asky:
    """The client of one profile. asky binds its files when it is imported, so the folder is named first."""

    def __init__(self, run, folder):
        os.environ["ASKY_DB_PATH"] = str(folder / "history.db")
        from asky.api import AskyClient, AskyConfig, AskyTurnRequest
        from asky.api import preload
        from asky.config import MODELS, SUMMARIZATION_MODEL
        from asky.core.api_client import UsageTracker
        from asky.storage import init_db
        if run["model_alias"] not in MODELS:
            raise ValueError(f"Unknown model alias: {run['model_alias']}")
        self.client, self.config, self.request = AskyClient, AskyConfig, AskyTurnRequest
        self.stages = {"local_ingestion": preload.preload_local_research_sources,
                       "shortlist": preload.shortlist_prompt_sources}
        self.tracker = UsageTracker
        self.aliases = {"main": run["model_alias"],
                        "summarizer": str(MODELS.get(SUMMARIZATION_MODEL, {}).get("alias", SUMMARIZATION_MODEL))}
        self.run = run
        self.isolation = self.isolate(folder)
        init_db()

    @staticmethod
    def isolate(folder):
        """Where asky has its evaluation harness, its own isolation puts the vectors aside as well."""
        try:
            from asky.evals.research_pipeline.runtime_isolation import RuntimePaths, isolated_asky_runtime
        except ImportError:
            return None
        chroma = folder / "chromadb"
        chroma.mkdir(exist_ok=True)
        context = isolated_asky_runtime(RuntimePaths(run_dir=folder.parent, runtime_dir=folder, artifacts_dir=folder,
                                                     db_path=folder / "history.db", chroma_dir=chroma))
        context.__enter__()
        return context  # it lasts as long as the process

    def stage(self, name, event):
        """One of asky's stages, told when it begins and ends."""
        def run_stage(*arguments, **named):
            event("stage_start", stage=name)
            try:
                return self.stages[name](*arguments, **named)
            finally:
                event("stage_end", stage=name)
        return run_stage

    def answer(self, query, event):
        used = {role: self.tracker() for role in self.aliases}
        begun = now_ms()
        client = self.client(
            self.config(model_alias=self.run["model_alias"], research_mode=self.run["research_mode"],
                        disabled_tools=set(self.run["disabled_tools"]),
                        model_parameters_override=dict(self.run["parameters"])),
            usage_tracker=used["main"], summarization_tracker=used["summarizer"])
        told = {"client_init_ms": now_ms() - begun, "answer": "", "halted": False, "halt_reason": None, "notices": [],
                "error": None}

        def on_event(name, payload):
            if name in EVENTS:
                event(name, **{key: payload[key] for key in KEPT if key in payload})

        def status(source):
            return lambda message: message and event("status", source=source, message=str(message))

        try:
            result = client.run_turn(
                self.request(query_text=query, lean=self.run["lean"],
                             preload_local_sources=self.run["preload_local_sources"],
                             preload_shortlist=self.run["preload_shortlist"],
                             additional_source_context=self.run.get("additional_source_context"),
                             save_history=self.run["save_history"]),
                event_callback=on_event, preload_status_callback=status("preload"),
                summarization_status_callback=status("summarizer"),
                local_ingestion_executor=self.stage("local_ingestion", event),
                shortlist_executor=self.stage("shortlist", event))
            told.update(answer=result.final_answer, halted=bool(result.halted), halt_reason=result.halt_reason,
                        notices=[str(notice) for notice in result.notices])
        except Exception as problem:
            told["error"] = {"class": type(problem).__name__, "message": str(problem)}
        told["tool_usage"] = used["main"].get_tool_usage()
        told["token_usage"] = {}
        for role, alias in self.aliases.items():
            tokens = used[role].get_usage_breakdown(alias)
            told["token_usage"][role] = {"input_tokens": tokens["input"], "output_tokens": tokens["output"]}
        return told


def teller(lines, turn_id):
    return lambda name, **members: lines.send("event", id=turn_id, t_ms=now_ms(), event=name, **members)


def main():
    lines = Lines()
    first = json.loads(sys.stdin.readline())
    folder = Path(first["runtime_dir"])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        asky = Asky(first["run"], folder)
    except Exception as problem:
        lines.send("fatal", error={"class": type(problem).__name__, "message": str(problem)})
        return
    lines.send("ready", protocol="assay-exec/1", sut={"name": "asky", "version": version()}, role_aliases=asky.aliases)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "shutdown":
            break
        if message["type"] != "turn":
            continue

        event = teller(lines, message["id"])
        lines.send("result", id=message["id"], **asky.answer(message["query"], event))
    lines.send("bye")


def version():
    try:
        return metadata.version("asky-cli")
    except metadata.PackageNotFoundError:
        return "unknown"


main()
