// Knows tokens by their shape, as most families of models have them, and the others by their names.
#include "text/chat_tokens.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/thoughts.h"

namespace assay {
namespace {

constexpr std::string_view kBreak = "\u200b";
constexpr std::size_t kTokenNameMax = 64;

// Between "<" and ">", with or without "/": Llama 2 and Mistral, Gemma, GLM, T5, InternLM, openPangu; as
// whole names, or before a number.
constexpr std::string_view kNames[] = {"s",
                                       "bos",
                                       "eos",
                                       "pad",
                                       "unk",
                                       "BOS_TOKEN",
                                       "EOS_TOKEN",
                                       "sop",
                                       "eop",
                                       "eoa",
                                       "eoh",
                                       "start_of_turn",
                                       "end_of_turn",
                                       "startoftext",
                                       "endoftext",
                                       "start_of_image",
                                       "end_of_image",
                                       "image_soft_token",
                                       "start_function_call",
                                       "end_function_call",
                                       "escape",
                                       "_system",
                                       "_user",
                                       "_bot",
                                       "_end",
                                       "tool_call",
                                       "tool_response",
                                       "sep",
                                       "eod",
                                       "EOT",
                                       "end_of_utterance",
                                       "beginning_of_sentence",
                                       "end_of_sentence",
                                       "im_start",
                                       "im_end",
                                       "eot",
                                       "B_INST",
                                       "E_INST"};
constexpr std::string_view kNumbered[] = {"extra_id_", "SPECIAL_", "reserved_", "unused", "ctrl"};
// Tokens and starts of tokens of Mistral, GLM, Llama 2, MiniMax, Seed-OSS, LongCat, Ling, openPangu, Hunyuan,
// Skywork and TeleChat.
constexpr std::string_view kWhole[] = {"[INST]",
                                       "[/INST]",
                                       "[SYSTEM_PROMPT]",
                                       "[/SYSTEM_PROMPT]",
                                       "[AVAILABLE_TOOLS]",
                                       "[/AVAILABLE_TOOLS]",
                                       "[TOOL_CALLS]",
                                       "[TOOL_RESULTS]",
                                       "[/TOOL_RESULTS]",
                                       "[TOOL_CONTENT]",
                                       "[ARGS]",
                                       "[THINK]",
                                       "[/THINK]",
                                       "[gMASK]",
                                       "[BOS]",
                                       "[EOS]",
                                       "[sMASK]",
                                       "<<SYS>>",
                                       "<</SYS>>",
                                       "]~b]",
                                       "]~!b[",
                                       "[e~[",
                                       "<seed:",
                                       "</seed:",
                                       "<longcat_",
                                       "</longcat_",
                                       "<role>SYSTEM",
                                       "<role>HUMAN",
                                       "<role>ASSISTANT",
                                       "<role>OBSERVATION",
                                       "[unused",
                                       "[UNUSED_TOKEN_",
                                       "[USER]",
                                       "[BOT]",
                                       "[EOS]",
                                       "[MODEL_SETTINGS]",
                                       "[/MODEL_SETTINGS]",
                                       "[PREFIX]",
                                       "[MIDDLE]",
                                       "[SUFFIX]",
                                       "[CALL_ID]",
                                       "[IMG",
                                       "[BEGIN_AUDIO]",
                                       "<hy_",
                                       "</hy_",
                                       "]<]",
                                       "<minimax:",
                                       "</minimax:"};
constexpr std::string_view kBars[] = {"|", "｜"};

// What stands between the bracket that the text begins with and the next one that closes it; "" if that is no
// name.
std::string_view NameIn(std::string_view rest, char close) {
  if (rest.substr(1).starts_with(kBreak)) return {};  // broken before
  std::size_t end = 1;
  while (end < rest.size() && end <= kTokenNameMax && rest[end] != close) {
    const char c = rest[end];
    if (static_cast<unsigned char>(c) <= ' ' || c == '<' || c == '[') return {};
    ++end;
  }
  return end < rest.size() && rest[end] == close ? rest.substr(1, end - 1) : std::string_view();
}

// "<|user|>", "<|turn>", "<turn|>".
bool HasBar(std::string_view name) {
  return std::any_of(std::begin(kBars), std::end(kBars), [name](std::string_view bar) {
    return name.size() > bar.size() && (name.starts_with(bar) || name.ends_with(bar));
  });
}

bool IsNamed(std::string_view name) {
  if (name.starts_with('/')) name.remove_prefix(1);
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) return true;
  std::string_view stem = name;
  while (!stem.empty() && IsAsciiDigit(stem.back())) stem.remove_suffix(1);
  return stem != name && std::find(std::begin(kNumbered), std::end(kNumbered), stem) != std::end(kNumbered);
}

bool BeginsToken(std::string_view rest) {
  if (rest[0] != '<' && rest[0] != '[' && rest[0] != ']') return false;
  // Whoever quotes such a tag seems to end thoughts of its own, or to begin some.
  if (BeginsThoughtTag(rest)) return true;
  if (std::any_of(std::begin(kWhole), std::end(kWhole),
                  [rest](std::string_view token) { return rest.starts_with(token); }))
    return true;
  if (rest[0] == '[') return HasBar(NameIn(rest, ']'));
  const std::string_view name = rest[0] == '<' ? NameIn(rest, '>') : std::string_view();
  return HasBar(name) || IsNamed(name);
}

}  // namespace

std::string WithoutChatTokens(std::string_view text) {
  constexpr char32_t kReplacement = 0xfffd;
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    const bool is_lone = next.code_point >= 0xd800 && next.code_point <= 0xdfff;
    if (is_lone || next.code_point == 0) {
      AppendUtf8(kReplacement, plain);
    } else {
      plain += text.substr(at, next.size_bytes);
    }
    if (BeginsToken(text.substr(at))) plain += kBreak;
    at += next.size_bytes;
  }
  return plain;
}

}  // namespace assay
