// Looks keys up with all of their names.
#include "dialects/blueprint/rows/filled_keys.h"

#include <algorithm>
#include <iterator>

#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/parse.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kFilledKeys[] = {"prompt",  "messages",    "system",   "ideal",
                                            "should",  "should_not",  "citation", "tags",
                                            "cluster", "description", "weight",   "group"};

}  // namespace

bool IsFilledKey(std::string_view key) {
  return IsMediaKey(key) || std::any_of(std::begin(kFilledKeys), std::end(kFilledKeys),
                                        [key](std::string_view name) { return IsNamed(key, name); });
}

bool IsNamed(std::string_view key, std::string_view name) {
  if (key == name) return true;
  const KeyRow* row = FindKey(kPrompt, name);
  return row != nullptr && row->IsNamed(key);
}

}  // namespace assay::blueprint
