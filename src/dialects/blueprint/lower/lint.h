// Warnings about blueprints: what weval accepts silently and hardly any author means, each with a place and a
// remedy. Called by the parser on the source as it was written; nothing here changes what is read.
#pragma once

#include <string>
#include <string_view>

#include "dialects/blueprint/read/parse.h"

namespace assay::blueprint {

// Unknown keys of the header.
void LintHeader(const Map& header, ParseContext& context);
// `prompts` of a header that is followed by further documents, or that is no list: its prompts are lost.
void LintLostPrompts(const Member& prompts, ParseContext& context);

// Unknown keys of a prompt, header keys that a misread header lost, and a rubric without points. True if an
// error says where its question is lost.
bool LintPrompt(const Map& entry, std::string_view prompt, const HeaderFacts& header, ParseContext& context);
// A rubric that is no list: weval reads it as an empty one.
void LintRubricNotList(const Value& block, std::string_view key, const PointScope& scope);
// Keys of a point that are not used.
void LintPoint(const Map& fields, const PointScope& scope);
// What a mapping that is no point could mean by one of its keys: "did you mean ..."; "" if nothing.
std::string NearPointKey(const Map& fields);
// A text that starts with "$" and so is a function call: "$contains: 'x'" in quotes, or "$100".
void LintQuotedFunction(const Value& text, const PointScope& scope);
// Whether a point of the normal form comes of such a text, which the above warned about.
bool IsToldAsText(const Value& point);
// A text that looks like a function call but, within an alternative path, is a criterion.
// Two names of one field in one place: the second is lost.
void LintHeaderAliases(const Map& header, ParseContext& context);
void LintPromptAliases(const Map& entry, std::string_view prompt, ParseContext& context);
void LintPointAliases(const Map& fields, const PointScope& scope);
// A point that is one pair of texts: a criterion and its citation, or a criterion that a colon cuts.
void LintCitedText(const Member& point, const PointScope& scope);
// Points in their normal form: functions that no check has (an error). Told here, so that nothing else that
// is wrong with the file hides it; such points are taken out.
void TakeOutUnknownFunctions(List& points, const PointScope& scope);
// Points in their normal form: arguments that no answer, or every answer, fits, and those of another kind of
// function. Warnings alone.
void LintArguments(const List& points, const PointScope& scope);
// What models are asked, or told as a system: placeholders of other tools, which nothing fills in.
void LintQuestion(const Value& text, std::string_view of, ParseContext& context);
// Of all prompts, when each has been looked at: those without points.
void LintWithoutPoints(ParseContext& context);
void LintPathText(const Value& text, const PointScope& scope);

// Over the whole normal form: alternatives in both blocks of a prompt, weights that are no numbers.
void LintNormalForm(const Map& normal_form, ParseContext& context);

}  // namespace assay::blueprint
