#!/usr/bin/env python3
"""Runs that were made in different zones are listed in the reader's own, which the list names."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

INDIA, UTC = {"TZ": "IST-5:30"}, {"TZ": "UTC0"}
STARTED = re.compile(r"\d{4}-\d\d-\d\d (\d\d):(\d\d)")


def minutes(text):
    return [60 * int(hours) + int(rest) for hours, rest in STARTED.findall(text)]


with e2e.scratch() as place:
    folder = Path(place)
    (folder / "s.yml").write_text(e2e.suite(1))
    for zone in (INDIA, UTC):
        e2e.expect(e2e.assay("run", "s.yml", "-q", "--fresh", cwd=folder, env=zone), 0)
    seen = {}
    for zone, name in ((INDIA, "UTC+05:30"), (UTC, "UTC"), ({"TZ": "WEST3:15"}, "UTC-03:15")):
        listed = e2e.assay("runs", cwd=folder, env=zone)
        e2e.check(f"started ({name})" in listed.stdout, f"the head names {name}", listed)
        first, second = minutes(listed.stdout)
        e2e.check((first - second + 2) % 1440 <= 4, "both are in one zone", listed)
        seen[name] = second
        again = e2e.assay("run", "s.yml", cwd=folder, env=zone)
        e2e.check(re.search(rf"up to date: run \S+ of \d{{4}}-\d\d-\d\d \d\d:\d\d {re.escape(name)};", again.stderr),
                  "a single time has its zone", again)
    e2e.check((seen["UTC+05:30"] - seen["UTC"]) % 1440 == 330, f"each reader has his own: {seen}")
