// Reads the parts, and looks for them in an answer.
#include "checks/exported/sample_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/wanted/arguments.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {
namespace {

// The calls of an answer as chat services give them.
Value ToolsOf(const Transcript& transcript) {
  return ArrayOf(transcript.told.tool_calls, [](const ToolCall& call) {
    return Object{{"id", call.id},
                  {"type", "function"},
                  {"function", Object{{"name", call.name}, {"arguments", call.arguments}}}};
  });
}

const Value* Step(const Value& from, const Value& step) {
  if (step.is_string()) return from.Find(step.AsString());
  if (!from.is_list()) return nullptr;
  const auto size = static_cast<double>(from.AsList().size());
  const double place = step.AsNumber() < 0 ? size + step.AsNumber() : step.AsNumber();
  return place < 0 || place >= size ? nullptr : &from.AsList()[static_cast<std::size_t>(place)];
}

// Texts stand bare, everything else as JSON.
std::optional<std::string> TextAlong(const Value& root, const std::vector<Value>& path) {
  const Value* at = &root;
  for (const Value& step : path) {
    at = Step(*at, step);
    if (at == nullptr) return std::nullopt;
  }
  if (at->is_nullish()) return std::nullopt;
  return at->is_string() ? at->AsString() : WriteJson(*at, JsonStyle::kJavaScript);
}

}  // namespace

Result<SampleText::Part> SampleText::ReadPart(const Value& given) {
  if (!given.is_map()) return BadArgument("parts, {text} or {sample, path}", given);
  const Value* sample = given.Find("sample");
  if (sample == nullptr) {
    const Value* text = given.Find("text");
    if (text == nullptr) {
      return Error{.code = ErrorCode::kInvalidInput,
                   .message =
                       "the cell of the template is empty, or no item has the member; fill it in, or "
                       "write default(\"\")",
                   .where = given.span};
    }
    ASSAY_TRY(std::string written, WrittenText(*text));
    return Part{Source::kText, std::move(written), {}};
  }
  constexpr std::string_view kNames[] = {"output_text", "output_json", "output_tools"};
  constexpr Source kSources[] = {Source::kAnswer, Source::kJson, Source::kTools};
  const std::string& name = given.TextAt("sample");
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return BadArgument("output_text, output_json or output_tools", *sample);
  Part part{kSources[found - std::begin(kNames)], "sample." + name, given.ListAt("path")};
  for (const Value& step : part.path) {
    if (!step.is_string() && !step.is_number()) return BadArgument("a member or a place", step);
    part.text += step.is_string() ? "." + step.AsString() : fmt::format("[{}]", step.AsNumber());
  }
  return part;
}

Result<SampleText> SampleText::Read(const Value& given) {
  SampleText text;
  if (!given.is_list()) {
    ASSAY_TRY(std::string written, WrittenText(given));
    text.parts_.push_back({Source::kText, std::move(written), {}});
    return text;
  }
  for (const Value& each : given.AsList()) {
    ASSAY_TRY(Part part, ReadPart(each));
    text.parts_.push_back(std::move(part));
  }
  return text;
}

std::optional<std::string> SampleText::TextOf(const Part& part, const GradeInput& input) {
  switch (part.source) {
    case Source::kText:
      return part.text;
    case Source::kAnswer:
      return std::string(input.answer.text());
    case Source::kJson: {
      const Result<Value> document = ParseJson(input.answer.text());
      return document ? TextAlong(*document, part.path) : std::nullopt;
    }
    case Source::kTools:
      break;
  }
  return TextAlong(ToolsOf(input.transcript), part.path);
}

std::optional<std::string> SampleText::Of(const GradeInput& input, std::string& missing) const {
  std::string text;
  for (const Part& part : parts_) {
    const std::optional<std::string> next = TextOf(part, input);
    if (!next) {
      missing = part.text;
      return std::nullopt;
    }
    text += *next;
  }
  return text;
}

std::optional<std::string> SampleText::Fixed() const {
  std::string text;
  for (const Part& part : parts_) {
    if (part.source != Source::kText) return std::nullopt;
    text += part.text;
  }
  return text;
}

bool SampleText::IsWholeAnswer() const {
  return parts_.size() == 1 && parts_.front().source == Source::kAnswer;
}

}  // namespace assay
