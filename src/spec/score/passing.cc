// Finds the pass mark of a case by the kinds of its checks, and words the rule.
#include "spec/score/passing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr double kWhole = 1;
constexpr double kHalf = 0.5;
constexpr double kPoints = 100;     // of a whole score, and percent of a whole share
constexpr double kRounding = 1e-9;  // what sums of decimal fractions lose decides nothing

// Rows of checks/table.cc that give all or nothing, and unit tests: code that fails a test does not work.
// Sorted.
constexpr std::array<std::string_view, 67> kYesNoKinds = {"choice",
                                                          "contains",
                                                          "contains_any_of",
                                                          "contains_word",
                                                          "ends_with",
                                                          "ends_with_any_of",
                                                          "equals",
                                                          "expected_citation",
                                                          "expected_contains",
                                                          "expected_numeric",
                                                          "expected_regex",
                                                          "fuzzy_match",
                                                          "icontains",
                                                          "icontains_any_of",
                                                          "icontains_word",
                                                          "iends_with",
                                                          "iends_with_any_of",
                                                          "iequals",
                                                          "imatches",
                                                          "is_json",
                                                          "is_valid",
                                                          "istarts_with",
                                                          "istarts_with_any_of",
                                                          "json_equals",
                                                          "letter_case",
                                                          "matches",
                                                          "matches_schema",
                                                          "math",
                                                          "not_choice",
                                                          "not_contains",
                                                          "not_contains_any_of",
                                                          "not_contains_word",
                                                          "not_ends_with",
                                                          "not_ends_with_any_of",
                                                          "not_equals",
                                                          "not_fuzzy_match",
                                                          "not_icontains",
                                                          "not_icontains_any_of",
                                                          "not_icontains_word",
                                                          "not_iends_with",
                                                          "not_iends_with_any_of",
                                                          "not_iequals",
                                                          "not_imatches",
                                                          "not_is_valid",
                                                          "not_istarts_with",
                                                          "not_istarts_with_any_of",
                                                          "not_json_equals",
                                                          "not_letter_case",
                                                          "not_matches",
                                                          "not_math",
                                                          "not_numeric",
                                                          "not_script",
                                                          "not_squad_exact",
                                                          "not_starts_with",
                                                          "not_starts_with_any_of",
                                                          "not_use",
                                                          "numeric",
                                                          "script",
                                                          "squad_exact",
                                                          "starts_with",
                                                          "starts_with_any_of",
                                                          "tool_args_match",
                                                          "tool_call_count_between",
                                                          "tool_call_order",
                                                          "tool_called",
                                                          "unit_test",
                                                          "use"};
static_assert(std::is_sorted(kYesNoKinds.begin(), kYesNoKinds.end()));

// Checks that give all or nothing by what their arguments say.
bool IsYesNoByArguments(const Check& check) {
  if (check.args.is_undefined()) return false;
  constexpr std::string_view kNot = "not_";
  std::string_view kind = check.kind;
  if (kind.starts_with(kNot)) kind.remove_prefix(kNot.size());
  const auto has = [&check](std::string_view member) { return check.args.Find(member) != nullptr; };
  if (kind == "count") return !check.args.BoolAt("graded").value_or(false);
  if (kind == "items") return !has("score") || check.args.TextAt("score") == "all";
  if (kind == "edit_distance") return has("at_most");
  return (kind == "bleu" || kind == "chrf" || kind == "rouge") && has("at_least");
}

bool IsYesNo(const Check& check) {
  return std::binary_search(kYesNoKinds.begin(), kYesNoKinds.end(), std::string_view(check.kind)) ||
         IsYesNoByArguments(check);
}

}  // namespace

bool HasYesNoChecks(const Case& the_case) {
  bool has_any = false;
  for (const Check& check : the_case.checks) {
    if (check.weight == 0) continue;
    if (!IsYesNo(check)) return false;
    has_any = true;
  }
  return has_any;
}

double PassRule::MarkOf(const Case& the_case) const {
  if (the_case.pass_at && (!is_said || is_setting)) return *the_case.pass_at;
  return is_said || mark >= kWhole || !HasYesNoChecks(the_case) ? mark : kWhole;
}

bool PassRule::Passes(const Case& the_case, double score) const {
  return score >= MarkOf(the_case) - kRounding;
}

bool PassRule::CasePasses(std::uint64_t passed, std::uint64_t scored) const {
  return scored > 0 && static_cast<double>(passed) >= share * static_cast<double>(scored) - kRounding;
}

bool PassRule::CasePasses(const Case& the_case, std::span<const double> scores) const {
  const auto passed =
      std::count_if(scores.begin(), scores.end(), [&](double score) { return Passes(the_case, score); });
  return CasePasses(static_cast<std::uint64_t>(passed), scores.size());
}

double PassRule::HighestMark(const Suite& suite) const {
  double highest = UsualMark(suite);
  for (const Case& the_case : suite.cases) highest = std::max(highest, MarkOf(the_case));
  return highest;
}

double PassRule::UsualMark(const Suite& suite) const {
  const bool is_of_suite = !suite.cases.empty() && suite.cases.front().pass_at && (!is_said || is_setting);
  return is_of_suite ? *suite.cases.front().pass_at : mark;
}

std::string MarkWords(const PassRule& rule, const Suite& suite) {
  const bool is_of_suite =
      !suite.cases.empty() && suite.cases.front().pass_at && (!rule.is_said || rule.is_setting);
  if (is_of_suite) {
    const double mark = *suite.cases.front().pass_at;
    return fmt::format("{:g} points or more (pass: {})", kPoints * mark,
                       mark == kWhole ? std::string("all") : fmt::format("{:g}", mark));
  }
  const std::string words =
      fmt::format("{:g} points or more (--pass-at {:g})", kPoints * rule.mark, rule.mark);
  if (rule.HighestMark(suite) <= rule.mark) return words;
  return words + fmt::format(", {:g} where all checks are yes-or-no or unit tests", kPoints * kWhole);
}

std::string LeastShare(const PassRule& rule) {
  return rule.share == kHalf ? "at least half" : fmt::format("at least {:g} %", kPoints * rule.share);
}

std::string ShareWords(const PassRule& rule) {
  return fmt::format("{} of its scored attempts pass (--pass-attempts)", LeastShare(rule));
}

bool HasSeveralAttempts(const Suite& suite) {
  return std::any_of(suite.cases.begin(), suite.cases.end(), [&suite](const Case& the_case) {
    return the_case.attempts.value_or(suite.attempts) > 1;
  });
}

}  // namespace assay
