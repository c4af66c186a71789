// The words of a text.
export const wordsOf = (text) => text.split(/\s+/).filter((word) => word !== "");
