// Reads the texts out of the arguments of each kind, and looks for them.
#include "report/values/words/matches.h"

#include <algorithm>
#include <string>

#include "base/text/utf8.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

constexpr std::size_t kTextsMax = 100;

struct LookedFor {
  std::string text;
  bool any_case = false;
};

// All texts of the arguments, one or a list of them, counted or not.
void AddTexts(const Value& args, bool any_case, std::vector<LookedFor>& to) {
  if (args.is_string()) {
    to.push_back({args.AsString(), any_case});
  } else if (args.is_list()) {
    for (const Value& each : args.AsList()) AddTexts(each, any_case, to);
  }
}

// `keywords`: a text, or {content, regex, to_lower} with content of alternatives.
void AddRule(const Value& rule, bool any_case, std::vector<LookedFor>& to) {
  if (rule.is_list()) {
    for (const Value& each : rule.AsList()) AddRule(each, any_case, to);
    return;
  }
  if (!rule.is_map()) return AddTexts(rule, any_case, to);
  const Value* regex = rule.Find("regex");
  if (regex != nullptr && regex->Truthy()) return;
  const Value* lower = rule.Find("to_lower");
  for (const std::string_view part : {"content", "or", "and"}) {
    if (const Value* inner = rule.Find(part))
      AddRule(*inner, any_case || (lower != nullptr && lower->Truthy()), to);
  }
}

std::vector<LookedFor> LookedForBy(const Check& check) {
  std::vector<LookedFor> texts;
  const std::string_view kind = check.kind;
  if (kind == "keywords") {
    AddRule(check.args, false, texts);
  } else if (kind.starts_with("contains") || kind == "expected_contains") {
    AddTexts(check.args, false, texts);
  } else if (kind.starts_with("icontains")) {
    AddTexts(check.args, true, texts);
  }
  texts.resize(std::min(texts.size(), kTextsMax));
  return texts;
}

}  // namespace

std::vector<MatchedPart> MatchesOf(const Check& check, std::string_view answer) {
  std::vector<MatchedPart> parts;
  std::string lower;
  for (const LookedFor& each : LookedForBy(check)) {
    // Some letters take more or fewer bytes in the other case.
    if (each.text.empty() || (each.any_case && !IsAscii(answer))) continue;
    if (each.any_case && lower.empty()) lower = JsToLower(answer);
    const std::size_t at = each.any_case ? lower.find(JsToLower(each.text)) : answer.find(each.text);
    if (at != std::string_view::npos) parts.push_back({at, at + each.text.size()});
  }
  return parts;
}

}  // namespace assay
