// Adds to the run's own object what its page shows beside it.
#include "report/values/pages/run_page.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/decide/factors.h"
#include "report/values/groups.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/race_chart.h"
#include "report/values/pages/trust.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "report/values/words/markdown_tree.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kHardestMax = 3;

Value TagsValue(const Suite& suite) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const Case& the_case : suite.cases) {
    for (const std::string_view tag :
         std::set<std::string_view>(the_case.tags->begin(), the_case.tags->end()))
      ++counts[tag];
  }
  List list;
  for (const auto& [tag, cases] : counts)
    list.emplace_back(Object{{"tag", tag}, {"cases", CountValue(cases)}});
  return list;
}

Value ChecksValue(const Suite& suite) {
  struct Counts {
    std::uint64_t cases = 0;
    std::uint64_t points = 0;
  };
  std::map<std::string_view, Counts> kinds;
  for (const Case& the_case : suite.cases) {
    std::set<std::string_view> seen;
    for (const Check& check : the_case.checks) {
      Counts& counts = kinds[check.kind];
      ++counts.points;
      counts.cases += seen.insert(check.kind).second ? 1 : 0;
    }
  }
  List list;
  for (const auto& [kind, counts] : kinds)
    list.emplace_back(
        Object{{"kind", kind}, {"cases", CountValue(counts.cases)}, {"points", CountValue(counts.points)}});
  return list;
}

// The cases of the lowest means.
Value HardestValue(const Suite& suite, const RunMap& map) {
  std::vector<std::pair<double, CaseIndex>> means;
  for (CaseIndex i = 0; i < map.rows; ++i) {
    if (const double mean = map.RowMean(i); mean >= 0) means.emplace_back(mean, i);
  }
  const std::size_t shown = std::min(kHardestMax, means.size());
  std::partial_sort(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(shown), means.end());
  List list;
  for (std::size_t i = 0; i < shown; ++i)
    list.emplace_back(Object{{"case", suite.cases[means[i].second].id}, {"mean", means[i].first}});
  return list;
}

// The case on which models differ most: the highest mean of one less the lowest of another.
Value SplitValue(const Suite& suite, const Models& models, const RunMap& map) {
  constexpr double kHalfPoints = 200;
  double widest = 0;
  std::optional<CaseIndex> at;
  for (CaseIndex i = 0; i < map.rows; ++i) {
    std::vector<double> sums(models.names.size());
    std::vector<double> counts(models.names.size());
    for (VariantIndex v = 0; v < map.columns; ++v) {
      if (map.At(i, v) > kHalfPoints) continue;
      sums[models.of[v]] += map.At(i, v) / kHalfPoints;
      ++counts[models.of[v]];
    }
    double low = 1;
    double high = 0;
    for (std::size_t m = 0; m < sums.size(); ++m) {
      if (counts[m] == 0) continue;
      low = std::min(low, sums[m] / counts[m]);
      high = std::max(high, sums[m] / counts[m]);
    }
    if (high - low <= widest) continue;
    widest = high - low;
    at = i;
  }
  List list;
  if (!at) return list;
  list.emplace_back(Object{{"case", suite.cases[*at].id}, {"spread", widest}});
  return list;
}

Value ErrorsValue(const Suite& suite, const RunMap& map) {
  return ArrayOf(map.errors, [&](const ErrorGroup& group) {
    return Object{
        {"message", group.message},
        {"class", TextOrNull(group.error_class)},
        {"cells", CountValue(group.cells)},
        {"first", ArrayOf(group.first, [&](const ErrorGroup::At& at) {
           return Object{{"case", suite.cases[at.case_index].id}, {"variant", suite.variants[at.variant].id}};
         })}};
  });
}

Value TablesValue(const Report& report) {
  return ArrayOf(report.tables, [&](const ReportTable& table) {
    return Object{
        {"title", table.title},
        {"head", ArrayOf(table.head)},
        {"rows", ArrayOf(table.rows, [&](const std::vector<std::string>& row) { return ArrayOf(row); })}};
  });
}

Value ClosingValue(const std::optional<ClosingSummary>& closing) {
  if (!closing) return Null{};
  return Object{{"model", TextOrNull(closing->model_id)},
                {"text", closing->text},
                {"markdown", MarkdownTree(closing->text)},
                {"parts", ArrayOf(closing->parts, [&](const ClosingSummary::Part& part) {
                   return Object{{"title", part.title}, {"items", ArrayOf(part.items)}};
                 })}};
}

Value GatesToldValue(const std::vector<GateResult>& gates) {
  return ArrayOf(gates, [&](const GateResult& gate) {
    return Object{{"gate", gate.kind},
                  {"base", gate.base},
                  {"state", GateStateName(gate.state)},
                  {"sentence", gate.line}};
  });
}

Value SuiteValue(const Suite& suite, const PageFacts& facts) {
  List prompts;
  std::set<std::string_view> seen;
  for (const Variant& variant : suite.variants) {
    if (!variant.system || variant.system->empty() || !seen.insert(*variant.system).second) continue;
    prompts.emplace_back(*variant.system);
  }
  return Object{{"id", suite.id},
                {"board", TextOrNull(facts.board)},
                {"title", suite.title.empty() ? suite.id : suite.title},
                {"description", TextOrNull(suite.description)},
                {"markdown", suite.description.empty() ? Value(Null{}) : MarkdownTree(suite.description)},
                {"tags", ArrayOf(suite.tags)},
                {"system_prompts", std::move(prompts)}};
}

Value DocumentsValue(const Suite& suite) {
  struct Named {
    const CaseDocument* document;
    std::uint64_t cases;
  };
  std::map<std::string_view, std::size_t> places;
  std::vector<Named> all;
  for (const Case& the_case : suite.cases) {
    for (const CaseDocument& document : *the_case.documents) {
      const auto [found, is_new] = places.emplace(document.id, all.size());
      if (is_new) all.push_back({&document, 0});
      ++all[found->second].cases;
    }
  }
  return ArrayOf(all, [&](const Named& each) {
    return Object{{"id", each.document->id},
                  {"title", TextOrNull(each.document->title)},
                  {"url", TextOrNull(each.document->url)},
                  {"cases", CountValue(each.cases)}};
  });
}

List VariantsValue(const Report& report) {
  const Suite& suite = *report.suite;
  const std::vector<std::string> names = SpokenNames(suite);
  const std::vector<std::string> keys = VariantKeys(suite);
  const std::vector<FactorLevels> factors = FactorsOf(suite);
  const Models models = ModelsOf(suite);
  return ArrayOf(report.variants, [&](const VariantSummary& summary) {
    const VariantIndex v = summary.variant;
    Map map = VariantMembers(suite, summary);
    Extend(map, {{"name", names[v]},
                 {"model", models.spoken[models.of[v]]},
                 {"key", keys[v]},
                 {"levels", ArrayOf(factors, [&](const FactorLevels& factor) {
                    return factor.levels[factor.of[v]];
                  })}});
    return map;
  });
}

Value FactorLevelsValue(const Suite& suite) {
  return ArrayOf(FactorsOf(suite), [&](const FactorLevels& factor) {
    return Object{
        {"name", factor.name}, {"values", ArrayOf(factor.levels)}, {"short", ArrayOf(factor.short_levels)}};
  });
}

// Means by group, tag and language, as far as a page has room for them.
Value PageGroupsValue(const Suite& suite, const RunStatistics& statistics) {
  constexpr std::size_t kNumbersMax = 3000;
  std::vector<GroupTable> shown;
  for (const GroupBy by : {GroupBy::kGroup, GroupBy::kLang, GroupBy::kTag}) {
    for (GroupTable& table : GroupTablesOf(suite, statistics, by)) {
      if (table.split.names.size() * table.variants.size() <= kNumbersMax) shown.push_back(std::move(table));
    }
  }
  return GroupsValue(suite, shown);
}

// What is to be said of the run beside its verdict.
Value NotesValue(const Report& report, const PageFacts& facts) {
  List list;
  const auto add = [&list](std::string text) {
    list.emplace_back(Object{{"text", std::move(text)}, {"href", Null{}}});
  };
  if (facts.record.state != RunState::kFinished && !facts.is_live && facts.record.cells > 0)
    add("The same command continues it; ranks count the cases that have a score.");
  for (std::string& line : ModelNotes(report.totals)) add(std::move(line));
  return list;
}

}  // namespace

std::vector<std::string> VariantKeys(const Suite& suite) {
  const std::vector<FactorLevels> factors = FactorsOf(suite);
  const Models models = ModelsOf(suite);
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (std::size_t v = 0; v < suite.variants.size(); ++v) {
    const std::string& model = models.names[models.of[v]];
    const std::size_t slash = model.find_last_of("/:");
    std::string key = slash == std::string::npos ? model : model.substr(slash + 1);
    for (const FactorLevels& factor : factors) key += "~" + factor.short_levels[factor.of[v]];
    seen.insert(key);
    keys.push_back(std::move(key));
  }
  if (seen.size() == keys.size()) return keys;
  for (std::size_t v = 0; v < keys.size(); ++v) keys[v] = suite.variants[v].id;
  return keys;
}

std::optional<VariantIndex> FindVariantByName(const Suite& suite, std::string_view name) {
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    if (suite.variants[v].id == name) return v;
  }
  const std::vector<std::string> keys = VariantKeys(suite);
  const auto found = std::find(keys.begin(), keys.end(), name);
  if (found == keys.end()) return std::nullopt;
  return static_cast<VariantIndex>(found - keys.begin());
}

Value VerdictValue(const Standings& standings) {
  return ArrayOf(standings.sentences, [&](const VerdictSentence& sentence) {
    return Object{{"about", sentence.about == VerdictSentence::About::kModels ? "models" : "variants"},
                  {"text", sentence.text}};
  });
}

Result<Value> RunPageValue(const Report& report, const PageFacts& facts) {
  const Suite& suite = *report.suite;
  // Who looks at a page has no command that ends, and the files are the run's own affair.
  Map map = RunMembersWith(report, {.record = facts.record, .cost = facts.cost, .is_at_work = facts.is_live},
                           VariantsValue(report));
  Extend(map, {{"suite", SuiteValue(suite, facts)},
               {"store", TextOrNull(facts.store)},
               {"records", CountValue(facts.records)},
               {"is_live", facts.is_live},
               {"pass_at", facts.pass.UsualMark(suite)},
               {"pass_words", MarkWords(facts.pass, suite)},
               {"pass_attempts", facts.pass.share},
               {"cases", CountValue(suite.cases.size())},
               {"attempts", CountValue(suite.attempts)},
               {"done", CountValue(facts.map.done)},
               {"races", RaceChartsValue(report)},
               {"verdict", VerdictValue(facts.statistics.standings)},
               {"notes", NotesValue(report, facts)},
               {"trust", ConditionsValue(ConditionsOf(report, facts))},
               {"statistics", StatisticsValue(suite, facts.statistics, {})},
               {"groups", PageGroupsValue(suite, facts.statistics)},
               {"factors", FactorLevelsValue(suite)},
               {"tags", TagsValue(suite)},
               {"checks", ChecksValue(suite)},
               {"hardest", HardestValue(suite, facts.map)},
               {"split", SplitValue(suite, facts.statistics.standings.models, facts.map)},
               {"errors", ErrorsValue(suite, facts.map)},
               {"tables", TablesValue(report)},
               {"closing", ClosingValue(report.closing)},
               {"gates", GatesToldValue(facts.gates)},
               {"documents", DocumentsValue(suite)}});
  Value titles = TitlesValue(map, suite);
  map.Append("titles", std::move(titles));
  return Value(std::move(map));
}

}  // namespace assay
