// Cuts the attempts of cases into buckets and sums these into the rows of the score table.
#include "dialects/infibench/score_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "spec/report/reduce.h"
#include "text/found.h"

namespace assay::infibench {
namespace {

constexpr std::string_view kCustom = "custom";

// An attempt that has a grade.
struct Attempt {
  const Value* detail = nullptr;
  AttemptSum sum;
  double grade = 0;  // of a full score of 1
};

std::vector<Attempt> GradedAttempts(const CaseResult& result, Denominator denominator) {
  std::vector<Attempt> attempts;
  for (const Value& detail : result.detail) {
    const std::optional<double> grade = AttemptScore(detail, 1, denominator);
    if (grade) attempts.push_back({.detail = &detail, .sum = SumOf(detail), .grade = *grade});
  }
  return attempts;
}

// Whether `later` stands for the bucket rather than `earlier`, which stood for it so far.
bool Displaces(const Attempt& later, const Attempt& earlier, bool worst) {
  if (later.grade != earlier.grade) return (later.grade > earlier.grade) != worst;
  if (later.sum.raw_score != earlier.sum.raw_score) {
    return (later.sum.raw_score > earlier.sum.raw_score) != worst;
  }
  return true;
}

// The attempt that stands for each bucket.
std::vector<Attempt> PickAttempts(const CaseResult& result, const TableOptions& options) {
  const Buckets& buckets = options.buckets;
  std::vector<Attempt> picks;
  std::size_t taken = 0;  // attempts in the last bucket
  for (Attempt& attempt : GradedAttempts(result, options.denominator)) {
    const bool opens = picks.empty() || (buckets.size > 0 && taken == buckets.size);
    if (opens) {
      picks.push_back(std::move(attempt));
      taken = 0;
    } else if (Displaces(attempt, picks.back(), buckets.worst)) {
      picks.back() = std::move(attempt);
    }
    ++taken;
  }
  return picks;
}

double ShareOf(const AttemptSum& sum, const TableOptions& options) {
  const double total = sum.Total(options.denominator);
  if (options.form == ResultForm::kEvaluator) return sum.score / total;
  const double share = std::min(sum.raw_score, total) / total;
  return sum.min_score ? std::max(share, *sum.min_score) : share;
}

// What a share of the case counts in rows that add shares.
double ShareWeight(const CaseResult& result, ResultForm form) {
  return (form == ResultForm::kEvaluator ? result.full_score : 1) * result.weight;
}

// A row while cases are added to it.
struct Sum {
  std::string label;
  std::vector<double> buckets;
  double full_score = 0;
};

// The rows of one kind ("Lang: "), in the order of their first case.
class Group {
 public:
  explicit Group(std::size_t bucket_count) : bucket_count_(bucket_count) {}

  // `values`: one per bucket of the case; the mean of them stands in the buckets that it lacks.
  void Add(const std::string& label, std::span<const double> values, double full_score) {
    const auto [place, is_new] = places_.emplace(label, sums_.size());
    if (is_new) sums_.push_back({.label = label, .buckets = std::vector<double>(bucket_count_)});
    Sum& sum = sums_[place->second];
    sum.full_score += full_score;
    if (values.empty()) return;
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (std::size_t at = 0; at < bucket_count_; ++at) {
      sum.buckets[at] += at < values.size() ? values[at] : mean;
    }
  }

  // Appends the rows, the highest full score first, and keeps the order of like ones.
  void AppendTo(std::vector<ScoreRow>& rows) {
    std::stable_sort(sums_.begin(), sums_.end(),
                     [](const Sum& a, const Sum& b) { return a.full_score > b.full_score; });
    const Reducer mean_and_deviation = *FindReducer("avg_max_1");
    for (const Sum& sum : sums_) {
      ScoreRow row{.label = sum.label, .full_score = sum.full_score};
      if (!sum.buckets.empty()) {
        const Reduced reduced = mean_and_deviation(sum.buckets);
        row.score = reduced.value;
        row.deviation = reduced.deviation;
      }
      rows.push_back(std::move(row));
    }
  }

  const std::vector<Sum>& sums() const { return sums_; }

 private:
  std::size_t bucket_count_;
  std::vector<Sum> sums_;
  std::map<std::string, std::size_t> places_;
};

struct Groups {
  explicit Groups(std::size_t bucket_count)
      : overall(bucket_count), languages(bucket_count), types(bucket_count), metrics(bucket_count) {}
  Group overall;
  Group languages;
  Group types;
  Group metrics;
};

void AddMetrics(const CaseResult& result, std::span<const Attempt> picks, const TableOptions& options,
                Group& metrics) {
  // The original divides by the total of the last bucket, and by the bound of the first attempt.
  AttemptSum sum = picks.back().sum;
  sum.max_score = SumOf(result.detail.front()).max_score;
  const double total = sum.Total(options.denominator);
  if (total == 0) return;
  const double full_score = result.full_score * result.weight;
  for (const Component& component : Components()) {
    const std::optional<double> component_total = picks.back().detail->NumberAt(component.total_key);
    if (!component_total) continue;
    std::vector<double> scores;
    for (const Attempt& pick : picks) {
      const double number = pick.detail->NumberAt(component.score_key).value_or(0);
      scores.push_back(number * full_score / total);
    }
    const auto real = options.custom_metrics.find(result.path);
    const bool renamed = component.name == kCustom && real != options.custom_metrics.end();
    metrics.Add(fmt::format("Metric: {}", renamed ? std::string_view(real->second) : component.name), scores,
                *component_total * full_score / total);
  }
}

// "Lang: python"; nothing if the case does not say.
std::optional<std::string> FieldLabel(const CaseResult& result, std::string_view prefix,
                                      std::string_view key) {
  if (const std::string* text = FindText(result.fields, key)) return fmt::format("{}: {}", prefix, *text);
  if (const auto number = result.fields.NumberAt(key)) return fmt::format("{}: {}", prefix, *number);
  return std::nullopt;
}

void AddCase(const CaseResult& result, const std::vector<Attempt>& picks, const TableOptions& options,
             Groups& groups) {
  const double weight = ShareWeight(result, options.form);
  std::vector<double> shares;
  for (const Attempt& pick : picks) shares.push_back(ShareOf(pick.sum, options) * weight);
  if (shares.empty()) {
    const bool has_share = options.form == ResultForm::kEvaluator || result.full_score == 0;
    shares.push_back((has_share ? result.now_score : result.now_score / result.full_score) * result.weight);
  }
  const double full_score = result.full_score * result.weight;
  groups.overall.Add("Overall Score", shares, full_score);
  if (const auto label = FieldLabel(result, "Lang", "lang")) {
    groups.languages.Add(*label, shares, full_score);
  }
  if (const auto label = FieldLabel(result, "Type", "type")) {
    groups.types.Add(*label, shares, full_score);
  }
  if (!picks.empty()) AddMetrics(result, picks, options, groups.metrics);
}

}  // namespace

std::optional<Buckets> BucketsOf(std::string_view reduce_mode) {
  const std::optional<Reducer> reducer = FindReducer(reduce_mode);
  if (!reducer) return std::nullopt;
  if (reducer->row->has_bucket) return Buckets{.size = reducer->bucket};
  if (reduce_mode == "avg") return Buckets{.size = 1};
  return Buckets{.size = 0, .worst = reduce_mode == "min"};
}

ScoreTable BuildScoreTable(std::span<const CaseResult> results, const TableOptions& options) {
  struct CutCase {
    const CaseResult* result;
    std::vector<Attempt> picks;
  };
  std::vector<CutCase> cases;
  std::size_t bucket_count = 1;
  for (const CaseResult& result : results) {
    if (!result.error.empty()) continue;
    cases.push_back({&result, PickAttempts(result, options)});
    bucket_count = std::max(bucket_count, cases.back().picks.size());
  }
  std::stable_sort(cases.begin(), cases.end(),
                   [](const CutCase& a, const CutCase& b) { return a.result->path < b.result->path; });
  Groups groups(bucket_count);
  for (const CutCase& one : cases) AddCase(*one.result, one.picks, options, groups);
  ScoreTable table{.model = options.model, .bucket_totals = {}, .rows = {}};
  const bool has_grade = !groups.overall.sums().empty();
  if (!has_grade) groups.overall.Add("Overall Score", {}, 0);
  table.bucket_totals = groups.overall.sums().front().buckets;
  for (Group* group : {&groups.overall, &groups.languages, &groups.types, &groups.metrics}) {
    group->AppendTo(table.rows);
  }
  if (!has_grade) table.rows.front().has_score = !options.tells_nothing;
  return table;
}

}  // namespace assay::infibench
