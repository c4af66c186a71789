// Splits CSV into records and cells, and counts physical lines.
#include "text/csv/csv_stream.h"

#include <algorithm>
#include <array>

namespace assay {

bool CsvStream::AtCellEnd() const {
  if (at_ >= text_.size()) return true;
  const char c = text_[at_];
  return c == delimiter_ || c == '\n' || c == '\r';
}

bool CsvStream::TakeLineEnd() {
  if (at_ >= text_.size() || (text_[at_] != '\n' && text_[at_] != '\r')) return false;
  if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
  ++at_;
  ++line_;
  return true;
}

CsvStep CsvStream::Fail(CsvStep step, std::size_t offset) {
  problem_offset_ = static_cast<std::uint32_t>(offset);
  at_ = text_.size();
  return step;
}

CsvStep CsvStream::ReadQuoted(CsvCell& cell) {
  ++at_;
  while (at_ < text_.size()) {
    if (text_[at_] == '"') {
      ++at_;
      if (at_ >= text_.size() || text_[at_] != '"') {
        return AtCellEnd() ? CsvStep::kRecord : Fail(CsvStep::kTextBehindQuote, at_);
      }
      cell.text += '"';
      ++at_;
      continue;
    }
    const std::size_t start = at_;
    if (!TakeLineEnd()) at_ = std::min(text_.find_first_of("\"\r\n", at_), text_.size());
    cell.text += text_.substr(start, at_ - start);
  }
  return Fail(CsvStep::kOpenQuote, cell.offset);
}

CsvStep CsvStream::ReadCell(CsvCell& cell) {
  cell.offset = static_cast<std::uint32_t>(at_);
  cell.is_quoted = at_ < text_.size() && text_[at_] == '"';
  CsvStep step = CsvStep::kRecord;
  if (cell.is_quoted) {
    step = ReadQuoted(cell);
  } else {
    const char* const end = text_.data() + text_.size();
    const char* at = text_.data() + at_;
    while (at != end && *at != delimiter_ && *at != '\n' && *at != '\r') ++at;
    at_ = static_cast<std::size_t>(at - text_.data());
    cell.text.assign(text_.data() + cell.offset, at_ - cell.offset);
  }
  cell.length = static_cast<std::uint32_t>(at_ - cell.offset);
  return step;
}

CsvStep CsvStream::Next(CsvRecord& record) {
  while (TakeLineEnd()) {
  }
  record.cells.clear();
  if (at_ >= text_.size()) return CsvStep::kEnd;
  record.offset = static_cast<std::uint32_t>(at_);
  record.line = line_;
  for (;;) {
    if (const CsvStep step = ReadCell(record.cells.emplace_back()); step != CsvStep::kRecord) return step;
    if (at_ >= text_.size() || text_[at_] != delimiter_) break;
    ++at_;
  }
  TakeLineEnd();
  return CsvStep::kRecord;
}

char GuessedDelimiter(std::string_view text, std::size_t at) {
  std::array<std::size_t, kCsvDelimiters.size()> counts{};
  bool is_in_quotes = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') is_in_quotes = !is_in_quotes;
    if (is_in_quotes) continue;
    if (c == '\n' || c == '\r') break;
    if (const std::size_t which = kCsvDelimiters.find(c); which != std::string_view::npos) ++counts[which];
  }
  return kCsvDelimiters[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                                 counts.begin())];
}

}  // namespace assay
