// The scale, and reading what a judge wrote.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/diagnostics.h"
#include "checks/judge.h"
#include "text/js_text.h"

namespace assay {
namespace {

constexpr std::string_view kClassPrefix = "CLASS_";

constexpr JudgeClass kScale[] = {
    {"CLASS_UTTERLY_UNMET", 0, "the text does the opposite or contradicts the criterion"},
    {"CLASS_UNMET", 0.001, "nothing in the text meets the criterion"},
    {"CLASS_TRACE", 0.125, "a faint hint of it, no more"},
    {"CLASS_SLIGHT", 0.25, "a small part of it"},
    {"CLASS_PARTIAL", 0.375, "clearly some of it, but less than half"},
    {"CLASS_MODERATE", 0.5, "about half of it"},
    {"CLASS_SUBSTANTIAL", 0.625, "rather more than half of it"},
    {"CLASS_MAJOR", 0.75, "most of it, with a gap that matters"},
    {"CLASS_VERY_NEARLY", 0.875, "all but a detail of it"},
    {"CLASS_EXACT", 1, "all of it"},
};

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

Error Unreadable(std::string_view expected, std::string_view found) {
  return {ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(found))};
}

}  // namespace

std::span<const JudgeClass> JudgeScale() { return kScale; }

Result<JudgeVerdict> ParseJudgeReply(std::string_view text) {
  if (JsTrim(text).empty()) return Unreadable("a judge's verdict", "");
  const auto reflection = FirstTag(text, "<reflection>", "</reflection>");
  if (!reflection) return Unreadable("a verdict with <reflection>...</reflection>", text);
  const auto class_text = FirstTag(text, "<classification>", "</classification>");
  if (!class_text) return Unreadable("a verdict with <classification>...</classification>", text);

  std::string name = JsToUpper(JsTrim(*class_text));
  if (!name.starts_with(kClassPrefix)) name.insert(0, kClassPrefix);
  const auto* found = std::find_if(std::begin(kScale), std::end(kScale),
                                   [&name](const JudgeClass& c) { return c.name == name; });
  if (found == std::end(kScale)) return Unreadable("a class of the judge's scale (CLASS_EXACT)", *class_text);
  return JudgeVerdict{found->score, std::string(JsTrim(*reflection))};
}

}  // namespace assay
