// Pair: all attempts of one variant at one case, folded into what reports show: one answer and mean scores.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/errors/result.h"
#include "base/lent.h"
#include "spec/report/reduce.h"
#include "spec/report/report.h"

namespace assay {

// What a reader of a score should know of the answers behind it, over all attempts.
struct PairMarks {
  std::uint32_t point_errors = 0;  // points that are errors
  std::uint32_t lost_votes = 0;    // points that have a score though a judge gave none
  std::uint32_t cut = 0;           // answers that ended at their limit of tokens
  std::uint32_t stood_in = 0;      // answers of a model that stood in
  std::uint32_t no_answer = 0;     // answers without a part that a function grades

  PairMarks& operator+=(const PairMarks& other);
};

struct Pair {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  // kScored if any attempt is, else kPartial if any is, else that of the attempt that is shown.
  CellState state = CellState::kSkipped;
  // Of the first attempt with an answer, else of the first. As long as a visit lasts; a copy keeps it.
  Lent<AttemptRecord> shown;
  std::vector<double> values;  // scores of the scored attempts, in order
  // The same with what partial attempts have: for files of a format whose own tools count those.
  std::vector<double> counted;
  std::uint32_t partial = 0;  // attempts that are
  std::size_t missing = 0;    // their points without a verdict
  PairMarks marks;
  std::vector<std::optional<double>>
      points;  // per check of the case: mean share of its maximum over the attempts that have a value
  std::shared_ptr<const Case> case_with_key_points;  // where `shown` was graded by key points, else null
  // The case whose checks the scores of `shown` are.
  const Case& GradedCase(const Suite& suite) const;
  bool answered() const { return shown->transcript.error.empty(); }
  std::optional<Reducer> reducer;              // the suite's; the mean if it names none
  std::optional<double> mean() const;          // what `values` are reduced to
  std::optional<double> counted_mean() const;  // what `counted` are reduced to
};

// The pairs of the first cases of a report, remembered between walks up to limits::kPairMemoBytesMax. One
// thread.
class PairMemo {
 public:
  // The pairs of the case, or null if they were not kept with all that `parts` asks for.
  const std::vector<Pair>* Find(CaseIndex case_index, CellParts parts) const;
  // Takes what fits and drops the rest; `bytes` is what the pairs hold, about.
  void Keep(CaseIndex case_index, CellParts parts, std::vector<Pair> pairs, std::size_t bytes);
  bool full() const { return full_; }

 private:
  struct CachedCase {
    CellParts parts = CellParts::kScores;
    std::vector<Pair> pairs;
    std::size_t bytes = 0;
  };
  std::unordered_map<CaseIndex, CachedCase> cases_;
  std::size_t bytes_ = 0;
  bool full_ = false;
};

// A memo for the pairs of the suite; null where there are more than get small files of their own, since
// nobody else who writes a run's files walks over them twice.
std::shared_ptr<PairMemo> PairMemoOf(const Suite& suite);

// `parts` is kScores where Pair::shown needs no transcript, else kShown.
// Calls `visit` for the pairs of one case in plan order; attempts that were skipped are left out, and so are
// pairs without any other. Holds one pair at a time.
using PairVisitor = std::function<Status(const Pair&)>;
Status ForEachPairOf(const Report& report, CaseIndex case_index, CellParts parts, const PairVisitor& visit);
// The same of cases that follow each other: those that are not remembered are read in one walk.
Status ForEachPairOf(const Report& report, CaseIndex first, CaseIndex last, CellParts parts,
                     const PairVisitor& visit);
// The pairs of a range in its order; remembers nothing.
Status ForEachPairIn(const Report& report, const CellRange& range, CellParts parts, const PairVisitor& visit);
// Every attempt of a range as a pair of its own, in its order; skipped ones are left out.
using AttemptVisitor = std::function<Status(AttemptIndex, const Pair&)>;
Status ForEachAttemptIn(const Report& report, const CellRange& range, CellParts parts,
                        const AttemptVisitor& visit);
// The same with what was exchanged for each; nothing where the report does not know.
using ExchangedVisitor = std::function<Status(AttemptIndex, const Pair&, const Exchanged&)>;
Status ForEachExchangedIn(const Report& report, const CellRange& range, const ExchangedVisitor& visit);

}  // namespace assay
