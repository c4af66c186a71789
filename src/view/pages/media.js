// Parts of messages that are no text: pictures are shown, other files are named.
import { el, foreignLine } from './dom.js';
import { size } from './format.js';

const SHOWN_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** @param {import('./data.js').Source} source @param {string} run @param {any[] | null | undefined} media */
export function mediaOf(source, run, media) {
  return (media || []).map((each) => {
    const isHere = Boolean(each.data || (each.is_stored && !source.isFile));
    const caption = [each.kind, ' ', foreignLine(each.name || '', 60), each.bytes ? `, ${size(each.bytes)}` : ''];
    if (!SHOWN_TYPES.includes(each.type) || !isHere) return el('p.media', caption, !isHere && ' (not stored)');
    const image = el('img', {
      src: each.data,
      alt: each.name ? `picture ${each.name}` : 'picture',
      loading: 'lazy',
    });
    const path = `text/${encodeURIComponent(each.sha256)}?run=${encodeURIComponent(run)}`;
    if (!each.data) showLater(image, source, path, each.type);
    return el('figure.media', image, el('figcaption.small.soft', caption));
  });
}

// Asks for the picture when it comes near to being seen.
function showLater(image, source, path, type) {
  const seen = new IntersectionObserver(
    async ([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      try {
        const address = await source.picture(path, type);
        image.addEventListener('load', () => URL.revokeObjectURL(address), { once: true });
        image.setAttribute('src', address);
      } catch {
        /* its alternative text stands there */
      }
    },
    { rootMargin: '500px' },
  );
  seen.observe(image);
}
