// Compares the names with the names that columns of tables have, and with what rows look like.
#include "dialects/blueprint/starter/first_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "dialects/blueprint/starter/columns.h"
#include "text/javascript/text.h"
#include "text/template/written.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kWordsOfSentence = 6;
constexpr std::size_t kCellsNamed = 3;

bool NamesRole(const std::string& name) {
  const NamedRole named = RoleOfName(name);
  return named.role != ColumnRole::kNone && named.rank < kContainedRank;
}

bool NamesQuestion(const std::string& name) {
  const NamedRole named = RoleOfName(name);
  return named.role == ColumnRole::kQuestion && named.rank < kContainedRank;
}

// A number, a sentence or a question.
bool LooksLikeCell(const std::string& name) {
  const bool is_number = name.find_first_not_of("0123456789.,-% ") == std::string::npos;
  const auto words = 1 + std::count(name.begin(), name.end(), ' ');
  constexpr std::string_view kMarks[] = {"?", "!", ".", "？", "！", "。"};
  const bool ends_sentence = std::any_of(std::begin(kMarks), std::end(kMarks),
                                         [&](std::string_view mark) { return name.ends_with(mark); });
  return is_number || ends_sentence || words >= static_cast<std::ptrdiff_t>(kWordsOfSentence);
}

std::string CellsInWords(const std::vector<std::string>& cells) {
  std::string words;
  for (std::size_t i = 0; i < std::min(cells.size(), kCellsNamed); ++i)
    words += fmt::format("{}{}", i == 0 ? "" : ", ", Quoted(cells[i]));
  return cells.size() > kCellsNamed ? words + " …" : words;
}

std::vector<std::string> CellsOf(const dataset::Row& row, const SourceFiles& sources) {
  std::vector<std::string> cells;
  for (const Member& member : row.cells) {
    if (const auto text = WrittenText(member.value, sources); text && !JsTrim(*text).empty())
      cells.emplace_back(JsTrim(*text));
  }
  return cells;
}

}  // namespace

std::string DoubtOfFirstLine(const std::vector<std::string>& names, const dataset::Row& first,
                             const SourceFiles& sources) {
  if (names.empty()) return {};
  const std::vector<std::string> cells = CellsOf(first, sources);
  const bool names_question = std::any_of(names.begin(), names.end(), NamesQuestion);
  if (!names_question && std::any_of(cells.begin(), cells.end(), NamesQuestion)) {
    return fmt::format(
        "the first line is a title, and line {} has the names of the columns ({}); delete the lines above "
        "it, and run this again",
        first.line, CellsInWords(cells));
  }
  if (std::any_of(names.begin(), names.end(), NamesRole)) return {};
  const bool is_row = std::any_of(names.begin(), names.end(), LooksLikeCell);
  if (!is_row && names.size() > 1) return {};
  return fmt::format("the first line {}: {}; {}add a line of names above it, and run this again",
                     is_row ? "is a row, and no names" : "has the name of the column", CellsInWords(names),
                     is_row ? "" : "if it is a row, ");
}

}  // namespace assay::blueprint
