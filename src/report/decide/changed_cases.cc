// Compares cases of one id by what they ask and what they expect.
#include "report/decide/changed_cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/errors/diagnostics.h"
#include "report/decide/comparison.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kNamedMax = 5;

std::string_view WordsFor(ChangedCase::What what) {
  switch (what) {
    case ChangedCase::What::kQuestion:
      return "asks something else";
    case ChangedCase::What::kExpected:
      return "expects something else";
    case ChangedCase::What::kGone:
      return "is gone";
  }
  return "";
}

}  // namespace

Span PlaceOfCase(const Case& the_case) {
  return the_case.details.span.file == FileId::kNone ? the_case.span : the_case.details.span;
}

bool AsksTheSame(const Case& a, const Case& b) {
  return std::equal(
      a.turns.begin(), a.turns.end(), b.turns.begin(), b.turns.end(),
      [](const Turn& x, const Turn& y) { return x.role == y.role && x.kind == y.kind && x.text == y.text; });
}

ChangedCases FindChangedCases(const Suite& then, const Suite& now) {
  std::unordered_map<std::string_view, const Case*> by_id;
  for (const Case& the_case : now.cases) by_id.emplace(the_case.id, &the_case);
  ChangedCases found{.cases = then.cases.size()};
  std::size_t same = 0;
  for (const Case& before : then.cases) {
    const auto at = by_id.find(before.id);
    if (at == by_id.end()) {
      found.changed.push_back({.what = ChangedCase::What::kGone, .id = before.id});
      continue;
    }
    ++same;
    const Case& after = *at->second;
    if (CaseDigest(before) == CaseDigest(after)) continue;
    const bool is_question = !AsksTheSame(before, after);
    found.changed.push_back(
        {.what = is_question ? ChangedCase::What::kQuestion : ChangedCase::What::kExpected,
         .id = before.id,
         .where = PlaceOfCase(after)});
  }
  found.added = now.cases.size() - std::min(same, now.cases.size());
  return found;
}

std::string ListOfChanged(const std::vector<ChangedCase>& changed, const SourceFiles& sources) {
  std::string list;
  for (std::size_t i = 0; i < std::min(changed.size(), kNamedMax); ++i) {
    const std::string_view path = sources.Path(changed[i].where.file);
    const std::string place =
        path.empty() ? std::string() : fmt::format(" ({}:{})", path, sources.Locate(changed[i].where).line);
    list +=
        fmt::format("{}{}{} {}", i == 0 ? "" : ", ", Quoted(changed[i].id), place, WordsFor(changed[i].what));
  }
  if (changed.size() > kNamedMax) list += fmt::format(" and {} more", changed.size() - kNamedMax);
  return list;
}

std::string ChangedCasesText(const ChangedCases& found, const SourceFiles& sources) {
  std::string text;
  if (!found.changed.empty()) {
    text = fmt::format("{} of {} {} changed since: {}", found.changed.size(), found.cases,
                       found.changed.size() == 1 ? "cases has" : "cases have",
                       ListOfChanged(found.changed, sources));
  }
  if (found.added > 0)
    text +=
        fmt::format("{}{} {} new", text.empty() ? "" : "; ", found.added, found.added == 1 ? "is" : "are");
  return text;
}

}  // namespace assay
