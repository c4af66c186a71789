// Tests of what is taken out of an answer as its code, in words.
#include "checks/code/code_blocks.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("what an author may not expect to be taken for code is said") {
  const LanguageRow& python = *FindLanguage("python");
  struct Row {
    const char* answer;
    const char* words;
  };
  const Row rows[] = {
      {"Here:\n```python\nx = 1\n```\n", ""},
      {"x = 1", "no code was found (the answer has no fence), so the whole answer was run"},
      {"Here:\n```python\nx = 1\n",
       "no code was found (its fence is never closed), so the whole answer was run"},
      {"~~~python\nx = 1\n~~~", "no code was found (only fences of ``` count), so the whole answer was run"},
      {"1. So:\n\n   ```python\n   x = 1\n   ```", "the block was run unchanged, with its indentation"},
      {"```python\nx = 1\n```\nor\n```javascript\nx = 1\n```",
       "2 blocks were joined, one of them javascript"},
      {"```py\nx = 1\n```\nand\n```\ny = 1\n```", "2 blocks were joined"},
      {"```js\na\n```\n```c\nb\n```\n```Python3\nc\n```",
       "3 blocks were joined, 2 of them in other languages"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.answer);
    CHECK(TakenWords(python, row.answer, FencedCode::kAll) == row.words);
  }
  CHECK(TakenWords(python, "```\na\n```\n```\nb\nc\n```", FencedCode::kOnlyLongest) ==
        "the longest of 2 blocks was run");
}

TEST_CASE("only blocks of the language count where the suite asks for them") {
  const LanguageRow& python = *FindLanguage("python");
  const std::string shell = "```bash\npip install x\n```\n";
  struct Row {
    std::string answer;
    FencedCode which;
    const char* code;
    const char* words;
  };
  const Row rows[] = {
      {shell + "```python\na\n```", FencedCode::kOfLanguage, "a", "of 2 blocks the one in python was run"},
      {shell + "```py\na\n```\n```Python3\nb\nc\n```", FencedCode::kOfLanguage, "a\n\nb\nc",
       "2 blocks were joined"},
      {shell + "```py\na\n```\n```Python3\nb\nc\n```", FencedCode::kLongestOfLanguage, "b\nc",
       "the longest of 3 blocks, of those in python, was run"},
      {shell + "```\na\n```", FencedCode::kOfLanguage, "a", "of 2 blocks the one in python was run"},
      {"```\nb\n```\n```python\na\n```", FencedCode::kOfLanguage, "a",
       "of 2 blocks the one in python was run"},
      {shell, FencedCode::kOfLanguage, "", "no code was found (no block is in python)"},
      {shell + "```js\na\n```", FencedCode::kLongestOfLanguage, "",
       "no code was found (no block is in python)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.answer);
    CHECK(ExtractCode(python, row.answer, row.which) == row.code);
    CHECK(TakenWords(python, row.answer, row.which) == row.words);
  }
}

}  // namespace
}  // namespace assay
