// The share of words that read the same from both ends.
const isPalindrome = (word) => word === [...word].reverse().join("");

exports.count = (output) => {
  const words = output.toLowerCase().split(" ");
  return words.filter(isPalindrome).length / words.length;
};
