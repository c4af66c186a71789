// The first stage of reading a blueprint: source text -> normal form (what golden files call `parsed`).
//
// All problems are reported at once, each at its place. In the mode of weval (Compat::kWeval) a file is
// refused exactly when weval 51dc4d3 refuses it; otherwise the format's own description wins where it is
// explicit: which document is the header, `prompt` beside `messages`, model names with slips.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/errors/span.h"
#include "dialects/check_elsewhere.h"
#include "spec/suite/suite_rules.h"
#include "text/value.h"

namespace assay::blueprint {

struct DatasetReading;

// A prompt that rows fill in.
struct FilledPrompt {
  std::string name;                // one for all rows, so that one problem of all is shown once
  std::vector<std::string> calls;  // criteria that the author wrote as `$name`; those of rows are words
};

struct PromptEntry;  // rows/datasets.h

enum class BlueprintFormat { kYaml, kJson };
// By the path's ending, exact case: ".yml" and ".yaml" are YAML, everything else is JSON.
BlueprintFormat BlueprintFormatOf(std::string_view path);

// What every part of the parser is told and may report to.
struct ParseContext {
  Compat compat = Compat::kNone;
  Diagnostics& diagnostics;
  std::span<const std::string_view> check_names = {};  // of all checks; empty: nothing is told of functions
  std::span<const CheckElsewhere> checks_elsewhere = {};
  // A normal form comes back despite errors, without what is wrong.
  bool reads_on = false;
  // What the datasets of the file may read; null: none is read, and the key is left where it stands.
  DatasetReading* datasets = nullptr;
  // Of the prompt that is read, if a row filled it in.
  std::shared_ptr<const FilledPrompt> filled = nullptr;
  // Set by the parser: an error said why there are no prompts, or no models.
  bool prompts_are_told = false;
  bool models_are_told = false;
  // Prompts that nothing is expected of, in order; and whether some have points, or lost them to an error.
  std::vector<Member> without_points = {};
  std::size_t rows_without_points = 0;  // whose cells of criteria are all empty
  bool some_have_points = false;
  bool LikeWeval() const { return compat == Compat::kWeval; }
};

// What takes the place of a question, or of the models, that an error told of: nothing further follows from
// the loss, and no suite with an error is run.
Value StandInMessages(Span where);
Value StandInModels(Span where);

// The normal form, a map, or nothing after an error (but see ParseContext::reads_on). Members whose value is
// undefined hold the place that weval gives them in the key order; writers skip them.
std::optional<Value> ParseBlueprint(FileId file, std::string_view text, BlueprintFormat format,
                                    ParseContext& context);

// The second half of ParseBlueprint: the normal form of a header and its prompts, whose datasets are
// expanded.
// `whole` is the place of the file; `errors_before` counts those that were there before it was read.
std::optional<Value> NormaliseParts(Map header, std::vector<PromptEntry> entries, Span whole,
                                    std::size_t errors_before, ParseContext& context);

// Keys that make a document a prompt.
bool HasPromptKeys(const Map& document);

// What `$ref` names: point_defs, or the older defs. Found in constant time; what references copy is counted.
class Definitions {
 public:
  Definitions() = default;
  explicit Definitions(Map members);
  const Value* Find(std::string_view name) const;  // null if there is none
  std::string_view NearestName(std::string_view name) const;
  // Counts one more copy of a definition; false when limits::kReferenceBytesMax is passed.
  bool CountCopy(const Value& definition);

 private:
  Map members_;
  std::unordered_map<std::string_view, const Value*> by_name_;  // parts of members_
  std::size_t copied_bytes_ = 0;
};

// What prompts take from the header.
struct HeaderFacts {
  std::string render_as = "markdown";
  std::optional<bool> no_cache;
  bool names_models = false;
  Definitions definitions;
};

// Aliases, references and checks of the header, in place.
HeaderFacts NormaliseHeader(Map& header, ParseContext& context);
// True if it is one of the three forms of showing text; else an error. `of` stands before the key in the
// message.
bool CheckRenderAs(const Value& value, std::string_view of, ParseContext& context);
// The header's external services, checked after the prompts as weval does.
void CheckServices(const Map& header, ParseContext& context);

// One entry of the prompts list in its normal form; undefined if it is no prompt. `position` counts from 1.
Value NormalisePrompt(Value entry, std::size_t position, HeaderFacts& facts, ParseContext& context);

// Whether the key of a message, or of a prompt beside its text, is a name of MediaKind.
bool IsMediaKey(std::string_view key);
// Takes them out of a message: [{image: PATH}, …] in written order; empty in the mode of weval, which is
// warned of.
List TakeMedia(Map& message, std::string_view prompt, ParseContext& context);

// What a `response_format` says: a schema, null for none; undefined where it says nothing, with what there is
// to tell. `of` stands before the key in messages.
Value AnswerSchemaOf(Value format, std::string_view of, ParseContext& context);

// The `messages` of one prompt; `prompt` is how messages name it ("prompt \"p1\""). A message with an
// error is undefined.
Value NormaliseMessages(Value messages, std::string_view prompt, ParseContext& context);

// Whether `extract` can be followed; an error if not. `of` stands before the key in the message.
bool CheckExtract(const Value& extract, std::string_view of, ParseContext& context);

// A function's name with the repair of two prefixes that authors get wrong, as weval makes it.
std::string RepairedName(std::string_view name);

struct PointScope {
  ParseContext& context;
  Definitions& definitions;
  std::string_view prompt;  // as above
};
// One rubric block: a list of points {text | fn, fnArgs, multiplier, citation} and lists of them (alternative
// paths).
Value NormalisePoints(Value block, std::string_view key, const PointScope& scope);

}  // namespace assay::blueprint
