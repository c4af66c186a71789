// Marks: where in an answer its checks found what they looked for, and which of it they graded, as byte
// ranges. Kept beside the scores, since only who shows an answer reads them.
#pragma once

#include <cstdint>
#include <optional>
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

// How far what a check looks for came on its way into an answer. Absent: nobody knows.
struct EvidencePath {
  std::uint32_t check = 0;
  std::optional<bool> in_corpus = {};  // a document of the case has it
  std::optional<bool> retrieved = {};  // a search found a part that has it
  std::optional<bool> read = {};       // what the model was given has it
  bool used = false;                   // the answer has it
  std::string retrieved_at = {};       // "handbook.pdf, page 3"; "": nowhere
  std::string read_at = {};
};

// Persisted: do not renumber.
enum class PassageKind : std::uint8_t { kNeeded = 0, kRetrieved = 1, kQuoted = 2 };
inline constexpr std::uint8_t kPassageKinds = 3;

// A part of a document that had to do with an attempt.
struct DocumentPassage {
  std::uint32_t document = 0;  // of the case's
  PassageKind kind = PassageKind::kNeeded;
  TextRange range = {};  // of the document's text
  bool operator==(const DocumentPassage&) const = default;
};

// Of an attempt at a case with documents.
struct AttemptEvidence {
  std::vector<EvidencePath> paths = {};  // one for each check that looks for a text; none: not assessable
  std::vector<DocumentPassage> passages = {};  // at most limits::kMarksOfAttemptMax
};

// Adds a range that says something and is not there yet, up to limits::kMarksOfCheckMax.
void AddMark(TextRange range, std::vector<TextRange>& marks);

// Stored form of all that graders mark in an attempt; "": nothing.
std::string EncodeMarks(const AttemptRecord& record);
// Puts it into the scores of the record. kCorrupt: the writer cannot have written this.
Status DecodeMarks(std::string_view text, AttemptRecord& record);

}  // namespace assay
