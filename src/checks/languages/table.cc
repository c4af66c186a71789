// The table of programming languages that checks can run, in the order of `assay list languages`, and the
// look-up by name.
#include <algorithm>
#include <iterator>
#include <vector>

#include "checks/languages/rows.h"

namespace assay {

namespace {

constexpr const LanguageRow* kTableRows[] = {
    &kPythonRow, &kJavascriptRow, &kTypescriptRow, &kJavaRow, &kCppRow,  &kCsharpRow, &kRRow,
    &kGoRow,     &kRustRow,       &kRubyRow,       &kPhpRow,  &kBashRow, &kSqlRow};

std::vector<std::string_view> AllNames() {
  std::vector<std::string_view> names;
  for (const LanguageRow* row : kTableRows)
    names.insert(names.end(), row->accepted.begin(), row->accepted.end());
  return names;
}

}  // namespace

std::span<const LanguageRow* const> LanguageTable() { return kTableRows; }

const LanguageRow* FindLanguage(std::string_view accepted, const ProgramRules& rules) {
  const auto* const found =
      std::find_if(std::begin(kTableRows), std::end(kTableRows), [&](const LanguageRow* row) {
        const bool is_known = !rules.only_original_languages || !row->is_ours;
        return is_known &&
               std::find(row->accepted.begin(), row->accepted.end(), accepted) != row->accepted.end();
      });
  return found == std::end(kTableRows) ? nullptr : *found;
}

std::span<const std::string_view> LanguageNames() {
  static const std::vector<std::string_view> names = AllNames();
  return names;
}

}  // namespace assay
