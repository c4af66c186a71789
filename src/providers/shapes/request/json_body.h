// JsonBody: builds the JSON body of a request, member by member.
#pragma once

#include <string>
#include <string_view>

#include "text/javascript/number.h"
#include "text/json/json.h"

namespace assay {

class JsonBody {
 public:
  void Text(std::string_view name, std::string_view text) {
    Begin(name);
    AppendJsonString(text, out_);
  }
  void Number(std::string_view name, double number) {
    Begin(name);
    out_ += JsNumberText(number);
  }
  void Bool(std::string_view name, bool value) {
    Begin(name);
    out_ += value ? "true" : "false";
  }
  // `json` is JSON already.
  void Raw(std::string_view name, std::string_view json) {
    Begin(name);
    out_ += json;
  }
  // Under a name that is somebody else's.
  void Json(std::string_view name, const Value& value) {
    out_ += out_.size() == 1 ? "" : ",";
    AppendJsonString(name, out_);
    out_ += ':';
    AppendJson(value, JsonStyle::kJavaScript, out_);
  }
  std::string Finish() && {
    out_ += '}';
    return std::move(out_);
  }

 private:
  void Begin(std::string_view name) {
    out_ += out_.size() == 1 ? "\"" : ",\"";
    out_ += name;  // ours, without anything to escape
    out_ += "\":";
  }
  std::string out_ = "{";
};

}  // namespace assay
