// Makes JSON Schemas of the tables of keys, for editors (docs/editors.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/keys/key.h"

namespace assay {

// A format with a schema.
struct FormatSchema {
  std::string_view name;  // as `assay schema` takes it
  std::string_view title;
  std::string_view description;
  ValueShape document = {};
  // The place that also has a key for each check that every format may name: "$contains"; null: none.
  const KeyPlace* calls = nullptr;
};

// What the table of checks says of a check.
struct CheckHelp {
  std::string_view name = {};
  std::string_view help = {};
  bool is_offered = false;  // only one format may name it
};

std::span<const FormatSchema> FormatSchemas();
Value SchemaOf(const FormatSchema& format, std::span<const CheckHelp> checks);

}  // namespace assay
