// Reads the members of a test, and checks its assertions.
#include "dialects/promptfoo/read/test_reader.h"

#include <fmt/core.h>

#include <utility>

#include "dialects/promptfoo/assertion_types.h"
#include "dialects/promptfoo/keys.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/providers.h"
#include "text/found.h"
#include "text/place_of.h"

namespace assay::promptfoo {

namespace {

constexpr int kSetsDeep = 8;  // assertion sets in each other

class OneTest {
 public:
  OneTest(const ReadContext& context, const std::string& folder) : context_(context), folder_(folder) {}

  std::optional<Test> Read(const Value& value, bool is_part) {
    if (!value.is_map()) {
      Complain(fmt::format("a test: expected a mapping, found {}", KindName(value)), value.span,
               "write {vars: …, assert: …}, or name a file of tests");
      return std::nullopt;
    }
    const Map& map = value.AsMap();
    WarnOfUnknownKeys(map, kTestPlace, context_.diagnostics);
    if (!is_part && !HasSomething(map)) {
      Complain(
          "a test: expected one of vars, assert, options, metadata, provider, providerOutput and "
          "threshold, found none",
          value.span, "add the variables of its prompt: vars: {NAME: VALUE}");
      return std::nullopt;
    }
    test_.where = value.span;
    test_.description = map.TextAt("description");
    if (!is_part || !context_.options.is_compatible || !map.MapAt("vars").empty())
      ReadVariables(map.Find("vars"));
    ReadAsserts(map.Find("assert"));
    ReadMap(map, "options", test_.options);
    ReadMap(map, "metadata", test_.metadata);
    Keep(map, "threshold", test_.threshold);
    Keep(map, "provider", test_.provider);
    Keep(map, "assertScoringFunction", test_.scoring);
    Keep(map, "providerOutput", test_.provider_output);
    if (!test_.provider_output.Truthy()) test_.provider_output = Value();
    test_.prompts = ReadNames(context_, map.Find("prompts"), "prompts");
    test_.providers = ReadNames(context_, map.Find("providers"), "providers");
    if (has_failed_) return std::nullopt;
    return std::move(test_);
  }

 private:
  void Complain(std::string message, Span where, std::string hint) {
    has_failed_ = true;
    context_.Error("promptfoo.test", std::move(message), where, std::move(hint));
  }

  static bool HasSomething(const Map& map) {
    for (const std::string_view key :
         {"assert", "vars", "options", "metadata", "provider", "providerOutput"}) {
      const Value* value = map.Find(key);
      if (value != nullptr && value->Truthy()) return true;
    }
    return map.NumberAt("threshold").has_value();
  }

  static void Keep(const Map& map, std::string_view key, Value& into) {
    if (const Value* value = map.Find(key)) into = *value;
    if (into.is_null()) into = Value();
  }

  void ReadMap(const Map& map, std::string_view key, Map& into) {
    const Value* value = map.Find(key);
    if (value == nullptr || value->is_null()) return;
    into = map.MapAt(key);
    if (!value->is_map()) {
      Complain(fmt::format("{}: expected a mapping, found {}", key, KindName(*value)), value->span,
               fmt::format("write {}: {{NAME: VALUE}}", key));
    }
  }

  void ReadVariables(const Value* variables) {
    if (variables == nullptr || variables->is_null()) return;
    if (variables->is_map()) {
      test_.variables = variables->AsMap();
      return;
    }
    if (variables->is_string()) return ReadVariableFiles(*variables);
    if (!variables->is_list())
      return Complain(fmt::format("vars: expected a mapping, found {}", KindName(*variables)),
                      variables->span, "write vars: {NAME: VALUE}, or name a file of YAML");
    for (const Value& path : variables->AsList()) ReadVariableFiles(path);
  }

  void ReadVariableFiles(const Value& path) {
    if (!path.is_string())
      return Complain(fmt::format("vars: expected the name of a file, found {}", KindName(path)), path.span,
                      "name files of YAML, each a mapping");
    // promptfoo takes no prefix here, and no notice of files that are not there.
    const bool is_compatible = context_.options.is_compatible;
    const std::string_view pattern = is_compatible ? path.AsString() : WithoutFilePrefix(path.AsString());
    const std::vector<std::string> found = FilesOf(context_.files, folder_, pattern);
    if (found.empty() && !is_compatible)
      return Complain(fmt::format("vars: no file is named {}", Quoted(path.AsString())), path.span,
                      "name files from the folder of the test's file");
    for (const std::string& file : found) {
      const std::optional<Value> read = ReadDocument(context_, JoinedPath(folder_, file), path.span);
      if (!read || !read->is_map()) {
        if (read)
          Complain(fmt::format("{}: expected a mapping of variables, found {}", file, KindName(*read)),
                   path.span, "write NAME: VALUE");
        has_failed_ = true;
        continue;
      }
      for (const Member& member : read->AsMap())
        test_.variables.Set(member.key, member.value, member.key_span);
    }
    test_.variables.SortLikeJavaScript();
  }

  void ReadAsserts(const Value* asserts) {
    if (asserts == nullptr || asserts->is_null()) return;
    if (!asserts->is_list())
      return Complain(fmt::format("assert: expected a list, found {}", KindName(*asserts)), asserts->span,
                      "put a dash before each assertion; assertions in a file go into the config");
    for (const Value& each : asserts->AsList()) CheckAssertion(each, 0);
    test_.asserts = asserts->AsList();
  }

  void CheckAssertion(const Value& assertion, int depth) {
    const std::string& type = assertion.TextAt("type");
    if (type.empty())
      return Complain("an assertion: expected a type, found none", assertion.span,
                      "write {type: contains, value: …}");
    WarnOfUnknownKeys(assertion.AsMap(), kAssertionPlace, context_.diagnostics);
    if (type == "assert-set") {
      const List* members = FindList(assertion, "assert");
      if (members == nullptr)
        return Complain("assert-set: expected a list of assertions as assert", assertion.span,
                        "write {type: assert-set, assert: [{type: …}]}");
      if (depth >= kSetsDeep)
        return Complain(fmt::format("sets of assertions lie more than {} deep", kSetsDeep), assertion.span,
                        "write them into one set");
      for (const Value& each : *members) CheckAssertion(each, depth + 1);
      return;
    }
    if (FindAssertionType(type) == nullptr && !context_.options.is_compatible) {
      std::vector<std::string_view> names;
      for (const AssertionType& known : AssertionTypes()) names.push_back(known.name);
      const std::string_view near = DidYouMean(type, names);
      Complain(fmt::format("there is no assertion {}", Quoted(type)), PlaceOf(assertion, "type"),
               near.empty() ? "write contains, equals, regex, is-json, javascript, llm-rubric or another"
                            : fmt::format("did you mean {}?", near));
    }
  }

  const ReadContext& context_;
  const std::string& folder_;
  Test test_;
  bool has_failed_ = false;
};

void NoteIfCode(const ReadContext& context, CodeUse use, const Value* value) {
  if (value == nullptr || !value->is_string()) return;
  const std::string& text = value->AsString();
  if (text.starts_with(kFilePrefix) && IsCodePath(WithoutFilePrefix(text)))
    context.code.push_back({.use = use, .named = text, .where = value->span});
}

// Files of JavaScript that look at answers run in the script engine.
void NoteUnlessScript(const ReadContext& context, CodeUse use, const Value* value) {
  if (value == nullptr || !value->is_string() || IsScriptName(value->AsString())) return;
  NoteIfCode(context, use, value);
}

void NoteAssertion(const ReadContext& context, const Value& assertion, int depth) {
  if (!assertion.is_map() || depth > kSetsDeep) return;
  NoteUnlessScript(context, CodeUse::kAssertion, assertion.Find("value"));
  NoteUnlessScript(context, CodeUse::kTransform, assertion.Find("transform"));
  NoteIfCode(context, CodeUse::kProvider, assertion.Find("provider"));
  const std::string& type = assertion.TextAt("type");
  const bool is_python = type == "python" || type == "not-python";
  if (is_python && !assertion.TextAt("value").starts_with(kFilePrefix))
    context.code.push_back(
        {.use = CodeUse::kAssertion, .named = "Python of an assertion", .where = assertion.span});
  for (const Value& each : assertion.AsMap().ListAt("assert")) NoteAssertion(context, each, depth + 1);
}

}  // namespace

std::optional<Test> ReadOneTest(const ReadContext& context, const Value& value, const std::string& folder,
                                bool is_part) {
  std::optional<Test> test = OneTest(context, folder).Read(value, is_part);
  if (test) NoteCode(context, *test);
  return test;
}

void NoteCode(const ReadContext& context, const Test& test) {
  for (const Value& assertion : test.asserts) NoteAssertion(context, assertion, 0);
  for (const std::string_view key : {"transform", "postprocess"})
    NoteUnlessScript(context, CodeUse::kTransform, test.options.Find(key));
  NoteIfCode(context, CodeUse::kTransform, test.options.Find("transformVars"));
  NoteIfCode(context, CodeUse::kProvider, test.options.Find("provider"));
  NoteIfCode(context, CodeUse::kProvider, &test.provider);
  NoteIfCode(context, CodeUse::kScoring, &test.scoring);
  for (const Member& member : test.variables) {
    NoteIfCode(context, CodeUse::kVariable, &member.value);
    if (!member.value.is_list()) continue;
    for (const Value& item : member.value.AsList()) NoteIfCode(context, CodeUse::kVariable, &item);
  }
}

}  // namespace assay::promptfoo
