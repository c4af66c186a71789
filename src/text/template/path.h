// Paths into a row: `name`, `a.b`, `a[0]`, `a[-1]`, `a["b c"]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/value.h"

namespace assay {

struct RowPath {
  std::string name;                                            // the column
  std::vector<std::variant<std::string, std::int64_t>> steps;  // from its value: members and places
};

// Reads a path that begins at `at`, which goes behind it, or to what is wrong with it.
std::optional<RowPath> ReadRowPath(std::string_view text, std::size_t& at);
// A text in quotes, `\n \t \r \" \' \\` read; `at` stands on its quote. Nothing: it is not closed.
std::optional<std::string> ReadQuotedText(std::string_view text, std::size_t& at);

// The value there; null where the row has none. Nothing: a step into a value of the wrong kind.
std::optional<const Value*> FindAt(const Map& row, const RowPath& path);

}  // namespace assay
