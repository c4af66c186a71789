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

std::uint64_t ContentOf(const Row& row) {
  const Digest digest = Sha256Of(CanonicalRow(row.cells));
  std::uint64_t content = 0;
  std::memcpy(&content, digest.data(), sizeof content);
  return content;
}

}  // namespace

void SeenIds::Grow() {
  places_.assign(std::max(kFirstPlaces, 2 * places_.size()), 0);
  const std::size_t mask = places_.size() - 1;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    std::size_t at = seen_[i].first & mask;
    while (places_[at] != 0) at = (at + 1) & mask;
    places_[at] = TagOf(seen_[i].first) | (i + 1);
  }
}

std::optional<std::size_t> SeenIds::Find(const Row& row) {
  if (2 * (seen_.size() + 1) > places_.size()) Grow();
  const Digest digest = Sha256Of(row.id);
  Seen seen{.offset = row.where.offset, .file = row.where.file};
  std::memcpy(&seen.first, digest.data(), sizeof seen.first);
  std::memcpy(&seen.second, digest.data() + sizeof seen.first, sizeof seen.second);
  const std::size_t mask = places_.size() - 1;
  std::size_t at = seen.first & mask;
  for (; places_[at] != 0; at = (at + 1) & mask) {
    if (TagOf(places_[at]) != TagOf(seen.first)) continue;
    const std::size_t place = (places_[at] & kPlaceMask) - 1;
    if (seen_[place].first == seen.first && seen_[place].second == seen.second) return place;
  }
  seen_.push_back(seen);
  places_[at] = TagOf(seen.first) | seen_.size();
  return std::nullopt;
}

bool StreamIds::Can(const Options& options) { return !options.rows; }

bool StreamIds::Begin(const std::vector<std::string>& columns) {
  if (!options_.id) return true;
  compiled_ = CompileId(options_, columns, sources_, problems_);
  needs_usual_ = compiled_ != nullptr && compiled_->Names("_id");
  return compiled_ != nullptr;
}

void StreamIds::Number(Row& row, SeenIds& seen) {
  const std::string base = row.id;
  std::size_t& number = numbers_[base];
  number = std::max<std::size_t>(number, 1);
  do {
    row.id = fmt::format("{}-{}", base, ++number);
  } while (seen.Find(row));
  ++twice_;
}

bool StreamIds::IsDropped(const Row& row, std::size_t first) {
  if (!options_.drops_duplicates || first >= contents_.size() || contents_[first] != ContentOf(row))
    return false;
  ++dropped_;
  return true;
}

void StreamIds::TellTwice(const Row& row, const SeenIds::Seen& first) {
  Row earlier;
  earlier.where = {first.file, first.offset, 0};
  earlier.line = sources_.Locate(earlier.where).line;
  TellIdTwice(row, earlier, sources_, problems_);
}

bool StreamIds::GiveUsual(Row& row, bool is_final) {
  SeenIds& seen = is_final ? final_ : usual_;
  const bool is_named = UsualId(row, sources_, row.id);
  const std::optional<std::size_t> first = seen.Find(row);
  if (!first) return true;
  if (is_final && IsDropped(row, *first)) return false;
  if (!is_named) Number(row, seen);
  if (is_named && is_final) TellTwice(row, seen.At(*first));
  return true;
}

bool StreamIds::GiveTemplated(Row& row) {
  const std::string usual = std::move(row.id);
  Templated<std::string> id = compiled_->Text({row.cells, sources_, row.number, usual});
  if (const auto* problem = std::get_if<TemplateProblem>(&id)) {
    problems_.Add(RowProblem(*problem, row, options_.id->span, sources_));
    return false;
  }
  row.id = std::get<std::string>(std::move(id));
  if (JsTrim(row.id).empty()) {
    TellIdEmpty(row, problems_);
    return false;
  }
  const std::optional<std::size_t> first = final_.Find(row);
  if (!first) return true;
  if (IsDropped(row, *first)) return false;
  TellTwice(row, final_.At(*first));
  return true;
}

bool StreamIds::Give(Row& row) {
  if ((compiled_ == nullptr || needs_usual_) && !GiveUsual(row, compiled_ == nullptr)) return false;
  if (compiled_ != nullptr && !GiveTemplated(row)) return false;
  if (options_.drops_duplicates) contents_.resize(final_.size(), ContentOf(row));
  return true;
}

}  // namespace assay::dataset
