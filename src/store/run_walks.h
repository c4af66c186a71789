// Store::VisitAnswered of every kind of store, by its VisitCells and Get.
#pragma once

#include <string>

#include "store/store.h"

namespace assay {

Status VisitCellsAnswered(Store& store, const std::string& run_id, RunPart part, CellSpan span,
                          Store::LinkFilter wants, const Store::AnsweredVisitor& visit);

}  // namespace assay
