// Fills the placeholders in the parameters of `$call`, up to a limit on what is produced.
#include <fmt/core.h>

#include "checks/limits.h"
#include "checks/service/call.h"
#include "text/json/json.h"

namespace assay {
namespace {

// Fills in texts until what was made is too much.
class Filler {
 public:
  explicit Filler(const CallData& data)
      : data_(data), messages_text_(WriteJson(data.messages, JsonStyle::kJavaScript)) {}

  Result<Value> Fill(const Value& parameters) {
    if (parameters.is_string()) return FillText(parameters.AsString());
    if (parameters.is_list()) {
      List filled;
      for (const Value& item : parameters.AsList()) {
        ASSAY_TRY(Value value, Fill(item));
        filled.push_back(std::move(value));
      }
      return Value(std::move(filled));
    }
    if (!parameters.is_map()) return parameters;
    Map filled;
    for (const Member& member : parameters.AsMap()) {
      ASSAY_TRY(Value value, Fill(member.value));
      filled.Append(member.key, std::move(value));
    }
    return Value(std::move(filled));
  }

 private:
  Status Take(std::size_t bytes) {
    if (bytes > left_) {
      return Error{ErrorCode::kLimit,
                   fmt::format("what would be sent is longer than {} bytes", limits::kServiceBodyBytesMax)};
    }
    left_ -= bytes;
    return Ok();
  }

  Result<Value> Whole(std::string_view text) {
    ASSAY_CHECK_OK(Take(text.size()));
    return Value(text);
  }

  Result<Value> FillText(const std::string& text) {
    if (text == "{response}") return Whole(data_.response);
    if (text == "{modelId}") return Whole(data_.model_id);
    if (text == "{promptId}") return Whole(data_.prompt_id);
    if (text == "{messages}") {
      ASSAY_CHECK_OK(Take(messages_text_.size()));
      return data_.messages;
    }
    ASSAY_TRY(std::string filled, Replace(text, "{response}", data_.response));
    ASSAY_TRY(filled, Replace(filled, "{modelId}", data_.model_id));
    ASSAY_TRY(filled, Replace(filled, "{promptId}", data_.prompt_id));
    ASSAY_TRY(filled, Replace(filled, "{messages}", messages_text_));
    return Whole(filled);
  }

  // Bounded by what is left in all: what is made here in between may be no longer than what may be sent.
  Result<std::string> Replace(std::string_view text, std::string_view name, std::string_view by) const {
    std::string out;
    std::size_t start = 0;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, start)) {
      out += text.substr(start, at - start);
      start = at + name.size();
      if (!Expand(by, text.substr(0, at), name, text.substr(start), out)) {
        return Error{ErrorCode::kLimit,
                     fmt::format("what would be sent is longer than {} bytes", limits::kServiceBodyBytesMax)};
      }
    }
    out += text.substr(start);
    return out;
  }

  // What stands for one match, as JavaScript's replace expands it; the patterns have no groups. False if it
  // is too much.
  bool Expand(std::string_view by, std::string_view before, std::string_view match, std::string_view after,
              std::string& out) const {
    for (std::size_t i = 0; i < by.size(); ++i) {
      if (out.size() > left_) return false;
      switch (by[i] == '$' && i + 1 < by.size() ? by[i + 1] : '\0') {
        case '$':
          out += '$';
          break;
        case '&':
          out += match;
          break;
        case '`':
          out += before;
          break;
        case '\'':
          out += after;
          break;
        default:
          out += by[i];
          continue;
      }
      ++i;
    }
    return out.size() <= left_;
  }

  const CallData& data_;
  std::string messages_text_;
  std::size_t left_ = limits::kServiceBodyBytesMax;
};

}  // namespace

Result<Value> FillTemplate(const Value& parameters, const CallData& data) {
  return Filler(data).Fill(parameters);
}

}  // namespace assay
