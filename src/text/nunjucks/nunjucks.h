// Nunjucks: renders the templates of promptfoo's configs, in nunjucks 3.2.4 within the script engine. Values
// are written as JavaScript writes them, nothing is escaped, what is not there is empty.
//
// A template reaches no file: `include`, `import` and `extends` are errors.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "text/script/session.h"
#include "text/value.h"

namespace assay {

// One thread. The script is started by the first template that is more than texts and `{{ name }}`.
class Nunjucks {
 public:
  // `environment`: what templates see as `env`.
  explicit Nunjucks(Map environment) : environment_(std::move(environment)) {}

  // kInvalidInput for what nunjucks refuses; kLimit for time, memory, depth and size.
  Result<std::string> Render(std::string_view text, const Map& variables);
  const Map& environment() const { return environment_; }

 private:
  Status Start();

  Map environment_;
  std::unique_ptr<ScriptSession> session_;
};

// String(value) of JavaScript, "" for null and undefined.
std::string JsTextOf(const Value& value);

}  // namespace assay
