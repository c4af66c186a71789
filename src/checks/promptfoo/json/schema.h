// StrictSchema: whether a JSON value is as a schema of draft 7 says, by the rules and in the words of ajv's
// strict mode: the first fault ends the check, unknown keywords and formats are errors of the schema.
//
//   order   of a schema's keywords: those of numbers, of texts, of any value, of lists, of objects
//   $ref    within the schema alone; nothing is fetched
//   pattern JavaScript with the flag u
//   source  json-schema.org, draft 7; ajv 8 and ajv-formats 3 as they are documented and as golden rows show
//   known deviations: $id names a place of the schema only as "#name"; formats are as strict as formats.h
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "text/javascript/regex.h"
#include "text/value.h"

namespace assay::promptfoo {

// Compiled once, asked from any thread.
class StrictSchema {
 public:
  // kInvalidInput, at the place in the schema, if it is no schema.
  static Result<std::shared_ptr<const StrictSchema>> Compile(Value schema);

  // "data/a must be integer", and what led to it; none: the value fits.
  std::vector<std::string> Faults(const Value& value) const;

 private:
  friend class SchemaCompiler;  // compile.cc
  friend class SchemaCheck;     // check.cc
  using Regex = std::shared_ptr<const JsRegex>;

  // Null if it leads nowhere.
  const Value* Target(std::string_view reference) const;

  Value schema_;
  std::map<std::string, Regex, std::less<>> patterns_;
  std::map<std::string, const Value*, std::less<>> names_;  // "#name" of $id
};

}  // namespace assay::promptfoo
