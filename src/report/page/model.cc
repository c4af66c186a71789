// Computes PageModel in one walk over all cells: map, histograms, worst answers, and the amount of text.
#include "report/page/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "base/wire/wire.h"

namespace assay {
namespace {

constexpr std::size_t kMapRowsMax = 200;  // of a large run
constexpr std::size_t kWorstShown = 40;   // lowest scores of a large run
constexpr std::size_t kErrorsShown = 20;  // first errors and partial answers of a large run
constexpr AttemptIndex kAttemptsShown = 100;
constexpr AttemptIndex kAttemptsShownOfLarge = 10;
constexpr std::size_t kHistogramClasses = 10;

// Bytes of markup around the parts of a page, measured on real pages and rounded up.
constexpr double kPageBytes = 45'000;
constexpr double kCaseBytes = 600;
constexpr double kTurnBytes = 60;
constexpr double kMapFieldBytes = 16;
constexpr double kCriterionBytes = 100;
constexpr double kAnswerBytes = 95;
constexpr double kPointBytes = 120;
constexpr double kVoteBytes = 80;
constexpr double kPathBytes = 70;
constexpr double kEscaping = 1.06;
constexpr double kPromptShare = 0.4;    // of the page, at most, for what was asked
constexpr double kCriteriaShare = 0.3;  // of the page, at most, for the tables of criteria

constexpr std::array<std::size_t, 11> kAnswerLimits = {64'000, 16'000, 8'000, 4'000, 2'000, 1'000,
                                                       700,    550,    400,   250,   120};
constexpr std::array<std::size_t, 6> kReasonLimits = {8'000, 2'000, 800, 400, 200, 80};
constexpr std::array<std::size_t, 6> kPromptLimits = {64'000, 16'000, 4'000, 1'500, 600, 250};

// How many attempts of a pair have room on the page.
AttemptIndex AttemptsShown(const Suite& suite, bool is_large) {
  if (is_large) return kAttemptsShownOfLarge;
  const std::size_t pairs = std::max<std::size_t>(suite.cases.size() * suite.variants.size(), 1);
  return static_cast<AttemptIndex>(
      std::clamp<std::size_t>(limits::kHtmlPairsMax / pairs, 1, kAttemptsShown));
}

// What the texts of all answers would take under each limit.
class SizeTally {
 public:
  void Add(const Suite& suite, const Pair& pair) {
    ++pairs_;
    names_ += static_cast<double>(suite.variants[pair.variant].id.size());
    const Transcript& transcript = pair.shown.transcript;
    std::size_t answer = transcript.answer.size() + transcript.error.size();
    for (std::size_t i = 0; i + 1 < transcript.generated_texts.size(); ++i) {
      answer += transcript.generated_texts[i].size();
    }
    std::size_t thoughts = 0;
    for (const std::string& text : transcript.generated_reasoning) thoughts += text.size();
    for (std::size_t i = 0; i < kAnswerLimits.size(); ++i)
      answers_[i] += Capped(answer, kAnswerLimits[i]) + Capped(thoughts, kAnswerLimits[i]);
    const Case& the_case = pair.GradedCase(suite);
    for (std::size_t check = 0; check < pair.shown.scores.size(); ++check) {
      AddPoint(the_case.checks[check].text.size(), pair.shown.scores[check]);
    }
    for (const CheckNode& node : the_case.tree.children) {
      for (double& sum : reasons_) sum += kPathBytes * static_cast<double>(node.children.size());
    }
  }

  TextLimits Limits(const Suite& suite) const {
    TextLimits limits;
    double left = static_cast<double>(limits::kHtmlBytesMax) - kPageBytes;
    left -= pairs_ * (kAnswerBytes + kMapFieldBytes) + names_ +
            static_cast<double>(suite.cases.size()) * kCaseBytes;
    std::tie(limits.prompt, left) = PromptLimit(suite, left);
    const double criteria = CriteriaBytes(suite);
    limits.shows_criteria = criteria < static_cast<double>(limits::kHtmlBytesMax) * kCriteriaShare;
    if (limits.shows_criteria) left -= criteria;
    const std::size_t answer = FirstFit(answers_, left);
    limits.answer = kAnswerLimits[answer];
    left -= answers_[answer];
    const std::size_t reason = FirstFit(reasons_, left);
    limits.reason = kReasonLimits[reason];
    limits.shows_reasons = reasons_[reason] <= left;
    return limits;
  }

 private:
  static double Capped(std::size_t bytes, std::size_t limit) {
    return static_cast<double>(std::min(bytes, limit)) * kEscaping;
  }

  void AddPoint(std::size_t criterion, const Score& score) {
    for (std::size_t i = 0; i < kReasonLimits.size(); ++i) {
      double& sum = reasons_[i];
      sum += kPointBytes + Capped(criterion, kReasonLimits[i]);
      sum += Capped(score.explanation.size() + score.error.size(), kReasonLimits[i]);
      for (const Evidence& vote : score.evidence) {
        sum += kVoteBytes + Capped(vote.source.size() + vote.text.size(), kReasonLimits[i]);
      }
    }
  }

  // The first limit whose sum fits, else the last.
  template <std::size_t N>
  static std::size_t FirstFit(const std::array<double, N>& sums, double room) {
    const auto found = std::find_if(sums.begin(), sums.end(), [&](double sum) { return sum <= room; });
    return found == sums.end() ? N - 1 : static_cast<std::size_t>(found - sums.begin());
  }

  static std::pair<std::size_t, double> PromptLimit(const Suite& suite, double left) {
    std::array<double, kPromptLimits.size()> sums{};
    for (const Case& the_case : suite.cases) {
      for (std::size_t i = 0; i < sums.size(); ++i) {
        for (const Turn& turn : the_case.turns)
          sums[i] += kTurnBytes + Capped(turn.text.size(), kPromptLimits[i]);
        sums[i] += Capped(the_case.description.size(), kPromptLimits[i]);
        if (the_case.ideal) sums[i] += Capped(the_case.ideal->size(), kPromptLimits[i]);
      }
    }
    const std::size_t fit = FirstFit(sums, static_cast<double>(limits::kHtmlBytesMax) * kPromptShare);
    return {kPromptLimits[fit], left - sums[fit]};
  }

  static double CriteriaBytes(const Suite& suite) {
    double sum = 0;
    for (const Case& the_case : suite.cases) {
      for (const Check& check : the_case.checks) {
        sum += kCriterionBytes + Capped(check.text.size(), kPromptLimits.back() * 4) +
               kMapFieldBytes * static_cast<double>(suite.variants.size());
      }
      for (const CheckNode& node : the_case.tree.children) {
        if (node.children.empty()) continue;
        sum += kCriterionBytes + kMapFieldBytes * static_cast<double>(suite.variants.size());
      }
    }
    return sum;
  }

  double pairs_ = 0;
  double names_ = 0;
  std::array<double, kAnswerLimits.size()> answers_{};
  std::array<double, kReasonLimits.size()> reasons_{};
};

// The lowest scores and the first errors, in plan order where they tie.
class WorstPairs {
 public:
  void Add(const Pair& pair) {
    if (pair.state == CellState::kError || pair.state == CellState::kPartial) {
      if (errors_.size() < kErrorsShown) errors_.push_back({pair.case_index, pair.variant});
      return;
    }
    const std::optional<double> mean = pair.mean();
    if (!mean || std::isnan(*mean)) return;
    worst_.push_back({*mean, {pair.case_index, pair.variant}});
    std::push_heap(worst_.begin(), worst_.end());
    if (worst_.size() > kWorstShown) {
      std::pop_heap(worst_.begin(), worst_.end());
      worst_.pop_back();
    }
  }

  std::vector<PageModel::Selected> Take() {
    std::vector<PageModel::Selected> selected = errors_;
    for (const auto& [score, pair] : worst_) selected.push_back(pair);
    std::sort(selected.begin(), selected.end());
    return selected;
  }

 private:
  std::vector<std::pair<double, PageModel::Selected>> worst_;  // a heap, the highest score on top
  std::vector<PageModel::Selected> errors_;
};

// The texts of the cases that are asked several times.
Status AddAttempts(const Report& report, AttemptIndex shown, SizeTally& sizes) {
  const Suite& suite = *report.suite;
  for (CaseIndex index = 0; index < suite.cases.size(); ++index) {
    if (!HasAttempts(suite, index)) continue;
    CellRange range = CellRange::OfCase(index);
    range.attempts = shown;
    ASSAY_CHECK_OK(ForEachAttemptIn(report, range, CellParts::kAll, [&](AttemptIndex, const Pair& alone) {
      sizes.Add(suite, alone);
      return Ok();
    }));
  }
  return Ok();
}

void RankVariants(PageModel& model) {
  const Ranking& ranking = model.statistics->standings.ranking;
  for (const RankPlace& place : ranking.places)
    model.by_rank.push_back(static_cast<VariantIndex>(place.variant));
  for (const VariantNumber variant : ranking.unranked)
    model.by_rank.push_back(static_cast<VariantIndex>(variant));
  model.rank_of.resize(model.by_rank.size());
  for (std::uint32_t rank = 0; rank < model.by_rank.size(); ++rank) model.rank_of[model.by_rank[rank]] = rank;
}

void LayRows(PageModel& model) {
  const std::size_t cases = model.suite->cases.size();
  const std::size_t group = model.large ? (cases + kMapRowsMax - 1) / kMapRowsMax : 1;
  for (std::size_t first = 0; first < cases; first += std::max<std::size_t>(group, 1)) {
    MapRow row;
    row.first = static_cast<CaseIndex>(first);
    row.last = static_cast<CaseIndex>(std::min(first + group, cases) - 1);
    row.fields.resize(model.by_rank.size());
    model.rows.push_back(std::move(row));
  }
}

void AddToField(const Pair& pair, MapField& field) {
  const std::optional<double> mean = pair.mean();
  if (pair.partial > 0) ++field.partial;
  if (mean) {
    field.sum += *mean;
    ++field.scored;
  } else if (pair.state == CellState::kError) {
    ++field.errors;
  } else if (pair.state != CellState::kPartial) {
    ++field.unscored;
  }
}

void FinishRow(MapRow& row) {
  MapField total;
  for (const MapField& field : row.fields) {
    total.sum += field.sum;
    total.scored += field.scored;
  }
  row.mean = total.mean();
}

// The first ones, in the order of the cases.
std::set<const MediaPart*> PicturesOf(const Suite& suite) {
  std::set<const MediaPart*> pictures;
  std::size_t bytes = 0;
  for (const Case& the_case : suite.cases) {
    for (const Turn& turn : the_case.turns) {
      for (const MediaPart& part : turn.media) {
        if (part.kind != MediaKind::kImage || !HasBytes(part)) continue;
        const std::size_t size = part.blob->bytes.size();
        if (size > limits::kPictureBytesMax || bytes + size > limits::kPicturesBytesMax) continue;
        bytes += size;
        pictures.insert(&part);
      }
    }
  }
  return pictures;
}

}  // namespace

bool HasAttempts(const Suite& suite, CaseIndex case_index) {
  return suite.cases[case_index].attempts.value_or(suite.attempts) > 1;
}

bool PageModel::Shows(CaseIndex case_index, VariantIndex variant) const {
  return !large || std::binary_search(selected.begin(), selected.end(), Selected{case_index, variant});
}

Result<PageModel> BuildPageModel(const Report& report) {
  PageModel model;
  model.report = &report;
  model.suite = report.suite;
  model.pictures = PicturesOf(*report.suite);
  model.systems = SystemsOf(*report.suite);
  model.temperatures = TemperaturesOf(*report.suite);
  const std::size_t variants = report.suite->variants.size();
  model.large = static_cast<std::uint64_t>(report.suite->cases.size()) * variants > limits::kHtmlPairsMax;
  ASSAY_TRY(model.statistics, StatisticsOf(report));  // the page tells of no attempts that passed
  model.parameters = VaryingParameters(*report.suite);
  model.factors = FactorEffects(*report.suite, model.statistics->standings.scores);
  RankVariants(model);
  LayRows(model);
  std::vector<std::array<std::uint64_t, kHistogramClasses>> counts(variants);
  const std::size_t group = model.rows.empty() ? 1 : model.rows[0].last - model.rows[0].first + 1;
  SizeTally sizes;
  WorstPairs worst;
  const auto look = [&](const Pair& pair) -> Status {
    const std::uint32_t rank = model.rank_of[pair.variant];
    AddToField(pair, model.rows[pair.case_index / group].fields[rank]);
    if (const auto mean = pair.mean(); mean && !std::isnan(*mean)) {
      const double place = std::clamp(*mean, 0.0, 1.0) * kHistogramClasses;
      ++counts[rank][std::min(static_cast<std::size_t>(place), kHistogramClasses - 1)];
    }
    model.tally.Add(pair);
    if (model.large) {
      worst.Add(pair);
    } else if (!HasAttempts(*report.suite, pair.case_index)) {
      sizes.Add(*report.suite, pair);
    }
    return Ok();
  };
  ASSAY_CHECK_OK(ForEachPair(report, model.large ? CellParts::kScores : CellParts::kShown, look));
  const AttemptIndex attempts = AttemptsShown(*report.suite, model.large);
  if (!model.large) ASSAY_CHECK_OK(AddAttempts(report, attempts, sizes));
  for (MapRow& row : model.rows) FinishRow(row);
  for (const auto& classes : counts) {
    const std::uint64_t most = std::max<std::uint64_t>(*std::max_element(classes.begin(), classes.end()), 1);
    std::vector<std::uint8_t>& scaled = model.histograms.emplace_back();
    for (const std::uint64_t count : classes) scaled.push_back(static_cast<std::uint8_t>(count * 100 / most));
  }
  model.selected = worst.Take();
  model.limits = model.large
                     ? TextLimits{.prompt = 4'000, .answer = 8'000, .reason = 1'000, .shows_criteria = false}
                     : sizes.Limits(*report.suite);
  model.limits.attempts = attempts;
  return model;
}

}  // namespace assay
