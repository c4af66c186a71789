"""What other users of this machine try on `assay view`: to read what it shows, to confuse it, to fill it, to keep its
owner out, to learn a token from a command line or the folder of the pages, and to be where he will be; and what other
sites make a browser do."""
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import e2e
from viewing import View

from . import Absent, Attack

OCCUPIED = Path(__file__).resolve().parents[1] / "occupied_ports.py"
MEGABYTES_MAX = 60        # that the server may grow by, whatever is sent to it
OTHERS = 300              # connections of somebody else
ASKED = 40                # times that the owner asks while others open connections all the time
SMUGGLED = "GET {folder}kit.css HTTP/1.1\r\nHost: {here}\r\n\r\n"
GET, POST = "GET / HTTP/1.1\r\nHost: {here}\r\n", "POST {folder}token HTTP/1.1\r\nHost: {here}\r\n"
STYLES = "GET {folder}pages.css HTTP/1.1\r\nHost: {here}\r\n"

# What is sent behind the head of a request that would be answered otherwise: each has two readings.
REQUESTS = {
    "two lengths": POST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "two lengths that differ": POST + "Content-Length: 0\r\ncontent-length: 5\r\n\r\nhello",
    "a list of lengths": POST + "Content-Length: 5, 5\r\n\r\nhello",
    "a length that overflows": POST + "Content-Length: 18446744073709551621\r\n\r\nhello",
    "a length that overflows with a sign": POST + "Content-Length: 9223372036854775808\r\n\r\nhello",
    "a length of many digits": POST + f"Content-Length: {'9' * 200}\r\n\r\nhello",
    "a length with a sign": POST + "Content-Length: +5\r\n\r\nhello",
    "a length in another base": POST + "Content-Length: 0x5\r\n\r\nhello",
    "an empty length": POST + "Content-Length:\r\n\r\n",
    "two transfer encodings": POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
    "a transfer encoding": POST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a length and an encoding": POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a tab before the colon": GET + "X\t: 1\r\n\r\n",
    "a blank before the colon": GET + "X : 1\r\n\r\n",
    "a folded line": GET + "X: 1\r\n 2\r\n\r\n",
    "a bare line feed": GET + "X: 1\nY: 2\r\n\r\n",
    "bare line feeds alone": "GET / HTTP/1.1\nHost: {here}\n\n",
    "a bare carriage return": GET + "X: 1\rY: 2\r\n\r\n",
    "a NUL": GET + "X: 1\0\r\n\r\n",
    "HTTP/1.x": "GET / HTTP/1.x\r\nHost: {here}\r\n\r\n",
    "HTTP/1.2": "GET / HTTP/1.2\r\nHost: {here}\r\n\r\n",
    "HTTP/2.0": "GET / HTTP/2.0\r\nHost: {here}\r\n\r\n",
    "HTTP/0.9": "GET /\r\n\r\n",
    "no host": "GET / HTTP/1.1\r\n\r\n",
    "two hosts": GET + "Host: evil.example\r\n\r\n",
    "another protocol": GET + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    "an expectation": POST + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
    "an address as a target": "GET http://{here}/ HTTP/1.1\r\nHost: {here}\r\n\r\n",
    "an empty line before it": "\r\n" + GET + "\r\n",
    "the beginning of TLS": "\x16\x03\x01\x02\0\x01\0",
    "thousands of fields": GET + "a:\r\n" * 7_900 + "\r\n",
    "a head without an end": GET + "X: " + "x" * 40_000,
    "cookies without an end": GET + "Cookie: " + "x" * (2 << 20),
    "more cookies than browsers keep": GET + ("Cookie: " + "x" * 400_000 + "\r\n") * 3 + "\r\n",
    "a bare line feed in cookies": GET + "Cookie: " + "x" * 40_000 + "\nX: 1\r\n\r\n",
    "a bare carriage return in cookies": GET + "Cookie: " + "x" * 40_000 + "\rX: 1\r\n\r\n",
    "a NUL in cookies": GET + "Cookie: " + "x" * 40_000 + "\0\r\n\r\n",
    "a folded line of cookies": GET + "Cookie: a=b\r\n c=d\r\n\r\n",
    "a blank before the colon of cookies": GET + "Cookie : a=b\r\n\r\n",
    "cookies before its first line": "Cookie: a=b\r\n" + GET + "\r\n",
    "two hosts around cookies": GET + "Cookie: " + "x" * 40_000 + "\r\nHost: evil.example\r\n\r\n",
}
# Headers that others can send, in place of the token's.
WAYS = {
    "the cookie of the pages": {"Cookie": "assay-view-{port}={token}"},
    "a cookie of any name": {"Cookie": "token={token}; session={token}; Authorization=Bearer {token}"},
    "another scheme": {"Authorization": "Basic {token}"},
    "no scheme": {"Authorization": "{token}"},
    "a shorter token": {"Authorization": "Bearer {shorter}"},
    "an empty token": {"Authorization": "Bearer "},
    "a page of another port": {"Authorization": "Bearer {token}", "Origin": "http://127.0.0.1:1"},
    "a page of another site": {"Authorization": "Bearer {token}", "Sec-Fetch-Site": "cross-site"},
    "a page of another port, as browsers say it": {"Authorization": "Bearer {token}", "Sec-Fetch-Site": "same-site"},
    "a name that was bound to this machine": {"Authorization": "Bearer {token}", "Host": "rebound.example:{port}"},
    "localhost, which ::1 may be": {"Authorization": "Bearer {token}", "Host": "localhost:{port}"},
}
# Cookies that servers of other ports have set, in what the owner's browser sends: all that a browser keeps for a host.
COOKIES = "Cookie: " + "; ".join(f"c{at}={'x' * 4000}" for at in range(175)) + "\r\n"
SOME_COOKIES = COOKIES[:50_000] + "\r\n"     # more than the server reads at once
OPENED = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
OWNERS = {
    "none, for a typed address": OPENED + "Sec-Fetch-Site: none\r\n" + COOKIES,
    "same-origin": OPENED + "Sec-Fetch-Site: same-origin\r\n" + COOKIES,
    "same-site, for a link of another port": OPENED + COOKIES + "Sec-Fetch-Site: same-site\r\n",
    "cross-site, for the file of --open": OPENED + COOKIES + "Sec-Fetch-Site: cross-site\r\n",
    "no site": COOKIES,
    "no site, in several fields": "".join(f"cookie:c{at}={'x' * 14_000}\r\n" for at in range(50)),
    "cross-site, and the longest Referer": OPENED + "Sec-Fetch-Site: cross-site\r\n" + COOKIES
                                           + f"Referer: http://127.0.0.1:1/{'x' * 4000}\r\n",
}
# Doors of the API that the token of another one does not open: where, whose token, and what a browser adds.
DOORS = {
    "the token that pages keep, without their folder": ("/", "kept", {}),
    "the token that pages keep, without their folder, in a page": ("/", "kept", {"Sec-Fetch-Site": "same-origin"}),
    "the token that pages keep, in an earlier folder": ("/0123456789abcdef/", "kept", {}),
    "the token that pages keep, in a folder of this folder": ("{folder}x/", "kept", {}),
    "the token that pages keep, behind another path": ("/x{folder}", "kept", {}),
    "the printed token, in the folder": ("{folder}", "token", {}),
    "the printed token, in an earlier folder": ("/0123456789abcdef/", "token", {}),
    "the printed token, of a page of this origin": ("/", "token", {"Sec-Fetch-Site": "same-origin"}),
    "the printed token, of a page as old browsers say it": ("/", "token", {"Origin": "{origin}"}),
    "the printed token, of a typed address": ("/", "token", {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}),
}
PATHS = ("api/1/runs", "api/1/run/{run}", "api/1/run/{run}/events", "api/1/run/{run}/cells.bin", "api/1/none")
# What a page of this origin that lies outside the folder asks for, to learn the folder's name.
OUTSIDE = ("/", "/?", "//", "/index.html", "/main.js", "/none", "/favicon.ico", "/token", "/api/1/runs", "/api/1/",
           "/api/", "/0123456789abcdef", "/0123456789abcdef/", "/0123456789abcdef/main.js", "/0123456789abcdef/token",
           "/0123456789abcdef/api/1/runs", "/0123456789abcde/", "/0123456789abcdef0/", "/./", "/..", "/%2e/", "/*")


class Served:
    """A run of the row's own, shown by `assay view`."""

    def __init__(self, folder, *words, env=None):
        folder.joinpath("suite.yml").write_text(e2e.suite(1))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        self.view = View(folder, *words, env=env)
        self.here = f"127.0.0.1:{self.view.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.view.process.kill()
        self.view.process.communicate(timeout=20)

    def connected(self, sent="", source="", buffer=0):
        file = socket.socket()
        if buffer:
            file.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        file.settimeout(10)
        if source:
            file.bind((source, 0))
        file.connect(("127.0.0.1", self.view.port))
        file.sendall(self.filled(sent).encode("latin-1"))
        return file

    def filled(self, sent):
        return sent.replace("{here}", self.here).replace("{folder}", self.view.folder)

    def megabytes(self):
        return int(re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{self.view.process.pid}/status").read_text())[1]) // 1024

    def owner_waits(self, fields=""):
        """How long until the owner has the page; what he got instead."""
        began = time.monotonic()
        with self.connected(GET + fields + "Connection: close\r\n\r\n") as owner:
            said = owner.recv(12)
        waited = time.monotonic() - began
        return None if said == b"HTTP/1.1 200" and waited < 5 else f"the owner gets {said} after {waited:.1f} s"


def opens_nothing(headers):
    def tries(folder):
        with Served(folder) as served:
            for door, token in ((served.view.folder, served.view.kept), ("/", served.view.token)):
                values = {"port": served.view.port, "token": token, "shorter": token[:-1]}
                sent = {"Authorization": "", **{name: value.format(**values) for name, value in headers.items()}}
                if failed := refuses(served.view, door, sent):
                    return failed
        return None
    return tries


def refuses(view, door, headers):
    run = view.json("runs")["runs"][0]["run"]
    for path in PATHS:
        for method in ("GET", "HEAD"):
            status = view.send(method, door + path.format(run=run), headers=headers)[0]
            if status != 403:
                return f"{method} {door}{path}: {status}"
    return None


def opens_no_other_door(door, whose, headers):
    def tries(folder):
        with Served(folder) as served:
            view = served.view
            sent = {name: value.format(origin=view.origin) for name, value in headers.items()}
            sent["Authorization"] = f"Bearer {getattr(view, whose)}"
            return refuses(view, door.format(folder=view.folder), sent)
    return tries


def names_no_folder(headers):
    """No reply to what is outside the folder contains its name, whoever asks; the token of the pages helps nobody."""
    def tries(folder):
        with Served(folder) as served:
            view = served.view
            sent = {name: value.format(origin=view.origin, port=view.port) for name, value in headers.items()}
            for path in OUTSIDE:
                for method in ("GET", "HEAD", "POST", "OPTIONS"):
                    status, told, body = view.send(method, path, view.kept, sent)
                    if view.folder[1:-1] in f"{told}{body}":
                        return f"{method} {path}: {status} {told}{body[:300]}"
        return None
    return tries


def refused(sent):
    def tries(folder):
        with Served(folder) as served, served.connected(sent + SMUGGLED) as file:
            said = b""
            while part := file.recv(65536):
                said += part
        is_refused = said.startswith(b"HTTP/1.1 400 ") and said.count(b"HTTP/1.1 ") == 1
        return None if is_refused else f"it says {said[:200]}"
    return tries


def lets_the_owner_in(fields):
    """At once, and in small pieces, with another request behind it."""
    def tries(folder):
        with Served(folder) as served:
            sent = (GET + fields + "\r\n" + SMUGGLED.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
            for pieces in (1, 500):
                with served.connected() as file:
                    whole = served.filled(sent).encode()
                    step = len(whole) // pieces + 1
                    for at in range(0, len(whole), step):
                        file.sendall(whole[at:at + step])
                    said = b""
                    while part := file.recv(65536):
                        said += part
                    if not said.startswith(b"HTTP/1.1 200 ") or said.count(b"HTTP/1.1 200 ") != 2:
                        return f"in {pieces} pieces: it says {said[:200]}"
        return None
    return tries


def takes_no_port_that_was_left(folder):
    """Somebody who led the browser to his servers on some ports before occupies the others."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        raise Absent("unshare and ip make a network of the row's own")
    folder.joinpath("suite.yml").write_text(e2e.suite(1))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    told = subprocess.run(["unshare", "-Urn", sys.executable, str(OCCUPIED)], cwd=folder, capture_output=True,
                          text=True, timeout=100, check=False)
    if told.returncode == 77 or "unshare:" in told.stderr:
        raise Absent(told.stdout + told.stderr)
    return None if told.returncode == 0 else f"{told.stdout}{told.stderr}"


def leaves_no_page(folder):
    browser = folder / "browser"
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    state = folder / "state"
    state.mkdir()
    with Served(folder, "--open", env={"BROWSER": str(browser), "XDG_STATE_HOME": str(state)}) as served:
        until = time.monotonic() + 20
        while not list(state.rglob("open-*")) and time.monotonic() < until:
            time.sleep(0.05)
        served.view.process.send_signal(signal.SIGHUP)
        served.view.process.wait(20)
    return f"it left {list(state.rglob('open-*'))}" if list(state.rglob("open-*")) else None


def costs_little(sent, connections=1, seconds=2):
    """Requests for as long as they are taken, whose replies nobody reads."""
    def tries(folder):
        with Served(folder) as served:
            before = most = served.megabytes()
            many = served.filled(sent * 200).encode()
            files = [served.connected(buffer=4096) for _ in range(connections)]
            for file in files:
                file.setblocking(False)
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                for file in files:
                    try:
                        file.send(many)
                    except OSError:
                        pass
                most = max(most, served.megabytes())
            if most - before > MEGABYTES_MAX:
                return f"the server has grown by {most - before} MB"
            return served.owner_waits()
    return tries


def keeps_nobody_out(sent, source=""):
    def tries(folder):
        with Served(folder) as served:
            before = served.megabytes()
            others = []
            for at in range(OTHERS):
                others.append(served.connected(sent, source and f"127.0.0.{2 + at % 200}", 4096))
            time.sleep(0.3)
            grown = served.megabytes() - before
            return served.owner_waits() if grown <= MEGABYTES_MAX else f"the server has grown by {grown} MB"
    return tries


# Opens connections as fast as it can, and keeps the newest 500.
FLOOD = """
import socket, sys
port, sent, newest = int(sys.argv[1]), sys.argv[2].encode(), [None] * 500
print("begins", flush=True)
at = 0
while True:
    file = socket.socket()
    file.setblocking(False)
    try:
        file.connect_ex(("127.0.0.1", port))
        file.send(sent)
    except OSError:
        pass
    newest[at % 500] = file
    at += 1
"""


def leaves_the_owner_his_turn(sent, fields=""):
    def tries(folder):
        with Served(folder) as served:
            words = [sys.executable, "-c", FLOOD, str(served.view.port), served.filled(sent)]
            with subprocess.Popen(words, stdout=subprocess.PIPE) as flood:
                try:
                    flood.stdout.readline()
                    waits = []
                    for _ in range(ASKED):
                        began = time.monotonic()
                        if failed := served.owner_waits(fields):
                            return failed
                        waits.append(time.monotonic() - began)
                        time.sleep(0.05)
                finally:
                    flood.kill()
        late = [wait for wait in waits if wait > 0.9]     # the system has dropped it, and asked again after 1 s
        return f"the owner waits {sorted(waits)[-3:]} s" if len(late) > ASKED // 10 else None
    return tries


# Keeps 100 connections busy with requests that are long in one way, and opens each again when it is refused.
LONG_FLOOD = """
import socket, sys
port, begin, unit = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3].encode()
sent = memoryview(begin + unit * (1_060_000 // len(unit)) + b"a:\\r\\n" * 100_000)
print("begins", flush=True)
def opened():
    file = socket.socket()
    file.setblocking(False)
    file.connect_ex(("127.0.0.1", port))
    return [file, 0]
files = [opened() for _ in range(100)]
while True:
    for at, each in enumerate(files):
        try:
            each[1] += each[0].send(sent[each[1]:])
        except BlockingIOError:
            continue
        except OSError:
            each[0].close()
            files[at] = opened()
"""


def leaves_an_open_connection_its_turn(unit):
    """A connection that asks again and again waits for no more than a few of the others."""
    def tries(folder):
        with Served(folder) as served:
            begin = f"GET / HTTP/1.1\r\nHost: {served.here}\r\n"
            asks = (begin.replace(" / ", " /none ") + "\r\n").encode()
            words = [sys.executable, "-c", LONG_FLOOD, str(served.view.port), begin, unit]
            owner = served.connected(buffer=65536)
            with subprocess.Popen(words, stdout=subprocess.PIPE) as flood:
                try:
                    flood.stdout.readline()
                    waits = []
                    for _ in range(3 * ASKED):
                        began = time.monotonic()
                        owner.sendall(asks)
                        if not owner.recv(65536):
                            return "its connection is closed"
                        waits.append(time.monotonic() - began)
                        time.sleep(0.02)
                finally:
                    flood.kill()
        longest = max(waits)    # 0.8 to 1.5 s where newcomers may take any time of a round
        return f"it waits {longest:.1f} s" if longest > 0.6 * e2e.SLOWNESS else None
    return tries


def holds_no_token(*words):
    def tries(folder):
        browser, told = folder / "browser", folder / "told"
        browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "{told}.new"\nmv "{told}.new" "{told}"\n')
        browser.chmod(0o755)
        with Served(folder, *words, "--open", env={"BROWSER": str(browser)}) as served:
            until = time.monotonic() + 20
            while not told.exists() and time.monotonic() < until:
                time.sleep(0.05)
            line = told.read_text() + Path(f"/proc/{served.view.process.pid}/cmdline").read_text()
            if re.search(r"token|[0-9a-f]{32}", line):
                return f"the words are {line}"
            page = Path(re.search(r"file://(\S+)", line)[1])
            return None if page.stat().st_mode & 0o077 == 0 else f"others can read {page}"
    return tries


ATTACKS = [
    *(Attack(f"the API by {name}", "the API is opened by a header that the own pages send", opens_nothing(headers))
      for name, headers in WAYS.items()),
    *(Attack(f"the API by {name}", "the token of one door opens no other", opens_no_other_door(*row))
      for name, row in DOORS.items()),
    *(Attack(f"the name of the folder, asked {how}", "who knows no folder learns of none", names_no_folder(headers))
      for how, headers in (("by a program", {}), ("by a page of this origin", {"Sec-Fetch-Site": "same-origin",
                                                                               "Origin": "{origin}"}),
                           ("as a typed address", {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate",
                                                   "Sec-Fetch-Dest": "document"}),
                           ("at localhost", {"Host": "localhost:{port}"}))),
    *(Attack(f"a request with {name}", "a request has one reading, or is refused", refused(sent))
      for name, sent in REQUESTS.items()),
    *(Attack(f"700 KB of cookies of other ports, with {name}", "what other origins add to a request keeps nobody out",
             lets_the_owner_in(fields)) for name, fields in OWNERS.items()),
    Attack("a server of theirs where the pages will be", "who occupies the other ports chooses none",
           takes_no_port_that_was_left),
    Attack("the page of a terminal that was closed", "a page of --open ends with its program", leaves_no_page),
    *(Attack(f"{name}, and nobody reads", "a reply waits until the one before was sent", costs_little(sent, many))
      for name, sent, many in (("a page, again and again", STYLES + "\r\n", 1),
                               ("no page, again and again", GET.replace("/ ", "/none ") + "\r\n", 1),
                               ("heads alone", GET.replace("GET", "HEAD") + "\r\n", 1),
                               ("tokens, again and again", POST + "Content-Length: 64\r\n\r\n" + "0" * 64, 1),
                               ("a page on 100 connections", STYLES + "\r\n", 100),
                               ("cookies on 100 connections", GET + SOME_COOKIES + "\r\n", 100))),
    *(Attack(f"{OTHERS} connections that {name}", "a newcomer is answered, and the oldest idle connection goes",
             keeps_nobody_out(sent, source))
      for name, sent, source in (("send half a head", "GET / HTTP/1.1\r\nX: ", ""), ("send nothing", "", ""),
                                 ("send cookies without an end", GET + COOKIES.strip(), ""),
                                 ("send half a body", POST + "Content-Length: 9\r\n\r\n", ""),
                                 ("had their reply", GET + "\r\n", ""),
                                 ("read no reply", STYLES + "\r\n", ""),
                                 ("send half a head from many addresses", "GET /", "many"))),
    *(Attack(f"connections that {name}, as fast as they can be opened", "the owner has his turn while others ask",
             leaves_the_owner_his_turn(sent, fields))
      for name, sent, fields in (("send half a head", "GET /", ""), ("ask for the page", GET + "\r\n", ""),
                                 ("send nothing", "", ""),
                                 ("send half a head, to an owner with cookies", "GET /", SOME_COOKIES))),
    *(Attack(f"newcomers that send {name}", "the owner has his turn while others ask",
             leaves_an_open_connection_its_turn(unit))
      for name, unit in (("many fields of cookies", "cookie:" + 290 * "x" + "\r\n"),
                         ("one long field", "X: " + 9999 * "y"), ("empty fields of cookies", "cookie:\r\n"))),
    Attack("the words that start the browser, of the list", "no token stands in a command line", holds_no_token()),
    Attack("the words that start the browser, of a run", "no token stands in a command line", holds_no_token("latest")),
]
