// What has to hold of the pages, by name. Each test gets the tools of run.mjs and throws where something does not.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settled, visit, withPage } from './browser.mjs';
import { comparePictures } from './pictures.mjs';
import { TOKEN, TOKEN_FOR_ONCE } from './server.mjs';
import { HOSTILE } from './server.mjs';
import { VIEW_STATES } from './view_states.mjs';
import { EXPLAINED_WORDS } from './explained_words.mjs';

const RUN = '20261122T022100-53af',
  LATER = '20261123T094000-11c2';
const ADDRESSES = {
  runs: '#/runs',
  run: `#/run/${RUN}`,
  case: `#/run/${RUN}/case/late-frost`,
  'case-code': '#/run/infibench/case/first-word',
  'case-research': '#/run/almanac-suite/case/bulb-depth?a=research&b=lean',
  compare: `#/compare/${LATER},${RUN}`,
  judges: `#/run/${RUN}/judges`,
  cost: `#/run/${RUN}/cost`,
  board: '#/board/garden',
  document: '#/run/almanac-suite/doc/almanac',
  race: '#/run/race',
};
const OTHERS = {
  attempts: `#/run/${RUN}/case/late-frost?view=attempts`,
  blanks: '#/run/infibench/case/three-blanks',
  documents: '#/run/almanac-suite/docs',
  unreadable: '#/run/almanac-suite/doc/old-almanac',
  gone: '#/run/almanac-suite/doc/almanac?at=9000-9010',
  'no-judges': '#/run/infibench/judges',
  boards: '#/board',
  variants: `#/run/${RUN}?unit=variants`,
  hostile: '#/run/hostile',
  error: '#/run/nowhere',
  'not-assessable': '#/run/almanac-suite/case/plum-month',
};

// How much slower than a free machine this one may be: tests run beside others.
const SLOWER = Number(process.env.ASSAY_SLOWER || 5);

const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 900 },
  { width: 390, height: 844 },
];
// A test of what a reader does, in windows of every size.
const atEverySize = (test) => async (tools) => {
  let said;
  for (const size of SIZES) {
    try {
      said = await test({ ...tools, size });
    } catch (error) {
      error.stack = `at ${size.width} px: ${error.stack}`;
      throw error;
    }
  }
  return said;
};
const NOT_FOUND = /status of 404/;

// ---- the modules themselves

function modulesAreJoinable({ root }) {
  const pages = join(root, 'src', 'view', 'pages');
  const modules = readdirSync(pages).filter((each) => each.endsWith('.js'));
  let joined = '';
  for (const name of modules) {
    const text = readFileSync(join(pages, name), 'utf8');
    const imports = text.match(/^import .*?;$/gms) || [];
    for (const each of imports)
      assert.match(each, /^import \{[^}]*\} from '\.\/[a-z_]+\.js';$/s, `${name}: imports are static and named`);
    assert.ok(
      !/\bimport\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(['"]on/.test(
        text.replace(/^\s*(\/\/|\/?\*).*$/gm, ''),
      ),
      `${name} makes no HTML of texts`,
    );
    assert.ok(
      !/^export (default|\*|\{)/m.test(text),
      `${name}: only named functions, classes and constants are exported`,
    );
    joined += text.replace(/^import .*?;$/gms, '').replace(/^export /gm, '');
  }
  const file = join(mkdtempSync(join(tmpdir(), 'assay-pages-')), 'joined.mjs');
  writeFileSync(file, joined);
  execFileSync(process.execPath, ['--check', file], { stdio: 'pipe' }); // two names alike are an error of syntax
  return `${modules.length} modules`;
}

function typesHold({ root, folder }) {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) return 'skipped: typescript is not installed';
  const pages = join(root, 'src', 'view', 'pages');
  const files = readdirSync(pages)
    .filter((each) => each.endsWith('.js'))
    .map((each) => join(pages, each));
  const run = spawnSync(
    process.execPath,
    [
      compiler,
      '--noEmit',
      '--allowJs',
      '--checkJs',
      '--target',
      'es2022',
      '--module',
      'es2022',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom,dom.iterable',
      '--noUnusedLocals',
      '--noUnusedParameters',
      '--noImplicitReturns',
      ...files,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(run.stdout + run.stderr, '', 'tsc');
  return '';
}

// ---- every page

async function everyPageStands(tools) {
  let seen = 0;
  for (const [width, height] of [
    [1440, 900],
    [900, 900],
    [390, 844],
    [320, 640],
  ]) {
    for (const theme of ['light', 'dark']) {
      await withPage(tools, { width, height, theme, allowed: NOT_FOUND }, async (page, go) => {
        for (const [name, address] of Object.entries({ ...ADDRESSES, ...OTHERS })) {
          await go(address);
          const told = await page.evaluate(() => ({
            sideways: document.documentElement.scrollWidth - innerWidth,
            heads: document.querySelectorAll('h1').length,
            levels: [...document.querySelectorAll('h1,h2,h3,h4')].map((each) => Number(each.tagName[1])),
            text: document.querySelector('main').innerText.length,
          }));
          const where = `${name} at ${width} px, ${theme}`;
          assert.ok(told.sideways <= 0, `${where}: scrolls sideways by ${told.sideways}`);
          assert.equal(told.heads, 1, `${where}: one h1`);
          assert.ok(told.text > 40, `${where}: says something`);
          seen++;
        }
      });
    }
  }
  return `${seen} views`;
}

async function nothingIsInaccessible(tools) {
  const source = readFileSync(join(tools.folder, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
  let seen = 0;
  for (const { width, theme } of SIZES.flatMap((size) => [
    { ...size, theme: 'light' },
    { ...size, theme: 'dark' },
  ])) {
    for (const [name, address] of Object.entries({ ...ADDRESSES, ...OTHERS })) {
      await withPage(tools, { width, height: 900, theme, allowed: NOT_FOUND }, async (page, go) => {
        await go(address);
        const session = await page.context().newCDPSession(page); // the policy of the page lets no script in; the debugger may
        await session.send('Runtime.evaluate', { expression: source });
        const found = await page.evaluate(async () =>
          (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map(
            (each) =>
              `${each.id}: ${each.nodes
                .slice(0, 4)
                .map((node) => `${node.target} ${node.failureSummary}`)
                .join(' | ')}`,
          ),
        );
        assert.deepEqual(found, [], `${name} at ${width} px, ${theme}`);
        seen++;
      });
    }
  }
  return `${seen} views`;
}

async function fingersHitWhatIsPressed(tools) {
  await withPage(tools, { width: 390, height: 844 }, async (page, go) => {
    for (const [name, address] of Object.entries(ADDRESSES)) {
      await go(address);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, select, input, .tabs a, summary')]
          .filter((each) => {
            const box = (each.closest('label') || each).getBoundingClientRect();
            return (
              box.width > 0 &&
              box.height > 0 &&
              box.height < 43.5 &&
              getComputedStyle(each).visibility !== 'hidden' &&
              !each.closest('.sr') &&
              !each.closest('.page .text')
            );
          })
          .map(
            (each) =>
              `${each.tagName} ${each.className} ${each.textContent.slice(0, 30)} ${Math.round(each.getBoundingClientRect().height)}`,
          )
          .slice(0, 5),
      );
      assert.deepEqual(small, [], `${name}: 44 px high`);
    }
  });
}

async function pagesAreAsApproved(tools) {
  return comparePictures(tools, ADDRESSES);
}

// ---- what a reader does

const tally = (page) => page.textContent('.tally');

async function filtersAndHistory(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(ADDRESSES.run);
    assert.equal(await tally(page), '40 of 40 cases');
    const asked = tools.server.data.state.asked.length;
    await page.fill('.field', 'state:error');
    const errors = await tally(page);
    assert.match(errors, /^[1-9] of 40 cases$/);
    await page.waitForURL(/q=state:error/, { timeout: 5000 });
    await page.fill('.field', 'tag:plants score:<40');
    assert.match(await tally(page), /^\d+ of 40 cases$/);
    await page.fill('.field', 'score:none');
    assert.match(await page.textContent('main'), /Not understood: score:none/);
    await page.fill('.field', 'ms:>5000');
    await page.waitForTimeout(100);
    const requests = tools.server.data.state.asked.slice(asked).filter((each) => !/case\/|favicon/.test(each));
    assert.deepEqual(
      requests.filter((each) => !/layer=ms/.test(each)),
      [],
      'filters of cells ask nothing',
    );
    await page.fill('.field', 'root-rot');
    await page.waitForFunction(() => document.querySelector('.tally').textContent === '1 of 40 cases');
    await page.click('.labels a');
    await page.waitForFunction(() => document.querySelector('.case-grid'));
    await page.waitForURL(/case\/root-rot/, { timeout: 5000 });
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.tally'));
    await page.waitForFunction(() => document.querySelector('.tally').textContent === '1 of 40 cases');
    assert.equal(await page.inputValue('.field'), 'root-rot');
    await page.fill('.field', '');
    await page.click('.histogram button:first-child');
    assert.notEqual(await tally(page), '40 of 40 cases', 'a step of the legend filters');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    assert.equal(await tally(page), '40 of 40 cases');
    await page.evaluate(() => window.scrollTo(0, 700));
    await page.waitForTimeout(50);
    await page.click('.labels a >> nth=6');
    await page.waitForFunction(() => document.querySelector('.case-grid'));
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.matrix') && window.scrollY > 500, null, {
      timeout: 3000,
    });
  });
}

async function keysWork(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(ADDRESSES.run);
    await page.keyboard.press('?');
    assert.ok(await page.isVisible('dialog[open] >> text=letters and digits are keys'));
    await page.keyboard.press('Escape');
    // The focus leaves a dialog's box with the next frame; until then letters belong to it.
    await page.waitForFunction(
      () => !document.querySelector('dialog[open]') && document.activeElement === document.body,
    );
    await page.keyboard.press('g');
    await page.waitForURL(/unit=variants/, { timeout: 5000 });
    await page.keyboard.press('s');
    await page.waitForURL(/order=split/, { timeout: 5000 });
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'field');
    await page.keyboard.press('Escape');
    await page.focus('canvas');
    const said = () => page.textContent('#matrix-cell');
    const first = await said();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await said(), first, 'arrows move in the map and say where');
    await page.waitForURL(/cell=/, { timeout: 5000 });
    await page.keyboard.press('x');
    assert.match(await page.textContent('.filters'), /Marked: /);
    await page.keyboard.press('c');
    await page.waitForFunction(() => location.hash.startsWith('#/compare/'));
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.matrix'));
    await page.waitForTimeout(300);
    await page.focus('canvas');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.case-grid'));
    await page.keyboard.press('d');
    await page.waitForURL(/diff=off/, { timeout: 5000 });
    await page.keyboard.press('a');
    await page.waitForURL(/view=attempts/, { timeout: 5000 });
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    await page.waitForURL(/raw=1/, { timeout: 5000 });
    await page.keyboard.press(']');
    await page.waitForURL(/try=1,2/, { timeout: 5000 });
    const before = page.url();
    await page.keyboard.press('j');
    await page.waitForFunction((url) => location.href !== url, before);
    await settled(page);
    await page.keyboard.press('t');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.matrix'));
    await go(ADDRESSES.document);
    await page.keyboard.press('n');
    await page.waitForURL(/at=\d+-\d+/, { timeout: 5000 });
    await page.keyboard.press('j');
    await go(ADDRESSES['case-research']);
    await page.keyboard.press('x');
    await page.waitForURL(/event=7/, { timeout: 5000 });
    await go(ADDRESSES.runs);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('c');
    await page.waitForFunction(() => location.hash.startsWith('#/compare/'));
    await go(ADDRESSES.run);
    await page.keyboard.press('?');
    await page.click('dialog input');
    await page.keyboard.press('Escape');
    // The focus leaves a dialog's box with the next frame; until then letters belong to it.
    await page.waitForFunction(
      () => !document.querySelector('dialog[open]') && document.activeElement === document.body,
    );
    await page.keyboard.press('g');
    assert.doesNotMatch(page.url(), /unit=/, 'letters are no keys once they are turned off');
  });
}

async function tableTwinIsTheSame(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(ADDRESSES.run);
    const first = await page.textContent('.labels a');
    await page.click('text=As table');
    assert.equal(await page.textContent('.twin tbody th'), first);
    assert.equal(await page.locator('.twin tbody tr').count(), 40);
    assert.equal(await page.locator('.twin thead th').count(), 21);
    assert.match(await page.textContent('.twin tbody'), /error/, 'states are words');
  });
}

async function comparingShowsBothAnswers(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(ADDRESSES.compare);
    await page.click('.flips .plain');
    await page.waitForFunction(() => document.querySelector('.flips .answers.two .text'));
    await page.waitForURL(/open=/, { timeout: 5000 });
    await page.click('.flip-square button >> nth=0');
    await page.waitForURL(/flips=kept/, { timeout: 5000 });
    await page.keyboard.press('x');
    await page.waitForFunction((run) => location.hash.includes(`compare/${run}`), RUN);
  });
}

async function matchesAreMarked(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(`${ADDRESSES.case}?diff=off`);
    const marks = await page.locator('.answer-column >> nth=0 >> mark').allTextContents();
    assert.deepEqual(marks, ['10 degrees'], 'bytes of the whole answer, in the turn where they stand');
    const rendered = await page.locator('.answer-column >> nth=0 >> .markdown mark').count();
    assert.equal(rendered, 1, 'Markdown stays rendered where something is marked');
    // Words in which two answers differ took the place of what had matched.
    await go(`${ADDRESSES.case}?view=&try=1,3`);
    const both = await page.evaluate(() =>
      [...document.querySelectorAll('.answer-column')].map((each) => ({
        differs: each.querySelectorAll('del, ins').length,
        marks: [...each.querySelectorAll('mark')].map((mark) => mark.textContent).join(''),
      })),
    );
    assert.ok(both.some((each) => each.differs > 0), 'the answers differ in words');
    for (const each of both) assert.equal(each.marks, '10 degrees', 'and what matched is marked');
    await go(ADDRESSES['case-code']);
    assert.equal(await page.textContent('.code li.hit mark'), 'set -eu');
    assert.equal(await page.textContent('.code li.hit .line-number'), '2');
    await go(`${OTHERS.blanks}?a=birch-1`);
    const graded = page.locator('.point-side details[open]', { hasText: 'Graded: ' });
    assert.match(await graded.textContent(), /the longest text between fences \(lines 1–3\)/);
    assert.equal(await graded.locator('li').count(), 3, 'the part in full, with its lines');
    assert.match(await page.textContent('.output'), /no sandbox works here/);
  });
}

async function longTextsAreReadFromTheirCase(tools) {
  const made = tools.server.data.runs.get('infibench');
  const whole = made.caseOf;
  made.caseOf = (row, variants) => {
    const body = structuredClone(whole(row, variants));
    const long = { bytes: 100000, head: 'h'.repeat(32768), tail: 't'.repeat(32768), sha256: 'f'.repeat(64) };
    body.cells[0].attempts[0].turns[0].text = long;
    body.case.turns[0].text = long;
    body.case.ideal = { text: long, markdown: null };
    return body;
  };
  try {
    await withPage(tools, {}, async (page, go) => {
      await go(ADDRESSES['case-code']);
      assert.doesNotMatch(await page.textContent('main'), /\[object/, 'questions and ideals may be long too');
      await page.click('.answer-column >> text=show 34 kB between');
      await page.waitForFunction(
        () => document.querySelector('.answer-column .middle')?.textContent.length === 34464,
      );
    });
  } finally {
    made.caseOf = whole;
  }
}

async function cellsShowLayers(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(`${ADDRESSES.run}?order=suite`);
    const said = () => page.textContent('#matrix-cell');
    const score = await said();
    const box = page.getByLabel('What cells show');
    assert.deepEqual(await box.locator('option').allTextContents(), [
      'scores',
      'times',
      'prices',
      'spread of attempts',
    ]);
    for (const [layer, words] of [
      ['ms', / ms| s| min/],
      ['usd', /\$/],
      ['spread', /of spread/],
    ]) {
      await box.selectOption(layer);
      await page.waitForFunction((name) => location.hash.includes(`layer=${name}`), layer);
      await page.waitForTimeout(100);
      assert.match(await said(), words, layer);
      assert.equal(await page.locator('.histogram button').count(), 7, `steps of ${layer}`);
    }
    await page.getByLabel('Order of cases').selectOption('layer');
    await page.click('.histogram button:first-child');
    assert.match(await tally(page), /^\d+ of 40 cases$/);
    await page.reload();
    await settled(page);
    assert.equal(await box.inputValue(), 'spread', 'the address has the layer');
    await box.selectOption('');
    assert.doesNotMatch(page.url(), /layer=/);
    await page.getByLabel('Order of cases').selectOption('suite');
    assert.equal(await said(), score);
  });
}

async function blanksStandBesideEachOther(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(OTHERS.blanks);
    assert.ok((await page.locator('.aligned tbody tr').count()) > 1, 'a line a blank');
    assert.equal(await page.locator('.aligned >> nth=0 >> thead th').count(), 4);
  });
}

async function liveRunGoesOn(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go('#/run/live');
    await page.waitForFunction(
      () => /new, sort again/.test(document.querySelector('.live-run')?.textContent || ''),
      null,
      { timeout: 5000 },
    );
    assert.match(await page.title(), /^\d+ % · /);
    assert.match(await page.textContent('.live-run'), /This run is in progress.* of 2,400/);
    tools.server.data.state.isLeft = true;
    await page.waitForFunction(() => /Nobody works on this run/.test(document.querySelector('.live-run').textContent));
    tools.server.data.state.isLeft = false;
    await go(ADDRESSES.runs);
    assert.match(await page.textContent('main'), /in progress: 1,800 of 2,400/);
    assert.equal(tools.server.data.state.listening, 0, 'who left the page does not listen on');
  });
}

// A stream that breaks is taken up again behind what was heard last; a token that no longer opens ends it.
async function brokenStreamGoesOn(tools) {
  await withPage(tools, { allowed: /ERR_INCOMPLETE_CHUNKED_ENCODING|status of 403/ }, async (page, go) => {
    const { state, breakStreams } = tools.server.data;
    state.heardLast = [];
    await go('#/run/live');
    await page.waitForFunction(() => /in progress/.test(document.querySelector('.live-run')?.textContent || ''));
    breakStreams();
    await page.waitForFunction(() => /of 2,400/.test(document.querySelector('.live-run').textContent));
    for (let tenths = 0; tenths < 100 && state.heardLast.length < 2; tenths++) await page.waitForTimeout(100);
    assert.equal(state.heardLast[0], undefined);
    assert.match(state.heardLast[1], /^mark-\d+$/);
    await page.evaluate(() => localStorage.setItem('assay-token', 'of another server'));
    breakStreams();
    await page.waitForSelector('.state h1', { timeout: 15000 });
    assert.match(await page.textContent('.state'), /open the address/);
  });
}

// Another address, put into a page that is open, brings its token.
async function addressIsPutIntoOpenPage(tools) {
  await withPage(tools, { token: 'of another server', allowed: /status of 403/ }, async (page) => {
    await page.goto(`${tools.server.url}/#/runs`);
    await page.waitForSelector('.state h1');
    await page.evaluate((token) => (location.hash = `#/runs&token=${token}`), TOKEN_FOR_ONCE);
    await page.waitForFunction(() => /Garden letters/.test(document.querySelector('main').textContent));
    assert.doesNotMatch(page.url(), /token/);
    await page.evaluate(() => (location.hash = '#/runs&token=wrong'));
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => localStorage.getItem('assay-token')), TOKEN, 'a wrong one displaces none');
  });
}

async function statesAreTold(tools) {
  const { state } = tools.server.data;
  await withPage(tools, { allowed: NOT_FOUND }, async (page, go) => {
    state.empty = true;
    await go('#/runs');
    state.empty = false;
    assert.match(await page.textContent('main'), /This folder holds no run\./);
    assert.match(await page.textContent('main'), /assay init blueprint hello\.yml/);
    await go('#/run/nowhere');
    assert.match(await page.textContent('main'), /There is no such run\./);
    assert.match(await page.textContent('main'), /assay runs/, 'the remedy is named');
    await go('#/nonsense/page');
    assert.match(await page.textContent('main'), /There is no such page\./);
    await go(OTHERS.unreadable);
    assert.match(await page.textContent('main'), /assay doctor almanac-suite\.yml/);
    assert.match(await page.textContent('main'), /its pages are pictures/);
    await go(OTHERS['not-assessable']);
    assert.match(await page.textContent('main'), /Not assessable/);
    await go(`${OTHERS['not-assessable']}?a=research&b=lean`);
    assert.match(await page.textContent('main'), /Not stored: nothing was kept/);
    await go(OTHERS.gone);
    assert.match(await page.textContent('main'), /Not found/);
  });
}

async function oneFieldThatIsBrokenBreaksOnePlace(tools) {
  const { runs } = tools.server.data;
  const made = runs.get('middle');
  const whole = made.run;
  made.run = {
    ...whole,
    errors: null,
    factors: null,
    tags: null,
    trust: null,
    hardest: null,
    split: undefined,
    statistics: { ...whole.statistics, factors: null, judges: null },
  };
  try {
    await withPage(tools, {}, async (page, go) => {
      await go('#/run/middle');
      assert.match(await tally(page), /300 of 300/);
    });
  } finally {
    made.run = whole;
  }
}

// ---- safety

async function nobodyMakesHtml(tools) {
  await withPage(tools, { allowed: /TrustedHTML|Trusted Type/ }, async (page, go) => {
    await go(ADDRESSES.runs);
    const thrown = await page.evaluate(() => {
      try {
        document.createElement('p').innerHTML = '<b>x</b>';
        return '';
      } catch (error) {
        return error.name;
      }
    });
    assert.equal(thrown, 'TypeError', 'innerHTML throws');
  });
}

async function hostileTextsAreTexts(tools) {
  await withPage(tools, {}, async (page, go) => {
    const { rows } = tools.server.data.runs.get('hostile');
    for (const address of [
      '#/run/hostile',
      '#/run/hostile/cost',
      '#/run/hostile?q=constructor:x',
      '#/run/hostile?unit=variants',
      '#/compare/hostile,hostile',
      ...rows.map((each) => `#/run/hostile/case/${encodeURIComponent(each.id)}`),
      ...rows.slice(0, 4).map((each) => `#/run/hostile/case/${encodeURIComponent(each.id)}?raw=1&view=attempts`),
    ]) {
      const began = Date.now();
      await go(address);
      assert.ok(Date.now() - began < 3000 * SLOWER, `${address.slice(0, 60)} opens`);
      const found = await page.evaluate(() => ({
        hurt: window.hurt,
        strangers: document.querySelectorAll(
          'main script, iframe, main link, main style, object, embed, main img, main meta, main form, a[href^="javascript:" i]',
        ).length,
        links: [...document.querySelectorAll('a')]
          .map((each) => each.getAttribute('href'))
          .filter((each) => !each.startsWith('#')),
        hidden: /[\u0000-\u0008\u001b\u034f\u115f\u202a-\u202e\u2066-\u2069\u200b\u3164\ufeff]/.test(
          document.body.innerText,
        ),
        isError: Boolean(document.querySelector('.state h1')),
        sideways: Math.max(0, document.documentElement.scrollWidth - innerWidth),
        title: /[\u001b\u202e\u2066]/.test(
          document.title + (document.querySelector('#matrix-cell')?.textContent || ''),
        ),
        named: [...document.querySelectorAll('[aria-label],[title]')].some((each) =>
          /[\u001b\u202e\u2066]/.test(each.getAttribute('aria-label') + each.getAttribute('title')),
        ),
        size: document.body.innerText.length,
      }));
      assert.deepEqual(
        { ...found, size: 0 },
        {
          hurt: undefined,
          strangers: 0,
          links: [],
          hidden: false,
          isError: false,
          sideways: 0,
          title: false,
          named: false,
          size: 0,
        },
        address.slice(0, 80),
      );
      assert.ok(found.size < 1500000, `a long line is cut: ${found.size}`);
    }
    await go(`#/run/hostile/case/${encodeURIComponent(rows[5].id)}`);
    const more = page.locator('.more:visible').first(); // the question is folded on a phone
    assert.match(await more.textContent(), /4,990,000 more characters/);
    await more.click();
    assert.match(await more.textContent(), /4,890,000 more characters/);
    await go(`#/run/hostile/case/${encodeURIComponent(rows[3].id)}`);
    assert.ok((await page.locator('.hidden-character').count()) > 4, 'characters that cannot be seen have names');
  });
  return `${HOSTILE.length} texts`;
}

async function linksCarryNoSecrets(tools) {
  await withPage(tools, { token: '' }, async (page) => {
    await page.goto(`${tools.server.url}/#token=${TOKEN_FOR_ONCE}`);
    await settled(page);
    assert.equal(await page.locator('.state h1').count(), 0, 'the token opens');
    assert.doesNotMatch(page.url(), /token/, 'the token leaves the address');
    await visit(page, `${tools.server.url}/#/run/${RUN}?q=frost&secret=1`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('y');
    await page.waitForFunction(() => /copied/.test(document.getElementById('status').textContent));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /q=frost/);
    assert.doesNotMatch(copied, /secret/);
  });
}

// ---- speed

async function largeRunsOpenAtOnce(tools) {
  const said = [];
  await withPage(tools, {}, async (page, go) => {
    for (const [run, limit] of [
      ['middle', 1000],
      ['large', 1000],
    ]) {
      await go(ADDRESSES.runs);
      const ms = await page.evaluate(async (id) => {
        const began = performance.now();
        location.hash = `#/run/${id}`;
        await new Promise((resolve) => {
          const look = () =>
            / of /.test(document.querySelector('.where .tally')?.textContent || '')
              ? resolve(0)
              : setTimeout(look, 5);
          look();
        });
        return performance.now() - began;
      }, run);
      said.push(`${run} ${Math.round(ms)} ms`);
      assert.ok(ms <= limit * SLOWER, `${run} opens in ${ms} ms`);
    }
    const asked = tools.server.data.state.asked.length;
    const times = await page.evaluate(async () => {
      const select = /** @type {any} */ (document.querySelector('select[aria-label="Order of cases"]')),
        field = /** @type {any} */ (document.querySelector('.field'));
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
      const scroller = document.querySelector('.scroller'),
        frames = [];
      for (let at = 0; at < 30; at++) {
        scroller.scrollTop += 997;
        const began = performance.now();
        await new Promise(requestAnimationFrame);
        frames.push(performance.now() - began);
      }
      return { sort, filter, frame: Math.round(frames.sort((a, b) => a - b)[15]) };
    });
    said.push(`sort ${times.sort}, filter ${times.filter}, frame ${times.frame} ms`);
    assert.deepEqual(
      tools.server.data.state.asked.slice(asked).filter((each) => !/case\/|favicon/.test(each)),
      [],
      'sorting and filtering ask nothing',
    );
    const labels = await page.locator('.labels a').count();
    assert.ok(labels <= 80, `${labels} rows of labels`);
  });
  return said.join(', ');
}

export const TESTS = {
  modules_are_joinable: { test: modulesAreJoinable, smoke: true },
  types_hold: { test: typesHold },
  every_page_stands: { test: everyPageStands },
  nothing_is_inaccessible: { test: nothingIsInaccessible },
  fingers_hit_what_is_pressed: { test: fingersHitWhatIsPressed },
  filters_and_history: { test: atEverySize(filtersAndHistory), smoke: true },
  keys_work: { test: atEverySize(keysWork) },
  table_twin_is_the_same: { test: tableTwinIsTheSame },
  comparing_shows_both_answers: { test: atEverySize(comparingShowsBothAnswers) },
  matches_are_marked: { test: matchesAreMarked },
  long_texts_are_read: { test: longTextsAreReadFromTheirCase },
  cells_show_layers: { test: cellsShowLayers },
  blanks_stand_beside_each_other: { test: blanksStandBesideEachOther },
  live_run_goes_on: { test: atEverySize(liveRunGoesOn) },
  broken_stream_goes_on: { test: brokenStreamGoesOn },
  address_is_put_into_open_page: { test: addressIsPutIntoOpenPage },
  states_are_told: { test: atEverySize(statesAreTold) },
  one_broken_field_breaks_one_place: { test: oneFieldThatIsBrokenBreaksOnePlace },
  nobody_makes_html: { test: nobodyMakesHtml, smoke: true },
  hostile_texts_are_texts: { test: atEverySize(hostileTextsAreTexts) },
  links_carry_no_secrets: { test: linksCarryNoSecrets },
  large_runs_open_at_once: { test: largeRunsOpenAtOnce },
  ...VIEW_STATES,
  ...EXPLAINED_WORDS,
  pages_are_as_approved: { test: pagesAreAsApproved },
};
