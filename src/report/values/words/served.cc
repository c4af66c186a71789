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

// Each model that was asked with each that answered, once.
std::vector<ServedCount> ServedPairs(const RunTotals& totals) {
  std::vector<ServedCount> pairs;
  for (const ServedCount& served : totals.served) {
    const bool is_there = std::any_of(pairs.begin(), pairs.end(), [&](const ServedCount& before) {
      return AreOfOne(before, served) && before.model == served.model;
    });
    if (!is_there) pairs.push_back(served);
  }
  return pairs;
}

// "judge "; nothing of who answers the cases.
std::string RoleText(const ServedCount& served) {
  if (served.role == RequestRole::kCandidate) return {};
  return fmt::format("{} ", RequestRoleName(served.role));
}

}  // namespace

std::vector<std::string> OtherModelLines(const RunTotals& totals) {
  std::vector<std::string> lines;
  for (const ServedCount& served : ServedPairs(totals)) {
    if (!served.is_other) continue;
    lines.push_back(fmt::format("{}{} was answered by {}, {} of {}", RoleText(served),
                                WithoutProvider(served.asked), served.model, CellsOf(totals, served, true),
                                CellsOf(totals, served, false)));
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
