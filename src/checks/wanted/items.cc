// Grades `$items`: which of the wanted things an answer lists. Pure; any thread.
//   args    {want, ordered, score, separator, ignore}; ignore is [case, whitespace] if nothing is said
//   answer  its items (text/prose/items.h)
//   score   all: 1 if they are the wanted ones, else 0; f1: 2 * common / (answered + wanted); recall: common
//           / wanted, each over sets; ordered: all, or share: equal places / length of the longer list
//   source  assay's own; known deviations: none
#include <fmt/core.h>

#include <algorithm>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/prose/items.h"

namespace assay {
namespace {

enum class Measure { kAll, kF1, kRecall, kShare };  // in the order of their names

using Texts = std::vector<std::string>;

struct WantedItems {
  Texts texts;
  bool ordered = false;
  Measure measure = Measure::kAll;
  std::string separator;
  NormalRules rules;
};

Texts NormalForms(const Texts& texts, const WantedItems& wanted) {
  Texts normal;
  normal.reserve(texts.size());
  for (const std::string& text : texts) normal.push_back(PlainForm(text, wanted.rules));
  if (wanted.ordered) return normal;
  std::sort(normal.begin(), normal.end());
  normal.erase(std::unique(normal.begin(), normal.end()), normal.end());
  return normal;
}

Result<WantedItems> ReadWantedItems(const Value& args) {
  WantedItems wanted;
  ASSAY_CHECK_OK(OnlyMembers(args, {"want", "ordered", "score", "separator", "ignore"}));
  const Value* want = args.Find("want");
  if (want == nullptr || !want->is_list()) return BadMember("a list of texts", args, "want");
  ASSAY_TRY(wanted.ordered, FlagMember(args, "ordered", false));
  ASSAY_TRY(const std::size_t measure, WordMember(args, "score", {"all", "f1", "recall", "share"}));
  wanted.measure = static_cast<Measure>(measure);
  const bool needs_sets = wanted.measure == Measure::kF1 || wanted.measure == Measure::kRecall;
  if (wanted.ordered && needs_sets) return BadMember("all or share, of items in order", args, "score");
  if (!wanted.ordered && wanted.measure == Measure::kShare)
    return BadMember("all, f1 or recall; share needs `ordered: true`", args, "score");
  wanted.separator = args.TextAt("separator");
  if (wanted.separator.empty() && args.Find("separator") != nullptr)
    return BadMember("a text that is not empty", args, "separator");
  ASSAY_TRY(wanted.rules, ReadNormalRules(args, {.lower = true, .one_blank = true}));
  ASSAY_TRY(const Texts texts, WrittenTexts(*want, Emptiness::kAllowed));
  wanted.texts = NormalForms(texts, wanted);
  return wanted;
}

double Ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t EqualPlaces(const Texts& a, const Texts& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

std::size_t CommonOf(const Texts& a, const Texts& b) {
  Texts common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common.size();
}

Score Grade(const GradeInput& input, const WantedItems& wanted, WorkerState&) {
  const Texts items = NormalForms(ItemsOf(input.answer.text(), wanted.separator), wanted);
  const std::size_t both = items.size() + wanted.texts.size();
  double value = items == wanted.texts ? 1 : 0;
  if (wanted.measure == Measure::kF1) value = Ratio(2 * CommonOf(items, wanted.texts), both);
  if (wanted.measure == Measure::kRecall) value = Ratio(CommonOf(items, wanted.texts), wanted.texts.size());
  if (wanted.measure == Measure::kShare)
    value = Ratio(EqualPlaces(items, wanted.texts), std::max(items.size(), wanted.texts.size()));
  Score score = Score::Of(value);
  score.explanation = fmt::format("{} items found, {} wanted", items.size(), wanted.texts.size());
  return score;
}

}  // namespace

CheckArgs ParseItems(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedItems(input.check.args), diagnostics);
}

Score GradeItems(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedItems, Grade>(input, args, worker);
}

}  // namespace assay
