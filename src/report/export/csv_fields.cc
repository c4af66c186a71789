// Quotes fields as RFC 4180 has them.
#include "report/export/csv_fields.h"

#include <fmt/core.h>

#include <cmath>
#include <iterator>

#include "report/formula_text.h"

namespace assay {

void AppendField(std::string_view field, std::string& out) {
  const std::string text = WithApostrophes(field);
  if (text.find_first_of(",;\"\r\n") == std::string::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string CsvField(std::string_view text) {
  std::string field;
  AppendField(text, field);
  return field;
}

void AppendNumber(double number, std::string& out) {
  if (!std::isfinite(number)) return;
  const std::size_t begin = out.size();
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (out.find_first_of(".e", begin) == std::string::npos) out += ".0";
}

std::string NumberField(const std::optional<double>& number) {
  std::string field;
  if (number) AppendNumber(*number, field);
  return field;
}

}  // namespace assay
