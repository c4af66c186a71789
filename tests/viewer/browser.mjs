// Chromium for the tests: Debian's program, driven by playwright-core. Where either is missing, the tests are skipped.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN } from './server.mjs';

export const SKIPPED = 77;

/** Ends the test as skipped, and says why. @param {string} why */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}

/** A package that was installed below the build folder. @param {string} folder @param {string} name */
export function installed(folder, name) {
  try {
    return createRequire(join(folder, 'package.json'))(name);
  } catch {
    return skip(`npm's ${name} is not in ${folder}: npm ci of tests/viewer could not be had`);
  }
}

// The fonts of approved pictures alone: with others on a machine, `serif` is another one.
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts/truetype/dejavu</dir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** @param {string} folder */
export async function openBrowser(folder) {
  const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((each) => existsSync(each));
  if (!program) skip('there is no chromium: apt-get install chromium fonts-dejavu');
  const { chromium } = installed(folder, 'playwright-core');
  const fonts = join(folder, 'fonts.conf');
  writeFileSync(fonts, FONTS);
  return chromium.launch({
    executablePath: program,
    env: { ...process.env, FONTCONFIG_FILE: fonts, TZ: 'UTC' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
    ],
  });
}

/**
 * A page that notes what must not happen: console messages, errors, requests to other hosts.
 * @param {any} browser @param {{width?: number, height?: number, theme?: 'light' | 'dark', token?: string}} [how]
 * `token`: of the server, as if it had been traded before
 */
export async function openPage(browser, { width = 1440, height = 900, theme = 'light', token = '' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  });
  if (token) await context.addInitScript((told) => localStorage.setItem('assay-token', told), token);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text().slice(0, 300)}`));
  page.on('pageerror', (error) => faults.push(`error: ${String(error.stack || error).slice(0, 500)}`));
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|file:|data:|blob:)/.test(request.url()))
      faults.push(`a request to ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

/** What a path of the API says, asked as the pages do. @param {any} page @param {string} path */
export const askedFrom = (page, path) =>
  page.evaluate(async (each) => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('assay-token')}` };
    return (await fetch(`api/1/${each}`, { headers })).json();
  }, path);

/** Waits until the page of an address stands. @param {any} page @param {string} address */
export async function visit(page, address) {
  const isOpen = page.url().split('#')[0] === address.split('#')[0];
  await page.goto(address);
  if (isOpen) await page.reload(); // another address after # alone does not read the page anew
  await settled(page);
}

/** @param {any} page */
export async function settled(page) {
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  await page.waitForTimeout(250);
}

const SECONDS_TO_START = 20;

/** `assay view` in a folder, and the address that it printed.
 * @param {{place: string, environment: object}} where @param {string[]} [words] */
export async function startedView({ place, environment }, words = []) {
  const server = spawn(process.env.ASSAY, ['view', ...words], {
    cwd: place,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (data) => {
      said += data;
    });
  for (let tenths = 0; tenths < SECONDS_TO_START * 10; tenths++) {
    const address = /http:\/\/127\.0\.0\.1:\d+\/\w+\/#\S*token=\S+/.exec(said);
    if (address) return { server, address: address[0] };
    await new Promise((done) => setTimeout(done, 100));
  }
  server.kill();
  throw new Error(`assay view says no address: ${said}`);
}

/** A page of the fixture's server, on which nothing may go wrong but what is `allowed`.
 * @param {any} tools `size`: of its window, where the test says none @param {any} how @param {(page: any, go: (address: string) => Promise<void>) => Promise<any>} act */
export async function withPage({ browser, server, size = {} }, how, act) {
  const opened = await openPage(browser, { token: TOKEN, ...size, ...how });
  try {
    await act(opened.page, (address) => visit(opened.page, `${server.url}/${address}`));
    const faults = opened.faults.filter((each) => !(how.allowed && how.allowed.test(each)));
    assert.deepEqual(faults, [], 'the browser says something');
  } finally {
    await opened.close();
  }
}
