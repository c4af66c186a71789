"""A small store may list thousands of variants. What is made of it grows with their number, never with its square."""
import json

import e2e
from mock_server import MockServer

from . import Attack
from .sizes import each_within

VARIANTS = 2_000
SECONDS_MAX = 4 * e2e.SLOWNESS
KEY = {"OPENAI_API_KEY": "sk-test-0828"}
COMMANDS = [["show", "latest"], ["show", "latest", "--json"], ["show", "latest", "--case", "a"],
            ["export", "latest", "--to", "html", "-o", "run.html"],
            ["export", "latest", "--to", "markdown", "-o", "run.md"], ["compare", "latest", "latest"]]


def models():
    return {"models": [f"echo:m{i}" for i in range(VARIANTS)]}


def prompts():
    return {"models": ["echo:a"], "systems": [f"Prompt {i}." for i in range(VARIANTS)]}


def grid():
    return {"models": ["echo:a"], "temperatures": [i / 100 for i in range(45)],
            "systems": [f"Prompt {i}." for i in range(45)]}


def parameters():
    """Models that differ in the last of many parameters."""
    made = [{"id": f"custom:m{i}", "url": "{url}", "modelName": "m", "inherit": "openai",
             "parameters": {**{f"parameter{j}": j for j in range(15)}, "last": i}} for i in range(VARIANTS // 4)]
    return {"models": made, "temperatures": [0, 1]}


def reported(made):
    """No command takes more memory or time than the length of the store allows."""
    def tries(folder):
        with MockServer() as mock:
            suite = json.dumps({"title": "Many", "id": "many", **made(), "prompts": [
                {"id": "a", "prompt": "Say hello.", "should": [{"$contains": "hello"}]}]})
            (folder / "suite.json").write_text(suite.replace("{url}", f"{mock.url}/v1/chat/completions"))
            result = e2e.assay("run", "suite.json", "-q", "--allow-host=127.0.0.1", cwd=folder, env=KEY)
            e2e.expect(result, 0)
        return each_within(folder, ".assay/store.db", COMMANDS, SECONDS_MAX)
    return tries


GROWTH = "reports grow with the number of variants"
ATTACKS = [Attack(f"a store of thousands of variants: {made.__name__}", GROWTH, reported(made))
           for made in (prompts, models, grid, parameters)]
