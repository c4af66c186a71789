// Walks the cells of a run in plan order and writes each exchange once.
#include "engine/run/recorder.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files/sink.h"
#include "engine/write/written_files.h"
#include "spec/exchange/replay.h"
#include "spec/suite/suite.h"
#include "store/run_walks.h"

namespace assay {

namespace {

// Errors of a step of which another question followed: some other model was asked it.
std::set<ExchangeId> StoodInFor(const CellResult& cell, const std::vector<Exchange>& exchanges) {
  std::set<ExchangeId> ids;
  for (const Exchange& exchange : exchanges) {
    if (!exchange.error || exchange.role != RequestRole::kCandidate) continue;
    for (const StepLink& step : cell.steps) {
      const auto found = std::find(step.exchanges.begin(), step.exchanges.end(), exchange.id);
      if (found != step.exchanges.end() && found + 1 != step.exchanges.end()) ids.insert(exchange.id);
    }
  }
  return ids;
}

// What addresses led to: nobody else could say.
Status WriteFetched(Store& store, const std::string& run_id, Sink& sink) {
  ASSAY_TRY(const RunRecord run, store.FindRun(run_id));
  if (!run.suite) return Ok();
  ASSAY_TRY(const Suite suite, store.LoadSuite(*run.suite));
  std::set<std::string> written;
  for (const Case& the_case : suite.cases) {
    for (const Turn& turn : the_case.turns) {
      for (const MediaPart& part : *turn.media) {
        if (part.address.empty() || !written.insert(part.address).second) continue;
        ASSAY_TRY(const std::shared_ptr<const Blob> blob, store.BlobOf(part.sha256));
        if (blob == nullptr) continue;
        ASSAY_CHECK_OK(sink.Write(ReplayFetchedLine(part.address, part.sha256, blob->bytes)));
      }
    }
  }
  return Ok();
}

}  // namespace

Status RecordRun(Store& store, const std::string& run_id, const std::string& path,
                 const PromptClock& prompts) {
  const std::filesystem::path target(path);
  // A recording is made to be made again.
  WrittenFiles file(target.parent_path().string(), Existing::kReplace);
  ASSAY_CHECK_OK(file.Open(target.filename().string()));
  ASSAY_CHECK_OK(file.Write(ReplayClockLine(prompts)));
  ASSAY_CHECK_OK(WriteFetched(store, run_id, file));
  std::set<ExchangeId> seen;
  const auto record = [&](const CellResult& cell, std::span<Exchange> asked) -> Status {
    std::vector<Exchange> exchanges = TakeAll(asked);
    std::erase_if(exchanges, [&seen](const Exchange& each) { return !seen.insert(each.id).second; });
    const std::set<ExchangeId> stood_in_for = StoodInFor(cell, exchanges);
    for (Exchange& exchange : exchanges) {
      ASSAY_TRY(exchange.request, store.RequestOf(exchange.id));
      const bool was_stood_in_for = stood_in_for.count(exchange.id) == 1;
      ASSAY_CHECK_OK(file.Write(was_stood_in_for ? ReplayFailureLine(exchange) : ReplayLine(exchange)));
    }
    return Ok();
  };
  for (const RunPart part : {RunPart::kRun, RunPart::kClosing, RunPart::kOpening})
    ASSAY_CHECK_OK(store.VisitAnswered(run_id, part, kEveryCell, nullptr, record));
  return file.Close();
}

Status RecordHeld(std::span<const Exchange> held, const std::string& name) {
  const std::unique_ptr<Sink> sink =
      MakeDiskSink(".", Durability::kSynced, Temporary::kUnnamed, ReadableBy::kOnlyOwner);
  ASSAY_CHECK_OK(sink->Open(name));
  for (const Exchange& exchange : held) ASSAY_CHECK_OK(sink->Write(ReplayLine(exchange)));
  return sink->Close();
}

}  // namespace assay
