// Reads a judge's reply: the reflection and the class between their tags and nothing around them; the last
// class with the code that was asked for, whatever stands before it; or, as the format's own tool does, the
// first of each.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "checks/judge/judge.h"
#include "checks/judge/reading/doubt.h"
#include "checks/judge/reading/judged_answer.h"
#include "checks/judge/reading/quotations.h"
#include "checks/judge/reading/reply_marks.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

// The text between the first opening tag and the first closing tag behind it.
std::optional<std::string_view> FirstTag(std::string_view text, std::string_view open,
                                         std::string_view close) {
  const std::size_t start = text.find(open);
  if (start == std::string_view::npos) return std::nullopt;
  const std::size_t inside = start + open.size();
  const std::size_t end = text.find(close, inside);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(inside, end - inside);
}

// Takes the element that `rest` begins with, white space before it included; nothing if there is none. The
// letter case of its tags does not count.
std::optional<std::string_view> TakeElement(std::string_view& rest, std::string_view open,
                                            std::string_view close) {
  const std::string_view text = JsTrim(rest);
  const std::string lower = AsciiLower(text);
  if (!lower.starts_with(open)) return std::nullopt;
  const std::size_t end = lower.find(close, open.size());
  if (end == std::string::npos) return std::nullopt;
  rest = text.substr(end + close.size());
  return text.substr(open.size(), end - open.size());
}

// Where the reflection begins that ends with `before`: behind the last opening tag that does not stand in a
// sentence, or in quotation marks; at the start where the tag is gone with thoughts before it.
std::size_t ReflectionBegin(const std::string& lower, std::size_t before) {
  std::size_t first = 0;
  for (std::size_t at = before; at > 0;) {
    at = lower.rfind(kReflectionOpen, at - 1);
    if (at == std::string::npos) break;
    first = at + kReflectionOpen.size();
    if (at == 0 || lower[at - 1] == '\n' || lower[at - 1] == '>') break;
  }
  return first;
}

// The verdict that a reply ends with, whose class stands next to the code. It is the judge's own, whatever
// stands before it (thoughts, quotations, tags).
std::optional<JudgeVerdict> ReadCoded(std::string_view text, std::string_view code) {
  const std::string lower = AsciiLower(text);
  const std::size_t close = lower.rfind(kClassClose);
  if (close == std::string::npos) return std::nullopt;
  const std::size_t open = lower.rfind(kClassOpen, close);
  if (open == std::string::npos) return std::nullopt;
  const std::size_t inside = open + kClassOpen.size();
  const std::string_view before = JsTrim(text.substr(0, open));
  if (inside > close || !AsciiLower(before).ends_with(kReflectionClose)) return std::nullopt;
  if (!WithoutMarks(text.substr(close + kClassClose.size())).empty()) return std::nullopt;
  const JudgeClass* is = CodedClass(text.substr(inside, close - inside), code);
  if (is == nullptr || GivesCodeToOther(text.substr(0, inside), code, *is)) return std::nullopt;

  const std::size_t end =
      static_cast<std::size_t>(before.data() - text.data()) + before.size() - kReflectionClose.size();
  const std::size_t begin = ReflectionBegin(lower, end);
  return JudgeVerdict{is->score, std::string(JsTrim(text.substr(begin, end - begin)))};
}

// The shape that was asked for, and nothing besides: an answer that a judge quotes may hold any part of a
// reply, so without the code there is no place where a quotation could stand.
Result<JudgeVerdict> ReadShape(std::string_view text, const JudgedAnswer& answer) {
  std::string_view rest = WithoutCodeFence(text);
  if (HoldsCode(rest, answer.code())) {
    if (auto coded = ReadCoded(rest, answer.code())) return *std::move(coded);
    return UnreadableReply("the code next to the class of the last verdict, and to no other class", text);
  }
  const auto reflection = TakeElement(rest, kReflectionOpen, kReflectionClose);
  if (!reflection) return UnreadableReply("a verdict that begins with <reflection>...</reflection>", text);
  const auto class_text = TakeElement(rest, kClassOpen, kClassClose);
  if (!class_text)
    return UnreadableReply("<classification>...</classification> and nothing else behind </reflection>",
                           text);
  if (!JsTrim(rest).empty()) return UnreadableReply("nothing behind </classification>", rest);
  return UncodedVerdict({.reflection = *reflection, .class_text = *class_text}, answer);
}

Result<JudgeVerdict> ReadFirstTags(std::string_view text) {
  const auto reflection = FirstTag(text, kReflectionOpen, kReflectionClose);
  if (!reflection) return UnreadableReply("a verdict with <reflection>...</reflection>", text);
  const auto class_text = FirstTag(text, kClassOpen, kClassClose);
  if (!class_text) return UnreadableReply("a verdict with <classification>...</classification>", text);
  const JudgeClass* found = FindJudgeClass(*class_text);
  if (found == nullptr) return UnreadableReply("a class of the judge's scale (CLASS_EXACT)", *class_text);
  return JudgeVerdict{found->score, std::string(JsTrim(*reflection))};
}

bool IsNameByte(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

bool SpeaksAgainst(std::string_view reflection, double score) {
  const std::string own = WithoutQuotations(reflection);
  bool names_other = false;
  for (std::size_t at = 0; at < own.size();) {
    std::size_t end = at;
    while (end < own.size() && IsNameByte(own[end])) ++end;
    std::string_view word = std::string_view(own).substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.starts_with(kClassPrefix)) word.remove_prefix(kClassPrefix.size());
    const auto named = std::find_if(JudgeScale().begin(), JudgeScale().end(), [word](const JudgeClass& c) {
      return c.name.substr(kClassPrefix.size()) == word;
    });
    if (named == JudgeScale().end()) continue;
    if (named->score == score) return false;
    names_other = true;
  }
  return names_other;
}

Error UnreadableReply(std::string_view expected, std::string_view found) {
  return {ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(found))};
}

Error DoubtedReply(std::string_view expected, std::string_view found) {
  return {ErrorCode::kRefused, UnreadableReply(expected, found).message};
}

std::string AssumedVerdictText(VerdictForm form) {
  const std::string_view best = JudgeScale().back().name;
  if (form == VerdictForm::kJson)
    return fmt::format(R"({{"reflection":"Assumed.","classification":"{}"}})", best);
  // What graders of assertions read in a reply (checks/promptfoo/graders), so that they go on asking, too.
  constexpr std::string_view kAssumed =
      R"({"reason":"Assumed.","pass":true,"score":1,"steps":["Assumed."],"verdict":"yes","category":"C"})";
  return fmt::format("{}{}{}\n{}{}{}", kReflectionOpen, kAssumed, kReflectionClose, kClassOpen, best,
                     kClassClose);
}

Result<JudgeVerdict> ParseJudgeReply(std::string_view text, JudgeReading reading,
                                     const JudgedAnswer* answer) {
  if (JsTrim(text).empty()) return UnreadableReply("a judge's verdict", "");
  if (reading == JudgeReading::kFirstTags) return ReadFirstTags(text);
  return answer == nullptr ? ReadShape(text, JudgedAnswer()) : ReadShape(text, *answer);
}

}  // namespace assay
