// Parses CSV in one pass, and quotes fields where they need it.
#include "text/csv.h"

#include <fmt/core.h>

namespace assay {

namespace {

class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  Result<std::vector<std::vector<std::string>>> Rows(std::vector<std::size_t>* lines) {
    std::vector<std::vector<std::string>> rows;
    while (at_ < text_.size()) {
      const std::size_t begins_at = line_;
      std::vector<std::string> row;
      do {
        ASSAY_TRY(row.emplace_back(), Field());
      } while (Take(','));
      const bool is_empty_line = row.size() == 1 && row.front().empty() && !was_quoted_;
      EndLine();
      if (is_empty_line) continue;
      rows.push_back(std::move(row));
      if (lines != nullptr) lines->push_back(begins_at);
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
    ++line_;
  }

  bool AtEnd() const {
    return at_ >= text_.size() || text_[at_] == ',' || text_[at_] == '\n' || text_[at_] == '\r';
  }

  Result<std::string> Field() {
    was_quoted_ = Take('"');
    std::string field;
    if (!was_quoted_) {
      while (!AtEnd()) field += text_[at_++];
      return field;
    }
    const std::size_t opened_at = line_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c == '"' && !Take('"')) {
        if (AtEnd()) return field;
        return Error{
            ErrorCode::kInvalidInput,
            fmt::format("line {}: expected a comma or the end of the line behind a closing quote; double "
                        "the quotes inside a field",
                        line_)};
      }
      field += c;
    }
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("line {}: this field's quote is never closed", opened_at)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool was_quoted_ = false;
};

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

Result<std::vector<std::vector<std::string>>> ParseCsv(std::string_view text,
                                                       std::vector<std::size_t>* lines) {
  return CsvReader(text).Rows(lines);
}

void AppendCsvRow(std::span<const std::string> fields, std::string& out) {
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (at > 0) out += ',';
    AppendField(fields[at], out);
  }
  out += '\n';
}

}  // namespace assay
