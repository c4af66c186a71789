#!/usr/bin/env python3
"""Over TLS: who cannot prove to be the host that was meant gets no question, and the user is told what to do; an
authority that the user names is trusted."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from certificates import Authority  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = "sk-test-certificates-4711"


def run(folder, url, authority=None):
    env = {"OPENAI_API_KEY": KEY, **({"SSL_CERT_FILE": authority} if authority else {})}
    return e2e.assay("run", "suite.yml", "--fresh", f"--base-url=openai={url}/v1", cwd=folder, env=env)


with e2e.scratch() as folder, e2e.scratch() as elsewhere:
    Path(folder, "suite.yml").write_text(e2e.suite(3, model="openai:gpt-4o-mini"))
    authority = Authority(folder)
    here = authority.certificate("here", ["DNS:localhost", "IP:127.0.0.1"])
    other = authority.certificate("other", ["DNS:models.example.com"])
    stranger = Authority(elsewhere)

    with MockServer(tls=here) as mock:
        result = run(folder, mock.url)
        e2e.expect(result, 2, f"the certificate of {mock.url} is not trusted", "SSL_CERT_FILE")
        e2e.check("try" not in result.stderr and "retr" not in result.stderr, "it was tried in vain again", result)
        e2e.expect(run(folder, mock.url, stranger.file), 2, "is not trusted")
        e2e.expect(run(folder, mock.url, "nowhere.pem"), 2, "SSL_CERT_FILE", "nowhere.pem")
        e2e.check(not mock.requests, "a server was asked that proved nothing")

        e2e.expect(run(folder, mock.url, authority.file), 0)
        e2e.check(len(mock.requests) == 3, f"{len(mock.requests)} requests of 3")
        e2e.expect(run(folder, mock.url.replace("127.0.0.1", "localhost"), authority.file), 0)
        e2e.check(len(mock.requests) == 6, "the other name of the certificate counts as well")

    with MockServer(tls=other) as mock:
        result = run(folder, mock.url, authority.file)
        e2e.expect(result, 2, f"{mock.url} proved to be another host", "ask it by a name that its certificate has")
        e2e.check("SSL_CERT_FILE" not in result.stderr, "naming an authority does not help here", result)
        e2e.check(not mock.requests, "the wrong host was asked")

    with MockServer() as mock:
        result = run(folder, mock.url.replace("http:", "https:"), authority.file)
        e2e.expect(result, 2, "https://127.0.0.1")
        e2e.check(not mock.requests, "a server without TLS was asked")
