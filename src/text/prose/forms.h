// Forms that a whole text may have: numbers, dates, addresses. Subsets of ISO 8601, RFC 3339 and RFC 5321.
#pragma once

#include <string_view>

namespace assay {

// The names of the forms, for arguments and messages.
inline constexpr std::string_view kTextForms[] = {"number", "integer", "date", "time", "datetime",
                                                  "url",    "email",   "uuid", "json"};

// Whether the text without white space at its ends has the form of this name:
//   number    a sign, digits (or groups of three, parted by commas), decimals, an exponent
//   integer   the same, without decimals and exponent
//   date      YYYY-MM-DD, a day of the calendar
//   time      HH:MM, with seconds and their decimals where they are written
//   datetime  a date, T or a blank, a time, and Z, ±HH:MM or nothing
//   url       http or https, a host of labels, a port, no blank and none of <>"{}|\^`
//   email     local@domain, ASCII; the last label has two letters or more
//   uuid      8-4-4-4-12 hexadecimal digits
//   json      any value
// Linear in the length of the text.
bool HasForm(std::string_view text, std::string_view form);

}  // namespace assay
