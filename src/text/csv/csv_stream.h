// CsvStream: reads CSV (RFC 4180) record by record, with the place of every cell. Only one record is in
// memory.
//
// A quote inside a bare cell is a letter. Records end with CRLF, LF or CR; cells in quotes may contain line
// ends and doubled quotes. Empty lines are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct CsvCell {
  std::string text;          // without quotes
  std::uint32_t offset = 0;  // where it begins in the text, with its quote
  std::uint32_t length = 0;  // as written, with its quotes
  bool is_quoted = false;
};

struct CsvRecord {
  std::vector<CsvCell> cells;
  std::uint32_t offset = 0;
  std::uint32_t line = 0;  // of its first character, from 1
};

enum class CsvStep : std::uint8_t { kRecord, kEnd, kOpenQuote, kTextBehindQuote };

class CsvStream {
 public:
  // The text begins at line `line`.
  CsvStream(std::string_view text, char delimiter, std::size_t at = 0, std::uint32_t line = 1)
      : text_(text), delimiter_(delimiter), at_(at), line_(line) {}

  // The next record. After a problem, the stream has ended: problem_offset() is where it stands.
  CsvStep Next(CsvRecord& record);
  std::uint32_t problem_offset() const { return problem_offset_; }
  std::size_t offset() const { return at_; }  // behind the record

 private:
  CsvStep ReadCell(CsvCell& cell);
  CsvStep ReadQuoted(CsvCell& cell);
  bool AtCellEnd() const;
  bool TakeLineEnd();
  CsvStep Fail(CsvStep step, std::size_t offset);

  std::string_view text_;
  char delimiter_;
  std::size_t at_;
  std::uint32_t line_;
  std::uint32_t problem_offset_ = 0;
};

// What people separate cells with.
inline constexpr std::string_view kCsvDelimiters = ",;\t|";

// The one of them that stands most often outside quotes in the line that begins at `at`; a comma if there is
// none.
char GuessedDelimiter(std::string_view text, std::size_t at);

}  // namespace assay
