// Computes how far the judges of an answer agree: Krippendorff's alpha with squared differences (spec:
// blueprint 12.8).
#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text/utf8.h"
#include "checks/judge/judge.h"
#include "spec/suite/suite.h"
#include "text/javascript/number.h"

namespace assay {
namespace {

constexpr double kReliable = 0.8;
constexpr double kTentative = 0.667;
// Below both of these there is hardly any variation to agree on, so that alpha says nothing.
constexpr double kUnstableAlpha = 0.1;
constexpr double kUnstableVariance = 0.02;
constexpr std::size_t kFingerprintDigits = 12;

// Squared differences of all pairs.
struct Pairs {
  double sum = 0;
  std::size_t count = 0;

  void Add(const std::vector<double>& scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      for (std::size_t k = i + 1; k < scores.size(); ++k) {
        sum += (scores[i] - scores[k]) * (scores[i] - scores[k]);
        ++count;
      }
    }
  }
  double Mean() const { return sum / static_cast<double>(count); }
};

double PopulationVariance(const std::vector<double>& scores) {
  double sum = 0;
  for (const double score : scores) sum += score;
  const double mean = sum / static_cast<double>(scores.size());
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  return squares / static_cast<double>(scores.size());
}

std::string_view Interpretation(double alpha, double variance) {
  if (alpha >= kReliable) return "reliable";
  if (alpha >= kTentative) return "tentative";
  return std::abs(alpha) < kUnstableAlpha && variance < kUnstableVariance ? "unstable" : "unreliable";
}

struct JudgeUse {
  std::string id;
  std::string label;
  std::size_t count = 0;
};

void CountUse(const Evidence& voice, std::vector<JudgeUse>& uses) {
  const std::string id = voice.source.substr(0, voice.source.find('('));
  const auto use = std::find_if(uses.begin(), uses.end(), [&id](const JudgeUse& u) { return u.id == id; });
  if (use == uses.end()) {
    uses.push_back({id, voice.source, 1});
  } else {
    ++use->count;
  }
}

std::string Fingerprint(const std::vector<JudgeUse>& uses) {
  std::vector<std::string> ids;
  for (const JudgeUse& use : uses) ids.push_back(use.id);
  std::sort(ids.begin(), ids.end(),
            [](const std::string& a, const std::string& b) { return CompareUtf16(a, b) < 0; });
  std::string joined;
  for (const std::string& id : ids) joined += (joined.empty() ? "" : ",") + id;
  return HexPrefix(Sha256Of(joined), kFingerprintDigits);
}

// weval knows judges by their ids only, so that one without an id is "unknown" there.
const Judge* FindJudge(const JudgeUse& use, const Suite& suite) {
  const bool by_label = suite.grading.agreement_by_label;
  for (const std::vector<Judge>* judges : {&suite.judges, &suite.named_judges}) {
    for (const Judge& judge : *judges) {
      if (judge.id == use.id || (by_label && judge.label == use.label)) return &judge;
    }
  }
  return nullptr;
}

List JudgesUsed(std::vector<JudgeUse> uses, const Suite& suite) {
  std::stable_sort(uses.begin(), uses.end(),
                   [](const JudgeUse& a, const JudgeUse& b) { return a.count > b.count; });
  List list;
  for (const JudgeUse& use : uses) {
    const Judge* judge = FindJudge(use, suite);
    Map entry;
    entry.Append("judgeId", use.id);
    entry.Append("model", judge == nullptr ? std::string("unknown") : judge->model_id);
    entry.Append("approach", judge == nullptr ? std::string("unknown") : judge->approach);
    entry.Append("assessmentCount", static_cast<double>(use.count));
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

Value JudgeAgreement(std::span<const Score> scores, const Suite& suite) {
  Pairs within;
  std::vector<double> pooled;
  std::vector<JudgeUse> uses;
  std::size_t items = 0;
  std::size_t judges_of_first = 0;
  for (const Score& score : scores) {
    if (score.evidence.size() < 2) continue;
    if (items++ == 0) judges_of_first = score.evidence.size();
    std::vector<double> values;
    for (const Evidence& voice : score.evidence) {
      values.push_back(voice.value);
      CountUse(voice, uses);
    }
    within.Add(values);
    pooled.insert(pooled.end(), values.begin(), values.end());
  }
  if (items == 0) return {};

  Pairs expected;
  expected.Add(pooled);
  const double alpha = expected.sum == 0 ? 1 : 1 - within.Mean() / expected.Mean();
  Map agreement;
  agreement.Append("krippendorffsAlpha", RoundToFixed(alpha, 3));
  agreement.Append("numItems", static_cast<double>(items));
  agreement.Append("numJudges", static_cast<double>(judges_of_first));
  agreement.Append("numComparisons", static_cast<double>(within.count));
  agreement.Append("interpretation", std::string(Interpretation(alpha, PopulationVariance(pooled))));
  agreement.Append("judgeSetFingerprint", Fingerprint(uses));
  agreement.Append("judgesUsed", JudgesUsed(std::move(uses), suite));
  return agreement;
}

}  // namespace assay
