// The dialect `blueprint` (CivicEval / Weval): the functions of its row in dialects/table.cc, and what it
// leaves in the Suite for its own writer. Source of the rules: the format's description and weval 51dc4d3.
//
// Reading has three stages, each a function of its own:
//   parse.h   source text -> normal form: structures, aliases, points, content ids
//   load.h    normal form -> loaded config: id, title, models, tags, system prompts
//   lower.h   loaded config -> cases, checks, variants, judges
// lint.h adds the warnings that need the source as it was written.
//
// Suite::normal_form is what the first stage gives. Suite::details, a map:
//   config            the loaded config exactly as the result file's `config` wants it: file order of the
//                     surviving header keys, then added ones; models as plain ids; `prompts` in normal form,
//                     as kept_prompts.h keeps them
//   customModels      map from a model's id to its custom model object
//   evalMethodsUsed   list of "embedding", "llm-coverage", as --eval-method asks; if it is absent the latter,
//                     and both in the mode of weval
//   sourceFileName    the file's name without folders
// Case::details, a map:
//   promptIndex       number: the case's entry in config.prompts
//   noCache           true if the prompt forbids cached answers; absent otherwise
// Variant::details, a map:
//   temperature       number: what the variant's id says (and what is sent where no prompt says otherwise)
//   systemIndex       number: index into the header's `systems`; absent if there are none
// Case::turns         the messages, and a last generated turn for the answer that is graded
// Case::tree          root kAll: required checks as leaves; then at most one kAny (compatible mode) or one
//                     per block (should, should_not) whose children are kAll nodes labelled "path_N". A leaf
//                     under such a node has that pathId. Checks stand in the order they were written, should
//                     before should_not; that functions are listed before judged points is the writer's
//                     business.
// Check::kind         kJudgeKind for a criterion (text = the criterion), else the function's name after name
//                     repair (args = fnArgs; text = `Function: NAME(ARGS)`). Check::weight is the multiplier.
// Variant::id         the effective id: model, "[temp:x]", "[sp_idx:i]".
#pragma once

#include <optional>
#include <string_view>

#include "dialects/dialect.h"

namespace assay {

// What checks do in a mode: `--compat weval`, or else the format's own way.
GradingRules BlueprintGradingRules(Compat compat);

int SniffBlueprint(std::string_view path, std::string_view text);
std::optional<Suite> ReadBlueprint(const ReadInput& input, FileId file, std::string_view text);
Status WriteBlueprint(const Report& report, Sink& sink);
Status WriteBlueprintArtefacts(const Report& report, Sink& sink);
Result<std::string> BlueprintPayload(const Report& report);
Result<Suite> BlueprintClosing(const Report& report);
void AddBlueprintClosing(const ClosingAnswer& answer, Report& report);
std::string BlueprintIndexPath(const Suite& suite);
Result<std::string> AddToBlueprintIndex(const Report& report, std::string_view existing,
                                        std::vector<std::string>& notes);
std::optional<Recording> ReadBlueprintFixtures(const ReadInput& input, FileId file, std::string_view text);

}  // namespace assay
