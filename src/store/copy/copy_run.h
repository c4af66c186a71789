// Copies a run with all that it used from one store to another, of whatever kinds.
#pragma once

#include <cstdint>
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

  // Both stores outlive it; `now_ms`: wall clock.
  RunCopier(Store& from, Store& to, WeightOf weight_of, std::int64_t now_ms)
      : from_(from), to_(to), weight_of_(weight_of), now_ms_(now_ms) {}

  // A finished run that is there stays as it is; an unfinished one gets what it lacks. An answer to what the
  // other store has answered in another way is kept as evidence of its run, and answers no other. A run whose
  // cells are another's brings that one along.
  Status Copy(const RunRecord& run);
  const CopyCounts& counts() const { return counts_; }
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
  Result<std::int64_t> NumberThere(std::int64_t number);
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
  CopyCounts counts_;
  std::shared_ptr<const Suite> suite_;  // that was copied last
  Digest suite_digest_{};
  Digest suite_digest_there_{};  // of its text as this program writes it
  // Read once: a store may have thousands of runs.
  std::optional<std::vector<RunRecord>> here_;
  std::optional<std::map<std::string, RunState>> states_there_;  // by the id of the run
  std::map<std::int64_t, std::int64_t> numbers_there_;           // of runs whose cells others have
  std::map<ExchangeId, ExchangeId> ids_;                         // where exchanges lie in the other store
  std::vector<std::pair<ExchangeId, ExchangeId>> copied_;
  std::vector<std::string> begun_;
};

}  // namespace assay
