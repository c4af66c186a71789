"""`assay view` as its own page talks to it."""
import http.client
import json
import re
import signal

import e2e


class View:
    """A browser's part: it trades the token of the address for that of the pages, and asks below their folder."""

    def __init__(self, folder, *words, env=None):
        self.process = e2e.start("view", *words, cwd=folder, env=env)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{16}/)#(.*)token=([0-9a-f]{64})", self.address)
        e2e.check(found, f"an address with a token, not {self.address!r}")
        self.port, self.folder, self.landing, self.token = int(found[1]), found[2], found[3], found[4]
        self.origin, self.kept = f"http://127.0.0.1:{self.port}", ""
        status, headers, told = self.trade(self.token)
        e2e.check(status == 200 and re.fullmatch(rb"[0-9a-f]{64}", told), f"the token is taken: {status}")
        e2e.check("Set-Cookie" not in headers, f"{headers}")
        self.kept = told.decode()

    def send(self, method, target, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=e2e.SECONDS_MAX)
        connection.request(method, target, body, {"Authorization": f"Bearer {self.kept}", **(headers or {})})
        reply = connection.getresponse()
        told = reply.status, reply.headers, reply.read()
        connection.close()
        return told

    def trade(self, token, headers=None):
        return self.send("POST", self.folder + "token", token, headers or {"Origin": self.origin})

    def ask(self, path, headers=None):
        return self.send("GET", f"{self.folder}api/1/{path}", headers=headers)

    def json(self, path):
        status, _, body = self.ask(path)
        e2e.check(status == 200, f"{path}: {status} {body[:300]}")
        return json.loads(body)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        e2e.check(self.process.wait(e2e.SECONDS_MAX) == 0, "Ctrl-C ends it well")
