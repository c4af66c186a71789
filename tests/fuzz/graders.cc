// Any arguments and any answer for InfiBench's graders. Input: a byte that picks the grader, the arguments as
// JSON, a zero byte, the answer. A grader scores, fails with a reason, or asks Python; arguments never end
// it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "checks/check.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "tests/fuzz/target.h"
#include "text/json/json.h"

namespace assay {
namespace {

void Grade(std::string_view bytes) {
  constexpr std::string_view kKinds[] = {"keywords", "blank_filling", "similarity", "customized"};
  const std::string_view input = bytes.substr(1);
  const std::string_view json = input.substr(0, input.find('\0'));
  const std::string_view answer_text = input.substr(std::min(json.size() + 1, input.size()));
  Result<Value> args = ParseJson(json);
  if (!args) return;
  Check check;
  check.kind = kKinds[static_cast<unsigned char>(bytes[0]) % std::size(kKinds)];
  check.args = std::move(args).value();
  const CheckRow* row = FindCheck(check.kind, {check.kind});
  const Toolchain python{.language = "python", .digest = "p", .missing = {}};
  Diagnostics diagnostics;
  const CheckArgs parsed = row->parse({.check = check, .toolchains = {&python, 1}}, diagnostics);
  ASSAY_ASSERT(parsed != nullptr);
  AnswerView answer(answer_text);
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  const GradeInput grade{.answer = answer, .transcript = transcript, .variant_id = "v", .the_case = the_case};
  Score score;
  if (!row->asks || row->MostRequests(parsed) == 0) {
    score = row->grade(grade, parsed, worker);
  } else {
    const AskInput ask{.grade = grade, .so_far = {}, .tag = {}, .worker = worker};
    const Action action = row->asks->next(ask, parsed);
    const auto* done = std::get_if<Done>(&action);
    if (done == nullptr) return;
    score = std::get<Score>(done->value);
  }
  ASSAY_ASSERT(score.state != ScoreState::kScored ||
               (std::isfinite(score.value) && std::isfinite(score.max)));
  ASSAY_ASSERT(score.state != ScoreState::kError || !score.error.empty());
}

}  // namespace
}  // namespace assay

FUZZ_TARGET(graders)(const std::uint8_t* data, std::size_t size) {
  if (size > 0) assay::Grade({reinterpret_cast<const char*>(data), size});
  return 0;
}
