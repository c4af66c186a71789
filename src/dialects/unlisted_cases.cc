// Names the first few unlisted cases, each with the case of the suite that may be meant.
#include "dialects/unlisted_cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "base/errors/near_id.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kNamed = 4;
constexpr std::size_t kSuggestedMax = 10'000;  // a suggestion costs time for each name that it looks at

}  // namespace

bool TakesPart(const RunSpec& spec) { return !spec.selected.empty() || !spec.filter.empty() || spec.limit; }

void WarnOfUnlisted(std::string_view path, const std::vector<std::string_view>& strangers, const Suite& suite,
                    std::string code, Diagnostics& diagnostics) {
  if (strangers.empty()) return;
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < std::min(suite.cases.size(), kSuggestedMax); ++i)
    known.emplace_back(suite.cases[i].id);
  std::string names;
  bool is_any_near = false;
  for (const std::string_view name : std::span(strangers).first(std::min(strangers.size(), kNamed))) {
    const std::string_view near = NearestId(name, known);
    is_any_near = is_any_near || !near.empty();
    names += fmt::format("{}{}", names.empty() ? "" : ", ", Quoted(name));
    if (!near.empty()) names += fmt::format(" (did you mean {}?)", Quoted(near));
  }
  if (strangers.size() > kNamed) names += fmt::format(" and {} more", strangers.size() - kNamed);
  diagnostics.Warning(std::move(code),
                      fmt::format("{} holds answers to {} {} that the suite does not list: {}", Quoted(path),
                                  strangers.size(), strangers.size() == 1 ? "case" : "cases", names),
                      Span{},
                      "cases are named exactly as in the suite" + (is_any_near ? "" : IdHint("", known)));
}

}  // namespace assay
