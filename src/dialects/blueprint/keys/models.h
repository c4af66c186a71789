// The keys of models, judges and services of blueprints.
#pragma once

#include "dialects/blueprint/keys/criteria.h"
#include "spec/suite/model_ref.h"

namespace assay::blueprint {

// Of a header, a model's entry and a judge.
inline constexpr KeyRow kOptionKeys[] = {
    {.name = "max_tokens",
     .help = "The token limit of an answer, thoughts included; the default is 1,500.",
     .aliases = kWords<"maxTokens", "maxOutputTokens">,
     .shape = kTokensShape,
     .since = "0.1.0",
     .hint = "write the number of tokens that an answer may have, thoughts included"},
    {.name = "effort",
     .help = "How hard models think before they answer.",
     .shape = {.kinds = ValueShape::kText, .words = kEfforts},
     .since = "0.1.0"},
    {.name = "thinking_tokens",
     .help = "The token limit of the thoughts.",
     .shape = kTokensShape,
     .since = "0.1.0",
     .hint = "write the number of tokens that an answer may have, thoughts included"},
};
// What is sent with the question, of a header and a model's entry.
inline constexpr KeyRow kSentKeys[] = {
    {.name = "thoughts",
     .help = "shown: asks services for the thoughts of their models.",
     .shape = kThoughtsShape,
     .since = "0.3.0",
     .hint = "leave it out where services need not tell what their models thought"},
    {.name = "parameters",
     .help = "Other values to send with the question: {verbosity: low}.",
     .shape = kParametersShape,
     .since = "0.3.0",
     .hint = "write what is sent beside the question: {verbosity: low}"},
};
inline constexpr KeyRow kModelKeys[] = {
    {.name = "model", .help = "The model that this entry describes.", .since = "0.1.0"},
    {.name = "label",
     .help = "The name of the model in tables and pages.",
     .shape = kTextShape,
     .since = "0.3.0",
     .hint = "write what tables and pages are to call the model"},
    {.name = "fallback",
     .help = "The model that answers if this one fails, or a list of models.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList, .items = &kTextShape},
     .since = "0.1.0"},
    {.name = "response_format",
     .help = "false: this model gets no JSON Schema.",
     .shape = {.kinds = ValueShape::kBool},
     .since = "0.3.0"},
    kSentKeys[0],
    kSentKeys[1],
};
inline constexpr KeyPlace kModelEntry{.words = "a model", .parts = {kModelKeys, kOptionKeys}};

inline constexpr ValueShape kMapOrNullShape{.kinds = ValueShape::kMap | ValueShape::kNull};
inline constexpr KeyRow kCustomModelKeys[] = {
    {.name = "id", .help = "The name of a model that the file describes: custom:NAME.", .shape = kTextShape},
    {.name = "url", .help = "The address of its service.", .shape = kTextShape},
    {.name = "modelName", .help = "The name by which the service knows the model.", .shape = kTextShape},
    {.name = "inherit", .help = "The provider whose requests the service takes.", .shape = kTextShape},
    {.name = "format",
     .help = "chat or completions.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kNull, .words = kWords<"chat", "completions">}},
    {.name = "headers", .help = "Headers of the requests.", .shape = kMapOrNullShape},
    {.name = "promptFormat", .help = "How a conversation becomes one text.", .shape = kTextOrNullShape},
    {.name = "parameters", .help = "Other values to send with the question.", .shape = kMapOrNullShape},
    {.name = "parameterMapping",
     .help = "Other names for parameters: {max_tokens: max_new_tokens}.",
     .shape = kMapOrNullShape},
    {.name = "label",
     .help = "The name of the model in tables and pages.",
     .shape = kTextShape,
     .since = "0.3.0"},
};
inline constexpr KeyPlace kCustomModel{.words = "a custom model", .parts = {kCustomModelKeys}};
inline constexpr const KeyPlace* kModels[] = {&kModelEntry, &kCustomModel};
inline constexpr ValueShape kModelShape{
    .kinds = ValueShape::kText,
    .examples = kWords<"openai:gpt-6-luna", "anthropic:claude-sonnet-5-5", "CORE">,
    .members = kModels};

inline constexpr KeyRow kJudgeKeys[] = {
    {.name = "id", .help = "The name of the judge."},
    {.name = "model", .help = "provider:model, or a model of your own as in models."},
    {.name = "approach",
     .help = "The judge's view: the criterion alone, the question too, or all criteria at once.",
     .shape = {.examples = kWords<"standard", "prompt-aware", "holistic">}},
};
inline constexpr KeyPlace kJudgeOfWeval{.words = "a judge", .parts = {kJudgeKeys}};
inline constexpr KeyPlace kJudge{.name = "judge", .words = "a judge", .parts = {kJudgeKeys, kOptionKeys}};
inline constexpr const KeyPlace* kJudges[] = {&kJudge};
inline constexpr ValueShape kJudgeShape{.members = kJudges};

inline constexpr std::string_view kScaleHint = "remove it; judges have one scale of ten steps";
inline constexpr KeyRow kCoverageKeys[] = {
    {.name = "judges",
     .help = "The judges, each with a model.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNothing, .items = &kJudgeShape}},
    {.name = "judgeModels", .help = "The models that extract key points from ideal answers."},
    {.name = "judgeMode", .instead = kScaleHint},
    {.name = "useExperimentalScale", .instead = kScaleHint},
};
inline constexpr KeyPlace kLlmCoverage{.words = "llm-coverage", .parts = {kCoverageKeys}};
inline constexpr const KeyPlace* kCoverages[] = {&kLlmCoverage};
inline constexpr KeyRow kEvaluationKeys[] = {
    {.name = "llm-coverage",
     .help = "The judges of criteria in words.",
     .shape = {.kinds = ValueShape::kNull, .members = kCoverages}},
    {.name = "embedding", .help = "Settings of the comparison with the ideal answer."},
};
inline constexpr KeyPlace kEvaluation{.words = "evaluationConfig", .parts = {kEvaluationKeys}};
inline constexpr const KeyPlace* kEvaluations[] = {&kEvaluation};

inline constexpr KeyRow kServiceKeys[] = {
    {.name = "url", .help = "The address that gets the answer.", .shape = kTextShape},
    {.name = "method",
     .help = "GET, POST or PUT; the default is POST.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kNothing, .words = kWords<"GET", "POST", "PUT">}},
    {.name = "headers", .help = "Headers of the request; ${NAME} is filled in from the environment."},
    {.name = "timeout_ms", .help = "The time limit of a request, in milliseconds.", .shape = kNumberShape},
    {.name = "max_retries", .help = "How often a failed request is repeated."},
    {.name = "retry_backoff_ms", .help = "The pause before the first retry, in milliseconds."},
};
inline constexpr KeyPlace kService{.words = "a service", .parts = {kServiceKeys}};
inline constexpr const KeyPlace* kServices[] = {&kService};
inline constexpr ValueShape kServiceShape{.members = kServices};

}  // namespace assay::blueprint
