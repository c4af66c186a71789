// SplitThoughts: parts an answer from what its model thought aloud before it, in the tags that chat templates
// and models use for that.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

// How a family of models marks thoughts; letter case does not count.
struct ThoughtTags {
  std::string_view open;
  std::string_view close;
};
std::span<const ThoughtTags> ThoughtTagTable();
// Whether the text begins with one of these tags, opening or closing.
bool BeginsThoughtTag(std::string_view text);

struct SplitAnswer {
  std::string thoughts;  // blocks parted by a blank line; "" if there are none
  std::string answer;    // what follows, trimmed; all of the text, as it stands, where it has no thoughts
  bool is_open = false;  // the last block is never closed, so there is no answer
};

// What is known of an answer: a judge's verdict has a form.
struct AnswerForm {
  bool (*begins)(std::string_view text);         // whether a text begins as the answer must
  bool (*may_follow)(std::string_view thoughts);  // whether thoughts may end here: no quotation is open
};

// Thoughts stand before the answer: blocks at its start, one after the other, or all up to a closing tag
// whose opening tag the chat template wrote. A tag that is quoted in code is a part of the answer, and so is
// one that stands together with its opening tag behind the first words. Linear in the length of the text.
//
// With `form`, a text that begins so has no thoughts, whatever it quotes. Thoughts end at a closing tag that
// the answer follows and before which none of their quotations is open. An opening tag behind them that is
// never closed is of the answer. An answer that begins with an indented block keeps its blanks.
SplitAnswer SplitThoughts(std::string_view text, const AnswerForm* form = nullptr);

}  // namespace assay
