// Walks over what a run holds, by the reads that every kind of store has.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/store.h"

namespace assay {

// Store::VisitAnswered, by VisitCells and Get.
Status VisitCellsAnswered(Store& store, const std::string& run_id, RunPart part, CellSpan span,
                          Store::LinkFilter wants, const Store::AnsweredVisitor& visit);

// What a visitor of answered cells keeps of them.
std::vector<Exchange> TakeAll(std::span<Exchange> exchanges);

// The usage of each exchange that the run itself used (RunPart::kRun), in the order of their ids.
Status VisitUsage(Store& store, const std::string& run_id,
                  const std::function<void(const StoredUsage&)>& visit);

}  // namespace assay
