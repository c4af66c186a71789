// Any text in chunks of any size: all ways of cutting go forward, stay inside the text and leave no word out;
// whatever is asked of the index over them, it answers. Input: size, overlap, then the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "corpus/index/chunk.h"
#include "corpus/index/lexical_index.h"
#include "corpus/index/words.h"
#include "corpus/read/document.h"
#include "tests/fuzz/target.h"

namespace assay {
namespace {

void CheckSpans(std::string_view text, const std::vector<ChunkSpan>& spans, bool covers_all) {
  std::size_t begin = 0;
  std::size_t covered = 0;
  for (const ChunkSpan& span : spans) {
    ASSAY_ASSERT(span.begin >= begin && span.begin < span.end && span.end <= text.size());
    if (covers_all)
      ASSAY_ASSERT(TrimBlanks(text.substr(covered, std::max(span.begin, covered) - covered)).empty());
    begin = span.begin;
    covered = std::max(covered, span.end);
  }
  if (covers_all) ASSAY_ASSERT(TrimBlanks(text.substr(covered)).empty());
}

void CheckChunks(std::string_view input) {
  const auto size = static_cast<std::size_t>(static_cast<unsigned char>(input[0]));
  const auto overlap = static_cast<std::size_t>(static_cast<unsigned char>(input[1]));
  const DocumentText decoded = DecodePlainText(input.substr(2));
  const std::string_view text = decoded.text;
  const std::vector<ChunkSpan> sentences = ChunkBySentences(text, {.size = size, .overlap = overlap});
  CheckSpans(text, sentences, true);
  CheckSpans(text, ChunkByCharacters(text, {.size = size, .overlap = overlap}), true);
  SplitForSummary(text, {.target = size, .overlap = overlap, .most = 1 + overlap % 7});
  LexicalIndex index;
  std::vector<std::string> rows;
  for (const ChunkSpan& span : sentences) {
    rows.push_back(ChunkText(text, span));
    index.AddRow(rows.back());
  }
  const std::vector<std::string> terms = QueryTerms(text.substr(0, 40));
  const auto hits = index.Match(terms, [&rows](RowIndex row) { return rows[row]; });
  for (const RowScore& hit : hits) ASSAY_ASSERT(hit.row < rows.size() && hit.score > 0);
  const std::vector<std::uint32_t> counts = index.CountTerms(terms, 0, static_cast<RowIndex>(rows.size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double share =
        terms.empty() ? 0 : static_cast<double>(counts[row]) / static_cast<double>(terms.size());
    ASSAY_ASSERT(share == TermShare(terms, rows[row]));
  }
}

}  // namespace
}  // namespace assay

FUZZ_TARGET(chunks)(const std::uint8_t* data, std::size_t size) {
  if (size >= 2) assay::CheckChunks(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
