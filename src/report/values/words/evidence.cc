// Looks for the needed texts in what tools replied, as the conversation holds it.
#include "report/values/words/evidence.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "report/values/json.h"
#include "report/values/points.h"
#include "text/javascript/regex.h"
#include "text/javascript/text.h"
#include "text/python/regex.h"

namespace assay {

namespace {

// What a check looks for in a text.
struct Needed {
  std::string text;
  bool any_case = false;
  std::shared_ptr<const PythonRegex> python = {};  // one of the two: a pattern
  std::shared_ptr<const JsRegex> javascript = {};

  bool IsIn(std::string_view where, std::string_view lower) const {
    if (python != nullptr) return python->Search(where).value_or(false);
    if (javascript != nullptr) {
      RegexSubject subject(where);
      return javascript->Search(subject).value_or(false);
    }
    return any_case ? lower.find(JsToLower(text)) != std::string_view::npos
                    : where.find(text) != std::string_view::npos;
  }
};

enum class Shape { kText, kTextAnyCase, kPatternJs, kPatternJsAnyCase, kPatternPython };
struct NeedingKind {
  std::string_view kind;
  Shape shape;
};
// Kinds of checks whose argument is the text itself.
constexpr NeedingKind kNeeding[] = {
    {"contains", Shape::kText},          {"icontains", Shape::kTextAnyCase},
    {"contains_word", Shape::kText},     {"icontains_word", Shape::kTextAnyCase},
    {"expected_contains", Shape::kText}, {"expected_regex", Shape::kPatternPython},
    {"matches", Shape::kPatternJs},      {"imatches", Shape::kPatternJsAnyCase},
};

std::optional<Needed> NeededOf(const Check& check) {
  const auto* row = std::find_if(std::begin(kNeeding), std::end(kNeeding),
                                 [&](const NeedingKind& each) { return each.kind == check.kind; });
  if (row == std::end(kNeeding) || check.invert || !check.args.is_string() || check.args.AsString().empty())
    return std::nullopt;
  Needed needed{.text = check.args.AsString(), .any_case = row->shape == Shape::kTextAnyCase};
  if (row->shape == Shape::kPatternPython) {
    auto regex = PythonRegex::Compile(needed.text);
    if (!regex) return std::nullopt;
    needed.python = *std::move(regex);
  } else if (row->shape == Shape::kPatternJs || row->shape == Shape::kPatternJsAnyCase) {
    const bool any_case = row->shape == Shape::kPatternJsAnyCase;
    auto regex = JsRegex::Compile(needed.text, any_case ? JsRegexFlags::kIgnoreCase : JsRegexFlags::kNone);
    if (!regex) return std::nullopt;
    needed.javascript = *std::move(regex);
  }
  return needed;
}

// Tools that search show pieces; all others hand over what they read.
bool IsSearch(std::string_view tool) {
  return tool.find("search") != std::string_view::npos || tool.find("query") != std::string_view::npos ||
         tool.find("relevant") != std::string_view::npos || tool.find("summaries") != std::string_view::npos;
}

// What a tool replied, in the order of the calls.
struct ToolReply {
  std::string_view tool;
  std::string_view text;
  std::string lower;
  std::size_t number = 0;  // of the call, from 1
};

std::vector<ToolReply> RepliesOf(const Transcript& transcript) {
  std::map<std::string_view, std::string_view> tools;  // by the id of the call
  std::vector<ToolReply> replies;
  for (const Message& message : transcript.history) {
    for (const ToolCall& call : message.calls) tools[call.id] = call.name;
    if (message.role != Role::kTool) continue;
    const auto tool = tools.find(message.call_id);
    replies.push_back({.tool = tool == tools.end() ? std::string_view() : tool->second,
                       .text = message.text,
                       .lower = JsToLower(message.text),
                       .number = replies.size() + 1});
  }
  return replies;
}

// The first reply of a kind that holds it; null: none does.
const ToolReply* FirstWith(const std::vector<ToolReply>& replies, const Needed& needed, bool is_search) {
  const auto found = std::find_if(replies.begin(), replies.end(), [&](const ToolReply& reply) {
    return IsSearch(reply.tool) == is_search && needed.IsIn(reply.text, reply.lower);
  });
  return found == replies.end() ? nullptr : &*found;
}

Value NoteOf(const ToolReply* reply) {
  if (reply == nullptr) return Null{};
  return std::string(reply->tool) + ", call " + std::to_string(reply->number);
}

}  // namespace

Value EvidenceValue(const Case& graded, const AttemptRecord& record) {
  const std::vector<ToolReply> replies = RepliesOf(record.transcript);
  if (replies.empty()) return Null{};
  const std::string answer = record.transcript.SubjectText();
  const std::string lower = JsToLower(answer);
  List list;
  for (const Check& check : graded.checks) {
    const std::optional<Needed> needed = NeededOf(check);
    if (!needed) continue;
    const ToolReply* retrieved = FirstWith(replies, *needed, true);
    const ToolReply* read = FirstWith(replies, *needed, false);
    Map notes;
    notes.Append("retrieved", NoteOf(retrieved));
    notes.Append("read", NoteOf(read));
    Map map;
    map.Append("needed", needed->text);
    map.Append("is_pattern", needed->python != nullptr || needed->javascript != nullptr);
    // What a tool showed was there; of what none showed nobody can tell without the documents.
    map.Append("in_corpus", retrieved != nullptr || read != nullptr ? Value(true) : Value(Null{}));
    map.Append("retrieved", retrieved != nullptr);
    map.Append("read", read != nullptr);
    map.Append("used", needed->IsIn(answer, lower));
    map.Append("notes", std::move(notes));
    list.emplace_back(std::move(map));
  }
  return list.empty() ? Value(Null{}) : Value(std::move(list));
}

}  // namespace assay
