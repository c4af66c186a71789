// The pages as the program itself shows them: an example is run, `assay view` serves it, report.html holds it. What the
// program tells has to fit what the pages ask for, without a fault in the browser.
//   ASSAY=… node tests/viewer/program.mjs FOLDER [NAME]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { askedFrom, openBrowser, openPage, settled, skip, startedView } from './browser.mjs';
import { SESSION_TESTS } from './session.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const assay = process.env.ASSAY;
if (!assay) skip('ASSAY names no program');
const folder = resolve(process.argv[2]);
const EXAMPLES = [
  ['until-decided/until-decided.yml', '--until', 'decided'],
  ['pushback/pushback.yml'],
  ['civic-knowledge/civic-knowledge.yml'],
  ['research-agent/matrix.toml'],
];

const CASES_LOOKED_AT = 20; // of a run

function madeRuns() {
  const place = mkdtempSync(join(tmpdir(), 'assay-view-'));
  const environment = { PATH: process.env.PATH, HOME: place };
  for (const [example, ...options] of EXAMPLES) {
    cpSync(join(root, 'examples', dirname(example)), join(place, dirname(example)), { recursive: true });
    execFileSync(assay, ['run', example, '-q', ...options], { cwd: place, env: environment, stdio: 'ignore' });
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

// What a page does that was made to parse a text as HTML.
async function nobodyMakesHtml(page, faults, name) {
  const thrown = await page.evaluate(() =>
    ['innerHTML', 'outerHTML'].map((way) => {
      try {
        document.querySelector('main').firstElementChild[way] = '<img src=x onerror="window.hurt = 1">';
        return 'nothing';
      } catch (error) {
        return error.name;
      }
    }),
  );
  assert.deepEqual(thrown, ['TypeError', 'TypeError'], `${name}: what makes HTML of texts throws`);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  const others = faults.splice(0).filter((each) => !/TrustedHTML|Trusted Type/.test(each));
  assert.deepEqual(others, [], name);
}

async function viewShowsRuns(browser, made) {
  const { server, address } = await startedView(made);
  const { page, faults, close } = await openPage(browser);
  try {
    await page.goto(address);
    await settled(page);
    assert.doesNotMatch(page.url(), /token/);
    const base = address.split('#')[0];
    const ask = (path) => askedFrom(page, path);
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
        ...rows.slice(0, CASES_LOOKED_AT).map((row) => `run/${id}/case/${encodeURIComponent(row.id)}`),
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
    await nobodyMakesHtml(page, faults, 'assay view');
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
    await nobodyMakesHtml(page, faults, 'report.html');
    return `${seen} views`;
  } finally {
    await close();
  }
}

// A file of a large run, made of a small one's: without cost, and with cases left out. The page said of all of these
// that nothing had failed in them, and its tab of costs led to an error.
async function fileSaysWhatIsNotInIt(browser, { place }) {
  const whole = readFileSync(join(place, 'report.html'), 'utf8');
  const element = (path, body) => `<script type="application/x-assay" data-path="${path}">${body}</script>`;
  const index = { run: /data-path="run\/([^/"]+)"/.exec(whole)[1], cases: 'failures', left_out: 70, left_out_telling: 30 };
  const file = join(place, 'part.html');
  writeFileSync(
    file,
    whole
      .replace(/<script[^>]* data-path="index"[^>]*>[^<]*<\/script>/, () =>
        element('index', deflateSync(JSON.stringify(index)).toString('base64')),
      )
      .replace(/<script[^>]* data-path="run\/[^/"]+\/cost">[^<]*<\/script>/, ''),
  );
  const { page, faults, close } = await openPage(browser);
  try {
    await page.goto(`file://${file}`);
    await settled(page);
    const told = await page.textContent('main');
    assert.match(told, /Not in this file: 40 cases in which nothing failed or differed; 30 cases in which something failed/);
    assert.match(told, /what answers cost and how long they took/);
    assert.doesNotMatch(await page.textContent('.tabs'), /Cost/, 'no tab leads to what is not there');
    await page.goto(`file://${join(place, 'report.html')}`);
    await settled(page);
    assert.doesNotMatch(await page.textContent('main'), /Not in this file/);
    assert.match(await page.textContent('.tabs'), /Cost/);
    assert.deepEqual(faults, []);
    return '';
  } finally {
    await close();
  }
}

// Of many variants the file has some comparisons; the selectors offered pairs that were not in it.
async function fileOffersThePairsItHas(browser, { place, environment }) {
  const below = join(place, 'many');
  mkdirSync(below);
  const models = Array.from({ length: 10 }, (_, at) => `echo:${'abcdefghij'[at]}`);
  writeFileSync(
    join(below, 'many.yml'),
    `title: Many\nid: many\nmodels: [${models}]\nprompts:\n` +
      ['one', 'two', 'three']
        .map((word) => `  - id: ${word}\n    prompt: say ${word}\n    should:\n      - $contains: one\n`)
        .join(''),
  );
  const how = { cwd: below, env: environment, stdio: 'ignore' };
  execFileSync(assay, ['run', 'many.yml', '-q'], how);
  const file = join(below, 'report.html');
  execFileSync(assay, ['export', 'latest', '--to', 'html', '-o', file], how);
  const { page, faults, close } = await openPage(browser);
  try {
    await page.goto(`file://${file}`);
    await settled(page);
    await page.click('.tabs >> text=Compare');
    await page.waitForSelector('select[aria-label="Base"]');
    const options = (label) =>
      page.$eval(`select[aria-label="${label}"]`, (box) => [...box.options].map((each) => each.value));
    assert.equal((await options('Base')).length, 9, 'the first is compared with each');
    for (const value of await options('Base')) {
      await page.selectOption('select[aria-label="Base"]', value);
      await page.waitForFunction((id) => decodeURIComponent(location.hash).includes(id), value);
      await settled(page);
      assert.equal(await page.locator('.state h1').count(), 0, `${value} is there`);
    }
    await page.keyboard.press('x');
    await settled(page);
    assert.equal((await options('Candidate')).length, 9, 'and each with the first');
    assert.match(await page.textContent('main'), /compares the first of the ranking with each/);
    assert.deepEqual(faults, []);
    return '9 pairs, either way';
  } finally {
    await close();
  }
}

const browser = await openBrowser(folder);
const made = madeRuns();
const only = process.argv[3] || '';
let failed = 0;
for (const [name, test] of Object.entries({ viewShowsRuns, reportHoldsItsRun, fileSaysWhatIsNotInIt, fileOffersThePairsItHas, ...SESSION_TESTS })) {
  if (!name.includes(only)) continue;
  try {
    console.log(`ok      ${name}: ${await test(browser, made)}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack || error}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
