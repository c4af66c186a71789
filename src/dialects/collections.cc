// The built-in model collection CORE, which blueprints ask where they name no models. Source:
// weval-org/configs b839ed6 (CC0).
#include "dialects/dialect.h"

namespace assay {

namespace {

constexpr std::string_view kCore[] = {
    "openrouter:openai/gpt-4o",
    "openrouter:openai/gpt-4o-mini",
    "openrouter:openai/gpt-4.1-mini",
    "openrouter:openai/gpt-4.1-nano",
    "openrouter:openai/gpt-4.1",
    "openrouter:openai/gpt-5",
    "openrouter:openai/gpt-5.2",
    "openrouter:openai/o4-mini",
    "openrouter:openai/gpt-oss-20b",
    "openrouter:openai/gpt-oss-120b",
    "openrouter:anthropic/claude-3.5-haiku",
    "openrouter:anthropic/claude-haiku-4.5",
    "anthropic:claude-3-7-sonnet-20250219",
    "openrouter:anthropic/claude-sonnet-4",
    "openrouter:anthropic/claude-sonnet-4.5",
    "openrouter:anthropic/claude-opus-4.1",
    "openrouter:anthropic/claude-opus-4.5",
    "openrouter:google/gemini-2.5-flash",
    "openrouter:google/gemini-2.5-pro",
    "openrouter:google/gemini-3-pro-preview",
    "openrouter:google/gemma-3-12b-it",
    "openrouter:mistralai/mistral-medium-3",
    "openrouter:mistralai/mistral-large-2411",
    "openrouter:mistralai/mistral-nemo",
    "openrouter:meta-llama/llama-4-maverick",
    "openrouter:meta-llama/llama-3-70b-instruct",
    "openrouter:deepseek/deepseek-chat-v3.1",
    "openrouter:deepseek/deepseek-r1",
    "openrouter:x-ai/grok-3",
    "openrouter:x-ai/grok-4",
    "openrouter:qwen/qwen3-30b-a3b-instruct-2507",
    "openrouter:qwen/qwen3-32b",
    "openrouter:google/gemma-3n-e4b-it",
};

constexpr ModelCollection kCollections[] = {{"CORE", kCore}};

}  // namespace

std::span<const ModelCollection> BuiltInCollections() { return kCollections; }

}  // namespace assay
