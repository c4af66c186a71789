// What the browser keeps for this page's host and port: what the reader chose, and the token.

/** @param {string} name @returns {string | null} */
export function keptFor(name) {
  try {
    return localStorage.getItem(`assay-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function keepFor(name, value) {
  try {
    localStorage.setItem(`assay-${name}`, value);
  } catch {
    /* a page from a file may keep nothing */
  }
}
