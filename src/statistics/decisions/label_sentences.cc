// Words the estimate from drawn labels and from labels without a draw, and says why there is none.
#include "statistics/decisions/label_sentences.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "statistics/decisions/sentence_parts.h"
#include "statistics/decisions/sentences.h"

namespace assay {

namespace {

std::optional<Interval> Cut(const std::optional<Interval>& interval, double low, double high) {
  if (!interval) return interval;
  return Interval{std::clamp(interval->low, low, high), std::clamp(interval->high, low, high)};
}

std::string Noun(const LabelWords& words) { return words.is_of_points ? "verdict" : "answer"; }

// "; they show no bias", "; they give 6 points too much (95 %: 2 to 10)"
std::string BiasText(const DrawnEstimate& estimate) {
  if (!estimate.bias || !estimate.bias_interval) return {};
  const Interval interval = *Cut(estimate.bias_interval, -1, 1);
  if (interval.low <= 0 && interval.high >= 0) return "; they show no bias";
  const bool is_less = *estimate.bias < 0;
  const Interval turned = is_less ? Interval{-interval.high, -interval.low} : interval;
  const Points points(turned, 0);
  return fmt::format("; they give {} too {} (95 %: {} to {})", points.Counted(std::abs(*estimate.bias)),
                     is_less ? "little" : "much", points.Text(turned.low), points.Text(turned.high));
}

// "from 16 labels of 4 different answers, if they were picked blindly"
std::string FromText(const LabelWords& words, const DrawnEstimate& estimate) {
  const std::string drawn = estimate.mode == LabelMode::kPicked ? "label" : "drawn label";
  std::string text = "from ";
  if (estimate.given == estimate.units) {
    text += fmt::format("labels of all {}{}", words.has_copies ? "different " : "",
                        CountedText(estimate.units, Noun(words)));
  } else if (words.labels > estimate.given && estimate.mode == LabelMode::kPicked) {
    text += fmt::format("{} of {}", CountedText(words.labels, "label"),
                        CountedText(estimate.given, "different " + Noun(words)));
  } else {
    text += CountedText(estimate.given, drawn);
    if (words.has_copies) text += fmt::format(", over all different {}s", Noun(words));
  }
  if (estimate.is_hint() && estimate.given < estimate.units) text += ", too few for more than a hint";
  if (estimate.mode == LabelMode::kPicked) text += ", if they were picked blindly";
  return text;
}

std::string Estimated(const LabelWords& words, const DrawnEstimate& estimate) {
  const std::string whom = words.name.empty() ? std::string() : words.name + " ";
  const std::optional<Interval> interval = Cut(estimate.interval, 0, 1);
  const Points points(interval, 0);
  const Points plain(std::nullopt, 0);
  std::string text = fmt::format("Humans would give {}{}{}, {}; the judges gave {}{}.", whom,
                                 points.Text(std::clamp(*estimate.estimate, 0.0, 1.0)),
                                 IntervalText(interval, estimate.why, points), FromText(words, estimate),
                                 plain.Text(estimate.judge_mean.value_or(0)), BiasText(estimate));
  if (estimate.low_if && estimate.high_if) {
    text += fmt::format(" {} of {} {}: {} if none of them is met, {} if all are.", estimate.skipped,
                        estimate.drawn, estimate.skipped == 1 ? "was skipped" : "were skipped",
                        plain.Text(std::clamp(*estimate.low_if, 0.0, 1.0)),
                        plain.Text(std::clamp(*estimate.high_if, 0.0, 1.0)));
  }
  if (estimate.not_drawn > 0 && estimate.mode != LabelMode::kPicked) {
    text += fmt::format(" {} after a gap in the draw {} not used.", CountedText(estimate.not_drawn, "label"),
                        estimate.not_drawn == 1 ? "was" : "were");
  }
  if (estimate.should_label_all() && words.name.empty())
    text += fmt::format(" There are only {}: it is best to label them all.",
                        CountedText(estimate.units, Noun(words)));
  return text;
}

std::string NotLikeTheRest(const LabelWords& words, const DrawnEstimate& estimate, double labelled_mean) {
  const Points plain(std::nullopt, 0);
  const std::string whom = words.name.empty() ? std::string() : " of " + words.name;
  std::string text = fmt::format(
      "The judges gave the {}s{} of these {} a mean of {}, and all {}s a mean of {}. The numbers below hold "
      "for "
      "such {}s only.",
      Noun(words), whom, CountedText(words.labels, "label"), plain.Text(labelled_mean), Noun(words),
      plain.Text(estimate.judge_mean.value_or(0)), Noun(words));
  if (!words.draw_command.empty())
    text += fmt::format(" `{}` draws {}s that represent all of them.", words.draw_command, Noun(words));
  return text;
}

std::string TooFew(const LabelWords& words, const DrawnEstimate& estimate) {
  const std::string whom = words.name.empty() ? std::string() : " " + words.name;
  if (!words.name.empty() || estimate.not_drawn == 0)
    return fmt::format("{}: too few to say what humans would give{}.",
                       CountedText(words.labels, "drawn label"), whom);
  return fmt::format(
      "There is no estimate of what humans would give: the scores changed after the draw, and of {} only {} "
      "{} at its beginning.",
      CountedText(estimate.labels, "label"), estimate.drawn, estimate.drawn == 1 ? "is" : "are");
}

}  // namespace

std::string LabelSentence(const LabelWords& words, const DrawnEstimate& estimate) {
  const std::string whom = words.name.empty() ? std::string() : words.name + " ";
  std::string found_out;
  if (words.claims_draw && estimate.mode == LabelMode::kPicked && words.name.empty())
    found_out = "The file says that its labels were drawn, and they are not where the draw begins. ";
  switch (estimate.why) {
    case Why::kNotLikeTheRest:
      return found_out + NotLikeTheRest(words, estimate, estimate.labelled_judge_mean.value_or(0));
    case Why::kFewLabels:
      return TooFew(words, estimate);
    default:
      break;
  }
  if (!estimate.estimate)
    return fmt::format(
        "There is no estimate of what humans would give{}: no label says more than \"cannot tell\".",
        words.name.empty() ? std::string() : " " + words.name);
  return found_out + Estimated(words, estimate);
}

}  // namespace assay
