#!/usr/bin/env python3
"""[prices] of assay.toml also says what tiers and the services' own tools cost, alone or beside the price of a model:
a run, its budget, `show`, `plan` and `list models --json` take them."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-prices-4711", "ANTHROPIC_API_KEY": "sk-test-prices-4712"}
IN, OUT = 10_000, 1_000
OWN = """[prices]
"openai:gpt-4.1" = {tiers = {flex = 0.25, express = 3}}
"openai:house*" = {input = 1, output = 2, tiers = {flex = 0.75}}
"anthropic:claude-haiku-4-5*" = {input = 1, output = 5, tools_usd = {web_search = 0.5}}
"""


def reply(path, body):
    if path.endswith("/messages"):
        return {"content": [{"type": "text", "text": "rain"}], "stop_reason": "end_turn",
                "usage": {"input_tokens": IN, "output_tokens": OUT, "server_tool_use": {"web_search_requests": 3}}}
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": "rain"}, "finish_reason": "stop"}],
            "service_tier": body.get("service_tier", "default"),
            "usage": {"prompt_tokens": IN, "completion_tokens": OUT, "total_tokens": IN + OUT}}


def suite(folder, model, tier):
    header = {"id": "rain", "models": [model], **({"parameters": {"service_tier": tier}} if tier else {})}
    Path(folder, "suite.json").write_text(json.dumps(
        {**header, "prompts": [{"id": "p", "prompt": "say rain", "should": [{"$contains": "rain"}]}]}))


def costs(folder, mock, model, tier):
    """Of a run as it tells it, of the same run from the store, and of its plan for a token in and out."""
    suite(folder, model, tier)
    plan = e2e.assay("plan", "suite.json", "--json", "--fresh", cwd=folder)
    e2e.expect(plan, 0)
    line = json.loads(plan.stdout)[0]["calls"][0]
    result = e2e.assay("run", "suite.json", "--json", "--fresh", f"--base-url=openai={mock.url}/v1",
                       f"--base-url=anthropic={mock.url}", "--out", "out", cwd=folder, env=KEYS)
    e2e.expect(result, 0)
    shown = json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)
    return e2e.one_run(result)["cost_usd"], shown["cost_usd"], line


def near(found, wanted, what):
    e2e.check(abs(found - wanted) < 1e-9, f"{what}: {found}, expected {wanted}")


def listed(folder):
    result = e2e.assay("list", "models", "--json", cwd=folder)
    e2e.expect(result, 0)
    return {each["name"]: each for each in json.loads(result.stdout)}


with e2e.scratch() as folder, MockServer(reply=reply) as mock:
    before = listed(folder)
    list_price = (IN * 2 + OUT * 8) / 1e6
    for own, flex, express in ((False, 0.5, 1), (True, 0.25, 3)):
        if own:
            e2e.own_settings(OWN)
        for tier, share in (("", 1), ("flex", flex), ("express", express)):
            run, shown, line = costs(folder, mock, "openai:gpt-4.1", tier)
            near(run, list_price * share, f"run at {tier}, own {own}")
            near(shown, list_price * share, f"show at {tier}, own {own}")
            planned = (line["input_tokens"] * 2 + line["output_tokens"] * 8) / 1e6 * share
            e2e.check(abs(line["cost_usd"] - planned) < 0.02 * planned, f"plan at {tier}: {line}, {planned}")
            most = (line["input_tokens"] * 2 + 1500 * 8) / 1e6 * max(share, 1)
            e2e.check(abs(line["cost_usd_max"] - most) < 0.05 * most, f"plan at {tier}: {line}, {most}")
        run, shown, _ = costs(folder, mock, "anthropic:claude-haiku-4-5", "")
        searched = (IN * 1 + OUT * 5) / 1e6 + 3 * (0.5 if own else 0.01)
        near(run, searched, f"searches, own {own}")
        near(shown, searched, f"searches from the store, own {own}")
    run, shown, _ = costs(folder, mock, "openai:house-1", "flex")
    near(run, (IN * 1 + OUT * 2) / 1e6 * 0.75, "a model of the house")

    # A budget sets a dearer tier's price aside: 1,500 tokens out cost 0.012 at the list price.
    suite(folder, "openai:gpt-4.1", "express")
    asked = len(mock.requests)
    result = e2e.assay("run", "suite.json", "--fresh", "--budget-usd", "0.02", f"--base-url=openai={mock.url}/v1",
                       cwd=folder, env=KEYS)
    e2e.expect(result, 5)
    e2e.check(len(mock.requests) == asked, "a call that did not fit was sent")

    now = listed(folder)
    e2e.check(before["openai:gpt-4.1"]["tiers"] == {"flex": 0.5, "priority": 2}, f"{before['openai:gpt-4.1']}")
    e2e.check(now["openai:gpt-4.1"]["tiers"] == {"express": 3, "flex": 0.25, "priority": 2}, f"{now['openai:gpt-4.1']}")
    e2e.check(now["openai:gpt-4.1-2*"] == before["openai:gpt-4.1-2*"], "a row of the table changed")
    e2e.check(now["openai:gpt-4.1"]["price_source"] == before["openai:gpt-4.1"]["price_source"], "whose price it is")
    house = now["openai:house*"]
    e2e.check(house["price"] == {"input": 1, "output": 2} and house["price_source"] == "assay.toml" and
              house["price_as_of"] is None and house["tiers"] == {"flex": 0.75, "priority": 2}, f"{house}")
    haiku = now["anthropic:claude-haiku-4-5*"]
    e2e.check(haiku["tools_usd"] == {"web_search": 0.5} and haiku["price_source"] == "assay.toml", f"{haiku}")
    e2e.check(set(before) <= set(now) and len(now) == len(before) + 1, "names that only assay.toml has come on top")

    for wrong in ('"openai:a" = {tiers = {flex = "half"}}', '"openai:a" = {tiers = 2}', '"openai:a" = {input = 1, '
                  'tiers = {flex = 1}}', '"openai:a" = {}', '"openai:a" = {tools_usd = {web_search = -1}}'):
        e2e.own_settings("[prices]\n" + wrong + "\n")
        result = e2e.assay("list", "models", cwd=folder)
        e2e.expect(result, 1)
        e2e.check('price of \"openai:a\"' in result.stderr or 'price of "openai:a"' in result.stderr, result.stderr)
    e2e.own_settings('[prices]\n"openai:a" = {tools_usd = {web_serch = 1}}\n')
    result = e2e.assay("list", "models", cwd=folder)
    e2e.check('did you mean "web_search"' in result.stderr, result.stderr)
