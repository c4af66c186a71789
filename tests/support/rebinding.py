"""rebinding.py CASE: one row of attacks/names.py, in a network and a view of files of its own (unshare -Urnm). Exit 1
if anything that is not public was connected to, or if the name server was not asked."""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import e2e
from attacks.names import CASES, OTHER, PUBLIC

PORT = 8765
NAME = "rebind.example"
A, AAAA = 1, 28
SUITE = f"""title: Rebinding
id: rebinding
models:
  - {{id: custom:a, url: "http://{NAME}:{PORT}/chat", modelName: a, inherit: openai}}
prompts:
  - id: a
    prompt: say word
    should:
      - $contains: word
  - id: b
    prompt: say word twice
    should:
      - $contains: word
"""


def command(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        e2e.skip(f"{' '.join(words)}: {done.stderr.strip()}")


def set_up():
    command(["ip", "link", "set", "lo", "up"])
    for address in (f"{PUBLIC}/32", f"{OTHER}/32", "169.254.169.254/32", "10.0.0.1/32", "64:ff9b::7f00:1/128"):
        subprocess.run(["ip", "addr", "add", address, "dev", "lo"], capture_output=True, check=False)
    for path, text in (("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"),
                       ("/etc/nsswitch.conf", "hosts: dns\n"), ("/etc/hosts", "")):
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(text)
        os.chmod(file.name, 0o644)
        command(["mount", "--bind", file.name, os.path.realpath(path)])


class NameServer:
    """Answers questions for addresses of each family with the next list of the case."""

    def __init__(self, lists):
        self.lists, self.asked = lists, {A: 0, AAAA: 0}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            question, sender = self.socket.recvfrom(2048)
            end = question.index(b"\0", 12) + 5
            kind = struct.unpack("!H", question[end - 4:end - 2])[0]
            addresses = self.lists[min(self.asked.get(kind, 0), len(self.lists) - 1)]
            if kind in self.asked:
                self.asked[kind] += 1
            family = {A: socket.AF_INET, AAAA: socket.AF_INET6}.get(kind)
            found = [socket.inet_pton(family, each) for each in addresses
                     if family is not None and (":" in each) == (kind == AAAA)]
            answers = b"".join(struct.pack("!HHHIH", 0xC00C, kind, 1, 0, len(each)) + each for each in found)
            head = question[:2] + struct.pack("!HHHHH", 0x8180, 1, len(found), 0, 0)
            self.socket.sendto(head + question[12:end] + answers, sender)


def server_at(address, does, hits):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            hits.append(address)
            self.rfile.read(int(self.headers.get("content-length") or 0))
            if does == "drop":
                self.close_connection = True
                return
            body = b'{"choices": [{"message": {"role": "assistant", "content": "word"}, "finish_reason": "stop"}]}'
            self.send_response(307 if does == "redirect" else 200)
            self.send_header("location", f"http://{NAME}:{PORT}/again")
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = True

        do_GET = do_POST

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        address_family = socket.AF_INET6 if ":" in address else socket.AF_INET

        def get_request(self):   # a connection alone is one too many
            connection = super().get_request()
            if address != PUBLIC:
                hits.append(address)
            return connection

    try:
        server = Server((address, PORT), Handler)
    except OSError:
        return
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main(case):
    lists, does = CASES[case]
    set_up()
    names = NameServer(lists)
    hits = []
    if does != "refuse":
        server_at(PUBLIC, does, hits)
    for private in ("127.0.0.1", "::1", "169.254.169.254", "10.0.0.1", "64:ff9b::7f00:1"):
        server_at(private, "answer", hits)
    with e2e.scratch() as folder:
        Path(folder, "suite.yml").write_text(SUITE)
        for _ in range(2):
            told = e2e.assay("run", "suite.yml", "--fresh", "--max-retries", "2", cwd=folder)
    private = [each for each in hits if each != PUBLIC]
    print(f"asked {names.asked}, reached {hits}\n{told.stderr[-600:]}")
    sys.exit(1 if private or not sum(names.asked.values()) else 0)


if __name__ == "__main__":
    main(sys.argv[1])
