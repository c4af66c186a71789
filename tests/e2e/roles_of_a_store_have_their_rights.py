#!/usr/bin/env python3
"""`assay store grants` gives each role of a database what its commands need and no more; who lacks a right reads which,
on what, and what to do. Tables are upgraded when that is asked for, never by somebody's run. This measures the table of
rights of docs/cluster.md."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, end_of  # noqa: E402

CASES = 24
RUN = ["run", "suite.yml", "--out", "out", "--store"]
READING = [["runs"], ["show", "latest"], ["compare", "latest"], ["export", "latest", "--to", "csv"],
           ["plan", "suite.yml"], ["cache", "explain", "latest", "--cell", "2"], ["calibrate", "latest", "--draw", "3"],
           ["cache", "copy", "STORE", "copy.db"]]
WRITING = [["run", "suite.yml", "--fresh"], ["run", "suite.yml"], ["cache", "copy", "other.db", "STORE"],
           ["cache", "prune", "--older", "90d"], ["grade", "suite.yml", "answers"]]


def as_user(url, name):
    return url.replace("assay@", f"{name}@")


def psql(server, url, sql):
    """As psql runs it: a file of statements."""
    words = [server.bin / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", url]
    result = subprocess.run(words, input=sql, capture_output=True, text=True, check=False)
    e2e.check(result.returncode == 0, f"psql:\n{sql}", result)


def grants(server, url, place, *roles):
    printed = e2e.assay("store", "grants", *roles, "--store", url, cwd=place)
    e2e.check(printed.returncode == 0, "grants", printed)
    for _ in range(2):  # it may be run again
        psql(server, url.split("&schema=")[0], printed.stdout)


def words_of(command, url):
    words = [url if word == "STORE" else word for word in command]
    return words if "STORE" in command else [*words, "--store", url]


def everything_is_done(commands, url, place):
    for command in commands:
        Path(place, "copy.db").unlink(missing_ok=True)
        result = e2e.assay(*words_of(command, url), cwd=place)
        e2e.check(result.returncode == 0, f"{command} as {url.split('@')[0]}", result)


def make(folder, name):
    place = Path(folder, name)
    (place / "answers/echo_a").mkdir(parents=True)
    (place / "suite.yml").write_text(e2e.suite(CASES, "echo:a, echo:b"))
    for i in range(CASES):
        (place / f"answers/echo_a/case-{i}.txt").write_text(f"word {i}")
    e2e.expect(e2e.assay("run", "suite.yml", "--store", "other.db", "--limit", "3", cwd=place), 0)
    return place


def roles_are_enough(server, folder):
    """Three roles, two of whose members run: each command with the least that the table says."""
    place, bobs = make(folder, "place"), make(folder, "bobs")
    url = server.new("team")
    server.sql("REVOKE CREATE ON SCHEMA public FROM PUBLIC", "team")  # as PostgreSQL 15 has it
    for user in ("eve", "bob", "rita"):
        server.sql(f"CREATE ROLE {user} LOGIN")
    nobody = e2e.assay(*RUN, as_user(url, "eve"), cwd=place)
    e2e.expect(nobody, 1, "there is no store yet, and user eve lacks CREATE on schema public", "assay store upgrade",
               "assay store grants")
    grants(server, url, place, "owner=olga", "writer=team", "reader=guests")
    server.sql("GRANT team TO eve, bob; GRANT guests TO rita")
    made = e2e.assay("store", "upgrade", "--store", as_user(url, "olga"), cwd=place)
    e2e.check(made.returncode == 0 and "made the tables" in made.stdout, "upgrade", made)
    e2e.check(server.sql("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'", "team") == ["olga"],
              "the owner owns them")
    eve, bob, rita = (as_user(url, name) for name in ("eve", "bob", "rita"))
    e2e.expect(e2e.assay(*RUN, eve, cwd=place), 0)
    e2e.expect(e2e.assay(*RUN, bob, "--offline", cwd=bobs), 0)  # bob finds what eve's run was answered
    everything_is_done(READING, rita, place)
    everything_is_done(READING, bob, place)
    everything_is_done(WRITING, bob, place)
    refused = e2e.assay(*RUN, rita, "--fresh", cwd=place)
    e2e.expect(refused, 1, "user rita lacks ", "INSERT, UPDATE, DELETE on batch, blob, ", "exchange",
               "USAGE on exchange_block", "assay store grants")
    return url, place


def rights_are_named(server, url, place):
    """Each right of each table that is taken away is named, before anything is asked."""
    tables = server.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1", "team")
    e2e.check(len(tables) == 20, f"the tables: {tables}")
    for table in tables:
        rights = ["SELECT"] if table == "assay_store" else ["SELECT", "INSERT", "UPDATE", "DELETE"]
        for right in rights:
            server.sql(f"REVOKE {right} ON {table} FROM team", "team")
            if right in ("INSERT", "SELECT"):  # one of those that only writers need
                refused = e2e.assay(*RUN, as_user(url, "eve"), "--fresh", cwd=place)
                e2e.expect(refused, 1, f"user eve lacks {right} on {table}; `assay store grants`")
            server.sql(f"GRANT {right} ON {table} TO team", "team")
    server.sql("REVOKE USAGE ON SCHEMA public FROM PUBLIC; REVOKE USAGE ON SCHEMA public FROM guests", "team")
    hidden = e2e.assay("runs", "--store", as_user(url, "rita"), cwd=place)
    e2e.expect(hidden, 1, "user rita lacks USAGE on schema public")
    server.sql("GRANT USAGE ON SCHEMA public TO guests", "team")


def two_users_share_a_run(server, url, place):
    with MockServer() as mock:
        text = e2e.suite(CASES, "openai:gpt-4o-mini")
        (place / "shared.yml").write_text(text)
        words = ["run", "shared.yml", f"--base-url=openai={mock.url}/v1", "--out", "shared", "--max-errors", "1"]
        both = [e2e.start(*words, "--store", as_user(url, user), "--shards", 2, "--shard", number, cwd=place, env=KEY)
                for number, user in ((1, "eve"), (2, "bob"))]
        for process in both:
            e2e.expect(end_of(process), 0)
        run = server.sql("SELECT id FROM run ORDER BY number DESC LIMIT 1", "team")[0]
        folded = e2e.assay(*words, "--store", as_user(url, "bob"), "--fold", run, cwd=place, env=KEY)
        e2e.check(folded.returncode in (0, 3), "the report of both", folded)


def upgrades_are_asked_for(server, folder):
    """Tables of an older version are read, and written to by nobody before they are upgraded."""
    place = make(folder, "older")
    url = server.new("older")
    e2e.expect(e2e.assay(*RUN, url, cwd=place), 0)
    newest = int(server.sql("SELECT version FROM assay_store", "older")[0])
    back = f"DROP TABLE made_elsewhere; UPDATE assay_store SET version = {newest - 1}"
    server.sql(back + "; UPDATE sitting SET beat_at = beat_at - interval '61 s'", "older")
    e2e.check(e2e.assay("show", "latest", "--store", url, cwd=place).returncode == 0, "older tables are shown")
    refused = e2e.assay(*RUN, url, "--fresh", cwd=place)
    e2e.expect(refused, 1, f"of store version {newest - 1}, and this assay writes version {newest}",
               "`assay store upgrade --store 'postgresql://assay@/older?host=", "--dry-run")
    dry = e2e.assay("store", "upgrade", "--dry-run", "--store", url, cwd=place)
    e2e.check(dry.returncode == 0 and "CREATE TABLE made_elsewhere" in dry.stdout, "dry", dry)
    e2e.check("nothing was done" in dry.stdout, "dry", dry)
    server.sql("CREATE ROLE mallory LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO mallory", "older")
    other = e2e.assay("store", "upgrade", "--store", as_user(url, "mallory"), cwd=place)
    e2e.expect(other, 1, "user mallory may not upgrade the tables: ALTER TABLE is for their owner, assay")
    e2e.check(server.sql("SELECT version FROM assay_store", "older") == [str(newest - 1)], "nothing was done")
    done = e2e.assay("store", "upgrade", "--store", url, cwd=place)
    e2e.check(done.returncode == 0 and f"from store version {newest - 1} to {newest}" in done.stdout, "upgrade", done)
    e2e.expect(e2e.assay(*RUN, url, cwd=place), 0)
    again = e2e.assay("store", "upgrade", "--store", url, cwd=place)
    e2e.check(again.returncode == 0 and "which is the newest" in again.stdout, "again", again)
    server.sql("UPDATE assay_store SET version = 99; UPDATE run SET assay_version = '9.9.9'", "older")
    for command in (["runs"], ["run", "suite.yml"], ["store", "upgrade"]):
        e2e.expect(e2e.assay(*command, "--store", url, cwd=place), 1,
                   "written by a newer assay, 9.9.9 (store version 99",
                   "update assay on this machine to 9.9.9 or newer")


def schemas_keep_stores_apart(server, folder):
    place = make(folder, "schemas")
    url = server.new("schemas")
    missing = e2e.assay(*RUN, url + "&schema=physics", cwd=place)
    e2e.expect(missing, 1, "the database has no schema physics that user assay may use", "CREATE SCHEMA")
    grants(server, url + "&schema=physics", place, "owner=olga", "writer=eve", "reader=rita")
    made = e2e.assay("store", "upgrade", "--store", as_user(url, "olga") + "&schema=physics", cwd=place)
    e2e.check(made.returncode == 0, "tables of a schema", made)
    e2e.expect(e2e.assay(*RUN, as_user(url, "eve") + "&schema=physics", cwd=place), 0)
    e2e.expect(e2e.assay(*RUN, url, cwd=place), 0)  # in public, beside it
    for where, runs in (("physics", "1"), ("public", "1")):
        e2e.check(server.sql(f"SELECT count(*) FROM {where}.run", "schemas") == [runs], f"runs of {where}")
    shown = e2e.assay("show", "latest", "--store", as_user(url, "rita") + "&schema=physics", cwd=place)
    e2e.check(shown.returncode == 0, "a reader of a schema", shown)
    e2e.expect(e2e.assay("runs", "--store", url + "&schema=Physics", cwd=place), 1, "a schema of small letters")


def words_are_checked(folder):
    place = Path(folder)
    for roles, found in ((["admin"], '"admin"'), (["writer="], '""'), (["reader=a'b"], "letters, digits"),
                         (["owner=a b"], "letters, digits"), (["writer=" + "x" * 64], "at most 63")):
        e2e.expect(e2e.assay("store", "grants", *roles, cwd=place), 1, found)
    all_three = e2e.assay("store", "grants", cwd=place)
    for name in ("assay_owner", "assay_writer", "assay_reader"):
        e2e.check(name in all_three.stdout, name, all_three)
    e2e.expect(e2e.assay("store", "upgrade", cwd=place), 1, "there is no store yet")
    e2e.expect(e2e.assay("store", "downgrade", cwd=place), 1, "has upgrade and grants, but not")
    (place / "suite.yml").write_text(e2e.suite(2))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=place), 0)
    newest = e2e.assay("store", "upgrade", cwd=place)
    e2e.check(newest.returncode == 0 and "which is the newest" in newest.stdout, "a file", newest)


with e2e.scratch() as folder, PostgresServer() as server:
    words_are_checked(folder)
    team, where = roles_are_enough(server, folder)
    rights_are_named(server, team, where)
    two_users_share_a_run(server, team, where)
    upgrades_are_asked_for(server, folder)
    schemas_keep_stores_apart(server, folder)
