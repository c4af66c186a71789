// The rows of the parts table, and the hint about files of promptfoo.
#include "dialects/parts.h"

#include <algorithm>
#include <iterator>

#include "dialects/research/read/parts.h"

namespace assay {

namespace {

constexpr std::string_view kPromptfoo = "this is a config of promptfoo, which assay does not yet read";
constexpr std::string_view kInsteadOfPromptfoo =
    "write its prompts and assertions as a blueprint (docs/blueprint.md); `assay show FILE` reads its "
    "results";

// Whether a line of YAML or a member of JSON starts with the key, at the top.
bool HasTopKey(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::string_view rest = text.substr(at + key.size());
    if (rest.starts_with(':') && (at == 0 || text[at - 1] == '\n')) return true;
    const std::size_t line = at < 1 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t indent = at - (line == std::string_view::npos ? 0 : line + 1);
    constexpr std::size_t kJsonIndentMax = 5;  // with its quote
    if (rest.starts_with("\":") && indent <= kJsonIndentMax) return true;
  }
  return false;
}

// Providers or targets are no key of any of our formats.
bool ClaimsPromptfoo(std::string_view path, std::string_view text) {
  constexpr std::string_view kSuffixes[] = {".yaml", ".yml", ".json"};
  const bool may_be = std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                                  [path](std::string_view suffix) { return path.ends_with(suffix); });
  if (!may_be || !(HasTopKey(text, "providers") || HasTopKey(text, "targets"))) return false;
  return HasTopKey(text, "prompts") || HasTopKey(text, "tests");
}

std::optional<std::string> CheckPromptfoo(const PartInput& input, FileId file, std::string_view) {
  input.diagnostics.Error("suite.promptfoo", std::string(kPromptfoo),
                          {.file = file, .offset = 0, .length = 0}, std::string(kInsteadOfPromptfoo));
  return std::nullopt;
}

constexpr PartRow kParts[] = {
    {.name = "research dataset",
     .no_suite = "this is a dataset, which says what is asked and not whom",
     .instead = "run its matrix: `assay run MATRIX.toml`, with --dataset FILE where it names another",
     .claims = research::ClaimsDataset,
     .check = research::CheckDataset},
    {.name = "research matrix", .claims = research::ClaimsMatrix, .check = research::CheckMatrix},
    {.name = "promptfoo config",
     .no_suite = kPromptfoo,
     .instead = kInsteadOfPromptfoo,
     .claims = ClaimsPromptfoo,
     .check = CheckPromptfoo},
};

}  // namespace

const PartRow* FindPart(std::string_view path, std::string_view text) {
  for (const PartRow& row : kParts) {
    if (row.claims(path, text)) return &row;
  }
  return nullptr;
}

}  // namespace assay
