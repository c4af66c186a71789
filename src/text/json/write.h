// What the JSON writers share: the walk over a tree, with a door for values that have no JSON form.
#pragma once

#include <string>

#include "text/json/json.h"
#include "text/value.h"

namespace assay {

enum class JsonForms {
  kPlain,    // as JSON.stringify: what has no form is null
  kEncoded,  // {"__number":"NaN"} and its kin
  kTyped,    // the same, and {"__int":"2"} for whole numbers of Python
};

void AppendJsonTree(const Value& value, JsonStyle style, JsonForms forms, std::string& out);

}  // namespace assay
