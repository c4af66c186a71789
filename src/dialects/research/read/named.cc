// Messages about names of a matrix, each with the nearest one that is known.
#include "dialects/research/read/named.h"

#include <fmt/core.h>

#include <vector>

#include "base/files/near_file.h"

namespace assay::research {

void TellNoDataset(const Matrix& matrix, Span start, Severity severity, Diagnostics& diagnostics) {
  if (matrix.dataset_slip) {
    diagnostics.Error("research.unknown-key",
                      fmt::format("the matrix: unknown key {}, so that it has no dataset",
                                  Quoted(matrix.dataset_slip->key)),
                      matrix.dataset_slip->key_span, "did you mean dataset?");
    return;
  }
  if (matrix.has_wrong_dataset) return;
  diagnostics.Add({.severity = severity,
                   .code = "research.dataset",
                   .message = "the matrix names no dataset",
                   .hint = "write `dataset = \"PATH\"` or give --dataset PATH",
                   .where = start});
}

void TellUnreadDataset(const Error& problem, const std::string& path, Span where, FileReader& files,
                       Diagnostics& diagnostics) {
  const std::string near = NearFile(files, path);
  diagnostics.Error("research.dataset", "the dataset: " + problem.message, where,
                    near.empty()
                        ? "a path that begins with ./ or ../ is relative to the matrix, others to this folder"
                        : fmt::format("did you mean {}?", Quoted(near)));
}

Error UnknownAlias(std::string_view alias, const ModelAliases& aliases) {
  std::vector<std::string_view> known;
  for (const auto& [name, model] : aliases) known.emplace_back(name);
  const std::string_view near = DidYouMean(alias, known);
  Error error{.code = ErrorCode::kNotFound,
              .message = fmt::format("there is no model alias {}", Quoted(alias))};
  error.notes.push_back(
      near.empty()
          ? fmt::format("write [models.{}] with `model = \"PROVIDER:MODEL\"` in assay.toml, or name a "
                        "model there and then: model_alias = \"openai:gpt-6-luna\"",
                        alias)
          : fmt::format("did you mean {}?", Quoted(near)));
  return error;
}

}  // namespace assay::research
