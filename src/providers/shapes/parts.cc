// Reads and joins the parts of turns by their form. Sources: the references of OpenRouter ("Preserving
// reasoning blocks"), LiteLLM ("Reasoning content") and Mistral ("Reasoning").
#include "providers/shapes/parts.h"

#include <algorithm>

#include "providers/shapes/reply/reply_json.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// Members whose pieces follow each other; of every other member the last word counts.
constexpr std::string_view kGrowing[] = {"text", "thinking", "summary", "data"};

bool Grows(std::string_view name) {
  return std::find(std::begin(kGrowing), std::end(kGrowing), name) != std::end(kGrowing);
}

bool IsSame(const Value& a, const Value& b, std::string_view member) {
  const Value* left = a.Find(member);
  const Value* right = b.Find(member);
  if (left == nullptr || right == nullptr) return left == right;
  return SameValue(*left, *right);
}

bool GoesOn(const Value& piece, const Value& last) {
  const auto is_sealed = [](const Value& part) {
    return !part.TextAt("signature").empty() || part.Find("data") != nullptr;
  };
  return IsSame(piece, last, "type") && IsSame(piece, last, "index") && !is_sealed(last);
}

void Join(const Value& piece, Value& last) {
  for (const Member& member : piece.AsMap()) {
    Value* known = last.AsMap().Find(member.key);
    if (known != nullptr && Grows(member.key) && known->is_string() && member.value.is_string()) {
      *known = Value(known->AsString() + member.value.AsString());
    } else if (known != nullptr && Grows(member.key) && known->is_list() && member.value.is_list()) {
      for (const Value& each : member.value.AsList()) JoinPart(each, known->AsList());
    } else if (known == nullptr || !member.value.is_null()) {
      last.AsMap().Set(member.key, member.value);
    }
  }
}

}  // namespace

std::string PartsAs(std::string_view form, Value parts) {
  return WriteJson(Object{{form, std::move(parts)}}, JsonStyle::kJavaScript);
}

std::optional<Value> PartsOf(const Message& message, std::string_view form) {
  if (message.parts.empty()) return std::nullopt;
  Result<Value> parts = ParseJson(message.parts);
  Value* found = parts && parts->is_map() ? parts->AsMap().Find(form) : nullptr;
  return found == nullptr ? std::nullopt : std::optional(std::move(*found));
}

ModelReply Continued(const ModelReply& said, ModelReply more) {
  // Of a reply that words say whole, these are its parts.
  const auto blocks_of = [](const ModelReply& reply) {
    const std::optional<Value> parts = PartsOf({.text = {}, .parts = reply.parts}, kAnthropicForm);
    if (parts && parts->is_list()) return parts->AsList();
    return reply.text.empty() ? List() : List{Object{{"type", "text"}, {"text", reply.text}}};
  };
  List blocks = blocks_of(said);
  for (Value& block : blocks_of(more)) blocks.push_back(std::move(block));
  more.parts = PartsAs(kAnthropicForm, Value(std::move(blocks)));
  for (const auto& [text, before] :
       {std::pair(&more.text, &said.text), std::pair(&more.reasoning, &said.reasoning)})
    *text = *before + (before->empty() || text->empty() ? "" : "\n\n") + *text;
  return more;
}

bool HasOnly(const Value& map, std::initializer_list<std::string_view> names) {
  return map.is_map() && std::all_of(map.AsMap().begin(), map.AsMap().end(), [&](const Member& member) {
           return member.value.is_nullish() ||
                  std::find(names.begin(), names.end(), member.key) != names.end();
         });
}

void JoinPart(const Value& piece, List& parts) {
  const bool goes_on =
      !parts.empty() && piece.is_map() && parts.back().is_map() && GoesOn(piece, parts.back());
  if (goes_on) {
    Join(piece, parts.back());
  } else {
    parts.push_back(piece);
  }
}

}  // namespace assay
