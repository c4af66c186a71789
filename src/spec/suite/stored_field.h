// Field and FieldUse: one stored field of a struct, and whether it decides the plan's digest (lists:
// suite_fields.h).
#pragma once

#include <string_view>

namespace assay {

enum class FieldUse {
  kDecides,  // part of a plan's digest: another value, another plan
  kTold,     // kept for people
  // Decides, but for the credentials among its headers, which are written nowhere; what else may be secret in
  // it, in headers and addresses, is hashed.
  kHoldsSecrets
};

template <class Struct, class Member>
struct Field {
  std::string_view name;
  Member Struct::*member;
  FieldUse use = FieldUse::kDecides;
};

template <class Struct>
struct FieldsOf;  // `list` and `left_out`

using LeftOutNames = std::string_view;

}  // namespace assay
