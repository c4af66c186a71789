// PageTally: counts for the page's side tables: errors and where they occurred, votes of judges, and how
// variants differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/report/pair.h"

namespace assay {

// Equal failures, counted: messages that differ in digits only are equal.
struct Fault {
  // No answer; a point without a score; one without a verdict, or all of an answer; a score that lacks votes.
  enum class Of { kAnswer, kPoint, kVerdict, kVote };
  Of of = Of::kAnswer;
  std::string message;  // of the first, cut
  std::uint64_t count = 0;
  CaseIndex case_index = 0;  // the first
  VariantIndex variant = 0;
};

// One judge's votes on the points that are shown.
struct JudgeVotes {
  std::string label;
  std::uint64_t votes = 0;
  double sum = 0;       // of the votes
  double distance = 0;  // sum of |vote - mean of the point's votes|
};

struct PageTally {
  std::vector<Fault> faults;  // in plan order of the first; at most kFaultsMax
  std::uint64_t more_faults = 0;
  std::vector<JudgeVotes> judges;  // in order of the first vote; at most kJudgesMax
  std::uint64_t judged = 0;        // points with at least two votes
  std::uint64_t split = 0;         // of them, those on which judges disagree

  void Add(const Pair& pair);

 private:
  void AddFault(Fault::Of of, std::string_view message, const Pair& pair);
  void AddVotes(const Score& score);
};

// Two votes are half the scale apart or more.
bool JudgesDisagree(const Score& score);

// The values of one axis of the variants, in order of first appearance.
struct VariantAxis {
  std::vector<std::string> values;
  std::vector<std::uint32_t> value_of;  // by VariantIndex

  bool several() const { return values.size() > 1; }
};
VariantAxis SystemsOf(const Suite& suite);       // "": no system prompt
VariantAxis TemperaturesOf(const Suite& suite);  // "": not set

}  // namespace assay
