// Reads rows of CSV as tests.
#include "dialects/promptfoo/csv/csv_tests.h"

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/text/ascii.h"
#include "dialects/promptfoo/csv/assertion_text.h"
#include "dialects/promptfoo/csv/csv_cells.h"
#include "dialects/promptfoo/read/test_reader.h"
#include "text/javascript/text.h"
#include "text/object.h"

namespace assay::promptfoo {

namespace {

constexpr std::string_view kExpected = "__expected";
constexpr std::string_view kMetadata = "__metadata:";
constexpr std::string_view kConfig = "__config:";

// The number that a cell is: in decimal, and nothing else beside it.
std::optional<double> CellNumber(std::string_view text) {
  text = JsTrim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool is_decimal = !digits.empty() && (IsAsciiDigit(digits.front()) || digits.front() == '.');
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_decimal && is_whole ? std::optional<double>(number) : std::nullopt;
}

// "a, b\, c" is "a" and "b, c".
List EscapedList(std::string_view cell) {
  List fields;
  std::string field;
  for (std::size_t at = 0; at <= cell.size(); ++at) {
    if (at == cell.size() || cell[at] == ',') {
      fields.push_back(Value(JsTrim(field)));
      field.clear();
    } else if (cell[at] == '\\' && at + 1 < cell.size() && cell[at + 1] == ',') {
      field += cell[++at];
    } else {
      field += cell[at];
    }
  }
  return fields;
}

class CsvTest {
 public:
  CsvTest(const ReadContext& context, const Map& row, Span where) : context_(context), row_(row) {
    test_.where = where;
  }

  std::optional<Test> Read() {
    for (const Member& cell : row_) ReadCell(cell.key, cell.value);
    for (std::size_t i = 0; i < test_.asserts.size(); ++i) {
      Map& assertion = test_.asserts[i].AsMap();
      if (metric_ && (context_.options.is_compatible || !metric_->empty())) assertion.Set("metric", *metric_);
      if (const auto own = thresholds_.find(i); own != thresholds_.end()) {
        assertion.Set("threshold", own->second);
        test_.metadata.Set("threshold", own->second);
      }
    }
    if (has_failed_) return std::nullopt;
    test_.variables.SortLikeJavaScript();
    return std::move(test_);
  }

 private:
  void Complain(std::string message, Span where, std::string hint) {
    has_failed_ = true;
    context_.Error("promptfoo.csv", std::move(message), where, std::move(hint));
  }

  void ReadCell(const std::string& column, const Value& cell) {
    const std::string& text = cell.AsString();
    const bool is_blank = JsTrim(text).empty();
    if (column.starts_with(kExpected)) {
      if (is_blank) return;
      Value assertion(AssertionOfText(text, context_.options.is_compatible));
      assertion.span = cell.span;
      test_.asserts.push_back(std::move(assertion));
    } else if (column == "__prefix" || column == "__suffix") {
      test_.options.Set(column.substr(2), cell);
    } else if (column == "__description") {
      test_.description = text;
    } else if (column == "__providerOutput") {
      if (!text.empty()) test_.provider_output = cell;
    } else if (column == "__metric") {
      metric_ = text;
    } else if (column == "__threshold") {
      ReadThreshold(cell);
    } else if (column == "__metadata") {
      // A column without a key is nobody's.
    } else if (column.starts_with(kMetadata)) {
      if (!is_blank) ReadMetadata(column.substr(kMetadata.size()), cell);
    } else if (column.starts_with(kConfig)) {
      ReadConfig(column, cell);
    } else {
      test_.variables.Set(column, cell);
    }
  }

  void ReadThreshold(const Value& cell) {
    const std::optional<double> number = CellNumber(cell.AsString());
    if (number) {
      test_.threshold = Value(*number);
      test_.threshold.span = cell.span;
    } else if (!context_.options.is_compatible && !JsTrim(cell.AsString()).empty()) {
      Complain(fmt::format("__threshold: expected a number, found {}", Quoted(cell.AsString())), cell.span,
               "write a number from 0 to 1, or leave the cell empty");
    }
  }

  void ReadMetadata(std::string name, const Value& cell) {
    if (!name.ends_with("[]")) {
      test_.metadata.Set(std::move(name), cell);
      return;
    }
    name.resize(name.size() - 2);
    test_.metadata.Set(std::move(name), EscapedList(cell.AsString()));
  }

  // __config:__expected2:threshold
  void ReadConfig(const std::string& column, const Value& cell) {
    const std::string_view rest = std::string_view(column).substr(kConfig.size());
    const std::size_t colon = rest.find(':');
    const std::string_view key = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
    std::string_view number = rest.substr(0, colon);
    std::size_t place = 1;
    bool is_known = key == "threshold" && number.starts_with(kExpected);
    if (is_known && number.size() > kExpected.size()) {
      number.remove_prefix(kExpected.size());
      const auto read = std::from_chars(number.data(), number.data() + number.size(), place);
      is_known = read.ec == std::errc() && read.ptr == number.data() + number.size() && place > 0;
    }
    if (!is_known)
      return Complain(fmt::format("there is no column {}", Quoted(column)), cell.span,
                      "name it __config:__expected:threshold, or __config:__expected2:threshold");
    const std::optional<double> threshold = CellNumber(cell.AsString());
    if (!threshold)
      return Complain(fmt::format("{}: expected a number, found {}", column, Quoted(cell.AsString())),
                      cell.span, "write the threshold of the assertion in each row");
    thresholds_[place - 1] = *threshold;
  }

  const ReadContext& context_;
  const Map& row_;
  Test test_;
  std::optional<std::string> metric_;
  std::map<std::size_t, double> thresholds_;  // by the place of the assertion
  bool has_failed_ = false;
};

}  // namespace

void ReadCsvTests(const ReadContext& context, FileId file, std::vector<Test>& out) {
  const std::optional<CsvCells> cells =
      ReadCsvCells(context, file, context.sources.Text(file), CsvDelimiterOf(context.options));
  if (!cells) return;
  for (std::size_t i = 0; i < cells->rows.size(); ++i) {
    std::optional<Test> test = CsvTest(context, cells->rows[i], cells->places[i]).Read();
    if (!test) continue;
    if (test->description.empty()) test->description = fmt::format("Row #{}", i + 1);
    NoteCode(context, *test);
    out.push_back(*std::move(test));
  }
}

}  // namespace assay::promptfoo
