// Checks of assertions, with the files that they name and the models that grade them.
#include "dialects/promptfoo/lower/assertions.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "dialects/promptfoo/assertion_types.h"
#include "dialects/promptfoo/read/context.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/test_reader.h"
#include "spec/suite/check.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr std::size_t kTextBytesMax = 400;  // of what people are shown of an assertion
constexpr std::string_view kSet = "assert-set";

// The assertions that have a result of their own: those of a set, or the one.
List LeavesOf(const Value& assertion) {
  return assertion.TextAt("type") == kSet ? assertion.ListAt("assert") : List{assertion};
}

bool IsCode(const ReadAccess& access, const Value& assertion) {
  std::vector<Code> code;
  const EvalOptions options;
  const ReadContext context{options, access.files, access.sources, access.diagnostics, code};
  Test test;
  test.asserts.push_back(assertion);
  NoteCode(context, test);
  return !code.empty();
}

// The place of a judge in the check's list, where it is put if it is not there.
double PlaceOfJudge(JudgeIndex judge, Check& check) {
  std::vector<JudgeIndex>& judges = check.judges.edit();
  auto found = std::find(judges.begin(), judges.end(), judge);
  if (found == judges.end()) found = judges.insert(judges.end(), judge);
  return static_cast<double>(found - judges.begin());
}

std::string ShortText(std::string text) {
  for (char& byte : text) {
    if (byte == '\n' || byte == '\r' || byte == '\t') byte = ' ';
  }
  const std::string_view trimmed = JsTrim(text);
  const std::string_view cut = CutToBytes(trimmed, kTextBytesMax);
  return std::string(cut) + (cut.size() < trimmed.size() ? "…" : "");
}

}  // namespace

std::string AssertionMaker::Rendered(const std::string& text, const Map& variables) {
  if (text.find('{') == std::string::npos) return text;
  const Result<std::string> rendered = templates_.Render(text, variables);
  return rendered ? *rendered : text;
}

std::string AssertionMaker::TextOf(const Value& assertion, const Map& variables) {
  const std::string& type = assertion.TextAt("type");
  if (type == kSet) {
    std::string text = fmt::format("{}: ", type);
    for (const Value& member : assertion.ListAt("assert"))
      text += (text.ends_with(": ") ? "" : "; ") + TextOf(member, variables);
    return ShortText(std::move(text));
  }
  const auto text_of = [&](const Value& item) {
    return item.is_string() ? Rendered(item.AsString(), variables) : WriteJson(item, JsonStyle::kJavaScript);
  };
  std::string said;
  for (const Value& item : assertion.ListAt("value")) said += (said.empty() ? "" : ", ") + text_of(item);
  const Value* value = assertion.Find("value");
  const bool is_one = value != nullptr && !value->is_list() && !value->is_null() && !value->is_undefined();
  if (is_one) said = text_of(*value);
  if (const Value* threshold = assertion.Find("threshold"); threshold != nullptr && said.empty())
    said = JsTextOf(*threshold);
  return said.empty() ? type : fmt::format("{}: {}", type, ShortText(std::move(said)));
}

std::optional<Value> AssertionMaker::FileValueOf(const std::string& named, const Map& variables, Span where) {
  const std::string path = JoinedPath(config_.folder, WithoutFilePrefix(Rendered(named, variables)));
  const auto [known, is_new] = files_.try_emplace(path);
  if (!is_new) return known->second;
  const std::string ending = ExtensionOf(path);
  if (ending == ".json" || ending == ".yaml" || ending == ".yml") {
    std::vector<Code> code;
    const EvalOptions options;
    known->second =
        ReadDocument({options, access_.files, access_.sources, access_.diagnostics, code}, path, where);
    return known->second;
  }
  Result<std::string> text = access_.files.Read(path);
  if (!text) {
    access_.diagnostics.Error("promptfoo.path", fmt::format("{}: {}", named, text.error().message), where,
                              "name a file from the folder of the config");
    return std::nullopt;
  }
  known->second = Value(std::string(JsTrim(*text)));
  return known->second;
}

Value AssertionMaker::WithFile(const Value& value, const Map& variables) {
  if (!value.is_string() || !value.AsString().starts_with(kFilePrefix)) return value;
  if (IsScriptName(value.AsString())) return Value(scripts_.Add(value.AsString(), value.span));
  return FileValueOf(value.AsString(), variables, value.span).value_or(value);
}

Value AssertionMaker::WithFiles(const Value& assertion, const Map& variables) {
  Value read = assertion;
  for (const std::string_view key : {"value", "rubricPrompt", "transform"}) {
    if (Value* value = read.AsMap().Find(key)) *value = WithFile(*value, variables);
  }
  if (Value* members = read.AsMap().Find("assert"); members != nullptr && members->is_list()) {
    for (Value& member : members->AsList()) {
      if (member.is_map()) member = WithFiles(member, variables);
    }
  }
  return read;
}

Map AssertionMaker::GraderOf(const Value& leaf, const Test& test, Check& check) {
  Map grader;
  const AssertionType* type = FindAssertionType(leaf.TextAt("type"));
  if (type == nullptr) return grader;
  if (type->needs_text) {
    if (const auto judge = graders_.ForTexts(leaf, test.options))
      grader.Append("text", PlaceOfJudge(*judge, check));
  }
  if (type->needs_embedding) {
    if (const auto judge = graders_.ForEmbeddings(leaf, test.options))
      grader.Append("embedding", PlaceOfJudge(*judge, check));
  }
  return grader;
}

Check AssertionMaker::CheckOf(const Value& assertion, const Test& test, const Map& variables) {
  Check check;
  check.kind = kAssertionKind;
  check.span = assertion.span;
  check.weight = assertion.NumberAt("weight").value_or(1);
  check.text = TextOf(assertion, variables);
  const std::string metric = Rendered(assertion.TextAt("metric"), variables);
  if (!metric.empty()) check.metric = metric;
  List graders;
  for (const Value& leaf : LeavesOf(assertion)) {
    graders.emplace_back(GraderOf(leaf, test, check));
  }
  check.args = Object{{"assertion", assertion}, {"graders", std::move(graders)}};
  check.args.span = assertion.span;
  return check;
}

void AssertionMaker::AddChecks(const Test& test, const Map& variables, Case& the_case) {
  the_case.tree.op = CheckNode::Op::kAll;
  for (const Value& written : test.asserts) {
    if (!written.is_map()) continue;
    if (IsCode(access_, written)) continue;
    const Value assertion = WithFiles(written, variables);
    Check check = CheckOf(assertion, test, variables);
    check.id = std::to_string(the_case.checks.size() + 1);
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    leaf.check = static_cast<CheckIndex>(the_case.checks.size());
    the_case.tree.children.push_back(std::move(leaf));
    the_case.checks.push_back(std::move(check));
  }
}

}  // namespace assay::promptfoo
