// Walks a rule (text, list, or mapping with or/and/content) and writes it as words.
#include "checks/code/wanted.h"
#include "text/found.h"

#include <fmt/core.h>

namespace assay {

namespace {

std::string WordsOf(const Value& rule, bool is_pattern);

std::string JoinedWanted(const Value& list, std::string_view word, bool is_pattern) {
  if (!list.is_list()) return WordsOf(list, is_pattern);
  std::string text;
  for (const Value& each : list.AsList()) {
    if (!text.empty()) text += fmt::format(" {} ", word);
    const bool is_group = each.Find("or") != nullptr || each.Find("and") != nullptr;
    const std::string part = WordsOf(each, is_pattern);
    text += is_group ? "(" + part + ")" : part;
  }
  return text;
}

std::string WordsOf(const Value& rule, bool is_pattern) {
  if (rule.is_string()) return fmt::format("{}“{}”", is_pattern ? "the pattern " : "", rule.AsString());
  if (rule.is_list()) return JoinedWanted(rule, "or", is_pattern);
  if (const Value* regex = rule.Find("regex")) is_pattern = regex->Truthy();
  std::string text;
  for (const std::string_view word : {"or", "and", "content"}) {
    const Value* part = rule.Find(word);
    if (part == nullptr) continue;
    text = word == "content" ? WordsOf(*part, is_pattern) : JoinedWanted(*part, word, is_pattern);
    break;
  }
  if (const std::string* condition = FindText(rule, "cond")) text += " if " + *condition;
  return text;
}

}  // namespace

std::string WantedText(const Value& rule, bool is_pattern) {
  std::string text = WordsOf(rule, is_pattern);
  return text.empty() ? "nothing" : text;
}

}  // namespace assay
