#!/usr/bin/env python3
"""Requests to Bedrock are those that AWS's own client builds: the members of Converse by its model of the service, the
address, and the signature of each request; replies of its types are read."""
import base64
import json
import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("botocore")
import botocore.auth  # noqa: E402
import botocore.awsrequest  # noqa: E402
import botocore.credentials  # noqa: E402
import botocore.loaders  # noqa: E402
import botocore.model  # noqa: E402
import botocore.validate  # noqa: E402
from mock_server import MockServer, reply_of  # noqa: E402

KEYS = {"AWS_ACCESS_KEY_ID": "AKIDINTEROP", "AWS_SECRET_ACCESS_KEY": "a-secret-of-the-interop-tests",
        "AWS_SESSION_TOKEN": "a-token-of-the-interop-tests", "AWS_REGION": "eu-west-3"}
MODELS = ["amazon.nova-lite-v1:0", "us.anthropic.claude-haiku-4-5-20251001-v1:0",
          "us.anthropic.claude-haiku-4-5-20251001-v1:0[thinking:2000]"]
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5E"
                       "rkJggg==")
PDF = b"%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n%%EOF\n"
SERVICE = botocore.model.ServiceModel(botocore.loaders.Loader().load_service_model("bedrock-runtime", "service-2"))
OPERATIONS = {path: SERVICE.operation_model(name)
              for path, name in {"converse": "Converse", "converse-stream": "ConverseStream"}.items()}
CONVERSE = OPERATIONS["converse"]


def bytes_of(shape, value):
    """The value with its base64 read, as the client gets it from its caller."""
    if shape.type_name == "blob":
        return base64.b64decode(value, validate=True)
    if shape.type_name == "list":
        return [bytes_of(shape.member, each) for each in value]
    if shape.type_name == "structure" and not getattr(shape, "is_document_type", False):
        unknown = set(value) - set(shape.members)
        e2e.check(not unknown, f"{shape.name} has no {unknown}")
        return {name: bytes_of(shape.members[name], each) for name, each in value.items()}
    return value


def check_members(request):
    model, path = re.fullmatch(r"/model/([^/]+)/([a-z-]+)", request["path"]).groups()
    model, shape = unquote(model), OPERATIONS[path].input_shape
    body = bytes_of(shape, {"modelId": model, **request["body"]})
    found = botocore.validate.ParamValidator().validate(body, shape)
    e2e.check(not found.has_errors(), found.generate_report())
    return model


def check_signature(request, url):
    """What the client would have signed at that moment."""
    headers = {name.lower(): value for name, value in request["headers"].items()}
    moment = datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    theirs = botocore.awsrequest.AWSRequest(method="POST", url=url + request["path"], data=request["raw"],
                                            headers={"content-type": headers["content-type"]})
    keys = botocore.credentials.Credentials(KEYS["AWS_ACCESS_KEY_ID"], KEYS["AWS_SECRET_ACCESS_KEY"],
                                            KEYS["AWS_SESSION_TOKEN"])
    signer = botocore.auth.SigV4Auth(keys, "bedrock", KEYS["AWS_REGION"])
    theirs.context["timestamp"] = moment.strftime("%Y%m%dT%H%M%SZ")
    botocore.auth.get_current_datetime = lambda *_, **__: moment.replace(tzinfo=None)
    signer._modify_request_before_signing(theirs)
    canonical = signer.canonical_request(theirs)
    signature = signer.signature(signer.string_to_sign(theirs, canonical), theirs)
    e2e.check(headers["authorization"].endswith(f"Signature={signature}"),
              f"{headers['authorization']}\nexpected {signature} over\n{canonical}")


class Recorder(MockServer):
    """Keeps each body as it came."""

    def handle(self, handler):
        length = int(handler.headers.get("content-length", "0"))
        data = handler.rfile.read(length)

        class Again:
            def read(self, _):
                return data

        handler.rfile, kept = Again(), handler.rfile
        try:
            super().handle(handler)
        finally:
            handler.rfile = kept
        self.requests[-1]["raw"] = data


def suite(folder):
    Path(folder, "a.png").write_bytes(PNG)
    Path(folder, "a.pdf").write_bytes(PDF)
    prompts = [{"id": "words", "prompt": "say yes", "system": "Be brief.", "temperature": 0.5,
                "should": [{"$contains": "yes"}]},
               {"id": "parts", "prompt": "say yes", "image": "a.png", "file": "a.pdf",
                "should": [{"$contains": "yes"}]},
               {"id": "schema", "prompt": "say {}", "response_format": {"type": "object"},
                "should": [{"$is_json": True}]}]
    Path(folder, "suite.json").write_text(json.dumps(
        {"id": "bedrock", "models": [f"bedrock:{model}" for model in MODELS], "prompts": prompts}))


def tools(folder):
    """A model under research calls a tool, and what came of it goes back."""
    Path(folder, "notes.yaml").write_text(
        'id: notes\ndocs: [{id: a, title: A, url: "https://example.invalid/a.txt"}]\n'
        'tests:\n  - {id: calls, doc_id: a, query: "calls?", expected: {type: contains, text: "yes"}}\n')
    Path(folder, "matrix.toml").write_text(
        'dataset = "./notes.yaml"\noutput_root = "./runs"\n[[runs]]\nid = "r"\n'
        f'model_alias = "bedrock:{MODELS[1]}"\nresearch_mode = false\nlean = false\n')


def reply(path, body):
    """A thought and a call first, where there are tools; then words."""
    told = json.dumps(body)
    if "toolConfig" not in body or "toolResult" in told:
        return None
    made = reply_of(path, body, "x")
    made["output"]["message"]["content"] = [
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
        {"toolUse": {"toolUseId": "call_1", "name": "look_up", "input": {"q": 1}}}]
    made["stopReason"] = "tool_use"
    bytes_of(CONVERSE.output_shape, made)
    return made


with e2e.scratch() as folder, Recorder(reply=reply) as mock:
    suite(folder)
    words = [f"--base-url=bedrock={mock.url}", "-j", "1"]
    for more in ([], ["--fresh", "--stream"]):
        result = e2e.assay("run", "suite.json", "--json", *words, *more, cwd=folder, env=KEYS)
        e2e.expect(result, 0)
        e2e.check(e2e.one_run(result)["request_errors"] == 0, "every answer was expected", result)
    e2e.check(any(request["path"].endswith("/converse-stream") for request in mock.requests), "nothing was streamed")
    tools(folder)
    result = e2e.assay("run", "matrix.toml", "--max-retries=0", *words, cwd=folder, env=KEYS)
    e2e.check(result.returncode in (0, 2), "the turn was not made", result)
    told = mock.requests[-1]["raw"].decode()
    e2e.check("reasoningContent" in told and "toolResult" in told, f"it did not go back as it came: {told}", result)
    asked = {check_members(request) for request in mock.requests}
    e2e.check(asked == {model.split("[")[0] for model in MODELS}, f"{asked}")
    for request in mock.requests:
        check_signature(request, mock.url)
    bytes_of(CONVERSE.output_shape, reply_of("/model/m/converse", {}, "yes"))
