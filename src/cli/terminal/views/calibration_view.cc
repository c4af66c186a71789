// Sentences first, then tables.
#include "cli/terminal/views/calibration_view.h"

#include <fmt/core.h>

#include <cmath>

#include "cli/terminal/text_table.h"
#include "engine/words.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

constexpr std::string_view kNoNumber = "–";
constexpr std::string_view kBandNames[kLabelBands] = {"below 25", "25 to 74", "75 and more"};

std::string Whole(const std::optional<double>& share) {
  return share ? Points(std::nullopt, 0).Text(*share) : std::string(kNoNumber);
}

// Of α. One label says nothing of chance.
std::string AlphaText(const LabelAgreement& agreement) {
  constexpr std::uint64_t kLeast = 2;
  if (!agreement.alpha.alpha || agreement.labels < kLeast) return std::string(kNoNumber);
  const std::string digits = fmt::format("{:.2f}", std::abs(*agreement.alpha.alpha));
  return (*agreement.alpha.alpha < 0 && digits != "0.00" ? "−" : "") + digits;
}

// What the sentence says of the scores of all judges together; of one quantity there is one number.
LabelAgreement AsInTheSentence(LabelAgreement agreement, const Calibrations& calibrations) {
  const DrawnEstimate& drawn = calibrations.variants.front().drawn;
  if (!drawn.bias) return agreement;
  agreement.bias = drawn.bias;
  agreement.bias_interval = drawn.bias_interval;
  return agreement;
}

// "6 too much (95 %: 2 to 10)", "no bias shown"
std::string BiasText(const LabelAgreement& agreement) {
  if (!agreement.bias) return std::string(kNoNumber);
  if (!agreement.bias_interval)
    return *agreement.bias == 0 ? "the same" : Whole(agreement.bias) + " on average";
  const Interval& interval = *agreement.bias_interval;
  if (interval.low <= 0 && interval.high >= 0) return "no bias shown";
  const bool is_less = *agreement.bias < 0;
  const Interval turned = is_less ? Interval{-interval.high, -interval.low} : interval;
  const Points points(turned, 0);
  return fmt::format("{} too {} (95 %: {} to {})", points.Text(std::abs(*agreement.bias)),
                     is_less ? "little" : "much", points.Text(turned.low), points.Text(turned.high));
}

std::string NameOf(const Calibrations& calibrations, std::size_t index) {
  const std::string& judge = calibrations.judges[index].judge;
  if (!judge.empty()) return Printable(judge);
  return calibrations.judges.size() > 2 ? "all judges together" : "the scores";
}

// Which labels the table counts, where the sentence does without some or weighs them otherwise.
std::string UsedText(const Calibrations& calibrations) {
  const DrawnEstimate& drawn = calibrations.variants.front().drawn;
  const std::uint64_t labels = calibrations.judges.front().agreement.labels;
  if (!drawn.estimate || drawn.mode == LabelMode::kPicked) return {};
  const std::string all =
      drawn.not_drawn > 0
          ? fmt::format(
                "This table counts all {}, also those after the gap. The sentence above gives the estimate. ",
                Counted(labels, "label"))
          : std::string();
  const std::string each =
      calibrations.judges.size() > 2
          ? "The row of a single judge covers only its labeled verdicts, without the weights of the sample."
          : "";
  return all.empty() && each.empty() ? std::string() : all + each + "\n";
}

std::string AgreementTable(const Calibrations& calibrations, const Screen& screen) {
  TextTable table({{"agreement with the labels"},
                   {"labels", Align::kRight},
                   {"same band", Align::kRight},
                   {"points away", Align::kRight},
                   {"α", Align::kRight},
                   {"gives"}});
  // Of points that one judge alone judged, the scores are the judge's.
  const bool are_scores_of_judge = calibrations.judges.size() == 2 && calibrations.are_of_points;
  for (std::size_t i = are_scores_of_judge ? 1 : 0; i < calibrations.judges.size(); ++i) {
    LabelAgreement agreement = calibrations.judges[i].agreement;
    if (i == (are_scores_of_judge ? 1 : 0)) agreement = AsInTheSentence(std::move(agreement), calibrations);
    table.Add({NameOf(calibrations, i), CountText(agreement.labels), PercentText(agreement.same),
               Whole(agreement.distance), AlphaText(agreement), BiasText(agreement)});
  }
  return table.Text(screen) + UsedText(calibrations);
}

std::string NearestText(const Calibrations& calibrations) {
  if (!calibrations.nearest) return {};
  const NearestJudge& nearest = *calibrations.nearest;
  const Points points(std::nullopt, 0);
  const std::string away = points.Text(nearest.distance);
  if (!nearest.is_shown && away == points.Text(nearest.next_distance)) {
    return fmt::format("Nearest to the labels: {} and {}, both {} away on average.\n",
                       NameOf(calibrations, nearest.judge + 1), NameOf(calibrations, nearest.next + 1),
                       points.Counted(nearest.distance));
  }
  const std::string next = NameOf(calibrations, nearest.next + 1);
  const std::string end = nearest.is_shown
                              ? fmt::format("; {} is {} away", next, points.Text(nearest.next_distance))
                              : fmt::format("; not shown to be nearer than {} ({} away)", next,
                                            points.Text(nearest.next_distance));
  return fmt::format("Nearest to the labels: {}, {} away on average{}.\n",
                     NameOf(calibrations, nearest.judge + 1), points.Counted(nearest.distance), end);
}

std::string ConfusionText(const Calibrations& calibrations, const Screen& screen) {
  const bool has_judges = calibrations.judges.size() > 1;
  std::vector<TextTable::Column> columns = {{has_judges ? "labels ↓, judges →" : "labels ↓, scores →"}};
  for (const std::string_view name : kBandNames) columns.push_back({std::string(name), Align::kRight});
  TextTable table(columns);
  const ConfusionTable& confusion = calibrations.judges.front().agreement.confusion;
  for (std::size_t row = 0; row < kLabelBands; ++row) {
    std::vector<std::string> fields = {std::string(kBandNames[row])};
    for (const std::uint64_t count : confusion[row]) fields.push_back(CountText(count));
    table.Add(std::move(fields));
  }
  return table.Text(screen);
}

}  // namespace

std::string CalibrationText(const Calibrations& calibrations, const Screen& screen) {
  std::string text;
  for (const Calibration& each : calibrations.variants) text += Printable(each.sentence) + "\n";
  if (calibrations.changed > 0)
    text += fmt::format(
        "{} of {} that this run does not have {} not used.\n", Counted(calibrations.changed, "label"),
        calibrations.changed == 1 ? "an answer" : "answers", calibrations.changed == 1 ? "was" : "were");
  if (calibrations.judges.empty() || calibrations.judges.front().agreement.labels == 0) return text;
  return text + "\n" + AgreementTable(calibrations, screen) + NearestText(calibrations) + "\n" +
         ConfusionText(calibrations, screen);
}

}  // namespace assay
