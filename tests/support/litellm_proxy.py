"""A LiteLLM proxy on the loopback, of the packages of litellm.txt, before a server of the tests."""
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import e2e
import interop

KEY = "sk-interop-a-key-that-a-proxy-takes-for-a-strong-one-4711"
BASES = {"openai": "/v1", "anthropic": "", "gemini": "/v1beta"}
SECONDS_TO_START = 180


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """`models`: what callers name -> the protocol in which the server behind it is asked. `url` once it answers."""

    def __init__(self, folder, mock, models):
        self.place = interop.prepared("litellm")
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(folder, "proxy.log")
        listed = [{"model_name": name, "litellm_params": {"model": f"{kind}/{name.split('/')[-1]}", "api_key": "unused",
                                                          "api_base": mock.url + BASES[kind]}}
                  for name, kind in models.items()]
        Path(folder, "proxy.json").write_text(json.dumps({"model_list": listed}))  # JSON is YAML

    def __enter__(self):
        env = {**e2e.clean_environment(), "LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True",
               "LITELLM_TELEMETRY": "False"}
        command = [self.place / "bin" / "litellm", "--config", "proxy.json", "--host", "127.0.0.1", "--port",
                   str(self.port)]
        self.child = subprocess.Popen(command, cwd=self.folder, env=env, stdout=open(self.log, "w"),
                                      stderr=subprocess.STDOUT, start_new_session=True)
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and self.child.poll() is None:
            try:
                if urllib.request.urlopen(f"{self.url}/health/liveliness", timeout=5).status == 200:
                    return self
            except OSError:
                time.sleep(0.5)
        self.__exit__()
        e2e.check(False, "the proxy does not start:\n" + self.said())

    def said(self):
        return self.log.read_text()[-3000:]

    def __exit__(self, *_):
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGTERM)
        self.child.wait(timeout=30)
