#!/usr/bin/env python3
"""A matrix names models by the aliases of an asky configuration and of assay.toml: each is asked at its own URL,
with its own key, parameters and patience, and no key is stored or printed. What an alias lacks fails its run
alone."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

DATASET = """
id: small
docs: [{id: d, title: Doc, url: "https://documents.example/d"}]
tests: [{id: t, doc_id: d, query: say word, expected: {type: contains, text: word}}]
"""
KEYS = {"one": "key-of-one-123456", "two": "key-of-two-123456", "three": "key-of-three-123456"}


def matrix(*aliases):
    runs = [f'[[runs]]\nid = "r-{alias}"\nmodel_alias = "{alias}"\nresearch_mode = false\nlean = true\n'
            for alias in aliases]
    return 'dataset = "./small.yaml"\noutput_root = "runs"\n' + "\n".join(runs)


def configure(folder, home, servers):
    home.joinpath("api.toml").write_text(
        f'[api.first]\nurl = "{servers[0].url}/v1/chat/completions"\napi_key = "{KEYS["one"]}"\n'
        f'[api.second]\nurl = "{servers[1].url}/v1/chat/completions"\napi_key_env = "SECOND_TOKEN"\n'
        f'[api.odd]\nurl = "{servers[0].url}/v1/generate"\n')
    home.joinpath("models.toml").write_text(
        '[models.one]\nid = "model-1"\napi = "first"\n[models.one.parameters]\ntop_p = 0.9\ntemperature = 0.7\n'
        '[models.two]\nid = "model-2"\napi = "second"\n[models.odd]\nid = "m"\napi = "odd"\n'
        '[models.lost]\nid = "m"\napi = "nowhere"\n')
    home.joinpath("general.toml").write_text(
        '[general]\nsummarization_model = "two"\nrequest_timeout = 20\n'
        '[limits]\nmax_retries = 2\ninitial_backoff = 0\nmax_backoff = 0\n')
    e2e.own_settings(
        f'[models.three]\nmodel = "openai-compatible:model-3"\nbase_url = "{servers[2].url}/v1"\n'
        'key_env = "THIRD_TOKEN"\nparameters = {seed = 7}\n'
        '[prices]\n"openai-compatible:model-1" = {input = 1000, output = 2000}\n')
    folder.joinpath("small.yaml").write_text(DATASET)
    return {"ASKY_HOME": str(home), "SECOND_TOKEN": KEYS["two"], "THIRD_TOKEN": KEYS["three"]}


def rows(folder, run):
    session = sorted(folder.joinpath("runs").iterdir())[-1]
    return [json.loads(line) for line in (session / run / "artifacts/results.jsonl").read_text().splitlines()]


def asked(server):
    return [(request["headers"].get("authorization"), request["body"]) for request in server.requests]


def with_a_configuration(folder, servers, env):
    folder.joinpath("m.toml").write_text(matrix("one", "two", "three"))
    result = e2e.assay("run", "m.toml", cwd=folder, env=env)
    e2e.expect(result, 0)
    for server, name, model in zip(servers, KEYS, ("model-1", "model-2", "model-3")):
        calls = asked(server)
        e2e.check(len(calls) == 1 and calls[0][0] == "Bearer " + KEYS[name] and calls[0][1]["model"] == model,
                  f"{name} was asked {calls}", result)
        e2e.check(rows(folder, f"r-{name}")[0]["model_alias"] == name, "rows keep the alias", result)
    body = asked(servers[0])[0][1]
    e2e.check(list(body)[-2:] == ["top_p", "temperature"] and body["top_p"] == 0.9, f"its parameters: {body}")
    e2e.check(asked(servers[2])[0][1]["seed"] == 7, "those of assay.toml as well")
    usage = rows(folder, "r-one")[0]["token_usage"]
    used = usage["main"]
    cost = f"${used['input_tokens'] / 1000 + used['output_tokens'] / 500:.4f}"
    lines = {line.split()[0]: line.split() for line in result.stdout.split("Profiles\n")[1].splitlines() if line}
    e2e.check(used["total_tokens"] > 0 and lines["r-one"][-2] == cost and lines["r-two"][-2] == "–",
              f"{cost} of {used}", result)
    e2e.check(usage["summarizer"]["model_alias"] == "two", f"who sums up: {usage}")
    written = b"".join(path.read_bytes() for path in folder.rglob("*")
                       if path.is_file() and folder / "asky" not in path.parents)
    for key in KEYS.values():
        e2e.check(key.encode() not in written and key not in result.stdout + result.stderr, "a key was written")
    told = e2e.assay("doctor", "--config", cwd=folder, env=env)
    e2e.check("models.toml" in told.stdout and not any(key in told.stdout for key in KEYS.values()),
              "doctor names aliases and no keys", told)


def one_model_for_all(folder, servers, env):
    before = len(servers[1].requests)
    result = e2e.assay("run", "m.toml", "-m", "two", "--fresh", cwd=folder, env=env)
    e2e.expect(result, 0)
    e2e.check(len(servers[1].requests) > before and len(servers[0].requests) == 1,
              "-m names an alias for every run", result)
    e2e.check(rows(folder, "r-one")[0]["model_alias"] == "two", "rows name who was asked", result)
    several = e2e.assay("run", "m.toml", "-m", "one", "-m", "two", cwd=folder, env=env)
    e2e.expect(several, 1, "-m: every run of a matrix asks one model")


def a_key_is_not_set(folder, servers, env):
    before = len(servers[1].requests)
    result = e2e.assay("run", "m.toml", "--fresh", cwd=folder, env={**env, "SECOND_TOKEN": ""})
    e2e.expect(result, 2, "SECOND_TOKEN is not set")
    e2e.check("SECOND_TOKEN" in rows(folder, "r-two")[0]["error"] and rows(folder, "r-one")[0]["pass"]
              and len(servers[1].requests) == before, "the run of that alias fails, unasked", result)


def what_is_lacking(folder, env):
    folder.joinpath("bad.toml").write_text(matrix("lost", "odd", "none"))
    result = e2e.assay("run", "bad.toml", cwd=folder, env=env)
    e2e.expect(result, 2)
    for run, words in (("r-lost", "[api.nowhere]"), ("r-odd", "/chat/completions"),
                       ("r-none", "there is no model alias")):
        e2e.check(words in rows(folder, run)[0]["error"], f"{run}: {rows(folder, run)[0]['error']}", result)
    Path(env["ASKY_HOME"], "models.toml").write_text("[models.one\n")
    result = e2e.assay("run", "bad.toml", cwd=folder, env=env)
    e2e.check("models.toml:1" in rows(folder, "r-none")[0]["error"], "a broken file is named", result)


def patience(folder, env):
    """The configuration's two tries, without a pause; --max-retries comes first."""
    with MockServer(fault=lambda text, attempt: status(500)) as broken:
        home = Path(env["ASKY_HOME"])
        home.joinpath("api.toml").write_text(f'[api.first]\nurl = "{broken.url}/v1/chat/completions"\n')
        home.joinpath("models.toml").write_text('[models.one]\nid = "model-1"\napi = "first"\n')
        folder.joinpath("m.toml").write_text(matrix("one"))
        e2e.expect(e2e.assay("run", "m.toml", cwd=folder, env=env), 2)
        e2e.check(len(broken.requests) == 2, f"one further try: {len(broken.requests)}")
        e2e.expect(e2e.assay("run", "m.toml", "--max-retries", "0", cwd=folder, env=env), 2)
        e2e.check(len(broken.requests) == 3, f"no further try: {len(broken.requests)}")


def main():
    with e2e.scratch() as scratch, e2e.scratch() as home, \
            MockServer() as one, MockServer() as two, MockServer() as three:
        folder = Path(scratch)
        env = configure(folder, Path(home), (one, two, three))
        with_a_configuration(folder, (one, two, three), env)
        one_model_for_all(folder, (one, two, three), env)
        a_key_is_not_set(folder, (one, two, three), env)
        what_is_lacking(folder, env)
        patience(folder, env)


main()
