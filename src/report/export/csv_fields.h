// Fields of CSV tables: texts that no spreadsheet takes for a formula, and numbers that stay numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

// Quoted where it has to be; a text that a spreadsheet would take for a formula gets an apostrophe in front.
void AppendField(std::string_view field, std::string& out);
std::string CsvField(std::string_view text);
// Always with a fraction or an exponent, so that a column of them is of one type; nothing for NaN.
void AppendNumber(double number, std::string& out);
std::string NumberField(const std::optional<double>& number);  // "" without one

}  // namespace assay
