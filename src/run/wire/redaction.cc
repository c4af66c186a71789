// Replaces each found key by "[secret]" in texts, values, replies and errors.
#include "run/wire/redaction.h"

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

namespace {

constexpr std::string_view kRedacted = "[secret]";

}  // namespace

Redactor::Redactor(const Endpoints& endpoints) {
  for (const auto& [name, endpoint] : endpoints.providers) {
    Add(endpoint.key);
    if (!endpoint.aws) continue;
    Add(endpoint.aws->secret);
    Add(endpoint.aws->session);
  }
  for (const auto& [place, endpoint] : endpoints.named) Add(endpoint.key);
  Add(endpoints.factcheck.key);
  for (const auto& [name, secret] : endpoints.environment) Add(secret);
}

void Redactor::Add(const Secret& key) { keys_.Add(key.Reveal()); }

bool Redactor::Redact(std::string& text) const {
  const std::vector<KeySearch::Part> parts = keys_.In(text).parts;
  if (parts.empty()) return false;
  std::string redacted;
  std::size_t kept = 0;
  for (const KeySearch::Part part : parts) {
    redacted.append(text, kept, part.begin - kept).append(kRedacted);
    kept = part.end;
  }
  text = redacted.append(text, kept);
  return true;
}

bool Redactor::RedactValue(Value& value) const {
  bool found = false;
  if (value.is_string()) {
    std::string text = value.AsString();
    found = Redact(text);
    if (found) value = Value(std::move(text));
  } else if (value.is_list()) {
    for (Value& item : value.AsList()) found = RedactValue(item) || found;
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) {
      found = Redact(member.key) || found;
      found = RedactValue(member.value) || found;
    }
  }
  return found;
}

bool Redactor::Redact(Reply& reply) const {
  if (keys_.empty()) return false;
  bool found = false;
  const auto take = [&](std::string& text) { found = Redact(text) || found; };
  if (auto* model = std::get_if<ModelReply>(&reply)) {
    take(model->text);
    take(model->reasoning);
    take(model->finish_reason);
    take(model->parts);
    for (ToolCall& call : model->tool_calls) {
      for (std::string* part : {&call.id, &call.name, &call.arguments, &call.seal}) take(*part);
    }
    found = RedactValue(model->details) || found;
  } else if (auto* http = std::get_if<HttpReply>(&reply)) {
    found = Redact(*http);
  } else if (auto* process = std::get_if<ProcessReply>(&reply)) {
    take(process->stdout_text);
    take(process->stderr_text);
  }
  return found;
}

bool Redactor::Redact(HttpReply& reply) const {
  if (keys_.empty()) return false;
  bool found = reply.error && Redact(*reply.error);
  for (std::string* part : {&reply.body, &reply.final_url, &reply.content_type})
    found = Redact(*part) || found;
  for (HttpHeader& header : reply.headers) found = Redact(header.value) || found;
  return found;
}

bool Redactor::Redact(Error& error) const {
  bool found = Redact(error.message);
  for (std::string& note : error.notes) found = Redact(note) || found;
  return found;
}

}  // namespace assay
