// Words of evaluations are explained where a page first shows them, and mean what docs/glossary.md says. Tests as in
// tests.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settled, withPage } from './browser.mjs';

const RUN = '#/run/20261122T022100-53af';
// What each page has to explain, whatever else it does.
const WORDS_OF_PAGES = {
  [RUN]: ['Variant', 'Attempt', 'Interval', 'Rank range', 'Passed', 'Points'],
  [`${RUN}/case/root-rot`]: ['Case', 'Criterion', 'Attempt', 'Judge'],
  [`${RUN}/judges`]: ['Judge', 'Criterion', 'Points', 'Agreement (α)'],
  [`${RUN}/cost`]: ['Variant', 'Percentile', 'Interval'],
  '#/runs': ['Case', 'Variant', 'Interval'],
  '#/board/garden': ['Variant', 'Rank range', 'Interval'],
};

function meaningsOf(root) {
  const rows = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm);
  return new Map([...rows].map(([, word, meaning]) => [word, meaning.replace(/[*`]/g, '')]));
}

const explained = (page) =>
  page.$$eval('#main abbr[data-word]', (all) => all.map((each) => [each.dataset.word, each.title]));

async function wordsAreExplained(tools) {
  const meanings = meaningsOf(tools.root);
  let count = 0;
  await withPage(tools, {}, async (page, go) => {
    for (const [address, wanted] of Object.entries(WORDS_OF_PAGES)) {
      await go(address);
      const seen = await explained(page);
      const words = seen.map(([word]) => word);
      for (const word of wanted) assert.ok(words.includes(word), `${address} explains ${words}, not ${word}`);
      assert.equal(new Set(words).size, words.length, `${address}: once each: ${words}`);
      for (const [word, title] of seen) assert.equal(title, meanings.get(word), word);
      count += words.length;
    }
    await go(RUN);
    await page.getByRole('button', { name: /variants$/ }).first().click();
    await settled(page);
    const again = (await explained(page)).map(([word]) => word);
    assert.ok(again.includes('Rank range'), `a ranking that is drawn again explains its words: ${again}`);
    await page.keyboard.press('?');
    assert.match(await page.textContent('dialog'), /Words of this page.*a full score is 100 points/s);
  });
  return `${count} words`;
}

// What a model or a suite wrote is shown as it is.
async function answersStayAsTheyAre(tools) {
  await withPage(tools, {}, async (page, go) => {
    for (const address of Object.keys(WORDS_OF_PAGES)) {
      await go(address);
      const inside = await page.$$eval('.foreign abbr', (all) =>
        all.filter((each) => !each.closest('.verdict, .trust, .own')).map((each) => each.textContent),
      );
      assert.deepEqual(inside, [], address);
    }
  });
}

// Judges were shown by the name that result files have for them.
async function judgesHaveLabels(tools) {
  await withPage(tools, {}, async (page, go) => {
    await go(RUN);
    const labels = await page.evaluate(async () => {
      const { judgeLabel } = await import('/format.js');
      const names = ['holistic-a(openrouter:openai/gpt-4.1-mini)', 'standard-b(openai:gpt-4.1-mini)', 'c(x:other)'];
      return [judgeLabel(names[0]), names.map((each) => judgeLabel(each, names)), judgeLabel('judge-one')];
    });
    assert.deepEqual(labels, [
      'gpt-4.1-mini',
      ['holistic-a(openrouter:openai/gpt-4.1-mini)', 'standard-b(openai:gpt-4.1-mini)', 'other'],
      'judge-one',
    ]);
  });
}

export const EXPLAINED_WORDS = {
  words_are_explained: { test: wordsAreExplained, smoke: true },
  answers_stay_as_they_are: { test: answersStayAsTheyAre },
  judges_have_labels: { test: judgesHaveLabels },
};
