// The units of a run that people can label, each once however often it stands there, with what the judges
// gave them, and the strata that a draw takes them from.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/decide/labels/label_rows.h"
#include "spec/report/report.h"

namespace assay {

// Where an answer, or a point of it, stands in a run.
struct LabelKey {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  std::size_t check = 0;  // of a point; of a whole answer 0
  friend auto operator<=>(const LabelKey&, const LabelKey&) = default;
};

struct ReportUnit {
  DrawPlace place;
  LabelKey first;           // where it stands first
  std::uint64_t times = 0;  // how often
  std::set<VariantIndex> variants;
  std::uint32_t cluster = 0;
  UnitVotes scores;  // of whole answers: their scores; of points: the judges'
  UnitVotes judges;  // what each judge gave; of a whole answer the weighted mean of its verdicts
  std::uint32_t stratum = 0;
};

// What is collected: points of these kinds, or whole answers.
struct UnitsAsk {
  LabelUnit unit = LabelUnit::kAnswer;
  std::uint64_t seed = 0;
  std::set<std::string> kinds = {};  // of points: Check::kind
  std::set<LabelKey> wanted = {};    // whose units Find is to know
};

class LabelUnits {
 public:
  // Reads every cell with its words. Only scored answers and points are units.
  static Result<LabelUnits> Collect(const Report& report, UnitsAsk ask);

  const std::vector<ReportUnit>& units() const { return units_; }
  const Draw& draw() const { return draw_; }  // of one label: its strata and their orders are those of any
  // Null: there is none.
  const std::uint32_t* Find(const LabelKey& key) const;
  const std::uint32_t* FindPlace(std::uint64_t number) const;
  bool has_copies() const;
  // Of the units and the strata that they are in: the same while no score changes.
  std::string StrataDigest() const;
  // The units to label, in the order in which they are asked for.
  std::vector<std::uint32_t> Queue(std::uint64_t n) const;

 private:
  friend class UnitCollector;
  std::vector<DrawUnit> DrawUnitsOfAll() const;
  void Stratify();

  std::vector<ReportUnit> units_;
  std::map<LabelKey, std::uint32_t> by_key_;
  std::map<std::uint64_t, std::uint32_t> by_place_;
  Draw draw_;
};

// Check::kind of this check of a case; of an extracted key point kJudgeKind.
std::string KindOfPoint(const Suite& suite, CaseIndex case_index, std::size_t check);

}  // namespace assay
