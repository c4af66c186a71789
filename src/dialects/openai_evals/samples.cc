// Messages, wanted texts and points of samples.
#include "dialects/openai_evals/samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "dataset/limits.h"
#include "dialects/foreign/values.h"
#include "text/json/json.h"
#include "text/template/written.h"

namespace assay::evals {
namespace {

using blueprint::DatasetReading;
using blueprint::PromptEntry;
using foreign::MessageAt;
using foreign::OneMember;
using foreign::PlacedAt;

constexpr std::string_view kInputHint = "write a text, or a list of {role, content}";

void Complain(std::string code, std::string message, Span where, std::string hint,
              dataset::Problems& problems) {
  problems.Add(
      {.code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = where});
}

Span PlaceIn(const Value& value, Span otherwise) {
  return value.span.file == FileId::kNone ? otherwise : value.span;
}

// Examples of a conversation are system messages with a name.
std::string_view RoleOf(const Value& message) {
  const std::string& name = message.TextAt("name");
  if (name == "example_user") return "user";
  if (name == "example_assistant") return "assistant";
  const std::string& role = message.TextAt("role");
  return role == "developer" ? std::string_view("system") : std::string_view(role);
}

// A question has to come last: a lone system message is one.
void EndWithQuestion(List& messages) {
  if (messages.empty()) return;
  Value* role = messages.back().AsMap().Find("role");
  if (role->AsString() != "system") return;
  *role = PlacedAt(role->span, "user");
}

std::optional<std::string> IdealText(const Value& ideal, const SourceFiles& sources) {
  std::optional<std::string> text = WrittenText(ideal, sources);
  if (text && text->empty()) return std::nullopt;
  return text;
}

// The wanted texts; empty after an error.
List IdealsOf(const dataset::Row& row, DatasetReading& reading) {
  const Value* ideal = row.cells.Find("ideal");
  const List one = ideal == nullptr || ideal->is_list() ? List() : List{*ideal};
  const List& given = one.empty() ? row.cells.ListAt("ideal") : one;
  List ideals;
  for (const Value& each : given) {
    const std::optional<std::string> text = IdealText(each, reading.sources);
    if (!text) break;
    ideals.push_back(PlacedAt(PlaceIn(each, row.where), *text));
  }
  if (!ideals.empty() && ideals.size() == given.size()) return ideals;
  Complain("evals.ideal",
           fmt::format("ideal: expected a text or a list of texts, found {}",
                       ideal == nullptr ? "none" : std::string(KindName(*ideal))),
           ideal == nullptr ? row.where : PlaceIn(*ideal, row.where),
           "write the wanted answer as `ideal` into each sample", reading.problems);
  return {};
}

std::string_view FunctionOf(const Eval& eval) {
  switch (eval.grading) {
    case Grading::kMatch:
      return "$starts_with_any_of";
    case Grading::kIncludes:
      return eval.ignores_case ? "$icontains_any_of" : "$contains_any_of";
    case Grading::kFuzzyMatch:
      return "$fuzzy_match";
    case Grading::kJsonMatch:
      break;
  }
  return "$json_equals";
}

// Of several wanted documents each is a way to satisfy the rubric.
List JsonPoints(const List& ideals, Span where, DatasetReading& reading) {
  List points;
  for (const Value& ideal : ideals) {
    Result<Value> document = ParseJson(ideal.AsString());
    if (!document) {
      Complain("evals.ideal", fmt::format("ideal: expected JSON, found {}", Quoted(ideal.AsString())),
               ideal.span, "JsonMatch compares JSON: write the document as a text", reading.problems);
      return {};
    }
    Map argument;
    argument.Append("value", *std::move(document), where);
    Value point = OneMember(where, "$json_equals", PlacedAt(where, std::move(argument)));
    if (ideals.size() == 1) return {std::move(point)};
    points.push_back(PlacedAt(where, List{std::move(point)}));
  }
  return points;
}

List PointsOf(const Eval& eval, List ideals, Span where, DatasetReading& reading) {
  if (eval.grading == Grading::kJsonMatch) return JsonPoints(ideals, where, reading);
  return {OneMember(where, FunctionOf(eval), PlacedAt(where, std::move(ideals)))};
}

std::optional<Value> PromptOf(const Eval& eval, const dataset::Row& row, DatasetReading& reading) {
  const Value* input = row.cells.Find("input");
  List messages = MessagesOf(input == nullptr ? Value() : *input, "input", row.where, reading.problems);
  List ideals = IdealsOf(row, reading);
  if (messages.empty() || ideals.empty()) return std::nullopt;
  messages.insert(messages.end() - 1, eval.shots.begin(), eval.shots.end());
  EndWithQuestion(messages);
  List points = PointsOf(eval, std::move(ideals), row.where, reading);
  if (points.empty()) return std::nullopt;
  Map entry;
  entry.Append("id", PlacedAt(row.where, eval.is_one_of_several ? eval.name + "." + row.id : row.id));
  entry.Append("messages", PlacedAt(row.where, std::move(messages)));
  entry.Append("should", PlacedAt(row.where, std::move(points)));
  if (eval.is_one_of_several) {
    std::string tag = eval.name;  // a tag has no points
    std::replace(tag.begin(), tag.end(), '.', '-');
    entry.Append("tags", PlacedAt(row.where, List{PlacedAt(row.where, std::move(tag))}));
  }
  return PlacedAt(row.where, std::move(entry));
}

}  // namespace

List MessagesOf(const Value& given, std::string_view key, Span where, dataset::Problems& problems) {
  const Span place = PlaceIn(given, where);
  if (given.is_string() && !given.AsString().empty()) return {MessageAt(place, "user", given)};
  List messages;
  if (given.is_list()) {
    for (const Value& each : given.AsList()) {
      const std::string_view role = RoleOf(each);
      const Value* content = each.Find("content");
      if (role.empty() || content == nullptr || !content->is_string()) {
        messages.clear();
        break;
      }
      messages.push_back(MessageAt(PlaceIn(each, where), role, *content));
    }
  }
  if (messages.empty()) {
    Complain("evals.input",
             fmt::format("{}: expected a text or messages with texts, found {}", key,
                         given.is_undefined() ? "none" : std::string(KindName(given))),
             place, std::string(kInputHint), problems);
  }
  return messages;
}

void AddPrompts(const Eval& eval, const dataset::Table& table, DatasetReading& reading,
                std::vector<PromptEntry>& out) {
  const auto filled = std::make_shared<const blueprint::FilledPrompt>(
      blueprint::FilledPrompt{fmt::format("eval {}", eval.name), {}});
  for (const dataset::Row& row : table.rows) {
    if (out.size() >= limits::kDatasetCasesMax) {
      Complain("dataset.limit",
               fmt::format("expected at most {} samples in a suite, found more", limits::kDatasetCasesMax),
               row.where, "select samples with --sample, or share the evals out among files",
               reading.problems);
      return;
    }
    if (std::optional<Value> prompt = PromptOf(eval, row, reading))
      out.push_back({*std::move(prompt), filled});
  }
}

}  // namespace assay::evals
