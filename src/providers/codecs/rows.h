// The list of providers, in the order of `assay list providers`. Each row is defined in the provider's own
// file, or in chat_services.cc.
#pragma once

#include "providers/provider.h"

// clang-format off
#define ASSAY_PROVIDERS(ROW) \
  ROW(kOpenAiProvider) \
  ROW(kOpenAiResponsesProvider) \
  ROW(kAnthropicProvider) \
  ROW(kGoogleProvider) \
  ROW(kMistralProvider) \
  ROW(kTogetherProvider) \
  ROW(kXaiProvider) \
  ROW(kOpenRouterProvider) \
  ROW(kGroqProvider) \
  ROW(kAzureOpenAiProvider) \
  ROW(kVertexProvider) \
  ROW(kBedrockProvider) \
  ROW(kDeepSeekProvider) \
  ROW(kFireworksProvider) \
  ROW(kCohereProvider) \
  ROW(kPerplexityProvider) \
  ROW(kCerebrasProvider) \
  ROW(kOllamaProvider) \
  ROW(kOpenAiCompatibleProvider) \
  ROW(kCustomProvider) \
  ROW(kExecProvider) \
  ROW(kEchoProvider)
// clang-format on

namespace assay {

#define ASSAY_DECLARE(row) extern const ProviderRow row;
ASSAY_PROVIDERS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

}  // namespace assay
