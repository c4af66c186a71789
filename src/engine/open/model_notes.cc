// Compares a plan with the facts of its models: parameters that they do not take, and their last days.
#include "engine/open/model_notes.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <set>

#include "base/text/utf8.h"
#include "engine/words.h"
#include "plan/models_of.h"
#include "providers/facts/adapt.h"
#include "providers/facts/context_window.h"
#include "providers/facts/model_facts.h"
#include "spec/suite/suite.h"

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

struct RoleWords {
  std::string role;  // before the model's name; "" of those whose answers are graded
  std::string remedy;
};

// Nobody wrote the name of a default: it has no place, and no option names it.
RoleWords WordsOf(const PlannedModel& planned, const RunSpec& spec) {
  const bool is_default = planned.ref->span.file == FileId::kNone && spec.judges.empty();
  const std::string_view usual = is_default ? "default " : "";
  const std::string remedy = is_default
                                 ? "name judges of your own: --judge MODEL, or in assay.toml [judges] models"
                                 : "name another judge";
  switch (planned.role) {
    case RequestRole::kJudge:
      return {fmt::format("the {}judge ", usual), remedy};
    case RequestRole::kBackupJudge:
      return {fmt::format("the {}backup judge ", usual), remedy};
    case RequestRole::kExtraction:
      return {fmt::format("the {}model that extracts key points ", usual), remedy};
    default:
      return {planned.stand_in > 0 ? "the fallback " : "", "name another model"};
  }
}

// No tokenizer puts more characters than this into a token of a long text, on average.
constexpr std::int64_t kCharactersOfToken = 6;
std::int64_t FewestTokens(std::size_t characters) {
  return static_cast<std::int64_t>(characters) / kCharactersOfToken;
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

std::vector<RetirementNote> RetirementNotes(const Plan& plan, const RunSpec& spec, std::int64_t now_ms) {
  std::vector<RetirementNote> notes;
  std::set<std::string> seen;
  for (const PlannedModel& planned : ModelsOf(plan)) {
    const std::string line = RetirementLine(planned.ref->provider, planned.ref->model, now_ms);
    if (line.empty() || !seen.insert(line).second) continue;
    const RoleWords words = WordsOf(planned, spec);
    notes.push_back({words.role + line, words.remedy});
  }
  return notes;
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
    lines.push_back(fmt::format("{} takes no {}, so assay sends none.", id, left_out));
  }
  return lines;
}

void WarnOfLongQuestions(const Plan& plan, Diagnostics& diagnostics) {
  const Suite& suite = plan.suite();
  std::int64_t widest = 0;
  std::string who;
  for (const Variant& variant : suite.variants) {
    if (variant.profile) return;  // a research turn shortens what it reads
    const std::int64_t window =
        variant.base_url.empty() ? FindContextWindow(variant.provider, variant.model) : 0;
    if (window == 0) return;
    if (window > widest) who = fmt::format("{}:{}", variant.provider, variant.model);
    widest = std::max(widest, window);
  }
  if (widest == 0) return;
  for (const Case& the_case : suite.cases) {
    std::size_t bytes = 0;
    for (const Turn& turn : the_case.turns) bytes += turn.text.size();
    if (FewestTokens(bytes) <= widest) continue;  // characters are not more than bytes
    std::size_t characters = 0;
    for (const Turn& turn : the_case.turns) characters += CountCodePoints(turn.text);
    const std::int64_t tokens = FewestTokens(characters);
    if (tokens <= widest) continue;
    diagnostics.Warning(
        "plan.long-question",
        fmt::format("case {}: its question has {} characters, more than {} tokens; {} takes {}",
                    Quoted(the_case.id), characters, tokens,
                    suite.variants.size() == 1 ? who : "of the models asked " + who + ", the widest,",
                    widest),
        the_case.span, "shorten it, or name a model with a longer context");
  }
}

}  // namespace assay
