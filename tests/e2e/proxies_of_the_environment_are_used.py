#!/usr/bin/env python3
"""http_proxy, https_proxy and no_proxy: who goes through a proxy and who does not; behind it certificates are verified
as ever."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from certificates import Authority  # noqa: E402
from mock_server import MockServer  # noqa: E402

SECRET = "sk-test-proxies-4711"
HOST = "models.example.invalid"  # only a proxy can know it
CUSTOM = f"""title: Custom
id: custom
models:
  - {{id: custom:a, url: "http://{HOST}/v1/chat/completions", modelName: a, inherit: openai}}
prompts:
  - id: a
    prompt: say word
    should:
      - $contains: word
"""


def run(folder, url, env, *words):
    return e2e.assay("run", "suite.yml", "--fresh", "--max-retries", "0", f"--base-url=openai={url}/v1", *words,
                     cwd=folder, env={"OPENAI_API_KEY": SECRET, **env})


with e2e.scratch() as folder:
    authority = Authority(folder)
    suite = Path(folder, "suite.yml")
    suite.write_text(e2e.suite(2, model="openai:gpt-4o-mini"))

    with MockServer() as proxy, MockServer(host="0.0.0.0") as mock:
        e2e.expect(run(folder, f"http://{HOST}", {"http_proxy": proxy.url}), 0)
        paths = {request["path"] for request in proxy.requests}
        e2e.check(len(proxy.requests) == 2 and paths == {f"http://{HOST}/v1/chat/completions"}, f"{paths}")

        # 0.0.0.0 leads to this machine, but is none of the names by which a proxy is left out unasked.
        by_address = f"http://0.0.0.0:{mock.port}"
        e2e.expect(run(folder, by_address, {"http_proxy": proxy.url}), 0)
        e2e.check((len(proxy.requests), len(mock.requests)) == (4, 0), "an address goes through the proxy too")
        e2e.expect(run(folder, by_address, {"http_proxy": proxy.url, "no_proxy": "0.0.0.0"}), 0)
        e2e.expect(run(folder, by_address, {"http_proxy": proxy.url, "NO_PROXY": "0.0.0.0"}), 0)
        e2e.check((len(proxy.requests), len(mock.requests)) == (4, 4), "no_proxy leaves the proxy out")
        e2e.expect(run(folder, mock.url, {"http_proxy": proxy.url, "ALL_PROXY": proxy.url}), 0)
        e2e.check((len(proxy.requests), len(mock.requests)) == (4, 6), "this machine is asked without a proxy")

        # Where a name leads is known to the proxy alone, so a URL of the suite's own needs the user's word.
        suite.write_text(CUSTOM)
        e2e.expect(run(folder, mock.url, {"http_proxy": proxy.url}), 2, "--allow-host")
        e2e.check(len(proxy.requests) == 4, "the proxy was asked for a host that only the suite names")
        e2e.expect(run(folder, mock.url, {"http_proxy": proxy.url}, "--allow-host", HOST), 0)
        e2e.check(len(proxy.requests) == 5, "an allowed host goes through the proxy")

    suite.write_text(e2e.suite(2, model="openai:gpt-4o-mini"))
    with MockServer(tls=authority.certificate("models", [f"DNS:{HOST}"])) as mock, MockServer(leads_to=mock) as proxy:
        env = {"https_proxy": proxy.url, "SSL_CERT_FILE": authority.file}
        e2e.expect(run(folder, f"https://{HOST}", env), 0)
        e2e.check(len(mock.requests) == 2 and not proxy.requests, "the answers came through the tunnel")
        e2e.check(set(proxy.tunnels) == {f"{HOST}:443"}, f"{proxy.tunnels}")
        e2e.expect(run(folder, f"https://{HOST}", {"https_proxy": proxy.url}), 2, "is not trusted")
        e2e.expect(run(folder, "https://other.example.invalid", env), 2, "proved to be another host")
        e2e.check(len(mock.requests) == 2, "a host was asked that proved nothing")
