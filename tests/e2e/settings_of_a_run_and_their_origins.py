#!/usr/bin/env python3
"""assay.toml: option before environment before file; mistakes at their places; doctor tells what holds and why."""
import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

HIDDEN = hashlib.sha256(b"user:hidden").hexdigest()
TOML = """[limits]
timeout = 7
max_retries = 4
max_errors = "10%"

[limits.openai]
max_in_flight = 3
requests_per_min = 500

[base_urls]
openai = "http://user:hidden@127.0.0.1:1/v1"

[prices]
"custom:mine" = {input = 1, output = 2.5}

[models."ollama:qwen*"]
thinking_room = 9000
keep_think_tags = true

[allow]
hosts = ["models.internal"]
"""


def settings(folder, *suites, env=None):
    trusted = {"ASSAY_TRUST": e2e.digest_of_powers(folder)}
    result = e2e.assay("doctor", *suites, "--config", "--json", cwd=folder, env={**trusted, **(env or {})})
    e2e.expect(result, 0)
    e2e.check("hidden" not in result.stdout, "a password is shown", result)
    return {line["setting"]: (line["value"], line["from"]) for line in json.loads(result.stdout)}


with e2e.scratch() as scratch:
    folder = Path(scratch)
    toml = folder / "assay.toml"
    toml.write_text(TOML)
    told = settings(folder, env={"ASSAY_TIMEOUT": "9", "MISTRAL_BASE_URL": "http://127.0.0.1:2"})
    for name, expected in {"timeout": ("9", "ASSAY_TIMEOUT"), "max-retries": ("4", "assay.toml:3"),
                           "max-errors": ("10%", "assay.toml:4"), "budget-usd": ("–", "default"),
                           "limits.openai.max_in_flight": ("3", "assay.toml:7"),
                           "base_urls.openai": (f"http://sha256:{HIDDEN}@127.0.0.1:1/v1", "assay.toml:11"),
                           "models.ollama:qwen*": ("thinking_room, keep_think_tags", "assay.toml:16"),
                           "base_urls.mistral": ("http://127.0.0.1:2", "MISTRAL_BASE_URL"),
                           "prices.custom:mine": ("$1 in, $2.5 out", "assay.toml:14"),
                           "allow.hosts": ("models.internal", "assay.toml:21")}.items():
        e2e.check(told.get(name) == expected, f"{name}: expected {expected}, told {told.get(name)}")

    # What a suite says, or its format where it is silent, holds where nobody else has spoken.
    (folder / "suite.yml").write_text(e2e.suite(1).replace("id: echoes", "id: echoes\nconcurrency: 17"))
    (folder / "other.yml").write_text(e2e.suite(1))
    for words, env, toml_text, expected in [
            ([], {}, "", ("–", "default")), (["other.yml"], {}, "", ("10", "other.yml")),
            (["suite.yml"], {}, "", ("17", "suite.yml")),
            (["suite.yml"], {}, "[limits]\nmax_in_flight = 4\n", ("4", "assay.toml:2")),
            (["suite.yml"], {"ASSAY_MAX_IN_FLIGHT": "5"}, "[limits]\nmax_in_flight = 4\n",
             ("5", "ASSAY_MAX_IN_FLIGHT"))]:
        toml.write_text(toml_text)
        told = settings(folder, *words, env=env)["max-in-flight"]
        e2e.check(told == expected, f"{words} {env} {toml_text}: expected {expected}, told {told}")

    e2e.expect(e2e.assay("doctor", "nowhere.yml", "--config", cwd=folder), 1, "nowhere.yml", "assay check")

    for text, *fragments in [
            ("[limits]\nmax_retrys = 1\n", 'assay.toml:2:1', 'did you mean "max_retries"?'),
            ("[limit]\n", 'did you mean "limits"?'),
            ("[limits]\nmax_retries = \"many\"\n", 'assay.toml:2:15', "error"),
            ("[limits.opneai]\nmax_in_flight = 2\n", 'did you mean "openai"?', "error"),
            ("[prices]\n\"openai:x\" = 3\n", "US dollars for a million tokens", "error"),
            ("[prices]\n\"openai:x\" = {input = 1, output = 2, cached_raed = 3}\n", 'did you mean "cached_read"?'),
            ("[models.\"openai:x\"]\ntemperature = 1\n", "assay.toml:2:15", "true or false", "error"),
            ("[models.\"openai:x\"]\ntemprature = true\n", 'did you mean "temperature"?'),
            ("[models.\"openai:x\"]\neffort_as = \"loud\"\n", "thinking_level", "error"),
            ("[models.x]\ntemperature = true\n", "provider:model", "error"),
            ("[base_urls]\nopenai = \"ftp://x\"\n", "expected a URL", "error"),
            ("[allow]\nenv = \"A\"\n", "expected a list of texts", "error")]:
        toml.write_text(text)
        (folder / "suite.yml").write_text(e2e.suite(1))
        result = e2e.assay("check", "suite.yml", cwd=folder)
        e2e.expect(result, 1 if "error" in fragments else 0, *fragments)

    key = {"OPENAI_API_KEY": "sk-secret-0123456789"}
    with MockServer() as mock:
        toml.unlink()
        e2e.own_settings(f'[base_urls]\nopenai = "{mock.url}"\n')
        (folder / "suite.yml").write_text(e2e.suite(2, model="openai:gpt-4o"))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder, env=key), 0)
        e2e.check(len(mock.texts()) == 2, "the file's address was not asked")
        with MockServer() as other:
            e2e.expect(e2e.assay("run", "suite.yml", cwd=folder, env={**key, "OPENAI_BASE_URL": other.url}), 0)
            e2e.check(len(other.texts()) == 2, "the environment comes before the file")
    doctor = e2e.assay("doctor", cwd=folder, env=key)
    e2e.expect(doctor, 0)
    e2e.check("OPENAI_API_KEY is set" in doctor.stdout and "sk-secret" not in doctor.stdout, "keys by name", doctor)
    e2e.check("runs   2" in doctor.stdout, "the store is looked at", doctor)
