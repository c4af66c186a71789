// Declares the provider rows of table.cc, each defined in the provider's own file.
#pragma once

#include "providers/provider.h"

namespace assay {

extern const ProviderRow kAnthropicProvider;         // anthropic.cc
extern const ProviderRow kAzureOpenAiProvider;       // azure_openai.cc
extern const ProviderRow kBedrockProvider;           // bedrock.cc
extern const ProviderRow kCerebrasProvider;          // cerebras.cc
extern const ProviderRow kCohereProvider;            // cohere.cc
extern const ProviderRow kCustomProvider;            // custom.cc
extern const ProviderRow kDeepSeekProvider;          // deepseek.cc
extern const ProviderRow kEchoProvider;              // echo.cc
extern const ProviderRow kExecProvider;              // exec.cc
extern const ProviderRow kFireworksProvider;         // fireworks.cc
extern const ProviderRow kGoogleProvider;            // google.cc
extern const ProviderRow kGroqProvider;              // groq.cc
extern const ProviderRow kMistralProvider;           // mistral.cc
extern const ProviderRow kOllamaProvider;            // ollama.cc
extern const ProviderRow kOpenAiCompatibleProvider;  // openai_compatible.cc
extern const ProviderRow kOpenAiProvider;            // openai.cc
extern const ProviderRow kOpenAiResponsesProvider;   // openai_responses.cc
extern const ProviderRow kOpenRouterProvider;        // openrouter.cc
extern const ProviderRow kPerplexityProvider;        // perplexity.cc
extern const ProviderRow kTogetherProvider;          // together.cc
extern const ProviderRow kVertexProvider;            // vertex.cc
extern const ProviderRow kXaiProvider;               // xai.cc

}  // namespace assay
