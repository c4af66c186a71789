// Tests of comparison: two variants, case by case.
#include "report/decide/comparison.h"

#include <doctest/doctest.h>

#include <cmath>

#include "spec/suite/suite.h"

namespace assay {
namespace {

Case AskedCase(std::string id, std::string prompt, std::string criterion) {
  Case the_case;
  the_case.id = std::move(id);
  the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = std::move(prompt), .span = {}}};
  the_case.checks.emplace_back().text = std::move(criterion);
  return the_case;
}

// One variant with one score a case.
struct OneRun {
  Suite suite;
  CaseScores scores;

  OneRun(std::vector<Case> cases, std::vector<double> values) {
    suite.cases = std::move(cases);
    scores.clusters = ClustersOf(suite.cases);
    scores.weights.assign(suite.cases.size(), 1);
    scores.range = ScoreRange{};
    Sample& sample = scores.samples.emplace_back();
    for (const double value : values) sample.Add(std::span(&value, 1));
  }
  Contender As(std::string name) const {
    return {.name = std::move(name), .suite = &suite, .scores = &scores};
  }
};

std::vector<Case> Numbered(std::size_t count) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < count; ++i)
    cases.push_back(AskedCase("c" + std::to_string(i), "prompt " + std::to_string(i), "says it"));
  return cases;
}

TEST_CASE("cases are the same by id and content; what does not pair is told") {
  const OneRun a({AskedCase("x", "1", "k"), AskedCase("y", "2", "k"), AskedCase("z", "3", "k"),
                  AskedCase("u", "4", "k")},
                 {1, 1, 1, 1});
  const OneRun b({AskedCase("z", "3", "other"), AskedCase("y", "two", "k"), AskedCase("x", "1", "k"),
                  AskedCase("v", "5", "k")},
                 {0, 0, 0, 0});
  const CasePairing whole = PairCases({a.suite}, {b.suite}, PairBy::kWholeCase);
  REQUIRE(whole.pairs.size() == 1);
  CHECK(whole.pairs[0].a == 0);
  CHECK(whole.pairs[0].b == 2);
  CHECK(whole.changed.size() == 2);
  CHECK(whole.only_a == std::vector<CaseIndex>{3});
  CHECK(whole.only_b == std::vector<CaseIndex>{3});
  const CasePairing question = PairCases({a.suite}, {b.suite}, PairBy::kQuestion);
  CHECK(question.pairs.size() == 2);
  CHECK(question.changed.size() == 1);
}

TEST_CASE("a file tells by digests whether its cases are the same, or nothing but the questions") {
  const OneRun a({AskedCase("x", "1", "k"), AskedCase("y", "2", "k"), AskedCase("z", "3", "k")}, {1, 1, 1});
  const OneRun file({AskedCase("x", "1", ""), AskedCase("y", "2", ""), AskedCase("z", "three", "k")},
                    {0, 0, 0});
  const std::vector<std::string> digests = {CaseDigest(a.suite.cases[0]), "another", ""};
  const CasePairing known = PairCases({a.suite}, {file.suite, digests}, PairBy::kWholeCase);
  REQUIRE(known.pairs.size() == 1);
  CHECK(known.pairs[0].a == 0);
  CHECK(known.by_question == 0);
  CHECK(known.changed.size() == 2);
  const std::vector<std::string> nothing(3);
  const CasePairing unknown = PairCases({a.suite}, {file.suite, nothing}, PairBy::kWholeCase);
  CHECK(unknown.pairs.size() == 2);
  CHECK(unknown.by_question == 2);
  CHECK(unknown.changed.size() == 1);  // another question
}

TEST_CASE("a difference comes with its interval, its flips and a sentence") {
  const OneRun a(Numbered(10), {.9, .8, 1, .7, .95, .6, .85, 1, .75, .9});
  const OneRun b(Numbered(10), {.7, .8, .9, .6, .9, .65, .7, .95, .6, .85});
  const std::vector<Contender> others = {b.As("B")};
  const std::vector<Comparison> comparisons = CompareWith(a.As("A"), others, PairBy::kWholeCase);
  REQUIRE(comparisons.size() == 1);
  CHECK(comparisons[0].sentence == "A leads B by 8 points (95 %: 3 to 13) on 10 cases.");
  CHECK(comparisons[0].verdict == Verdict::kLeads);
  CHECK(comparisons[0].flips.size() == 9);
  CHECK(comparisons[0].flips[0].at.a == 0);
}

TEST_CASE("pass rates are over the cases that both sides have a score for, like the means") {
  const double nan = std::nan("");
  const OneRun a(Numbered(5), {1, 1, 0, 1, nan});
  const OneRun b(Numbered(5), {1, 0, 0, nan, 1});
  const auto passes_of = [](const OneRun& run) {
    PassCounts counts(1);
    for (const CaseValue& value : run.scores.samples[0].cases)
      counts[0].push_back({.scored = value.scored, .passed = value.scored > 0 && value.value > 0 ? 1u : 0u});
    return counts;
  };
  const PassCounts a_passes = passes_of(a);
  const PassCounts b_passes = passes_of(b);
  Contender first = a.As("A");
  Contender other = b.As("B");
  const Comparison unknown = CompareWith(first, std::span(&other, 1), PairBy::kWholeCase).front();
  CHECK_FALSE(unknown.pass_rate_a);
  first.passes = &a_passes;
  other.passes = &b_passes;
  const Comparison known = CompareWith(first, std::span(&other, 1), PairBy::kWholeCase).front();
  REQUIRE(known.paired.cases == 3);
  CHECK(*known.pass_rate_a == doctest::Approx(2.0 / 3));
  CHECK(*known.pass_rate_b == doctest::Approx(1.0 / 3));
  CHECK(*known.pass_rate_a == doctest::Approx(*known.mean_a.mean));
}

TEST_CASE("several comparisons are corrected together") {
  const OneRun a(Numbered(10), {.9, .8, 1, .7, .95, .6, .85, 1, .75, .9});
  const OneRun b(Numbered(10), {.7, .8, .9, .6, .9, .65, .7, .95, .6, .85});
  const std::vector<Contender> others = {b.As("B"), b.As("C"), b.As("D")};
  const std::vector<Comparison> comparisons = CompareWith(a.As("A"), others, PairBy::kWholeCase);
  CHECK(comparisons[0].p == doctest::Approx(3 * 10.0 / 512));
  CHECK(comparisons[0].verdict == Verdict::kTie);  // alone it would lead
}

TEST_CASE("tags are compared by themselves") {
  std::vector<Case> cases = Numbered(4);
  cases[0].tags.edit() = {"easy", "easy"};
  cases[1].tags.edit() = {"easy"};
  cases[2].tags.edit() = {"hard"};
  const OneRun a(cases, {1, 1, 0, 0});
  const OneRun b(cases, {0, 1, 0, 0});
  const std::vector<Contender> others = {b.As("B")};
  const Comparison comparison = CompareWith(a.As("A"), others, PairBy::kWholeCase).front();
  REQUIRE(comparison.tags.size() == 2);
  CHECK(comparison.tags[0].tag == "easy");
  CHECK(comparison.tags[0].paired.cases == 2);
  CHECK(*comparison.tags[0].paired.difference == 0.5);
  CHECK(comparison.tags[1].paired.cases == 1);
}

}  // namespace
}  // namespace assay
