// Cutting a text into chunks that a search can find and a model can be shown. Pure; one pass over the text,
// which is well-formed UTF-8 (corpus/read/document.h).
//
// source: asky 0.4.15, spec research 9.3; rows: golden/research/retrieval.jsonl (token_chunks) and
// units.jsonl (char_chunks, semantic_chunks). Sizes and overlaps are counted in tokens
// (corpus/index/words.h) or in code points, white space collapsed. Overlaps are made smaller than their size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// kSentence: whole sentences, a part of the text. kWindow: a piece of a sentence that is longer than a chunk,
// whose tokens are shown with blanks between them, as the original's tokeniser prints them.
enum class ChunkForm : unsigned char { kSentence, kWindow };

struct ChunkSpan {
  std::size_t begin = 0;  // bytes of the text
  std::size_t end = 0;
  ChunkForm form = ChunkForm::kSentence;
};

struct ChunkSize {
  std::size_t size = 256;
  std::size_t overlap = 48;
};

// Whole sentences up to `size` tokens; the next chunk begins as many sentences earlier as hold `overlap`
// tokens.
std::vector<ChunkSpan> ChunkBySentences(std::string_view text, ChunkSize size);
// `size` code points, or up to the last end of a sentence between 80 % of them and 50 more.
std::vector<ChunkSpan> ChunkByCharacters(std::string_view text, ChunkSize size);
// What a chunk shows: one line, without blanks at its ends.
std::string ChunkText(std::string_view text, ChunkSpan span);

// What a long text is cut into before it is summed up piece by piece: paragraphs, joined up to `target` code
// points; each piece begins with the last `overlap` code points of the one before. More than `most` pieces
// are joined in equal groups.
struct PieceSize {
  std::size_t target = 0;
  std::size_t overlap = 0;
  std::size_t most = 12;
};
std::vector<std::string> SplitForSummary(std::string_view text, PieceSize size);

}  // namespace assay
