// Reads the options that a blueprint gives a model: how long it may answer, how hard it may think, which
// model stands in for it. They stand in the header, in a model's entry {model: provider:name, effort: high},
// or behind a model's name: "provider:name[effort:high]". Ours: weval knows none of them.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "spec/suite/model_ref.h"
#include "text/value.h"

namespace assay::blueprint {

// A model's entry with options of its own, and no model that the blueprint describes itself.
bool HasModelOptions(const Value& model);

// Aliases become max_tokens, in place; an error for each option that is not as expected. `of` names the place
// in messages: "" for the header.
void NormaliseModelOptions(Map& fields, std::string_view of, Diagnostics& diagnostics);

// "openai:gpt-5[effort:high]" -> {model: "openai:gpt-5", effort: "high"}; a name without such an ending
// stays.
Value WithSuffixesRead(Value model);
// Puts into the entry what tells it apart from another one of its id: "[params:seed=1]".
void TellApart(Value& model, std::string suffix);
// "[effort:high]", "[thinking:8000]", and what TellApart put there; "" where the entry says none of them.
std::string OptionSuffix(const Value& model);

// What tables and pages call the model of an entry, one that the blueprint describes itself too; "": its id.
std::string LabelOf(const Value& model);
// Leaves the entries as they are without labels, which are for people alone: {model: e:m, label: M} -> "e:m".
void RemoveLabels(List& models);
// An error where an entry's label is no text.
void CheckLabel(const Map& fields, std::string_view of, Diagnostics& diagnostics);

// Whether an entry says `response_format: false`: the model is told no schema.
bool AnswersFreely(const Value& model);

// The parameters with what the header, an entry or a judge writes in their place.
SamplingParams WithOptions(SamplingParams params, const Map& fields);

}  // namespace assay::blueprint
