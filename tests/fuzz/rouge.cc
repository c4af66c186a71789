// Any two texts for ROUGE: all scores in [0, 1], 1 for a text with words against itself, F between precision
// and recall. Input: the reference, a zero byte, the answer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "checks/code/rouge.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(rouge)(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view reference_text = input.substr(0, input.find('\0'));
  const std::string_view answer_text = input.substr(std::min(reference_text.size() + 1, input.size()));
  const assay::RougeReference reference(reference_text);
  for (const assay::RougeScore& score : reference.Score(assay::RougeWords(answer_text))) {
    ASSAY_ASSERT(score.precision >= 0 && score.precision <= 1 && score.recall >= 0 && score.recall <= 1);
    ASSAY_ASSERT(score.f >= 0 && score.f <= 1);
  }
  const assay::RougeWords same(reference_text);
  const assay::RougeScores scores = reference.Score(same);
  ASSAY_ASSERT(same.size() == 0 || (scores[0].f == 1 && scores[2].f == 1));
  return 0;
}
