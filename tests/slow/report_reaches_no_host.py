#!/usr/bin/env python3
"""report.html, opened in Chromium at each of its cases, connects to no host and looks no name up, whatever HTML the
answers hold. The same answers in a bare frame do both: so the recorders work."""
import html
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import lonely_network  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DOMAIN = "attack.test"
NETWORK = "192.0.2."      # reserved for examples
# {}: an address of its own.
ATTACKS = [
    "<link rel=preconnect href='{}'>",
    "<link rel=dns-prefetch href='{}'>",
    "<link rel=prefetch href='{}'>",
    "<link rel=preload as=image href='{}'>",
    "<link rel=stylesheet href='{}'>",
    "<link rel=prerender href='{}'>",
    "<link rel=icon href='{}'>",
    "<meta http-equiv=refresh content='0;url={}'>",
    "<meta http-equiv=Link content='<{}>; rel=preconnect'>",
    "<img src='{}'><img srcset='{} 2x'><picture><source srcset='{}'></picture>",
    "<iframe src='{}'></iframe>",
    "<iframe srcdoc=\"<link rel=preconnect href='{}'><meta http-equiv=refresh content='0;url={}'>\"></iframe>",
    "<object data='{}'></object><embed src='{}'>",
    "<frameset><frame src='{}'></frameset>",
    "<video autoplay poster='{}'><source src='{}'></video><audio autoplay src='{}'></audio>",
    "<style>@import '{}'; body {{ background: url({}) }} @font-face {{ font-family: f; src: url({}) }}</style>",
    "<p style=\"font-family: f; background: url('{}')\">styled</p>",
    "<svg><image href='{}' /><use href='{}#a' /><script href='{}'></script></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img src='{}'></style></mglyph></table></mtext></math>",
    "<noscript><p title=\"</noscript><link rel=preconnect href='{}'>\"></noscript>",
    "<form action='{}'><input type=image src='{}' autofocus></form>",
    "<script>new Image().src = '{}'; fetch('{}')</script>",
    "<script type=speculationrules>{{\"prefetch\": [{{\"urls\": [\"{}\"]}}]}}</script>",
    "<base href='{}'><img src=a.png><a href=b>link</a>",
    "<a href='{}' ping='{}'>link</a>",
    "<body background='{}' onload=\"location='{}'\">",
    "<x title='\"><link rel=preconnect href={}>'>odd</x>",
]
# What the page around such a frame said when this test was written.
BARE = ("<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">")


def addresses():
    """The attacks, each with an address and with a name of its own; the names."""
    answers, names = [], []
    for i, attack in enumerate(ATTACKS):
        names.append(f"pwned-{i}.{DOMAIN}")
        for host in (f"{NETWORK}{i + 1}", names[-1]):
            answers.append(attack.format(*[f"http://{host}:8080/x"] * 4))
    return answers, names


def open_in(browser, page, folder, seen, names, place="", shows="<iframe"):
    """What Chromium reached for of the attacks' addresses, and the names of theirs in its own log of its network."""
    log = folder / f"{page.stem}.netlog"
    words = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-default-apps",
             f"--host-resolver-rules=MAP *.{DOMAIN} {NETWORK}250", f"--user-data-dir={folder / page.stem}-profile",
             f"--log-net-log={log}", "--net-log-capture-mode=Everything", "--virtual-time-budget=8000", "--dump-dom",
             page.as_uri() + place]
    seen.taken()
    done = subprocess.run(words, capture_output=True, text=True, timeout=400)
    e2e.check(done.returncode == 0 and shows in done.stdout, f"{browser} showed no {shows} of {page.name}{place}", done)
    e2e.check(log.exists(), f"{browser} kept no log of its network", done)
    text = log.read_text(errors="replace")
    reached = sorted(target for target in seen.taken() if target[1].startswith(NETWORK))
    return reached, [name for name in names if name in text]


browser = next((found for found in map(shutil.which, BROWSERS) if found), None)
if browser is None:
    e2e.skip("no Chromium is installed: nobody proved here that report.html reaches no host (apt install chromium)")

lonely_network.enter()
with e2e.scratch() as name:
    folder = Path(name)
    seen = lonely_network.Recorder()
    answers, names = addresses()
    prompts = "".join(f"  - {{id: a{i}, render_as: html, prompt: {json.dumps(answer)}, should: [{{$contains: x}}]}}\n"
                      for i, answer in enumerate(answers))
    (folder / "suite.yml").write_text(f"title: Attacks\nid: attacks\nmodels: [echo:a]\nprompts:\n{prompts}")
    e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
    page = next(folder.glob("results/**/report.html"))
    run = e2e.page_data(page.read_text())["index"]["run"]

    frames = "".join(f'<iframe sandbox srcdoc="{html.escape(answer)}"></iframe>' for answer in answers)
    bare = folder / "bare.html"
    bare.write_text(BARE + frames)
    reached, named = open_in(browser, bare, folder, seen, names)
    e2e.check(reached and named, f"the recorders saw nothing of bare frames: {reached}, {named}")
    print(f"bare frames reached for {reached} and asked for {named}")

    for i in range(len(answers)):
        reached, named = open_in(browser, page, folder, seen, names, f"#/run/{run}/case/a{i}", f">a{i}<")
        e2e.check(not reached, f"the report reached for {reached} at {answers[i]}")
        e2e.check(not named, f"the report asked for {named} at {answers[i]}")
