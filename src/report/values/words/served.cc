// Adds up the cells of one model that was asked, whichever variants ask it.
#include "report/values/words/served.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay {

namespace {

std::string_view WithoutProvider(std::string_view asked) { return asked.substr(asked.find(':') + 1); }

bool AreOfOne(const ServedCount& a, const ServedCount& b) { return a.role == b.role && a.asked == b.asked; }

std::uint64_t CellsOf(const RunTotals& totals, const ServedCount& asked, bool of_its_model) {
  std::uint64_t cells = 0;
  for (const ServedCount& each : totals.served) {
    if (AreOfOne(each, asked) && (!of_its_model || each.model == asked.model)) cells += each.cells;
  }
  return cells;
}

}  // namespace

std::vector<std::string> OtherModelLines(const RunTotals& totals) {
  std::vector<std::string> lines;
  for (auto served = totals.served.begin(); served != totals.served.end(); ++served) {
    const bool is_told = std::any_of(totals.served.begin(), served, [&](const ServedCount& before) {
      return AreOfOne(before, *served) && before.model == served->model;
    });
    if (!served->is_other || is_told) continue;
    const std::string role = served->role == RequestRole::kCandidate
                                 ? std::string()
                                 : fmt::format("{} ", RequestRoleName(served->role));
    lines.push_back(fmt::format("{}{} was answered by {}, {} of {}", role, WithoutProvider(served->asked),
                                served->model, CellsOf(totals, *served, true),
                                CellsOf(totals, *served, false)));
  }
  return lines;
}

std::string ServedNames(const RunTotals& totals, VariantIndex variant) {
  std::string names;
  for (const ServedCount& each : totals.served) {
    if (each.role != RequestRole::kCandidate || each.variant != variant) continue;
    names += (names.empty() ? "" : ", ") + each.model;
  }
  return names;
}

}  // namespace assay
