// Grades `$ifeval`: which of IFEval's instructions an answer follows. Pure; any thread.
//   args    {ids, kwargs, loose}: as the published file has instruction_id_list and kwargs
//   answer  as it stands; with `loose` also without its first line, its last one, both, and without *
//   score   the share of the instructions that it follows; a blank answer follows none
//   items   one for each instruction
//   limits  an answer for which a pattern takes too long gets no credit
//   source  checks/wanted/instructions.cc
#include <fmt/core.h>

#include <algorithm>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "checks/wanted/instructions.h"
#include "text/found.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

struct WantedInstructions {
  std::vector<std::string> ids;
  std::vector<Instruction> tests;
  bool is_loose = false;
  bool is_turned_around = false;
};

Result<WantedInstructions> ReadInstructions(const ParseInput& input) {
  const Value& args = input.check.args;
  WantedInstructions wanted;
  wanted.is_turned_around = IsTurnedAround(input.check);
  ASSAY_CHECK_OK(OnlyMembers(args, {"ids", "kwargs", "loose"}));
  ASSAY_TRY(wanted.is_loose, FlagMember(args, "loose", false));
  const List* ids = FindList(args, "ids");
  if (ids == nullptr) return BadMember("a list of ids", args, "ids");
  ASSAY_TRY(wanted.ids, WrittenTexts(*args.Find("ids")));
  const List* kwargs = FindList(args, "kwargs");
  if (args.Find("kwargs") != nullptr && (kwargs == nullptr || kwargs->size() != wanted.ids.size()))
    return BadMember("a list with a mapping for each id", args, "kwargs");
  for (std::size_t i = 0; i < wanted.ids.size(); ++i) {
    Result<Instruction> test =
        MakeInstruction(wanted.ids[i], kwargs == nullptr ? Value(Map()) : (*kwargs)[i]);
    if (!test) {
      return Error{.code = ErrorCode::kInvalidInput,
                   .message = fmt::format("{}: {}", wanted.ids[i], test.error().message),
                   .where = test.error().where ? test.error().where : (*ids)[i].span};
    }
    wanted.tests.push_back(*std::move(test));
  }
  return wanted;
}

// The answer, and what a loose reading makes of it.
std::vector<std::string> Readings(std::string_view answer, bool is_loose) {
  std::vector<std::string> readings{std::string(answer)};
  if (!is_loose) return readings;
  const std::size_t first = answer.find('\n');
  const std::size_t last = answer.rfind('\n');
  const bool has_lines = first != std::string_view::npos;
  const std::string_view without_first = has_lines ? answer.substr(first + 1) : std::string_view();
  const std::string_view without_last = has_lines ? answer.substr(0, last) : std::string_view();
  const std::string_view without_both =
      has_lines && last > first ? answer.substr(first + 1, last - first - 1) : std::string_view();
  for (const std::string_view part : {without_first, without_last, without_both})
    readings.emplace_back(JsTrim(part));
  for (std::size_t i = 0, count = readings.size(); i < count; ++i) {
    std::string bare = readings[i];
    std::erase(bare, '*');
    readings.push_back(std::move(bare));
  }
  return readings;
}

Result<bool> Follows(const Instruction& test, const std::vector<std::string>& readings) {
  for (const std::string& reading : readings) {
    if (JsTrim(reading).empty()) continue;
    ASSAY_TRY(const bool follows, test(reading));
    if (follows) return true;
  }
  return false;
}

Score Grade(const GradeInput& input, const WantedInstructions& wanted, WorkerState&) {
  const std::vector<std::string> readings = Readings(input.answer.text(), wanted.is_loose);
  Score score = Score::Of(0);
  double followed = 0;
  for (std::size_t i = 0; i < wanted.tests.size(); ++i) {
    const Result<bool> follows = Follows(wanted.tests[i], readings);
    if (!follows && follows.error().code != ErrorCode::kLimit)
      return Score::Failure("$ifeval: " + follows.error().message);
    if (!follows) return LostScore("no credit: " + follows.error().message, wanted.is_turned_around);
    followed += *follows ? 1 : 0;
    score.items.push_back({.wanted = wanted.ids[i],
                           .found = *follows ? "followed" : "not followed",
                           .share = *follows ? 1.0 : 0.0,
                           .points = *follows ? 1.0 : 0.0});
  }
  score.value = followed / static_cast<double>(wanted.tests.size());
  return score;
}

}  // namespace

CheckArgs ParseIfeval(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadInstructions(input), diagnostics);
}

Score GradeIfeval(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedInstructions, Grade>(input, args, worker);
}

}  // namespace assay
