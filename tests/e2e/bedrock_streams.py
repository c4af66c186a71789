#!/usr/bin/env python3
"""--stream at Amazon Bedrock: answers come in AWS's binary messages, whose sums are checked; the time to the first
token is told; what is cut off, bent, or lies about its length is asked again, and an exception counts as its status."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import CUT, LATE, LATE_S, MockServer, aws_frame, converse_events  # noqa: E402

KEY = "key-of-bedrock-4711"
STREAM = "application/vnd.amazon.eventstream"
PAUSE_S = 0.05


def run(folder, mock, *words, code=0):
    result = e2e.assay("run", "suite.yml", "--json", f"--base-url=bedrock={mock.url}", *words, cwd=folder,
                       env={"AWS_BEARER_TOKEN_BEDROCK": KEY})
    if code is not None:
        e2e.expect(result, code)
    return result


class Raw:
    """A server whose first replies are these bodies."""

    def __init__(self, *bodies):
        self.bodies = list(bodies)

    def __call__(self, path, body):
        return [self.bodies.pop(0)] if self.bodies else None


class RawServer(MockServer):
    def send_events(self, handler, events, fault, kind=STREAM):
        super().send_events(handler, events, fault, kind)


with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(2, model="bedrock:amazon.nova-lite-v1:0"))
    with MockServer(pause=PAUSE_S) as mock:
        result = run(folder, mock, "--stream")
        told = e2e.one_run(result)
        e2e.check(told["mean"] == 1 and told["candidate_usage"]["input_tokens"] == 14, f"{told}", result)
        e2e.check(all(each["path"].endswith("/converse-stream") for each in mock.requests), f"{mock.requests}")
        e2e.check(re.search(r"amazon.nova-lite-v1:0: first token after \S+ s", result.stderr), "no pace", result)
        asked = len(mock.requests)
        run(folder, mock)
        e2e.check(len(mock.requests) == asked, "it is the same question, streamed or not")

    Path(folder, "suite.yml").write_text(e2e.suite(1, model="bedrock:amazon.nova-lite-v1:0"))
    with MockServer(fault=lambda text, attempt: LATE) as mock:
        result = run(folder, mock, "--stream", "--fresh")
        first = re.search(r"first token after (\S+) s", result.stderr)
        e2e.check(first and float(first[1]) >= LATE_S * 0.9, "the first event that says something counts", result)
    with MockServer(fault=lambda text, attempt: CUT if attempt == 0 else None) as mock:
        e2e.check(e2e.one_run(run(folder, mock, "--stream", "--fresh"))["mean"] == 1, "it was asked again")
        e2e.check(len(mock.requests) == 2, f"{mock.texts()}")

    whole = b"".join(converse_events("word 0"))
    bent = bytearray(whole)
    bent[len(whole) // 2] ^= 1
    huge = bytes.fromhex("fffffff000000000") + (0xfd528c5a).to_bytes(4, "big")
    words = aws_frame("throttlingException", {"message": "Too many requests"}, "exception")
    for name, body, said in (("cut", whole[:-7], "ends in the middle of a message"),
                             ("bent", bytes(bent), "the checksum of a message is wrong"),
                             ("huge", huge, "the stream is broken"),
                             ("throttled", converse_events("x")[0] + words, "Too many requests"),
                             ("no end", converse_events("word 0")[0], "ended before the answer did")):
        with RawServer(reply=Raw(body)) as mock:
            result = run(folder, mock, "--stream", "--fresh", "--max-retries", "3")
            e2e.check(e2e.one_run(result)["mean"] == 1 and len(mock.requests) == 2, f"{name}: asked again", result)
        with RawServer(reply=Raw(*[body] * 9)) as mock:
            result = run(folder, mock, "--stream", "--fresh", "--max-retries", "0", "--patience", "0", code=2)
            e2e.check(said in result.stdout + result.stderr, f"{name}: {said}", result)

    # A key that comes back, in pieces too, is blotted out of what is kept.
    pieces = [aws_frame("messageStart", {"role": "assistant"}),
              *[aws_frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": part}})
                for part in ("word 0 ", KEY[:9], KEY[9:])], aws_frame("messageStop", {"stopReason": "end_turn"})]
    with RawServer(reply=Raw(b"".join(pieces))) as mock:
        run(folder, mock, "--stream", "--fresh", code=None)
        shown = e2e.assay("show", "latest", "--case", "case-0", "--json", cwd=folder)
        e2e.check(KEY not in shown.stdout and "[secret]" in shown.stdout, "the key is shown", shown)
