// Folds attempts into pairs while they stream by, and keeps the pairs of small runs in memory.
#include "spec/report/pair.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "spec/limits.h"
#include "spec/report/statistics.h"
#include "spec/score/graded_case.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

class PairFolder {
 public:
  enum class Folds { kAttempts, kEachAlone };
  PairFolder(const Suite& suite, const PairVisitor& visit, Folds folds = Folds::kAttempts)
      : suite_(suite), visit_(visit), folds_(folds), reducer_(FindReducer(suite.aggregation.reduce)) {}

  Status Add(const Cell& cell) {
    if (cell.state == CellState::kSkipped) return Ok();
    if (open_ && (pair_.case_index != cell.case_index || pair_.variant != cell.variant))
      ASSAY_CHECK_OK(Finish());
    if (!open_) Start(cell);
    if (!pair_.answered() && cell.record.transcript.error.empty()) Show(cell);
    Count(cell);
    if (cell.record.key_points == pair_.shown->key_points) AddPoints(cell.record.scores);
    return IsAlone(cell.case_index) ? Finish() : Ok();
  }

  Status Finish() {
    if (!open_) return Ok();
    open_ = false;
    for (const PointSum& sum : sums_) {
      pair_.points.push_back(sum.count > 0 ? std::optional<double>(sum.sum / sum.count) : std::nullopt);
    }
    return visit_(pair_);
  }

 private:
  struct PointSum {
    double sum = 0;
    double count = 0;
  };

  // No other attempt of its pair comes behind it.
  bool IsAlone(CaseIndex index) const {
    return folds_ == Folds::kEachAlone || suite_.cases[index].attempts.value_or(suite_.attempts) == 1;
  }

  void AddPoints(const std::vector<Score>& scores) {
    for (std::size_t i = 0; i < std::min(sums_.size(), scores.size()); ++i) {
      const Score& score = scores[i];
      if (score.state != ScoreState::kScored) continue;
      sums_[i].sum += score.max == 0 ? score.value : score.value / score.max;
      ++sums_[i].count;
    }
  }

  void Mark(const AttemptRecord& record) {
    if (!record.transcript.error.empty()) return;
    for (const Score& score : record.scores) {
      pair_.marks.point_errors += score.state == ScoreState::kError ? 1 : 0;
      pair_.marks.lost_votes += score.state == ScoreState::kScored && !score.error.empty() ? 1 : 0;
    }
    pair_.marks.no_answer += std::any_of(record.scores.begin(), record.scores.end(),
                                         [](const Score& score) { return score.found_nothing; })
                                 ? 1
                                 : 0;
    pair_.marks.cut += record.transcript.is_cut ? 1 : 0;
    pair_.marks.stood_in += record.transcript.answered_by.empty() ? 0 : 1;
  }

  void Count(const Cell& cell) {
    Mark(cell.record);
    if (cell.state == CellState::kScored) {
      pair_.values.push_back(cell.score);
      pair_.counted.push_back(cell.score);
      pair_.state = CellState::kScored;
    } else if (cell.state == CellState::kPartial) {
      ++pair_.partial;
      pair_.missing += cell.record.MissingPoints();
      if (cell.partial_score) pair_.counted.push_back(*cell.partial_score);
      if (pair_.state != CellState::kScored) pair_.state = CellState::kPartial;
    }
  }

  void Start(const Cell& cell) {
    open_ = true;
    pair_ = Pair{};
    pair_.case_index = cell.case_index;
    pair_.variant = cell.variant;
    pair_.reducer = reducer_;
    Show(cell);
  }

  void Show(const Cell& cell) {
    pair_.shown =
        IsAlone(cell.case_index) ? Lent<AttemptRecord>::Of(cell.record) : Lent<AttemptRecord>(cell.record);
    const std::vector<std::string>& key_points = cell.record.key_points;
    const Case& the_case = suite_.cases[cell.case_index];
    if (!key_points.empty()) pair_.case_with_key_points = GradedCaseOf(the_case, key_points);
    // Only attempts without an answer came before, so nothing is summed yet.
    sums_.assign(key_points.empty() ? the_case.checks.size() : key_points.size(), PointSum{});
    if (pair_.state != CellState::kScored && pair_.state != CellState::kPartial) pair_.state = cell.state;
  }

  // Pairs of one case nearly always share their key points.
  std::shared_ptr<const Case> GradedCaseOf(const Case& the_case, const std::vector<std::string>& key_points) {
    if (last_graded_ == nullptr || key_points != last_key_points_) {
      last_graded_ = std::make_shared<const Case>(WithKeyPoints(the_case, key_points));
      last_key_points_ = key_points;
    }
    return last_graded_;
  }

  const Suite& suite_;
  const PairVisitor& visit_;
  Folds folds_;
  std::optional<Reducer> reducer_;
  std::shared_ptr<const Case> last_graded_;
  std::vector<std::string> last_key_points_;
  Pair pair_;
  std::vector<PointSum> sums_;
  bool open_ = false;
};

std::optional<double> ReducedOrNothing(const std::vector<double>& values,
                                       const std::optional<Reducer>& reducer) {
  if (values.empty()) return std::nullopt;
  return reducer ? (*reducer)(values).value : Mean(values);
}

// What a value holds beside itself, about.
std::size_t BytesOf(const Value& value) {
  constexpr std::size_t kNode = sizeof(Value);
  std::size_t bytes = kNode;
  if (value.is_string()) bytes += value.AsString().size();
  if (value.is_list()) {
    for (const Value& item : value.AsList()) bytes += BytesOf(item);
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap())
      bytes += sizeof(Member) + member.key.size() + BytesOf(member.value);
  }
  return bytes;
}

std::size_t BytesOf(const Pair& pair) {
  std::size_t bytes = sizeof(Pair) + (pair.values.size() + pair.counted.size()) * sizeof(double) +
                      pair.points.size() * sizeof(std::optional<double>) + BytesOf(pair.shown->details);
  const Transcript& transcript = pair.shown->transcript;
  bytes += transcript.answer.size() + transcript.error.size();
  if (transcript.system) bytes += transcript.system->size();
  for (const Message& message : transcript.history) bytes += sizeof(Message) + message.text.size();
  for (const std::string& text : transcript.generated_texts) bytes += sizeof text + text.size();
  for (const std::string& text : transcript.generated_reasoning) bytes += sizeof text + text.size();
  for (const Value& citation : transcript.citations) bytes += BytesOf(citation);
  for (const Score& score : pair.shown->scores) {
    bytes += sizeof(Score) + score.explanation.size() + score.error.size() + score.grader.size() +
             BytesOf(score.answer) + BytesOf(score.remark);
    for (const ScoreItem& item : score.items) {
      bytes += sizeof item + item.wanted.size() + item.found.size() + item.sentence.size() +
               item.program.size() + item.given.value_or("").size() + item.against.size() +
               item.measures.size() * sizeof(Measure);
    }
    for (const Evidence& voice : score.evidence) {
      bytes += sizeof(Evidence) + voice.source.size() + voice.text.size();
    }
  }
  for (const std::string& point : pair.shown->key_points) bytes += sizeof point + point.size();
  for (const Value& event : transcript.told.events) bytes += BytesOf(event);
  for (const ToolCall& call : transcript.told.tool_calls) bytes += sizeof call + call.arguments.size();
  bytes += BytesOf(transcript.told.details);
  return bytes;
}

// The pairs of one case on their way into the memo; gives up once they alone would fill it.
class PairCollector {
 public:
  explicit PairCollector(bool wanted) : complete_(wanted) {}
  void Add(const Pair& pair) {
    if (!complete_) return;
    bytes_ += BytesOf(pair);
    complete_ = bytes_ <= limits::kPairMemoBytesMax;
    if (complete_) pairs_.push_back(pair);
  }
  bool complete() const { return complete_; }
  std::size_t bytes() const { return bytes_; }
  std::vector<Pair> Take() { return std::move(pairs_); }

 private:
  bool complete_;
  std::size_t bytes_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace

PairMarks& PairMarks::operator+=(const PairMarks& other) {
  point_errors += other.point_errors;
  lost_votes += other.lost_votes;
  cut += other.cut;
  no_answer += other.no_answer;
  stood_in += other.stood_in;
  return *this;
}

const Case& Pair::GradedCase(const Suite& suite) const {
  return case_with_key_points ? *case_with_key_points : suite.cases[case_index];
}

std::optional<double> Pair::mean() const { return ReducedOrNothing(values, reducer); }
std::optional<double> Pair::counted_mean() const { return ReducedOrNothing(counted, reducer); }

const std::vector<Pair>* PairMemo::Find(CaseIndex case_index, CellParts parts) const {
  const auto found = cases_.find(case_index);
  return found != cases_.end() && found->second.parts >= parts ? &found->second.pairs : nullptr;
}

void PairMemo::Keep(CaseIndex case_index, CellParts parts, std::vector<Pair> pairs, std::size_t bytes) {
  CachedCase& kept = cases_[case_index];
  bytes_ += bytes - kept.bytes;
  if (bytes_ > limits::kPairMemoBytesMax) {
    full_ = true;
    bytes_ -= bytes;
    cases_.erase(case_index);
    return;
  }
  kept = {.parts = parts, .pairs = std::move(pairs), .bytes = bytes};
}

std::shared_ptr<PairMemo> PairMemoOf(const Suite& suite) {
  const std::uint64_t pairs = std::uint64_t{suite.cases.size()} * suite.variants.size();
  return pairs > limits::kArtefactPairsMax ? nullptr : std::make_shared<PairMemo>();
}

Status ForEachPairOf(const Report& report, CaseIndex case_index, CellParts parts, const PairVisitor& visit) {
  return ForEachPairOf(report, case_index, case_index + 1, parts, visit);
}

namespace {

const std::vector<Pair>* Remembered(const Report& report, CaseIndex case_index, CellParts parts) {
  return report.pairs != nullptr ? report.pairs->Find(case_index, parts) : nullptr;
}

// Reads them in one walk, and remembers what fits.
Status ReadPairsOf(const Report& report, const CellRange& cases, CellParts parts, const PairVisitor& visit) {
  const auto new_collector = [&report] {
    return PairCollector(report.pairs != nullptr && !report.pairs->full());
  };
  PairCollector collector = new_collector();
  CaseIndex open = cases.first_case;
  const auto keep_until = [&](CaseIndex next) {
    for (; open < next; ++open) {
      if (collector.complete()) report.pairs->Keep(open, parts, collector.Take(), collector.bytes());
      collector = new_collector();
    }
  };
  const PairVisitor collecting = [&](const Pair& pair) -> Status {
    keep_until(pair.case_index);
    ASSAY_CHECK_OK(visit(pair));
    collector.Add(pair);
    return Ok();
  };
  ASSAY_CHECK_OK(ForEachPairIn(report, cases, parts, collecting));
  keep_until(cases.last_case);
  return Ok();
}

}  // namespace

Status ForEachPairOf(const Report& report, CaseIndex first, CaseIndex last, CellParts parts,
                     const PairVisitor& visit) {
  for (CaseIndex at = first; at < last;) {
    if (const std::vector<Pair>* pairs = Remembered(report, at, parts)) {
      for (const Pair& pair : *pairs) ASSAY_CHECK_OK(visit(pair));
      ++at;
      continue;
    }
    CellRange cases = CellRange::OfCase(at);
    while (cases.last_case < last && Remembered(report, cases.last_case, parts) == nullptr) ++cases.last_case;
    ASSAY_CHECK_OK(ReadPairsOf(report, cases, parts, visit));
    at = cases.last_case;
  }
  return Ok();
}

Status ForEachPairIn(const Report& report, const CellRange& range, CellParts parts,
                     const PairVisitor& visit) {
  PairFolder folder(*report.suite, visit);
  ASSAY_CHECK_OK(report.for_each_cell(range, parts, [&](const Cell& cell) { return folder.Add(cell); }));
  return folder.Finish();
}

Status ForEachAttemptIn(const Report& report, const CellRange& range, CellParts parts,
                        const AttemptVisitor& visit) {
  AttemptIndex attempt = 0;
  const PairVisitor visit_alone = [&](const Pair& pair) { return visit(attempt, pair); };
  PairFolder folder(*report.suite, visit_alone, PairFolder::Folds::kEachAlone);
  return report.for_each_cell(range, parts, [&](const Cell& cell) -> Status {
    attempt = cell.attempt;
    return folder.Add(cell);
  });
}

Status ForEachExchangedIn(const Report& report, const CellRange& range, const ExchangedVisitor& visit) {
  const Exchanged* exchanged = nullptr;
  AttemptIndex attempt = 0;
  const PairVisitor visit_alone = [&](const Pair& pair) { return visit(attempt, pair, *exchanged); };
  PairFolder folder(*report.suite, visit_alone, PairFolder::Folds::kEachAlone);
  const auto add = [&](const Cell& cell, const Exchanged& of_cell) -> Status {
    attempt = cell.attempt;
    exchanged = &of_cell;
    return folder.Add(cell);
  };
  if (report.for_each_attempt != nullptr) return report.for_each_attempt(range, add);
  return report.for_each_cell(range, CellParts::kAll,
                              [&add](const Cell& cell) { return add(cell, Exchanged()); });
}

}  // namespace assay
