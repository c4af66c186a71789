// Results of configs of promptfoo, as it writes them itself: rows and columns of its table, with what each
// assertion came to. Of suites that no config made, promptfoo.cc says what stands in their place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/export/cells.h"
#include "spec/score/passing.h"
#include "text/value.h"

namespace assay {

// Whether a config of promptfoo made the suite: its variants are columns, its cases have variables.
bool IsPromptfooTable(const Suite& suite);

// SHA-256 of a text in hex: the id of a prompt with that label.
std::string PromptfooId(std::string_view text);

// Numbers by names, in the order in which they came.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

// What the assertions of one cell come to together.
struct PromptfooTest {
  bool pass = false;
  double score = 0;
  std::string reason;
  std::string last_fail;  // the reason of the last assertion that failed; "": none did
  NamedNumbers named_scores = {};
  NamedNumbers named_weights = {};
  NamedNumbers named_counts = {};
  List components = {};
  std::uint64_t passed = 0;  // of the components
  std::uint64_t failed = 0;
};
PromptfooTest PromptfooTestOf(const Suite& suite, const Cell& cell, const PassRule& pass);

// What a column adds up to.
class PromptfooColumn {
 public:
  // `took`: of the answer; null: nobody knows.
  void Add(const Suite& suite, const Cell& cell, const PassRule& pass, const AnswerTook* took);
  Value PromptOf(const Suite& suite, const Variant& variant) const;
  void AddTo(PromptfooColumn& total) const;
  Value Stats() const;

 private:
  std::uint64_t passed_ = 0, failed_ = 0, errors_ = 0;
  std::uint64_t assertions_passed_ = 0, assertions_failed_ = 0;
  std::uint64_t requests_ = 0;
  double score_ = 0, usd_ = 0, ms_ = 0;
  Usage answers_, graders_;
  NamedNumbers named_scores_, named_counts_, named_weights_;
};

// A result of the table. `id`: its own; `column`: its place among those that are written.
Value PromptfooResult(const Suite& suite, const Cell& cell, std::string id, std::size_t column,
                      const PassRule& pass, const AnswerTook* took);
// The place of the cell's test in promptfoo's table, where repetitions of a test stand behind each other.
std::uint64_t PromptfooRowOf(const Suite& suite, const Cell& cell);

}  // namespace assay
