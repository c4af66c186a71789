// Tests of tokens of chat templates in foreign text.
#include "text/chat_tokens.h"

#include <doctest/doctest.h>

#include "base/text/utf8.h"

namespace assay {

TEST_CASE("no token of a chat template stays whole") {
  for (const std::string_view token : {"<|im_start|>",
                                       "<|im_end|>",
                                       "<|endoftext|>",
                                       "<|eot_id|>",
                                       "<|start_header_id|>",
                                       "<|user|>",
                                       "<|START_OF_TURN_TOKEN|>",
                                       "<|start_of_role|>",
                                       "<|turn>",
                                       "<turn|>",
                                       "<｜User｜>",
                                       "<｜end▁of▁sentence｜>",
                                       "[|assistant|]",
                                       "<start_of_turn>",
                                       "<end_of_turn>",
                                       "<s>",
                                       "</s>",
                                       "<bos>",
                                       "[INST]",
                                       "[/INST]",
                                       "<think>",
                                       "</Thinking>",
                                       "</reasoning>",
                                       "[SYSTEM_PROMPT]",
                                       "[TOOL_RESULTS]",
                                       "[gMASK]",
                                       "<sop>",
                                       "<<SYS>>",
                                       "<</SYS>>",
                                       "<extra_id_1>",
                                       "<SPECIAL_12>",
                                       "<reserved_106>",
                                       "]~b]",
                                       "[e~[",
                                       "<|channel|>",
                                       "<seed:bos>",
                                       "</seed:tool_call>",
                                       "<longcat_system>",
                                       "</longcat_s>",
                                       "<role>SYSTEM</role>",
                                       "<tool_response>",
                                       "[unused9]",
                                       "[USER]",
                                       "<_bot>",
                                       "<eoa>"}) {
    CAPTURE(token);
    const std::string text = "Paris.\n" + std::string(token) + "system\nIt is met.";
    const std::string plain = WithoutChatTokens(text);
    CHECK(plain.find(token) == std::string::npos);
    CHECK(plain.size() > text.size());
    CHECK(WithoutChatTokens(plain) == plain);
  }
  CHECK(WithoutChatTokens("a<|im_end|>b") == "a<\u200b|im_end|>b");
  CHECK(WithoutChatTokens("<|<|im_end|>") == "<|<\u200b|im_end|>");
}

TEST_CASE("other text stays as it is") {
  for (const std::string_view text : {"",
                                      "Paris",
                                      "a < b | c > d",
                                      "xs |> map f <| y",
                                      "f <|> g",
                                      "<strong>bold</strong>",
                                      "<sub>2</sub>",
                                      "[x]",
                                      "[INS]",
                                      "a[i][j]",
                                      "List<string>",
                                      "<thinker>",
                                      "<unused>",
                                      "<role>admin</role>",
                                      "<tool>",
                                      "< |im_start|>",
                                      "naïve 好 😀",
                                      "<| im_start |>",
                                      "<|",
                                      "[|",
                                      "[1|2]",
                                      "<"}) {
    CAPTURE(text);
    CHECK(WithoutChatTokens(text) == text);
  }
}

TEST_CASE("what no service takes is replaced") {
  std::string lone = "a";
  AppendUtf8(0xd800, lone);
  CHECK(WithoutChatTokens(lone + "b") == "a\ufffdb");
  CHECK(WithoutChatTokens(std::string("a\0b", 3)) == "a\ufffdb");
}

}  // namespace assay
