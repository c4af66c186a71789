// Counts faults and votes while the page's cells stream by.
#include "report/page/tally.h"

#include <algorithm>
#include <cmath>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "report/page/html/html_text.h"
#include "text/javascript/number.h"

namespace assay {
namespace {

constexpr std::size_t kFaultsMax = 50;
constexpr std::size_t kFaultBytesMax = 400;
constexpr std::size_t kJudgesMax = 50;
constexpr double kDisagreement = 0.5;

// Equal but for runs of digits: "HTTP 503 after 3 tries" and "HTTP 500 after 2 tries".
bool SameButDigits(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (IsAsciiDigit(a[i]) && IsAsciiDigit(b[k])) {
      while (i < a.size() && IsAsciiDigit(a[i])) ++i;
      while (k < b.size() && IsAsciiDigit(b[k])) ++k;
    } else if (a[i++] != b[k++]) {
      return false;
    }
  }
  return i == a.size() && k == b.size();
}

Fault::Of FaultOf(const Score& score) {
  if (score.state == ScoreState::kMissing) return Fault::Of::kVerdict;
  return score.state == ScoreState::kError ? Fault::Of::kPoint : Fault::Of::kVote;
}

template <class TextOf>
VariantAxis AxisOf(const Suite& suite, const TextOf& text_of) {
  VariantAxis axis;
  for (const Variant& variant : suite.variants) {
    std::string text = text_of(variant);
    const auto found = std::find(axis.values.begin(), axis.values.end(), text);
    axis.value_of.push_back(static_cast<std::uint32_t>(found - axis.values.begin()));
    if (found == axis.values.end()) axis.values.push_back(std::move(text));
  }
  return axis;
}

}  // namespace

void PageTally::Add(const Pair& pair) {
  if (!pair.answered()) AddFault(Fault::Of::kAnswer, pair.shown.transcript.error, pair);
  if (!pair.shown.grading_error.empty()) AddFault(Fault::Of::kVerdict, pair.shown.grading_error, pair);
  for (const Score& score : pair.shown.scores) {
    if (pair.answered() && !score.error.empty()) {
      AddFault(FaultOf(score), score.error, pair);
    }
    AddVotes(score);
  }
}

void PageTally::AddFault(Fault::Of of, std::string_view message, const Pair& pair) {
  message = CutToBytes(message, kFaultBytesMax);
  const auto same = std::find_if(faults.begin(), faults.end(), [&](const Fault& fault) {
    return fault.of == of && SameButDigits(fault.message, message);
  });
  if (same != faults.end()) {
    ++same->count;
  } else if (faults.size() < kFaultsMax) {
    faults.push_back({of, std::string(message), 1, pair.case_index, pair.variant});
  } else {
    ++more_faults;
  }
}

void PageTally::AddVotes(const Score& score) {
  if (score.evidence.empty()) return;
  double mean = 0;
  for (const Evidence& vote : score.evidence) mean += vote.value / static_cast<double>(score.evidence.size());
  for (const Evidence& vote : score.evidence) {
    auto judge = std::find_if(judges.begin(), judges.end(),
                              [&](const JudgeVotes& known) { return known.label == vote.source; });
    if (judge == judges.end()) {
      if (judges.size() == kJudgesMax) continue;
      judge = judges.insert(judges.end(), {vote.source, 0, 0, 0});
    }
    ++judge->votes;
    judge->sum += vote.value;
    judge->distance += std::abs(vote.value - mean);
  }
  if (score.evidence.size() < 2) return;
  ++judged;
  split += JudgesDisagree(score) ? 1 : 0;
}

bool JudgesDisagree(const Score& score) {
  const auto by_value = [](const Evidence& a, const Evidence& b) { return a.value < b.value; };
  const auto [low, high] = std::minmax_element(score.evidence.begin(), score.evidence.end(), by_value);
  return low != score.evidence.end() && high->value - low->value >= kDisagreement;
}

VariantAxis SystemsOf(const Suite& suite) {
  return AxisOf(suite, [](const Variant& variant) { return variant.system.value_or(""); });
}

VariantAxis TemperaturesOf(const Suite& suite) {
  return AxisOf(suite, [](const Variant& variant) {
    return variant.params.temperature ? JsNumberText(*variant.params.temperature) : std::string();
  });
}

}  // namespace assay
