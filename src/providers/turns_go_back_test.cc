// Tests that a model's turn is sent back as it came, whole or streamed, with thoughts, signatures and all
// else in its order; and that turns which text and calls say whole are kept as they always were.
#include <doctest/doctest.h>

#include "providers/provider.h"
#include "spec/exchange/exchange.h"
#include "text/json/json.h"

namespace assay {
namespace {

HttpReply Came(std::string body, const char* type) {
  HttpReply reply;
  reply.status = 200;
  reply.headers.push_back({"content-type", type});
  reply.body = std::move(body);
  return reply;
}

// Each line is the data of an event.
std::string Events(std::string_view lines) {
  std::string stream;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    stream += "data: " + std::string(lines.substr(0, end)) + "\n\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return stream;
}

// The member of a follow-up's body that holds the conversation, as the service gets it: what stands between
// the question and the next one.
Value TurnSent(std::string_view provider, const ModelReply& reply, const ModelFacts* facts = nullptr) {
  ModelRequest request;
  request.provider = provider;
  request.model = "m";
  request.base_url = "http://h/v1";
  // As the store keeps it.
  const Reply stored = DecodeReply(RequestKind::kModel, EncodeReply(reply)).value();
  const auto& kept = std::get<ModelReply>(stored);
  request.messages = {
      {Role::kUser, "Hi"},
      {.role = Role::kAssistant, .text = kept.text, .calls = kept.tool_calls, .parts = kept.parts},
      {Role::kUser, "Go on"}};
  const Value body = ParseJson(FindProvider(provider)->encode_known(request, facts).value().body).value();
  for (const std::string_view name : {"messages", "contents", "input"}) {
    const Value* list = body.Find(name);
    if (list == nullptr) continue;
    List items = list->AsList();
    REQUIRE(items.size() >= 3);
    return Value(List(items.begin() + 1, items.end() - 1));
  }
  return {};
}

struct TurnRow {
  std::string_view provider;
  std::string_view whole;
  std::string_view events;  // "": its protocol has the whole again at the end
  std::string_view sent;    // what goes back
  std::string_view text;
  std::string_view reasoning;
};

constexpr TurnRow kTurns[] = {
    // Thoughts between words and calls keep their places.
    {"anthropic",
     R"({"stop_reason":"tool_use","content":[{"type":"thinking","thinking":"a","signature":"s1"},)"
     R"({"type":"text","text":"Wait "},{"type":"thinking","thinking":"bc","signature":"s2"},)"
     R"({"type":"tool_use","id":"t","name":"f","input":{"x":[1]}}]})",
     R"({"type":"message_start","message":{"usage":{"input_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a"}}
{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s1"}}
{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Wait "}}
{"type":"content_block_start","index":2,"content_block":{"type":"thinking","thinking":"","signature":"s2"}}
{"type":"content_block_delta","index":2,"delta":{"type":"thinking_delta","thinking":"b"}}
{"type":"content_block_delta","index":2,"delta":{"type":"thinking_delta","thinking":"c"}}
{"type":"content_block_delta","index":2,"delta":{"type":"signature_delta","signature":"s2"}}
{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}
{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"x\":"}}
{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"[1]}"}}
{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":4}}
{"type":"message_stop"})",
     R"([{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"s1"},)"
     R"({"type":"text","text":"Wait "},{"type":"thinking","thinking":"bc","signature":"s2"},)"
     R"({"type":"tool_use","id":"t","name":"f","input":{"x":[1]}}]}])",
     "Wait", "abc"},
    // The service's own tools, with sources.
    {"anthropic",
     R"({"stop_reason":"end_turn","content":[{"type":"server_tool_use","id":"s","name":"web_search",)"
     R"("input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},)"
     R"({"type":"text","text":"It is.","citations":[{"type":"char_location","cited_text":"c"}]}]})",
     R"({"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","na)"
     R"(me":"web_search","input":{}}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\")"
     R"(q\"}"}}
{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":")"
     R"(s","content":[]}}
{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"type":"char_locat)"
     R"(ion","cited_text":"c"}}}
{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"It is."}}
{"type":"message_delta","delta":{"stop_reason":"end_turn"}}
{"type":"message_stop"})",
     R"([{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search",)"
     R"("input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},)"
     R"({"type":"text","text":"It is.","citations":[{"type":"char_location","cited_text":"c"}]}]}])",
     "It is.", ""},
    {"google",
     R"({"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},)"
     R"({"text":"Hi you"},{"text":"","thoughtSignature":"cw=="}]},"finishReason":"STOP"}]})",
     R"({"candidates":[{"content":{"parts":[{"text":"h","thought":true}]}}]}
{"candidates":[{"content":{"parts":[{"text":"m","thought":true},{"text":"Hi"}]}}]}
{"candidates":[{"content":{"parts":[{"text":" you"}]}}]}
{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"cw=="}]},"finishReason":"STOP"}]})",
     R"([{"role":"model","parts":[{"text":"hm","thought":true},{"text":"Hi you"},)"
     R"({"text":"","thoughtSignature":"cw=="}]}])",
     "Hi you", "hm"},
    {"openai-compatible",
     R"({"choices":[{"finish_reason":"tool_calls","message":{"content":null,"reasoning_content":"hm",)"
     R"("tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}}]})",
     R"({"choices":[{"delta":{"role":"assistant","content":null,"reasoning_content":"h"}}]}
{"choices":[{"delta":{"reasoning_content":"m"}}]}
{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","argume)"
     R"(nts":"{}"}}]}}]}
{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}
[DONE])",
     R"([{"role":"assistant","content":null,"reasoning_content":"hm",)"
     R"("tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}])",
     "", "hm"},
    {"openrouter",
     R"({"choices":[{"finish_reason":"stop","message":{"content":"Hi","reasoning":"hm","reasoning_deta)"
     R"(ils":[)"
     R"({"type":"reasoning.text","text":"hm","signature":"s","format":"anthropic-claude-v1","index":0},)"
     R"({"type":"reasoning.encrypted","data":"x","index":1}]}}]})",
     R"({"choices":[{"delta":{"content":"","reasoning_details":[{"type":"reasoning.text","text":"h","f)"
     R"(ormat":"anthropic-claude-v1","index":0}]}}]}
{"choices":[{"delta":{"content":"","reasoning_details":[{"type":"reasoning.text","text":"m","index":0}]}}]}
{"choices":[{"delta":{"content":"","reasoning_details":[{"type":"reasoning.text","signature":"s","index")"
     R"(:0}]}}]}
{"choices":[{"delta":{"content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"x","index")"
     R"(:1}]}}]}
{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
[DONE])",
     R"([{"role":"assistant","content":"Hi","reasoning_details":[)"
     R"({"type":"reasoning.text","text":"hm","signature":"s","format":"anthropic-claude-v1","index":0},)"
     R"({"type":"reasoning.encrypted","data":"x","index":1}]}])",
     "Hi", "hm"},
    {"openai-compatible",  // LiteLLM before a Claude
     R"({"choices":[{"finish_reason":"stop","message":{"content":"Hi","thinking_blocks":[)"
     R"({"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"x"}]}}]})",
     R"({"choices":[{"delta":{"thinking_blocks":[{"type":"thinking","thinking":"h","signature":null}]}}]}
{"choices":[{"delta":{"thinking_blocks":[{"type":"thinking","thinking":"m"}]}}]}
{"choices":[{"delta":{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"s"}]}}]}
{"choices":[{"delta":{"thinking_blocks":[{"type":"redacted_thinking","data":"x"}]}}]}
{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
[DONE])",
     R"([{"role":"assistant","content":"Hi","thinking_blocks":[)"
     R"({"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"x"}]}])",
     "Hi", ""},
    {"openai-compatible",  // Google's interface for OpenAI's clients
     R"({"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"c","type":"function",)"
     R"("function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}},)"
     R"({"id":"d","type":"function","function":{"name":"g","arguments":"{}"}}]}}]})",
     R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":")"
     R"(f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}}]}
{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"d","type":"function","function":{"name":"g","argume)"
     R"(nts":"{}"}}]},"finish_reason":"tool_calls"}]}
[DONE])",
     R"([{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",)"
     R"("function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}},)"
     R"({"id":"d","type":"function","function":{"name":"g","arguments":"{}"}}]}])",
     "", ""},
    {"mistral",
     R"({"choices":[{"finish_reason":"stop","message":{"content":[{"type":"thinking","thinking":[)"
     R"({"type":"text","text":"hm"}],"closed":true},{"type":"text","text":"Hi you"}]}}]})",
     R"({"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]}}]}
{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"m"}],"closed":tru)"
     R"(e}]}}]}
{"choices":[{"delta":{"content":"Hi"}}]}
{"choices":[{"delta":{"content":" you"},"finish_reason":"stop"}]}
[DONE])",
     R"([{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}],)"
     R"("closed":true},{"type":"text","text":"Hi you"}]}])",
     "Hi you", "hm"},
    {"cohere",
     R"({"finish_reason":"COMPLETE","message":{"role":"assistant","content":[)"
     R"({"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi you"}]}})",
     R"({"type":"message-start","delta":{"message":{"role":"assistant","content":[]}}}
{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}
{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"hm"}}}}
{"type":"content-start","index":1,"delta":{"message":{"content":{"type":"text","text":""}}}}
{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"Hi you"}}}}
{"type":"message-end","delta":{"finish_reason":"COMPLETE"}})",
     R"([{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},)"
     R"({"type":"text","text":"Hi you"}]}])",
     "Hi you", "hm"},
    // Commentary is no part of the answer; what the service did not keep goes back to it.
    {"openai-responses",
     R"({"object":"response","status":"completed","output":[{"type":"reasoning","id":"rs","summary":[],)"
     R"("encrypted_content":"e"},{"type":"message","id":"m1","role":"assistant","status":"completed",)"
     R"("phase":"commentary","content":[{"type":"output_text","text":"Let me see.","annotations":[]}]},)"
     R"({"type":"message","id":"m2","role":"assistant","status":"completed","phase":"final_answer",)"
     R"("content":[{"type":"output_text","text":"Four.","annotations":[]}]}]})",
     "",
     R"([{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"e"},)"
     R"({"type":"message","id":"m1","role":"assistant","status":"completed","phase":"commentary",)"
     R"("content":[{"type":"output_text","text":"Let me see.","annotations":[]}]},)"
     R"({"type":"message","id":"m2","role":"assistant","status":"completed","phase":"final_answer",)"
     R"("content":[{"type":"output_text","text":"Four.","annotations":[]}]}])",
     "Four.", "Let me see."},
    // Thoughts that were not handed over cannot go back, nor what belongs to them by name.
    {"openai-responses",
     R"({"object":"response","status":"completed","output":[{"type":"reasoning","id":"rs","summary":[]},)"
     R"({"type":"message","id":"m2","role":"assistant","phase":"final_answer","content":[)"
     R"({"type":"output_text","text":"Four."}]}]})",
     "",
     R"([{"type":"message","role":"assistant","phase":"final_answer","content":[)"
     R"({"type":"output_text","text":"Four."}]}])",
     "Four.", ""},
};

// Calls, sources and counts beside the words.
constexpr TurnRow kFullTurns[] = {
    {"openai-compatible",
     R"({"model":"m","choices":[{"finish_reason":"tool_calls","message":{"content":"Hi","reasoning_details":)"
     R"([{"text":"hm"}],"annotations":[{"url_citation":{"url":"u","title":"t"}}],"tool_calls":[{"id":"c",)"
     R"("function":{"name":"f","arguments":"{}"}}]}}],"citations":["v"],"usage":{"prompt_tokens":1,)"
     R"("completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1},"cost":{"total_cost":0.1}}})",
     R"({"choices":[{"delta":{"content":"Hi","reasoning_details":[{"text":"a"}],"annotations":[{}]}}]}
{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}}]}
{"choices":[{"delta":{"reasoning_content":"so","refusal":""},"finish_reason":"tool_calls"}]}
{"choices":[],"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":2}},"search_results":[{"url":"u"}]}
[DONE])",
     {},
     {},
     {}},
    {"google",
     R"({"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"hm","thought":true},)"
     R"({"text":"So"},{"functionCall":{"id":"i","name":"f","args":{"a":1}},"thoughtSignature":"s"}]},)"
     R"("groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"u"}}]}}],)"
     R"("promptFeedback":{},)"
     R"("usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"serviceTier":"flex"}})",
     R"({"candidates":[{"content":{"parts":[{"text":"So"}]}}]}
{"candidates":[{"finishReason":"STOP","content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]})",
     {},
     {},
     {}},
    {"anthropic",
     R"({"stop_reason":"refusal","stop_details":{"explanation":"e"},"content":[{"type":"text","text":"Hi",)"
     R"("citations":[{"url":"u"}]}],"usage":{"input_tokens":1,"output_tokens":2,"service_tier":"t"}})",
     R"({"type":"message_start","message":{"model":"m","usage":{"input_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":0,"delta":{"text":"Hi","citation":{"url":"u"}}}
{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}
{"type":"content_block_delta","index":1,"delta":{"partial_json":"{}"}}
{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}
{"type":"message_stop"})",
     {},
     {},
     {}},
    {"bedrock",
     R"({"stopReason":"tool_use","output":{"message":{"content":[{"text":"Hi"},{"reasoningContent":)"
     R"({"reasoningText":{"text":"hm","signature":"s"}}},{"toolUse":{"toolUseId":"t","name":"f"}}]}},)"
     R"("usage":{"inputTokens":1,"outputTokens":2}})",
     {},
     {},
     {},
     {}},
    {"cohere",
     R"({"finish_reason":"TOOL_CALL","message":{"content":[{"type":"text","text":"Hi"}],"tool_plan":"p",)"
     R"("tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}],"citations":[{"text":"t",)"
     R"("sources":[{"document":{"url":"u","title":"t"}}]}]},)"
     R"("usage":{"tokens":{"input_tokens":1,"output_tokens":2}}})",
     R"({"type":"tool-plan-delta","delta":{"message":{"tool_plan":"p"}}}
{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c","function":{"name":"f"}}}}}
{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}
{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":1}}}})",
     {},
     {},
     {}},
};

// Calls `visit` with the tree in which one value after the other is of another kind.
template <class Visit>
void WithEachOfAnotherKind(Value& whole, Value& at, const Visit& visit) {
  const Value kept = at;
  for (const Value& other : {Value("x"), Value(1.5), Value(true), Value(Null{}), Value(List{Value("x")}),
                             Value(List{Value(List())}), Value(Map())}) {
    if (other.kind() == kept.kind() && !kept.is_list()) continue;
    at = other;
    visit(whole);
  }
  at = kept;
  if (at.is_list()) {
    for (Value& item : at.AsList()) WithEachOfAnotherKind(whole, item, visit);
  } else if (at.is_map()) {
    for (Member& member : at.AsMap()) WithEachOfAnotherKind(whole, member.value, visit);
  }
}

// A reply that may be anything is read, and goes back if it is one.
void ReadAndSendBack(std::string_view provider, const HttpReply& reply) {
  const ProviderRow& row = *FindProvider(provider);
  const Result<ModelReply> decoded = row.decode(reply);
  if (!decoded) return;
  ModelRequest request;
  request.provider = provider;
  request.model = "m";
  request.base_url = "http://h/v1";
  request.messages = {{Role::kUser, "Hi"},
                      {.role = Role::kAssistant,
                       .text = decoded->text,
                       .calls = decoded->tool_calls,
                       .parts = decoded->parts},
                      {Role::kUser, "Go on"}};
  static_cast<void>(row.encode_known(request, nullptr).has_value());
}

}  // namespace

TEST_CASE("thoughts go back as they came, whole or streamed, and stay in their places") {
  for (const TurnRow& turn : kTurns) {
    CAPTURE(turn.whole);
    std::vector<HttpReply> replies = {Came(std::string(turn.whole), "application/json")};
    const std::string last = R"({"type":"response.completed","response":)" + std::string(turn.whole) + "}";
    replies.push_back(Came(Events(turn.events.empty() ? last : turn.events), "text/event-stream"));
    for (const HttpReply& reply : replies) {
      CAPTURE(reply.body);
      const Result<ModelReply> decoded = FindProvider(turn.provider)->decode(reply);
      REQUIRE(decoded);
      CHECK(decoded->reasoning == turn.reasoning);
      CHECK(decoded->text == turn.text);
      const Value sent = TurnSent(turn.provider, *decoded);
      CAPTURE(WriteJson(sent, JsonStyle::kJavaScript));
      CHECK(SameValue(sent, *ParseJson(turn.sent)));
      // Nobody else is shown it.
      const std::string elsewhere = WriteJson(
          TurnSent(turn.provider == "anthropic" ? "google" : "anthropic", *decoded), JsonStyle::kJavaScript);
      CHECK(elsewhere.find("hm") == std::string::npos);
      CHECK(elsewhere.find("encrypted") == std::string::npos);
    }
  }
}

TEST_CASE("a reply or an event whose members are of another kind breaks nothing") {
  std::vector<TurnRow> turns(std::begin(kTurns), std::end(kTurns));
  turns.insert(turns.end(), std::begin(kFullTurns), std::end(kFullTurns));
  for (const TurnRow& turn : turns) {
    Value whole = ParseJson(turn.whole).value();
    REQUIRE(FindProvider(turn.provider)->decode(Came(std::string(turn.whole), "application/json")));
    WithEachOfAnotherKind(whole, whole, [&](const Value& changed) {
      const std::string body = WriteJson(changed, JsonStyle::kJavaScript);
      CAPTURE(body);
      CHECK_NOTHROW(ReadAndSendBack(turn.provider, Came(body, "application/json")));
    });
    std::vector<std::string> events;
    for (std::string_view rest = turn.events; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      events.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      Result<Value> event = ParseJson(events[i]);
      if (!event) continue;  // [DONE]
      WithEachOfAnotherKind(*event, *event, [&](const Value& changed) {
        // In the place of the event, and behind it.
        for (const bool is_beside : {false, true}) {
          std::string lines;
          for (std::size_t k = 0; k < events.size(); ++k) {
            if (k != i || is_beside) lines += events[k] + "\n";
            if (k == i) lines += WriteJson(changed, JsonStyle::kJavaScript) + "\n";
          }
          CAPTURE(lines);
          CHECK_NOTHROW(ReadAndSendBack(turn.provider, Came(Events(lines), "text/event-stream")));
        }
      });
    }
  }
}

TEST_CASE("turns that words, calls and their seals say whole are kept as they always were") {
  const struct {
    std::string_view provider, whole, stored;
  } rows[] = {
      {"openai",
       R"({"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Hi","refusal":null,)"
       R"("annotations":[]}}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
       R"({"v":1,"text":"Hi","finish":"stop","usage":[1,2,0]})"},
      {"anthropic", R"({"stop_reason":"end_turn","content":[{"type":"text","text":"Hi","citations":null}]})",
       R"({"v":1,"text":"Hi","finish":"stop"})"},
      {"anthropic",
       R"({"stop_reason":"tool_use","content":[{"type":"thinking","thinking":"hm","signature":"s"},)"
       R"({"type":"text","text":"So"},{"type":"tool_use","id":"t","name":"f","input":{}}]})",
       R"({"v":2,"text":"So","reasoning":"hm","finish":"tool_calls","calls":[["t","f","{}",)"
       R"("[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}]"]]})"},
      {"google",
       R"({"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"So"},)"
       R"({"functionCall":{"name":"f","args":{}},"thoughtSignature":"sig"}]}}]})",
       R"({"v":2,"text":"So","finish":"stop","calls":[["call_0","f","{}","sig"]]})"},
      {"openai-responses",
       R"({"object":"response","status":"completed","output":[{"type":"message","id":"m","content":[)"
       R"({"type":"output_text","text":"Hi"}]},{"type":"function_call","call_id":"c","name":"f","argumen)"
       R"(ts":"{}"}]})",
       R"({"v":2,"text":"Hi","finish":"tool_calls","calls":[["c","f","{}"]]})"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.whole);
    const Result<ModelReply> decoded =
        FindProvider(row.provider)->decode(Came(std::string(row.whole), "application/json"));
    REQUIRE(decoded);
    CHECK(EncodeReply(*decoded) == row.stored);
  }
}

TEST_CASE("a turn that goes back as it came has a key of its own, and marks of caches stay off thoughts") {
  ModelRequest request;
  request.provider = "anthropic";
  request.messages = {{Role::kUser, "Hi"}, {Role::kAssistant, "Yes"}};
  const std::string plain = CanonicalText(request);
  CHECK(plain.find("parts") == std::string::npos);
  request.messages[1].parts =
      R"({"anthropic":[{"type":"text","text":"Yes"},{"type":"thinking","thinking":"hm","signature":"s"}]})";
  CHECK(CanonicalText(request) != plain);
  request.repeated = {2};
  const std::string body = FindProvider("anthropic")->Encode(request).value().body;
  CHECK(
      body.find(R"({"type":"text","text":"Yes","cache_control":{"type":"ephemeral"}},{"type":"thinking")") !=
      std::string::npos);
}

TEST_CASE("thoughts that the Responses API does not keep are asked for, of models that have some") {
  ModelRequest request;
  request.provider = "openai-responses";
  request.messages = {{Role::kUser, "Hi"}};
  request.model = "o3-pro";
  const ProviderRow& row = *FindProvider("openai-responses");
  CHECK(row.Encode(request)->body.find(R"("include":["reasoning.encrypted_content"],"store":false)") !=
        std::string::npos);
  request.model = "gpt-4o";
  CHECK(row.Encode(request)->body.find("include") == std::string::npos);
}

}  // namespace assay
