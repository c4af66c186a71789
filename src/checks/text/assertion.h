// The assertions of research datasets (contains, regex), with the sentences that their results hold.
//   source  asky-cli 14f1a9e, evals/research_pipeline/assertions.py (spec: research, 3)
//   cases   golden research/assertions.jsonl
//   answer  UTF-8 with lone surrogates; the first 200 characters of it are part of a failure's sentence
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/text/text_range.h"

namespace assay {

struct Assertion {
  bool passed = false;
  std::string detail;
  TextRange where = {};  // of the answer; empty: nobody can tell
};

// Whether the text stands in the answer, letter by letter.
Assertion AssertContains(std::string_view text, std::string_view answer);
// Whether Python's re.search finds the pattern. One that does not compile is a failure in the words of
// Python's compiler, and so is an answer that takes too many steps. An error (kLimit): it is too large.
Result<Assertion> AssertRegex(std::string_view pattern, std::string_view answer);

}  // namespace assay
