// Reads the YAML and JSON of configs: whole files, with their references followed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/promptfoo/read/context.h"
#include "text/nunjucks/nunjucks.h"
#include "text/value.h"

namespace assay::promptfoo {

// The text of a file, known to `sources`; nothing after an error, which names the place that names the file.
std::optional<FileId> ReadSource(const ReadContext& context, const std::string& path, Span named_at);

// What a file of YAML or JSON has, by its ending, with `$ref` followed. Undefined for an empty file; nothing
// after an error.
std::optional<Value> ReadDocument(const ReadContext& context, const std::string& path, Span named_at);
// The same of a text that is there already.
std::optional<Value> ReadDocumentText(const ReadContext& context, const std::string& path, FileId file);

// Reads YAML whose keys are texts; problems go to `diagnostics`.
std::vector<Value> ReadPlainYaml(FileId file, std::string_view text, Diagnostics& diagnostics);

// Replaces each `{{ env.NAME }}` in the texts of the value, where NAME is there or a filter stands behind it.
void RenderEnvironment(Value& value, Nunjucks& environment, Diagnostics& diagnostics);

}  // namespace assay::promptfoo
