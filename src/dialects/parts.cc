// The rows of the parts table.
#include "dialects/parts.h"

#include "dialects/research/read/parts.h"

namespace assay {

namespace {

constexpr PartRow kParts[] = {
    {.name = "research dataset",
     .no_suite = "this is a dataset, which contains questions and names no system to test",
     .instead = "run its matrix: `assay run MATRIX.toml`, with --dataset FILE where it names another",
     .claims = research::ClaimsDataset,
     .check = research::CheckDataset},
    {.name = "research matrix", .claims = research::ClaimsMatrix, .check = research::CheckMatrix},
};

}  // namespace

const PartRow* FindPart(std::string_view path, std::string_view text) {
  for (const PartRow& row : kParts) {
    if (row.claims(path, text)) return &row;
  }
  return nullptr;
}

}  // namespace assay
