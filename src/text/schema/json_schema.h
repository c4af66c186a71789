// JsonSchema: whether a JSON value is as a JSON Schema says, by draft 7 or 2020-12. Compiled once, then asked
// from any thread.
//
//   draft    by `$schema` of the whole schema, 2020-12 without one; any other `$schema` is refused
//   $ref     within the schema alone: what leads elsewhere is refused, nothing is ever fetched
//   formats  and contents (`format`, `contentEncoding`, ...) are notes, as both drafts have it
//   pattern  JavaScript with the flag u, or without it where only that compiles
//   source   json-schema.org, drafts 7 and 2020-12; tests/interop/schemas_are_read_as_agreed.py runs the
//            official suite, of which everything that needs no other document passes
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/errors/result.h"
#include "text/javascript/regex.h"
#include "text/value.h"

namespace assay {

// Why a value is not as the schema says.
struct SchemaFault {
  std::string place;     // JSON pointer into the value; "": the whole
  std::string words;     // "expected string, found number"
  std::string expected;  // "string"
  std::string found;     // "number"; "": what is expected is not there
};

// Drafts, as bits of the rows of keywords.
namespace schema_drafts {
inline constexpr unsigned k7 = 1;
inline constexpr unsigned k2020 = 2;
inline constexpr unsigned kBoth = k7 | k2020;
}  // namespace schema_drafts

// A part of the schema that is a schema, and in which resource (what an `$id` names) it stands.
struct SchemaPart {
  const Value* schema = nullptr;
  std::size_t resource = 0;
};

class JsonSchema {
 public:
  // kInvalidInput, at the place in the schema, if it is no schema; kUnsupported for another draft, and for
  // what leads to another document.
  static Result<std::shared_ptr<const JsonSchema>> Compile(Value schema);

  // In the order in which they were found, at most limits::kSchemaFaultsMax; none: the value fits. Of choices
  // (anyOf, oneOf) only that none fits. kLimit beyond limits::kSchemaTime or kSchemaDepthMax,
  // kInvalidInput where the schema alone is why, if nothing was found till then.
  Result<std::vector<SchemaFault>> Check(const Value& value) const;

 protected:
  JsonSchema() = default;

 private:
  friend class SchemaReader;  // reader.cc
  friend class SchemaWalk;    // walk.cc

  // What is known of one part that refers to others.
  struct Links {
    std::optional<SchemaPart> ref;
    std::optional<SchemaPart> dynamic;  // where $dynamicRef leads at first
    std::string dynamic_anchor;         // the name that is looked for in all resources on the way; "": none
  };
  struct Resource {
    std::string uri;
    const Value* root = nullptr;
    std::map<std::string, SchemaPart, std::less<>> anchors;
    std::set<std::string, std::less<>> dynamic_anchors;  // those of `anchors` that are dynamic
  };

  Value schema_;
  unsigned draft_ = schema_drafts::k2020;
  bool gathers_ =
      false;  // some part asks what others have evaluated (unevaluatedItems, unevaluatedProperties)
  std::vector<Resource> resources_;
  std::unordered_map<const Value*, std::size_t> resource_of_;  // of every part that is a schema
  std::unordered_map<const Value*, Links> links_;
  std::map<std::string, std::shared_ptr<const JsRegex>, std::less<>> patterns_;
};

}  // namespace assay
