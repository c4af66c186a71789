// Reads the steps of an extraction, and follows them.
#include "text/extract/extraction.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "text/extract/steps.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

constexpr std::size_t kWaysMax = 32;  // steps of a list, and of a chain
constexpr std::string_view kWholeAnswer = "none";
constexpr std::string_view kPickKey = "pick";

const ExtractRow* FindStep(std::string_view name) {
  const std::span<const ExtractRow> rows = ExtractTable();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [name](const ExtractRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Error AtSpan(Error error, Span where) {
  if (!error.where) error.where = where;
  return error;
}

Error UnknownStep(const Member& member) {
  std::vector<std::string_view> names;
  for (const ExtractRow& row : ExtractTable()) names.push_back(row.name);
  const std::string_view near = DidYouMean(member.key, names);
  return {ErrorCode::kInvalidInput,
          fmt::format("there is no step {}{}", Quoted(member.key),
                      near.empty() ? "; `assay list extractions` names them"
                                   : fmt::format("; did you mean {}?", Quoted(near))),
          member.key_span};
}

// The part of several that counts; null: there is none.
const FoundPart* Picked(const std::vector<FoundPart>& parts, std::size_t pick) {
  if (parts.empty()) return nullptr;
  if (pick == kPickLast) return &parts.back();
  if (pick == kPickOnly) return parts.size() == 1 ? &parts.front() : nullptr;
  return pick <= parts.size() ? &parts[pick - 1] : nullptr;
}

// The range without white space at its ends.
TextRange TrimmedPart(std::string_view text, TextRange range) {
  const std::string_view whole = text.substr(range.from, range.to - range.from);
  const std::string_view bare = JsTrim(whole);
  if (bare.empty()) return {};
  const std::size_t from = range.from + static_cast<std::size_t>(bare.data() - whole.data());
  return {from, from + bare.size()};
}

}  // namespace

struct Extraction::Reader {
  static Result<Step> ReadStep(const Value& value) {
    if (value.is_null() || (value.is_string() && value.AsString() == kWholeAnswer)) return Step{};
    if (value.is_string()) return Of(*FindStep("regex"), value, nullptr);
    if (!value.is_map()) return BadStep("a step, such as {number: last} or a pattern", value);
    const Member* named = nullptr;
    const Value* pick = value.Find(kPickKey);
    for (const Member& member : value.AsMap()) {
      if (member.key == kPickKey) continue;
      if (FindStep(member.key) == nullptr) return UnknownStep(member);
      if (named != nullptr) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("expected one step, found {} and {}", named->key, member.key),
                     member.key_span};
      }
      named = &member;
    }
    if (named == nullptr) return BadStep("a step, such as {number: last}", value);
    Result<Step> step = Of(*FindStep(named->key), named->value, pick);
    if (!step) {
      Error error = AtSpan(std::move(step).error(), named->value.span);
      if (error.code != ErrorCode::kLimit) error.message = fmt::format("{}: {}", named->key, error.message);
      return error;
    }
    return step;
  }

  static Result<Step> Of(const ExtractRow& row, const Value& argument, const Value* pick) {
    ASSAY_TRY(ExtractArgument read, row.read(argument));
    Step step{.row = &row, .argument = std::move(read.value), .pick = read.pick.value_or(row.pick)};
    if (pick == nullptr) return step;
    if (!row.takes_pick || read.pick) {
      return Error{ErrorCode::kInvalidInput, "pick has no effect beside it; remove it", pick->span};
    }
    const std::optional<std::size_t> picked = PickOf(*pick);
    if (!picked) return BadStep("pick: first, last, only, or a number from 1", *pick);
    step.pick = *picked;
    return step;
  }

  static Result<Chain> ReadChain(const Value& value) {
    Chain chain;
    if (!value.is_list()) {
      ASSAY_TRY(Step step, ReadStep(value));
      chain.push_back(std::move(step));
      return chain;
    }
    if (value.AsList().empty() || value.AsList().size() > kWaysMax)
      return BadStep(fmt::format("a chain of 1 to {} steps", kWaysMax), value);
    for (const Value& item : value.AsList()) {
      ASSAY_TRY(Step step, ReadStep(item));
      chain.push_back(std::move(step));
    }
    return chain;
  }
};

Result<Extraction> Extraction::Read(const Value& value) {
  Extraction extraction;
  if (!value.is_list()) {
    ASSAY_TRY(Chain chain, Reader::ReadChain(value));
    extraction.ways_.push_back(std::move(chain));
    return extraction;
  }
  if (value.AsList().empty() || value.AsList().size() > kWaysMax)
    return BadStep(fmt::format("a list of 1 to {} steps", kWaysMax), value);
  for (const Value& item : value.AsList()) {
    ASSAY_TRY(Chain chain, Reader::ReadChain(item));
    extraction.ways_.push_back(std::move(chain));
  }
  return extraction;
}

bool Extraction::IsWhole() const {
  return ways_.empty() || (ways_.front().size() == 1 && ways_.front().front().row == nullptr);
}

Result<std::optional<ExtractedPart>> Extraction::Find(std::string_view answer) const {
  if (IsWhole()) return std::optional(ExtractedPart{std::string(answer), {0, answer.size()}});
  for (const Chain& chain : ways_) {
    ASSAY_TRY(std::optional<ExtractedPart> part, Follow(chain, answer));
    if (part) return part;
  }
  return std::optional<ExtractedPart>();
}

Result<std::optional<ExtractedPart>> Extraction::Follow(const Chain& chain, std::string_view answer) {
  std::string made;  // what stands nowhere in the answer as it is
  std::string_view text = answer;
  TextRange where{0, answer.size()};
  bool stands = true;  // `text` is the answer's `where`
  for (const Step& step : chain) {
    if (step.row == nullptr) continue;
    ASSAY_TRY(std::vector<FoundPart> parts, step.row->find(text, step.argument.get()));
    const FoundPart* part = Picked(parts, step.pick);
    if (part == nullptr) return std::optional<ExtractedPart>();
    const TextRange inner = TrimmedPart(text, part->where);
    if (!part->text && inner.empty()) return std::optional<ExtractedPart>();
    // Of a text that stands nowhere the place is that of what it was made of.
    if (stands) where = {where.from + inner.from, inner.empty() ? where.from : where.from + inner.to};
    if (part->text) {
      made = std::string(JsTrim(*part->text));
      if (made.empty()) return std::optional<ExtractedPart>();
      text = made;
      stands = false;
    } else if (stands) {
      text = text.substr(inner.from, inner.to - inner.from);
    } else {
      made = std::string(text.substr(inner.from, inner.to - inner.from));
      text = made;
    }
  }
  if (JsTrim(text).empty()) return std::optional<ExtractedPart>();
  return std::optional(ExtractedPart{std::string(text), where});
}

}  // namespace assay
