// The types of promptfoo's assertions, and what readers know of each.
#pragma once

#include <span>
#include <string_view>

namespace assay::promptfoo {

struct AssertionType {
  std::string_view name;         // without "not-"
  bool needs_text = false;       // a model grades it
  bool needs_embedding = false;  // a model embeds texts for it
  bool is_nameable = true;       // a text may name it, as cells of CSV do
};

std::span<const AssertionType> AssertionTypes();
// By its name with or without "not-"; null if there is none. "not-" stands before no type that texts cannot
// name.
const AssertionType* FindAssertionType(std::string_view name);

}  // namespace assay::promptfoo
