// Ranks and chooses.
#include "dataset/select/select.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/hash.h"

namespace assay::dataset {

namespace {

std::vector<std::size_t> ByRank(std::vector<std::size_t> places, std::span<const std::string> ids,
                                std::string_view label, std::string_view seed) {
  std::vector<std::pair<std::uint64_t, std::size_t>> ranked;
  ranked.reserve(places.size());
  for (const std::size_t place : places) ranked.emplace_back(RankOf(label, seed, ids[place]), place);
  std::sort(ranked.begin(), ranked.end());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = ranked[i].second;
  return places;
}

std::vector<std::size_t> Sampled(std::vector<std::size_t> places, std::span<const std::string> ids,
                                 std::span<const std::string> groups, const Selection& selection) {
  std::map<std::string_view, std::size_t> taken;
  std::vector<std::size_t> chosen;
  for (const std::size_t place : ByRank(std::move(places), ids, "sample", selection.sample_seed)) {
    if (++taken[groups.empty() ? std::string_view() : groups[place]] <= *selection.sample)
      chosen.push_back(place);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::uint64_t RankOf(std::string_view label, std::string_view seed, std::string_view id) {
  const Digest digest = Sha256Of(fmt::format("assay/dataset/1/{}/{}/{}", label, seed, id));
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < sizeof rank; ++i) rank = rank << 8 | digest[i];
  return rank;
}

std::vector<std::size_t> Select(std::span<const std::string> ids, std::span<const std::string> groups,
                                const Selection& selection) {
  std::vector<std::size_t> places(ids.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (selection.sample) places = Sampled(std::move(places), ids, groups, selection);
  if (selection.shuffle_seed) places = ByRank(std::move(places), ids, "order", *selection.shuffle_seed);
  if (selection.limit) places.resize(std::min(places.size(), *selection.limit));
  return places;
}

}  // namespace assay::dataset
