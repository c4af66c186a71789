// Names cases as the expansion does.
#include "dialects/blueprint/rows/wanted_rows.h"

#include "dialects/names.h"

namespace assay::blueprint {

WantedRows::WantedRows(const Map& prompt, const RunSpec& spec)
    : spec_(spec), missing_(spec.selected.begin(), spec.selected.end()) {
  const std::string& id = prompt.TextAt("id");
  if (!id.empty()) before_ = id + ".";
}

bool WantedRows::Selects(const RunSpec& spec) {
  return spec.limit || !spec.filter.empty() || !spec.selected.empty();
}

bool WantedRows::Takes(const dataset::Row& row) {
  const std::string id = before_ + row.id;
  missing_.erase(id);
  if (!IsChosen(spec_.selected, spec_.filter, id)) return false;
  ++taken_;
  return !spec_.limit || taken_ <= *spec_.limit;
}

bool WantedRows::HasMissed() const { return taken_ == 0 || !missing_.empty(); }

}  // namespace assay::blueprint
