// Finds ids that two rows have by their digests.
#include "dataset/select/stream_ids.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "text/javascript/text.h"

namespace assay::dataset {

namespace {

constexpr std::size_t kFirstPlaces = 1u << 12;
constexpr std::uint64_t kPlaceMask = 0xffffffff;

// The bits of the digest that do not choose the place.
std::uint64_t TagOf(std::uint64_t digest) { return digest & ~kPlaceMask; }

}  // namespace

bool StreamIds::Can(const Options& options) { return !options.drops_duplicates && !options.rows; }

void StreamIds::Grow() {
  places_.assign(std::max(kFirstPlaces, 2 * places_.size()), 0);
  const std::size_t mask = places_.size() - 1;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    std::size_t at = seen_[i].first & mask;
    while (places_[at] != 0) at = (at + 1) & mask;
    places_[at] = TagOf(seen_[i].first) | (i + 1);
  }
}

const StreamIds::Seen* StreamIds::Find(const Row& row) {
  if (2 * (seen_.size() + 1) > places_.size()) Grow();
  const Digest digest = Sha256Of(row.id);
  Seen seen{.offset = row.where.offset, .file = row.where.file};
  std::memcpy(&seen.first, digest.data(), sizeof seen.first);
  std::memcpy(&seen.second, digest.data() + sizeof seen.first, sizeof seen.second);
  const std::size_t mask = places_.size() - 1;
  std::size_t at = seen.first & mask;
  for (; places_[at] != 0; at = (at + 1) & mask) {
    if (TagOf(places_[at]) != TagOf(seen.first)) continue;
    const Seen& known = seen_[(places_[at] & kPlaceMask) - 1];
    if (known.first == seen.first && known.second == seen.second) return &known;
  }
  seen_.push_back(seen);
  places_[at] = TagOf(seen.first) | seen_.size();
  return nullptr;
}

bool StreamIds::GiveTemplated(const std::vector<std::string>& columns, Row& row) {
  if (compiled_ == nullptr) {
    auto compiled = CompileId(options_, columns, sources_, problems_);
    is_lost_ = compiled == nullptr || compiled->Names("_id");
    if (is_lost_) return false;
    compiled_ = std::move(compiled);
  }
  Templated<std::string> id = compiled_->Text({row.cells, sources_, row.number});
  if (const auto* problem = std::get_if<TemplateProblem>(&id)) {
    problems_.Add(RowProblem(*problem, row, options_.id->span, sources_));
    return false;
  }
  row.id = std::get<std::string>(std::move(id));
  if (!JsTrim(row.id).empty()) return true;
  TellIdEmpty(row, problems_);
  return false;
}

bool StreamIds::Give(const std::vector<std::string>& columns, Row& row) {
  const bool is_templated = options_.id.has_value();
  if (is_templated && !GiveTemplated(columns, row)) return false;
  const bool is_named = is_templated || UsualId(row, sources_, row.id);
  const Seen* first = Find(row);
  if (first == nullptr) return true;
  if (is_named) {
    Row earlier;
    earlier.where = {first->file, first->offset, 0};
    earlier.line = sources_.Locate(earlier.where).line;
    TellIdTwice(row, earlier, sources_, problems_);
    return true;
  }
  const std::string base = row.id;
  std::size_t& number = numbers_[base];
  number = std::max<std::size_t>(number, 1);
  do {
    row.id = fmt::format("{}-{}", base, ++number);
  } while (Find(row) != nullptr);
  ++twice_;
  return true;
}

}  // namespace assay::dataset
