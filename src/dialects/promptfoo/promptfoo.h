// The dialect `promptfoo`: promptfoo's configs (promptfooconfig.yaml): prompts × providers × tests. The
// functions of its row in dialects/table.cc, and what it leaves in the Suite.
//   source  runs of promptfoo 0.121.20, and its dist for facts (spec: promptfoo); docs/promptfoo.md
//
// Case             a test with one combination of its variables; repetitions are attempts
// Case::askings    of several prompts, or of prompts that have messages: one for each prompt, by its label.
//                  `text` is the prompt as rendered, `turns` are its messages
// Case::checks     one for each assertion (lower/assertions.h)
// Case::row        a map: `vars` as the prompt had them, `test` for scripts
// Case::details    a map: `threshold` of the test, a number; `test`, `row` and `combinations`: its place in
//                  promptfoo's table
// Variant          a column: a provider with a prompt
// Variant::details a map: `provider` {id, label, config}, `prompt` {label, raw, id}, `transform`, and where
//                  there are several prompts `promptName`
// Suite::details   a map: `description`, `derivedMetrics`
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "dialects/dialect.h"

namespace assay {

inline constexpr std::array<std::string_view, 1> kPromptfooChecks = {"assertion"};

GradingRules PromptfooGradingRules(Compat compat);
int SniffPromptfoo(std::string_view path, std::string_view text);
std::optional<Suite> ReadPromptfoo(const ReadInput& input, FileId file, std::string_view text);

}  // namespace assay
