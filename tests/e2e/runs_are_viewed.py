#!/usr/bin/env python3
"""`assay view` answers its own browser and nobody else: every path of its API, by token, Host and Origin, with one
policy; hostile names lead nowhere; a run that goes on is told as it goes; nothing is written; Ctrl-C ends it. --open
hands a browser a file that only the user can read, which leads to an address that opens once; several runs are marked
in the list."""
import http.client
import json
import re
import signal
import struct
import sys
import threading
import time
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from viewing import View  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-2917"}
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


def every_path_is_answered(view, run):
    runs = view.json("runs")
    e2e.check(runs["runs"][0]["run"] == run and runs["runs"][0]["state"] == "finished", f"{runs}")
    first = view.json(f"run/{run}")
    e2e.check(first["verdict"][0]["text"] == first["statistics"]["sentence"] and first["trust"], f"{first}")
    status, headers, cells = view.ask(f"run/{run}/cells.bin")
    e2e.check(status == 200 and list(cells) == [round(200 * first["mean"])] * 3, f"{status} {list(cells)}")
    e2e.check(view.ask(f"run/{run}/cells.bin", {"Range": "bytes=1-1"})[0] == 206, "a range")
    e2e.check(view.ask(f"run/{run}/cells.bin", {"If-None-Match": headers["ETag"]})[0] == 304, "known already")
    e2e.check([row["id"] for row in view.json(f"run/{run}/rows")["rows"]] == ["case-0", "case-1", "case-2"], "rows")
    e2e.check(struct.unpack("<I", view.ask(f"run/{run}/find?q=%22word%201%22")[2]) == (1,), "find")
    case = view.json(f"run/{run}/case/case-2")
    e2e.check(case["cells"][0]["attempts"][0]["turns"][0]["text"] == "say word 2", f"{case}")
    for path in (f"run/{run}/judges", f"run/{run}/cost", f"compare?a={run}&b={run}", "board/Echoes"):
        view.json(path)
    for path in ("run/none", f"run/{run[:-1]}", f"run/{run}/case/none", f"run/{run}/none",
                 "text/" + "0" * 64 + f"?run={run}", "run/..%2f..%2fetc%2fpasswd", "run/%00", "run/%ff%fe",
                 "board/none", "..", f"run/{run}/doc/none"):
        status, _, body = view.ask(path)
        e2e.check(status == 404 and b"root:" not in body, f"{path}: {status}")


def nobody_else_is_answered(view):
    here = f"127.0.0.1:{view.port}"
    for headers, status in (({}, 200), ({"Host": "rebound.example"}, 403), ({"Host": "127.0.0.1:1"}, 403),
                            ({"Origin": "http://evil.example"}, 403), ({"Origin": f"http://{here}"}, 200),
                            ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Authorization": ""}, 403),
                            ({"Authorization": "", "Cookie": f"assay-view-{view.port}={view.kept}"}, 403),
                            ({"Authorization": f"Bearer {view.token}"}, 403),
                            ({"Authorization": f"Bearer {view.kept[:-1]}x"}, 403)):
        got, told, _ = view.ask("runs", headers)
        e2e.check(got == status, f"{headers}: {got}")
        policy = told["Content-Security-Policy"]
        e2e.check("default-src 'none'" in policy and "trusted-types 'none'" in policy, f"{policy}")
        e2e.check(told["X-Content-Type-Options"] == "nosniff" and told["Referrer-Policy"] == "no-referrer", f"{told}")
    e2e.check(view.send("GET", view.folder + "main.js")[0] == 200, "the pages are there")
    for path, status in (("/", 200), ("/main.js", 404), (f"/{'0' * 16}/", 404)):
        got, _, said = view.send("GET", path)
        e2e.check((got, b"Open the address" in said) == (status, True), f"outside their folder, {path}: {got} {said}")
    e2e.check(view.port >= 11_000, "a port that no browser refuses")
    e2e.check(view.trade("0" * 64)[0] == 403, "a guess")
    e2e.check(view.trade(view.token, {"Accept": "*/*"})[0] == 403, "who has no page")
    script = {"Authorization": f"Bearer {view.token}"}
    e2e.check(json.loads(view.send("GET", "/api/1/runs", headers=script)[2]) == view.json("runs"), "a script's way")
    for headers in ({"Authorization": f"Bearer {view.kept}"}, {**script, "Sec-Fetch-Site": "same-origin"}):
        e2e.check(view.send("GET", "/api/1/runs", headers=headers)[0] == 403, f"no script's: {headers}")
    e2e.check(view.send("DELETE", "/api/1/runs")[0] == 405, "nothing is written")


def a_finished_run():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        folder.joinpath("suite.yml").write_text(e2e.suite(3))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
        run = json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)[0]["run"]
        shown = re.search(r"page: (\S+report\.html), or assay view (\S+)\n",
                          e2e.assay("show", "latest", cwd=folder).stderr)
        is_there = shown and Path(folder, shown[1]).is_file()
        e2e.check(is_there and shown[2] == run, f"show says where its page is: {shown}")
        view = View(folder, "latest")
        e2e.check(view.landing == f"/run/{run}&", f"it opens the run: {view.landing}")
        every_path_is_answered(view, run)
        nobody_else_is_answered(view)
        view.end()
        after = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
        e2e.check({path: at for path, at in after.items() if path in before} == before, "nothing was written")
        elsewhere = View(Path.home(), folder)
        e2e.check(elsewhere.json("runs")["count"] == 1, "a folder is shown from anywhere")
        taken = e2e.assay("view", "--port", elsewhere.port, cwd=folder)
        e2e.expect(taken, 2, f"port {elsewhere.port} of 127.0.0.1")
        elsewhere.end()
        e2e.expect(e2e.assay("view", "none", cwd=folder), 1, "none")
        e2e.expect(e2e.assay("view", cwd=folder.parent, env={"ASSAY_STORE": str(folder / "no.db")}), 1, "no.db")


def lines_of(view, run, mark):
    connection = http.client.HTTPConnection("127.0.0.1", view.port, timeout=e2e.SECONDS_MAX)
    connection.request("GET", f"{view.folder}api/1/run/{run}/events?n={mark}",
                       headers={"Authorization": f"Bearer {view.kept}"})
    reply = connection.getresponse()
    e2e.check(reply.headers["Content-Type"] == "text/event-stream", f"{reply.headers}")
    lines = []
    for line in reply:
        if line.startswith(b"data: {\""):
            lines.append(json.loads(line[6:]))
        if line.startswith(b"event: end"):
            return lines
    return e2e.check(False, f"the stream broke: {lines}")


def a_run_that_goes_on():
    gate = threading.Event()

    def answer(text):
        if text[-1] in "345":
            gate.wait(e2e.SECONDS_MAX)
        return HOSTILE

    with e2e.scratch() as scratch, MockServer(answer=answer) as mock:
        folder = Path(scratch)
        folder.joinpath("suite.yml").write_text(e2e.suite(6, "openai:mock"))
        running = e2e.start("run", "suite.yml", "-j", "2", f"--base-url=openai={mock.url}/v1", cwd=folder, env=KEY)
        until = time.monotonic() + e2e.SECONDS_MAX
        while not (folder / ".assay/store.db").exists() and time.monotonic() < until:
            time.sleep(0.1)
        view = View(folder)
        runs = []
        while not (runs and runs[0]["done"]) and time.monotonic() < until:
            time.sleep(0.2)
            runs = view.json("runs")["runs"]
        e2e.check(runs and runs[0]["state"] == "live" and 0 < runs[0]["done"] < 4, f"{runs}")
        run = runs[0]["run"]
        told = view.json(f"run/{run}")
        e2e.check(told["is_live"] and 0 < told["done"] < 4, f"{told['is_live']} {told['done']}")
        e2e.check(list(view.ask(f"run/{run}/cells.bin")[2])[3:] == [254] * 3, "what is not there yet is pending")
        opener = threading.Timer(1, gate.set)
        opener.start()
        lines = lines_of(view, run, told["records"])
        running.communicate(timeout=e2e.SECONDS_MAX)
        seen = {tuple(cell[:2]) for line in lines for cell in line["cells"]}
        e2e.check(seen >= {(i, 0) for i in (3, 4, 5)}, f"each cell is told: {lines}")
        e2e.check(lines[-1]["done"] == 6 and lines[-1]["state"] == "finished", f"{lines[-1]}")
        text = view.json(f"run/{run}/case/case-1")["cells"][0]["attempts"][0]["turns"][0]["text"]
        e2e.check(text == HOSTILE, f"hostile text arrives as it is: {text!r}")
        view.end()


def what_an_earlier_run_paid():
    with e2e.scratch() as scratch, MockServer() as mock:
        folder = Path(scratch)
        for cases in (3, 5):
            folder.joinpath("suite.yml").write_text(e2e.suite(cases, "openai:gpt-4o-mini"))
            e2e.expect(e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", cwd=folder, env=KEY), 0)
        view = View(folder)
        cost = view.json(f"run/{view.json('runs')['runs'][0]['run']}/cost")
        price = cost["price"]
        e2e.check(price["earlier_calls"] == 3 and 0 < price["earlier_usd"] < price["list_usd"], f"{price}")
        e2e.check(abs(price["paid_usd"] - cost["roles"][0]["paid_usd"]) < 1e-9, f"a role paid it all: {cost}")
        e2e.check(abs(cost["paid_usd"] - price["list_usd"]) < 1e-9, f"all calls together: {cost}")
        view.end()


def several_runs():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        for cases in (1, 2, 3):
            folder.joinpath("suite.yml").write_text(e2e.suite(cases))
            e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        runs = [each["run"] for each in json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)]
        for words, landing in ((runs[:1], f"/run/{runs[0]}&"), (runs[:2], f"/compare/{runs[0]},{runs[1]}&"),
                               (runs, f"/runs?mark={','.join(runs)}&")):
            view = View(folder, *words)
            e2e.check(view.landing == landing, f"{words}: {view.landing}")
            view.end()


def closed_terminals_and_kills(folder, state, env):
    """SIGHUP left the page behind, as a kill does, whose page lay there for good. The pages that are left."""
    def page_of(view):
        page = state / f"open-{view.port}.html"
        until = time.monotonic() + e2e.SECONDS_MAX
        while not page.exists() and time.monotonic() < until:
            time.sleep(0.1)
        return page
    closed = View(folder, "--open", env=env)
    page = page_of(closed)
    closed.process.send_signal(signal.SIGHUP)
    e2e.check(closed.process.wait(e2e.SECONDS_MAX) == 0 and not page.exists(), "a terminal that is closed ends it well")
    killed, alive = View(folder, "--open", env=env), View(folder, "--open", env=env)
    pages = page_of(killed), page_of(alive)
    killed.process.kill()
    killed.process.wait(e2e.SECONDS_MAX)
    after = View(folder, "--open", env=env)
    page_of(after)
    e2e.check([each.exists() for each in pages] == [False, True], "the next one removes what the killed one left")
    after.end()
    alive.end()
    usual = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    kept = View(folder)
    signal.signal(signal.SIGHUP, usual)
    kept.process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    kept.json("runs")
    kept.end()
    return list(state.glob("open-*"))


def a_browser_is_started():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        folder.joinpath("suite.yml").write_text(e2e.suite(1))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        browser, told = folder / "a browser", folder / "told"
        browser.write_text(f'#!/bin/sh\necho "$#" "$1" > "{told}.new"\nmv "{told}.new" "{told}"\n')
        browser.chmod(0o755)
        view = View(folder, "latest", "--open", env={"BROWSER": str(browser)})
        until = time.monotonic() + e2e.SECONDS_MAX
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        opened = re.fullmatch(r"1 file://(/\S+\.html)\n", told.read_text())
        e2e.check(opened, f"one argument, a file: {told.read_text()!r}")
        page = Path(unquote(opened[1]))
        e2e.check(page.stat().st_mode & 0o777 == 0o600 and page.parent.stat().st_mode & 0o777 == 0o700,
                  "only the user can read it")
        leads = re.search(r"url=http://127\.0\.0\.1:(\d+)(/\w+/)#/run/[\w-]+&#38;token=([0-9a-f]{64})\"",
                          page.read_text())
        e2e.check(leads and int(leads[1]) == view.port and leads[2] == view.folder, page.read_text())
        e2e.check(leads[3] != view.token, "the token is one for once")
        e2e.check(view.ask("runs", {"Authorization": f"Bearer {leads[3]}"})[0] == 403, "which opens nothing by itself")
        status, _, body = view.trade(leads[3])
        e2e.check((status, body.decode()) == (200, view.kept), "it opens")
        e2e.check(view.trade(leads[3])[0] == 403, "once")
        e2e.check(not page.exists(), "then the file is gone")
        view.end()
        unopened = View(folder, "--open", env={"BROWSER": str(browser)})
        page = page.with_name(f"open-{unopened.port}.html")
        while not page.exists() and time.monotonic() < until:
            time.sleep(0.1)
        e2e.check(page.exists(), "another server has another file")
        unopened.end()
        e2e.check(not page.exists(), "which ends with it")
        left = closed_terminals_and_kills(folder, page.parent, {"BROWSER": str(browser)})
        e2e.check(not left, f"nothing is left: {left}")
        alone = View(folder, "--open", env={"BROWSER": "", "PATH": str(folder)})
        alone.process.send_signal(signal.SIGINT)
        said = alone.process.communicate(timeout=e2e.SECONDS_MAX)[1]
        e2e.check("no program was found that opens a browser; open the address yourself" in said, said)
        homeless = View(folder, "--open", env={"BROWSER": str(browser), "XDG_STATE_HOME": "/proc/none"})
        homeless.process.send_signal(signal.SIGINT)
        said = homeless.process.communicate(timeout=e2e.SECONDS_MAX)[1]
        e2e.check("no browser is started" in said and "open the address yourself" in said, said)


a_finished_run()
several_runs()
a_browser_is_started()
a_run_that_goes_on()
what_an_earlier_run_paid()
