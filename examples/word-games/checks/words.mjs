// Whether the output has two words.
import { wordsOf } from "./split.mjs";

export default (output) => {
  const count = wordsOf(output).length;
  return { pass: count === 2, score: count === 2 ? 1 : 0, reason: `${count} words` };
};
