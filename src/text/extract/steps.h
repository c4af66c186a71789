// ExtractRow: one step by which a part of an answer is found. Each is one file and one row of steps.cc.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/text/text_range.h"
#include "text/value.h"

namespace assay {

// Which of several parts counts: a number from 1, or one of these.
inline constexpr std::size_t kPickLast = 0;
inline constexpr std::size_t kPickOnly = static_cast<std::size_t>(-1);

// A part that a step finds.
struct FoundPart {
  TextRange where = {};                  // in the text that the step reads
  std::optional<std::string> text = {};  // absent: what stands there
};

// What `read` makes of the step's argument.
struct ExtractArgument {
  std::shared_ptr<const void> value = nullptr;
  std::optional<std::size_t> pick = {};  // which part counts, where the argument says it
};

struct ExtractRow {
  std::string_view name = {};
  std::string_view help = {};     // one line
  std::string_view example = {};  // YAML
  std::size_t pick = kPickLast;   // where the suite says nothing
  bool takes_pick = true;
  // kInvalidInput: "expected a text".
  Result<ExtractArgument> (*read)(const Value& argument) = nullptr;
  // All parts, in the order of the text. kLimit: it took too long.
  Result<std::vector<FoundPart>> (*find)(std::string_view text, const void* argument) = nullptr;
};

// In the order of the documents.
std::span<const ExtractRow> ExtractTable();

// 1 for "first", 0 for "last", kPickOnly for "only", a whole number from 1; nothing for others.
std::optional<std::size_t> PickOf(const Value& value);
// "expected a text, found a list".
Error BadStep(std::string_view expected, const Value& found);
// `true`, which says no more than that the step is taken.
Result<ExtractArgument> ReadTrue(const Value& argument);
// A text that is not empty, kept as a std::string.
Result<ExtractArgument> ReadMark(const Value& argument);

// Where the text stands in another one in any letter case, from `from` on; empty: nowhere.
TextRange FindAnyCase(std::string_view mark, std::string_view text, std::size_t from);

Result<ExtractArgument> ReadPattern(const Value& argument);
Result<std::vector<FoundPart>> FindPattern(std::string_view text, const void* argument);
Result<ExtractArgument> ReadNumberStep(const Value& argument);
Result<std::vector<FoundPart>> FindNumberParts(std::string_view text, const void* argument);
Result<std::vector<FoundPart>> FindBoxes(std::string_view text, const void* argument);
Result<ExtractArgument> ReadTagName(const Value& argument);
Result<std::vector<FoundPart>> FindTags(std::string_view text, const void* argument);
Result<std::vector<FoundPart>> FindWithoutTags(std::string_view text, const void* argument);
Result<ExtractArgument> ReadCodeStep(const Value& argument);
Result<std::vector<FoundPart>> FindCode(std::string_view text, const void* argument);
Result<ExtractArgument> ReadJsonStep(const Value& argument);
Result<std::vector<FoundPart>> FindJsonPart(std::string_view text, const void* argument);
Result<ExtractArgument> ReadChoiceStep(const Value& argument);
Result<std::vector<FoundPart>> FindChoicePart(std::string_view text, const void* argument);
Result<std::vector<FoundPart>> FindBehindMark(std::string_view text, const void* argument);
Result<ExtractArgument> ReadLineStep(const Value& argument);
Result<std::vector<FoundPart>> FindLines(std::string_view text, const void* argument);

}  // namespace assay
