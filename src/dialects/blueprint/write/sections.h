// Writes the sections of result files that hold something of every pair. All are made in one walk over the
// run, each in a spool of its own, and copied into their files afterwards.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/spool.h"
#include "dialects/blueprint/write/similarities.h"
#include "text/json/stream.h"

namespace assay::blueprint {

// A member: prompt id -> model id -> one value for each pair that has one.
struct PairMap {
  std::string_view key;
  enum class Ideals { kLeftOut, kFirst } ideals = Ideals::kLeftOut;
  enum class WhenEmpty { kWritten, kLeftOut } when_empty = WhenEmpty::kWritten;
  bool has_every_case = false;                                  // a prompt without a value is {}, not absent
  bool (*has)(const Suite& suite, const Pair& pair) = nullptr;  // null: all have one
  void (*write)(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair,
                JsonStream& json) = nullptr;
};

// Such a member of a map that is open at this depth of its file.
class PairSection {
 public:
  PairSection(const PairMap& map, JsonStyle style, std::size_t depth);
  PairSection(const PairSection&) = delete;
  PairSection& operator=(const PairSection&) = delete;

  void BeginCase(const Case& the_case);
  Status Add(const Suite& suite, const std::vector<PointPlace>& order, const Pair& pair);
  void EndCase();
  Status Finish();
  const Spool& text() const { return text_; }

 private:
  void OpenMember();
  void OpenCase();

  PairMap map_;
  Spool text_;
  JsonStream json_;
  std::string case_id_;
  bool member_is_open_ = false;
  bool case_is_open_ = false;
};

// Such sections of one file; those that it does not have are absent.
struct FileSections {
  std::optional<PairSection> answers = {};
  std::optional<PairSection> histories = {};
  std::optional<PairSection> coverage = {};
  std::optional<PairSection> errors = {};  // absent too if no answer failed
  std::optional<PromptSimilarities> similarities = {};
};
// Of the comparison file: indented as the original's, but for a run with more than limits::kArtefactPairsMax
// pairs, where blanks are two fifths of the file.
JsonStyle ComparisonStyle(const FileFrame& frame);
void MakeComparisonSections(const FileFrame& frame, FileSections& sections);
void MakeCoreSections(const FileFrame& frame, FileSections& sections);
void MakePayloadSections(const FileFrame& frame, FileSections& sections);

// The one walk: fills the sections of all files and the frame's mean similarities.
Status FillSections(FileFrame& frame, std::span<FileSections* const> files);

}  // namespace assay::blueprint
