"""Keys that come back from a service in any encoding stay nowhere."""
import base64
import json
import sqlite3
import urllib.parse

import e2e
from mock_server import MockServer, status

from . import Attack

KEY = "sk-atk/4711_Secret+of=mine"
ENV = {"OPENAI_API_KEY": KEY}


def chat(content_json, **more):
    """A body whose content is written as this JSON text, escapes and all."""
    extra = "".join(f",{json.dumps(name)}:{text}" for name, text in more.items())
    return ('{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":1,"completion_tokens":1}%s}' % (content_json, extra))


def text(value):
    return json.dumps("say " + value)


def escaped(make):
    return '"say ' + "".join(make(c) for c in KEY) + '"'


def u(c):
    return f"\\u{ord(c):04x}"


def b64(before="", url=False):
    encoded = (base64.urlsafe_b64encode if url else base64.b64encode)((before + KEY + ":").encode()).decode()
    return encoded


def mixed(digits):
    return "".join(c.upper() if at % 3 else c for at, c in enumerate(digits))


def lines(form, end):
    return end.join(form[at:at + 16] for at in range(0, len(form), 16))


HEX = KEY.encode().hex()
# One of each range of Unicode's Default_Ignorable_Code_Point: no reader sees them.
UNSEEN = ("\u034f", "\u061c", "\u115f", "\u17b5", "\u180b", "\u180f", "\u202a", "\u2060", "\u2065", "\u206f",
          "\u3164", "\ufe00", "\ufe0f", "\ufeff", "\uffa0", "\ufff5", "\U0001bca0", "\U0001d173", "\U000e0001",
          "\U000e0100", "\U000e0fff")
# What stands between the characters of a form.
PARTED = {
    "hex of mixed case": mixed(HEX),
    "hex with blanks": KEY.encode().hex(" "),
    "hex with colons": KEY.encode().hex(":").upper(),
    "hex in lines": lines(HEX, "\n"),
    "base64 in lines": lines(base64.b64encode(KEY.encode()).decode().rstrip("="), "\n"),
    "base64 in lines of mail": lines(base64.b64encode(KEY.encode()).decode().rstrip("="), "\r\n"),
    "soft breaks of mail": lines(KEY, "=\r\n"),
    "zero-width characters": "\u200b".join(KEY),
    "soft hyphens": "\u00ad".join(KEY),
    **{f"U+{ord(c):04X} between": c.join(KEY) for c in UNSEEN},
    "hex parted by variation selectors": "\ufe0f".join(HEX),
}
BODIES = {
    **{name: chat(text(form)) for name, form in PARTED.items()},
    "as it is": chat(text(KEY)),
    "a slash as \\/": chat(text(KEY).replace("/", "\\/")),
    "all as \\u00xx": chat(escaped(u)),
    "every other as \\u00XX": chat(escaped(lambda c: u(c).replace("\\u", "\\u").upper().replace("\\U", "\\u")
                                           if ord(c) % 2 else c)),
    "JSON in JSON": chat(text(json.dumps({"key": KEY}).replace("/", "\\/"))),
    "\\u in JSON in JSON": chat(text('{"key": "' + "".join(u(c) for c in KEY) + '"}')),
    "percent": chat(text(urllib.parse.quote(KEY, safe=""))),
    "percent of every character": chat(text("".join(f"%{ord(c):02X}" for c in KEY))),
    "percent twice": chat(text("".join(f"%25{ord(c):02x}" for c in KEY))),
    "base64": chat(text(base64.b64encode(KEY.encode()).decode())),
    "base64 behind one character": chat(text(b64("u"))),
    "base64 of a header": chat(text(b64("user:"))),
    "base64 for addresses": chat(text(b64("Bearer ", url=True))),
    "HTML entities": chat(text("".join(f"&#{ord(c)};" for c in KEY))),
    "HTML entities in hex": chat(text("".join(f"&#x{ord(c):x};" for c in KEY))),
    "some HTML entities": chat(text(KEY.replace("/", "&sol;").replace("_", "&lowbar;").replace("+", "&plus;"))),
    "hex": chat(text(KEY.encode().hex())),
    "capital hex": chat(text(KEY.encode().hex().upper())),
    "\\x": chat(text("".join(f"\\x{ord(c):02x}" for c in KEY))),
    "quoted-printable": chat(text("".join(f"={ord(c):02X}" for c in KEY))),
    "a member that nobody reads": chat(text("word"), debug=json.dumps({"authorization": [KEY]})),
    "such a member, escaped": chat(text("word"), debug='{"a":"' + "".join(u(c) for c in KEY) + '"}'),
    "its name": chat(text("word"), debug=json.dumps({KEY: 1})),
    "thoughts": '{"choices":[{"message":{"role":"assistant","content":"say a","reasoning_content":%s},'
                '"finish_reason":"stop"}]}' % escaped(u),
    "the finish reason": '{"choices":[{"message":{"role":"assistant","content":"say a"},"finish_reason":%s}]}'
                         % escaped(u),
    "a call": '{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
              '"function":{"name":"f","arguments":%s}}]},"finish_reason":"tool_calls"}]}' % escaped(u),
    "no JSON": "key " + KEY.replace("/", "\\/"),
    "an error's message": '{"error":{"message":%s}}' % escaped(u),
}
FAULTS = {
    "a refusal": status(401, body='{"error":{"message":"no such key: %s"}}' % "".join(u(c) for c in KEY)),
    "a refusal as HTML": status(403, body="<p>" + "".join(f"&#{ord(c)};" for c in KEY)),
    "a header": (200, {"x-echo": KEY, "x-request-id": KEY}, chat(text("word"))),
    "the kind of content": (200, {"content-type": f"application/json; key={KEY}"}, chat(text("word"))),
    "a redirect": (302, {"location": "/" + urllib.parse.quote(KEY, safe="")}, ""),
}


def forms():
    """All in which a file may have it."""
    yield "as it is", KEY
    yield "as JSON", KEY.replace("/", "\\/")
    yield "as \\u", "".join(u(c) for c in KEY)
    yield "as percent", urllib.parse.quote(KEY, safe="")
    yield "as percents", "".join(f"%{ord(c):02X}" for c in KEY)
    yield "as percents", "".join(f"%25{ord(c):02x}" for c in KEY)
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + KEY.encode()).decode().rstrip("=")
        inner = encoded[0 if offset == 0 else offset + 1:(offset + len(KEY)) * 8 // 6]
        yield "as base64", inner
        yield "as base64", inner.replace("+", "-").replace("/", "_")
    yield "as entities", "".join(f"&#{ord(c)};" for c in KEY)
    yield "as entities", "".join(f"&#x{ord(c):x};" for c in KEY)
    yield "as entities", KEY.replace("/", "&sol;").replace("_", "&lowbar;").replace("+", "&plus;")
    yield "in hex", KEY.encode().hex()
    yield "in hex", KEY.encode().hex().upper()
    yield "as \\x", "".join(f"\\x{ord(c):02x}" for c in KEY)
    yield "in mail", "".join(f"={ord(c):02X}" for c in KEY)
    yield from PARTED.items()


def variants(form):
    """As it stands in JSON and in HTML, once and twice."""
    seen = {form, form.replace("&", "&amp;")}
    for _ in range(2):
        seen |= {json.dumps(each)[1:-1] for each in seen}
    return seen


def found(where, data):
    for name, form in forms():
        for each in variants(form):
            if each.encode() in data:
                return f"the key stands {name} in {where}"
    for plain in (KEY[:12], KEY[-12:]):
        if plain.encode() in data:
            return f"a part of the key stands in {where}"
    return None


def searched(folder, result):
    """Everything that was written: to files, to the terminal, and into each row of the store."""
    for path in folder.rglob("*"):
        if path.is_file():
            if problem := found(path.relative_to(folder), path.read_bytes()):
                return problem
    for store in folder.rglob("store.db"):
        with sqlite3.connect(store) as database:
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for row in database.execute(f'SELECT * FROM "{table}"'):
                    for value in row:
                        data = value if isinstance(value, bytes) else str(value).encode()
                        if problem := found(f"table {table}", data):
                            return problem
    return found("standard output", result.stdout.encode()) or found("standard error", result.stderr.encode())


def run(folder, reply, *words, judge=False):
    suite = e2e.suite(1, model="openai:m")
    if judge:
        suite = ("title: T\nid: t\nmodels: [echo:a]\nevaluationConfig: {llm-coverage: {judges: [{model: openai:j}]}}\n"
                 "prompts: [{id: a, prompt: say word, should: [Says a word]}]\n")
    (folder / "suite.yml").write_text(suite)
    with MockServer(reply=lambda path, body: reply) as mock:
        result = e2e.assay("run", "suite.yml", "--json", "--record", "made.jsonl", "--max-retries=1",
                           f"--base-url=openai={mock.url}/v1", *words, cwd=folder, env=ENV)
    e2e.check(result.returncode in (0, 1, 2), f"exit {result.returncode}", result)
    return searched(folder, result)


def echoes(reply, *words, judge=False):
    return lambda folder: run(folder, reply, *words, judge=judge)


def in_pieces(size):
    """The key in pieces of a stream."""
    pieces = [KEY[at:at + size] for at in range(0, len(KEY), size)]
    events = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": "say "}}]}]
    events += [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    events += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]
    return echoes(lines, "--stream")


def short_keys_stay(folder):
    """A key of fewer than eight characters is no word that may vanish from texts."""
    (folder / "suite.yml").write_text(e2e.suite(1, model="openai:m"))
    with MockServer(reply=lambda path, body: chat(text("test of a word"))) as mock:
        result = e2e.assay("run", "suite.yml", "--json", f"--base-url=openai={mock.url}/v1", cwd=folder,
                           env={"OPENAI_API_KEY": "test"})
    e2e.expect(result, 0)
    whole = any(b"test of a word" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return None if whole else "an answer lost its words"


WORDS = "keys in replies"
ATTACKS = [
    *[Attack(f"an answer repeats it: {name}", WORDS, echoes(body), fast=name == "all as \\u00xx")
      for name, body in BODIES.items()],
    *[Attack(f"a judge repeats it: {name}", WORDS, echoes(body, judge=True)) for name, body in BODIES.items()],
    *[Attack(f"it comes in {name}", "keys in faults and headers", echoes(fault)) for name, fault in FAULTS.items()],
    *[Attack(f"it comes in pieces of {size} of a stream", "keys in streams", in_pieces(size))
      for size in (1, 2, 3, 5, 7, 11, 13, 25)],
    Attack("a key of four characters", "short keys are no secrets", short_keys_stay),
]
