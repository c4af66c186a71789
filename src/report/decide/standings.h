// Standings: of each variant of a run the ranks that it may hold, by its scores. Every error is taken over
// cases (or clusters of them), since the case is what was drawn from the world (spec: statistics 2 and 7).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/cell_gatherer.h"
#include "spec/report/reduce.h"
#include "spec/report/report.h"
#include "statistics/decisions/rank.h"
#include "statistics/sample.h"

namespace assay {

// The scores of one or more variants, aligned by case, with what holds for all of them.
struct CaseScores {
  std::vector<Sample> samples;  // by variant of the suite
  // Where the suite makes another value than the mean of several attempts: the same of their means; else
  // empty.
  std::vector<Sample> plain = {};
  // Scores that are more than the whole of their case, and count as 1: a check gave more than its total.
  std::uint64_t above_whole = 0;
  std::string title = "mean";   // what a case's value is: "best of 10"
  std::vector<double> weights;  // by case, and so are the clusters
  std::vector<std::uint32_t> clusters;
  std::optional<ScoreRange> range;
  // Of a result file: what it tells of each case's content (CaseDigest), "" where it tells nothing. Empty:
  // the suite itself is there.
  std::vector<std::string> digests = {};

  bool is_reduced() const { return !plain.empty(); }
  Design design() const { return {.weights = weights, .clusters = clusters, .range = range}; }  // borrows
};

// Gathers the attempts of one case, variant by variant.
class ScoreGatherer final : public CellGatherer {
 public:
  explicit ScoreGatherer(const Suite& suite);  // outlives it, and CanReduce
  CellParts parts() const override { return CellParts::kOutcome; }
  Status Add(const Cell& cell) override;
  CaseScores Finish();  // once, after the last cell

 private:
  void Close();
  double Counted(const Cell& cell);

  const Suite& suite_;
  Reducer reduce_;
  bool is_share_ = false;  // no score counts for more than 1 where the case does not say so
  CaseScores scores_;
  CaseIndex case_index_ = 0;
  std::vector<std::vector<double>> open_;  // by variant: the scored attempts of the open case
};

// A cell's score as its case counts it: shares of a total end at 1, unless the case says otherwise.
double CountedScore(const Suite& suite, CaseIndex case_index, double score);

// What the scored attempts of a case come to, in their order.
CaseValue ValueOfCase(const Reducer& reduce, std::span<const double> attempts);

// What tables call a case's value: "mean", or "best of 10" where the suite's reducer takes the best of its
// attempts. The suite CanReduce.
std::string ValueTitleOf(const Suite& suite);

// kCorrupt: the suite names no way to make one score of several attempts.
Status CanReduce(const Suite& suite);

// One value for each case and variant: the mean of its scored attempts, or what the suite's reducer makes of
// them. Reads scores only.
Result<CaseScores> CaseScoresOf(const Report& report);

// The cluster of each case, numbered from 0: by Case::cluster, or the case's turns where it names none.
std::vector<std::uint32_t> ClustersOf(const std::vector<Case>& cases);

// Which models the variants are of, by the names that the suite gives them. Each profile of a matrix is one.
struct Models {
  std::vector<std::string> names;   // in suite order, as the suite names them
  std::vector<std::string> spoken;  // the same as people are told them: by their labels, without repetition
  std::vector<std::size_t> of;      // by variant

  // Whether variants are models times parameters, so that there is something to say of models alone.
  bool AreTimesParameters() const { return names.size() > 1 && names.size() < of.size(); }
  std::vector<VariantNumber> VariantsOf(std::size_t model) const;
};
Models ModelsOf(const Suite& suite);
// What people are told of an id: without the provider's name where the user gave the address, since that
// says nothing then.
std::string_view SpokenId(std::string_view id);

// What follows from a run, in a sentence.
struct VerdictSentence {
  enum class About { kVariants, kModels };
  About about = About::kVariants;
  std::string text;
};

struct Standings {
  CaseScores scores;
  Ranking ranking;
  Models models;
  Ranking model_ranking;  // of models times parameters: a case's value is the mean over the model's variants
  std::vector<Sample> model_plain = {};  // of them, as CaseScores::plain; empty: there is none
  // Who leads by how much, and how many are not shown to differ. Of models times parameters one about the
  // models, and a second one about the variants if that says something else.
  std::vector<VerdictSentence> sentences;

  std::string verdict() const;  // the sentences as one text
};
// The sentence with the name of its values where they are no means: "… on 10 cases (best of 10)."
std::string WithValueName(std::string sentence, const CaseScores& scores);
Standings StandingsOf(const Suite& suite, CaseScores scores);
// The mean of all attempts of a variant, or of a model; nothing where the ranking itself is of means.
std::optional<double> PlainMeanOf(const CaseScores& scores, VariantNumber variant);
std::optional<double> PlainMeanOfModel(const Standings& standings, VariantNumber model);
Result<Standings> StandingsOf(const Report& report);

}  // namespace assay
