// Stated maxima, and who sets a limit.
#include "providers/output_max.h"

#include "providers/provider.h"

namespace assay {

namespace {

// From the vendors' model pages, read together with the prices (price.h). The longest start that fits counts.
struct MaxRow {
  std::string_view start;
  std::int64_t tokens;
};
constexpr MaxRow kRows[] = {
    {"claude-3-5", 8'192},
    {"claude-3-7", 64'000},
    {"claude-3-haiku", 4'096},
    {"claude-3-opus", 4'096},
    {"claude-3.5", 8'192},
    {"claude-3.7", 64'000},
    {"claude-haiku-4", 64'000},
    {"claude-opus-4", 32'000},
    {"claude-sonnet-4", 64'000},
    {"gemini-1.5", 8'192},
    {"gemini-2.0", 8'192},
    {"gemini-2.5", 65'536},
    {"gpt-3.5-turbo", 4'096},
    {"gpt-4-turbo", 4'096},
    {"gpt-4.1", 32'768},
    {"gpt-4o", 16'384},
    {"gpt-5", 128'000},
    {"o1", 100'000},
    {"o3", 100'000},
    {"o4-mini", 100'000},
};

// What a model that a suite describes says of its own limit: a number, null for none, or nothing.
const Value* OwnLimit(const ModelRequest& request) {
  const Value* parameters = request.custom.Find("parameters");
  return parameters == nullptr ? nullptr : parameters->Find("max_tokens");
}

}  // namespace

std::int64_t StatedOutputMax(std::string_view model) {
  if (const std::size_t slash = model.rfind('/'); slash != std::string_view::npos)
    model.remove_prefix(slash + 1);
  const MaxRow* best = nullptr;
  for (const MaxRow& row : kRows) {
    if (!model.starts_with(row.start)) continue;
    if (best == nullptr || row.start.size() > best->start.size()) best = &row;
  }
  return best == nullptr ? kAssumedOutputMax : best->tokens;
}

std::int64_t OutputTokensMax(const ModelRequest& request) {
  if (const Value* own = OwnLimit(request); own != nullptr) {
    return own->is_number() ? static_cast<std::int64_t>(own->AsNumber()) : StatedOutputMax(request.model);
  }
  if (request.params.max_tokens) return *request.params.max_tokens;
  const ProviderRow* provider = FindProvider(request.provider);
  if (provider != nullptr && provider->max_tokens > 0) return provider->max_tokens;
  return StatedOutputMax(request.model);
}

}  // namespace assay
