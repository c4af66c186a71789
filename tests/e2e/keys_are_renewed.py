#!/usr/bin/env python3
"""Models of clouds: Claude and Gemini at Vertex AI carry the cloud's token, of the environment or of a file that is
read again once the token is refused; requests to Bedrock its key, or a signature that changes with every request and
keeps the secret. Without either nobody asks there."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, reply_of, status  # noqa: E402

OLD, NEW, SECRET = "ya29.token-of-the-cloud-4711", "ya29.token-of-the-cloud-4712", "a-secret-of-amazon-4711"
SESSION = "a-token-of-a-session-4711"
LOCATION = "/v1/projects/p/locations/global"
VERTEX = "vertex:gemini-2.5-flash, vertex:claude-haiku-4-5@20251001"
NOVA = "bedrock:amazon.nova-lite-v1:0"


def run(folder, mock, models, env, *words, code=0):
    Path(folder, "suite.yml").write_text(e2e.suite(3, model=models))
    urls = [f"--base-url=vertex={mock.url}{LOCATION}", f"--base-url=bedrock={mock.url}"]
    result = e2e.assay("run", "suite.yml", "--json", "--fresh", *urls, *words, cwd=folder, env=env)
    e2e.expect(result, code)
    return result


def write(file, token):
    """As whoever renews it has to: at once."""
    later = file.with_suffix(".new")
    later.touch(mode=0o600)
    later.write_text(f"{token}\n")
    later.rename(file)


def keys_sent(mock):
    return [request["headers"].get("authorization") for request in mock.requests]


def all_right(result):
    e2e.check(e2e.one_run(result)["request_errors"] == 0, "every answer was expected", result)


class Cloud(MockServer):
    """Refuses all but one token. The first refusal is when the user renews it, if he does."""

    def __init__(self, file=None, code=401, **more):
        super().__init__(reply=self.judge, **more)
        self.file, self.code, self.taken = file, code, NEW

    def judge(self, path, body):
        with self.lock:
            sent = next(r for r in reversed(self.requests) if r["body"] is body)["headers"].get("authorization")
            if sent == f"Bearer {self.taken}":
                return None
            if self.file:
                write(self.file, NEW)
        return status(self.code, body='{"error": {"code": %d, "message": "token expired: %s"}}' % (self.code, sent))


with e2e.scratch() as folder:
    file = Path(folder, "token")
    # Of the environment, whole and streamed.
    for words, paths in (
            ([], {"/publishers/google/models/gemini-2.5-flash:generateContent",
                  "/publishers/anthropic/models/claude-haiku-4-5@20251001:rawPredict"}),
            (["--stream"], {"/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
                            "/publishers/anthropic/models/claude-haiku-4-5@20251001:streamRawPredict"})):
        with MockServer() as mock:
            all_right(run(folder, mock, VERTEX, {"VERTEX_ACCESS_TOKEN": OLD}, *words))
            e2e.check(set(keys_sent(mock)) == {f"Bearer {OLD}"}, f"{keys_sent(mock)}")
            asked = {request["path"].removeprefix(LOCATION) for request in mock.requests}
            e2e.check(asked == paths, f"{asked}")

    # A token that expires is read again, for all calls that had it, and costs no try; neither is told.
    e2e.own_settings(f"[providers.vertex]\nkey_file = '{file}'\n[providers.bedrock]\nkey_file = '{file}'\n")
    for models, code in ((VERTEX, 401), (NOVA, 403)):
        write(file, OLD)
        with Cloud(file, code, answer=lambda text: f"{text.removeprefix('say ')} {NEW}") as mock:
            result = run(folder, mock, models, {}, "--max-retries=0", "-j", "3")
            all_right(result)
            calls = 3 * len(models.split(","))
            sent = keys_sent(mock)
            e2e.check(sent.count(f"Bearer {NEW}") == calls and 1 <= sent.count(f"Bearer {OLD}") <= 3, f"{sent}", result)
        shown = e2e.assay("show", "latest", "--case", "case-0", cwd=folder).stdout
        stored = b"".join(path.read_bytes() for path in Path(folder, ".assay").rglob("*") if path.is_file())
        for token in (OLD, NEW):
            e2e.check(token not in shown + result.stdout + result.stderr, f"a token is told: {shown}", result)
            e2e.check(token.encode() not in stored, "a token is stored", result)
        e2e.check("[secret]" in shown, shown)

    # One that nobody renews is refused, once a call, and so is a renewed one that nobody takes.
    for taken_by in (None, file):
        write(file, OLD)
        with Cloud(taken_by) as mock:
            mock.taken = "another"
            run(folder, mock, "vertex:gemini-2.5-flash", {}, "--max-retries=0", "-j", "1", code=2)
            e2e.check(len(mock.requests) <= (4 if taken_by else 3), f"{keys_sent(mock)}")
    e2e.own_settings("")

    # Keys of AWS sign; the secret and a session's token stay here.
    aws = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "eu-west-3",
           "AWS_SESSION_TOKEN": SESSION}
    with MockServer(answer=lambda text: f"{text.removeprefix('say ')} {SECRET} {SESSION}") as mock:
        result = run(folder, mock, NOVA, aws)
        all_right(result)
        sent = set(keys_sent(mock))
        e2e.check(len(sent) == 3 and all("/eu-west-3/bedrock/aws4_request" in key for key in sent), f"{sent}", result)
        e2e.check(all(request["headers"]["x-amz-security-token"] == SESSION for request in mock.requests), "no token")
        shown = e2e.assay("show", "latest", "--case", "case-0", cwd=folder).stdout
        e2e.check(SECRET not in shown and SESSION not in shown and shown.count("[secret]") >= 2, shown)
    with MockServer() as mock:
        all_right(run(folder, mock, NOVA, {**aws, "AWS_BEARER_TOKEN_BEDROCK": "a-key-of-bedrock-4711"}))
        e2e.check(set(keys_sent(mock)) == {"Bearer a-key-of-bedrock-4711"}, f"{keys_sent(mock)}")

    # Half a pair of keys is none.
    with MockServer() as mock:
        result = run(folder, mock, NOVA, {"AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "eu-west-3"}, code=1)
        e2e.check("run.no-key" in result.stderr and "AWS_ACCESS_KEY_ID" in result.stderr, "who lacks a key", result)
        e2e.check(not mock.requests, "nobody was to be asked")
