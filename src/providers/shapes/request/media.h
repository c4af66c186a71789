// What stands beside the text of a user's message, in the words of each protocol: bytes as base64, before the
// text and in the order of the suite. Sources: OpenAI API reference ("Chat completions", "Responses"),
// Anthropic ("Vision", "PDF support"), Gemini API ("Image understanding", "Document processing"), Mistral
// ("Vision", "Document AI", "Audio"), Amazon Bedrock ("Converse").
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

enum class MediaWords { kChat, kMistral, kResponses, kAnthropic };

// [part, ..., `text_block`] in JSON; `text_block` is the protocol's own, in JSON.
std::string ContentWithMedia(MediaWords words, const Message& message, std::string_view text_block);
// {"inlineData": …} of each part, for Google's lists of parts.
List GoogleMedia(const Message& message);

// {"image": …} or {"document": …} of each part, for Converse's lists of blocks.
List BedrockMedia(const Message& message);

// The parts that a model which a suite describes itself has words for, by the family that it says it is of.
MediaKinds MediaOfCustom(const Value& custom);

// An error where a part has no words at the service (kUnsupported) or its bytes are not at hand (kNotFound).
Status MayWordMedia(const ModelRequest& request, const MediaKinds& words);

}  // namespace assay
