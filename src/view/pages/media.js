// Parts of messages that are no text: pictures are shown, other files are named.
import { el, foreignLine } from './dom.js';
import { size } from './format.js';

const SHOWN_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** @param {import('./data.js').Source} source @param {string} run @param {any[] | null | undefined} media */
export function mediaOf(source, run, media) {
  return (media || []).map((each) => {
    const address =
      each.data ||
      (each.is_stored && !source.isFile
        ? `/api/1/text/${encodeURIComponent(each.sha256)}?run=${encodeURIComponent(run)}`
        : '');
    const caption = [each.kind, ' ', foreignLine(each.name || '', 60), each.bytes ? `, ${size(each.bytes)}` : ''];
    if (!SHOWN_TYPES.includes(each.type) || !address) return el('p.media', caption, !address && ' (not stored)');
    return el(
      'figure.media',
      el('img', { src: address, alt: each.name ? `picture ${each.name}` : 'picture', loading: 'lazy' }),
      el('figcaption.small.soft', caption),
    );
  });
}
