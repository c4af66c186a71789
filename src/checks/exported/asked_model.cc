// The question to the model of a grader, and what its reply says.
#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "checks/exported/grader.h"
#include "checks/judge/judge.h"
#include "spec/suite/variant.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

std::string LabelsInWords(const ModelGrader& grader) {
  std::string words;
  for (const std::string& label : grader.labels) {
    words += words.empty() ? "" : ", ";
    AppendJsonString(label, words);
  }
  return words;
}

std::string FormOf(const ModelGrader& grader) {
  if (grader.labels.empty()) {
    return fmt::format(
        "Reply with one JSON object and nothing else: {{\"score\": NUMBER}}, a number from {} to {}.",
        grader.least, grader.most);
  }
  return fmt::format(
      "Reply with one JSON object and nothing else: {{\"label\": LABEL}}, where LABEL is one of {}.",
      LabelsInWords(grader));
}

Role RoleFor(std::string_view role) {
  if (role == "system" || role == "developer") return Role::kSystem;
  return role == "assistant" ? Role::kAssistant : Role::kUser;
}

// The reply without the fence that some models put around JSON.
std::string_view BareText(std::string_view text) {
  text = JsTrim(text);
  if (!text.starts_with("```") || !text.ends_with("```") || text.size() < 6) return text;
  text.remove_suffix(3);
  const std::size_t line = text.find('\n');
  return line == std::string_view::npos ? text : JsTrim(text.substr(line));
}

Error Unreadable(const ModelGrader& grader, std::string_view text) {
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("expected {}, found {}",
                  grader.labels.empty() ? fmt::format("a number from {} to {}", grader.least, grader.most)
                                        : "one of " + LabelsInWords(grader),
                  Quoted(text))};
}

// The label or the number: a member of an object, or all of the reply.
Value SaidIn(const ModelGrader& grader, std::string_view text) {
  const Result<Value> document = ParseJson(BareText(text));
  if (!document) return Value(BareText(text));
  const Value* member = document->Find(grader.labels.empty() ? "score" : "label");
  return member != nullptr ? *member : *document;
}

}  // namespace

Result<PlannedRequest> RequestOf(const ModelGrader& grader, const AskInput& input, const Judge& judge,
                                 const Exchange* unreadable) {
  ModelRequest request{judge};
  request.params = judge.params;
  for (const auto& [role, text] : grader.messages) {
    std::string missing;
    std::optional<std::string> written = text.Of(input.grade, missing);
    if (!written)
      return Error{ErrorCode::kNotFound, fmt::format("no answer found: the answer has no {}", missing)};
    request.messages.push_back({RoleFor(role), *std::move(written)});
  }
  if (request.messages.back().role != Role::kUser) request.messages.push_back({Role::kUser, ""});
  std::string& question = request.messages.back().text;
  question += (question.empty() ? "" : "\n\n") + FormOf(grader);
  if (unreadable != nullptr) {
    const auto* reply = std::get_if<ModelReply>(&unreadable->reply);
    request.messages.push_back(
        {Role::kAssistant, reply == nullptr || reply->text.empty() ? "…" : reply->text});
    request.messages.push_back({Role::kUser, "That could not be read. " + FormOf(grader)});
  }
  request.attempt = input.tag.attempt;
  RequestTag tag = input.tag;
  tag.role = RequestRole::kJudge;
  tag.judge_model = judge.model_id;
  return PlannedRequest{.request = std::move(request), .tag = std::move(tag)};
}

Result<GraderNumber> NumberIn(const ModelGrader& grader, const Judge& judge, const Exchange& exchange) {
  if (exchange.error) return Error{ErrorCode::kService, exchange.error->message};
  const auto* reply = std::get_if<ModelReply>(&exchange.reply);
  if (reply == nullptr) return Unreadable(grader, "");
  const Value said = SaidIn(grader, reply->text);
  GraderNumber number;
  number.evidence = Evidence{.source = judge.label, .value = 0, .text = reply->text};
  if (!grader.labels.empty()) {
    const bool is_label = said.is_string() && std::find(grader.labels.begin(), grader.labels.end(),
                                                        said.AsString()) != grader.labels.end();
    if (!is_label) return Unreadable(grader, reply->text);
    number.number =
        std::find(grader.passing.begin(), grader.passing.end(), said.AsString()) != grader.passing.end() ? 1
                                                                                                         : 0;
    number.told = "the label " + Quoted(said.AsString());
  } else {
    if (!said.is_number() || !(said.AsNumber() >= grader.least) || !(said.AsNumber() <= grader.most))
      return Unreadable(grader, reply->text);
    number.number = said.AsNumber();
    number.told = fmt::format("the number {:g} of {:g} to {:g}", number.number, grader.least, grader.most);
  }
  return number;
}

}  // namespace assay
