// levenshtein, rouge-n, bleu and gleu: how much the output is like a text.
//   levenshtein  insertions, deletions and replacements of a UTF-16 unit, at most the threshold (5)
//   rouge-n      F1 of single words of the Penn Treebank, each counted as often as both texts have it
//   bleu         runs of one to four words; those that the output is too short for do not count, a share of 0
//                counts as 1e-7; the reference that is nearest in length makes the brevity penalty
//   gleu         the smaller of precision and recall of all runs of one to four words, of the best reference
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text/utf8.h"
#include "checks/promptfoo/families.h"
#include "checks/promptfoo/shares/words.h"
#include "checks/wanted/letter_distance.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kLongestRun = 4;
constexpr double kNoShare = 1e-7;

std::u32string Units(std::string_view text) {
  const std::u16string units = ToUtf16(text);
  return {units.begin(), units.end()};
}

std::size_t Total(const RunCounts& counts) {
  std::size_t total = 0;
  for (const auto& [run, count] : counts) total += count;
  return total;
}

std::size_t Common(const RunCounts& a, const RunCounts& b) {
  std::size_t common = 0;
  for (const auto& [run, count] : a) {
    const auto found = b.find(run);
    if (found != b.end()) common += std::min(count, found->second);
  }
  return common;
}

double Share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double UnigramF1(std::string_view output, std::string_view wanted) {
  const RunCounts a = RunsOf(TreebankWords(JsToLower(output)), 1);
  const RunCounts b = RunsOf(TreebankWords(JsToLower(wanted)), 1);
  const std::size_t common = Common(a, b);
  const double precision = Share(common, Total(a));
  const double recall = Share(common, Total(b));
  return precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall);
}

// The length of the nearest reference, of two the shorter one.
std::size_t NearestLength(std::size_t length, const std::vector<Words>& references) {
  const auto distance = [&](std::size_t other) { return other > length ? other - length : length - other; };
  std::size_t nearest = references.front().size();
  for (const Words& reference : references) {
    const std::size_t other = reference.size();
    if (distance(other) < distance(nearest) || (distance(other) == distance(nearest) && other < nearest))
      nearest = other;
  }
  return nearest;
}

double BleuOf(const Words& output, const std::vector<Words>& references) {
  double logs = 0;
  double orders = 0;
  for (std::size_t length = 1; length <= std::min(kLongestRun, output.size()); ++length) {
    const RunCounts runs = RunsOf(output, length);
    std::size_t best = 0;
    for (const Words& reference : references) best = std::max(best, Common(runs, RunsOf(reference, length)));
    const double share = Share(best, Total(runs));
    logs += std::log(share == 0 ? kNoShare : share);
    ++orders;
  }
  if (orders == 0) return 0;
  const std::size_t nearest = NearestLength(output.size(), references);
  const double brevity =
      output.size() > nearest
          ? 1
          : std::exp(1 - static_cast<double>(nearest) / static_cast<double>(output.size()));
  return brevity * std::exp(logs / orders);
}

double GleuOf(const Words& output, const Words& reference) {
  if (output == reference) return 1;
  std::size_t common = 0;
  std::size_t of_output = 0;
  std::size_t of_reference = 0;
  for (std::size_t length = 1; length <= kLongestRun; ++length) {
    const RunCounts a = RunsOf(output, length);
    const RunCounts b = RunsOf(reference, length);
    common += Common(a, b);
    of_output += Total(a);
    of_reference += Total(b);
  }
  return std::min(Share(common, of_output), Share(common, of_reference));
}

// "BLEU score 0.1234 is less than threshold 0.5"
AssertionResult ShareResult(const AssertionCall& call, std::string_view name, double share) {
  constexpr double kThreshold = 0.5;
  const Threshold least = ThresholdOr(call.assertion, kThreshold);
  return ShareVerdict(call, share, share >= least.number,
                      fmt::format("{} score {} is {} than threshold {}", name, JsToFixed(share, 4),
                                  call.negated() ? "greater" : "less", least.text));
}

}  // namespace

Result<AssertionResult> RunLevenshtein(const AssertionCall& call) {
  if (!call.value.is_string()) return BadValue(call, "a text");
  constexpr double kThreshold = 5;
  const Threshold most = ThresholdOr(call.assertion, kThreshold);
  const std::size_t distance = WantedLetters(Units(call.value.AsString())).DistanceTo(Units(call.text));
  return Verdict(call, static_cast<double>(distance) <= most.number,
                 fmt::format("Levenshtein distance {} is {} threshold {}", distance,
                             call.negated() ? "less than or equal to" : "greater than", most.text));
}

Result<AssertionResult> RunRougeN(const AssertionCall& call) {
  if (!call.value.is_string()) return BadValue(call, "a text");
  constexpr double kThreshold = 0.75;
  const Threshold least = ThresholdOr(call.assertion, kThreshold);
  const double share = UnigramF1(call.text, call.value.AsString());
  const bool holds = share >= least.number;
  AssertionResult result = ShareVerdict(call, share, holds, "");
  result.reason = fmt::format("ROUGE-N score {} is {} threshold {}", JsToFixed(share, 2),
                              holds ? "greater than or equal to" : "less than", least.text);
  return result;
}

Result<AssertionResult> RunBleu(const AssertionCall& call) {
  ASSAY_TRY(const std::vector<std::string> wanted, TextsOf(call));
  std::vector<Words> references;
  for (const std::string& text : wanted) references.push_back(BlankParted(text));
  return ShareResult(call, "BLEU", BleuOf(BlankParted(call.text), references));
}

Result<AssertionResult> RunGleu(const AssertionCall& call) {
  ASSAY_TRY(const std::vector<std::string> wanted, TextsOf(call));
  if (call.text.empty())
    return Error{ErrorCode::kInvalidInput, "\"gleu\" compares words, and the output is empty"};
  const Words output = WithoutLastDots(BlankParted(call.text));
  double best = 0;
  for (const std::string& text : wanted)
    best = std::max(best, GleuOf(output, WithoutLastDots(BlankParted(text))));
  return ShareResult(call, "GLEU", best);
}

}  // namespace assay::promptfoo
