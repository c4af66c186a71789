#!/usr/bin/env python3
"""`assay list tools` prints the agent's tools as models are offered them; docs/research.md says the same."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as folder:
    listed = e2e.assay("list", "tools", "--json", cwd=folder)
    e2e.expect(listed, 0)
    rows = {row["name"]: row for row in json.loads(listed.stdout)}
    e2e.check(rows["web_search"]["modes"] == ["research", "standard"], f"{rows}", listed)
    e2e.check(rows["get_url_details"]["modes"] == ["standard"], f"{rows}", listed)
    query = rows["get_relevant_content"]["arguments"]
    e2e.check(query["required"] == ["urls", "query"] and query["properties"]["max_chunks"]["default"] == 5, f"{query}")
    text = e2e.assay("list", "tools", cwd=folder)
    head, *lines = text.stdout.splitlines()
    e2e.check(head.split() == ["name", "what", "it", "does", "arguments"], head, text)
    e2e.check([line.split()[0] for line in lines] == list(rows), f"{lines}", text)
    search = next(line for line in lines if line.startswith("web_search"))
    e2e.check(search.split("(research, standard)")[1].split() == ["q", "[count=5]"], search, text)
    page = (e2e.ROOT / "docs/research.md").read_text()
    told = dict(re.findall(r"^\| `(\w+)` \| ((?:research|standard)[a-z, ]*) \|", page, re.MULTILINE))
    e2e.check(told == {name: ", ".join(row["modes"]) for name, row in rows.items()}, f"docs/research.md: {told}")
    e2e.expect(e2e.assay("list", "tool", cwd=folder), 1, "tools")
