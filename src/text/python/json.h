// Reads and writes JSON by the rules of Python's json.loads and json.dumps.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "base/errors/result.h"
#include "text/value.h"

namespace assay {

// As ReadJson and ParseJson (text/json/json.h), with what json.loads does otherwise: NaN, Infinity and
// -Infinity are numbers, whole numbers are kInt (beyond 64 bits the nearest double), members keep the order
// of the text.
Value ReadPythonJson(FileId file, std::string_view text, Diagnostics& diagnostics);
Result<Value> ParsePythonJson(std::string_view text);

struct PythonJsonStyle {
  int indent = 0;  // columns; 0: one line, with ", " and ": "
  bool escapes_beyond_ascii = true;
  bool sorts_keys = false;  // by code points, at every level
};

// json.dumps: floats as repr prints them, NaN and Infinity as such. A date or binary data is kUnsupported,
// with the path to it; an undefined value is null.
Result<std::string> WritePythonJson(const Value& value, const PythonJsonStyle& style = {});

}  // namespace assay
