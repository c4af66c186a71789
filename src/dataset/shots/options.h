// ShotOptions: the value of a `shots:` key, whatever format has it (docs/datasets.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dataset/options.h"

namespace assay::dataset {

enum class ShotPick : std::uint8_t { kSeeded, kFirst, kEach };

struct ShotOptions {
  Span where;
  std::size_t count = 0;
  ShotPick pick = ShotPick::kSeeded;
  std::vector<std::string> seeds = {"0"};  // several are a factor
  bool has_several_seeds = false;
  std::optional<Options> pool;  // rows of its own; absent: those of the dataset
  Value filter;                 // `where` over the dataset's rows: undefined, or a map
  std::optional<Name> per;
  std::optional<Name> spread;
  bool is_text = false;  // `{{shots}}`; else turns
  Value user;            // templates; undefined: the prompt's own text
  Value assistant;       // of turns
  Value text;            // of one shot, where they are a text
  std::string separator = "\n\n";
  bool is_shown = true;  // to judges
};

// Nothing after an error.
std::optional<ShotOptions> ReadShotOptions(const Value& value, Problems& problems);

}  // namespace assay::dataset
