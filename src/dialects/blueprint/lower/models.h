// Reads the models of a blueprint: corrects misspelled names, checks custom models, expands collections
// (spec: blueprint 9.1 and 9.2).
#pragma once

#include <string>
#include <string_view>

#include "dialects/dialect.h"
#include "spec/suite/model_ref.h"
#include "text/value.h"

namespace assay::blueprint {

// Slips that the format's description promises to correct, each with a warning: stray blanks and quotes,
// `provider/model`, and the pair {provider: model} that YAML makes of an unquoted blank. Others stay as they
// are.
void CorrectModel(Value& model, Diagnostics& diagnostics);
// The same of a name that the user gives.
std::string CorrectedModel(std::string_view written);
// "openai : gpt-4o " -> "openai:gpt-4o": trimmed, blanks around the first colon dropped.
std::string WithoutStrayBlanks(std::string_view name);

// An error for each member of a custom model object that is missing or of the wrong type.
void CheckCustomModel(const Value& model, Compat compat, Diagnostics& diagnostics);
// The id of a model entry: the text itself, a custom model's `id`, or the name of a model with options and
// what of them tells it apart from the same model with others; "" if it has none.
std::string ModelId(const Value& model);
// The same without what tells options apart.
std::string ModelIdWithoutOptions(const Value& model);
// The model that an entry of the config describes itself under this id; null if there is none.
const Value* CustomModelNamed(const Map& config, std::string_view id);
// Whom an entry of resolved models names; custom models are those of `config`.
ModelRef ModelRefOf(const Value& model);

// The models that a run asks: collections spliced in, names tidied, doubles dropped (only with collections in
// the mode of weval). Options: collections_dir, models (-m).
List ResolveModels(const List& models, const ReadInput& input);

}  // namespace assay::blueprint
