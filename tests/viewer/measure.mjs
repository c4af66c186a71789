// Times the pages as the built program shows them, for the rows of bench/README.md:
//   ASSAY=… ASSAY_VIEWER_DIR=build/dev/viewer python3 tests/viewer/run.py --measure
// report.html of 200 prompts × 30 models; a run of 300 cases × 6 variants in `assay view`; what an open page costs a
// run that goes on; 1,000,000 cells in `assay view` and in report.html ($ASSAY_MILLION: a folder that has them already,
// as its latest run).
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { askedFrom, openBrowser, openPage, settled, skip, startedView } from './browser.mjs';

const assay = process.env.ASSAY;
if (!assay) skip('ASSAY names no program');
const place = mkdtempSync(join(tmpdir(), 'assay-measure-'));
const environment = { PATH: process.env.PATH, HOME: place, OPENAI_API_KEY: 'none' };
const TICKS = 100; // of the kernel's clock in a second
const ROUNDS = 3;
const PAIRS = 7; // of runs, with and without a page, in turns

const median = (numbers) => numbers.slice().sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const row = (what, found) => console.log(`| ${what} | ${found} |`);

function suite(name, cases, models) {
  const lines = [`id: ${name}`, `title: ${name}`, `models: [${models.join(', ')}]`, 'prompts:'];
  for (let at = 0; at < cases; at++)
    lines.push(
      `  - id: case-${at}`,
      `    prompt: say word ${at}`,
      `    tags: [tag-${at % 7}]`,
      '    should:',
      `      - $contains: word ${at}`,
      `      - $contains: ${at % 3 ? 'word' : 'nothing'}`,
      '      - $word_count_between: [1, 2]',
    );
  writeFileSync(join(place, `${name}.yml`), `${lines.join('\n')}\n`);
  return `${name}.yml`;
}
const named = (count, provider) => Array.from({ length: count }, (_, at) => `${provider}:m${at}`);
const run = (...words) => execFileSync(assay, words, { cwd: place, env: environment, stdio: 'ignore' });

// When the page of an address stands, in ms from asking for it.
async function timeToOpen(page, address) {
  const began = performance.now();
  await page.goto(address);
  await page.waitForFunction(
    () => document.documentElement.dataset.ready !== undefined && document.querySelector('main h1'),
    null,
    { polling: 10 },
  );
  return performance.now() - began;
}

async function reportOfManyModels(browser) {
  run('run', suite('report', 200, named(30, 'echo')), '-q');
  const file = join(place, 'report.html');
  const written = [];
  for (let at = 0; at < ROUNDS; at++) {
    const began = performance.now();
    run('export', 'latest', '--to', 'html', '-o', file);
    written.push(performance.now() - began);
  }
  const paints = [],
    opened = [];
  for (let at = 0; at < ROUNDS; at++) {
    const { page, close } = await openPage(browser);
    opened.push(await timeToOpen(page, `file://${file}`));
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN),
    );
    await close();
  }
  row('report.html of 200 prompts × 30 models: written', `${Math.round(median(written))} ms`);
  row('the same: its size', `${(statSync(file).size / 1e6).toFixed(1)} MB`);
  row('the same: first paint in Chromium', `${Math.round(median(paints))} ms`);
  row('the same: verdict and ranking stand', `${Math.round(median(opened))} ms`);
}

async function everyPageOfAMiddleRun(browser) {
  run('run', suite('middle', 300, named(6, 'echo')), '-q');
  const { server, address } = await startedView({ place, environment });
  const { page, close } = await openPage(browser);
  try {
    await page.goto(address);
    await settled(page);
    const base = address.split('#')[0];
    const { runs } = await askedFrom(page, 'runs');
    const id = runs[0].run;
    let slowest = ['', 0];
    for (const view of ['', '/case/case-7', '/judges', '/cost', `?q=state:failed`]) {
      await page.goto('about:blank');
      const ms = await timeToOpen(page, `${base}#/run/${id}${view}`);
      if (ms > slowest[1]) slowest = [view || '/', ms];
    }
    await page.goto('about:blank');
    const compared = await timeToOpen(page, `${base}#/compare/${id},${id}`);
    if (compared > slowest[1]) slowest = ['/compare', compared];
    row('300 cases × 6 variants in `assay view`: the slowest page', `${Math.round(slowest[1])} ms (${slowest[0]})`);
  } finally {
    await close();
    server.kill('SIGINT');
  }
}

// A service that answers after a while, so that a run takes some seconds and is mostly its own work.
function startedService() {
  const reply = (text) =>
    JSON.stringify({
      id: 'r',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () =>
      setTimeout(() => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(reply('word'));
      }, 20),
    );
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

function cpuOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

// CPU seconds of a run, by the shell that waits for it.
function timedRun(service, file) {
  const { port } = service.address();
  const words = ['run', file, '--fresh', '-q', '-j', '64', `--base-url=openai=http://127.0.0.1:${port}/v1`];
  const child = spawn('bash', ['-c', 'time "$0" "$@"', assay, ...words], {
    cwd: place,
    env: { ...environment, TIMEFORMAT: '%U %S' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  return new Promise((done) =>
    child.on('exit', () => {
      const times = /([\d.]+) ([\d.]+)\s*$/.exec(said);
      done(times ? Number(times[1]) + Number(times[2]) : NaN);
    }),
  );
}

async function pageBesideARun(browser) {
  const service = await startedService();
  const file = suite('beside', 300, named(20, 'openai'));
  const alone = [],
    watched = [],
    shares = [];
  for (let at = 0; at < PAIRS; at++) {
    alone.push(await timedRun(service, file));
    const { server, address } = await startedView({ place, environment });
    const { page, close } = await openPage(browser);
    await page.goto(address);
    await settled(page);
    const base = address.split('#')[0];
    const before = cpuOf(server.pid);
    const running = timedRun(service, file);
    await page.waitForTimeout(700);
    const { runs } = await askedFrom(page, 'runs');
    await page.goto(`${base}#/run/${runs[0].run}`);
    await page.waitForFunction(() => document.querySelector('.live-run b')); // else it has ended already
    const cpu = await running;
    watched.push(cpu);
    shares.push((cpuOf(server.pid) - before) / cpu);
    await close();
    server.kill('SIGINT');
  }
  service.close();
  const more = median(watched) / median(alone) - 1;
  row('6,000 calls: CPU of the run alone', `${median(alone).toFixed(2)} s`);
  row('the same with its page open', `${median(watched).toFixed(2)} s (${(more * 100).toFixed(1)} %)`);
  row('the same: CPU of `assay view` beside it', `${(median(shares) * 100).toFixed(1)} % of the run's`);
}

const MAP_STANDS = () => / of /.test(document.querySelector('.where .tally')?.textContent || '');

// What sorting, filtering and scrolling take in the page that is open, in ms, and what they ask.
function timesOfMap(page) {
  return page.evaluate(async () => {
    const select = /** @type {any} */ (document.querySelector('select[aria-label="Order of cases"]')),
      field = /** @type {any} */ (document.querySelector('.field'));
    const asked = performance.getEntriesByType('resource').length;
    const time = (act) => {
      const began = performance.now();
      act();
      return Math.round(performance.now() - began);
    };
    const sort = time(() => {
      select.value = 'split';
      select.dispatchEvent(new Event('change'));
    });
    const filter = time(() => {
      field.value = 'score:<20';
      field.dispatchEvent(new Event('input'));
    });
    field.value = '';
    field.dispatchEvent(new Event('input'));
    await new Promise((done) => setTimeout(done, 300));
    const requests = performance
      .getEntriesByType('resource')
      .slice(asked)
      .filter((each) => /\/api\//.test(each.name) && !/case\//.test(each.name)).length; // not what the cell shows
    const scroller = document.querySelector('.scroller'),
      frames = [];
    for (let at = 0; at < 60; at++) {
      scroller.scrollTop += 997;
      const began = performance.now();
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - began);
    }
    frames.sort((a, b) => a - b);
    return { sort, filter, requests, frame: Math.round(frames[30]), slow: Math.round(frames[57]) };
  });
}

async function aMillionCells(browser) {
  const large = process.env.ASSAY_MILLION ? resolve(process.env.ASSAY_MILLION) : place;
  if (large === place) run('run', suite('million', 20000, named(50, 'echo')), '-q');
  const file = join(place, 'million.html');
  const words = ['-c', 'time "$0" "$@"', assay, 'export', 'latest', '--to', 'html', '-o', file];
  const done = spawnSync('bash', words, { cwd: large, env: { ...environment, TIMEFORMAT: '%U %S' }, encoding: 'utf8' });
  const [user, system] = done.stderr.trim().split(/\s+/).slice(-2).map(Number);
  row('1,000,000 cells: report.html written', `${(user + system).toFixed(2)} s of CPU`);
  row('the same: its size', `${(statSync(file).size / 1e6).toFixed(1)} MB`);
  const told = (times) =>
    `${times.sort} ms, ${times.filter} ms (${times.requests} requests); ${times.frame} ms, 95 % within ${times.slow} ms`;
  const { server, address } = await startedView({ place: large, environment });
  const { page, close } = await openPage(browser);
  try {
    await page.goto(address);
    await settled(page);
    const base = address.split('#')[0];
    const { runs } = await askedFrom(page, 'runs');
    for (const which of ['opened first', 'opened again']) {
      await page.goto('about:blank');
      const start = performance.now(),
        before = cpuOf(server.pid);
      await page.goto(`${base}#/run/${runs[0].run}`);
      await page.waitForFunction(MAP_STANDS, null, { polling: 10 });
      row(`1,000,000 cells in \`assay view\`: the map stands, ${which}`, `${Math.round(performance.now() - start)} ms; CPU of the program ${(cpuOf(server.pid) - before).toFixed(2)} s`);
    }
    row('the same: sort, filter; a frame of scrolling', told(await timesOfMap(page)));
    await page.goto('about:blank');
    const start = performance.now();
    await page.goto(`file://${file}`);
    await page.waitForFunction(MAP_STANDS, null, { polling: 10 });
    row('1,000,000 cells in report.html: the map stands', `${Math.round(performance.now() - start)} ms`);
    row('the same: sort, filter; a frame of scrolling', told(await timesOfMap(page)));
  } finally {
    await close();
    server.kill('SIGINT');
  }
}

const only = process.env.ASSAY_MEASURE; // the name of one of these functions
const version = spawnSync(assay, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0];
const browser = await openBrowser(resolve(process.argv[2]));
console.log(`${version}, chromium ${browser.version()}\n\n| what | measured |\n|---|---|`);
for (const measure of [reportOfManyModels, everyPageOfAMiddleRun, pageBesideARun, aMillionCells])
  if (!only || measure.name === only) await measure(browser);
await browser.close();
