// Extraction: the part of an answer that functions grade, found in steps: `extract:` of a suite
// (docs/datasets.md). Immutable once read; any thread. Each step is linear in the answer.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/text/text_range.h"
#include "text/value.h"

namespace assay {

struct ExtractRow;  // text/extract/steps.h

// What was found.
struct ExtractedPart {
  std::string text;
  TextRange where = {};  // in the answer; empty: it has no one place there
};

class Extraction {
 public:
  // A step, or a list of them: the first that finds something. An item that is a list is a chain, of which
  // each step reads what the one before it found. "none", and null, is the whole answer. kInvalidInput with
  // the place of what is wrong; a message in words, a hint behind a line end.
  static Result<Extraction> Read(const Value& value);

  // Whether it leaves every answer as it is.
  bool IsWhole() const;
  // Nothing: the answer has no such part. kLimit: a pattern took too long.
  Result<std::optional<ExtractedPart>> Find(std::string_view answer) const;

 private:
  struct Step {
    const ExtractRow* row = nullptr;  // null: the whole
    std::shared_ptr<const void> argument;
    std::size_t pick = 0;
  };
  using Chain = std::vector<Step>;
  struct Reader;
  static Result<std::optional<ExtractedPart>> Follow(const Chain& chain, std::string_view answer);

  std::vector<Chain> ways_;
};

}  // namespace assay
