// Pictures of every page: light, dark and on a phone, compared with the approved ones of docs/viewer.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage, visit } from './browser.mjs';
import { TOKEN } from './server.mjs';
import { smallPng } from './small_png.mjs';

const LOOKS = [
  { look: 'light', width: 1440, height: 900, theme: 'light' },
  { look: 'dark', width: 1440, height: 900, theme: 'dark' },
  { look: 'phone', width: 390, height: 844, theme: 'light' },
];
const SHOWN = { race: 'section:has(svg.race)' }; // what a picture is about if it is not at the top
const SHARE_OF_PIXELS_MAX = 0.001;
const CHANNEL_STEPS_MAX = 24; // smaller differences of a colour are smoothing

// The same picture with fewer colours; the browser reads it.
async function smaller(page, picture, width, height) {
  const base64 = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const parts = [];
    for (let at = 0; at < data.length; at += 30000)
      parts.push(String.fromCharCode(...data.subarray(at, at + 30000)));
    return btoa(parts.join(''));
  }, picture.toString('base64'));
  return smallPng(width, height, Buffer.from(base64, 'base64'));
}

// The share of pixels that differ, counted by the browser: it reads PNG already.
function differingShare(page, approved, taken) {
  return page.evaluate(
    async ({ pictures, most }) => {
      const [a, b] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext('2d');
          context.drawImage(bitmap, 0, 0);
          return context.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (a.width !== b.width || a.height !== b.height) return 1;
      let differ = 0;
      for (let at = 0; at < a.data.length; at += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > most)) differ++;
      }
      return differ / (a.width * a.height);
    },
    { pictures: [approved, taken].map((each) => each.toString('base64')), most: CHANNEL_STEPS_MAX },
  );
}

/** @param {any} tools @param {Record<string, string>} addresses */
export async function comparePictures({ root, folder, browser, server, isApproving }, addresses) {
  const approved = join(root, 'docs', 'viewer'),
    made = join(folder, 'pictures');
  mkdirSync(made, { recursive: true });
  const different = [];
  const counter = await openPage(browser);
  for (const { look, width, height, theme } of LOOKS) {
    const { page, close } = await openPage(browser, { width, height, theme, token: TOKEN });
    for (const [name, address] of Object.entries(addresses)) {
      await visit(page, `${server.url}/${address}`);
      if (SHOWN[name]) await page.locator(SHOWN[name]).evaluate((part) => part.scrollIntoView({ block: 'end' }));
      await page.waitForTimeout(200);
      const taken = await page.screenshot({ caret: 'hide', animations: 'disabled' });
      const file = `${name}-${look}.png`;
      writeFileSync(join(made, file), taken);
      if (isApproving) writeFileSync(join(approved, file), await smaller(counter.page, taken, width, height));
      else if (!existsSync(join(approved, file))) different.push(`${file} is not approved`);
      else {
        const share = await differingShare(counter.page, readFileSync(join(approved, file)), taken);
        if (share > SHARE_OF_PIXELS_MAX) different.push(`${file}: ${(share * 100).toFixed(2)} % of pixels differ`);
      }
    }
    await close();
  }
  await counter.close();
  assert.deepEqual(different, [], `taken: ${made}; after a look, approve with --approve`);
  return `${Object.keys(addresses).length * LOOKS.length} pictures`;
}
