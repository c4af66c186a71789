// What the browser keeps for this page's host and port: what the reader chose, and the token.

/** @param {string} name @returns {string | null} */
export function keptFor(name) {
  try {
    return localStorage.getItem(`assay-${name}`);
  } catch {
    return null;
  }
}

/**
 * Other documents of this origin hear of the change, and the address of the document that made it. One that the browser
 * has kept of another server would learn the folder of the pages, so a blank frame makes it.
 * @param {string} name @param {string} value
 */
export function keepFor(name, value) {
  const blank = document.createElement('iframe');
  blank.hidden = true;
  document.documentElement.append(blank);
  try {
    blank.contentWindow?.localStorage.setItem(`assay-${name}`, value);
  } catch {
    /* a page from a file may keep nothing */
  } finally {
    blank.remove();
  }
}
