// Tests of the sentences about labels.
#include "statistics/decisions/label_sentences.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

DrawnEstimate Picked() {
  DrawnEstimate estimate{.mode = LabelMode::kPicked, .labels = 10, .given = 10, .units = 300};
  estimate.judge_mean = 0.72;
  estimate.estimate = 0.74;
  estimate.interval = Interval{0.5, 0.98};
  estimate.bias = 0.01;
  estimate.bias_interval = Interval{-0.1, 0.12};
  return estimate;
}

TEST_CASE("labels without a draw say that they have to be picked blindly") {
  DrawnEstimate estimate = Picked();
  CHECK(LabelSentence({.labels = 10}, estimate) ==
        "Humans would give 74 (95 %: 50 to 98), from 10 labels, if they were picked blindly; the judges gave "
        "72; they show no bias.");
  estimate.given = 9;
  estimate.bias = -0.06;
  estimate.bias_interval = Interval{-0.1, -0.02};
  CHECK(LabelSentence({.name = "m", .labels = 9}, estimate) ==
        "Humans would give m 74 (95 %: 50 to 98), from 9 labels, too few for more than a hint, if they were "
        "picked blindly; the judges gave 72; they give 6 points too little (95 %: 2 to 10).");
}

TEST_CASE("labels that are not like the rest say nothing of all answers") {
  DrawnEstimate estimate{.mode = LabelMode::kPicked, .labels = 16, .given = 16, .units = 148};
  estimate.why = Why::kNotLikeTheRest;
  estimate.judge_mean = 0.65;
  estimate.labelled_judge_mean = 0.13;
  LabelWords words{.draw_command = "assay calibrate latest --draw 60", .labels = 16};
  CHECK(LabelSentence(words, estimate) ==
        "The judges gave the answers of these 16 labels a mean of 13, and all answers a mean of 65. The "
        "numbers "
        "below hold for such answers only. `assay calibrate latest --draw 60` draws answers that represent "
        "all of "
        "them.");
  words.claims_draw = true;
  CHECK(LabelSentence(words, estimate)
            .starts_with("The file says that its labels were drawn, and they are not"));
}

TEST_CASE("drawn labels say how many there are, what was skipped, and where to label all") {
  DrawnEstimate estimate = Picked();
  estimate.mode = LabelMode::kDrawn;
  estimate.drawn = 12;
  estimate.skipped = 2;
  estimate.low_if = 0.68;
  estimate.high_if = 0.76;
  estimate.units = 48;
  estimate.not_drawn = 1;
  CHECK(LabelSentence({.labels = 12}, estimate) ==
        "Humans would give 74 (95 %: 50 to 98), from 10 drawn labels; the judges gave 72; they show no bias. "
        "2 of 12 were skipped: 68 if none of them is met, 76 if all are. 1 label after a gap in the draw was "
        "not "
        "used. There are only 48 answers: it is best to label them all.");
}

TEST_CASE("too few, and none") {
  DrawnEstimate few{.labels = 3, .drawn = 3, .given = 3, .units = 200};
  few.why = Why::kFewLabels;
  CHECK(LabelSentence({.labels = 3}, few) == "3 drawn labels: too few to say what humans would give.");
  CHECK(LabelSentence({.name = "m", .labels = 1}, few) ==
        "1 drawn label: too few to say what humans would give m.");
  few.labels = 20;
  few.not_drawn = 17;
  CHECK(LabelSentence({.labels = 20}, few) ==
        "There is no estimate of what humans would give: the scores changed after the draw, and of 20 labels "
        "only 3 are at its beginning.");
  CHECK(LabelSentence({}, {.why = Why::kNoLabel})
            .starts_with("There is no estimate of what humans would give: no label"));
}

}  // namespace
}  // namespace assay
