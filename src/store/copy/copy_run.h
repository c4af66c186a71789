// Copies a run with all that it used from one store to another, of whatever kinds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "store/store.h"

namespace assay {

struct CopyCounts {
  std::uint64_t runs = 0;             // that were copied
  std::uint64_t runs_there = 0;       // finished ones that were there already
  std::uint64_t exchanges = 0;        // that were copied
  std::uint64_t exchanges_there = 0;  // that were there already
  std::uint64_t cells = 0;
};

// Runs of one store that are copied to another, one after the other, oldest first.
class RunCopier {
 public:
  // What a case counts in the mean of a variant: a column of its cells.
  using WeightOf = double (*)(const Case& the_case);

  // Whether a run of the other store keeps all that it has: this one has its id, but is not of its maker.
  using IsKept = std::function<bool(const RunRecord& here, const RunRecord& there)>;

  // Both stores outlive it; `now_ms`: wall clock.
  RunCopier(
      Store& from, Store& to, WeightOf weight_of, std::int64_t now_ms,
      IsKept is_kept = [](const RunRecord&, const RunRecord&) { return false; })
      : from_(from), to_(to), weight_of_(weight_of), now_ms_(now_ms), is_kept_(std::move(is_kept)) {}

  // A finished run that is there stays as it is; an unfinished one gets what it lacks, unless it is kept. An
  // answer to what the other store has answered in another way is kept as evidence of its run, and answers no
  // other. A run whose cells are another's brings that one along, and is not copied if that one is not.
  Status Copy(const RunRecord& run);
  const CopyCounts& counts() const { return counts_; }
  // The ids of runs that were not copied, because another maker's run of that id is there or would lend its
  // cells.
  const std::vector<std::string>& kept() const { return kept_; }
  // What was not there before: exchanges by their ids here and there, runs by their ids.
  const std::vector<std::pair<ExchangeId, ExchangeId>>& copied() const { return copied_; }
  const std::vector<std::string>& begun() const { return begun_; }

 private:
  // A sitting in the other store that writes down what was copied.
  struct Sitting {
    SittingId id = 0;
    std::uint64_t commits = 0;
  };
  Result<std::vector<Exchange>> Commit(Sitting& sitting, SittingWork work);
  Result<const RunRecord*> OwnerOfCells(const RunRecord& run);
  Result<std::int64_t> NumberThere(const RunRecord& run);
  // A run of the other store.
  struct There {
    RunState state = RunState::kUnfinished;
    std::optional<RunRecord> before;  // as it was before the first copy; absent: it was not there
  };
  Status ReadThere();
  bool IsKeptThere(const RunRecord& run) const;
  Status Begin(const RunRecord& run);
  Result<std::shared_ptr<const Suite>> CopySuite(const Digest& digest);
  Status CopyPart(const RunRecord& run, const Suite* suite, RunPart part);
  Status CopyExchanges(Sitting& sitting, const std::vector<ExchangeId>& ids);
  Status Keep(Sitting& sitting, std::vector<Exchange> missing);
  Status CopySome(Sitting& sitting, std::vector<SizedExchange> exchanges);

  Store& from_;
  Store& to_;
  const WeightOf weight_of_;
  const std::int64_t now_ms_;
  const IsKept is_kept_;
  CopyCounts counts_;
  std::shared_ptr<const Suite> suite_;  // that was copied last
  Digest suite_digest_{};
  Digest suite_digest_there_{};  // of its text as this program writes it
  // Read once: a store may have thousands of runs.
  std::optional<std::vector<RunRecord>> here_;
  std::optional<std::map<std::string, There>> there_;   // by the id of the run
  std::map<std::int64_t, std::int64_t> numbers_there_;  // of runs whose cells others have
  std::map<ExchangeId, ExchangeId> ids_;                // where exchanges lie in the other store
  std::vector<std::pair<ExchangeId, ExchangeId>> copied_;
  std::vector<std::string> begun_;
  std::vector<std::string> kept_;
};

}  // namespace assay
