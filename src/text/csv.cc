// Parses CSV in one pass, and quotes fields where they need it.
#include "text/csv.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  CsvRows Rows() {
    CsvRows rows;
    while (at_ < text_.size()) {
      const std::size_t begins_at = at_;
      CsvRow row;
      do {
        row.fields.push_back(Field(rows.problem));
        if (rows.problem) return rows;
      } while (Take(separator_));
      const bool is_empty_line = row.fields.size() == 1 && row.fields.front().empty() && !was_quoted_;
      EndLine();
      if (is_empty_line) continue;
      row.offset = static_cast<std::uint32_t>(begins_at);
      row.length = LineLength(begins_at);
      rows.rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void EndLine() {
    Take('\r');
    Take('\n');
  }

  bool AtEnd() const {
    return at_ >= text_.size() || text_[at_] == separator_ || text_[at_] == '\n' || text_[at_] == '\r';
  }

  std::uint32_t LineLength(std::size_t at) const {
    return static_cast<std::uint32_t>(std::min(text_.find_first_of("\r\n", at), text_.size()) - at);
  }

  std::string Field(std::optional<CsvProblem>& problem) {
    const std::size_t opened_at = at_;
    was_quoted_ = Take('"');
    std::string field;
    if (!was_quoted_) {
      while (!AtEnd()) field += text_[at_++];
      return field;
    }
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"' && !Take('"')) {
        if (AtEnd()) return field;
        problem = CsvProblem{.message = "expected a separator or the end of the line behind a closing quote",
                             .hint = "double the quotes inside a field: \"say \"\"hello\"\" to me\"",
                             .offset = static_cast<std::uint32_t>(at_),
                             .length = 1};
        return field;
      }
      field += c;
    }
    problem = CsvProblem{.message = "this field's quote is never closed",
                         .hint = "close it, or double the quotes inside the field",
                         .offset = static_cast<std::uint32_t>(opened_at),
                         .length = LineLength(opened_at)};
    return field;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  bool was_quoted_ = false;
};

std::size_t LineOf(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

void AppendField(std::string_view field, std::string& out) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

CsvRows ParseCsvRows(std::string_view text, char separator) { return CsvReader(text, separator).Rows(); }

Result<std::vector<std::vector<std::string>>> ParseCsv(std::string_view text,
                                                       std::vector<std::size_t>* lines) {
  CsvRows read = ParseCsvRows(text, ',');
  if (read.problem) {
    return Error{ErrorCode::kInvalidInput, fmt::format("line {}: {}; {}", LineOf(text, read.problem->offset),
                                                       read.problem->message, read.problem->hint)};
  }
  std::vector<std::vector<std::string>> rows;
  rows.reserve(read.rows.size());
  std::size_t line = 1;
  std::size_t counted = 0;
  for (CsvRow& row : read.rows) {
    line += LineOf(text.substr(counted), row.offset - counted) - 1;
    counted = row.offset;
    if (lines != nullptr) lines->push_back(line);
    rows.push_back(std::move(row.fields));
  }
  return rows;
}

void AppendCsvRow(std::span<const std::string> fields, std::string& out) {
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (at > 0) out += ',';
    AppendField(fields[at], out);
  }
  out += '\n';
}

}  // namespace assay
