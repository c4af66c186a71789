// Tests of the viewer's pages in a real browser, over the runs of fixture.mjs.
//   node tests/viewer/run.mjs FOLDER [--smoke] [--approve] [--only NAME]
// FOLDER has the npm packages of package.json. --smoke: two pages, no pictures. --approve: takes the pictures of
// docs/viewer anew; look at the difference.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './server.mjs';
import { openBrowser } from './browser.mjs';
import { TESTS } from './tests.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const [given, ...options] = process.argv.slice(2);
if (!given) throw new Error('usage: node tests/viewer/run.mjs FOLDER [--smoke] [--approve] [--only NAME]');
const folder = resolve(given);
const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : null;
const isSmoke = options.includes('--smoke');

const browser = await openBrowser(folder);
const server = await startServer(join(root, 'src', 'view', 'pages'));
const tools = { folder, root, browser, server, isSmoke, isApproving: options.includes('--approve') };
let failed = 0,
  run = 0;
for (const [name, { test, smoke }] of Object.entries(TESTS)) {
  if ((only && !name.includes(only)) || (isSmoke && !smoke)) continue;
  const began = Date.now();
  run++;
  try {
    const said = await test(tools);
    console.log(`ok      ${name} (${Date.now() - began} ms)${said ? `: ${said}` : ''}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack || error}`);
  }
}
await browser.close();
server.close();
if (run === 0) throw new Error('no test was run');
console.log(failed ? `${failed} of ${run} failed` : `${run} passed, in chromium ${browser.version()}`);
process.exit(failed ? 1 : 0);
