// What a reader has chosen is in the address, and what a filter cannot answer is said. Tests as in tests.mjs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settled, withPage } from './browser.mjs';

const RUN = '#/run/20261122T022100-53af';
const tally = (page) => page.textContent('.tally');

// Errors of points were linked by a filter that nobody knew: the link showed no case.
async function linksOfConditionsAreUnderstood(tools) {
  const folder = join(tools.root, 'src', 'report', 'values', 'pages');
  const filters = readdirSync(folder)
    .filter((each) => each.endsWith('.cc'))
    .flatMap((each) => [...readFileSync(join(folder, each), 'utf8').matchAll(/"\?q=([^"]+)"/g)])
    .map((each) => each[1]);
  assert.ok(filters.includes('point:error'), `${filters}`);
  const middle = tools.server.data.runs.get('middle');
  middle.bits[7 * middle.run.variants.length + 2] |= 8;
  try {
    await withPage(tools, {}, async (page, go) => {
      await go('#/run/middle?q=point:error');
      assert.equal(await tally(page), '1 of 300 cases');
      for (const filter of filters) {
        const parsed = await page.evaluate(
          async (text) => (await import('/cells.js')).parseFilter(text),
          filter,
        );
        assert.equal(parsed.tests.length, 1, `${filter} is a test of cells`);
        assert.deepEqual([parsed.unknown, parsed.asked], [[], []], filter);
      }
    });
  } finally {
    middle.bits[7 * middle.run.variants.length + 2] &= ~8;
  }
  return `${filters.length} filters`;
}

async function choicesOutliveReloadAndBack(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(RUN);
    await page.click('.histogram button >> nth=1');
    const left = await tally(page);
    assert.notEqual(left, '40 of 40 cases');
    await page.click('text=As table');
    await page.waitForURL(/bins=1/, { timeout: 5000 });
    await page.waitForURL(/as=table/, { timeout: 5000 });
    const stands = async (how) => {
      await settled(page);
      assert.equal(await tally(page), left, `${how}: steps of the legend`);
      assert.ok(await page.isVisible('.twin tbody'), `${how}: as a table`);
      assert.ok(!(await page.isVisible('.matrix')), `${how}: and no map`);
      assert.equal(await page.getByRole('button', { name: 'As table' }).getAttribute('aria-pressed'), 'true', how);
    };
    await page.reload();
    await stands('reload');
    await page.click('.twin tbody a');
    await page.waitForFunction(() => document.querySelector('.case-grid'));
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.where .twin'));
    await stands('back');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    assert.doesNotMatch(page.url(), /bins=/);
    await go(`${RUN}?layer=ms&bins=0,6`);
    const ofLayer = await tally(page);
    assert.notEqual(ofLayer, '40 of 40 cases', 'steps of a layer');
    await page.getByLabel('What cells show').selectOption('');
    assert.doesNotMatch(page.url(), /bins=/, 'steps of a layer are none of scores');
  });
}

// The table stood at the first sixty rows, whatever was in sight, and had no way on.
async function tableHasEveryRow(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go('#/run/middle?as=table&order=suite');
    assert.equal(await page.locator('.twin tbody tr').count(), 300, '300 rows of 6 are no page but all');
    assert.ok(!(await page.isVisible('text=Rows after')));
    await go('#/run/large?as=table&order=suite');
    const first = () => page.textContent('.twin tbody th');
    const began = await first();
    const rows = await page.locator('.twin tbody tr').count();
    assert.equal(await page.getAttribute('.twin', 'aria-rowcount'), '20001');
    assert.ok(await page.isDisabled('text=Rows before'));
    await page.click('text=Rows after');
    assert.equal(await page.getAttribute('.twin tbody tr', 'aria-rowindex'), String(rows + 2));
    assert.notEqual(await first(), began);
    const second = await first();
    await page.reload();
    await settled(page);
    assert.equal(await first(), second, 'the address has the place');
    await page.getByLabel('from row').fill('20000');
    await page.keyboard.press('Enter');
    assert.equal(await page.getAttribute('.twin tbody tr:last-child', 'aria-rowindex'), '20001', 'to the last row');
    assert.ok(await page.isDisabled('text=Rows after'));
    const chosen = await page.textContent('.twin tr[aria-current] th');
    await page.click('text=As table');
    assert.ok((await page.locator('.labels a').allTextContents()).includes(chosen), 'the map stands where the table did');
  });
}

async function filtersSayWhatTheyCannot(tools) {
  const { data } = tools.server;
  await withPage(tools, { allowed: /status of 400/ }, async (page, go) => {
    await go(RUN);
    await page.fill('.field', 'model:alder');
    assert.equal(await tally(page), '40 of 40 cases');
    await page.click('text=As table');
    const heads = await page.locator('.twin thead th').allTextContents();
    assert.ok(heads.length === 5 && heads.slice(1).every((each) => /^Alder 2/.test(each)), `its columns: ${heads}`);
    await page.fill('.field', 'model:"alder 2" score:<20');
    const low = await tally(page);
    await page.fill('.field', 'score:<20');
    assert.notEqual(await tally(page), low, 'a score of that model');
    await page.fill('.field', 'model:nobody');
    assert.match(await page.textContent('main'), /No model is called nobody\./);
    assert.equal(await tally(page), '40 of 40 cases');
    await page.fill('.field', 'state:eror');
    assert.match(await page.textContent('main'), /Not understood: state:eror/);
    data.state.refusesFind = true;
    await page.fill('.field', 'answer:frost');
    await page.waitForFunction(() => /too many answers/.test(document.querySelector('main').textContent));
    assert.equal(await tally(page), '40 of 40 cases', 'nothing is hidden for want of an answer');
    data.state.refusesFind = false;
    await page.fill('.field', 'answer:root-rot');
    await page.waitForFunction(() => document.querySelector('.tally').textContent === '1 of 40 cases');
  });
}

// A link into a long document opened its beginning alone, whatever place it named.
async function longDocumentsOpenAtTheirPlace(tools) {
  const { documents } = tools.server.data.runs.get('almanac-suite');
  const before = `${'m'.repeat(99)}\n`.repeat(6000),
    far = before.length;
  const moved = (each) => ({ ...each, from: each.from + far, to: each.to + far });
  const { almanac } = documents;
  documents.long = {
    ...almanac,
    id: 'long',
    text: before + almanac.text,
    bytes: far + almanac.bytes,
    pages: [
      { number: 1, from: 0, to: 300000 },
      { number: 2, from: 300000, to: far },
      ...almanac.pages.map(moved).map((each, at) => ({ ...each, number: at + 3 })),
    ],
    spans: [
      { kind: 'needed', from: 100, to: 140, text: 'm', cells: [] },
      ...almanac.spans.map(moved),
      { kind: 'retrieved', from: 280000, to: 280050, text: 'm', cells: [] },
    ],
  };
  const needed = moved(almanac.spans.find((each) => each.kind === 'needed'));
  const current = (page) =>
    page.evaluate(() => {
      const pieces = [...document.querySelectorAll('.pages .span.current')];
      const boxes = pieces.map((each) => each.getBoundingClientRect());
      return {
        text: pieces.map((each) => each.textContent).join(''),
        isSeen: boxes.every((box) => box.top > 0 && box.bottom < innerHeight),
      };
    });
  try {
    await withPage(tools, {}, async (page, go) => {
      await go(`#/run/almanac-suite/doc/long?at=${needed.from}-${needed.to}`);
      assert.deepEqual(
        await current(page),
        { text: 'a depth of 12 cm', isSeen: true },
        'a link opens at its passage',
      );
      await page.keyboard.press('n');
      await page.waitForFunction(() => /at=100-140/.test(location.hash));
      await settled(page);
      assert.equal((await current(page)).text.length, 40, 'back to the beginning, by a key');
      await page.click('.span-list li:last-child .tag');
      await settled(page);
      assert.ok((await current(page)).isSeen && (await current(page)).text.length > 4, 'and far on, by the list');
      await page.keyboard.press('ArrowUp');
      await page.click('.span-list li:nth-child(2) .tag');
      await page.waitForFunction(() => /at=280000-/.test(location.hash));
      await settled(page);
      assert.equal((await current(page)).text.length, 50);
      await page.click('text=/^Read back/');
      await page.waitForFunction(() => !/Read back/.test(document.querySelector('main').textContent));
      await page.click('text=/^Read on/');
      await page.waitForFunction(() => !/Read on/.test(document.querySelector('main').textContent));
      assert.match(await page.textContent('.pages'), /a depth of /, 'ends join on');
    });
  } finally {
    delete documents.long;
  }
}

// On a phone, what answers "is it certain" was hidden: intervals of effects, the distance to the first, cells not scored.
async function nothingCertainIsHidden(tools) {
  const hidden = () =>
    [...document.querySelectorAll('main *')]
      .filter((each) => {
        const own = [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join('');
        const isDrawn = innerWidth >= 600 && each.closest('.interval-text'); // by the dot beside it
        const says = /95 %|[−\d] ?to ?[−\d]|unclear|to rank 1/.test(own) || each.closest('.minor');
        const isApart = each.closest('.sr, svg, details:not([open]), option, thead, .wide-only');
        return says && own.trim() && !isApart && !isDrawn && !each.checkVisibility();
      })
      .map((each) => `${each.className} ${each.textContent.slice(0, 60)}`);
  for (const width of [320, 390, 700]) {
    await withPage(tools, { width, height: 844 }, async (page, go) => {
      for (const address of [RUN, `${RUN}?unit=variants`, '#/runs', `${RUN}/cost`, '#/board/garden']) {
        await go(address);
        const where = `${address} at ${width} px`;
        const isTable = width >= 600 && /runs$|cost/.test(address); // minor columns of tables, at 900 px
        if (!isTable) assert.deepEqual(await page.evaluate(hidden), [], where);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(sideways <= 0, `${where} scrolls sideways by ${sideways}`);
      }
      await go(RUN);
      assert.match(await page.textContent('.ranking'), /95 %: \d+ to \d+/);
      assert.ok(await page.isVisible('.effect .number small >> nth=0'));
      assert.ok(await page.isVisible('.ranking td.gap >> nth=1'));
      assert.ok(await page.isVisible('.ranking tbody .state-count:visible >> nth=0'), 'what was not scored');
    });
  }
  await withPage(tools, { width: 390, height: 844 }, async (page, go) => {
    await go('#/runs');
    for (const part of ['.leader .interval-text', '.minor >> nth=0', '.minor >> nth=2'])
      assert.ok(await page.isVisible(`.runs tbody ${part}`), part);
  });
}

async function raceIsDrawnAndTold(tools) {
  for (const width of [390, 1440]) {
    await withPage(tools, { width, height: 900 }, async (page, go) => {
      await go('#/run/race');
      const { races } = tools.server.data.runs.get('race').run;
      const drawn = await page.evaluate(() => ({
        label: document.querySelector('svg.race').getAttribute('aria-label'),
        lines: document.querySelectorAll('svg.race .upper').length,
        crosses: document.querySelectorAll('svg.race .cross').length,
        outside: [...document.querySelectorAll('svg.race text')].filter(
          (each) => each.getBoundingClientRect().right > innerWidth || each.getBoundingClientRect().left < 0,
        ).length,
      }));
      assert.match(drawn.label, /^Bounds over 150 of 400 cases\. Alder 2: first; Birch 1: dropped after 150 cases/);
      assert.deepEqual([drawn.lines, drawn.crosses, drawn.outside], [4, 4, 0], `at ${width} px`);
      await page.locator('section:has(svg.race) summary').click();
      const rows = await page.locator('section:has(svg.race) tbody tr').allTextContents();
      assert.equal(rows.length, races[0].lines.length);
      assert.match(rows[4], /^Rowan mini40.*dropped after 40 cases: Alder 2 leads it$/);
      assert.match(await page.textContent('.verdict, main'), /150 of 400 cases \(stopped: decided\)/);
      assert.equal(await page.locator('.ranking td.gap').count(), 0, 'no differences of a run that was stopped');
    });
  }
}

export const VIEW_STATES = {
  race_is_drawn_and_told: { test: raceIsDrawnAndTold },
  links_of_conditions_are_understood: { test: linksOfConditionsAreUnderstood },
  choices_outlive_reload_and_back: { test: choicesOutliveReloadAndBack },
  table_has_every_row: { test: tableHasEveryRow },
  long_documents_open_at_their_place: { test: longDocumentsOpenAtTheirPlace },
  nothing_certain_is_hidden: { test: nothingCertainIsHidden },
  filters_say_what_they_cannot: { test: filtersSayWhatTheyCannot },
};
