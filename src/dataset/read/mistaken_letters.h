// Letters of UTF-8 that some program took for windows-1252: "MÃ¼ll" for "Müll".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dataset/options.h"
#include "dataset/problem.h"

namespace assay::dataset {

struct MistakenLetters {
  std::size_t offset = 0;  // of the word
  std::string word;
  std::string meant;
};

// The first word with such letters.
std::optional<MistakenLetters> FindMistakenLetters(std::string_view text);

// Once for each file, with the word as an example.
void WarnOfMistakenLetters(FileId file, std::string_view text, const Options& options, Problems& problems);

}  // namespace assay::dataset
