// Tests of agreement with labels: bands, distances, and which judge is nearest.
#include "statistics/agreement/label_agreement.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

std::vector<LabelledVote> Votes(const std::vector<double>& labels, const std::vector<double>& judge) {
  std::vector<LabelledVote> votes;
  for (std::uint32_t i = 0; i < labels.size(); ++i)
    votes.push_back({.unit = i, .label = labels[i], .judge = judge[i], .cluster = i});
  return votes;
}

TEST_CASE("a limit belongs to the band above it") {
  CHECK(LabelBandOf(0.2499) == 0);
  CHECK(LabelBandOf(0.1 + 0.15) == 1);
  CHECK(LabelBandOf(0.7) == 1);
  CHECK(LabelBandOf(0.75) == 2);
}

TEST_CASE("labels against one judge") {
  const LabelAgreement agreement = AgreementWithLabels(Votes({0, 0, 0.5, 1}, {0, 0.5, 0.5, 1}));
  CHECK(agreement.labels == 4);
  CHECK(agreement.same == 0.75);
  CHECK(agreement.distance == 0.125);
  CHECK(agreement.bias == 0.125);
  CHECK(agreement.confusion == ConfusionTable{{{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}});
  CHECK(*agreement.alpha.alpha > 0.5);
  CHECK(AgreementWithLabels({}).labels == 0);
}

TEST_CASE("the nearest judge, on what all of them judged") {
  const std::vector<double> labels = {0, 0, 1, 1, 0, 1, 0, 1};
  std::vector<std::vector<LabelledVote>> judges = {Votes(labels, {1, 1, 1, 1, 1, 1, 1, 1}),
                                                   Votes(labels, {0, 0, 1, 1, 0, 1, 0, 0.5})};
  judges[0].push_back({.unit = 99, .label = 1, .judge = 1, .cluster = 99});  // the other did not see it
  const std::optional<NearestJudge> nearest = NearestToLabels(judges);
  REQUIRE(nearest);
  CHECK(nearest->judge == 1);
  CHECK(nearest->next == 0);
  CHECK(nearest->labels == 8);
  CHECK(nearest->distance == 0.0625);
  CHECK(nearest->next_distance == 0.5);
  CHECK_FALSE(nearest->is_shown);  // 0.4375 ± 0.44
  CHECK_FALSE(NearestToLabels(std::span(judges).first(1)));
}

}  // namespace
}  // namespace assay
