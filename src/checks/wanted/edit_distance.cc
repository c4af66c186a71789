// Grades `$edit_distance`: how many insertions, deletions and replacements of a character part the answer
// from a wanted text (Levenshtein). Pure; any thread.
//   args    {to, at_most, ignore, drop, trim}; `to` is a text or a list, of which the nearest counts; the
//           others as in `$equals`
//   score   with at_most: 1 up to so many, else 0; without: 1 - distance / length of the longer text, in
//           code points; 1 if both are empty
//   limits  a row of the table is a bit vector of the wanted text: linear in the answer
//   source  Myers 1999, Hyyrö 2003; known deviations: none
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/text/utf8.h"
#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "checks/wanted/letter_distance.h"

namespace assay {
namespace {

struct WantedDistance {
  std::vector<WantedLetters> to;
  std::optional<double> at_most;
  NormalRules rules;
  bool is_turned_around = false;
};

Result<WantedDistance> ReadWantedDistance(const ParseInput& input) {
  const Value& args = input.check.args;
  WantedDistance wanted{
      .to = {}, .at_most = {}, .rules = {}, .is_turned_around = IsTurnedAround(input.check)};
  ASSAY_CHECK_OK(OnlyMembers(args, {"to", "at_most", "ignore", "drop", "trim"}));
  ASSAY_TRY(wanted.at_most, BoundedMember(args, "at_most", 0, std::numeric_limits<double>::infinity()));
  ASSAY_TRY(wanted.rules, ReadNormalRules(args));
  const Value* to = args.Find("to");
  if (to == nullptr) return BadMember("a text", args, "to");
  ASSAY_TRY(const std::vector<std::string> texts, WrittenTexts(*to));
  for (const std::string& text : texts) {
    ASSAY_TRY(const std::string normal, NormalForm(text, wanted.rules));
    wanted.to.emplace_back(ToUtf32(normal));
  }
  return wanted;
}

Score Grade(const GradeInput& input, const WantedDistance& wanted, WorkerState&) {
  const Result<std::string> normal = NormalForm(input.answer.text(), wanted.rules);
  if (!normal) return YesOrNo(normal.error(), wanted.is_turned_around);
  const std::u32string answer = ToUtf32(*normal);
  double best = 0;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const WantedLetters& to : wanted.to) {
    const std::size_t longer = std::max(answer.size(), to.size());
    const std::size_t distance = to.DistanceTo(answer);
    const double share = longer == 0 ? 1 : 1 - static_cast<double>(distance) / static_cast<double>(longer);
    best = std::max(best, share);
    least = std::min(least, distance);
  }
  if (wanted.at_most) best = static_cast<double>(least) <= *wanted.at_most ? 1 : 0;
  Score score = Score::Of(best);
  score.explanation = fmt::format("the distance is {}", least);
  return score;
}

}  // namespace

CheckArgs ParseEditDistance(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedDistance(input), diagnostics);
}

Score GradeEditDistance(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedDistance, Grade>(input, args, worker);
}

}  // namespace assay
