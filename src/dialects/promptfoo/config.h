// Config: promptfoo's configs as they stand in their files, read and joined, before tests meet prompts and
// providers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/span.h"
#include "text/value.h"

namespace assay::promptfoo {

// The user's own code, which nobody runs without leave.
enum class CodeUse : std::uint8_t {
  kPrompt,
  kProvider,
  kTests,
  kVariable,
  kFilter,
  kHook,
  kAssertion,
  kTransform,
  kScoring,
};
std::string_view WordsFor(CodeUse use);  // "a prompt"

struct Code {
  CodeUse use = CodeUse::kPrompt;
  std::string named;  // as the file has it: "file://make.py:build", "exec: ./ask"
  Span where;
};

struct Prompt {
  std::string label;
  std::string raw;      // the template; of code the name of its file
  std::string id = {};  // "" unless the file gives one
  Map config = {};      // over the provider's, for this prompt
  bool is_code = false;
  Span where = {};
};

// Names that a prompt or a provider answers to; nothing: all are meant.
using NameFilter = std::optional<std::vector<std::string>>;

struct Provider {
  std::string id;
  std::string label = {};  // "" if there is none
  NameFilter prompts = {};
  Map options = {};  // its other keys: config, transform, delay, env
  bool is_code = false;
  Span where = {};

  const std::string& Name() const { return label.empty() ? id : label; }
};

// A test as it is written, or, of a scenario, joined with its configuration.
struct Test {
  std::string description = {};
  Map variables = {};
  List asserts = {};
  Map options = {};
  Map metadata = {};
  Value threshold = {};  // undefined if there is none
  NameFilter prompts = {};
  NameFilter providers = {};
  Value provider = {};
  Value provider_output = {};
  Value scoring = {};
  Span where = {};
};

struct Config {
  std::string description;
  std::string folder;  // of its files: "" or ending in "/"
  std::vector<Prompt> prompts;
  std::vector<Provider> providers;
  std::vector<Test> tests;           // without those of scenarios; one empty test where nobody wrote any
  std::vector<Test> scenario_tests;  // which stand behind them
  Test default_test;
  Map environment;       // `env` of templates
  Map evaluate_options;  // as written
  List derived_metrics;
  Map metadata;
  std::int64_t repeat = 1;
  std::vector<Code> code;
};

}  // namespace assay::promptfoo
