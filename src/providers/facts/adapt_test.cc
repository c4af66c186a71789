// Tests of adapting requests to services' complaints about parameters.
#include "providers/facts/adapt.h"

#include <doctest/doctest.h>

#include <span>

namespace assay {

namespace {

HttpReply Complaint(int status, std::string body) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

struct LearnRow {
  int status;
  const char* body;
  const char* learned;
};

void CheckLearned(std::span<const LearnRow> rows) {
  for (const LearnRow& row : rows) {
    CAPTURE(row.body);
    CHECK(AdaptationText(LearnFrom(Complaint(row.status, row.body))) == row.learned);
  }
}

}  // namespace

TEST_CASE("what a service does not support is learned, what is merely wrong is not") {
  constexpr LearnRow kRows[] = {
      {400, R"({"error":{"message":"Use the other","param":"max_tokens","code":"unsupported_parameter"}})",
       "with max_completion_tokens"},
      {400, R"({"error":{"message":"'temperature' does not support 0","param":"temperature","code":"x"}})",
       "without temperature"},
      {400, R"({"error":{"message":"temperature is not supported by this model"}})", "without temperature"},
      {400, R"({"error":{"message":"temperature must be at most 2","param":"temperature"}})", ""},
      {400, R"({"error":{"message":"unsupported file"}})", ""},
      {422, R"({"error":{"message":"unsupported","param":"temperature"}})", "without temperature"},
      {400, "temperature is not supported", ""},
      {400, R"({"error":{"message":"Unrecognized request argument supplied: stream_options"}})",
       "without stream_options"},
      {422, R"({"message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}})",
       "without stream_options"},
      {500, "stream_options", ""},
      {400, R"({"error":{"message":"does not support true","param":"stream","code":"unsupported_value"}})",
       "without stream"},
      {400, R"({"error":{"message":"a stream is not supported by this file"}})", ""},
  };
  CheckLearned(kRows);
}

TEST_CASE("every provider has words of its own for what it does not take") {
  constexpr LearnRow kRows[] = {
      // Anthropic
      {400,
       R"({"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecate)"
       R"(d for this model."}})",
       "without temperature"},
      {400,
       R"({"type":"error","error":{"message":"`temperature` and `top_p` cannot both be specified for th)"
       R"(is model."}})",
       "without top_p beside a temperature"},
      {400, R"({"type":"error","error":{"message":"top_k: Extra inputs are not permitted"}})",
       "without top_k"},
      {400,
       R"({"type":"error","error":{"message":"`temperature` may only be set to 1 when thinking is enabl)"
       R"(ed."}})",
       "without temperature"},
      // Google
      {400,
       R"({"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"topP\" at 'gene)"
       R"(ration_config': Cannot find field.","status":"INVALID_ARGUMENT"}})",
       "without top_p"},
      // Mistral, and validators of the same kind
      {422,
       R"({"detail":[{"type":"extra_forbidden","loc":["body","random_seed"],"msg":"Extra inputs are not)"
       R"( permitted","input":7}]})",
       "without seed"},
      {422,
       R"({"object":"error","message":{"detail":[{"type":"less_than_equal","loc":["body","temperature"])"
       R"(,"msg":"Input should be less than or equal to 1.5","input":2}]}})",
       ""},
      {422,
       R"({"detail":[{"type":"missing","loc":["body","x"],"msg":"Field required","input":{"temperature")"
       R"(:"not supported"}}]})",
       ""},
      // xAI, Groq, a proxy
      {400, R"({"code":"invalid-argument","error":"Model grok-x does not support parameter seed."})",
       "without seed"},
      {400, R"({"error":{"message":"'top_p' : property 'top_p' is unsupported"}})", "without top_p"},
      {400,
       R"({"error":{"message":"litellm.UnsupportedParamsError: gpt-x doesn't support parameters: ['temp)"
       R"(erature', 'top_p']","type":"None","param":"None","code":"400"}})",
       "without temperature, without top_p"},
      {400, R"({"error":{"message":"Unknown parameter: 'temperature'.","param":"temperature"}})",
       "without temperature"},
      {400, R"({"error":{"message":"Unrecognized request argument supplied: top_p"}})", "without top_p"},
      {400, R"({"error":{"message":"max_completion_tokens is not supported with this model"}})", ""},
  };
  CheckLearned(kRows);
}

TEST_CASE("a stream that complains in place of answering is learned from, one that answers is not") {
  HttpReply reply =
      Complaint(200,
                "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"`temperature` is "
                "deprecated for this model.\"}}\n\n");
  CHECK_FALSE(LearnFrom(reply).IsAny());
  reply.headers.push_back({"content-type", "text/event-stream"});
  CHECK(AdaptationText(LearnFrom(reply)) == "without temperature");
  reply.body =
      "data: {\"choices\":[{\"delta\":{\"content\":\"temperature is not supported\"}}]}\n\ndata: [DONE]\n\n";
  CHECK_FALSE(LearnFrom(reply).IsAny());
}

TEST_CASE("what a model's row excludes is left out of every form of body") {
  const ModelFacts none{.sampling = {.temperature = false, .top_p = false, .top_k = false}};
  const ModelFacts not_both{.sampling = {.not_both = true}};
  SamplingParams params;
  params.temperature = 0;
  params.top_p = 0.5;
  HttpRequest flat;
  flat.body = R"({"model":"m","temperature":0,"top_p":0.5,"max_tokens":7})";
  HttpRequest nested;
  nested.body = R"({"contents":[],"generationConfig":{"temperature":0,"topP":0.5,"maxOutputTokens":7}})";
  HttpRequest both = flat;
  Adapt(AdaptationOf(none, params), flat);
  CHECK(flat.body == R"({"model":"m","max_tokens":7})");
  Adapt(AdaptationOf(none, params), nested);
  CHECK(nested.body == R"({"contents":[],"generationConfig":{"maxOutputTokens":7}})");
  Adapt(AdaptationOf(not_both, params), both);
  CHECK(both.body == R"({"model":"m","temperature":0,"max_tokens":7})");
  HttpRequest untouched;
  untouched.body = R"({"model": "m"})";
  Adapt(AdaptationOf(none, params), untouched);
  CHECK(untouched.body == R"({"model": "m"})");
  CHECK(LeftOutParameters(none, params) == "temperature, top_p");
  CHECK(LeftOutParameters(not_both, params) == "top_p");
  CHECK(LeftOutParameters({}, params).empty());
}

TEST_CASE("what is not known yet is lacking, and known once it was added") {
  Adaptation known{.without_temperature = true};
  CHECK_FALSE(known.Lacks({}));
  CHECK_FALSE(known.Lacks({.without_temperature = true}));
  CHECK(known.Lacks({.without_temperature = true, .without_stream_options = true}));
  known.Add({.without_stream_options = true});
  CHECK_FALSE(known.Lacks({.without_temperature = true, .without_stream_options = true}));
  CHECK(AdaptationText(known) == "without temperature, without stream_options");
  CHECK_FALSE(Adaptation().IsAny());
}

TEST_CASE("a most that a service states is the limit from then on") {
  const struct {
    const char* words;
    std::int64_t most;
  } rows[] = {
      {"max_tokens is too large: 50000. This model supports at most 16384 completion tokens, whereas you "
       "provided "
       "50000.",
       16'384},
      {"max_tokens: 50000 > 8192, which is the maximum allowed number of output tokens for "
       "claude-3-5-haiku-20241022",
       8'192},
      {"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8'192},
      {"`max_tokens` must be less than or equal to `4096`", 4'096},
      {"Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is "
       "from 1 "
       "(inclusive) to 65537 (exclusive).",
       65'536},
      {"`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than "
       "the "
       "`context_window` for this model",
       8'192},
      {"max_tokens must be at least 1", 0},
      {"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", 0},
      {"This model's maximum context length is 8192 tokens; max_tokens is 9000", 0},
      {"temperature is too large: 50000, at most 4096", 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.words);
    HttpReply reply;
    reply.status = 400;
    reply.body = std::string(R"({"error":{"message":")") + row.words + "\"}}";
    CHECK(LearnFrom(reply).output_most == row.most);
  }
  Adaptation known = {.output_most = 8'192};
  CHECK_FALSE(known.Lacks({.output_most = 9'000}));
  CHECK(known.Lacks({.output_most = 4'096}));
  CHECK(AdaptationText(known) == "for at most 8192 tokens");
  HttpRequest request;
  request.body = R"({"max_tokens":50000,"generationConfig":{"maxOutputTokens":9000}})";
  Adapt(known, request);
  CHECK(request.body == R"({"max_tokens":8192,"generationConfig":{"maxOutputTokens":8192}})");
}

TEST_CASE("further ways to say that a parameter is not taken") {
  const auto learned = [](const char* words) {
    HttpReply reply;
    reply.status = 400;
    reply.body = std::string(R"({"error":{"message":")") + words + "\"}}";
    return LearnFrom(reply);
  };
  CHECK(learned("invalid temperature: only 1 is allowed for this model").without_temperature);
  CHECK(learned("Model incompatible request argument supplied: top_p").without_top_p);
  CHECK(learned("include: Encrypted content is not supported with this model").without_include);
}

TEST_CASE("whatever a user sends is left out where its service takes none of it, and nothing else") {
  SamplingParams params;
  params.stop = {"END"};
  params.effort = "high";
  Map extra;
  for (const char* name : {"logit_bias", "verbosity", "user", "response_format", "max_tokens"})
    extra.Append(name, std::int64_t{1});
  params.extra = Value(std::move(extra));
  const struct {
    const char* error;
    const char* learned;
  } rows[] = {
      {R"("message":"Model incompatible request argument supplied: logit_bias")", "without logit_bias"},
      {R"("message":"Argument not supported on this model: stop")", "without stop"},
      {R"("message":"Model grok-x does not support parameter reasoningEffort.")", "without reasoning_effort"},
      {R"("message":"'reasoning.effort' is not supported.","param":"reasoning.effort")",
       "without reasoning_effort"},
      {R"("message":"'verbosity', 'stop' are not supported")", "without stop, without verbosity"},
      {R"("message":"Unsupported parameter","param":"text.verbosity")", "without verbosity"},
      // Values, words that are no names, and what a reply has to be like.
      {R"("message":"no","param":"reasoning_effort","code":"unsupported_value")", ""},
      {R"("message":"the user must not stop here: images are not supported")", ""},
      {R"("message":"response_format is not supported","param":"response_format")", ""},
      {R"("message":"Unsupported parameter: 'top_logprobs'")", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.error);
    const HttpReply reply = Complaint(400, std::string(R"({"error":{)") + row.error + "}}");
    CHECK(AdaptationText(LearnFrom(reply, {}, params)) == row.learned);
    CHECK_FALSE(LearnFrom(reply).IsAny());
  }
  Adaptation known{.without = {"stop"}};
  CHECK_FALSE(known.Lacks({.without = {"stop"}}));
  CHECK(known.Lacks({.without = {"verbosity"}}));
  known.Add({.without = {"stop", "verbosity", "reasoning_effort"}});
  HttpRequest request;
  request.body =
      R"({"model":"m","stop":["END"],"reasoning":{"effort":"high"},"text":{"verbosity":"low","x":1},)"
      R"("generationConfig":{"stopSequences":["END"],"topP":1}})";
  Adapt(known, request);
  CHECK(request.body == R"({"model":"m","text":{"x":1},"generationConfig":{"topP":1}})");
  known.without_temperature = true;
  known.output_most = 5;
  request.body = R"({"inferenceConfig":{"maxTokens":9,"temperature":1,"topP":1,"stopSequences":["END"]}})";
  Adapt(known, request);
  CHECK(request.body == R"({"inferenceConfig":{"maxTokens":5,"topP":1}})");
}

TEST_CASE("a stream is asked for without its options, or not at all") {
  HttpRequest request;
  request.body = R"({"model":"m","stream":true,"stream_options":{"include_usage":true}})";
  HttpRequest whole = request;
  Adapt({.without_stream_options = true}, request);
  CHECK(request.body == R"({"model":"m","stream":true})");
  Adapt({.without_stream = true}, whole);
  CHECK(whole.body == R"({"model":"m","stream":false})");
}

TEST_CASE("requests are changed where they have the parameter") {
  HttpRequest request;
  request.body = R"({"model":"m","temperature":0,"max_tokens":7,"stream":false})";
  Adapt({}, request);
  CHECK(request.body == R"({"model":"m","temperature":0,"max_tokens":7,"stream":false})");
  Adapt({.without_temperature = true, .completion_tokens = true}, request);
  CHECK(request.body == R"({"model":"m","stream":false,"max_completion_tokens":7})");
  Adapt({.without_temperature = true, .completion_tokens = true}, request);
  CHECK(request.body == R"({"model":"m","stream":false,"max_completion_tokens":7})");
}

}  // namespace assay
