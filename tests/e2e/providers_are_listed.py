#!/usr/bin/env python3
"""`assay list providers` names the variable of each key and the address of each service, with --json too; `assay list
models` what is known of models, with prices, the day and the source."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

listed = e2e.assay("list", "providers", cwd=e2e.ROOT)
e2e.expect(listed, 0)
e2e.check("key (environment)" in listed.stdout and "address" in listed.stdout, "no such columns", listed)
rows = {line.split()[0]: line for line in listed.stdout.splitlines()[1:]}
for name, parts in {"openai": ["OPENAI_API_KEY", "https://api.openai.com/v1, or OPENAI_BASE_URL"],
                    "google": ["GOOGLE_API_KEY or GEMINI_API_KEY"], "ollama": ["OLLAMA_API_KEY, if any"],
                    "azure-openai": ["AZURE_OPENAI_BASE_URL, required"],
                    "bedrock": ["AWS_BEARER_TOKEN_BEDROCK", "BEDROCK_BASE_URL, or that of AWS_REGION"]}.items():
    for part in parts:
        e2e.check(part in rows[name], f"{name}: expected {part} in {rows[name]}")
values = {row["name"]: row for row in json.loads(e2e.assay("list", "providers", "--json", cwd=e2e.ROOT).stdout)}
google = values["google"]
e2e.check(google["key_variables"] == ["GOOGLE_API_KEY", "GEMINI_API_KEY"] and google["key_required"], f"{google}")
e2e.check(google["base_url"].startswith("https://") and google["base_url_variable"] == "GOOGLE_BASE_URL", f"{google}")
e2e.check(google["example"].startswith("google:"), f"{google}")
echo = values["echo"]
e2e.check(echo["key_variables"] == [] and echo["base_url"] is None and not echo["key_required"], f"{echo}")
models = {row["name"]: row for row in json.loads(e2e.assay("list", "models", "--json", cwd=e2e.ROOT).stdout)}
mini = models["openai:gpt-4o-mini"]
e2e.check(mini["price"] == {"input": 0.15, "output": 0.6, "cached_read": 0.075} and mini["as_of"] and mini["source"],
          f"{mini}")
e2e.check(models["openai:gpt-5-pro*"]["efforts"] == "high", f"{models['openai:gpt-5-pro*']}")
e2e.check(models["google:gemini-4*"]["price"] is None, "a price that nobody knows is none")
e2e.check(mini["tiers"] == {"flex": 0.5, "priority": 2} and mini["tools_usd"]["web_search"] == 0.01, f"{mini}")
grok = models["xai:grok-3"]
e2e.check(grok["tiers"] == {} and grok["tools_usd"] == {}, f"{grok}")
table = e2e.assay("list", "models", cwd=e2e.ROOT)
e2e.expect(table, 0)
e2e.check("0.15 / 0.6" in table.stdout, "prices in the table", table)
