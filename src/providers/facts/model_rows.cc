// The table of models: kModelsAsOf, from the makers' price lists (platform.claude.com, developers.openai.com,
// ai.google.dev, docs.mistral.ai, docs.x.ai, console.groq.com, together.ai, api-docs.deepseek.com,
// fireworks.ai, docs.cohere.com, docs.perplexity.ai, cerebras.ai) and the model names of their official SDKs
// of that day. A price stands here only where the public collections of these lists agree; where they do not,
// it is unknown. Prices that are announced to rise say so.
//
// How much room a thinker gets is our choice: what OpenAI's guide to reasoning advises to reserve at least,
// the largest budget that Google's models of 2.5 choose by themselves, and as much for the others.
#include "providers/facts/model_facts.h"

namespace assay {

namespace {

constexpr Sampling kAll = {};
constexpr Sampling kNone = {.temperature = false, .top_p = false, .top_k = false};
constexpr Sampling kSamplingNotBoth = {.not_both = true};
constexpr Sampling kOnlyStill = {.only_still = true};

constexpr Price Usd(double input, double output) { return {.input_usd = input, .output_usd = output}; }
constexpr Price Usd(double input, double output, double cached_read) {
  return {.input_usd = input, .output_usd = output, .cached_read_usd = cached_read};
}
constexpr Price Usd(double input, double output, double cached_read, double cached_write) {
  return {.input_usd = input,
          .output_usd = output,
          .cached_read_usd = cached_read,
          .cached_write_usd = cached_write};
}
// The same with `dear` for inputs above so many tokens.
constexpr Price Tiered(Price price, std::int64_t above, const Price& dear) {
  price.long_above_tokens = above;
  price.long_input_usd = dear.input_usd;
  price.long_output_usd = dear.output_usd;
  price.long_cached_read_usd = dear.cached_read_usd;
  price.long_cached_write_usd = dear.cached_write_usd;
  return price;
}
constexpr std::optional<Price> kUnknown = std::nullopt;

// What the models of a family have in common.
constexpr ModelFacts Of(ModelFacts family, std::int64_t output_max, std::optional<Price> price) {
  family.output_max = output_max;
  family.price = price;
  return family;
}
constexpr ModelFacts Plain(std::int64_t output_max, std::optional<Price> price) {
  return Of({}, output_max, price);
}
constexpr ModelFacts OnlyByResponses(ModelFacts facts) {
  facts.responses_only = true;
  return facts;
}

constexpr ModelFacts Keeping(ModelFacts facts, std::int64_t cache_min_tokens) {
  facts.cache_min_tokens = cache_min_tokens;
  return facts;
}

// --- Anthropic. The least that a cache keeps is the largest of its page where it names no other. ---
constexpr std::int64_t kClaudeKept = 4'096;
constexpr std::int64_t kClaudeRoom = 32'000;
constexpr ModelFacts kClaude4 = {.sampling = kAll,
                                 .thinking = Thinking::kOnRequest,
                                 .effort = EffortForm::kBudgetTokens,
                                 .cache_min_tokens = 1'024};
constexpr ModelFacts kClaude45 = {.sampling = kSamplingNotBoth,
                                  .thinking = Thinking::kOnRequest,
                                  .effort = EffortForm::kBudgetTokens,
                                  .cache_min_tokens = kClaudeKept};
constexpr ModelFacts kClaude46 = {.sampling = kSamplingNotBoth,
                                  .thinking = Thinking::kOnRequest,
                                  .effort = EffortForm::kOutputConfig,
                                  .efforts = "low medium high max",
                                  .cache_min_tokens = kClaudeKept};
constexpr ModelFacts kClaude47 = {.sampling = kNone,
                                  .thinking = Thinking::kOnRequest,
                                  .effort = EffortForm::kOutputConfig,
                                  .efforts = "low medium high xhigh max",
                                  .cache_min_tokens = kClaudeKept};
constexpr ModelFacts kClaude5 = {.sampling = kNone,
                                 .thinking = Thinking::kByDefault,
                                 .thinking_room = kClaudeRoom,
                                 .effort = EffortForm::kOutputConfig,
                                 .efforts = "low medium high xhigh max",
                                 .cache_min_tokens = kClaudeKept};
constexpr ModelFacts kClaude55 = {.sampling = kNone,
                                  .thinking = Thinking::kAlways,
                                  .thinking_room = kClaudeRoom,
                                  .effort = EffortForm::kOutputConfig,
                                  .efforts = "low medium high xhigh max",
                                  .cache_min_tokens = kClaudeKept};

// --- OpenAI. Those of 5.1 to 5.4 take a temperature while they do not think, which is their
// default; those of 5.5 think unless they are told not to. ---
constexpr std::int64_t kGptRoom = 25'000;
constexpr ModelFacts kO = {.sampling = kNone,
                           .thinking = Thinking::kAlways,
                           .thinking_room = kGptRoom,
                           .effort = EffortForm::kReasoningEffort,
                           .efforts = "low medium high"};
constexpr ModelFacts kGpt5 = {.sampling = kNone,
                              .thinking = Thinking::kAlways,
                              .thinking_room = kGptRoom,
                              .effort = EffortForm::kReasoningEffort,
                              .efforts = "minimal low medium high"};
constexpr ModelFacts kGpt5Chat = {.sampling = kNone};
constexpr ModelFacts kGpt51 = {.sampling = kOnlyStill,
                               .thinking = Thinking::kOnRequest,
                               .effort = EffortForm::kReasoningEffort,
                               .efforts = "none low medium high"};
constexpr ModelFacts kGpt52 = {.sampling = kOnlyStill,
                               .thinking = Thinking::kOnRequest,
                               .effort = EffortForm::kReasoningEffort,
                               .efforts = "none low medium high xhigh"};
constexpr ModelFacts kGpt55 = {.sampling = kNone,
                               .thinking = Thinking::kByDefault,
                               .thinking_room = kGptRoom,
                               .effort = EffortForm::kReasoningEffort,
                               .efforts = "none low medium high xhigh"};
constexpr ModelFacts kGptPro = {.sampling = kNone,
                                .thinking = Thinking::kAlways,
                                .thinking_room = kGptRoom,
                                .effort = EffortForm::kReasoningEffort,
                                .efforts = "medium high xhigh",
                                .responses_only = true};
constexpr ModelFacts kGpt5Pro = {.sampling = kNone,
                                 .thinking = Thinking::kAlways,
                                 .thinking_room = kGptRoom,
                                 .effort = EffortForm::kReasoningEffort,
                                 .efforts = "high",
                                 .responses_only = true};
constexpr ModelFacts kCodex = {.sampling = kNone,
                               .thinking = Thinking::kByDefault,
                               .thinking_room = kGptRoom,
                               .effort = EffortForm::kReasoningEffort,
                               .efforts = "low medium high",
                               .responses_only = true};
constexpr ModelFacts kGpt6 = {.sampling = kNone,
                              .thinking = Thinking::kByDefault,
                              .thinking_room = kGptRoom,
                              .effort = EffortForm::kReasoningEffort,
                              .efforts = "none low medium high xhigh max"};
constexpr ModelFacts kGpt6Always = {.sampling = kNone,
                                    .thinking = Thinking::kAlways,
                                    .thinking_room = kGptRoom,
                                    .effort = EffortForm::kReasoningEffort,
                                    .efforts = "low medium high xhigh max"};
constexpr std::int64_t kGptLong = 272'000;

// --- Google. Models from 3.6 on, and 3.5 Flash-Lite, sample as they like whatever they are told. ---
constexpr ModelFacts kFlash25 = {
    .thinking = Thinking::kByDefault, .thinking_room = 24'576, .effort = EffortForm::kThinkingBudget};
constexpr ModelFacts kFlashLite25 = {.thinking = Thinking::kOnRequest, .effort = EffortForm::kThinkingBudget};
constexpr ModelFacts kPro25 = {
    .thinking = Thinking::kAlways, .thinking_room = 32'768, .effort = EffortForm::kThinkingBudget};
constexpr ModelFacts kGemini3 = {.thinking = Thinking::kAlways,
                                 .thinking_room = 32'768,
                                 .effort = EffortForm::kThinkingLevel,
                                 .efforts = "low medium high"};
constexpr ModelFacts kFlash3 = {.thinking = Thinking::kAlways,
                                .thinking_room = 32'768,
                                .effort = EffortForm::kThinkingLevel,
                                .efforts = "minimal low medium high"};
constexpr ModelFacts kFlash36 = {.sampling = kNone,
                                 .thinking = Thinking::kAlways,
                                 .thinking_room = 32'768,
                                 .effort = EffortForm::kThinkingLevel,
                                 .efforts = "low medium high"};

// --- the others: how much they think is not stated; they get as much room as OpenAI's ---
constexpr ModelFacts kGrokThinks = {.thinking = Thinking::kByDefault, .thinking_room = kGptRoom};
constexpr ModelFacts kGptOss = {.thinking = Thinking::kByDefault,
                                .thinking_room = kGptRoom,
                                .effort = EffortForm::kReasoningEffort,
                                .efforts = "low medium high"};
constexpr ModelFacts kDeepSeek = {.thinking = Thinking::kByDefault, .thinking_room = 32'768};
constexpr ModelFacts kCohereThinks = {
    .thinking = Thinking::kByDefault, .thinking_room = 16'384, .effort = EffortForm::kBudgetTokens};
constexpr ModelFacts kMagistral = {.thinking = Thinking::kByDefault, .thinking_room = kGptRoom};
constexpr ModelFacts kMistralEffort = {
    .thinking = Thinking::kOnRequest, .effort = EffortForm::kReasoningEffort, .efforts = "none high"};
constexpr std::int64_t kGrokLong = 199'999;  // from 200,000 on

constexpr Price kGeminiPro3Usd = Tiered(Usd(2, 12, 0.20), 200'000, Usd(4, 18, 0.40));
constexpr Price kGpt54Usd = Tiered(Usd(2.50, 15, 0.25), kGptLong, Usd(5, 22.5, 0.50));
constexpr Price kGpt55Usd = Tiered(Usd(5, 30, 0.50), kGptLong, Usd(10, 45, 1));
constexpr Price kCyberUsd = Tiered(Usd(12.5, 75, 1.25, 15.625), kGptLong, Usd(25, 112.5, 2.5, 31.25));
constexpr Price kGrok4Usd = Tiered(Usd(3, 15, 0.75), 127'999, Usd(6, 30));
constexpr Price kGrok43Usd = Tiered(Usd(1.25, 2.50, 0.20), kGrokLong, Usd(2.50, 5, 0.40));
constexpr Price kGrok45Usd = Tiered(Usd(2, 6, 0.30), kGrokLong, Usd(4, 12, 0.60));
constexpr Price kGrok46Usd = Tiered(Usd(2, 6, 0.50), kGrokLong, Usd(4, 12, 1));

// clang-format off
constexpr ModelRow kModelRows[] = {
    // A later model of a known line is what the newest of its line is; of any other name nothing is known.
    {"anthropic", "claude-*",            Plain(0, kUnknown)},
    {"anthropic", "claude-fable-*",      Of(kClaude55, 0, kUnknown)},
    {"anthropic", "claude-haiku-*",      Of(kClaude5, 0, kUnknown)},
    {"anthropic", "claude-mythos-*",     Of(kClaude55, 0, kUnknown)},
    {"anthropic", "claude-opus-*",       Of(kClaude55, 0, kUnknown)},
    {"anthropic", "claude-sonnet-*",     Of(kClaude55, 0, kUnknown)},
    {"anthropic", "claude-3-5-haiku*",   Plain(8'192, Usd(0.80, 4, 0.08, 1))},
    {"anthropic", "claude-3-5-sonnet*",  Plain(8'192, Usd(3, 15, 0.30, 3.75))},
    {"anthropic", "claude-3-7-sonnet*",  Of(kClaude4, 64'000, Usd(3, 15, 0.30, 3.75))},
    {"anthropic", "claude-3-haiku*",     Plain(4'096, Usd(0.25, 1.25, 0.03, 0.30))},
    {"anthropic", "claude-3-opus*",      Plain(4'096, Usd(15, 75, 1.50, 18.75))},
    {"anthropic", "claude-fable-5",      Of(kClaude55, 128'000, Usd(10, 50, 1, 12.5))},
    {"anthropic", "claude-fable-5-1*",   Of(kClaude55, 128'000, Usd(10, 50, 0.25, 12.5))},
    {"anthropic", "claude-fable-5-2*",   Of(kClaude55, 128'000, kUnknown)},  // one list alone has it
    {"anthropic", "claude-haiku-4-5*",   Of(kClaude45, 64'000, Usd(1, 5, 0.10, 1.25))},
    {"anthropic", "claude-haiku-5-5*",   Of(kClaude5, 128'000, Tiered(Usd(0.10, 0.50, 0.01, 0.125), 100'000,
                                                                   Usd(0.50, 2.50, 0.05, 0.625)))},
    {"anthropic", "claude-mythos-5",     Of(kClaude55, 128'000, Usd(10, 50, 1, 12.5))},
    {"anthropic", "claude-mythos-5-1*",  Of(kClaude55, 128'000, Usd(10, 50, 0.25, 12.5))},
    {"anthropic", "claude-mythos-5-2*",  Of(kClaude55, 128'000, kUnknown)},
    {"anthropic", "claude-mythos-preview*", Of(kClaude55, 128'000, kUnknown)},
    {"anthropic", "claude-opus-4",       Of(kClaude4, 32'000, Usd(15, 75, 1.50, 18.75))},
    {"anthropic", "claude-opus-4-0",     Of(kClaude4, 32'000, Usd(15, 75, 1.50, 18.75))},
    {"anthropic", "claude-opus-4-1*",    Keeping(Of(kClaude45, 32'000, Usd(15, 75, 1.50, 18.75)), 1'024)},
    {"anthropic", "claude-opus-4-2025*", Of(kClaude4, 32'000, Usd(15, 75, 1.50, 18.75))},
    {"anthropic", "claude-opus-4-5*",    Of(kClaude45, 64'000, Usd(5, 25, 0.50, 6.25))},
    {"anthropic", "claude-opus-4-6*",    Of(kClaude46, 128'000, Usd(5, 25, 0.50, 6.25))},
    {"anthropic", "claude-opus-4-7*",    Of(kClaude47, 128'000, Usd(5, 25, 0.50, 6.25))},
    {"anthropic", "claude-opus-4-8*",    Of(kClaude47, 128'000, Usd(5, 25, 0.50, 6.25))},
    {"anthropic", "claude-opus-5",       Of(kClaude5, 128'000, Usd(5, 25, 0.50, 6.25))},
    {"anthropic", "claude-opus-5-5*",    Of(kClaude55, 128'000, Usd(4, 20, 0.20, 5))},
    {"anthropic", "claude-sonnet-4",     Of(kClaude4, 64'000, Usd(3, 15, 0.30, 3.75))},
    {"anthropic", "claude-sonnet-4-0",   Of(kClaude4, 64'000, Usd(3, 15, 0.30, 3.75))},
    {"anthropic", "claude-sonnet-4-2025*", Of(kClaude4, 64'000, Usd(3, 15, 0.30, 3.75))},
    {"anthropic", "claude-sonnet-4-5*",  Keeping(Of(kClaude45, 64'000, Usd(3, 15, 0.30, 3.75)), 1'024)},
    {"anthropic", "claude-sonnet-4-6*",  Of(kClaude46, 128'000, Usd(3, 15, 0.30, 3.75))},
    {"anthropic", "claude-sonnet-5",     Of(kClaude5, 128'000, Usd(2, 10, 0.20, 2.50))},
    {"anthropic", "claude-sonnet-5-5*",  Of(kClaude55, 128'000, Usd(2, 10, 0.10, 2.50))},

    {"cerebras", "gemma-4-31b",          Of(kGrokThinks, 40'960, Usd(0.99, 1.49))},
    {"cerebras", "gpt-oss-120b",         Of(kGptOss, 32'768, Usd(0.35, 0.75))},
    {"cerebras", "llama-3.3-70b",        Plain(0, Usd(0.85, 1.20))},
    {"cerebras", "llama3.1-8b",          Plain(0, Usd(0.10, 0.10))},
    {"cerebras", "qwen-3-32b",           Of(kGrokThinks, 0, Usd(0.40, 0.80))},
    {"cerebras", "qwen-3.8-27b",         Of(kGrokThinks, 32'768, Usd(0.99, 1.49))},

    {"cohere", "c4ai-aya-expanse-32b",   Plain(4'000, Usd(0.50, 1.50))},
    {"cohere", "command-a-03-2025",      Plain(8'000, Usd(2.50, 10))},
    {"cohere", "command-a-reasoning*",   Of(kCohereThinks, 32'000, kUnknown)},
    {"cohere", "command-r-08-2024",      Plain(4'096, Usd(0.15, 0.60))},
    {"cohere", "command-r-plus-08-2024", Plain(4'096, Usd(2.50, 10))},
    {"cohere", "command-r7b-12-2024",    Plain(4'096, Usd(0.0375, 0.15))},

    {"deepseek", "deepseek-chat",        Plain(8'192, kUnknown)},  // the lists disagree
    {"deepseek", "deepseek-flash",       Of(kDeepSeek, 393'216, Usd(0.30, 1.20, 0.006))},
    {"deepseek", "deepseek-reasoner",    Of(kGrokThinks, 65'536, kUnknown)},
    {"deepseek", "deepseek-v4-flash*",   Of(kDeepSeek, 393'216, Usd(0.30, 1.20, 0.006))},
    {"deepseek", "deepseek-v4-pro*",     Of(kDeepSeek, 393'216, Usd(1.32, 3.96, 0.044))},

    {"echo",      "*",                   Plain(0, Price{})},

    {"fireworks", "accounts/fireworks/models/deepseek-v3p2", Of(kGrokThinks, 0, Usd(0.56, 1.68))},
    {"fireworks", "accounts/fireworks/models/deepseek-v4p1-flash*",
     Of(kGrokThinks, 393'216, Usd(0.30, 1.20, 0.006))},
    {"fireworks", "accounts/fireworks/models/glm-5p2", Of(kGrokThinks, 131'072, Usd(1.40, 4.40, 0.14))},
    {"fireworks", "accounts/fireworks/models/glm-5p3", Of(kGrokThinks, 128'000, Usd(1.40, 4.40, 0.26))},
    {"fireworks", "accounts/fireworks/models/glm-5p3-flash", Of(kGrokThinks, 0, Usd(0.15, 0.50, 0.03))},
    {"fireworks", "accounts/fireworks/models/gpt-oss-120b", Of(kGptOss, 32'768, Usd(0.15, 0.60, 0.015))},
    {"fireworks", "accounts/fireworks/models/gpt-oss-20b", Of(kGptOss, 32'768, Usd(0.07, 0.30, 0.035))},
    {"fireworks", "accounts/fireworks/models/inkling", Plain(0, Usd(1, 4.05, 0.17))},
    {"fireworks", "accounts/fireworks/models/kimi-k2p6", Of(kGrokThinks, 32'768, Usd(0.95, 4, 0.16))},
    {"fireworks", "accounts/fireworks/models/kimi-k3", Of(kGrokThinks, 131'072, Usd(3, 15, 0.30))},
    {"fireworks", "accounts/fireworks/models/llama4-maverick-instruct-basic", Plain(0, Usd(0.22, 0.88))},
    {"fireworks", "accounts/fireworks/models/minimax-m3", Of(kGrokThinks, 0, Usd(0.30, 1.20, 0.06))},
    {"fireworks", "accounts/fireworks/models/qwen3p8-max", Of(kGrokThinks, 0, Usd(2, 6, 0.25))},

    {"google", "gemini-2.0-flash*",      Plain(8'192, Usd(0.10, 0.40, 0.025))},
    {"google", "gemini-2.0-flash-lite*", Plain(8'192, Usd(0.075, 0.30))},
    {"google", "gemini-2.5-flash*",      Of(kFlash25, 65'536, Usd(0.30, 2.50, 0.03))},
    {"google", "gemini-2.5-flash-lite*", Of(kFlashLite25, 65'536, Usd(0.10, 0.40, 0.01))},
    {"google", "gemini-2.5-pro*",        Of(kPro25, 65'536, Tiered(Usd(1.25, 10, 0.125), 200'000,
                                                                   Usd(2.50, 15, 0.25)))},
    {"google", "gemini-3*",              Of(kGemini3, 65'536, kUnknown)},
    {"google", "gemini-3-flash*",        Of(kFlash3, 65'536, Usd(0.50, 3, 0.05))},
    {"google", "gemini-3-pro*",          Of(kGemini3, 65'536, kGeminiPro3Usd)},
    {"google", "gemini-3.1-flash-lite*", Of(kFlash3, 65'536, Usd(0.25, 1.50, 0.025))},
    {"google", "gemini-3.1-pro*",        Of(kGemini3, 65'536, kGeminiPro3Usd)},
    {"google", "gemini-3.5-flash*",      Of(kFlash3, 65'536, Usd(1.50, 9, 0.15))},
    {"google", "gemini-3.5-flash-lite*", Of(kFlash36, 65'536, Usd(0.30, 2.50, 0.03))},
    // Twice as much from 2027 on.
    {"google", "gemini-3.6-flash*",      Of(kFlash36, 65'536, Usd(0.75, 3.75, 0.075))},
    {"google", "gemini-3.7-flash*",      Of(kFlash36, 65'536, Usd(0.75, 3.75, 0.075))},
    {"google", "gemini-3.8-flash*",      Of(kFlash36, 65'536, Usd(0.75, 3.75, 0.075))},
    // Twice as much from 2026-12-01 on.
    {"google", "gemini-4*",              Of(kGemini3, 65'536, kUnknown)},
    {"google", "gemini-4-argon*",        Of(kGemini3, 65'536, Usd(2, 10, 0.10))},
    // What the names of the newest lead to on the day of the table.
    {"google", "gemini-flash-latest",    Of(kFlash36, 65'536, Usd(0.75, 3.75, 0.075))},
    {"google", "gemini-flash-lite-latest", Of(kFlash36, 65'536, Usd(0.30, 2.50, 0.03))},
    {"google", "gemini-pro-latest",      Of(kGemini3, 65'536, kGeminiPro3Usd)},
    {"google", "gemini-embedding-001",   Plain(0, Usd(0.15, 0))},
    {"google", "gemini-embedding-2*",    Plain(0, Usd(0.20, 0))},

    {"groq", "llama-3.1-8b-instant",     Plain(0, Usd(0.05, 0.08))},
    {"groq", "llama-3.3-70b-versatile",  Plain(0, Usd(0.59, 0.79))},
    {"groq", "openai/gpt-oss-120b",      Of(kGptOss, 65'536, Usd(0.15, 0.60, 0.075))},
    {"groq", "openai/gpt-oss-20b",       Of(kGptOss, 65'536, Usd(0.075, 0.30, 0.0375))},
    {"groq", "qwen/qwen3.8-27b",         Of(kGrokThinks, 16'384, Usd(0.80, 4))},

    {"mistral", "codestral-2*",          Plain(0, Usd(0.30, 0.90, 0.03))},
    {"mistral", "codestral-latest",      Plain(0, Usd(0.30, 0.90, 0.03))},
    {"mistral", "codestral-embed*",      Plain(0, Usd(0.15, 0, 0.015))},
    {"mistral", "devstral-2512",         Plain(0, Usd(0.40, 2, 0.04))},
    {"mistral", "magistral*",            Of(kMagistral, 0, kUnknown)},
    {"mistral", "ministral-14b-2512",    Plain(0, Usd(0.20, 0.20, 0.02))},
    {"mistral", "ministral-3b-2512",     Plain(0, Usd(0.10, 0.10, 0.01))},
    {"mistral", "ministral-8b-2512",     Plain(0, Usd(0.15, 0.15, 0.015))},
    {"mistral", "ministral-8b-latest",   Plain(0, Usd(0.15, 0.15, 0.015))},
    {"mistral", "mistral-embed*",        Plain(0, Usd(0.10, 0))},
    {"mistral", "mistral-large-24*",     Plain(0, Usd(2, 6))},
    {"mistral", "mistral-large-2512",    Plain(0, Usd(0.50, 1.50, 0.05))},
    {"mistral", "mistral-large-4*",      Of(kMistralEffort, 0, kUnknown)},
    {"mistral", "mistral-large-latest",  Plain(0, kUnknown)},
    {"mistral", "mistral-medium-2505",   Plain(0, Usd(0.40, 2, 0.04))},
    {"mistral", "mistral-medium-2508",   Plain(0, Usd(0.40, 2, 0.04))},
    {"mistral", "mistral-medium-2604",   Of(kMistralEffort, 0, Usd(1.50, 7.50, 0.15))},
    {"mistral", "mistral-medium-3-5",    Of(kMistralEffort, 0, Usd(1.50, 7.50, 0.15))},
    {"mistral", "mistral-medium-latest", Of(kMistralEffort, 0, Usd(1.50, 7.50, 0.15))},
    {"mistral", "mistral-small-2506",    Plain(0, Usd(0.10, 0.30))},
    {"mistral", "mistral-small-2603",    Of(kMistralEffort, 0, Usd(0.15, 0.60, 0.015))},
    {"mistral", "mistral-small-latest",  Of(kMistralEffort, 0, Usd(0.15, 0.60, 0.015))},
    {"mistral", "pixtral-large*",        Plain(0, Usd(2, 6))},
    {"mistral", "zai-glm-5-3",           Of(kGrokThinks, 0, Usd(1.40, 4.40, 0.14))},
    {"mistral", "zai-glm-5-3-flash",     Of(kGrokThinks, 0, Usd(0.15, 0.50, 0.03))},

    {"ollama",    "*",                   Plain(0, Price{})},

    {"openai", "chat-latest",            Of(kGpt5Chat, 128'000, Usd(5, 30, 0.50))},
    {"openai", "codex-*",                Of(kCodex, 100'000, kUnknown)},
    {"openai", "computer-use-preview*",  OnlyByResponses(Plain(1'024, kUnknown))},
    {"openai", "gpt-3.5-turbo",          Plain(4'096, Usd(0.50, 1.50))},
    {"openai", "gpt-3.5-turbo-0125",     Plain(4'096, Usd(0.50, 1.50))},
    {"openai", "gpt-3.5-turbo-1106",     Plain(4'096, Usd(1, 2))},
    {"openai", "gpt-4",                  Plain(4'096, Usd(30, 60))},
    {"openai", "gpt-4-0613",             Plain(4'096, Usd(30, 60))},
    {"openai", "gpt-4-turbo*",           Plain(4'096, Usd(10, 30))},
    {"openai", "gpt-4.1",                Plain(32'768, Usd(2, 8, 0.50))},
    {"openai", "gpt-4.1-2*",             Plain(32'768, Usd(2, 8, 0.50))},
    {"openai", "gpt-4.1-mini*",          Plain(32'768, Usd(0.40, 1.60, 0.10))},
    {"openai", "gpt-4.1-nano*",          Plain(32'768, Usd(0.10, 0.40, 0.025))},
    {"openai", "gpt-4o",                 Plain(16'384, Usd(2.50, 10, 1.25))},
    {"openai", "gpt-4o-2*",              Plain(16'384, Usd(2.50, 10, 1.25))},
    {"openai", "gpt-4o-2024-05-13",      Plain(4'096, Usd(5, 15))},
    {"openai", "gpt-4o-mini",            Plain(16'384, Usd(0.15, 0.60, 0.075))},
    {"openai", "gpt-4o-mini-2*",         Plain(16'384, Usd(0.15, 0.60, 0.075))},
    {"openai", "gpt-5*",                 Of(kGpt5, 128'000, kUnknown)},
    {"openai", "gpt-5",                  Of(kGpt5, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5-2*",               Of(kGpt5, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5-chat*",            Of(kGpt5Chat, 16'384, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5-codex*",           Of(kCodex, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5-mini*",            Of(kGpt5, 128'000, Usd(0.25, 2, 0.025))},
    {"openai", "gpt-5-nano*",            Of(kGpt5, 128'000, Usd(0.05, 0.40, 0.005))},
    {"openai", "gpt-5-pro*",             Of(kGpt5Pro, 272'000, Usd(15, 120))},
    {"openai", "gpt-5-search-api*",      Of(kGpt5Chat, 128'000, kUnknown)},
    {"openai", "gpt-5.1",                Of(kGpt51, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5.1-2*",             Of(kGpt51, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5.1-chat*",          Of(kGpt5Chat, 16'384, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5.1-codex",          Of(kCodex, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5.1-codex-max*",     Of(kCodex, 128'000, Usd(1.25, 10, 0.125))},
    {"openai", "gpt-5.1-codex-mini*",    Of(kCodex, 128'000, Usd(0.25, 2, 0.025))},
    {"openai", "gpt-5.2",                Of(kGpt52, 128'000, Usd(1.75, 14, 0.175))},
    {"openai", "gpt-5.2-2*",             Of(kGpt52, 128'000, Usd(1.75, 14, 0.175))},
    {"openai", "gpt-5.2-chat*",          Of(kGpt5Chat, 16'384, Usd(1.75, 14, 0.175))},
    {"openai", "gpt-5.2-codex*",         Of(kCodex, 128'000, Usd(1.75, 14, 0.175))},
    {"openai", "gpt-5.2-pro*",           Of(kGptPro, 128'000, Usd(21, 168))},
    {"openai", "gpt-5.3-chat*",          Of(kGpt5Chat, 16'384, Usd(1.75, 14, 0.175))},
    {"openai", "gpt-5.3-codex*",         Of(kCodex, 128'000, Usd(1.75, 14, 0.175))},
    {"openai", "gpt-5.4",                Of(kGpt52, 128'000, kGpt54Usd)},
    {"openai", "gpt-5.4-2*",             Of(kGpt52, 128'000, kGpt54Usd)},
    {"openai", "gpt-5.4-mini*",          Of(kGpt52, 128'000, Usd(0.75, 4.50, 0.075))},
    {"openai", "gpt-5.4-nano*",          Of(kGpt52, 128'000, Usd(0.20, 1.25, 0.02))},
    {"openai", "gpt-5.4-pro*",           Of(kGptPro, 128'000, Tiered(Usd(30, 180), kGptLong, Usd(60, 270)))},
    {"openai", "gpt-5.5",                Of(kGpt55, 128'000, kGpt55Usd)},
    {"openai", "gpt-5.5-2*",             Of(kGpt55, 128'000, kGpt55Usd)},
    {"openai", "gpt-5.5-pro*",           Of(kGptPro, 128'000, Tiered(Usd(30, 180), kGptLong, Usd(60, 270)))},
    {"openai", "gpt-5.6*",               Of(kGpt55, 128'000, kUnknown)},
    {"openai", "gpt-5.6-cyber*",         OnlyByResponses(Of(kGpt55, 128'000, kCyberUsd))},
    {"openai", "gpt-5.6-luna*",          Of(kGpt55, 128'000, Tiered(Usd(0.20, 1.20, 0.02, 0.25), kGptLong,
                                                                    Usd(0.40, 1.80, 0.04, 0.50)))},
    {"openai", "gpt-5.6-sol*",           Of(kGpt55, 128'000, Tiered(Usd(4, 20, 0.40, 5), kGptLong,
                                                                    Usd(8, 30, 0.80, 10)))},
    {"openai", "gpt-5.6-terra*",         Of(kGpt55, 128'000, Tiered(Usd(2, 12, 0.20, 2.50), kGptLong,
                                                                    Usd(4, 18, 0.40, 5)))},
    {"openai", "gpt-6*",                 Of(kGpt6, 128'000, kUnknown)},
    {"openai", "gpt-6-astra",            Of(kGpt6Always, 128'000, Tiered(Usd(10, 50, 1, 12.5), kGptLong,
                                                                         Usd(20, 75, 2, 25)))},
    {"openai", "gpt-6-cyber*",           OnlyByResponses(Of(kGpt6, 128'000, kUnknown))},
    {"openai", "gpt-6-luna*",            Of(kGpt6, 128'000, Tiered(Usd(0.10, 0.50, 0.01, 0.125), kGptLong,
                                                                   Usd(0.20, 0.75, 0.02, 0.25)))},
    {"openai", "gpt-6-rosalind*",        OnlyByResponses(Of(kGpt6Always, 128'000,
                                                         Tiered(Usd(15, 75, 1.50, 18.75), kGptLong,
                                                                Usd(30, 112.5, 3, 37.5))))},
    {"openai", "gpt-6-sol*",             Of(kGpt6, 128'000, Tiered(Usd(2, 10, 0.20, 2.50), kGptLong,
                                                                   Usd(4, 15, 0.40, 5)))},
    {"openai", "gpt-6.1-sol*",           Of(kGpt6Always, 128'000, Tiered(Usd(2, 10, 0.10, 2.50), kGptLong,
                                                                         Usd(4, 15, 0.20, 5)))},
    {"openai", "gpt-6.1-terra*",         Of(kGpt6, 128'000, Tiered(Usd(1, 5, 0.05, 1.25), kGptLong,
                                                                   Usd(2, 7.5, 0.10, 2.50)))},
    {"openai", "gpt-6.2-astra-law*",     OnlyByResponses(Of(kGpt6Always, 128'000, kUnknown))},
    {"openai", "gpt-daybreak*",          OnlyByResponses(Of(kGpt55, 128'000, kUnknown))},
    {"openai", "gpt-rosalind-research*", OnlyByResponses(Plain(0, Usd(5, 25, 0.50)))},
    {"openai", "o1",                     Of(kO, 100'000, Usd(15, 60, 7.50))},
    {"openai", "o1-2*",                  Of(kO, 100'000, Usd(15, 60, 7.50))},
    {"openai", "o1-mini*",               Of(kO, 65'536, kUnknown)},
    {"openai", "o1-preview*",            Of(kO, 32'768, kUnknown)},
    {"openai", "o1-pro*",                OnlyByResponses(Of(kO, 100'000, Usd(150, 600)))},
    {"openai", "o3",                     Of(kO, 100'000, Usd(2, 8, 0.50))},
    {"openai", "o3-2*",                  Of(kO, 100'000, Usd(2, 8, 0.50))},
    {"openai", "o3-deep-research*",      OnlyByResponses(Of(kO, 100'000, Usd(10, 40, 2.50)))},
    {"openai", "o3-mini*",               Of(kO, 100'000, Usd(1.10, 4.40, 0.55))},
    {"openai", "o3-pro*",                OnlyByResponses(Of(kO, 100'000, Usd(20, 80)))},
    {"openai", "o4-mini*",               Of(kO, 100'000, Usd(1.10, 4.40, 0.275))},
    {"openai", "o4-mini-deep-research*", OnlyByResponses(Of(kO, 100'000, Usd(2, 8, 0.50)))},
    {"openai", "text-embedding-3-large", Plain(0, Usd(0.13, 0))},
    {"openai", "text-embedding-3-small", Plain(0, Usd(0.02, 0))},
    {"openai", "text-embedding-ada-002", Plain(0, Usd(0.10, 0))},

    // Each question costs a search besides, which is not in these.
    {"perplexity", "sonar",              Plain(0, Usd(1, 1))},
    {"perplexity", "sonar-deep-research", Of(kGrokThinks, 0, Usd(2, 8))},
    {"perplexity", "sonar-pro",          Plain(8'000, Usd(3, 15))},
    {"perplexity", "sonar-reasoning",    Of(kGrokThinks, 0, Usd(1, 5))},
    {"perplexity", "sonar-reasoning-pro", Of(kGrokThinks, 0, Usd(2, 8))},

    {"together", "MiniMaxAI/MiniMax-M3",            Of(kGrokThinks, 0, Usd(0.30, 1.20, 0.06))},
    {"together", "MiniMaxAI/MiniMax-M3.1-Flash",    Plain(0, Usd(0.15, 0.60, 0.015))},
    {"together", "Qwen/Qwen3.5-9B",                 Of(kGrokThinks, 0, Usd(0.17, 0.25))},
    {"together", "Qwen/Qwen3.6-Plus",               Of(kGrokThinks, 0, Usd(0.50, 3))},
    {"together", "Qwen/Qwen3.7-Plus",               Plain(0, Usd(0.32, 1.28))},
    {"together", "Qwen/Qwen3.8-Flash",              Plain(0, Usd(0.15, 0.47))},
    {"together", "deepseek-ai/DeepSeek-R1*",        Of(kGrokThinks, 0, kUnknown)},
    {"together", "deepseek-ai/DeepSeek-V4-Pro-0813", Plain(0, Usd(1.32, 3.96, 0.13))},
    {"together", "deepseek-ai/DeepSeek-V4.1-Flash", Plain(0, Usd(0.30, 1.20, 0.006))},
    {"together", "meta-llama/Llama-3.3-70B-Instruct-Turbo", Plain(0, kUnknown)},  // the lists disagree
    {"together", "meta-llama/Llama-4-Scout-17B-16E-Instruct", Plain(0, Usd(0.18, 0.59))},
    {"together", "meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo", Plain(0, Usd(0.88, 0.88))},
    {"together", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo", Plain(0, Usd(0.18, 0.18))},
    {"together", "meta-models/Muse-Glimmer-30B",    Plain(0, Usd(0.35, 1.50, 0.04))},
    {"together", "moonshotai/Kimi-K3",              Of(kGrokThinks, 0, Usd(3, 15, 0.30))},
    {"together", "openai/gpt-oss-120b",             Of(kGptOss, 0, Usd(0.15, 0.60))},
    {"together", "openai/gpt-oss-20b",              Of(kGptOss, 0, kUnknown)},
    {"together", "reflection/Beam-1.0-501B-A23B",   Plain(0, Usd(0.40, 1.20, 0.04))},
    {"together", "thinkingmachines/Inkling",        Plain(0, Usd(1, 4.05, 0.17))},
    {"together", "zai-org/GLM-5.2",                 Of(kGrokThinks, 128'000, Usd(1.40, 4.40, 0.26))},
    {"together", "zai-org/GLM-5.3",                 Of(kGrokThinks, 128'000, Usd(1.40, 4.40, 0.26))},
    {"together", "zai-org/GLM-5.3-Flash",           Of(kGrokThinks, 128'000, Usd(0.15, 0.50, 0.03))},

    {"xai", "grok-3",                    Plain(0, Usd(3, 15, 0.75))},
    {"xai", "grok-3-mini*",              Of(kGrokThinks, 0, Usd(0.30, 0.50, 0.075))},
    {"xai", "grok-4",                    Of(kGrokThinks, 0, kGrok4Usd)},
    {"xai", "grok-4-*",                  Of(kGrokThinks, 0, kUnknown)},
    {"xai", "grok-4-0709",               Of(kGrokThinks, 0, kGrok4Usd)},
    {"xai", "grok-4.20*",                Of(kGrokThinks, 0, kGrok43Usd)},
    {"xai", "grok-4.20-0309-non-reasoning*", Plain(0, kGrok43Usd)},
    {"xai", "grok-4.20-non-reasoning*",  Plain(0, kGrok43Usd)},
    {"xai", "grok-4.20-multi-agent*",    OnlyByResponses(Of(kGrokThinks, 0, kGrok43Usd))},
    {"xai", "grok-4.3*",                 Of(kGrokThinks, 0, kGrok43Usd)},
    {"xai", "grok-4.5*",                 Of(kGrokThinks, 0, kGrok45Usd)},
    {"xai", "grok-4.6*",                 Of(kGrokThinks, 0, kGrok46Usd)},
    {"xai", "grok-4.7*",                 Of(kGrokThinks, 0, kGrok46Usd)},
    {"xai", "grok-build-0.1",            Of(kGrokThinks, 0, Tiered(Usd(1, 2, 0.20), kGrokLong,
                                                                   Usd(2, 4, 0.40)))},
};
// clang-format on

}  // namespace

std::span<const ModelRow> ModelTable() { return kModelRows; }

}  // namespace assay
