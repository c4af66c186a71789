// The table of tags, and the two places where thoughts can stand.
#include "text/thoughts.h"

#include <algorithm>
#include <optional>

#include "base/text/ascii.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// In this order: DeepSeek, Qwen and most templates; prompts that ask for tags; Gemma; Seed; Magistral;
// gpt-oss.
constexpr ThoughtTags kThoughtTags[] = {
    {"<think>", "</think>"},
    {"<thinking>", "</thinking>"},
    {"<thought>", "</thought>"},
    {"<thoughts>", "</thoughts>"},
    {"<reasoning>", "</reasoning>"},
    {"<seed:think>", "</seed:think>"},
    {"[think]", "[/think]"},
    {"<|channel|>analysis<|message|>", "<|end|>"},
    {"<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"},
    {"<|channel|>commentary<|message|>", "<|end|>"},
    {"<|start|>assistant<|channel|>commentary<|message|>", "<|end|>"},
};

// What harmony writes around the answer itself.
constexpr std::string_view kAnswerOpenings[] = {"<|start|>assistant<|channel|>final<|message|>",
                                                "<|channel|>final<|message|>"};
constexpr std::string_view kAnswerEnds[] = {"<|return|>", "<|end|>"};

bool StandsAt(std::string_view text, std::size_t at, std::string_view tag) {
  if (text.size() - at < tag.size()) return false;
  return std::equal(tag.begin(), tag.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == AsciiLower(b); });
}

// npos where there is none.
std::size_t FindTag(std::string_view text, std::string_view tag, std::size_t from = 0) {
  for (std::size_t at = text.find(tag.front(), from); at != std::string_view::npos;
       at = text.find(tag.front(), at + 1)) {
    if (StandsAt(text, at, tag)) return at;
  }
  return std::string_view::npos;
}

void AddBlock(std::string_view block, SplitAnswer& split) {
  block = JsTrim(block);
  if (block.empty()) return;
  if (!split.thoughts.empty()) split.thoughts += "\n\n";
  split.thoughts += block;
}

const ThoughtTags* OpeningAt(std::string_view text) {
  for (const ThoughtTags& tags : kThoughtTags) {
    if (StandsAt(text, 0, tags.open)) return &tags;
  }
  return nullptr;
}

// Takes the blocks at the start off; whether something is taken off by now. `has_taken`: before.
bool TakeLeading(std::string_view& text, LateOpening late, bool has_taken, SplitAnswer& split) {
  for (const ThoughtTags* tags = OpeningAt(text); tags != nullptr; tags = OpeningAt(text)) {
    const std::size_t close = FindTag(text, tags->close, tags->open.size());
    if (close == std::string_view::npos && has_taken && late == LateOpening::kAnswer) break;
    has_taken = true;
    if (close == std::string_view::npos) {
      AddBlock(text.substr(tags->open.size()), split);
      split.is_open = true;
      text = {};
      break;
    }
    AddBlock(text.substr(tags->open.size(), close - tags->open.size()), split);
    text = JsTrim(text.substr(close + tags->close.size()));
  }
  return has_taken;
}

// Whether what stands before is open code: an odd number of backticks on its line, or of fences.
bool IsInCode(std::string_view before) {
  const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
  if (std::count(before.begin() + static_cast<std::ptrdiff_t>(line), before.end(), '`') % 2 != 0) return true;
  bool is_open = false;
  for (std::size_t at = 0; at < line;) {
    const std::string_view rest = before.substr(at);
    if (rest.starts_with("```") || rest.starts_with("~~~")) is_open = !is_open;
    at = before.find('\n', at) + 1;
  }
  return is_open;
}

// All up to a closing tag without its opening one, which the chat template wrote.
bool TakeUpToLoneEnd(std::string_view& text, SplitAnswer& split) {
  for (const ThoughtTags& tags : kThoughtTags) {
    if (tags.close.starts_with("<|")) continue;  // harmony's end ends answers as well
    const std::size_t close = FindTag(text, tags.close);
    if (close == std::string_view::npos) continue;
    const std::string_view before = text.substr(0, close);
    if (FindTag(before, tags.open) != std::string_view::npos || IsInCode(before)) continue;
    AddBlock(before, split);
    text = JsTrim(text.substr(close + tags.close.size()));
    return true;
  }
  return false;
}

// Takes the marks off that harmony puts around an answer; whether there was one.
bool TakeAnswerMarks(std::string_view& text) {
  for (const std::string_view opening : kAnswerOpenings) {
    if (!StandsAt(text, 0, opening)) continue;
    text.remove_prefix(opening.size());
    for (const std::string_view end : kAnswerEnds) {
      if (text.ends_with(end)) text.remove_suffix(end.size());
    }
    text = JsTrim(text);
    return true;
  }
  return false;
}

}  // namespace

std::span<const ThoughtTags> ThoughtTagTable() { return kThoughtTags; }

bool BeginsThoughtTag(std::string_view text) {
  return std::any_of(std::begin(kThoughtTags), std::end(kThoughtTags), [text](const ThoughtTags& tags) {
    return StandsAt(text, 0, tags.open) || StandsAt(text, 0, tags.close);
  });
}

SplitAnswer SplitThoughts(std::string_view text, LateOpening late) {
  SplitAnswer split;
  std::string_view rest = JsTrim(text);
  const bool has_lone_end = TakeUpToLoneEnd(rest, split);
  const bool has_thoughts = TakeLeading(rest, late, has_lone_end, split);
  const bool has_marks = TakeAnswerMarks(rest);
  split.answer = has_thoughts || has_marks ? rest : text;
  return split;
}

}  // namespace assay
