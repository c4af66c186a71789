// The table of tags, and the two places where thoughts can stand.
#include "text/thoughts.h"

#include <algorithm>
#include <optional>

#include "base/text/ascii.h"
#include "text/javascript/text.h"
#include "text/letters/indent.h"

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

bool OpensAnswer(std::string_view text) {
  return std::any_of(std::begin(kAnswerOpenings), std::end(kAnswerOpenings),
                     [text](std::string_view opening) { return StandsAt(text, 0, opening); });
}

// Whether what follows a closing tag can be the answer, or more thoughts.
bool MayFollow(std::string_view rest, const AnswerForm& form) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return form.begins(rest) || OpeningAt(rest) != nullptr || OpensAnswer(rest);
}

// The closing tag that ends the thoughts which reach up to `from` at least: the first one that the answer
// follows; npos if there is none.
std::size_t FindEnd(std::string_view text, std::string_view tag, std::size_t from, const AnswerForm* form) {
  constexpr int kTriesMax = 100;  // a reply may consist of tags
  std::size_t close = FindTag(text, tag, from);
  for (int tries = 1; form != nullptr && close != std::string_view::npos; ++tries) {
    if (MayFollow(text.substr(close + tag.size()), *form) && form->may_follow(text.substr(0, close))) break;
    close = tries == kTriesMax ? std::string_view::npos : FindTag(text, tag, close + 1);
  }
  return close;
}

// Takes the blocks at the start off; whether something is taken off by now. `has_taken`: before.
bool TakeLeading(std::string_view& text, const AnswerForm* form, bool has_taken, SplitAnswer& split) {
  for (const ThoughtTags* tags = OpeningAt(text); tags != nullptr; tags = OpeningAt(text)) {
    std::size_t close = FindEnd(text, tags->close, tags->open.size(), form);
    if (close == std::string_view::npos) {
      close = FindTag(text, tags->close, tags->open.size());
      const bool is_there = close != std::string_view::npos;
      // An answer that nobody can tell from a quotation within the thoughts stays as it is.
      if (is_there && form != nullptr && MayFollow(text.substr(close + tags->close.size()), *form)) break;
    }
    if (close == std::string_view::npos && has_taken && form != nullptr) break;
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
bool TakeUpToLoneEnd(std::string_view& text, const AnswerForm* form, SplitAnswer& split) {
  for (const ThoughtTags& tags : kThoughtTags) {
    if (tags.close.starts_with("<|")) continue;  // harmony's end ends answers as well
    const std::size_t close = FindEnd(text, tags.close, 0, form);
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

SplitAnswer SplitThoughts(std::string_view text, const AnswerForm* form) {
  SplitAnswer split;
  std::string_view rest = JsTrim(text);
  if (form != nullptr && form->begins(rest)) {
    split.answer = text;
    return split;
  }
  const bool has_lone_end = TakeUpToLoneEnd(rest, form, split);
  const bool has_thoughts = TakeLeading(rest, form, has_lone_end, split);
  const bool has_marks = TakeAnswerMarks(rest);
  if (form != nullptr && !has_marks) rest = WithIndent(text, rest);
  split.answer = has_thoughts || has_marks ? rest : text;
  return split;
}

}  // namespace assay
