// One rule by which an answer is graded (Check), and how the checks of a case combine (CheckNode).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/span.h"
#include "base/rare.h"
#include "spec/ids.h"
#include "text/value.h"

namespace assay {

enum class RegexFlavour { kJavaScript, kPython };

// Check::kind of a criterion in words: Check::text is what the judges are asked.
inline constexpr std::string_view kJudgeKind = "judge";

struct Check {
  std::string id;    // unique in its case
  std::string kind;  // name of a row in checks/table.cc; kept as written if there is no such row
  Value args;        // undefined if there are none
  double weight = 1;
  bool invert = false;  // a match is a failure (should_not)
  RegexFlavour regex_flavour = RegexFlavour::kJavaScript;
  Rare<std::vector<JudgeIndex>>
      judges;                       // who alone judges it, of Suite::named_judges; empty: the suite's judges
  std::optional<double> threshold;  // from which score it holds; absent: what ThresholdOf says of its kind
  Rare<std::string> metric;         // under which name its score is told; "": none
  Rare<Value> extract;              // the part of the answer that it grades; undefined: the whole answer
  std::string text;      // what is shown to people: the criterion, or the call as the dialect prints it
  Rare<Value> citation;  // undefined if there is none
  Span span;
  Rare<std::string> written;  // `kind` as the file has it, where the reader took it for another; else ""
  bool is_told = false;       // the reader has said already that there is no such kind

  bool IsCriterion() const { return kind == kJudgeKind; }
};

// How the checks of a case combine: a tree whose leaves are indices into Case::checks.
struct CheckNode {
  enum class Op { kAll, kAny, kLeaf };
  Op op = Op::kAll;
  std::vector<CheckNode> children;
  CheckIndex check = 0;     // kLeaf only
  Rare<std::string> label;  // the dialect's name of an alternative ("path_2"), else ""
};

}  // namespace assay
