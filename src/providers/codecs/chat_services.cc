// The providers that speak OpenAI's chat protocol with differences of their own, a block each: a shape that
// describes the differences, and the row. What differs in code has a file of its own.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {

// Source: spec blueprint 18.4; docs.mistral.ai, "Chat completion".
constexpr ChatShape kMistralShape = {
    .base_url = "https://api.mistral.ai/v1",
    .seed_name = "random_seed",
    .ends = {.services = end_words::kChat | end_words::kMistral},
    .media = MediaWords::kMistral,
};

const ProviderRow kMistralProvider = ChatProvider<kMistralShape>({
    .name = "mistral",
    .help = "models of Mistral",
    .example = "mistral:mistral-large-latest",
    .max_in_flight = 20,
    .base_url_variable = "MISTRAL_BASE_URL",
    .key_variable = "MISTRAL_API_KEY",
    .stream = StreamChatUncounted,
});

// Source: spec blueprint 18.5 and 18.9.
constexpr ChatShape kTogetherShape = {
    .base_url = "https://api.together.xyz/v1",
    .embedded_new_lines = ChatShape::NewLines::kBlanks,
    .ends = {.services = end_words::kChat | end_words::kTogether},
};

const ProviderRow kTogetherProvider = ChatProvider<kTogetherShape>({
    .name = "together",
    .help = "open models, served by Together; also embeddings",
    .example = "together:meta-llama/Llama-3.3-70B-Instruct-Turbo",
    .max_in_flight = 15,
    .base_url_variable = "TOGETHER_BASE_URL",
    .key_variable = "TOGETHER_API_KEY",
    .embeds = true,
    .stream = StreamChatUncounted,
});

// Its replies are not trimmed, and only it gets no token limit unless one is set. Source: spec blueprint
// 18.7.
constexpr ChatShape kOpenRouterShape = {
    .base_url = "https://openrouter.ai/api/v1",
    .max_tokens = 0,
    .reasons_by_object = true,
    .keeps_blanks = true,
};

const ProviderRow kOpenRouterProvider = ChatProvider<kOpenRouterShape>({
    .name = "openrouter",
    .help = "models of many makers, through OpenRouter",
    .example = "openrouter:openai/gpt-6-luna",
    .max_in_flight = 25,
    .base_url_variable = "OPENROUTER_BASE_URL",
    .key_variable = "OPENROUTER_API_KEY",
});

// Source: console.groq.com, "OpenAI compatibility".
constexpr ChatShape kGroqShape = {
    .base_url = "https://api.groq.com/openai/v1",
};

const ProviderRow kGroqProvider = ChatProvider<kGroqShape>({
    .name = "groq",
    .help = "open models, served by Groq",
    .example = "groq:llama-3.3-70b-versatile",
    .max_in_flight = 10,
    .base_url_variable = "GROQ_BASE_URL",
    .key_variable = "GROQ_API_KEY",
});

// Source: api-docs.deepseek.com, "Create chat completion".
constexpr ChatShape kDeepSeekShape = {
    .base_url = "https://api.deepseek.com/v1",
};

const ProviderRow kDeepSeekProvider = ChatProvider<kDeepSeekShape>({
    .name = "deepseek",
    .help = "models of DeepSeek",
    .example = "deepseek:deepseek-v4-flash",
    .max_in_flight = 10,
    .base_url_variable = "DEEPSEEK_BASE_URL",
    .key_variable = "DEEPSEEK_API_KEY",
});

// Source: docs.fireworks.ai, "OpenAI compatibility".
constexpr ChatShape kFireworksShape = {
    .base_url = "https://api.fireworks.ai/inference/v1",
};

const ProviderRow kFireworksProvider = ChatProvider<kFireworksShape>({
    .name = "fireworks",
    .help = "open models, served by Fireworks",
    .example = "fireworks:accounts/fireworks/models/kimi-k3",
    .max_in_flight = 15,
    .base_url_variable = "FIREWORKS_BASE_URL",
    .key_variable = "FIREWORKS_API_KEY",
});

// Source: docs.perplexity.ai, "Chat completions".
constexpr ChatShape kPerplexityShape = {
    .base_url = "https://api.perplexity.ai",
};

const ProviderRow kPerplexityProvider = ChatProvider<kPerplexityShape>({
    .name = "perplexity",
    .help = "models of Perplexity, which search the web",
    .example = "perplexity:sonar",
    .max_in_flight = 10,
    .base_url_variable = "PERPLEXITY_BASE_URL",
    .key_variable = "PERPLEXITY_API_KEY",
    .stream = StreamChatUncounted,
});

// Source: inference-docs.cerebras.ai, "OpenAI compatibility".
constexpr ChatShape kCerebrasShape = {
    .base_url = "https://api.cerebras.ai/v1",
};

const ProviderRow kCerebrasProvider = ChatProvider<kCerebrasShape>({
    .name = "cerebras",
    .help = "open models, served by Cerebras",
    .example = "cerebras:gpt-oss-120b",
    .max_in_flight = 10,
    .base_url_variable = "CEREBRAS_BASE_URL",
    .key_variable = "CEREBRAS_API_KEY",
});

// A server on this machine. Source: its documentation, "OpenAI compatibility".
constexpr ChatShape kOllamaShape = {
    .base_url = "http://127.0.0.1:11434/v1",
};

const ProviderRow kOllamaProvider = ChatProvider<kOllamaShape>({
    .name = "ollama",
    .help = "local models, served by Ollama",
    .example = "ollama:llama3.2",
    .max_in_flight = 10,
    .base_url_variable = "OLLAMA_BASE_URL",
    .key_variable = "OLLAMA_API_KEY",
    .key = KeyRule::Need::kOptional,
    .embeds = true,
});

// Any service that speaks the chat protocol, at a URL that the user gives.
constexpr ChatShape kOpenAiCompatibleShape = {
    .base_url = "",
    .ends = kAnyEndWords,
};

const ProviderRow kOpenAiCompatibleProvider = ChatProvider<kOpenAiCompatibleShape>({
    .name = "openai-compatible",
    .help = "any service with the chat interface of OpenAI; set its URL by --base-url",
    .example = "openai-compatible:my-model",
    .max_in_flight = 10,
    .base_url_variable = "OPENAI_COMPATIBLE_BASE_URL",
    .key_variable = "OPENAI_COMPATIBLE_API_KEY",
    .key = KeyRule::Need::kOptional,
    .embeds = true,
});

}  // namespace assay
