// Reads rows of labels; of a label that is no number it says which number is meant.
#include "report/decide/labels/label_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/errors/diagnostics.h"
#include "base/text/byte_order_mark.h"
#include "report/formula_text.h"
#include "text/csv.h"

namespace assay {

namespace {

Error BadRow(std::size_t line, std::string_view what) {
  return {ErrorCode::kInvalidInput, fmt::format("line {}: {}", line, what)};
}

template <class Number, class... Base>
std::optional<Number> ParseWhole(std::string_view text, Base... base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class Columns {
 public:
  explicit Columns(const std::vector<std::string>& head) {
    for (std::size_t i = 0; i < head.size(); ++i) places_.emplace(head[i], i);
  }
  bool Has(const std::string& name) const { return places_.contains(name); }
  std::string Of(const std::vector<std::string>& row, const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() || found->second >= row.size() ? std::string() : row[found->second];
  }

 private:
  std::map<std::string, std::size_t> places_;
};

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

// ASCII letters small.
std::string Small(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// As short as it can be: "0.85".
std::string ShareText(double share) { return fmt::format("{}", std::round(share * 1e6) / 1e6); }

bool IsShare(const std::optional<double>& number) { return number && *number >= 0 && *number <= 1; }

std::optional<std::string> WordMeant(const std::string& word) {
  static const std::map<std::string_view, std::string_view> kWords = {
      {"yes", "1"},      {"y", "1"},        {"true", "1"},  {"pass", "1"},      {"passed", "1"},
      {"met", "1"},      {"good", "1"},     {"right", "1"}, {"correct", "1"},   {"ok", "1"},
      {"no", "0"},       {"n", "0"},        {"false", "0"}, {"fail", "0"},      {"failed", "0"},
      {"not met", "0"},  {"bad", "0"},      {"wrong", "0"}, {"incorrect", "0"}, {"half", "0.5"},
      {"partly", "0.5"}, {"partial", "0.5"}};
  const auto found = kWords.find(word);
  if (found == kWords.end()) return std::nullopt;
  return std::string(found->second);
}

// "85 %", "85%", "85 percent": 85.
std::optional<double> PercentageOf(std::string text) {
  for (const std::string_view sign : {"%", "percent", "per cent"}) {
    if (!text.ends_with(sign)) continue;
    text = Trimmed(std::string_view(text).substr(0, text.size() - sign.size()));
    std::replace(text.begin(), text.end(), ',', '.');
    return ParseWhole<double>(text);
  }
  return std::nullopt;
}

// "4/5", "4 of 5": 0.8.
std::optional<double> FractionOf(const std::string& text) {
  for (const std::string_view between : {"/", " of ", " out of "}) {
    const std::size_t at = text.find(between);
    if (at == std::string::npos) continue;
    const auto part = ParseWhole<double>(Trimmed(std::string_view(text).substr(0, at)));
    const auto whole = ParseWhole<double>(Trimmed(std::string_view(text).substr(at + between.size())));
    if (part && whole && *whole > 0 && IsShare(*part / *whole)) return *part / *whole;
  }
  return std::nullopt;
}

// What to write in the place of a label that is no number from 0 to 1; "" if nobody can guess.
std::string MeantBy(const std::string& label) {
  const std::string word = Small(label);
  if (const std::optional<std::string> meant = WordMeant(word)) return fmt::format("; write {}", *meant);
  if (const std::optional<double> percent = PercentageOf(word); percent && IsShare(*percent / 100))
    return fmt::format("; write {}", ShareText(*percent / 100));
  if (const std::optional<double> share = FractionOf(word))
    return fmt::format("; write {}", ShareText(*share));
  std::string with_point = word;
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  const std::optional<double> number = ParseWhole<double>(with_point);
  if (with_point != word && IsShare(number)) return fmt::format("; write {}", with_point);
  if (number && *number > 1 && *number <= 100)
    return fmt::format("; write {} if it is {} of 100", ShareText(*number / 100), with_point);
  return "; write 1 where it is right, 0 where it is not, 0.5 for half, skip where you cannot tell";
}

Status ReadLabel(const std::string& text, LabelRow& row) {
  if (const std::string word = Small(text); word == "skip" || word == "skipped" || word == "?") {
    row.is_skipped = true;
    return Ok();
  }
  const std::optional<double> number = ParseWhole<double>(text);
  if (!IsShare(number))
    return BadRow(row.line,
                  fmt::format("expected a label from 0 to 1, found {}{}", Quoted(text), MeantBy(text)));
  row.label = *number;
  return Ok();
}

std::optional<DrawClaim> ClaimOf(const std::string& text) {
  // s0-criterion-5d1c0b9e2f
  const std::size_t first = text.find('-');
  const std::size_t second = first == std::string::npos ? first : text.find('-', first + 1);
  if (second == std::string::npos || !text.starts_with('s')) return std::nullopt;
  const auto seed = ParseWhole<std::uint64_t>(std::string_view(text).substr(1, first - 1));
  const auto unit = LabelUnitOf(std::string_view(text).substr(first + 1, second - first - 1));
  if (!seed || !unit || *unit == LabelUnit::kPair) return std::nullopt;
  return DrawClaim{.seed = *seed, .unit = *unit, .strata = text.substr(second + 1)};
}

Status ReadDraw(const Columns& columns, const std::vector<std::string>& fields, LabelRow& row) {
  if (const std::string text = Trimmed(columns.Of(fields, "draw")); !text.empty()) {
    row.claim = ClaimOf(text);
    if (!row.claim)
      return BadRow(row.line, fmt::format("expected a draw as `assay calibrate --draw` writes it "
                                          "(s0-answer-…), found {}",
                                          Quoted(text)));
  }
  if (const std::string text = Trimmed(columns.Of(fields, "unit")); !text.empty()) {
    if (text.starts_with('u')) row.place = ParseWhole<std::uint64_t>(std::string_view(text).substr(1), 16);
    if (!row.place || !row.claim)
      return BadRow(row.line, fmt::format("expected a unit (u and 16 digits) beside its draw, as `assay "
                                          "calibrate --draw` writes them, found {}",
                                          Quoted(text)));
  }
  return Ok();
}

Result<LabelRow> ReadRow(const Columns& columns, const std::vector<std::string>& fields, std::size_t line) {
  LabelRow row;
  row.line = line;
  row.case_id = WithoutApostrophes(columns.Of(fields, "case"));
  row.variant_id = WithoutApostrophes(columns.Of(fields, "variant"));
  ASSAY_CHECK_OK(ReadLabel(Trimmed(columns.Of(fields, "label")), row));
  if (const std::string text = columns.Of(fields, "attempt"); !text.empty()) {
    const std::optional<AttemptIndex> attempt = ParseWhole<AttemptIndex>(text);
    if (!attempt || *attempt == 0)
      return BadRow(line, fmt::format("expected an attempt from 1, found {}", Quoted(text)));
    row.attempt = *attempt - 1;
  }
  if (const std::string text = columns.Of(fields, "check"); !text.empty()) {
    const std::optional<std::size_t> check = ParseWhole<std::size_t>(text);
    if (!check || *check == 0)
      return BadRow(line, fmt::format("expected the number of a check from 1, found {}", Quoted(text)));
    row.check = *check - 1;
  }
  ASSAY_CHECK_OK(ReadDraw(columns, fields, row));
  return row;
}

}  // namespace

std::string DrawClaimText(const DrawClaim& claim) {
  return fmt::format("s{}-{}-{}", claim.seed, LabelUnitName(claim.unit), claim.strata);
}

std::string UnitText(std::uint64_t place) { return fmt::format("u{:016x}", place); }

Result<std::vector<LabelRow>> ReadLabels(std::string_view csv) {
  csv = WithoutByteOrderMark(csv);
  std::vector<std::size_t> lines;
  ASSAY_TRY(const auto table, ParseCsv(csv, &lines));
  if (table.empty()) return Error{ErrorCode::kInvalidInput, "expected a header line, found nothing"};
  const Columns columns(table.front());
  for (const char* name : {"case", "variant", "label"}) {
    if (columns.Has(name)) continue;
    const bool has_semicolons = table.front().size() == 1 && table.front()[0].find(';') != std::string::npos;
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("expected a column `{}` in the first line{}", name,
                    has_semicolons ? "; save the table with commas between its fields, not semicolons" : "")};
  }
  std::vector<LabelRow> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    if (Trimmed(columns.Of(table[i], "label")).empty()) continue;
    ASSAY_TRY(LabelRow row, ReadRow(columns, table[i], lines[i]));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return Error{ErrorCode::kInvalidInput, "no line has a label"};
  return rows;
}

}  // namespace assay
