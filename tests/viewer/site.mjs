// The documents as a site (tools/site), opened from its files in Chromium: the search finds "rate limit", each page of the
// first one's menu opens, and nothing is asked of another host.
//   node tests/viewer/site.mjs FOLDER SITE
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, openPage } from './browser.mjs';

const [folder, site] = process.argv.slice(2).map((each) => resolve(each));
const address = (path) => pathToFileURL(`${site}/${path}`).href;
const browser = await openBrowser(folder);
const { page, faults } = await openPage(browser);
try {
  await page.goto(address('index.html'));
  assert.match(await page.title(), /assay/);

  await page.click('.md-search__input');
  await page.keyboard.type('rate limit', { delay: 30 });
  await page.waitForSelector('.md-search-result__item a', { timeout: 20000 });
  const found = await page.$$eval('.md-search-result__item a', (links) => links.map((link) => link.href.split('#')[0]));
  assert.ok(found.some((link) => link.includes('/limits.html')), `"rate limit" finds ${found}`);
  await page.click('.md-search-result__item a[href*="limits.html"]');
  await page.waitForURL(/limits\.html/);

  await page.goto(address('index.html'));
  const links = await page.$$eval('.md-tabs a', (each) => each.map((link) => link.href));
  assert.ok(links.length >= 5, `the kinds of documents are ${links}`);
  for (const link of links) {
    await page.goto(link);
    assert.ok((await page.textContent('h1')).trim(), `${link} has no title`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address('blueprint.html'));
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(sideways <= 0, `a page is ${sideways} px too wide on a phone`);
  assert.deepEqual(faults, [], 'the browser says something');
} finally {
  await browser.close();
}
console.log('the site opens from its files, and "rate limit" is found');
