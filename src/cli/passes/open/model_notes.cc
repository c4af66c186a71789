// Compares a plan with the facts of its models: parameters that they do not take, and their last days.
#include "cli/passes/open/model_notes.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <set>

#include "cli/words.h"
#include "plan/models_of.h"
#include "providers/facts/adapt.h"
#include "providers/facts/model_facts.h"

namespace assay {

namespace {

// Whole days from now until the day begins, in UTC; below 0: it is past. Nothing: it is no day.
std::optional<std::int64_t> DaysUntil(std::string_view day, std::int64_t now_ms) {
  constexpr std::int64_t kMsPerDay = 86'400'000;
  int year = 0;
  unsigned month = 0;
  unsigned of_month = 0;
  if (std::sscanf(std::string(day).c_str(), "%d-%u-%u", &year, &month, &of_month) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(of_month)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() - now_ms / kMsPerDay;
}

}  // namespace

std::string LastDayLine(std::string_view model_id, const Retirement& retirement, std::int64_t now_ms) {
  const std::optional<std::int64_t> days = DaysUntil(retirement.on, now_ms);
  if (!days) return {};
  std::string line = *days <= 0 ? fmt::format("{} has ended on {}", model_id, retirement.on)
                                : fmt::format("{} ends on {}, in {}", model_id, retirement.on,
                                              Counted(static_cast<std::uint64_t>(*days), "day"));
  if (!retirement.successor.empty()) line += fmt::format("; its maker recommends {}", retirement.successor);
  return line + fmt::format(" ({})", retirement.source);
}

std::string RetirementLine(std::string_view provider, std::string_view model, std::int64_t now_ms) {
  constexpr std::int64_t kDaysTold = 60;
  const std::optional<Retirement> retirement = FindRetirement(provider, model);
  const std::optional<std::int64_t> days = retirement ? DaysUntil(retirement->on, now_ms) : std::nullopt;
  if (!days || *days > kDaysTold) return {};
  return LastDayLine(fmt::format("{}:{}", provider, model), *retirement, now_ms);
}

std::vector<std::string> RetirementLines(const Plan& plan, std::int64_t now_ms) {
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const PlannedModel& planned : ModelsOf(plan)) {
    std::string line = RetirementLine(planned.ref->provider, planned.ref->model, now_ms);
    if (!line.empty() && seen.insert(line).second) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> LeftOutLines(const Plan& plan, const ModelBook& models) {
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const PlannedModel& planned : ModelsOf(plan)) {
    if (planned.params == nullptr) continue;
    const std::optional<ModelFacts> facts = models.FactsOf(*planned.ref);
    const std::string left_out = facts ? LeftOutParameters(*facts, *planned.params) : std::string();
    const std::string id = fmt::format("{}:{}", planned.ref->provider, planned.ref->model);
    if (left_out.empty() || !seen.insert(id + left_out).second) continue;
    lines.push_back(fmt::format("{} takes no {}: it is asked without.", id, left_out));
  }
  return lines;
}

}  // namespace assay
