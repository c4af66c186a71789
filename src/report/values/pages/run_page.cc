// Adds to the run's own object what its page shows beside it.
#include "report/values/pages/run_page.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/decide/factors.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "report/values/pages/trust.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "report/values/words/markdown_tree.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"

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
  for (const auto& [tag, cases] : counts) {
    Map map;
    map.Append("tag", tag);
    map.Append("cases", CountValue(cases));
    list.emplace_back(std::move(map));
  }
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
  for (const auto& [kind, counts] : kinds) {
    Map map;
    map.Append("kind", kind);
    map.Append("cases", CountValue(counts.cases));
    map.Append("points", CountValue(counts.points));
    list.emplace_back(std::move(map));
  }
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
  for (std::size_t i = 0; i < shown; ++i) {
    Map entry;
    entry.Append("case", suite.cases[means[i].second].id);
    entry.Append("mean", means[i].first);
    list.emplace_back(std::move(entry));
  }
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
  Map entry;
  entry.Append("case", suite.cases[*at].id);
  entry.Append("spread", widest);
  list.emplace_back(std::move(entry));
  return list;
}

Value ErrorsValue(const Suite& suite, const RunMap& map) {
  List list;
  for (const ErrorGroup& group : map.errors) {
    Map entry;
    entry.Append("message", group.message);
    entry.Append("class", TextOrNull(group.error_class));
    entry.Append("cells", CountValue(group.cells));
    List first;
    for (const ErrorGroup::At& at : group.first) {
      Map cell;
      cell.Append("case", suite.cases[at.case_index].id);
      cell.Append("variant", suite.variants[at.variant].id);
      first.emplace_back(std::move(cell));
    }
    entry.Append("first", std::move(first));
    list.emplace_back(std::move(entry));
  }
  return list;
}

Value TablesValue(const Report& report) {
  List list;
  for (const ReportTable& table : report.tables) {
    Map map;
    map.Append("title", table.title);
    map.Append("head", List(table.head.begin(), table.head.end()));
    List rows;
    for (const std::vector<std::string>& row : table.rows) rows.emplace_back(List(row.begin(), row.end()));
    map.Append("rows", std::move(rows));
    list.emplace_back(std::move(map));
  }
  return list;
}

Value ClosingValue(const std::optional<ClosingSummary>& closing) {
  if (!closing) return Null{};
  Map map;
  map.Append("model", TextOrNull(closing->model_id));
  map.Append("text", closing->text);
  map.Append("markdown", MarkdownTree(closing->text));
  List parts;
  for (const ClosingSummary::Part& part : closing->parts) {
    Map entry;
    entry.Append("title", part.title);
    entry.Append("items", List(part.items.begin(), part.items.end()));
    parts.emplace_back(std::move(entry));
  }
  map.Append("parts", std::move(parts));
  return Value(std::move(map));
}

Value GatesToldValue(const std::vector<GateResult>& gates) {
  List list;
  for (const GateResult& gate : gates) {
    Map map;
    map.Append("gate", gate.kind);
    map.Append("base", gate.base);
    map.Append("state", GateStateName(gate.state));
    map.Append("sentence", gate.line);
    list.emplace_back(std::move(map));
  }
  return list;
}

Value SuiteValue(const Suite& suite, const PageFacts& facts) {
  Map map;
  map.Append("id", suite.id);
  map.Append("board", TextOrNull(facts.board));
  map.Append("title", suite.title.empty() ? suite.id : suite.title);
  map.Append("description", TextOrNull(suite.description));
  map.Append("markdown", suite.description.empty() ? Value(Null{}) : MarkdownTree(suite.description));
  map.Append("tags", List(suite.tags.begin(), suite.tags.end()));
  List prompts;
  std::set<std::string_view> seen;
  for (const Variant& variant : suite.variants) {
    if (!variant.system || variant.system->empty() || !seen.insert(*variant.system).second) continue;
    prompts.emplace_back(*variant.system);
  }
  map.Append("system_prompts", std::move(prompts));
  return Value(std::move(map));
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
  List list;
  for (const Named& each : all) {
    Map map;
    map.Append("id", each.document->id);
    map.Append("title", TextOrNull(each.document->title));
    map.Append("url", TextOrNull(each.document->url));
    map.Append("cases", CountValue(each.cases));
    list.emplace_back(std::move(map));
  }
  return list;
}

void AppendVariants(const Suite& suite, List& variants) {
  const std::vector<std::string> names = SpokenNames(suite);
  const std::vector<std::string> keys = VariantKeys(suite);
  const std::vector<FactorLevels> factors = FactorsOf(suite);
  const Models models = ModelsOf(suite);
  for (std::size_t v = 0; v < variants.size(); ++v) {
    Map& map = variants[v].AsMap();
    map.Append("name", names[v]);
    map.Append("model", models.spoken[models.of[v]]);
    map.Append("key", keys[v]);
    List levels;
    for (const FactorLevels& factor : factors) levels.emplace_back(factor.levels[factor.of[v]]);
    map.Append("levels", std::move(levels));
  }
}

Value FactorLevelsValue(const Suite& suite) {
  List list;
  for (const FactorLevels& factor : FactorsOf(suite)) {
    Map map;
    map.Append("name", factor.name);
    map.Append("values", List(factor.levels.begin(), factor.levels.end()));
    map.Append("short", List(factor.short_levels.begin(), factor.short_levels.end()));
    list.emplace_back(std::move(map));
  }
  return list;
}

// What is to be said of the run beside its verdict.
Value NotesValue(const Report& report, const PageFacts& facts) {
  List list;
  const auto add = [&list](std::string text) {
    Map note;
    note.Append("text", std::move(text));
    note.Append("href", Null{});
    list.emplace_back(std::move(note));
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
  List list;
  for (const VerdictSentence& sentence : standings.sentences) {
    Map map;
    map.Append("about", sentence.about == VerdictSentence::About::kModels ? "models" : "variants");
    map.Append("text", sentence.text);
    list.emplace_back(std::move(map));
  }
  return list;
}

Result<Value> RunPageValue(const Report& report, const PageFacts& facts) {
  const Suite& suite = *report.suite;
  Value value = RunValue(report, {.record = facts.record, .cost = facts.cost, .is_at_work = facts.is_live});
  Map& map = value.AsMap();
  // Who looks at a page has no command that ends, and the files are the run's own affair.
  map.Erase("exit");
  map.Erase("up_to_date");
  if (Value* variants = map.Find("variants")) AppendVariants(suite, variants->AsList());
  map.Append("suite", SuiteValue(suite, facts));
  map.Append("store", TextOrNull(facts.store));
  map.Append("records", CountValue(facts.records));
  map.Append("is_live", facts.is_live);
  map.Append("pass_at", facts.pass.mark);
  map.Append("pass_words", MarkWords(facts.pass, suite));
  map.Append("pass_attempts", facts.pass.share);
  map.Append("cases", CountValue(suite.cases.size()));
  map.Append("attempts", CountValue(suite.attempts));
  map.Append("done", CountValue(facts.map.done));
  map.Append("verdict", VerdictValue(facts.statistics.standings));
  map.Append("notes", NotesValue(report, facts));
  map.Append("trust", ConditionsValue(ConditionsOf(report, facts)));
  map.Append("statistics", StatisticsValue(suite, facts.statistics, {}));
  map.Append("factors", FactorLevelsValue(suite));
  map.Append("tags", TagsValue(suite));
  map.Append("checks", ChecksValue(suite));
  map.Append("hardest", HardestValue(suite, facts.map));
  map.Append("split", SplitValue(suite, facts.statistics.standings.models, facts.map));
  map.Append("errors", ErrorsValue(suite, facts.map));
  map.Append("tables", TablesValue(report));
  map.Append("closing", ClosingValue(report.closing));
  map.Append("gates", GatesToldValue(facts.gates));
  map.Append("documents", DocumentsValue(suite));
  map.Append("titles", TitlesValue(value, suite));
  return value;
}

}  // namespace assay
