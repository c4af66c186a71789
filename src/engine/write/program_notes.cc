// Counts the answers of a run by what their checks of programs say of them.
#include "engine/write/program_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "checks/code/code_blocks.h"
#include "checks/program/program.h"
#include "engine/words.h"
#include "report/decide/factors.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kCasesNamedMax = 8;
constexpr std::size_t kVariantsNamedMax = 3;

bool Says(const std::vector<Score>& scores, std::string_view words) {
  return std::any_of(scores.begin(), scores.end(), [words](const Score& score) {
    return std::any_of(score.items.begin(), score.items.end(), [words](const ScoreItem& item) {
      return item.sentence.find(words) != std::string::npos;
    });
  });
}

// "a, b, c and 2 more"
std::string Named(const std::set<VariantIndex>& variants, const std::vector<std::string>& names) {
  std::vector<std::string> first;
  for (const VariantIndex variant : variants) {
    if (first.size() < kVariantsNamedMax) first.push_back(Printable(names[variant]));
  }
  const std::size_t rest = variants.size() - first.size();
  return fmt::format("{}{}", fmt::join(first, ", "), rest == 0 ? "" : fmt::format(" and {} more", rest));
}

}  // namespace

bool ProgramNotes::AreOf(const Suite& suite) {
  return std::any_of(suite.cases.begin(), suite.cases.end(), [](const Case& the_case) {
    return std::any_of(the_case.checks.begin(), the_case.checks.end(),
                       [](const Check& check) { return check.kind == kUnitTestKind; });
  });
}

Status ProgramNotes::Add(const Cell& cell) {
  const std::vector<Score>& scores = cell.record.scores;
  for (const Score& score : scores) {
    const std::string_view package = score.failed() ? PackageOfError(score.error) : std::string_view();
    if (!package.empty()) lacking_[{cell.case_index, std::string(package)}].insert(cell.variant);
  }
  without_code_ += Says(scores, kNoCodeFound) ? 1 : 0;
  joined_ += Says(scores, kBlocksJoined) ? 1 : 0;
  return Ok();
}

std::string ProgramNotes::LackingText() const {
  std::string text;
  const std::vector<std::string> names = SpokenNames(suite_);
  std::size_t told = 0;
  for (const auto& [lacks, variants] : lacking_) {
    if (told++ >= kCasesNamedMax) continue;
    text += fmt::format("warning: {} needs {}, which is not installed (used by {}): an error for {}\n",
                        Printable(suite_.cases[lacks.first].id), lacks.second, Named(variants, names),
                        names.size() == 1 ? "its answers" : "all variants");
  }
  if (told > kCasesNamedMax) text += fmt::format("  and {} more\n", Counted(told - kCasesNamedMax, "case"));
  if (told > 0) text += "  `assay doctor SUITE` says how to install it; the same command then grades again\n";
  return text;
}

std::string ProgramNotes::Text() const {
  std::string text = LackingText();
  if (without_code_ > 0) {
    text += fmt::format("warning: {} failed because {}; `assay show latest --failed` shows each\n",
                        Counted(without_code_, "answer"), kNoCodeFound);
  }
  if (joined_ > 0) {
    text += fmt::format(
        "warning: {} failed of which several {}; with `only_lang: true` or `only_longest: true` a test "
        "takes fewer\n",
        Counted(joined_, "answer"), kBlocksJoined);
  }
  return text;
}

}  // namespace assay
