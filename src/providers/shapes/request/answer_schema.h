// Writes the JSON Schema that an answer must follow in the form of each protocol.
#pragma once

#include <string>

#include "text/value.h"

namespace assay {

// OpenAI's chat protocol: the value of "response_format". Sources: OpenAI API reference, "Structured
// outputs".
std::string ChatResponseFormat(const Value& schema);
// OpenAI's Responses API: the value of "text".
std::string ResponsesTextFormat(const Value& schema);
// Anthropic: the value of "format" in "output_config".
Value AnthropicOutputFormat(const Value& schema);

// Whether OpenAI takes a schema as strict: each of its objects names all of its members as required and
// allows no others. A schema that is not so would be refused as strict; it is then followed as far as the
// model does.
bool IsStrictSchema(const Value& schema);

}  // namespace assay
