"""A model service on the loopback for the end-to-end tests: answers like the real ones, keeps what it was asked, and
misbehaves on request. Standard library only; a test names its faults by request, so that every run is the same."""
import json
import re
import select
import socket
import ssl
import struct
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mock_batches import PAUSE

# Instead of a reply: half of it, none, a broken connection; a stream that falls silent after its first word, or long
# before it.
CUT, HANG, RESET, SILENT, LATE = "cut", "hang", "reset", "silent", "late"
LATE_S = 1.5


def status(code, headers=None, body=None):
    """A fault that is a plain reply."""
    return (code, headers or {}, json.dumps({"error": {"message": f"fault {code}"}}) if body is None else body)


class MockServer:
    """`fault(text, attempt)` gets the last user message and how often it came before; it returns None or a fault.
    `answer(text)` makes the answer; the default repeats what stands behind `say `. With `tls`, the files of a
    certificate and its key, it speaks https. With `leads_to`, another server, it is a proxy as well: every tunnel leads
    there, whatever host was asked for. `host` is what it listens on. `refuse(body)` is a fault by what was asked for;
    `pause` lies between the words of a stream. `reply(path, body)` makes the body of a reply, a status() or the list of
    a stream's events, in place of the usual ones; None leaves them. `batches` are its batch interfaces (MockBatches);
    what they are asked is in `batch_calls`, and no request of a batch is in `requests`."""

    def __init__(self, fault=None, answer=None, delay=0.0, tls=None, leads_to=None, host="127.0.0.1", refuse=None,
                 pause=0.0, reply=None, batches=None):
        self.fault = fault or (lambda text, attempt: None)
        self.answer = answer or (lambda text: text.removeprefix("say "))
        self.delay = delay
        self.refuse = refuse or (lambda body: None)
        self.pause = pause
        self.reply = reply or (lambda path, body: None)
        self.batches = batches
        self.batch_calls = []       # (method, path)
        self.requests = []          # {path, headers, body, text}, in the order of arrival
        self.tunnels = []           # hosts and ports of CONNECT
        self.leads_to = leads_to
        self.lock = threading.Lock()
        self.seen = {}
        self.broken = []            # exceptions of `fault`, `refuse` and `reply`: mistakes of the test
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                owner.handle(self)

            def do_GET(self):
                owner.handle(self)

            def do_DELETE(self):
                owner.handle(self)

            def do_CONNECT(self):
                owner.tunnel(self)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 512

            def handle_error(self, request, client_address):
                pass

        self.server = Server((host, 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            # The handshake belongs to the connection's own thread.
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True,
                                                     do_handshake_on_connect=False)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, _kind, error, _trace):
        self.server.shutdown()
        self.server.server_close()
        if self.broken and error is None:
            raise self.broken[0]

    def texts(self):
        with self.lock:
            return [request["text"] for request in self.requests]

    def tunnel(self, handler):
        with self.lock:
            self.tunnels.append(handler.path)
        handler.send_response(200)
        handler.end_headers()
        handler.close_connection = True
        with socket.create_connection(("127.0.0.1", self.leads_to.port)) as there:
            here = handler.connection
            while True:
                for side in select.select([here, there], [], [])[0]:
                    data = side.recv(65536)
                    if not data:
                        return
                    (there if side is here else here).sendall(data)

    def handle(self, handler):
        length = int(handler.headers.get("content-length", "0"))
        data = handler.rfile.read(length)
        if self.batches and self.batches.takes(handler.command, handler.path):
            self.handle_batch(handler, data)
            return
        body = json.loads(data or b"{}")
        text = last_user_text(body)
        with self.lock:
            attempt = self.seen[text] = self.seen.get(text, -1) + 1
            self.requests.append({"path": handler.path, "headers": dict(handler.headers.items()), "body": body,
                                  "text": text, "time": time.monotonic()})
        try:
            fault = self.fault(text, attempt) or self.refuse(body)
            reply = None if fault else self.reply(handler.path, body)
        except Exception as error:
            self.broken.append(error)
            raise
        if fault is None and self.delay:
            time.sleep(self.delay)
        if isinstance(reply, (str, dict)):
            send(handler, 200, {}, reply if isinstance(reply, str) else json.dumps(reply))
        elif isinstance(reply, tuple):
            send(handler, *reply)
        elif reply is not None:
            self.send_events(handler, reply, fault)
        elif fault == HANG:
            time.sleep(30)
            handler.close_connection = True
        elif fault == RESET:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            handler.connection.close()
            handler.close_connection = True
        elif isinstance(fault, tuple):
            send(handler, *fault)
        elif handler.path.endswith("/converse-stream"):
            self.send_events(handler, converse_events(self.answer(text)), fault, "application/vnd.amazon.eventstream")
        elif body.get("stream") or ":streamGenerateContent" in handler.path:
            self.send_events(handler, events_of(handler.path, body, self.answer(text)), fault)
        else:
            send(handler, 200, {}, json.dumps(reply_of(handler.path, body, self.answer(text))), cut=fault == CUT)

    def handle_batch(self, handler, data):
        with self.lock:
            self.batch_calls.append((handler.command, handler.path))
        code, said = self.batches.handle(handler.command, handler.path, data, self.reply_in_batch, last_user_text)
        send(handler, code, PAUSE, said if isinstance(said, str) else json.dumps(said))

    def reply_in_batch(self, path, body):
        fault = self.refuse(body)
        if fault:
            return fault[0], json.loads(fault[2])
        return 200, reply_of(path, body, self.answer(last_user_text(body)))

    def send_events(self, handler, events, fault, kind="text/event-stream"):
        handler.send_response(200)
        handler.send_header("content-type", kind)
        handler.send_header("connection", "close")
        handler.end_headers()
        handler.close_connection = True
        for i, event in enumerate(events):
            time.sleep(self.pause if i > 1 else LATE_S if i == 1 and fault == LATE else 0)
            handler.wfile.write(event if isinstance(event, bytes) else event.encode())
            if fault == SILENT and i == 2:
                time.sleep(30)
                return
            if fault == CUT and i == 1:
                return


def aws_frame(name, payload, kind="event"):
    """A message of application/vnd.amazon.eventstream."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    headers = b""
    for key, value in ((f":{kind}-type", name), (":content-type", "application/json"), (":message-type", kind)):
        headers += bytes([len(key)]) + key.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
    frame = struct.pack(">II", 16 + len(headers) + len(data), len(headers))
    frame += struct.pack(">I", zlib.crc32(frame)) + headers + data
    return frame + struct.pack(">I", zlib.crc32(frame))


def converse_events(answer):
    words = [word if i == 0 else " " + word for i, word in enumerate(answer.split(" "))]
    pieces = [aws_frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": word}, "p": "abc"})
              for word in words]
    return [aws_frame("messageStart", {"role": "assistant"}), *pieces,
            aws_frame("contentBlockStop", {"contentBlockIndex": 0}),
            aws_frame("messageStop", {"stopReason": "end_turn"}),
            aws_frame("metadata", {"usage": {"inputTokens": 7, "outputTokens": len(words), "totalTokens": 0},
                                   "metrics": {"latencyMs": 1}})]


def events_of(path, body, answer):
    """The events of a stream: one that opens it, one for each word, those that end it."""
    words = [word if i == 0 else " " + word for i, word in enumerate(answer.split(" "))]
    if path.endswith(("/messages", "RawPredict")):
        events = [{"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}},
                  {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}]
        events += [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
                   for word in words]
        events += [{"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                    "usage": {"output_tokens": len(words)}}, {"type": "message_stop"}]
        return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]

    if ":streamGenerateContent" in path:
        pieces = [{"candidates": [{"content": {"role": "model"}, "index": 0}]}]
        pieces += [{"candidates": [{"content": {"parts": [{"text": word}], "role": "model"}}]} for word in words]
        pieces.append({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "STOP"}],
                       "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": len(words)}})
        return [f"data: {json.dumps(piece)}\r\n\r\n" for piece in pieces]
    if path.endswith("/responses"):
        whole = reply_of(path, body, answer)
        begun = {**whole, "status": "in_progress", "output": [], "usage": None}
        events = [{"type": "response.created", "response": begun}]
        events += [{"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
                    "delta": word, "logprobs": []} for word in words]
        events.append({"type": "response.completed", "response": whole})
        return [f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': i})}\n\n"
                for i, event in enumerate(events)]

    if path.endswith("/v2/chat"):
        def piece(kind, **delta):
            return {"type": kind, "index": 0, "delta": delta}

        events = [piece("message-start", message={"role": "assistant", "content": []}),
                  piece("content-start", message={"content": {"type": "text", "text": ""}}),
                  *[piece("content-delta", message={"content": {"text": word}}) for word in words],
                  piece("message-end", finish_reason="COMPLETE",
                        usage={"tokens": {"input_tokens": 7, "output_tokens": len(words)}})]
        return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]

    def chunk(delta, finish=None):
        return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    events = [chunk({"role": "assistant", "content": ""}), *[chunk({"content": word}) for word in words],
              chunk({}, "stop")]
    if body.get("stream_options", {}).get("include_usage"):
        events.append({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": len(words)}})
    return [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]


def last_user_text(body):
    for message in reversed(body.get("messages", body.get("input", []))):
        if isinstance(message, dict) and message.get("role") == "user":
            content = message["content"]
            return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    for content in reversed(body.get("contents", [])):
        if content["role"] == "user":
            return "".join(part.get("text", "") for part in content["parts"])
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


def response_of(body, answer):
    """A reply of OpenAI's Responses API."""
    words = len(answer.split())
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
               "content": [{"type": "output_text", "text": answer, "annotations": []}]}
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": body.get("model"), "status": "completed",
            "error": None, "incomplete_details": None, "output": [message], "parallel_tool_calls": True,
            "tool_choice": "auto", "tools": [],
            "usage": {"input_tokens": 7, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                      "output_tokens": words, "output_tokens_details": {"reasoning_tokens": 0},
                      "total_tokens": 7 + words}}


def verdict_with_code(body):
    """A judge's verdict again with the code that a repair asks for; None where the request is no repair."""
    code = re.search(r"write the code ([0-9a-f]{16})", str(body["messages"][-1]["content"]))
    if code is None or len(body["messages"]) < 3:
        return None
    return body["messages"][-2]["content"].replace("</classification>", f" {code[1]}</classification>")


def reply_of(path, body, answer):
    tokens = {"prompt_tokens": 7, "completion_tokens": len(answer.split()), "total_tokens": 0}
    if path.endswith(("/messages", ":rawPredict")):
        return {"type": "message", "content": [{"type": "text", "text": answer}], "stop_reason": "end_turn",
                "usage": {"input_tokens": 7, "output_tokens": len(answer.split())}}
    if path.endswith("/responses"):
        return response_of(body, answer)
    if path.endswith("/v2/chat"):
        return {"id": "c", "finish_reason": "COMPLETE",
                "message": {"role": "assistant", "content": [{"type": "text", "text": answer}]},
                "usage": {"tokens": {"input_tokens": 7, "output_tokens": len(answer.split())}}}
    if path.endswith("/converse"):
        return {"output": {"message": {"role": "assistant", "content": [{"text": answer}]}}, "stopReason": "end_turn",
                "usage": {"inputTokens": 7, "outputTokens": len(answer.split()), "totalTokens": 0},
                "metrics": {"latencyMs": 1}}
    if re.search(r":generateContent$", path):
        return {"candidates": [{"content": {"parts": [{"text": answer}], "role": "model"}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": len(answer.split())}}
    if path.endswith("/embeddings"):
        return {"data": [{"index": i, "embedding": [float(len(text)), 1.0]} for i, text in enumerate(body["input"])],
                "usage": tokens}
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
            "usage": tokens}
