// The writing of a value tree that all JSON writers share, with the forms for values that JSON lacks.
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
