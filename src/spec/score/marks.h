// Marks: where in an answer its checks found what they looked for, and which of it they graded, as byte
// ranges. Kept beside the scores, since only who shows an answer reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/text/text_range.h"

namespace assay {

struct AttemptRecord;  // spec/score/score.h

namespace limits {
inline constexpr std::size_t kMarksOfCheckMax = 100;
inline constexpr std::size_t kMarksOfAttemptMax = 1'000;
}  // namespace limits

// By which rule programs are made of an answer. Persisted: do not renumber.
enum class BlockRule : std::uint8_t {
  kAllFenced = 0,      // what stands between fences, all of it
  kLongestFenced = 1,  // of what stands between fences the longest
  kBare = 2,           // there are no fences: the language's own rule
};
inline constexpr std::uint8_t kBlockRules = 3;

// The part of an answer that programs are made of.
struct GradedBlock {
  BlockRule rule = BlockRule::kBare;
  std::vector<TextRange> parts = {};  // in order; none: nothing of the answer, or nobody can tell
};

// Adds a range that says something and is not there yet, up to limits::kMarksOfCheckMax.
void AddMark(TextRange range, std::vector<TextRange>& marks);

// Stored form of all that graders mark in an attempt; "": nothing.
std::string EncodeMarks(const AttemptRecord& record);
// Puts it into the scores of the record. kCorrupt: the writer cannot have written this.
Status DecodeMarks(std::string_view text, AttemptRecord& record);

}  // namespace assay
