// Any bytes as a judge's reply: a verdict on the scale, or an error with something to say; never a guess. And
// as a candidate's text: the fence of the judge's prompt holds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "checks/judge/judge.h"

namespace assay {
namespace {

void CheckReply(std::string_view text, JudgeReading reading) {
  const Result<JudgeVerdict> verdict = ParseJudgeReply(text, reading);
  if (verdict.has_value()) {
    const auto scale = JudgeScale();
    ASSAY_ASSERT(std::any_of(scale.begin(), scale.end(),
                             [&](const JudgeClass& step) { return step.score == verdict->score; }));
    ASSAY_ASSERT(text.find("</classification>") != std::string_view::npos);
  } else {
    ASSAY_ASSERT(!verdict.error().message.empty());
  }
}

void CheckPrompt(std::string_view text) {
  Transcript transcript;
  transcript.history = {{Role::kUser, "Q"}, {Role::kAssistant, std::string(text)}};
  transcript.generated_indices = {0};
  transcript.generated_texts = {std::string(text)};
  const Case the_case;
  const std::vector<Message> prompt = BuildJudgePrompt({.transcript = transcript,
                                                        .the_case = the_case,
                                                        .criterion = "C",
                                                        .suite_description = "",
                                                        .approach = "standard"});
  ASSAY_ASSERT(!ParseJudgeReply(prompt.back().text).has_value());
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::CheckReply(text, assay::JudgeReading::kAfterReflection);
  assay::CheckReply(text, assay::JudgeReading::kFirstTags);
  assay::CheckPrompt(text);
  return 0;
}
