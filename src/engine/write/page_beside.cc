// One worker, which writes into spools what a run exports unasked.
#include "engine/write/page_beside.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/spool.h"
#include "base/thread_name.h"
#include "engine/write/closing.h"
#include "plan/answers/retelling.h"
#include "report/fold/fold.h"
#include "run/executor/worker_pool.h"

namespace assay {

namespace {

constexpr CellIndex kCellsMin = 2'000;  // of fewer a connection costs more than it brings

// Files that wait for their place.
class SpooledFiles final : public Sink {
 public:
  Status Open(std::string_view path) override {
    files_.emplace_back(std::string(path), std::make_unique<Spool>());
    return Ok();
  }
  Status Write(std::string_view bytes) override { return files_.back().second->Write(bytes); }
  Status Close() override { return Ok(); }

  Status WriteTo(Sink& sink) const {
    for (const auto& [path, spool] : files_) {
      ASSAY_CHECK_OK(sink.Open(path));
      ASSAY_CHECK_OK(spool->Read([&sink](std::string_view bytes) { return sink.Write(bytes); }));
      ASSAY_CHECK_OK(sink.Close());
    }
    return Ok();
  }

 private:
  std::vector<std::pair<std::string, std::unique_ptr<Spool>>> files_;
};

}  // namespace

class PageBeside::Work {
 public:
  Work(std::unique_ptr<Store> store, Report report, const ExportAsk& ask)
      : store_(std::move(store)), report_(std::move(report)), ask_(ask) {
    worker_.emplace(1);
    worker_->Submit([this](WorkerState&) { made_ = Make(); });
  }

  bool IsMade() {
    worker_.reset();  // once it is done
    return made_.has_value();
  }
  Status WriteTo(Sink& sink) const { return files_.WriteTo(sink); }

 private:
  Status Make() {
    NameThread("page");
    ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store_->BeginReading());
    return ExportUnasked(report_, ask_, files_);
  }

  std::unique_ptr<Store> store_;
  Report report_;
  ExportAsk ask_;
  SpooledFiles files_;
  Status made_ = Ok();
  std::optional<WorkerPool> worker_;  // of one thread
};

PageBeside::PageBeside(std::unique_ptr<Work> work) : work_(std::move(work)) {}
PageBeside::~PageBeside() = default;

std::unique_ptr<PageBeside> PageBeside::Begin(const RunWorld& world, const Ran& ran, const Report& report,
                                              const ExportAsk& ask) {
  if (ask.record == nullptr || ask.record->cells < kCellsMin || ran.resumed || !world.open_reader)
    return nullptr;
  Result<std::unique_ptr<Store>> store = world.open_reader();
  if (!store) return nullptr;
  (*store)->ReadInPassing(true);
  Retelling retelling = RetellingOf(ask.record->generators);
  retelling.price = PricesBy(world.models);
  Result<Report> beside = ReadThrough(report, **store, *ask.record, std::move(retelling));
  if (!beside) return nullptr;
  return std::make_unique<PageBeside>(std::make_unique<Work>(*std::move(store), *std::move(beside), ask));
}

bool PageBeside::IsMade() { return work_->IsMade(); }

Status PageBeside::WriteTo(Sink& sink) { return work_->WriteTo(sink); }

}  // namespace assay
