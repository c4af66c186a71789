// The keys of messages, sources and criteria of blueprints, and the values that several places share.
#pragma once

#include "dialects/blueprint/keys/extractions.h"
#include "dialects/keys/key.h"
#include "spec/limits.h"

namespace assay::blueprint {

// --- values that several keys share ---

inline constexpr ValueShape kTextShape{.kinds = ValueShape::kText};
inline constexpr ValueShape kTextOrNullShape{.kinds = ValueShape::kText | ValueShape::kNull};
inline constexpr ValueShape kNumberShape{.kinds = ValueShape::kNumber};
inline constexpr ValueShape kTagsShape{.kinds = ValueShape::kList, .items = &kTextShape};
inline constexpr ValueShape kWeightShape{
    .kinds = ValueShape::kNumber | ValueShape::kNull, .least = 0.1, .most = 10};
inline constexpr ValueShape kTokensShape{
    .kinds = ValueShape::kWhole, .least = 1, .most = limits::kAnswerTokensMax};
inline constexpr ValueShape kRenderAsShape{.kinds = ValueShape::kText | ValueShape::kNothing,
                                           .words = kWords<"markdown", "html", "plaintext">};
inline constexpr ValueShape kJsonSchemaShape{.kinds = ValueShape::kMap | ValueShape::kNull};
inline constexpr ValueShape kThoughtsShape{.kinds = ValueShape::kText, .words = kWords<"shown">};
inline constexpr ValueShape kParametersShape{.kinds = ValueShape::kMap};

inline constexpr std::string_view kWeightHelp = "The weight, from 0.1 to 10; the default is 1.";
inline constexpr std::string_view kTagsHint = "write [one, two]";
inline constexpr std::string_view kFreshHint = "use `assay run --fresh`";
inline constexpr std::string_view kKeptHelp = "Kept in the results; it has no effect.";
inline constexpr std::string_view kSchemaHelp =
    "A JSON Schema that the answer has to follow; in the header, the answers to all prompts. null means "
    "none.";

// --- sources ---

inline constexpr KeyRow kSourceKeys[] = {
    {.name = "title", .help = "The title of the source.", .aliases = kWords<"name">},
    {.name = "url", .help = "The address."},
};
inline constexpr KeyPlace kSource{.words = "a source", .parts = {kSourceKeys}};
inline constexpr const KeyPlace* kSources[] = {&kSource};
inline constexpr ValueShape kSourceShape{.kinds = ValueShape::kText | ValueShape::kNothing,
                                         .members = kSources};
inline constexpr ValueShape kSourcesShape{
    .kinds = ValueShape::kText | ValueShape::kNothing, .items = &kSourceShape, .members = kSources};
inline constexpr std::string_view kSourceHelp = "The source: a text or {title, url}.";

inline constexpr KeyRow kAuthorKeys[] = {
    {.name = "name", .help = "The name of the author.", .shape = kTextShape, .is_required = true},
    {.name = "url", .help = "The address."},
    {.name = "image_url", .help = "The address of a picture."},
};
inline constexpr KeyPlace kAuthor{.words = "the author", .parts = {kAuthorKeys}};
inline constexpr const KeyPlace* kAuthors[] = {&kAuthor};

// --- messages ---

// The keys of the short form: {user: TEXT}.
inline constexpr KeyRow kRoleKeys[] = {
    {.name = "user", .help = "The user's message."},
    {.name = "assistant",
     .help = "The answer so far; null: the model answers here.",
     .aliases = kWords<"ai">},
    {.name = "system", .help = "A system message."},
};
inline constexpr KeyRow kMessageKeys[] = {
    {.name = "role", .help = "The speaker.", .shape = {.examples = kWords<"user", "assistant", "system">}},
    {.name = "content", .help = "The text of the message."},
};
// Beside the text of a user's message, or of a prompt.
inline constexpr KeyRow kMediaKeys[] = {
    {.name = "image", .help = "Pictures to send with the text: paths or addresses.", .since = "0.3.0"},
    {.name = "file", .help = "PDF files to send with the text: paths or addresses.", .since = "0.3.0"},
    {.name = "audio", .help = "Sound to send with the text: paths or addresses.", .since = "0.3.0"},
};
inline constexpr KeyPlace kRoles{.words = "a message", .parts = {kRoleKeys}};
inline constexpr KeyPlace kMedia{.words = "a message", .parts = {kMediaKeys}};
inline constexpr KeyPlace kMessage{
    .name = "message", .words = "a message", .parts = {kMessageKeys, kRoleKeys, kMediaKeys}};
inline constexpr const KeyPlace* kMessages[] = {&kMessage};
inline constexpr ValueShape kMessageShape{.kinds = ValueShape::kText | ValueShape::kNull,
                                          .members = kMessages};

// --- criteria ---

inline constexpr KeyRow kSubjectKeys[] = {
    {.name = "text", .help = "A criterion in words.", .aliases = kWords<"point">},
    {.name = "fn", .help = "The name of a function."},
    {.name = "fnArgs", .help = "The arguments of the function.", .aliases = kWords<"arg">},
};
// Of a header, a prompt and a criterion.
inline constexpr std::string_view kExtractHelp =
    "The part of the answer that functions grade: a step, or a list of which the first that finds something "
    "counts; none: the whole answer.";
inline constexpr std::string_view kExtractExample[] = {"none"};
inline constexpr ValueShape kExtractShape{.kinds = ValueShape::kText | ValueShape::kNull | ValueShape::kList,
                                          .examples = kExtractExample,
                                          .members = kExtractSteps};

// Also beside a function: {$name: argument, weight: 2}.
inline constexpr KeyRow kCallKeys[] = {
    {.name = "weight", .help = kWeightHelp, .aliases = kWords<"multiplier">, .shape = kWeightShape},
    {.name = "citation",
     .help = kSourceHelp,
     .shape = {.kinds = ValueShape::kText | ValueShape::kNull | ValueShape::kList, .members = kSources}},
    {.name = "extract", .help = kExtractHelp, .shape = kExtractShape, .since = "0.4.0"},
    {.name = "name",
     .help = "The name of a score of its own beside the whole score; criteria may share one.",
     .shape = {.kinds = ValueShape::kText, .is_filled = true},
     .since = "0.4.0"},
};
inline constexpr KeyRow kReferenceKeys[] = {
    {.name = "$ref", .help = "The name of a criterion in point_defs."},
};
inline constexpr KeyPlace kSubject{.words = "a criterion", .parts = {kSubjectKeys}};
inline constexpr KeyPlace kCall{.words = "a criterion", .parts = {kCallKeys}};
inline constexpr KeyPlace kPoint{
    .name = "point", .words = "a criterion", .parts = {kSubjectKeys, kCallKeys, kReferenceKeys}};
inline constexpr const KeyPlace* kPoints[] = {&kPoint};
// A criterion is a sentence, a function, or a list of criteria, which is an alternative.
inline constexpr ValueShape kPathShape{
    .kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kBool | ValueShape::kNull,
    .members = kPoints};
inline constexpr ValueShape kPointShape{
    .kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kBool | ValueShape::kNull,
    .items = &kPathShape,
    .members = kPoints};
inline constexpr ValueShape kRubricShape{.kinds = ValueShape::kList | ValueShape::kNothing,
                                         .items = &kPointShape};

}  // namespace assay::blueprint
