"""A model service on the loopback for the end-to-end tests: answers like the real ones, keeps what it was asked, and
misbehaves on request. Standard library only; a test names its faults by request, so that every run is the same."""
import json
import re
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CUT, HANG, RESET = "cut", "hang", "reset"   # instead of a reply: half of it, none, a broken connection


def status(code, headers=None, body=None):
    """A fault that is a plain reply."""
    return (code, headers or {}, json.dumps({"error": {"message": f"fault {code}"}}) if body is None else body)


class MockServer:
    """`fault(text, attempt)` gets the last user message and how often it came before; it returns None or a fault.
    `answer(text)` makes the answer; the default repeats what stands behind `say `."""

    def __init__(self, fault=None, answer=None, delay=0.0):
        self.fault = fault or (lambda text, attempt: None)
        self.answer = answer or (lambda text: text.removeprefix("say "))
        self.delay = delay
        self.requests = []          # {path, headers, body, text}, in the order of arrival
        self.lock = threading.Lock()
        self.seen = {}
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                owner.handle(self)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 512

            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def texts(self):
        with self.lock:
            return [request["text"] for request in self.requests]

    def handle(self, handler):
        length = int(handler.headers.get("content-length", "0"))
        body = json.loads(handler.rfile.read(length) or b"{}")
        text = last_user_text(body)
        with self.lock:
            attempt = self.seen[text] = self.seen.get(text, -1) + 1
            self.requests.append({"path": handler.path, "headers": dict(handler.headers.items()), "body": body,
                                  "text": text, "time": time.monotonic()})
        fault = self.fault(text, attempt)
        if fault is None and self.delay:
            time.sleep(self.delay)
        if fault == HANG:
            time.sleep(30)
            handler.close_connection = True
        elif fault == RESET:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            handler.connection.close()
            handler.close_connection = True
        elif isinstance(fault, tuple):
            send(handler, *fault)
        else:
            send(handler, 200, {}, json.dumps(reply_of(handler.path, body, self.answer(text))), cut=fault == CUT)


def last_user_text(body):
    for message in reversed(body.get("messages", [])):
        if message["role"] == "user":
            return message["content"]
    for content in reversed(body.get("contents", [])):
        if content["role"] == "user":
            return content["parts"][0]["text"]
    return body.get("prompt", body.get("claim", ""))


def send(handler, code, headers, text, cut=False):
    data = text.encode()
    handler.send_response(code)
    for name, value in {"content-type": "application/json", **headers}.items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[:len(data) // 2] if cut else data)
    if cut:
        handler.close_connection = True


def reply_of(path, body, answer):
    tokens = {"prompt_tokens": 7, "completion_tokens": len(answer.split()), "total_tokens": 0}
    if path.endswith("/messages"):
        return {"type": "message", "content": [{"type": "text", "text": answer}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 7, "output_tokens": len(answer.split())}}
    if re.search(r":generateContent$", path):
        return {"candidates": [{"content": {"parts": [{"text": answer}], "role": "model"}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": len(answer.split())}}
    if path.endswith("/embeddings"):
        return {"data": [{"index": i, "embedding": [float(len(text)), 1.0]} for i, text in enumerate(body["input"])],
                "usage": tokens}
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
            "usage": tokens}
