// Walks over what a run holds, by the reads that every kind of store has.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/store.h"

namespace assay {

// The exchanges of cells that follow each other. Cells may name the same ones again and again: each is there
// once, as long as all of them take little.
class SharedExchanges {
 public:
  // `ids`: of all cells, in their order. Both must outlive it.
  SharedExchanges(Store& store, std::span<const ExchangeId> ids);
  // Those of the next cell, which has so many ids, in their order. kCorrupt: it has more than any cell.
  Result<std::vector<Exchange>> Next(std::size_t count);

 private:
  struct Shared {
    std::size_t uses_left = 0;
    bool is_here = false;
    SizedExchange read = {};
  };
  Status Read(std::size_t count);
  void DropAll();

  Store& store_;
  std::span<const ExchangeId> left_;
  std::unordered_map<ExchangeId, Shared> shared_;
  std::size_t bytes_here_ = 0;
};

// The ids of exchanges that cells name, each once. Cells may name the same ones again and again.
class NamedExchanges {
 public:
  void Add(std::span<const StepLink> steps);
  std::vector<ExchangeId> Take();  // ascending

 private:
  void KeepEachOnce();

  std::vector<ExchangeId> ids_;
  std::size_t sort_at_ = 2'000'000;  // ids
};

// Those of one cell.
Result<std::vector<Exchange>> ExchangesOfCell(Store& store, std::span<const ExchangeId> ids);

// Store::VisitAnswered, by VisitCells and GetSome.
Status VisitCellsAnswered(Store& store, const std::string& run_id, RunPart part, CellSpan span,
                          Store::LinkFilter wants, const Store::AnsweredVisitor& visit);

// What a visitor of answered cells keeps of them.
std::vector<Exchange> TakeAll(std::span<Exchange> exchanges);

// The usage of each exchange that the run itself used (RunPart::kRun), in the order of their ids.
Status VisitUsage(Store& store, const std::string& run_id,
                  const std::function<void(const StoredUsage&)>& visit);

}  // namespace assay
