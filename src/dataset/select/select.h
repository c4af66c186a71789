// Selects rows by the ranks of their ids, so that a sample of 100 contains the sample of 50, and a row put in
// moves no other one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::dataset {

// The first 8 bytes of the SHA-256 of `assay/dataset/1/LABEL/SEED/ID`, as a number.
std::uint64_t RankOf(std::string_view label, std::string_view seed, std::string_view id);

struct Selection {
  std::optional<std::size_t> sample = {};  // of all, or of each group
  std::string sample_seed = "0";
  std::optional<std::string> shuffle_seed = {};
  std::optional<std::size_t> limit = {};
};

// The places of the chosen ids, in their order. `groups`: of each id; empty: there is one group.
std::vector<std::size_t> Select(std::span<const std::string> ids, std::span<const std::string> groups,
                                const Selection& selection);

}  // namespace assay::dataset
