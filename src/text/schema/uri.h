// Resolves references to schemas: RFC 3986 as far as `$id` and `$ref` need it.
#pragma once

#include <string>
#include <string_view>

namespace assay {

struct SplitUri {
  std::string_view whole;  // without the fragment
  std::string_view fragment;
};
SplitUri SplitFragment(std::string_view uri);

// An absolute URI, without fragment, from a reference without one and what it stands in.
std::string ResolveUri(std::string_view base, std::string_view reference);

}  // namespace assay
