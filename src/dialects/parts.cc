// The kinds of parts, one row each.
#include "dialects/parts.h"

#include "dialects/research/parts.h"

namespace assay {

namespace {

constexpr PartRow kParts[] = {
    {.name = "research dataset", .claims = research::ClaimsDataset, .check = research::CheckDataset},
    {.name = "research matrix", .claims = research::ClaimsMatrix, .check = research::CheckMatrix},
};

}  // namespace

std::span<const PartRow> PartTable() { return kParts; }

const PartRow* FindPart(std::string_view path, std::string_view text) {
  for (const PartRow& row : kParts) {
    if (row.claims(path, text)) return &row;
  }
  return nullptr;
}

}  // namespace assay
