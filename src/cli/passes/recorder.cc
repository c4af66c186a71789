// Writing a recording.
#include "cli/passes/recorder.h"

#include <filesystem>
#include <set>

#include "base/sink.h"
#include "spec/replay.h"

namespace assay {

namespace {

// Exchanges that were not written before, in the order in which the run used them.
std::vector<ExchangeId> NewOnes(const CellResult& cell, std::set<ExchangeId>& seen) {
  std::vector<ExchangeId> ids;
  for (const StepExchanges& step : cell.steps) {
    for (const ExchangeId id : step.exchanges) {
      if (seen.insert(id).second) ids.push_back(id);
    }
  }
  return ids;
}

}  // namespace

Status RecordRun(Store& store, const std::string& run_id, CellIndex cells, const std::string& path) {
  const std::filesystem::path target(path);
  // A sink overwrites nothing, but a recording is made to be made again.
  const std::string name = target.filename().string() + ".new";
  const std::filesystem::path complete = target.parent_path() / name;
  std::error_code error;
  std::filesystem::remove(complete, error);
  const std::string folder = target.parent_path().empty() ? "." : target.parent_path().string();
  const std::unique_ptr<Sink> sink = MakeDiskSink(folder);
  ASSAY_CHECK_OK(sink->Open(name));
  std::set<ExchangeId> seen;
  ASSAY_CHECK_OK(store.VisitCells(run_id, 0, cells, [&](const CellResult& cell) -> Status {
    ASSAY_TRY(std::vector<Exchange> exchanges, store.Get(NewOnes(cell, seen)));
    for (Exchange& exchange : exchanges) {
      ASSAY_TRY(exchange.request, store.RequestOf(exchange.id));
      ASSAY_CHECK_OK(sink->Write(ReplayLine(exchange)));
    }
    return Ok();
  }));
  ASSAY_CHECK_OK(sink->Close());
  std::filesystem::rename(complete, target, error);
  if (error) return Error{ErrorCode::kIo, "cannot replace " + path + ": " + error.message()};
  return Ok();
}

}  // namespace assay
