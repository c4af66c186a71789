// The pages as the program itself shows them: an example is run, `assay view` serves it, report.html holds it. What the
// program tells has to fit what the pages ask for, without a fault in the browser.
//   ASSAY=… node tests/viewer/program.mjs FOLDER
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage, settled, skip, startedView } from './browser.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const assay = process.env.ASSAY;
if (!assay) skip('ASSAY names no program');
const folder = resolve(process.argv[2]);
const EXAMPLES = ['pushback/pushback.yml', 'civic-knowledge/civic-knowledge.yml', 'research-agent/matrix.toml'];

function madeRuns() {
  const place = mkdtempSync(join(tmpdir(), 'assay-view-'));
  const environment = { PATH: process.env.PATH, HOME: place };
  for (const example of EXAMPLES) {
    cpSync(join(root, 'examples', dirname(example)), join(place, dirname(example)), { recursive: true });
    execFileSync(assay, ['run', example, '-q'], { cwd: place, env: environment, stdio: 'ignore' });
  }
  return { place, environment };
}

async function looked(page, faults, address, name) {
  await page.goto(address);
  await page.reload();
  await settled(page);
  const told = await page.evaluate(() => ({
    text: document.querySelector('main').innerText,
    sideways: document.documentElement.scrollWidth - innerWidth,
    isError: Boolean(document.querySelector('.state h1')),
  }));
  assert.deepEqual(faults.splice(0), [], name);
  assert.ok(told.sideways <= 0, `${name} scrolls sideways`);
  assert.doesNotMatch(
    told.text,
    /\bundefined\b|\bNaN\b|\[object|Infinity/,
    `${name}: a field is not what the page takes it for`,
  );
  return told;
}

async function viewShowsRuns(browser, made) {
  const { server, address } = await startedView(made);
  const { page, faults, close } = await openPage(browser);
  try {
    await page.goto(address);
    await settled(page);
    assert.doesNotMatch(page.url(), /token/);
    const base = address.split('#')[0];
    const ask = (path) => page.evaluate(async (each) => (await fetch(`/api/1/${each}`)).json(), path);
    const { runs } = await ask('runs');
    assert.equal(runs.length, EXAMPLES.length);
    let seen = 0;
    for (const { run: id, suite } of runs) {
      const run = await ask(`run/${id}`);
      const { rows } = await ask(`run/${id}/rows`);
      const views = [
        `run/${id}`,
        `run/${id}/judges`,
        `run/${id}/cost`,
        `compare/${id},${id}`,
        `board/${encodeURIComponent(suite)}`,
        ...rows.map((row) => `run/${id}/case/${encodeURIComponent(row.id)}`),
        ...(run.documents || []).map((each) => `run/${id}/doc/${encodeURIComponent(each.id)}`),
      ];
      for (const view of views) {
        const told = await looked(page, faults, `${base}#/${view}`, view);
        if (view === `run/${id}`)
          assert.ok(
            told.text.includes(run.verdict[0].text.slice(0, 40)),
            'the sentence of the terminal stands on top',
          );
        seen++;
      }
    }
    return `${seen} views`;
  } finally {
    await close();
    server.kill('SIGINT');
  }
}

async function reportHoldsItsRun(browser, { place, environment }) {
  const file = join(place, 'report.html');
  execFileSync(assay, ['export', 'latest', '--to', 'html', '-o', file], {
    cwd: place,
    env: environment,
    stdio: 'ignore',
  });
  assert.ok(existsSync(file));
  const policy = /http-equiv="?Content-Security-Policy"? content="([^"]+)"/i.exec(readFileSync(file, 'utf8'));
  assert.ok(policy && /connect-src 'none'|default-src 'none'/.test(policy[1]), 'the file has a policy');
  const { page, faults, close } = await openPage(browser);
  try {
    let seen = 0;
    const address = `file://${file}`;
    await page.goto(address);
    await settled(page);
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('.tabs a, .labels a')].map((each) => each.getAttribute('href')),
    );
    assert.ok(links.length >= 4, 'there are pages and cases');
    for (const link of links) {
      await looked(page, faults, `${address}${link}`, link);
      seen++;
    }
    return `${seen} views`;
  } finally {
    await close();
  }
}

const browser = await openBrowser(folder);
const made = madeRuns();
let failed = 0;
for (const [name, test] of Object.entries({ viewShowsRuns, reportHoldsItsRun })) {
  try {
    console.log(`ok      ${name}: ${await test(browser, made)}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack || error}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
