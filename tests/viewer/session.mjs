// Whose page may ask `assay view`: the token belongs to the origin, host and port, of its pages. Links in new tabs, the
// page read anew and the ways of the history still open; servers of others on this machine get nothing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { askedFrom, openPage, settled, startedView } from './browser.mjs';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const isShown = (page) =>
  page.waitForFunction(() => {
    const main = document.querySelector('main');
    return document.documentElement.dataset.ready && main && main.innerText.length > 100 && !main.querySelector('.state');
  });
const isRefused = async (page) => {
  await page.waitForSelector('.state h1');
  assert.match(await page.textContent('.state'), /open the address that `assay view` printed/);
};

// A page of `assay view`, opened by the address that it printed.
async function withView(browser, made, act) {
  const { server, address } = await startedView(made);
  const { page, faults, close } = await openPage(browser);
  try {
    await page.goto(address);
    await settled(page);
    await isShown(page);
    const said = await act({ page, address, faults, context: page.context(), base: address.split('#')[0] });
    assert.deepEqual(faults, []);
    return said;
  } finally {
    await close();
    server.kill('SIGINT');
  }
}

// A server of somebody else on another port of 127.0.0.1: what it hears, and his pages, by path where there are several.
async function withStranger(page, act, headers = {}) {
  const heard = [];
  const maxHeaderSize = 2 << 20; // his cookies come back to him
  const stranger = createServer({ maxHeaderSize }, (request, response) => {
    heard.push(request.headers);
    response.writeHead(200, { 'Content-Type': 'text/html', ...headers });
    response.end(typeof page === 'string' ? page : page(request.url));
  });
  await new Promise((done) => stranger.listen(0, '127.0.0.1', done));
  try {
    return await act(`http://127.0.0.1:${stranger.address().port}/`, heard);
  } finally {
    stranger.closeAllConnections();
    stranger.close();
  }
}

async function tabsShareTheSession(browser, made) {
  return withView(browser, made, async ({ page, base, context }) => {
    const { runs } = await askedFrom(page, 'runs');
    assert.doesNotMatch(page.url(), /token/);
    await page.reload();
    await isShown(page);
    const inNewTab = async (open, name) => {
      const [tab] = await Promise.all([context.waitForEvent('page'), open()]);
      await tab.waitForLoadState();
      await settled(tab);
      await isShown(tab);
      assert.doesNotMatch(tab.url(), /token/, name);
      await tab.close();
    };
    const link = page.locator(`main a[href*="#/run/${runs[0].run}"]`).first();
    await inNewTab(() => link.click({ modifiers: ['Control'] }), 'Ctrl and a click');
    await inNewTab(() => link.click({ button: 'middle' }), 'the middle button');
    await inNewTab(() => page.evaluate((to) => void window.open(to, '_blank', 'noopener'), `${base}#/runs`), 'noopener');
    const pasted = await context.newPage();
    await pasted.goto(`${base}#/run/${runs[0].run}`);
    await settled(pasted);
    await isShown(pasted);
    await pasted.goto(`${base}#/run/${runs[0].run}/cost`);
    await settled(pasted);
    await pasted.goBack();
    await settled(pasted);
    await isShown(pasted);
    await pasted.goForward();
    await settled(pasted);
    assert.match(pasted.url(), /cost$/);
    await isShown(pasted);
    await pasted.goto('about:blank');
    await pasted.goBack();
    await settled(pasted);
    await isShown(pasted);
    await pasted.close();
    return 'Ctrl, middle button, noopener, pasted, read anew, back and forward';
  });
}

async function othersGetNothing(browser, made) {
  return withView(browser, made, async ({ page, base, context, faults }) => {
    const tries = `<!doctype html><a href="${base}#/runs">there</a><script>
      window.told = (async () => {
        const told = [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
        for (const how of [{}, { mode: 'no-cors' }, { credentials: 'include' }, { mode: 'no-cors', credentials: 'include' },
                           { headers: { Authorization: 'Bearer x' } }, { cache: 'force-cache' }]) {
          const path = '${base}api/1/runs';
          told.push(await fetch(path, how).then((reply) => reply.type + reply.status, () => 'refused'));
        }
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.src = '${base}';
        await new Promise((done) => frame.addEventListener('load', done));
        try { told.push(frame.contentWindow.localStorage.length); } catch (error) { told.push(error.name); }
        return told;
      })();
    </script>`;
    return withStranger(tries, async (strange, heard) => {
      const tab = await context.newPage();
      await tab.goto(strange);
      const told = await tab.evaluate(() => window.told);
      assert.deepEqual(told.slice(0, 3), ['', '{}', '{}'], 'neither cookie nor what is kept');
      const [frame, ...asked] = told.slice(3).reverse();
      assert.deepEqual([frame, ...new Set(asked)], ['SecurityError', 'refused'], 'no way in');
      for (const headers of heard) assert.deepEqual([headers.cookie, headers.authorization], [undefined, undefined]);
      assert.deepEqual(await context.cookies(), []);
      await tab.click('a'); // his link leads to the owner's own page, of which he sees nothing
      await settled(tab);
      await isShown(tab);
      await tab.goto(base.replace('127.0.0.1', 'localhost')); // which may be somebody else's, on ::1
      await settled(tab);
      await isShown(tab);
      assert.ok(tab.url().startsWith(base), 'the pages have one origin');
      const guest = await openPage(browser);
      await guest.page.goto(base);
      await isRefused(guest.page);
      await guest.page.goto(`${base}#token=${'0'.repeat(64)}`);
      await isRefused(guest.page);
      await guest.close();
      faults.splice(0);
      return `${told.length} tries`;
    });
  });
}

// What somebody else's page says who had the port before, and whose page the browser kept: all that its origin gives it.
const KEPT_PAGE = `<!doctype html><title>kept</title><script>
  window.heard = [];
  addEventListener('storage', ({ url }) => window.heard.push(url));
  window.told = (async () => {
    const token = localStorage.getItem('assay-token') || '';
    const entries = [...navigation.entries(), navigation.activation?.from].map((each) => String(each?.url));
    const told = [token, document.referrer, location.href, ...entries, JSON.stringify(localStorage)];
    told.push(...performance.getEntries().map((each) => each.name));
    for (const path of ['/', '/main.js', '/0123456789abcdef/', '/0123456789abcdef/main.js', '/token', '/api/1/runs'])
      for (const method of ['GET', 'POST']) {
        const headers = { Authorization: 'Bearer ' + token };
        const reply = await fetch(path, { method, headers, cache: 'no-store', body: method === 'GET' ? undefined : token });
        told.push([path, reply.status, reply.url, ...reply.headers, await reply.text()].join(' '));
      }
    await fetch('/api/1/runs?limit=200');
    return told;
  })();
  window.told.then((told) => parent.postMessage(told, '*'));
</script>`;
const FORGED = '{"runs": [], "next": null, "count": 0, "stores": [], "sentence": "FORGED", "suites": []}';
const FOREVER = { 'Cache-Control': 'max-age=31536000, immutable' };
const FRAMING = `<!doctype html><title>strange</title><script>
  window.framed = (address) =>
    new Promise((done) => {
      addEventListener('message', ({ data }) => done(data), { once: true });
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
    });
</script><body>`;

const statusOf = (port, path, token) =>
  new Promise((done) => {
    const headers = { Authorization: `Bearer ${token}` };
    get({ host: '127.0.0.1', port, path, headers }, (reply) => {
      reply.resume();
      done(reply.statusCode);
    });
  });

// What his page found out, said to him, opens nothing; nor does what it left show in the owner's pages.
async function keptPagesOfOthersGetNothing(browser, made) {
  return withStranger(FRAMING, async (strange) => {
    const { page, close } = await openPage(browser);
    const hostile = await page.context().newPage();
    let server;
    try {
      await hostile.goto(strange);
      const frame = (address) => hostile.evaluate((there) => window.framed(there), address);
      const there = await withStranger(
        (path) => (path.startsWith('/api/') ? FORGED : KEPT_PAGE),
        async (address) => {
          await frame(address);
          const tab = await page.context().newPage(); // browsers keep a frame's reply apart from a tab's
          await tab.goto(address);
          await tab.close();
          return address;
        },
        FOREVER,
      );
      const { port } = new URL(there);
      const started = await startedView(made, ['--port', port]);
      server = started.server;
      const folder = new URL(started.address).pathname;
      for (const go of [() => page.goto(started.address), () => page.reload()]) {
        await go();
        await settled(page);
        await isShown(page);
        assert.doesNotMatch(await page.textContent('main'), /FORGED/);
      }
      await page.keyboard.press('t'); // the theme, which is kept, too
      assert.ok(await page.evaluate(() => localStorage.getItem('assay-theme')));
      const framed = await frame(there);
      await page.goto(there);
      assert.equal(await page.title(), 'kept', 'the browser still has his page');
      const opened = await page.evaluate(() => window.told);
      for (const told of [framed, opened]) {
        assert.match(told[0], /^[0-9a-f]{64}$/, 'his page has the origin of the pages');
        assert.ok(!told.join(' ').includes(folder.slice(1, -1)), `it knows the folder: ${told.join('\n')}`);
        for (const path of ['/api/1/runs', '/0123456789abcdef/api/1/runs', '/token'])
          assert.notEqual(await statusOf(port, path, told[0]), 200, path);
      }
      await page.goBack();
      await settled(page);
      await isShown(page);
      const heard = await hostile.frames()[1].evaluate(() => window.heard); // open since before the pages were
      assert.deepEqual([...new Set(heard)], ['about:blank'], 'what is kept does not say by which page');
      return `${framed.length + opened.length} things that it found out`;
    } finally {
      await close();
      server?.kill('SIGINT');
    }
  });
}

async function anotherServerNeedsItsOwnToken(browser, made) {
  const first = await startedView(made);
  const port = /:(\d+)\//.exec(first.address)[1];
  const { page, close } = await openPage(browser);
  try {
    await page.goto(first.address);
    await settled(page);
    await isShown(page);
    first.server.kill('SIGINT');
    await new Promise((done) => first.server.on('exit', done));
    await page.evaluate(() => (location.hash = '#/run/20200101T000000-0000')); // nothing that was asked before
    await page.waitForSelector('.state h1');
    assert.match(await page.textContent('.state'), /has ended/);
    const second = await startedView(made, ['--port', port]);
    try {
      await page.click('.state button'); // the page of the first one asks again
      await isRefused(page);
      await page.reload();
      assert.match(await page.textContent('body'), /Open the address that assay view printed/);
      await page.goto(second.address);
      await isShown(page);
      await page.reload();
      await isShown(page);
    } finally {
      second.server.kill('SIGINT');
    }
    return '';
  } finally {
    first.server.kill('SIGINT');
    await close();
  }
}

// `assay view --open`, and the address of the file that it hands to the browser.
async function openedByFile({ place, environment }, name, words = []) {
  const below = join(place, name);
  const program = join(below, 'browser'),
    told = join(below, 'told');
  const state = join(below, 'state of mine & others');
  mkdirSync(state, { recursive: true });
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$*" > '${told}.new'\nmv '${told}.new' '${told}'\n`);
  chmodSync(program, 0o755);
  const variables = { ...environment, BROWSER: program, XDG_STATE_HOME: state };
  const { server } = await startedView({ place, environment: variables }, [...words, '--open']);
  for (let tenths = 0; tenths < 100 && !existsSync(told); tenths++) await new Promise((done) => setTimeout(done, 100));
  return { server, file: readFileSync(told, 'utf8') };
}

// Sets cookies of 4 KB each, which last for a year; again after some milliseconds.
const cookiesEvery = (milliseconds, count) => `<!doctype html><script>
  function set() {
    for (let i = 0; i < ${count}; i++) document.cookie = 'c' + i + '=' + 'x'.repeat(4000) + ';path=/;max-age=31536000';
  }
  set();
  ${milliseconds ? `setInterval(set, ${milliseconds});` : ''}
</script>`;

// Waits until the browser has them.
async function manyCookies(context, least) {
  for (let tenths = 0; tenths < 100; tenths++) {
    const { length } = await context.cookies();
    if (length >= least) return length;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the browser keeps no cookies');
}

// One visit of a page of another port sets nearly all that a browser keeps for a host. Browsers call what the file of --open leads to cross-site.
async function cookiesOfOneVisitKeepNobodyOut(browser, made) {
  const { page, faults, close } = await openPage(browser);
  const { server, file } = await openedByFile(made, 'cookies');
  try {
    await withStranger(cookiesEvery(0, 150), async (strange) => {
      const tab = await page.context().newPage();
      await tab.goto(strange);
      await manyCookies(page.context(), 100);
      await tab.close();
    });
    await page.goto(file);
    await page.waitForURL(/^http:.*\/#(?!.*token)/);
    await settled(page);
    await isShown(page);
    await page.reload();
    await isShown(page);
    assert.deepEqual(faults, []);
    return `${await manyCookies(page.context(), 100)} cookies`;
  } finally {
    await close();
    server.kill('SIGINT');
  }
}

async function cookiesSetAgainKeepNobodyOut(browser, made) {
  return withView(browser, made, ({ page, base, context }) =>
    withStranger(cookiesEvery(50, 12), async (strange) => {
      const tab = await context.newPage();
      await tab.goto(strange);
      await manyCookies(context, 12);
      const { runs } = await askedFrom(page, 'runs');
      for (const { run } of runs) {
        await page.goto(`${base}#/run/${run}`);
        await isShown(page);
        await page.reload();
        await isShown(page);
      }
      const count = await manyCookies(context, 12);
      await tab.close();
      return `${count} cookies`;
    }),
  );
}

// The words that start the browser name a file of the user's, which leads to the page and opens it once.
async function openLeadsThroughAFile(browser, made) {
  const { server, file: address } = await openedByFile(made, 'opened', ['latest']);
  const { page, faults, close } = await openPage(browser);
  try {
    assert.match(address, /^file:\/\/\/\S+\/open-\d+\.html$/);
    const file = decodeURIComponent(address.slice('file://'.length));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await page.goto(address);
    await page.waitForURL(/^http:/);
    await settled(page);
    await isShown(page);
    assert.match(page.url(), /#\/run\//);
    assert.doesNotMatch(page.url(), /token/);
    assert.ok(!existsSync(file), 'it is gone');
    await page.reload();
    await isShown(page);
    assert.deepEqual(faults, []);
    return '';
  } finally {
    await close();
    server.kill('SIGINT');
  }
}

async function picturesAreShown(browser, { place, environment }) {
  const below = join(place, 'pictures');
  mkdirSync(below);
  writeFileSync(join(below, 'dot.png'), PNG);
  const suite = {
    title: 'Pictures',
    id: 'pictures',
    models: ['echo:a'],
    prompts: [{ id: 'one', prompt: 'say red', image: 'dot.png', should: [{ $contains: 'red' }] }],
  };
  writeFileSync(join(below, 'pictures.yml'), JSON.stringify(suite));
  execFileSync(process.env.ASSAY, ['run', 'pictures.yml', '-q'], { cwd: below, env: environment, stdio: 'ignore' });
  return withView(browser, { place: below, environment }, async ({ page, base }) => {
    const { runs } = await askedFrom(page, 'runs');
    await page.goto(`${base}#/run/${runs[0].run}/case/one`);
    await page.waitForFunction(() => document.querySelector('figure.media img')?.naturalWidth === 1);
    assert.match(await page.getAttribute('figure.media img', 'src'), /^blob:/);
    return '';
  });
}

export const SESSION_TESTS = {
  tabsShareTheSession,
  othersGetNothing,
  keptPagesOfOthersGetNothing,
  anotherServerNeedsItsOwnToken,
  cookiesOfOneVisitKeepNobodyOut,
  cookiesSetAgainKeepNobodyOut,
  openLeadsThroughAFile,
  picturesAreShown,
};
