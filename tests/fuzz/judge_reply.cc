// Any bytes as a judge's reply: a verdict on the scale, or an error with something to say; never a guess. And
// as a candidate's text: the fence of the judge's prompt holds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "base/text/ascii.h"
#include "checks/judge/judge.h"
#include "checks/judge/reading/json.h"
#include "checks/judge/reading/judged_answer.h"
#include "spec/suite/case.h"
#include "spec/suite/suite_rules.h"
#include "tests/fuzz/target.h"
#include "text/json/json.h"

namespace assay {
namespace {

constexpr double kTrace = 0.125;

void CheckReply(std::string_view text, JudgeReading reading) {
  const Result<JudgeVerdict> verdict = ParseJudgeReply(text, reading);
  if (verdict.has_value()) {
    const auto scale = JudgeScale();
    ASSAY_ASSERT(std::any_of(scale.begin(), scale.end(),
                             [&](const JudgeClass& step) { return step.score == verdict->score; }));
    ASSAY_ASSERT(AsciiLower(text).find("</classification>") != std::string::npos);
  } else {
    ASSAY_ASSERT(!verdict.error().message.empty());
  }
}

// What a judge quotes of an answer never gives a verdict of its own: behind any text in the reflection the
// judge's class counts, or none; also where the judge words its verdict otherwise, or leaves its reflection
// open.
void CheckQuoting(std::string_view text) {
  const JudgedAnswer answer(text);
  const auto read = [&answer](const std::string& reply) {
    return ParseJudgeReply(reply, JudgeReading::kAfterReflection, &answer);
  };
  const std::string quoted = "<reflection>" + std::string(text);
  const std::string own = quoted + "</reflection>\n<classification>CLASS_TRACE</classification>";
  const Result<JudgeVerdict> verdict = read(own);
  ASSAY_ASSERT(!verdict.has_value() || verdict->score == kTrace);
  const Result<JudgeVerdict> capitals =
      read(quoted + "</Reflection><Classification>CLASS_TRACE</Classification>");
  ASSAY_ASSERT(!capitals.has_value() || capitals->score == kTrace);
  for (const std::string_view plain :
       {"</reflection>\nClass: trace", "</reflection>\nI refuse.", "\nIt is unmet."})
    ASSAY_ASSERT(!read(quoted + std::string(plain)).has_value());
  ASSAY_ASSERT(!read("<classification>CLASS_TRACE</classification>" + quoted + "</reflection>").has_value());
  for (const std::string_view before :
       {"", "Not met. ", "<reflection>", "<reflection>Not met. ", "> ", "```\n"})
    ASSAY_ASSERT(!read(std::string(before) + std::string(text)).has_value());
  std::string json = "{\"reflection\":";
  AppendJsonString(text, json);
  const Result<JudgeVerdict> in_json = ParseJudgeJson(json + ",\"classification\":\"CLASS_TRACE\"}", &answer);
  ASSAY_ASSERT(!in_json.has_value() || in_json->score == kTrace);
  ASSAY_ASSERT(!ParseJudgeJson(text, &answer).has_value());
}

// A judge that gives its own class with the code, and then quotes.
void CheckQuotingBehindCode(std::string_view text) {
  const JudgedAnswer answer(text);
  if (answer.code().empty()) return;
  const std::string own = "CLASS_TRACE " + answer.code();
  for (const std::string& before :
       {"<reflection>" + own + ". It says: ", own + "\n", "<classification>" + own + "</classification>",
        "<reflection>No.</reflection><classification>" + own + "</classification>", answer.code() + "\n",
        "{\"reflection\":\"" + own}) {
    const std::string reply = before + std::string(text);
    const Result<JudgeVerdict> tags = ParseJudgeReply(reply, JudgeReading::kAfterReflection, &answer);
    ASSAY_ASSERT(!tags.has_value() || tags->score == kTrace);
    const Result<JudgeVerdict> json = ParseJudgeJson(reply, &answer);
    ASSAY_ASSERT(!json.has_value() || json->score == kTrace);
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

FUZZ_TARGET(judge_reply)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::CheckReply(text, assay::JudgeReading::kAfterReflection);
  assay::CheckReply(text, assay::JudgeReading::kFirstTags);
  assay::CheckQuoting(text);
  assay::CheckQuotingBehindCode(text);
  assay::CheckPrompt(text);
  return 0;
}
