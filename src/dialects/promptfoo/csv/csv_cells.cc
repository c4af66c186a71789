// Reads tables of CSV.
#include "dialects/promptfoo/csv/csv_cells.h"

#include <fmt/core.h>

#include "text/csv/csv_stream.h"
#include "text/javascript/text.h"

namespace assay::promptfoo {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class CellReader {
 public:
  CellReader(const ReadContext& context, FileId file, std::string_view text, char delimiter)
      : context_(context), file_(file), text_(text), delimiter_(delimiter) {}

  std::optional<CsvCells> Read() {
    std::size_t at = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (at < text_.size()) {
      // The stream leaves blank lines out.
      if (const std::size_t end = LineEndAt(at); end > 0) {
        AddRow({CsvCell{.text = "", .offset = static_cast<std::uint32_t>(at)}}, at);
        at += end;
        continue;
      }
      CsvStream stream(text_, delimiter_, at);
      CsvRecord record;
      const CsvStep step = stream.Next(record);
      if (step == CsvStep::kEnd) break;
      if (step != CsvStep::kRecord) {
        context_.Error("promptfoo.csv",
                       step == CsvStep::kOpenQuote ? "a quote that opens here is not closed"
                                                   : "there is text behind a closing quote",
                       PlaceAt(stream.problem_offset(), 1), "double each quote inside of quotes");
        return std::nullopt;
      }
      AddRow(record.cells, record.offset);
      at = stream.offset();
    }
    if (has_failed_) return std::nullopt;
    return std::move(cells_);
  }

 private:
  Span PlaceAt(std::size_t offset, std::size_t length) const {
    return {file_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }

  // The bytes of a line end at this place; 0: there is none.
  std::size_t LineEndAt(std::size_t at) const {
    if (text_.substr(at).starts_with("\r\n")) return 2;
    return text_[at] == '\n' || text_[at] == '\r' ? 1 : 0;
  }

  void AddRow(const std::vector<CsvCell>& cells, std::size_t offset) {
    if (names_.empty()) {
      for (const CsvCell& cell : cells) names_.emplace_back(JsTrim(cell.text));
      return;
    }
    const bool is_blank_line = cells.size() == 1 && cells.front().text.empty() && cells.front().length == 0;
    if (is_blank_line && names_.size() > 1 && !context_.options.is_compatible) return;
    if (cells.size() != names_.size()) {
      has_failed_ = true;
      context_.Error(
          "promptfoo.csv",
          fmt::format("expected {} cells, as the first line has, found {}", names_.size(), cells.size()),
          PlaceAt(offset, 0), "put a cell with a comma in it in double quotes");
      return;
    }
    Map row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Value cell(cells[i].text);
      cell.span = PlaceAt(cells[i].offset, cells[i].length);
      row.Set(names_[i], std::move(cell));
    }
    row.SortLikeJavaScript();
    cells_.rows.push_back(std::move(row));
    cells_.places.push_back(PlaceAt(offset, 0));
  }

  const ReadContext& context_;
  FileId file_;
  std::string_view text_;
  char delimiter_;
  std::vector<std::string> names_;
  CsvCells cells_;
  bool has_failed_ = false;
};

}  // namespace

char CsvDelimiterOf(const EvalOptions& options) {
  const auto found = options.environment.find("PROMPTFOO_CSV_DELIMITER");
  return found == options.environment.end() || found->second.empty() ? ',' : found->second.front();
}

std::optional<CsvCells> ReadCsvCells(const ReadContext& context, FileId file, std::string_view text,
                                     char delimiter) {
  return CellReader(context, file, text, delimiter).Read();
}

}  // namespace assay::promptfoo
