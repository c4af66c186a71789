"""The batch interfaces of OpenAI, Anthropic, Google and Mistral, for the mock server: batches are ready after some
questions how they go, or never, until they are cancelled."""
import json
import re
import threading

PAUSE = {"retry-after": "0.05"}  # how long a caller shall wait before it asks again


class MockBatches:
    """`polls` questions find a batch still running; None: all of them, until it is cancelled, with what `done(text)`
    says is answered by then. `reply(path, body)` answers one request as (status, body)."""

    def __init__(self, polls=1, done=lambda text: True):
        self.polls = polls
        self.done = done
        self.lock = threading.Lock()
        self.files = {}
        self.batches = {}           # id -> {"requests": [(custom_id, path, body)], "asked": n, "cancelled": bool}

    def takes(self, method, path):
        is_one = re.search(r"/(files|batches|batch/jobs)(/|$)|:batchGenerateContent$", path) is not None
        return is_one and (method == "GET" or "batch" in path or path.endswith("/files"))

    def handle(self, method, path, data, reply, text_of):
        with self.lock:
            if "/messages/batches" in path:
                return self.anthropic(method, path, data, reply, text_of)
            if path.endswith(":batchGenerateContent") or re.search(r"v1beta/batches/", path):
                return self.google(method, path, data, reply, text_of)
            if "/batch/jobs" in path:
                return self.mistral(method, path, data, reply, text_of)
            return self.openai(method, path, data, reply, text_of)

    def google(self, method, path, data, reply, text_of):
        if path.endswith(":batchGenerateContent"):
            requests = json.loads(data)["batch"]["inputConfig"]["requests"]["requests"]
            whole = path.replace(":batchGenerateContent", ":generateContent")
            name = self.begin([(each["metadata"]["key"], whole, each["request"]) for each in requests])
            return 200, {"name": f"batches/{name}", "metadata": {"state": "BATCH_STATE_PENDING"}}
        name = re.search(r"/batches/([\w-]+)", path)[1]
        batch = self.batches[name]
        if path.endswith(":cancel"):
            batch["cancelled"] = True
            return 200, {}
        if not self.is_over(batch):
            return 200, {"name": f"batches/{name}", "metadata": {"state": "BATCH_STATE_RUNNING"}}
        entries = []
        answered = self.answered(batch, text_of)
        for request in batch["requests"]:
            status, said = reply(request[1], request[2])
            entry = {"response": said} if status == 200 else {"error": said["error"]}
            if request not in answered:
                entry = {"error": {"code": 1, "message": "cancelled"}}
            entries.append({**entry, "metadata": {"key": request[0]}})
        state = "BATCH_STATE_CANCELLED" if batch["cancelled"] else "BATCH_STATE_SUCCEEDED"
        return 200, {"name": f"batches/{name}", "done": True, "metadata": {"state": state},
                     "response": {"inlinedResponses": {"inlinedResponses": entries}}}

    def mistral(self, method, path, data, reply, text_of):
        if method == "POST" and path.endswith("/batch/jobs"):
            asked = json.loads(data)
            lines = [json.loads(line) for name in asked["input_files"] for line in self.files[name].splitlines()]
            assert asked["model"] == lines[0]["body"]["model"], asked
            name = self.begin([(line["custom_id"], asked["endpoint"], line["body"]) for line in lines])
            return 200, {"id": name, "object": "batch", "status": "QUEUED"}
        name = re.search(r"/batch/jobs/([\w-]+)", path)[1]
        batch = self.batches[name]
        if path.endswith("/cancel"):
            batch["cancelled"] = True
            return 200, {"id": name, "status": "CANCELLATION_REQUESTED"}
        if not self.is_over(batch):
            return 200, {"id": name, "status": "RUNNING", "output_file": None}
        named = self.result_files(name, batch, reply, text_of)
        state = "CANCELLED" if batch["cancelled"] else "SUCCESS"
        return 200, {"id": name, "status": state, **{f"{kind}_file": file for kind, file in named.items()}}

    def result_files(self, name, batch, reply, text_of):
        """The files of what was answered and of what failed: {"output": name, "error": name}."""
        files = {"output": "", "error": ""}
        for custom_id, url, body in self.answered(batch, text_of):
            status, said = reply(url, body)
            response = {"status_code": status, "request_id": "q", "body": said}
            line = {"id": "r", "custom_id": custom_id, "response": response, "error": None}
            files["output" if status == 200 else "error"] += json.dumps(line) + "\n"
        for kind, text in files.items():
            self.files[f"file-{name}-{kind}"] = text
        return {kind: f"file-{name}-{kind}" for kind, text in files.items() if text}

    def begin(self, requests):
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = {"requests": requests, "asked": 0, "cancelled": False}
        return name

    def is_over(self, batch):
        batch["asked"] += 1
        return batch["cancelled"] or (self.polls is not None and batch["asked"] > self.polls)

    def answered(self, batch, text_of):
        whole = self.polls is not None and not batch["cancelled"]
        return [request for request in batch["requests"] if whole or self.done(text_of(request[2]))]

    def openai(self, method, path, data, reply, text_of):
        if method == "POST" and path.endswith("/files"):
            name = f"file-{len(self.files) + 1}"
            self.files[name] = re.search(rb"application/jsonl\r\n\r\n(.*?)\r\n--", data, re.S)[1].decode()
            return 200, {"id": name, "object": "file", "bytes": len(data), "created_at": 1, "filename": "batch.jsonl",
                         "purpose": "batch", "status": "processed"}
        if method == "POST" and path.endswith("/batches"):
            asked = json.loads(data)
            lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
            assert all(line["url"] == asked["endpoint"] and line["method"] == "POST" for line in lines), lines
            assert len({line["body"]["model"] for line in lines}) == 1, "one model a file"
            name = self.begin([(line["custom_id"], line["url"], line["body"]) for line in lines])
            return 200, self.openai_batch(name, "validating", asked["endpoint"])
        name = re.search(r"/(?:batches|files)/([\w-]+)", path)[1]
        if "/files/" in path:
            return 200, self.files[name]
        batch = self.batches[name]
        endpoint = batch["requests"][0][1]
        if path.endswith("/cancel"):
            batch["cancelled"] = True
            return 200, self.openai_batch(name, "cancelling", endpoint)
        if not self.is_over(batch):
            return 200, self.openai_batch(name, "in_progress", endpoint)
        named = {f"{kind}_file_id": file for kind, file in self.result_files(name, batch, reply, text_of).items()}
        state = "cancelled" if batch["cancelled"] else "completed"
        return 200, {**self.openai_batch(name, state, endpoint), **named}

    @staticmethod
    def openai_batch(name, status, endpoint):
        return {"id": name, "object": "batch", "status": status, "endpoint": endpoint, "completion_window": "24h",
                "created_at": 1, "input_file_id": "file-1"}

    def anthropic(self, method, path, data, reply, text_of):
        if method == "POST" and path.endswith("/batches"):
            requests = json.loads(data)["requests"]
            name = self.begin([(each["custom_id"], "/v1/messages", each["params"]) for each in requests])
            return 200, self.anthropic_batch(name, "in_progress")
        name = re.search(r"/batches/([\w-]+)", path)[1]
        batch = self.batches[name]
        if path.endswith("/cancel"):
            batch["cancelled"] = True
            return 200, self.anthropic_batch(name, "canceling")
        if path.endswith("/results"):
            return 200, self.anthropic_results(batch, reply, text_of)
        return 200, self.anthropic_batch(name, "ended" if self.is_over(batch) else "in_progress")

    def anthropic_results(self, batch, reply, text_of):
        answered = self.answered(batch, text_of)
        lines = []
        for request in batch["requests"]:
            status, said = reply(request[1], request[2])
            result = {"type": "canceled"}
            if request in answered:
                result = {"type": "succeeded", "message": said} if status == 200 else {"type": "errored", "error": said}
            lines.append(json.dumps({"custom_id": request[0], "result": result}))
        return "\n".join(lines)

    @staticmethod
    def anthropic_batch(name, status):
        counts = {"canceled": 0, "errored": 0, "expired": 0, "processing": 0, "succeeded": 0}
        return {"id": name, "type": "message_batch", "processing_status": status, "request_counts": counts,
                "created_at": "2026-11-22T12:00:00Z", "expires_at": "2026-11-23T12:00:00Z", "results_url": "elsewhere"}
