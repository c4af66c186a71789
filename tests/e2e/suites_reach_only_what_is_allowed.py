#!/usr/bin/env python3
"""A suite that names its own URL gets no key, no secret of the environment and no private address, unless it is
allowed by name."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-openai-4711", "MY_TOKEN": "token-4712"}
SUITE = """title: Attack
id: attack
models:
  - {{id: custom:a, url: "{url}/chat", modelName: a, inherit: openai, headers: {headers}}}
prompts:
  - id: a
    prompt: say word
    should:
      - $contains: word
"""


def run(folder, *words, url, headers="{}"):
    Path(folder, "suite.yml").write_text(SUITE.format(url=url, headers=headers))
    return e2e.assay("run", "suite.yml", "--fresh", "--max-retries", "0", *words, cwd=folder, env=KEYS)


with e2e.scratch() as folder, MockServer() as mock:
    port = mock.url.rsplit(":", 1)[1]
    for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433"):
        result = run(folder, url=f"http://{host}:{port}")
        e2e.expect(result, 2, "1 request failed for good")
        e2e.check("--allow-host" in result.stderr or host == "[::1]", "expected the way to allow it", result)
    e2e.expect(run(folder, url="http://169.254.169.254/latest"), 2, "--allow-host")
    e2e.check(not mock.requests, f"a private address was reached: {mock.requests}")

    allowed = ["--allow-host", "127.0.0.1"]
    e2e.expect(run(folder, *allowed, url=mock.url), 0)
    e2e.check("authorization" not in {name.lower() for name in mock.requests[-1]["headers"]},
              "a key went to the suite's own URL")
    for name in KEYS:
        result = run(folder, *allowed, url=mock.url, headers=f'{{x-mine: "a ${{{name}}} b"}}')
        e2e.expect(result, 2, f"--allow-env {name}")
    e2e.check(len(mock.requests) == 1, "a request went out without its secret")

    result = run(folder, *allowed, "--allow-env", "MY_TOKEN", url=mock.url, headers='{x-mine: "a ${MY_TOKEN} b"}')
    e2e.expect(result, 0)
    e2e.check(mock.requests[-1]["headers"]["x-mine"] == "a token-4712 b", f"{mock.requests[-1]['headers']}")
    for path in Path(folder).rglob("*"):
        e2e.check(not path.is_file() or b"token-4712" not in path.read_bytes(), f"the secret is in {path}")
